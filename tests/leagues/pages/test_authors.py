"""Readers learn who a league's organizers are there, not what they sign in with."""

from __future__ import annotations

import pytest
from django.test import Client

from leagues.jobs.runner import drain
from leagues.models import League, Match, Membership, Season
from leagues.services.leagues import create_season, update_league
from leagues.services.matches import void_match
from tests.leagues.people import join, make_user
from tests.leagues.play import new_club, record, result, rounds
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db
PUBLIC = (
    "/l/club/m/autumn/1/",
    "/l/club/changes/",
    "/l/club/r/autumn/1/",
    "/l/club/p/ana/?tab=revisions",
    "/api/v1/leagues/club/revisions/",
)


@pytest.fixture(scope="module")
def built_league(shared_rows: None) -> League:
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


league = read_anew("built_league")


def pages() -> str:
    answers = [Client().get(address) for address in PUBLIC]
    assert {answer.status_code for answer in answers} == {200}
    return "".join(answer.content.decode() for answer in answers)


def test_visitors_read_roles_and_no_name_of_an_account(league: League) -> None:
    shown = pages()
    assert "example.org" not in shown
    for words in ("by an organizer", "by <bdi>a scorer</bdi>", '"by":"a former member"'):
        assert words in shown


def test_an_account_with_a_player_goes_by_the_player(league: League) -> None:
    league.players.filter(key="cy").update(
        user=league.memberships.get(role=Membership.Role.SCORER).user
    )
    assert "Entered by Cy" in pages()


def test_organizers_read_accounts_in_the_log(league: League) -> None:
    client = Client()
    client.force_login(league.memberships.get(role=Membership.Role.ORGANIZER).user)
    assert "kim@example.org" in client.get("/l/club/changes/").content.decode()


def test_organizers_read_accounts_where_a_match_and_its_changes_are(league: League) -> None:
    client = Client()
    client.force_login(league.memberships.get(role=Membership.Role.ORGANIZER).user)
    match = client.get("/l/club/m/autumn/1/").content.decode()
    assert "<span>entered by lee@example.org</span>" in match
    assert "Entered by lee@example.org" in match
    assert "Voided by kim@example.org" in match
    number = Match.objects.get(season__slug="autumn", seq=1).touched_in_revision
    revision = client.get(f"/l/club/r/autumn/{number}/").content.decode()
    assert "by kim@example.org" in revision


def test_visitors_read_results_of_the_log_and_no_settings(league: League) -> None:
    body = Client().get("/l/club/changes/").content.decode()
    assert "Result voided" in body and "Board added" not in body
    assert 'name="user"' not in body
    assert Client().get("/l/club/changes/?kind=board.create").status_code == 422
    assert "by <bdi>" in Client().get("/l/club/changes/?user=kim@example.org").content.decode()


def test_drafts_of_seasons_are_named_to_organizers_alone(league: League) -> None:
    season = create_season(league=league, name="Secret plan")
    Season.objects.filter(pk=season.pk).update(state=Season.State.DRAFT)
    assert "Secret plan" not in Client().get("/l/club/changes/").content.decode()
    assert Client().get("/l/club/changes/?season=secret-plan").status_code == 422


def test_what_programs_did_is_folded_after_what_people_did(league: League) -> None:
    organizer = league.memberships.get(role=Membership.Role.ORGANIZER).user
    update_league(league=league, changes={"active_days": 30}, actor=None)
    client = Client()
    client.force_login(organizer)
    days = client.get("/l/club/changes/").context["page"].days
    assert [row.who for day in days for row in day.automatic] == ["the system"] * 3
    assert not any(row.is_automatic for day in days for row in day.rows)
    assert "3 automatic changes on" in client.get("/l/club/changes/").content.decode()


def test_former_addresses_of_the_logs_lead_to_the_one(league: League) -> None:
    for address in ("/l/club/revisions/", "/l/club/settings/log/"):
        answer = Client().get(address, {"season": "autumn"})
        assert (answer.status_code, answer.url) == (302, "/l/club/changes/?season=autumn")
