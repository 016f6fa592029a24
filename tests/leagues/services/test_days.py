"""Moments of large boards: prepared for everyone who asks, and again when nobody can read them."""

from __future__ import annotations

from datetime import date

import pytest

from leagues.jobs.runner import drain
from leagues.models import BoardDay, Job, League
from leagues.services.days import prepare_days
from leagues.store import standing_columns
from tests.leagues.play import new_club, record, rounds

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(monkeypatch: pytest.MonkeyPatch) -> League:
    league = new_club()
    record(league, *rounds(league, ("Ana", "Bo", "Cy"), 4))
    monkeypatch.setattr(standing_columns, "MOST_READ_WHOLE", 0)
    return league


def test_days_that_are_asked_for_before_the_job_runs_are_all_prepared(club: League) -> None:
    board = club.boards.get(system="elo")
    days = [club.midnight(date(2025, 10, day)) for day in (2, 3)]
    for at in days:
        prepare_days(board, [at])
        prepare_days(board, [at])
    assert Job.objects.filter(kind="prepare_days", state=Job.State.QUEUED).count() == 1
    drain()
    assert set(BoardDay.objects.filter(board=board).values_list("at", flat=True)) == set(days)


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
