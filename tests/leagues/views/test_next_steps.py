"""Pages that end somewhere lead on: sealed seasons, leagues at rest, long lists."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from leagues.jobs.runner import drain
from leagues.models import League, Match, Season
from leagues.pages.systems import _heading
from leagues.services.seasons import Step, take_step
from tests.leagues.people import make_user
from tests.leagues.play import LATER, new_club, record, rounds, season_of
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db
BACKEND = "django.contrib.auth.backends.ModelBackend"


@pytest.fixture(scope="module")
def built_boss(shared_rows: None) -> User:
    return make_user("boss")


boss = read_anew("built_boss")


@pytest.fixture(scope="module")
def built_league(shared_rows: None, built_boss: User) -> League:
    league = new_club(owner=built_boss)
    record(league, *rounds(league, ("Ana", "Bo"), 40))
    return league


league = read_anew("built_league")


def seal(league: League) -> None:
    for step in (Step.CLOSE, Step.SEAL):
        take_step(season_of(league), step, actor=None, now=LATER)
    drain()


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user, BACKEND)
    return client


def test_a_sealed_season_leads_organizers_to_the_next(league: League, boss: User) -> None:
    page = "/l/club/seasons/autumn/"
    assert "Create the next season" not in signed_in(boss).get(page).content.decode()
    seal(league)
    assert "Create the next season" in signed_in(boss).get(page).content.decode()
    assert "Create the next season" not in Client().get(page).content.decode()


def test_the_dashboard_says_that_no_season_is_open(league: League, boss: User) -> None:
    assert "No season is open" not in signed_in(boss).get("/l/club/dashboard/").content.decode()
    seal(league)
    body = signed_in(boss).get("/l/club/dashboard/").content.decode()
    assert "No season is open" in body and "until you create the next season" in body


def test_a_season_that_begins_later_is_named_wherever_results_are_entered(
    league: League, boss: User
) -> None:
    seal(league)
    tomorrow = timezone.now() + timedelta(days=1)
    spring = Season.objects.create(
        league=league, name="Spring", slug="spring", state="draft", starts_at=tomorrow
    )
    desk = signed_in(boss)
    body = desk.get("/l/club/dashboard/").content.decode()
    assert "Open “Spring” to enter results." in body
    Season.objects.filter(pk=spring.pk).update(state=Season.State.OPEN)
    body = desk.get("/l/club/dashboard/").content.decode()
    assert "No season takes the results of today" in body and "“Spring” is open." in body
    assert "until you create the next season" not in body
    for page in ("night", "enter"):
        closed = desk.get(f"/l/club/{page}/").content.decode()
        assert f'href="/l/club/{page}/?season=spring"' in closed
        begins = desk.get(f"/l/club/{page}/?season=spring").content.decode()
        assert "The season “Spring” begins on" in begins


def test_a_correction_of_a_sealed_result_says_how_it_is_reopened(
    league: League, boss: User
) -> None:
    seal(league)
    address = f"/l/club/m/autumn/{Match.objects.earliest('seq').seq}/correct/"
    refused = signed_in(boss).get(address)
    assert refused.status_code == 403
    assert "A site admin can reopen it" in refused.content.decode()
    User.objects.filter(pk=boss.pk).update(is_superuser=True, is_staff=True)
    refused = signed_in(boss).get(address)
    assert refused.status_code == 403
    assert "You can reopen it" in refused.content.decode()
    assert 'href="/l/club/settings/seasons/autumn/"' in refused.content.decode()


def test_the_matches_before_are_a_link(league: League) -> None:
    body = Client().get("/l/club/compare/", {"a": "Ana", "b": "Bo"}).content.decode()
    assert "matches before</a>" in body
    assert "q=Bo#matches" in body


def test_a_title_of_systems_fits_few_results() -> None:
    assert _heading(0, 2) == "Rating systems side by side"
    assert _heading(1, 2) == "The same result, two ways to rank from it"
    assert _heading(7, 2) == "The same 7 results, two ways to rank them"


def test_a_correction_names_the_sides_in_the_order_of_its_form(league: League, boss: User) -> None:
    match = Match.objects.earliest("seq")
    for scores in ({0: 1, 1: 3}, {0: 3, 1: 1}):
        for side, score in scores.items():
            match.participants.filter(side=side).update(score=score, rank=1 if score == 3 else 2)
        page = signed_in(boss).get(f"/l/club/m/autumn/{match.seq}/correct/")
        entered = [row.player.name for row in match.participants.order_by("side")]
        assert page.context["title"] == " v ".join(entered)
