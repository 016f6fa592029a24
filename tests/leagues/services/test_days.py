"""Moments of large boards: prepared for everyone who asks, and again when nobody can read them."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from leagues.jobs.runner import drain
from leagues.models import BoardDay, Job, League, PackedStandings
from leagues.services import days
from leagues.services.days import prepare_board, prepare_days
from leagues.store import standing_columns
from tests.leagues.play import START, new_club, record, result, rounds

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(monkeypatch: pytest.MonkeyPatch) -> League:
    league = new_club()
    record(league, *rounds(league, ("Ana", "Bo", "Cy"), 4))
    monkeypatch.setattr(standing_columns, "MOST_READ_WHOLE", 0)
    return league


def test_days_that_are_asked_for_before_the_job_runs_are_all_prepared(club: League) -> None:
    board = club.boards.get(system="elo")
    moments = [club.midnight(date(2025, 10, day)) for day in (2, 3)]
    for at in moments:
        prepare_days(board, [at])
        prepare_days(board, [at])
    assert Job.objects.filter(kind="prepare_days", state=Job.State.QUEUED).count() == 1
    drain()
    assert set(BoardDay.objects.filter(board=board).values_list("at", flat=True)) == set(moments)


def test_packed_standings_go_with_the_last_day_that_shares_them(
    club: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(days, "LEAST_CHANGES", 3)
    board = club.boards.get(system="elo")
    prepare_board(board)
    drain()
    bases = set()
    for number in range(1, 14):
        at = START + timedelta(days=30, hours=number)
        record(club, result(club, f"New {number}", "Ana", at=at))
        drain()
        used = set(BoardDay.objects.filter(board=board).values_list("base", flat=True))
        kept = PackedStandings.objects.filter(board=board).values_list("pk", flat=True)
        assert set(kept) == used
        bases |= used
    assert len(bases) > 2


def test_a_day_that_another_release_wrote_is_prepared_again(club: League) -> None:
    board, at = club.boards.get(system="elo"), club.midnight(date(2025, 10, 3))
    prepare_days(board, [at])
    drain()
    packed = BoardDay.objects.get(board=board).base
    written = bytes(packed.data)
    packed.data = bytes([written[0] - 1]) + written[1:]
    packed.save()
    prepare_days(board, [at])
    drain()
    assert bytes(BoardDay.objects.get(board=board).base.data) == written
