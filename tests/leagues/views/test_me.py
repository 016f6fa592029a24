from __future__ import annotations

import pytest
from django.test import RequestFactory

from leagues.models import Player
from leagues.views.me import hides_ratings, me
from tests.leagues.people import make_league, make_player, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    league = make_league()
    for key in ("ana", "bo", "cy"):
        make_player(league, key)
    return league


@pytest.fixture
def asked(club, django_assert_max_num_queries):
    """Who looks, by cookies and account; asked twice for the price of one query."""

    def ask(user, **cookies: str) -> str | None:
        request = RequestFactory().get("/")
        request.user, request.COOKIES = user, cookies
        with django_assert_max_num_queries(1):
            found = me(request, club)
            assert me(request, club) is found
        return found.key if found else None

    return ask


def test_a_claimed_player_goes_before_the_one_named_by_the_cookie(asked, club):
    user = make_user("ana")
    assert asked(user) is None
    assert asked(user, me="bo") == "bo"
    Player.objects.filter(key="ana").update(user=user)
    assert asked(user, me="bo") == "ana"


@pytest.mark.parametrize("key", ["", "nobody", "\x00", "x" * 5000, "ANA"])
def test_a_cookie_that_names_nobody_means_nobody(asked, key):
    assert asked(make_user("somebody"), me=key) is None


def test_a_player_who_is_not_listed_is_nobody(asked, club):
    Player.objects.filter(key="bo").update(is_listed=False)
    assert asked(make_user("somebody"), me="bo") is None


def test_a_visitor_finds_the_own_name_and_is_kept_in_this_league_only(client, club):
    body = client.get("/l/club/me/?q=AN").content.decode()
    assert 'value="ana"' in body
    assert 'value="bo"' not in body
    answer = client.get("/l/club/me/?player=ana&next=/l/club/%3Fsure%3Dsure")
    assert answer.url == "/l/club/?sure=sure"
    cookie = answer.cookies["me"]
    assert (cookie.value, cookie["path"], cookie["samesite"]) == ("ana", "/l/club/", "Lax")
    assert client.get("/l/club/me/?forget=yes").cookies["me"].value == ""


def test_the_choice_leads_nowhere_else_and_names_only_players_of_the_league(client, club):
    other = make_league("other")
    make_player(other, "dina")
    assert client.get("/l/club/me/?player=ana&next=https://elsewhere.example/").url == "/l/club/"
    assert client.get("/l/club/me/?player=dina").status_code == 404
    assert client.get("/l/club/me/?player=%00").status_code == 404
    assert client.get("/l/club/me/?q=%00").status_code == 200


def test_ratings_can_be_hidden_and_shown_again(client, club):
    assert client.get("/l/club/me/?hide=yes").cookies["plain"].value == "yes"
    request = RequestFactory().get("/")
    request.COOKIES = {"plain": "yes"}
    assert hides_ratings(request)
    assert client.get("/l/club/me/?hide=no").cookies["plain"].value == ""
