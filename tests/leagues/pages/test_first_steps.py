"""What somebody meets who uses a league for the first time."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from leagues.models import League, Season
from leagues.services.carryover import start_next_season
from leagues.services.matches import void_match
from leagues.services.seasons import Step, take_step
from leagues.services.setup import issue_setup_link
from tests.leagues.people import make_user
from tests.leagues.play import new_club, record, result, season_of
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def built_league(shared_rows: None) -> League:
    return new_club(owner=make_user("boss"), ranked_after=5)


league = read_anew("built_league")


@pytest.fixture
def boss(client: Client, league: League) -> Client:
    client.force_login(User.objects.get(username="boss"))
    return client


def test_the_first_account_is_told_what_comes_next(client: Client) -> None:
    cache.clear()
    password = "four-quiet-otters-sleep"
    words = {"username": "kim", "email": "k@example.org"}
    words |= {"password1": password, "password2": password}
    body = client.post(issue_setup_link(), words, follow=True).content.decode()
    assert "Your account is ready." in body
    assert '<a class="btn main" href="/new/">Create your club’s league</a>' in body
    assert body.count("btn main") == 1


def test_visitors_are_told_whom_the_site_is_for(client: Client) -> None:
    body = client.get("/").content.decode()
    assert "For clubs: enter results, get a fair table" in body
    assert "<h1>Rungs</h1>" not in body


def test_void_results_are_counted_apart(boss: Client, league: League) -> None:
    matches = record(league, *(result(league, "Ana", "Bo") for _ in range(3)))
    void_match(match=matches[0], author=None, expected_version=1, reason="")
    assert boss.get("/l/club/dashboard/").context["page"].season.results == "2 results, 1 void"
    assert "2 results, 1 void" in boss.get("/l/club/settings/seasons/").content.decode()


def test_newcomers_have_their_uncertainty_and_the_way_to_the_rules(
    client: Client, league: League
) -> None:
    record(league, result(league, "Ana", "Bo", at=timezone.now()))
    page = client.get("/l/club/")
    assert page.context["page"].columns.has_ranges
    assert "±" in page.context["page"].rows[0].rating.plus_minus
    assert "How ratings work here" in page.content.decode().partition('id="standings"')[2]


def test_a_new_season_does_not_offer_the_one_after_it(boss: Client, league: League) -> None:
    season = season_of(league)
    address = f"/l/club/settings/seasons/{season.slug}/"
    assert "Start the next season" not in boss.get(address).content.decode()
    record(league, result(league, "Ana", "Bo"))
    assert "Start the next season" in boss.get(address).content.decode()


def test_what_a_carry_over_needs_is_said_beforehand_and_its_fields_are_grouped(
    boss: Client, league: League
) -> None:
    season = season_of(league)
    record(league, result(league, "Ana", "Bo"))
    body = boss.get(f"/l/club/settings/seasons/{season.slug}/next/").content.decode()
    assert "“Autumn” is not sealed yet" in body
    assert f'<a href="/l/club/settings/seasons/{season.slug}/">Seal it first</a>' in body
    group = body.partition("Only for a soft reset")[2].partition("</fieldset>")[0]
    assert 'name="share"' in group and 'name="deviation"' in group
    assert body.count('name="share"') == 1
    assert "deviation." not in group


def test_a_draft_can_be_opened_from_the_form_by_those_who_may(boss: Client, league: League) -> None:
    season = season_of(league)
    record(league, result(league, "Ana", "Bo"))
    take_step(season, Step.CLOSE, actor=None, now=timezone.now())
    Season.objects.filter(pk=season.pk).update(state=Season.State.CLOSED)
    draft = start_next_season(Season.objects.get(pk=season.pk), name="Spring", actor=None)
    body = boss.get("/l/club/enter/").content.decode()
    assert f'<a href="/l/club/settings/seasons/{draft.slug}/open/">' in body
    assert "Open “Spring” to enter results" in body
    scorer = make_user("scorer")
    league.memberships.create(user=scorer, role="scorer")
    other = Client()
    other.force_login(scorer)
    assert "Open “Spring”" not in other.get("/l/club/enter/").content.decode()


def test_a_chance_is_plain_where_nobody_draws(client: Client, league: League) -> None:
    rows = [
        result(league, "Ana", "Bo", at=timezone.now() - timedelta(hours=9 - number))
        for number in range(6)
    ]
    matches = record(league, *rows)
    address = f"/l/club/m/{matches[-1].season.slug}/6/?board=blitz-elo"
    body = client.get(address).content.decode()
    assert "chance to win" in body
    assert "of 100 points" not in body and "expected to score" not in body
    record(league, result(league, "Ana", "Bo", ranks=(1, 1), at=timezone.now()))
    body = client.get(address).content.decode()
    assert "of 100 points" in body and "expected to score" in body


def test_an_unknown_city_is_answered_with_what_to_do(boss: Client) -> None:
    words = {"name": "Isar", "slug": "", "time_zone": "Munich", "visibility": "public"}
    body = boss.post("/new/", words | {"mode": "Singles"}).content.decode()
    assert "Type a larger city with the same time, such as Berlin for Munich" in body


def test_the_form_opens_at_the_first_player(boss: Client) -> None:
    form = boss.get("/l/club/enter/").context["form"]
    assert form.fields["one_1"].widget.attrs["autofocus"]
    assert "decide by the score" in str(form["outcome"])


def test_the_admin_says_what_its_tables_hold_and_nothing_of_hashes(league: League) -> None:
    admin = make_user("admin", is_superuser=True, is_staff=True)
    client = Client()
    client.force_login(admin)
    front = client.get("/admin/").content.decode()
    assert "Matches as they were before a correction." in front
    words = {"username": "helen", "email": "h@example.org"}
    words |= {"password1": "four-quiet-otters", "password2": "four-quiet-otters"}
    body = client.post("/admin/auth/user/add/", words, follow=True).content.decode()
    assert "Next: give helen a role" in body
    assert 'href="/l/club/settings/members/"' in body
    assert "argon2" not in body and "memory cost" not in body


def test_a_first_night_is_one_list_in_which_ranks_are_earned(boss: Client, league: League) -> None:
    pairs = (("Ana", "Bo"), ("Ana", "Cy"), ("Ana", "Dee"), ("Ana", "Eve"), ("Bo", "Ana"))
    record(league, *(result(league, one, two) for one, two in pairs[:3]))
    response = boss.get("/l/club/")
    page = response.context["page"]
    assert [(row.name, row.rank, row.tally, row.missing) for row in page.rows] == [
        ("Ana", "", "3–0", "2 more results to be ranked"),
        ("Dee", "", "0–1", "4 more results to be ranked"),
        ("Cy", "", "0–1", "4 more results to be ranked"),
        ("Bo", "", "0–1", "4 more results to be ranked"),
    ]
    assert page.unranked.rows == ()
    assert not page.columns.has_changes
    body = response.content.decode()
    assert "<b>No one is ranked yet.</b> A rank takes 5 results;" in " ".join(body.split())
    assert "Change when players are ranked" in body
    record(league, *(result(league, one, two) for one, two in pairs[3:]))
    page = boss.get("/l/club/").context["page"]
    assert sorted((row.name, row.rank) for row in page.rows) == [
        *(("Ana", "1"), ("Bo", ""), ("Cy", ""), ("Dee", ""), ("Eve", ""))
    ]
    assert page.few_ranked.title == "Only 1 player is ranked so far."
    found = boss.get("/l/club/?q=ana").context["page"]
    assert [row.name for row in found.rows] == ["Ana"]
    record(league, *(result(league, *pair) for pair in [("Bo", "Cy"), ("Dee", "Eve")] * 4))
    page = boss.get("/l/club/").context["page"]
    assert page.few_ranked is None
    assert all(row.rank for row in page.rows)


def test_the_season_lists_all_who_play_while_few_are_ranked(boss: Client, league: League) -> None:
    record(league, result(league, "Ana", "Bo"), result(league, "Ana", "Cy"))
    league.players.filter(key="bo").update(left_at=timezone.now())
    page = boss.get(f"/l/club/seasons/{season_of(league).slug}/").context["page"]
    assert sorted((row.name, row.rank, row.tally, row.has_left) for row in page.rows) == [
        ("Ana", "", "2–0", False),
        ("Bo", "", "0–1", True),
        ("Cy", "", "0–1", False),
    ]
    assert page.whole == ""


def test_who_looks_finds_the_own_row_of_a_first_night(boss: Client, league: League) -> None:
    record(league, *(result(league, f"P{n:02}", f"Q{n:02}") for n in range(40)))
    boss.cookies["me"] = "q20"
    page = boss.get("/l/club/").context["page"]
    assert page.mine == "Jump to me"
    assert page.below is not None and page.below.rank == ""
    assert "page=2" in page.mine_url and "list=" not in page.mine_url
    assert any(row.is_me for row in boss.get(page.mine_url).context["page"].rows)


def test_the_first_list_can_be_narrowed_by_certainty(boss: Client, league: League) -> None:
    record(league, *(result(league, "Ana", other) for other in ("Bo", "Cy", "Dee")))
    page = boss.get("/l/club/?sure=sure").context["page"]
    assert page.rows == ()
    assert page.hidden_sentence == "4 players not shown: their ratings are less certain."
    assert [choice.count for choice in page.certainties] == ["4", "0", "0"]
