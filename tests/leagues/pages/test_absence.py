"""What pages say where everybody with enough results is inactive."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from leagues.jobs.runner import drain
from leagues.models import League
from leagues.services.seasons import Step, dry_run, take_step
from tests.leagues.people import make_user
from tests.leagues.play import new_club, record, result, season_of
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db


EVEN = [("Dee", "Eve"), ("Eve", "Dee")]


@pytest.fixture(scope="module")
def built_league(shared_rows: None) -> League:
    """A league of old results, and one of today between two newcomers."""
    league = new_club(owner=make_user("boss"), ranked_after=2)
    now = timezone.now()
    old = [
        result(league, one, two, at=now - timedelta(days=2000 - day, minutes=number))
        for day in range(3)
        for number, (one, two) in enumerate((("Ana", "Bo"), ("Ana", "Cy"), ("Bo", "Cy")))
    ]
    record(league, *old, result(league, "Dee", "Eve", at=now - timedelta(hours=1)))
    return league


league = read_anew("built_league")


@pytest.fixture
def boss(client: Client, league: League) -> Client:
    client.force_login(User.objects.get(username="boss"))
    return client


def test_board_says_that_everyone_is_inactive_and_leads_on(league: League, client: Client) -> None:
    page = client.get("/l/club/")
    body = page.content.decode()
    assert "No one is ranked now" in body
    assert "No one is ranked yet" not in body
    assert "3 players have enough results, but their last match was more than 90 days ago." in body
    absence = page.context["page"].absence
    inactive = client.get(absence.inactive_url)
    assert {row.name for row in inactive.context["page"].rows} == {"Ana", "Bo", "Cy"}
    then = client.get(absence.last_day_url)
    assert {row.name for row in then.context["page"].rows} == {"Ana", "Bo", "Cy"}


def test_a_filter_that_leaves_no_one_is_not_shown(league: League, client: Client) -> None:
    assert 'name="sure"' not in client.get("/l/club/").content.decode()
    record(league, result(league, "Dee", "Eve", at=timezone.now()))
    assert 'name="sure"' not in client.get("/l/club/").content.decode()
    record(league, *(result(league, *pair, at=timezone.now()) for pair in EVEN * 20))
    assert 'name="sure"' in client.get("/l/club/").content.decode()


def test_only_organizers_are_led_to_the_setting(league: League, boss: Client) -> None:
    words = "Change when players become inactive"
    assert words in boss.get("/l/club/").content.decode()
    assert words not in Client().get("/l/club/").content.decode()


def test_before_sealing_the_inactive_are_counted_with_the_way_to_change_it(
    league: League, boss: Client
) -> None:
    season = season_of(league)
    wanted = (
        "Blitz: 3 inactive players will be missing from the final standings: their last match was "
        "more than 90 days before the season’s last one."
    )
    address = f"/l/club/settings/seasons/{season.slug}/"
    for page in (address, f"{address}close/"):
        body = boss.get(page).content.decode()
        assert wanted in body
        assert "no one will be ranked" in body
        assert 'href="/l/club/settings/#id_active_days"' in body
    league.active_days = 3000
    league.save()
    season.refresh_from_db()
    assert not dry_run(season_of(league), Step.CLOSE, timezone.now()).has_absent
    assert "inactive" not in boss.get(f"{address}close/").content.decode()


def test_the_page_of_an_ended_season_does_not_contradict_its_chart(
    league: League, client: Client
) -> None:
    season = season_of(league)
    take_step(season, Step.CLOSE, actor=None, now=timezone.now())
    take_step(season, Step.SEAL, actor=None, now=timezone.now())
    drain()
    page = client.get(f"/l/club/seasons/{season.slug}/")
    body = page.content.decode()
    assert page.context["page"].movement is not None
    assert "No one is ranked yet" not in body
    assert "final top players" not in body
    assert "in the standings below no one is ranked" in body
    assert "3 players have enough results" in body
    assert page.context["page"].absence.last_day in body
