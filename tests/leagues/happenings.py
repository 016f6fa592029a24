"""Matches with events, said in a few letters."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from leagues.models import League
from leagues.services.drafts import EventDraft, MatchDraft
from leagues.services.players import ensure_player
from tests.leagues.play import START, result

SIGNS = {
    ">": "frag",
    "x": "team-kill",
    "!": "suicide",
    "w": "world-death",
    "*": "capture",
    "~": "damage",
    "+": "assist",
    "^": "flag-taken",
    "=": "flag-returned",
    "@": "own:goal",
}


def game(
    league: League, sides: str, happened: str, *, at: datetime = START, **fields: Any
) -> MatchDraft:
    """A match with events: `Ana>Bo` frag, `AnaxCy` team kill, `Ana!` suicide, `Anaw` by the world,
    `Ana*` capture, `Ana~Bo:30` 30 points of damage, `Ana+Bo` assist, `Ana^` and `Ana=` flag taken
    and returned, `Ana@` or `Ana@Bo` of the game's own kind `goal`; sides are names, best first,
    those of a team joined by +.
    """
    events = tuple(events_of(league, happened))
    return result(league, *sides.split(), at=at, events=events, **fields)


def events_of(league: League, happened: str) -> Iterator[EventDraft]:
    """The events that words say, one second after another."""
    for second, word in enumerate(happened.split(), start=1):
        sign = next(sign for sign in SIGNS if sign in word)
        one, _, rest = word.partition(sign)
        other, _, points = rest.partition(":")
        yield EventDraft(
            kind=SIGNS[sign],
            player=ensure_player(league=league, name=one),
            opponent=ensure_player(league=league, name=other) if other else None,
            points=float(points or 1),
            milliseconds=1000 * second,
        )
