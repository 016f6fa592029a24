"""A small league with rated results, made through the services as everything else is."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from django.contrib.auth.models import User

from leagues.jobs.runner import drain
from leagues.models import League, Match, Mode, Season
from leagues.services.drafts import MatchDraft, MemberDraft, SideDraft
from leagues.services.leagues import create_league
from leagues.services.matches import record_matches
from leagues.services.players import ensure_player

START = datetime(2025, 10, 1, 19, tzinfo=UTC)
LATER = START + timedelta(days=30)
"""When tests look at pages whose words depend on the day."""


def new_club(slug: str = "club", *, owner: User | None = None, **settings: Any) -> League:
    """Return a league of one mode and one open season, in London, that ranks by one result."""
    words: dict[str, Any] = {
        "name": "Quay Chess",
        "time_zone": "Europe/London",
        "ranked_after": 0,
        **settings,
    }
    return create_league(slug=slug, owner=owner, mode="Blitz", season="Autumn", **words)


def season_of(league: League) -> Season:
    return league.seasons.get()


def mode_of(league: League) -> Mode:
    return league.modes.get()


def result(
    league: League,
    *sides: str,
    scores: Sequence[int] | None = None,
    ranks: Sequence[int] | None = None,
    handicaps: Sequence[int] | None = None,
    at: datetime = START,
    **fields: Any,
) -> MatchDraft:
    """Return a result; sides are names joined by +, best first unless ranks say otherwise."""
    return MatchDraft(
        played_at=at,
        sides=tuple(
            SideDraft(
                rank=ranks[index] if ranks else index + 1,
                score=scores[index] if scores else None,
                handicap=handicaps[index] if handicaps else 0,
                members=tuple(
                    MemberDraft(ensure_player(league=league, name=name.strip()))
                    for name in side.split("+")
                ),
            )
            for index, side in enumerate(sides)
        ),
        **fields,
    )


def record(league: League, *drafts: MatchDraft, by: User | None = None) -> tuple[Match, ...]:
    """Store results as one revision and rate them."""
    recorded = record_matches(
        season=season_of(league), mode=mode_of(league), drafts=drafts, author=by
    )
    drain()
    return recorded.matches


def record_in(mode: Mode, *drafts: MatchDraft) -> tuple[Match, ...]:
    """Store results of one of several modes in the league's only season, and rate them."""
    recorded = record_matches(season=season_of(mode.league), mode=mode, drafts=drafts)
    drain()
    return recorded.matches


def rounds(league: League, names: Sequence[str], count: int) -> list[MatchDraft]:
    """Return rounds of everybody against everybody, a day each; who stands first wins."""
    return [
        result(
            league,
            one,
            two,
            scores=(3, 1),
            at=START + timedelta(days=number, minutes=10 * index),
        )
        for number in range(count)
        for index, (one, two) in enumerate(
            (one, two) for i, one in enumerate(names) for two in names[i + 1 :]
        )
    ]
