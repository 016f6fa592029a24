"""Readers learn who a league's organizers are there, not what they sign in with."""

from __future__ import annotations

import pytest
from django.test import Client

from leagues.jobs.runner import drain
from leagues.models import League, Membership
from leagues.services.matches import void_match
from tests.leagues.people import join, make_user
from tests.leagues.play import new_club, record, result, rounds

pytestmark = pytest.mark.django_db
PUBLIC = (
    "/l/club/m/autumn/1/",
    "/l/club/revisions/",
    "/l/club/r/autumn/1/",
    "/l/club/p/ana/?tab=revisions",
    "/api/v1/leagues/club/revisions/",
)


@pytest.fixture
def league() -> League:
    """A league whose first match was entered, and then made void, by one account each."""
    league = new_club(owner=make_user("kim@example.org"))
    scorer = make_user("lee@example.org")
    join(league, scorer, Membership.Role.SCORER)
    first, *_others = record(league, *rounds(league, ("Ana", "Bo", "Cy"), 2), by=scorer)
    drain()
    owner = league.memberships.get(role=Membership.Role.ORGANIZER).user
    void_match(match=first, author=owner, expected_version=1, reason="a jest")
    record(league, result(league, "Ana", "Bo"), by=make_user("former@example.org"))
    drain()
    return league


def pages() -> str:
    answers = [Client().get(address) for address in PUBLIC]
    assert {answer.status_code for answer in answers} == {200}
    return "".join(answer.content.decode() for answer in answers)


def test_visitors_read_roles_and_no_name_of_an_account(league: League) -> None:
    shown = pages()
    assert "example.org" not in shown
    for words in ("by an organizer", "by a scorer", '"by":"a former member"'):
        assert words in shown


def test_an_account_with_a_player_goes_by_the_player(league: League) -> None:
    league.players.filter(key="cy").update(
        user=league.memberships.get(role=Membership.Role.SCORER).user
    )
    assert "Entered by Cy" in pages()


def test_organizers_read_accounts_in_the_log(league: League) -> None:
    client = Client()
    client.force_login(league.memberships.get(role=Membership.Role.ORGANIZER).user)
    assert "kim@example.org" in client.get("/l/club/settings/log/").content.decode()
