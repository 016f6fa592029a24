from __future__ import annotations

import pytest

from leagues.models import League, Membership
from tests.leagues.people import join, make_user
from tests.leagues.play import new_club, record, result, rounds

pytestmark = pytest.mark.django_db


def test_the_front_page_answers_before_there_is_anything(client):
    response = client.get("/")
    assert response.status_code == 200
    assert "A leaderboard that explains itself" in response.content.decode()
    assert "No public league yet" in response.content.decode()


def test_public_leagues_are_links_and_the_demo_comes_first(client):
    new_club("abc", name="Abc")
    demo = new_club("zzz", name="Zzz", is_demo=True)
    record(demo, *rounds(demo, ["Ana", "Bo", "Cy"], 15))
    body = client.get("/").content.decode()
    assert body.index('href="/l/zzz/"') < body.index('href="/l/abc/"')
    assert ">45<" in body
    assert "Results per week:" in body


def test_unlisted_and_private_leagues_are_named_to_their_members_only(client):
    for slug, visibility in (("open-door", "unlisted"), ("closed-door", "private")):
        new_club(slug, name=slug, visibility=visibility)
    body = client.get("/").content.decode()
    assert "open-door" not in body
    assert "closed-door" not in body
    member = make_user("mira")
    for league in League.objects.all():
        join(league, member, Membership.Role.PLAYER)
    client.force_login(member)
    body = client.get("/").content.decode()
    assert 'href="/l/open-door/"' in body
    assert 'href="/l/closed-door/"' in body
    assert "private" in body


def test_the_list_takes_few_queries_whatever_its_length(client, django_assert_max_num_queries):
    for number in range(5):
        league = new_club(f"club-{number}")
        record(league, result(league, "Ana", "Bo"))
    with django_assert_max_num_queries(9):
        assert client.get("/").status_code == 200


def test_leagues_are_found_by_name(client):
    new_club("abc", name="Quay Chess")
    new_club("def", name="Harbour Go")
    body = client.get("/?q=quay").content.decode()
    assert "Quay Chess" in body
    assert "Harbour Go" not in body
