"""Two years of a league: professional tennis of 2022 and 2023 as two seasons, by date."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterator
from datetime import UTC, date, datetime

import pytest
from django.utils import timezone

from leagues.jobs.runner import drain
from leagues.models import League, Player, Season
from leagues.services.drafts import MatchDraft, MemberDraft, SideDraft
from leagues.services.errors import Refused
from leagues.services.integrity import check_board, league_digest
from leagues.services.leagues import create_league
from leagues.services.matches import record_matches
from leagues.services.players import ensure_player
from leagues.services.seasons import Step, start_next_season, take_step
from tests.shared_data import shared_data

pytestmark = pytest.mark.django_db

MOST = 250
"""Results of each year; enough for every player of note to meet."""


def results(league: League, year: int) -> Iterator[MatchDraft]:
    players: dict[str, Player] = {}

    def member(name: str) -> MemberDraft:
        if name not in players:
            players[name] = ensure_player(league=league, name=name)
        return MemberDraft(players[name])

    with gzip.open(shared_data("tennis/atp_singles.csv.gz"), "rt", encoding="utf-8") as file:
        taken = 0
        for row in csv.DictReader(file):
            if taken < MOST and row["date"].startswith(f"{year}"):
                taken += 1
                yield MatchDraft(
                    played_at=league.midnight(date.fromisoformat(row["date"])),
                    date_only=True,
                    same_time_order=taken,
                    sides=(
                        SideDraft(1, (member(row["winner_name"]),)),
                        SideDraft(2, (member(row["loser_name"]),)),
                    ),
                )


def take(season: Season, *steps: Step, reason: str = "") -> Season:
    for step in steps:
        season = take_step(season, step, actor=None, now=timezone.now(), reason=reason)
        drain()
    season.refresh_from_db()
    return season


def test_two_years_of_tennis_are_two_seasons_and_the_first_never_moves_again() -> None:
    league = create_league(name="Tour", slug="tour", mode="Singles", season="2022")
    first, mode = league.seasons.get(), league.modes.get()
    for name, year in (("starts_at", 2022), ("ends_at", 2023)):
        setattr(first, name, league.midnight(date(year, 1, 1)))
    first.save()
    *played, late = results(league, 2022)
    record_matches(season=first, mode=mode, drafts=played)
    drain()
    first = take(first, Step.CLOSE)
    record_matches(season=first, mode=mode, drafts=[late], late=True)
    drain()
    first = take(first, Step.SEAL)
    assert first.state == "closed"
    digest = first.sealed_digest

    second = start_next_season(first, carryover="soft", share=0.25, deviation=0.5, actor=None)
    assert (second.name, second.ends_at) == ("2023", datetime(2024, 1, 1, tzinfo=UTC))
    second = take(second, Step.OPEN)
    record_matches(season=second, mode=mode, drafts=list(results(league, 2023)))
    drain()
    with pytest.raises(Refused):
        record_matches(season=first, mode=mode, drafts=[late], late=True)
    second = take(second, Step.CLOSE, Step.SEAL)
    assert second.state == "closed"
    first.refresh_from_db()
    assert first.sealed_digest == digest
    before = league_digest(league)
    first = take(first, Step.REOPEN, Step.SEAL, reason="To look whether it comes out the same.")
    assert first.sealed_digest == digest
    assert league_digest(league) == before
    assert not [found for board in league.boards.all() for found in check_board(board).differences]
