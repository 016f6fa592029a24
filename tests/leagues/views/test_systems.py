"""The pages of systems: what is shown to whom, what is asked of the database, odd addresses."""

from __future__ import annotations

import re

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from leagues.bridge.simulating import SimulatedRound, Simulation
from leagues.jobs.runner import drain
from leagues.models import Job, Trial
from leagues.pages.simulator import _faster
from leagues.services.leagues import add_board
from leagues.services.rules import change_rules
from leagues.services.trials import start_search, start_trial
from tests.leagues import play
from tests.leagues.people import make_user

pytestmark = pytest.mark.django_db

NAMES = ("Ana", "Bo", "Cy", "Dee")
MOST_QUERIES = 10


@pytest.fixture
def organizer():
    return make_user("kim")


@pytest.fixture
def league(organizer):
    cache.clear()
    club = play.new_club(owner=organizer)
    play.record(club, *play.rounds(club, NAMES, 4))
    return club


@pytest.fixture
def kim(organizer):
    client = Client()
    client.force_login(organizer)
    return client


def address(name, *words):
    return reverse(f"leagues:{name}", args=["club", *words])


def elo_of(league):
    return league.boards.get(system="elo")


@pytest.mark.parametrize("more_boards", [False, True])
def test_the_page_asks_few_questions_whatever_the_number_of_boards(
    league, kim, more_boards, django_assert_max_num_queries
):
    if more_boards:
        for system in ("trueskill", "wenglin", "ladder", "zerosum"):
            add_board(season=play.season_of(league), mode=play.mode_of(league), system=system)
        drain()
    kim.post(address("backtest"))
    drain()
    kim.get(address("systems"))
    with django_assert_max_num_queries(MOST_QUERIES):
        assert kim.get(address("systems")).status_code == 200


def test_an_organizer_starts_a_backtest_and_visitors_see_what_it_found(league, kim):
    page = kim.post(address("backtest"), follow=True)
    assert "The comparison is waiting to start." in page.text
    assert 'http-equiv="refresh"' in page.text
    drain()
    page = Client().get(address("systems"))
    assert "predicts best" in page.text or "too few" in page.text
    assert "Compare again" not in page.text and "Try other parameters" not in page.text
    assert 'http-equiv="refresh"' not in page.text


def test_the_fragment_is_the_part_of_the_page(league, kim):
    headers = {"HX-Request": "true"}
    part = kim.get(address("backtest"), headers=headers)
    assert part.text.lstrip().startswith('<div id="backtest"')
    assert "<html" not in part.text
    whole = kim.get(address("backtest"))
    assert whole.status_code == 302


@pytest.mark.parametrize(
    "query",
    ["?page=0", "?page=-1", "?page=x", "?page=99999999999999999999", "?page=%00", "?page=3"],
)
def test_odd_pages_are_the_first_or_the_last(query, league):
    assert Client().get(address("systems") + query).status_code == 200


@pytest.mark.parametrize("query", ["?board=nope", "?season=nope", "?board=%00"])
def test_unknown_boards_are_not_found(query, league):
    status = Client().get(address("systems") + query).status_code
    assert status == (200 if "%00" in query else 404)


def test_a_league_without_boards_has_an_empty_page(kim, organizer):
    cache.clear()
    club = play.new_club("club", owner=organizer)
    club.boards.all().delete()
    assert "No boards yet" in Client().get(address("systems")).text
    assert Client().get(address("backtest")).status_code == 404
    assert kim.post(address("backtest")).status_code == 404
    assert kim.get(address("try")).status_code == 404


def tried(kim, **fields):
    page = kim.get(address("try") + "?board=blitz-elo")
    form = page.context["form"]
    data = {f"try-{name}": form[name].value() for name in form.fields}
    data = {name: value for name, value in data.items() if value not in (None, False)}
    sent = data | {f"try-{name}": value for name, value in fields.items()}
    return kim.post(address("try") + "?board=blitz-elo", sent, follow=True)


def test_other_parameters_are_tried_and_nothing_changes(league, kim):
    page = tried(kim, x_k="60", x_k0="100")
    assert "Waiting to start." in page.text
    drain()
    page = Client().get(address("trial", Trial.objects.get().pk))
    assert "How well it predicts" in page.text
    assert "Try others" not in page.text
    assert elo_of(league).parameters["k"] == 20
    again = kim.get(kim.get(address("trial", Trial.objects.get().pk)).context["page"].again_url)
    assert again.context["form"]["x_k"].value() == "60"
    assert "K 60" in again.text


