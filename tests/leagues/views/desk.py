"""The page of a night sheet, as somebody without script sends it."""

from __future__ import annotations

import html
import re
from datetime import timedelta
from typing import Any

from django.test import Client

from leagues.models import League, Mode
from leagues.services.modes import change_played_by
from tests.leagues.page_texts import with_plain_scores
from tests.leagues.people import make_user
from tests.leagues.play import START, mode_of, new_club, record, result

DAY = START.date().isoformat()
HTMX = {"HX-Request": "true"}
HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)"')


def singles_club() -> League:
    """A league of singles, with results of four players a week before."""
    league = new_club(owner=make_user("kim"))
    played_by = Mode.PlayedBy.TWO_PLAYERS
    change_played_by(mode=mode_of(league), played_by=played_by, actor=None)
    before = START - timedelta(days=7)
    pairs = (("Ana", "Bo"), ("Cy", "Dee"))
    record(league, *(result(league, *pair, at=before) for pair in pairs))
    return league


class Desk:
    """Somebody at the page of a sheet, who sends what the page has."""

    def __init__(self, client: Client, league: League) -> None:
        self.client, self.address = client, f"/l/{league.slug}/night/"
        self.fields: dict[str, Any] = {"mode": league.modes.all()[0].slug, "day": DAY}
        self.fields |= self.hidden(self.client.get(self.address).content.decode())

    @staticmethod
    def hidden(page: str) -> dict[str, str]:
        names = ("version", "writer", "key", "checked")
        return {name: value for name, value in HIDDEN.findall(page) if name in names}

    def send(self, text: str, status: int = 200, *, part: bool = False, **more: Any) -> str:
        """Send the form and return the page, the hidden fields taken from it."""
        headers = HTMX if part else {}
        sent = {**self.fields, "text": text, **more}
        response = self.client.post(self.address, sent, headers=headers)
        assert response.status_code == status, response.content.decode()
        page = response.content.decode()
        self.fields |= self.hidden(page)
        return html.unescape(with_plain_scores(page))

    def check(self, text: str, **more: Any) -> str:
        return self.send(text, do="check", **more)

    def enter(self, text: str, **more: Any) -> Any:
        return self.client.post(
            self.address, {**self.fields, "text": text, "do": "enter", **more}, follow=True
        )
