"""Which civil day a moment is: one rule, where clocks change and wherever a day is shown."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from leagues.domain.civil_days import day_of, start_of_day
from leagues.jobs.runner import drain
from leagues.models import Job, League, Match
from leagues.store import standing_columns
from tests.leagues.people import make_user
from tests.leagues.play import new_club, record, result

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


AFTER_MIDNIGHT = datetime(2025, 10, 10, 11, 30, tzinfo=UTC)
"""Half past midnight on 11 October in Auckland; the day before in London and UTC."""


@pytest.fixture
def match() -> Match:
    cache.clear()
    league = new_club(time_zone="Pacific/Auckland", ranked_after=1)
    (played,) = record(league, result(league, "Ana", "Bo", at=AFTER_MIDNIGHT))
    record(league, result(league, "Cy", "Dee", at=AFTER_MIDNIGHT + timedelta(days=3)))
    drain()
    return played


def text_of(address: str, client: Client | None = None) -> str:
    answer = (client or Client()).get(address)
    assert answer.status_code == 200
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return str(body.decode())


def by_results(match: Match) -> bool:
    return '<time datetime="2025-10-11">' in text_of("/l/club/results/")


def by_match_page(match: Match) -> bool:
    page = Client().get(f"/l/club/m/autumn/{match.seq}/").context["page"]
    return "Saturday 11 Oct 2025" in page.when


def by_profile(match: Match) -> bool:
    (row,) = Client().get("/l/club/p/ana/").context["page"].matches
    return str(row.day).startswith("11 Oct")


def by_standings_of_days(match: Match) -> bool:
    pages = [Client().get(f"/l/club/?on=2025-10-{day}").context["page"] for day in (10, 11)]
    return [len(page.rows) for page in pages] == [0, 2]


def by_api(match: Match) -> bool:
    address = "/api/v1/leagues/club/standings/?on=2025-10-"
    return [len(Client().get(f"{address}{day}").json()["results"]) for day in (10, 11)] == [0, 2]


def by_file(match: Match) -> bool:
    return "2025-10-11T00:30" in text_of("/l/club/seasons/autumn/results.csv")


def by_admin(match: Match) -> bool:
    client = Client()
    client.force_login(make_user("admin", is_superuser=True, is_staff=True))
    return "11 Oct 2025" in text_of(reverse("admin:leagues_match_changelist"), client)


WAYS: dict[str, Callable[[Match], bool]] = {
    "results": by_results,
    "match page": by_match_page,
    "profile": by_profile,
    "standings of a day": by_standings_of_days,
    "API": by_api,
    "CSV": by_file,
    "admin": by_admin,
}


@pytest.mark.django_db
@pytest.mark.parametrize("way", WAYS)
def test_everything_that_shows_a_day_agrees(match: Match, way: str) -> None:
    assert WAYS[way](match)


@pytest.mark.django_db
def test_a_job_that_prepares_days_agrees(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standing_columns, "MOST_READ_WHOLE", 0)
    for day in (10, 11):
        assert Client().get(f"/api/v1/leagues/club/standings/?on=2025-10-{day}").status_code == 503
    drain()
    assert Job.objects.filter(kind="prepare_days", state=Job.State.DONE).exists()
    assert by_api(match)
