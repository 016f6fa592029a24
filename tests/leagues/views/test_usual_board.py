"""Which board pages open on in a league that was set up for more than it has played."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from leagues.jobs.runner import drain
from leagues.models import League, Mode, Season, Standing
from leagues.selectors.boards import usual_boards
from leagues.services.leagues import add_mode
from leagues.services.matches import record_matches
from tests.leagues.people import make_user
from tests.leagues.play import new_club, result, season_of

CHOSEN = re.compile(r'value="doubles"[^>]*(checked|aria-pressed="true")')
pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> League:
    """A league of blitz, without results, and of doubles and bughouse, which have some."""
    league = new_club(owner=make_user("kim"))
    for name in ("Doubles", "Bughouse"):
        mode = add_mode(league=league, name=name, actor=None, played_by=Mode.PlayedBy.TWO_TEAMS)
        drafts = [result(league, "Ana+Bo", "Cy+Dee")]
        record_matches(season=season_of(league), mode=mode, drafts=drafts)
    drain()
    return league


@pytest.fixture
def kim(club: League) -> Client:
    client = Client()
    client.force_login(club.memberships.get().user)
    return client


def page(client: Client, address: str) -> str:
    return client.get(f"/l/club/{address}").content.decode()


def test_pages_open_on_the_first_of_what_has_results(kim: Client, club: League) -> None:
    assert 'href="/l/club/p/ana/' in page(kim, "")
    for address in ("enter/", "night/"):
        assert CHOSEN.search(page(kim, address)), address
    ana = Standing.objects.get(
        board__mode__slug="doubles", board__system="glicko2", player__key="ana"
    )
    assert f"{round(ana.shown)}" in page(kim, "p/ana/"), "her profile is of what she has played"
    standings = kim.get("/api/v1/leagues/club/standings/").json()
    assert standings["board"]["mode"] == "doubles"
    usual = usual_boards(Season.objects.select_related("league"))
    assert [board.mode.slug for board in usual.values()] == ["doubles"]


def test_the_order_of_the_modes_decides_as_soon_as_all_have_results(
    kim: Client, club: League
) -> None:
    blitz = club.modes.get(slug="blitz")
    record_matches(season=season_of(club), mode=blitz, drafts=[result(club, "Ana", "Bo")])
    drain()
    assert kim.get("/api/v1/leagues/club/standings/").json()["board"]["mode"] == "blitz"


def test_without_any_results_it_is_the_first(kim: Client) -> None:
    league = new_club("other")
    add_mode(league=league, name="Doubles", actor=None)
    look = kim.get("/api/v1/leagues/other/standings/").json()
    assert look["board"]["mode"] == "blitz"
