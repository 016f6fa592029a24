"""In the small hours a sheet and a form begin with the day of the evening before, and say so."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone

from leagues.domain.nights import end_of_night, evening_of
from tests.leagues.people import make_user
from tests.leagues.play import new_club

pytestmark = pytest.mark.django_db

HINT = "It is past midnight: last evening is chosen."


def zone_where_it_is(hour: int) -> str:
    """A zone in whose clocks the hour is this one now."""
    ahead = (hour - timezone.now().astimezone(UTC).hour) % 24
    # The names of these zones have their signs the other way round.
    return f"Etc/GMT-{ahead}" if ahead <= 12 else f"Etc/GMT+{24 - ahead}"


def day_on(client: Client, address: str, name: str) -> str:
    page = client.get(address).content.decode()
    tag = re.search(rf'<input[^>]*name="{name}"[^>]*>', page)
    assert tag is not None
    found = re.search(r'value="([^"]*)"', tag[0])
    assert found is not None
    assert (HINT in page) == ("aria-describedby" in tag[0])
    return f"{found[1]}{' hint' if HINT in page else ''}"


@pytest.mark.parametrize(("hour", "days", "said"), [(3, 1, " hint"), (13, 0, "")])
def test_both_ways_in_begin_with_the_evening(
    client: Client, hour: int, days: int, said: str
) -> None:
    club = new_club(owner=make_user("kim"), time_zone=zone_where_it_is(hour))
    client.force_login(club.memberships.get().user)
    today = timezone.now().astimezone(club.zone).date()
    expected = f"{today - timedelta(days=days)}{said}"
    assert day_on(client, "/l/club/night/", "day") == expected
    assert day_on(client, "/l/club/enter/", "played_on") == expected
    assert day_on(client, f"/l/club/enter/?on={today}", "played_on") == f"{today}"


def test_the_evening_goes_on_until_six() -> None:
    zone = ZoneInfo("Europe/Berlin")
    for clock, day in (("05:59", 27), ("06:00", 28), ("00:00", 27), ("23:59", 28)):
        hour, minute = map(int, clock.split(":"))
        at = datetime(2026, 11, 28, hour, minute, tzinfo=zone)
        assert evening_of(at, zone).day == day, clock


def test_a_night_ends_at_six_also_where_the_clocks_change_in_it() -> None:
    london = ZoneInfo("Europe/London")
    assert end_of_night(date(2026, 3, 28), london) == datetime(2026, 3, 29, 5, tzinfo=UTC)
    assert end_of_night(date(2026, 10, 24), london) == datetime(2026, 10, 25, 6, tzinfo=UTC)
