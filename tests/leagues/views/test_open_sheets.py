"""A night that was typed and not recorded is mentioned where its author comes by."""

from __future__ import annotations

import pytest
from django.test import Client

from leagues.models import League, Membership
from leagues.services.leagues import add_mode
from tests.leagues.people import join, make_user
from tests.leagues.play import new_club
from tests.leagues.views.desk import Desk

pytestmark = pytest.mark.django_db

LINES = "@12.11.\nAna > Bo\n\n# after the break\nBo > Ana\nno match at all"
SENTENCE = "A night with 3 lines is not recorded yet."
PAGES = (
    "/l/club/",
    "/",
    "/l/club/dashboard/",
    "/l/club/settings/boards/",
    "/l/club/settings/modes/",
)


@pytest.fixture
def club(client: Client) -> League:
    kim = make_user("kim")
    client.force_login(kim)
    return new_club(owner=kim)


@pytest.mark.parametrize("address", [*PAGES, "/l/club/settings/modes/blitz/"])
def test_its_author_is_led_back_to_it(client: Client, club: League, address: str) -> None:
    assert "not recorded yet" not in client.get(address).content.decode()
    desk = Desk(client, club)
    desk.send("@12.11.", part=True)
    assert "not recorded yet" not in client.get(address).content.decode()
    desk.send(LINES, part=True)
    page = client.get(address).content.decode()
    assert SENTENCE in page and 'href="/l/club/night/"' in page


def test_others_do_not_see_it(client: Client, club: League) -> None:
    Desk(client, club).send(LINES, part=True)
    for other in (None, "lee"):
        visitor = Client()
        if other:
            lee = make_user(other)
            join(club, lee, Membership.Role.ORGANIZER)
            visitor.force_login(lee)
        for address in ("/l/club/", "/"):
            assert "not recorded yet" not in visitor.get(address).content.decode()


def test_who_may_no_longer_enter_results_is_not_led_there(client: Client, club: League) -> None:
    Desk(client, club).send(LINES, part=True)
    club.memberships.update(role=Membership.Role.PLAYER)
    assert "not recorded yet" not in client.get("/").content.decode()


def test_doubles_are_not_asked_about_where_there_are_some(client: Client, club: League) -> None:
    address, question = "/l/club/settings/boards/", "Do you also play doubles"
    assert question in client.get(address).content.decode()
    add_mode(league=club, name="Doubles", actor=None, played_by="two_teams")
    page = client.get(address).content.decode()
    assert question not in page and "Do you also play another game?" in page
