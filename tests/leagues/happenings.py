"""Matches with events, said in a few letters."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from leagues.models import League
from leagues.services.drafts import EventDraft, MatchDraft
from leagues.services.players import ensure_player
from tests.leagues.play import START, result

SIGNS = {">": "frag", "x": "team-kill", "!": "suicide", "w": "world-death", "*": "capture"}


def game(
    league: League, sides: str, happened: str, *, at: datetime = START, **fields: Any
) -> MatchDraft:
    """A match with events: `Ana>Bo` frag, `AnaxCy` team kill, `Ana!` suicide, `Anaw` by the world,
    `Ana*` capture; sides are names, best first, those of a team joined by +.
    """
    events = tuple(events_of(league, happened))
    return result(league, *sides.split(), at=at, events=events, **fields)


def events_of(league: League, happened: str) -> Iterator[EventDraft]:
    """The events that words say, one second after another."""
    for second, word in enumerate(happened.split(), start=1):
        sign = next(sign for sign in SIGNS if sign in word)
        one, _, other = word.partition(sign)
        yield EventDraft(
            kind=SIGNS[sign],
            player=ensure_player(league=league, name=one),
            opponent=ensure_player(league=league, name=other) if other else None,
            milliseconds=1000 * second,
        )