@pytest.mark.parametrize(
    "fields",
    [
        {"x_k": "-1"},
        {"x_k": "NaN"},
        {"x_k": "1e999"},
        {"x_k": ""},
        {"x_k": "5\x00"},
        {"x_policy": "nonsense"},
        {"effective_on": "yesterday"},
        {"effective_on": "0001-01-01"},
        {"effective_on": "9999-12-31"},
    ],
)
def test_bad_parameters_are_refused_in_words(fields, league, kim):
    page = tried(kim, **fields)
    assert page.status_code == 422
    assert "errtext" in page.text or 'role="alert"' in page.text
    assert not Trial.objects.exists()


def test_a_trial_from_a_day_on_leaves_the_results_before_it_alone(league, kim):
    page = tried(kim, x_k="60", effective_on="2025-11-01")
    drain()
    page = kim.get(page.request["PATH_INFO"])
    assert "from 1 Nov 2025 on" in page.text
    assert "No ranks would change." in page.text


def test_a_trial_that_failed_says_so(league, kim):
    trial = start_trial(board=elo_of(league), parameters={}, actor=None)
    Job.objects.filter(kind="trial").update(state=Job.State.FAILED)
    assert "The trial has stopped." in kim.get(address("trial", trial.pk)).text


def test_a_trial_of_another_league_is_not_found(league, kim):
    play.new_club("other")
    trial = start_trial(board=elo_of(league), parameters={}, actor=None)
    assert kim.get(reverse("leagues:trial", args=["other", trial.pk])).status_code == 404
    assert kim.get(address("trial", 999)).status_code == 404


def test_the_simulator_shows_every_round_by_a_plain_link(league):
    query = "?system=elo&players=20&rounds=3"
    page = Client().get(address("simulator") + query)
    assert "Round 3 of 3" in page.text
    first = page.context["page"].rows[0].url
    page = Client().get(first)
    assert "Round 1 of 3" in page.text
    assert page.context["page"].steps[0].url == ""
    assert 'aria-describedby="id_seed_helptext"' in page.text
    assert 'id="id_seed_helptext">The same seed' in page.text


def test_the_simulator_knows_the_boards_of_the_league(league):
    page = Client().get(address("simulator") + "?players=20&rounds=2&system=board:blitz-elo")
    assert page.status_code == 200 and "Elo" in page.context["page"].finding


def test_two_systems_are_simulated_on_the_same_population(league):
    page = Client().get(address("simulator") + "?system=glicko2&other=ladder&rounds=20&players=50")
    shown = page.context["page"]
    assert shown.names == ("Glicko-2", "Ladder")
    lines = [line.points for line in shown.course.wide.lines]
    assert len(lines) == 2 and lines[0] != lines[1]
    assert shown.faster in page.text and shown.faster.startswith("Glicko-2 learns faster")
    said = re.search(
        r"after round (\d+), (?:while )?Ladder (?:after round (\d+)|does not)", shown.faster
    )
    below = [int(row.number) for row in shown.rows if float(row.correlation) < 0.8]
    assert said and int(said[1]) == max(below) + 1
    alone = Client().get(address("simulator") + "?system=glicko2&other=&rounds=20&players=50")
    assert alone.context["page"].faster == ""
    assert [line.points for line in alone.context["page"].course.wide.lines] == lines[:1]


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        ([0.5, 0.8, 0.9], [0.5, 0.6, 0.7], "Elo learns faster"),
        ([0.5, 0.6, 0.7], [0.9, 0.9, 0.9], "Ladder learns faster"),
        ([0.8, 0.9, 0.9], [0.5, 0.8, 0.9], "about equally fast"),
        ([0.1, 0.2, 0.3], [0.2, 0.3, 0.4], "Neither reaches a correlation of 0.8 in 3 rounds"),
        # Who falls back has not found out yet.
        ([0.8, 0.7, 0.7], [0.1, 0.1, 0.8], "Ladder learns faster"),
        ([0.8, 0.9, 0.9], [0.1, 0.2, 0.9], "after round 1, Ladder after round 3"),
    ],
)
def test_which_system_finds_out_faster_is_told_by_one_rule(one, other, said):
    courses = [
        Simulation((), tuple(SimulatedRound(value, 0, 0, ()) for value in line), "Rating", 0, False)
        for line in (one, other)
    ]
    assert said in _faster(("Elo", "Ladder"), courses)


