from __future__ import annotations

import re
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from leagues.jobs.runner import drain
from leagues.models import League, Membership
from leagues.services.leagues import update_league
from leagues.services.matches import correct_match
from leagues.services.seasons import Step, take_step
from tests.leagues.people import join, make_user
from tests.leagues.play import START, new_club, record, result, rounds, season_of

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


def test_the_demo_proves_what_the_front_page_says(client, django_assert_max_num_queries):
    demo = new_club("demo", name="Demo", is_demo=True)
    matches = record(demo, *rounds(demo, ["Ana", "Bo", "Cy"], 8))
    body = client.get("/").content.decode()
    page = client.get(f"/l/demo/m/autumn/{matches[-1].seq}/").content.decode()
    why = re.search(r"Why the rating of \w+ (?:went up|went down|did not).*?(?=[<:])", body)[0]
    assert why.rstrip(":") in page
    assert body.count('<td class="num">') > 8
    me = re.search(r'href="(/l/demo/me/[^"]+)"', body)[1].replace("&amp;", "&")
    standings = client.get(me, follow=True).content.decode()
    assert "You are <bdi>" in standings
    with django_assert_max_num_queries(9):
        client.get("/")


def test_the_front_page_leads_to_a_correction_of_the_demo(client):
    demo = new_club("demo", name="Demo", is_demo=True)
    first, *_others = record(demo, *rounds(demo, ["Ana", "Bo", "Cy"], 8))
    assert "See a correction" not in client.get("/").content.decode()
    correct_match(
        match=first,
        draft=result(demo, "Bo", "Ana", at=START),
        expected_version=first.version,
        author=None,
        reason="wrong way round",
    )
    drain()
    link = re.search(r'href="([^"]+)">See a correction<', client.get("/").content.decode())[1]
    assert "wrong way round" in client.get(link).content.decode()


def test_a_club_stands_before_the_proof_and_a_search_alone(client):
    demo = new_club("demo", name="Demo", is_demo=True)
    record(demo, *rounds(demo, ["Ana", "Bo", "Cy"], 8))
    new_club("own", name="Own")
    body = client.get("/").content.decode()
    assert body.index('href="/l/own/"') < body.index("Every number explains itself")
    assert "Every number explains itself" not in client.get("/?q=own").content.decode()


def test_a_demo_without_results_proves_nothing_yet(client):
    new_club("demo", name="Demo", is_demo=True)
    assert "Every number explains itself" not in client.get("/").content.decode()


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


def test_the_leader_is_whom_the_leaderboard_ranks_first(client):
    away = new_club("away", active_days=30)
    few = new_club("few", ranked_after=3)
    sealed = new_club("sealed", ranked_after=2)
    for league in (few, sealed):
        games = [result(league, "Cy", "Dee", at=START + timedelta(days=day)) for day in range(5)]
        record(league, result(league, "Ana", "Cy", at=START + timedelta(days=5)), *games)
    with time_machine.travel(START + timedelta(days=41)):
        games = [result(away, "Ana", "Bo", at=START + timedelta(days=day)) for day in range(3)]
        record(away, *games, result(away, "Cy", "Bo", at=START + timedelta(days=40)))
        for step in (Step.CLOSE, Step.SEAL):
            take_step(season_of(sealed), step, actor=None, now=timezone.now())
            drain()
        update_league(league=sealed, changes={"ranked_after": 0}, actor=None)
        leaders = {}
        for row in client.get("/").context["leagues"].rows:
            page = client.get(row.url).context["page"]
            (season,) = client.get(f"{row.url}seasons/").context["list"].rows
            leaders[row.url] = row.leader, page.rows[0].name, season.first
    assert leaders == {f"/l/{slug}/": ("Cy", "Cy", "Cy") for slug in ("away", "few", "sealed")}


def test_more_leagues_are_those_of_the_search(client):
    for number in range(51):
        new_club(f"club-{number}", name=f"Quay {number}")
    new_club("other", name="Harbour Go")
    following = client.get("/?q=quay").context["leagues"].next_url
    assert following == "/?q=quay&page=2"
    (row,) = client.get(following).context["leagues"].rows
    assert row.name.startswith("Quay")
    assert client.get("/").context["leagues"].next_url == "/?page=2"


def test_leagues_are_found_by_name(client):
    new_club("abc", name="Quay Chess")
    new_club("def", name="Harbour Go")
    body = client.get("/?q=quay").content.decode()
    assert "Quay Chess" in body
    assert "Harbour Go" not in body


def test_members_find_their_own_leagues_first(client):
    new_club("demo", name="Demo", is_demo=True)
    new_club("abc", name="Abc")
    league = new_club("zzz", name="Zzz")
    assert "A leaderboard that explains itself" in client.get("/").content.decode()
    kim = make_user("kim")
    join(league, kim, "scorer")
    client.force_login(kim)
    body = client.get("/").content.decode()
    where = [body.index(f'href="/l/{slug}/"') for slug in ("zzz", "demo", "abc")]
    assert where == sorted(where)
    assert "A leaderboard that explains itself" not in body


def test_the_only_one_who_is_ranked_is_not_called_the_leader(client):
    league = new_club("club", ranked_after=5)
    record(league, *[result(league, "Ana", f"Guest {number}") for number in range(6)])
    drain()
    (row,) = client.get("/").context["leagues"].rows
    assert (row.leader, row.leader_rating) == ("", "")
    assert "In the lead" not in client.get("/l/club/seasons/autumn/").content.decode()
