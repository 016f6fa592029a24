"""The nights that whoever asks has typed and not recorded."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import HttpRequest

from leagues import access
from leagues.access import Action
from leagues.models import League
from leagues.pages.open_sheets import OpenSheet, open_sheet
from leagues.selectors.night_sheets import open_sheets


def sheets_to_finish(request: HttpRequest, league: League | None = None) -> list[OpenSheet]:
    """The sheets with lines of whoever is signed in, in one league or in all."""
    principal = access.principal_of(request)
    if not isinstance(request.user, User):
        return []
    if league is not None and not access.is_allowed(principal, Action.ENTER, league):
        return []
    return [
        open_sheet(of, lines)
        for of, lines in open_sheets(request.user, league)
        if access.is_allowed(principal, Action.ENTER, of)
    ]
