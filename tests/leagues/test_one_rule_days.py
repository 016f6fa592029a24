"""Civil days where midnights are missing, come twice, or whole days are left out."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from leagues.domain.civil_days import day_of, start_of_day
from leagues.models import League

INSTANT = timedelta(microseconds=1)
CHANGES = {
    "Atlantic/Azores": date(2026, 3, 29),
    "Africa/Cairo": date(2026, 4, 24),
    "America/Havana": date(2026, 3, 8),
    "Europe/London": date(2026, 10, 25),
    "Asia/Kolkata": date(2026, 1, 1),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_day_begins_where_the_one_before_it_ends(name: str) -> None:
    zone = ZoneInfo(name)
    for shift in range(-2, 3):
        day = CHANGES[name] + timedelta(days=shift)
        start = start_of_day(day, zone)
        assert day_of(start, zone) == day
        assert day_of(start - INSTANT, zone) == day - timedelta(days=1)


@pytest.mark.parametrize("name", CHANGES)
def test_a_league_asks_the_same_rule(name: str) -> None:
    league = League(time_zone=name)
    assert league.midnight(CHANGES[name]) == start_of_day(CHANGES[name], ZoneInfo(name))


def test_a_day_that_apia_left_out_has_no_moment() -> None:
    zone = ZoneInfo("Pacific/Apia")
    end = start_of_day(date(2011, 12, 29), zone) + timedelta(days=1)
    assert day_of(end - INSTANT, zone) == date(2011, 12, 29)
    assert day_of(end, zone) == date(2011, 12, 31)
    assert datetime(2011, 12, 31, tzinfo=zone) == end
