"""Make the leagues, accounts and tokens of a storm in a new installation; print them as JSON."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

PASSWORD = "a-storm-is-coming"  # noqa: S105 - of accounts that end with the storm
PLAYERS = [f"Player {number}" for number in range(1, 25)]
API_LEAGUES = ("harbour", "quay")
FILE_LEAGUES = ("files", "papers")
LEAGUES = (*API_LEAGUES, *FILE_LEAGUES, "evening", "seals")
SYSTEMS = ("ladder", "zerosum", "trueskill")
"""Beside the two that every league begins with."""
WRITERS = 4
SCORERS = 2


def prepare() -> dict[str, Any]:
    """Store everything that actors need and return how they get in."""
    from django.contrib.auth.models import User

    from leagues.models import Membership
    from leagues.services.leagues import add_board, create_league
    from leagues.services.members import set_role
    from leagues.services.players import ensure_player
    from leagues.services.tokens import create_token

    owner = User.objects.create_superuser("organizer", "organizer@example.org", PASSWORD)
    scorers = [
        User.objects.create_user(f"scorer{number}", f"scorer{number}@example.org", PASSWORD)
        for number in range(SCORERS)
    ]
    tokens = []
    for slug in LEAGUES:
        league = create_league(name=slug.title(), slug=slug, owner=owner, mode="Singles")
        for name in PLAYERS:
            ensure_player(league=league, name=name)
        for system in SYSTEMS:
            add_board(season=league.seasons.get(), mode=league.modes.get(), system=system)
        for user in scorers:
            set_role(league=league, user=user, role=Membership.Role.SCORER, actor=owner)
    for number in range(WRITERS):
        slug = API_LEAGUES[number % len(API_LEAGUES)]
        _token, plain = create_token(
            league=owner.memberships.get(league__slug=slug).league,
            name=f"writer {number}",
            scope="results",
            actor=owner,
        )
        tokens.append({"league": slug, "token": plain})
    return {"tokens": tokens, "organizer": owner.username, "scorers": [u.username for u in scorers]}


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    json.dump(prepare(), sys.stdout)