@pytest.mark.parametrize(
    "query",
    [
        "rounds=500",
        "rounds=0",
        "rounds=x",
        "players=3",
        "players=1000000",
        "system=nonsense",
        "system=static",
        "pairing=quality&players=200",
        "pairing=quality&system=ladder&players=20&rounds=2",
        "pairing=quality&other=ladder&players=20&rounds=2",
        "system=elo&other=elo",
        "other=nonsense",
        "seed=-1",
        "seed=%00",
        "skills=odd",
    ],
)
def test_the_simulator_refuses_what_makes_no_sense_in_words(query, league):
    page = Client().get(f"{address('simulator')}?{query}")
    assert page.status_code == 422
    assert "errtext" in page.text


def test_a_search_is_refused_in_words_where_there_is_too_little_to_search(league, kim):
    page = kim.post(address("try") + "?board=blitz-elo", {"search": "yes"})
    assert page.status_code == 422
    assert "A search needs between" in page.text


def test_a_search_leads_to_its_trial(league, kim):
    league.boards.update(rated_matches=100)
    page = kim.post(address("try") + "?board=blitz-elo", {"search": "yes"}, follow=True)
    assert page.status_code == 200
    drain()
    page = kim.get(page.request["PATH_INFO"])
    assert "Found by a search over the first 19 results." in page.text


@pytest.mark.parametrize("names", [("Ana", "Bo"), ("Ana", "Bo", "Cy")])
def test_pages_of_nothing_but_draws_say_so_without_a_figure(names, organizer, kim):
    cache.clear()
    club = play.new_club(owner=organizer)
    for system in ("ladder", "trueskill"):
        add_board(season=play.season_of(club), mode=play.mode_of(club), system=system)
    play.record(club, *(play.result(club, *names, ranks=[1] * len(names)) for _ in range(50)))
    kim.post(address("backtest"))
    start_search(board=elo_of(club), actor=None)
    drain()
    trial = Trial.objects.get(kind=Trial.Kind.RULES)
    pages = [address("systems"), address("try"), address("trial", trial.pk)]
    pages += [f"{address('statistics')}?board=blitz-{system}" for system in ("elo", "ladder")]
    pages.append(reverse("api:backtests", args=["club", "autumn", "blitz"]))
    pages.append(reverse("api:trial", args=["club", trial.pk]))
    for page in pages:
        assert kim.get(page).status_code == 200, page
    said = kim.get(pages[0]).text
    assert "has no decided results to be judged by" in said
    assert "cannot rate any of these results" not in said
    assert "The search found nothing" in kim.get(pages[2]).text


def test_a_system_that_can_rate_no_team_says_so(organizer, kim):
    cache.clear()
    club = play.new_club(owner=organizer)
    add_board(season=play.season_of(club), mode=play.mode_of(club), system="ladder")
    play.record(club, *(play.result(club, "Ana+Bo", "Cy+Dee") for _ in range(30)))
    kim.post(address("backtest"))
    drain()
    assert "cannot rate any of these results" in kim.get(address("systems")).text


def test_a_trial_says_who_would_become_ranked_and_who_would_drop_out(league, kim):
    board = add_board(season=play.season_of(league), mode=play.mode_of(league), system="static")
    drain()

    def told(**parameters):
        tried = {**board.parameters, **parameters}
        trial = start_trial(board=board, parameters=tried, actor=None)
        drain()
        page = kim.get(address("trial", trial.pk)).text
        report = kim.get(f"/api/v1/leagues/club/trials/{trial.pk}/").json()["report"]
        assert report["entering"]["count"] + report["leaving"]["count"] == 4
        board.refresh_from_db()
        change_rules(board=board, parameters=tried, effective_at=None, actor=None)
        drain()
        return page

    page = told(least_events=4)
    assert "4 players would become ranked: Ana, Bo, Cy and Dee." in page
    assert "No ranks would change" not in page
    assert "4 players would no longer be ranked: Ana, Bo, Cy and Dee." in told(least_events=5)


def test_what_was_tried_is_told_in_the_words_of_the_rules(league, kim):
    board = add_board(season=play.season_of(league), mode=play.mode_of(league), system="ladder")
    drain()
    tried = {**board.parameters, "mode": "insert"}
    trial = start_trial(board=board, parameters=tried, actor=None)
    page = kim.get(address("trial", trial.pk)).text
    assert "both swap places" in page
    assert "everyone in between moves down" in page
    assert ">insert<" not in page


def test_organizers_add_a_system_from_the_page_of_systems(league, kim):
    link = f'href="{address("settings_boards")}"'
    assert link in kim.get(address("systems")).content.decode()
    assert link not in Client().get(address("systems")).content.decode()
