"""How much was played in the last weeks: counted exactly, and of large seasons not at each page."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from leagues.selectors import activity
from leagues.selectors.activity import weekly_results
from tests.leagues.play import new_club, record, result, season_of

pytestmark = pytest.mark.django_db

LAST = datetime(2026, 3, 29, 23, 59, 59, tzinfo=UTC)
MIDNIGHT = datetime(2026, 3, 23, tzinfo=UTC)
"""A week that ends with the day of `LAST` begins then."""


def test_weeks_are_counted_by_days_back_from_the_last_result() -> None:
    club = new_club()
    almost, long_ago = MIDNIGHT - timedelta(microseconds=1), LAST - timedelta(weeks=12)
    moments = [LAST, MIDNIGHT, almost, MIDNIGHT - timedelta(weeks=2), long_ago]
    record(club, *(result(club, "Ana", "Bo", at=at) for at in moments))
    weeks = weekly_results([season_of(club)], LAST)
    assert weeks == {season_of(club).pk: [1, 1, 2]}


def test_a_large_season_is_counted_once_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    club = new_club()

    def results(now: datetime) -> int:
        return sum(weekly_results([season_of(club)], now)[season_of(club).pk])

    record(club, result(club, "Ana", "Bo"))
    assert results(LAST) == 1
    record(club, result(club, "Bo", "Ana"))
    assert results(LAST) == 2
    monkeypatch.setattr(activity, "MOST_COUNTED_AT_ONCE", 1)
    assert results(LAST) == 2
    record(club, result(club, "Ana", "Cy"))
    assert results(LAST) == 2
    assert results(LAST + timedelta(minutes=1)) == 3
