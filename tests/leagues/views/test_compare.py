"""Comparing before playing, and whom to play: pages of names, chances and stakes."""

from __future__ import annotations

import re

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from leagues import bridge, wording
from leagues.jobs.runner import drain
from leagues.models import PlayerAlias, StartingState
from leagues.pages.sides import read_sides
from leagues.services.leagues import add_board, create_season
from leagues.services.players import ensure_player
from leagues.services.rosters import new_player
from tests.leagues.people import make_league
from tests.leagues.play import LATER, mode_of, new_club, record, result, rounds, season_of
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

NAMES = ["Ana", "Bo", "Cy", "Di", "Eve"]


@pytest.fixture(scope="module")
def built_club(shared_rows: None):
    league = new_club()
    record(league, *rounds(league, NAMES, 3))
    return league


club = read_anew("built_club")


def text_of(response):
    text = re.sub(r"<[^>]+>", " ", response.content.decode())
    return re.sub(r"\s+", " ", text)


def test_two_players_are_compared_by_name_with_chances_stakes_and_their_matches(client, club):
    response = client.get("/l/club/compare/?a=ana&b=Cy")
    text = text_of(response)
    assert response.status_code == 200
    assert "Ana and Cy" in text
    assert re.search("Ana (is almost certainly|is probably|may be) the stronger player", text)
    assert "So far: Ana leads 3 to 0" in text
    assert "3–0 won, lost: Ana won 3 of 3 matches" in text
    assert "Both have played against 3 other players." in text
    # Each day of each player, in both sizes of the chart, leads to its last match.
    assert response.content.count(b"data-point") == 12
    assert response.content.count(b'href="/l/club/m/autumn/') == 6 + 12


def test_only_for_a_few_names_is_guessed_who_was_meant(client):
    names = ["Alfred", "Bertram", "Caspar", "Dagobert", "Egon", "Fridolin", "Gustav", "Hubert"]
    league = new_club("harbour")
    record(league, *rounds(league, names, 1))

    def guessed(*sides):
        return [
            guess.name
            for problem in read_sides(board, sides, only_public=True).problems
            for guess in problem.guesses
        ]

    board = league.boards.select_related("league", "season").get(system="elo")
    wrong = [f"{name}x" for name in names]
    assert guessed(wrong[:1], names[1:]) == names[:1]
    assert guessed(wrong[:4], wrong[4:]) == names[:4]
    assert guessed([*wrong[:1], *names[1:], "Isidor"], names[:1]) == []


def test_the_stake_that_is_shown_is_the_change_that_comes(client, club):
    board = club.boards.get(system="glicko2")
    with time_machine.travel(LATER, tick=False):
        response = client.get(f"/l/club/compare/?board={board.slug}&a=Eve&b=Ana")
    shown = next(row for row in response.context["page"].stakes if row.label == "Eve wins")
    (match,) = record(club, result(club, "Eve", "Ana", at=LATER))
    board.refresh_from_db()
    account = bridge.match_account(board, match)
    changes = {
        row.player_id: wording.change(row.before.value, row.after.value) for row in account.accounts
    }
    assert [cell.change for cell in shown.cells] == [
        changes[club.players.get(name=name).pk] for name in ("Eve", "Ana")
    ]


def test_who_hides_ratings_and_stakes_sees_what_was_played(client, club):
    client.cookies["plain"] = "yes"
    text = text_of(client.get("/l/club/compare/?a=Ana&b=Cy"))
    assert "What is at stake" not in text
    assert "stronger player" not in text
    assert "So far: Ana leads 3 to 0" in text
    assert "Ana won 3 of 3 matches." in text
    assert "the ratings at the time predicted" not in text
    assert "Show ratings and stakes" in text
    assert "If won" not in text_of(client.get("/l/club/opponents/?player=Ana"))


def test_teams_and_free_for_alls_are_compared_too(client, club):
    response = client.get("/l/club/compare/?a=Ana+%2B+Bo&b=Cy&b=Di")
    assert "Ana + Bo against Cy + Di" in text_of(response)
    page = response.context["page"]
    assert page.outcome_labels == ("Win", "Loss")
    assert [row.name for row in page.outcome_stakes] == ["Ana", "Bo", "Cy", "Di"]
    for row in page.outcome_stakes:
        assert [change[0] for change in row.changes] == ["+", "\N{MINUS SIGN}"]
    response = client.get("/l/club/compare/?a=Ana&b=Bo&c=Cy")
    page = response.context["page"]
    assert [len(side.places) for side in page.place_chances] == [3, 3, 3]
    assert [len(row.changes) for row in page.outcome_stakes] == [3, 3, 3]
    assert page.cross[0].cells == ("", "3–0", "3–0")
    assert 'name="d"' not in response.content.decode()
    assert 'name="d"' in client.get("/l/club/compare/?a=Ana&b=Bo&sides=4").content.decode()


def test_teams_see_their_matches_and_whom_all_have_met(client, club):
    record(
        club,
        result(club, "Ana+Cy", "Bo+Di"),
        result(club, "Bo+Di", "Ana+Cy"),
        result(club, "Ana+Bo", "Cy+Di"),
        result(club, "Di+Bo+Eve", "Cy+Ana"),
    )
    response = client.get("/l/club/compare/?a=Ana&a=Cy&b=Bo&b=Di")
    text = text_of(response)
    duel = response.context["page"].duel
    assert "So far: Bo + Di lead 2 to 1" in text
    assert [row.result for row in duel.rows] == ["Bo + Di won", "Bo + Di won", "Ana + Cy won"]
    assert all(row.expected.endswith("%") and not row.change for row in duel.rows)
    assert "1–2 won, lost: Ana + Cy won 1 of 3 matches; " in text
    assert "the ratings at the time predicted" in text
    assert "All have played against 1 other player." in text
    assert re.search(
        r"Matches won against them: Ana \d of \d+, Cy \d of \d+, Bo \d of \d+ and Di \d of \d+\.",
        text,
    )
    (rival,) = response.context["page"].rivals.rows
    assert rival.records == ("3–1", "3–1", "3–0", "3–0")


def test_large_teams_are_called_by_their_first_and_all_are_listed(client, club):
    for name in ("Fay", "Gus", "Hal"):
        ensure_player(league=club, name=name)
    response = client.get(
        "/l/club/compare/?a=Ana+%2B+Bo+%2B+Cy+%2B+Di&b=Eve+%2B+Fay+%2B+Gus+%2B+Hal"
    )
    text = text_of(response)
    assert "Ana + 3 more against Eve + 3 more" in text
    assert "The chances of Ana + 3 more, and what would change for Ana." in text
    assert [row.name for row in response.context["page"].outcome_stakes][-3:] == [
        "Fay",
        "Gus",
        "Hal",
    ]


def test_of_matches_of_more_sides_nothing_was_expected_between_two(client, club):
    record(club, result(club, "Ana", "Eve", "Bo", ranks=(1, 2, 3), at=LATER))
    response = client.get("/l/club/compare/?a=Ana&b=Bo")
    newest, *rest = response.context["page"].duel.rows
    assert newest.change and not newest.expected
    assert all(row.expected for row in rest)
    assert "Ana won 4 of 4 matches." in text_of(response)
    told = client.get("/api/v1/leagues/club/comparison/?a=ana&b=bo").json()
    assert [match["expected"] is None for match in told["matches"]] == [True, *[False] * 3]


def test_without_names_it_is_me_and_who_stands_above(client, club):
    assert "Ana and Bo" in text_of(client.get("/l/club/compare/"))
    client.cookies["me"] = "cy"
    text = text_of(client.get("/l/club/compare/"))
    assert "You and Bo" in text
    assert re.search("Bo (is almost certainly|is probably|may be) the stronger player", text)
    assert "You and Eve" in text_of(client.get("/l/club/compare/?a=Eve"))
    assert "You win" in text_of(client.get("/l/club/compare/?a=Cy&b=Eve"))


def test_names_nobody_has_are_said_with_guesses(client, club):
    text = text_of(client.get("/l/club/compare/?a=Anna&b=Bo"))
    assert "No player is called Anna." in text
    response = client.get("/l/club/compare/?a=Anna&b=Bo")
    ((guess,),) = [problem.guesses for problem in response.context["problems"]]
    assert "Ana and Bo" in text_of(client.get(guess.url))
    alias = PlayerAlias.objects.create(
        league=club, player=club.players.get(name="Ana"), name="Annie", folded="annie"
    )
    assert "Ana and Bo" not in text_of(client.get("/l/club/compare/?a=Annie&b=Bo"))
    alias.is_public = True
    alias.save()
    assert "Ana and Bo" in text_of(client.get("/l/club/compare/?a=Annie&b=Bo"))


def test_a_first_name_means_the_only_player_it_can_mean_and_the_winner_s_score_is_first(client):
    quay = new_club("quay")
    record(
        quay,
        result(quay, "Dave Carter", "Helen Marsh", scores=(3, 1)),
        result(quay, "Helen Marsh", "Dave Carter", scores=(3, 2)),
        result(quay, "Dave Moss", "Helen Marsh", scores=(3, 0)),
    )
    text = text_of(client.get("/l/quay/compare/?a=helen&b=carter, dave"))
    assert "Helen Marsh and Dave Carter" in text
    assert re.search(r"Dave Carter won\s+3–1", text)
    assert re.search(r"Helen Marsh won\s+3–2", text)
    assert "No player is called dave." in text_of(client.get("/l/quay/compare/?a=helen&b=dave"))


def test_chances_that_stand_together_add_up_to_100(client, club):
    for one, other in (("Ana", "Bo"), ("Ana", "Cy"), ("Bo", "Di"), ("Di", "Eve")):
        page = client.get(f"/l/club/compare/?a={one}&b={other}").context["page"]
        said = (page.chances.win, page.chances.draw, page.chances.loss)
        assert sum(int(text[:-2]) for text in said if text) == 100
        assert [row.chance for row in page.stakes] == [text for text in said if text]
    places = client.get("/l/club/compare/?a=Ana&b=Bo&c=Cy").context["page"].place_chances
    assert [sum(int(text[:-2]) for text in side.places) for side in places] == [100] * 3


def test_of_many_common_opponents_the_rest_is_counted(client, club):
    others = [f"Other {number}" for number in range(12)]
    record(club, *(result(club, name, other) for other in others for name in ("Ana", "Bo")))
    text = text_of(client.get("/l/club/compare/?a=Ana&b=Bo"))
    assert "Both have played against 15 other players." in text
    assert "and 5 other players" in text
    assert "other players" not in text_of(client.get("/l/club/compare/?a=Cy&b=Di")).partition(
        "Common opponents"
    )[2].replace("Both have played against 3 other players", "")


@pytest.mark.parametrize("query", ["a=0", "b=NaN", "a=club", "a=Nobody&sides=3"])
def test_one_name_alone_that_nobody_has_is_said_too(client, club, query):
    response = client.get(f"/l/club/compare/?{query}")
    assert response.status_code == 200
    assert "No player is called" in text_of(response)


def test_the_name_being_typed_is_completed_behind_the_others(client, club):
    def offered(typed):
        response = client.get(
            "/l/club/compare/",
            {"a": typed},
            headers={"HX-Request": "true", "HX-Trigger-Name": "a"},
        )
        return re.findall(r'value="([^"]*)"', response.content.decode())

    assert offered("a") == ["Ana"]
    assert offered("Cy+e") == ["Cy+ Eve"]
    assert offered("Cy + ") == offered("\x00") == []


def test_of_namesakes_it_asks_who_is_meant(client, club):
    new_player(league=club, name="Ana", key="ana-2").save()
    response = client.get("/l/club/compare/?a=Ana&b=Bo")
    (problem,) = response.context["problems"]
    assert [guess.name for guess in problem.guesses] == ["Ana (ana)", "Ana (ana-2)"]
    assert client.get(problem.guesses[0].url).context["page"] is not None


@pytest.mark.parametrize(
    "query",
    [
        "a=Ana&b=Ana",
        "a=Ana%2BBo&b=",
        "a=%00&b=%00",
        "a=" + "x" * 5000 + "&b=Bo",
        "a=" + "%2B".join("abcdefghi") + "&b=Bo",
        "a=Ana&b=Bo&sides=99999999999999999999",
        "a=%22&b=%2B%2B%2B",
        "a=Ana&b=Bo&season=%00",
    ],
)
def test_what_makes_no_sense_is_no_failure(club, query):
    client = Client(raise_request_exception=False)
    for page in ("compare", "opponents", "statistics"):
        assert client.get(f"/l/club/{page}/?{query}&player=%00%00").status_code in (200, 404)


def test_newcomers_and_empty_leagues_are_told_so(client, club):
    ensure_player(league=club, name="Zoe")
    text = text_of(client.get("/l/club/compare/?a=Ana&b=Zoe"))
    assert "not rated yet: a guess, not a strength" in text
    assert "They have not met yet" in text
    assert "Zoe wins" in text
    assert "Once Zoe has a rating" in text_of(client.get("/l/club/opponents/?player=Zoe"))
    make_league(slug="nothing")
    for page in ("compare", "opponents", "statistics"):
        assert client.get(f"/l/nothing/{page}/").status_code == 200


def test_who_brought_a_rating_from_the_season_before_is_compared_with_it(client, club):
    before = season_of(club)
    winter = create_season(league=club, name="Winter")
    winter.follows = before
    winter.save()
    board = add_board(season=winter, mode=mode_of(club), system="glicko2", name="Winter")
    old = club.boards.get(season=before, system="glicko2")
    for standing in old.standings.filter(generation=old.generation):
        StartingState.objects.create(
            league=club, board=board, player=standing.player, state=standing.state
        )
    drain()
    page = client.get(f"/l/club/compare/?season=winter&board={board.slug}&a=Ana&b=Eve").context[
        "page"
    ]
    ana = old.standings.get(generation=old.generation, player__name="Ana")
    assert page.seats[0].rating.value == wording.number(ana.shown)
    assert page.chances.win > "9"


def test_a_ladder_tells_rungs_and_no_chances(client, club):
    add_board(season=season_of(club), mode=mode_of(club), system="ladder", name="Ladder")
    drain()
    response = client.get("/l/club/compare/?board=ladder&a=Eve&b=Ana")
    page = response.context["page"]
    assert page.chances is None
    assert next(row.cells[0].change for row in page.stakes) == "5 → 1"
    assert client.get("/l/club/opponents/?board=ladder&player=Cy").status_code == 200
    assert "a ladder rates single players" in text_of(
        client.get("/l/club/compare/?board=ladder&a=Ana%2BBo&b=Cy%2BDi")
    )


def test_opponents_come_in_the_order_of_what_they_promise(client, club):
    record(club, *[result(club, "Cy", "Di", at=timezone.now())])
    for player in club.players.all():
        record(club, result(club, player.name, "Guest", at=timezone.now()))
    response = client.get("/l/club/opponents/?player=Cy")
    rows = response.context["page"].rows
    gains = [float(row.gain.split("\N{NARROW NO-BREAK SPACE}")[0]) for row in rows]
    assert [round(gain / 5) for gain in gains] == sorted(
        (round(gain / 5) for gain in gains), reverse=True
    )
    assert "Cy" not in [row.name for row in rows]
    di = next(row for row in rows if row.name == "Di")
    assert (di.record, di.last) == ("4–0", "today")
    assert "Who should Cy play?" in text_of(response)
    assert "Choose yourself below" in text_of(client.get("/l/club/opponents/"))
    client.cookies["me"] = "cy"
    assert "Who should I play?" in text_of(client.get("/l/club/opponents/"))


def test_who_has_not_played_lately_is_not_proposed(client, club):
    assert timezone.now() > LATER
    record(club, result(club, "Ana", "Bo", at=timezone.now()))
    assert "No active players near this rating" not in text_of(
        client.get("/l/club/opponents/?player=Ana")
    )
    names = [row.name for row in client.get("/l/club/opponents/?player=Ana").context["page"].rows]
    assert names == ["Bo"]


def test_the_number_of_queries_does_not_grow_with_boards_or_matches(
    client, club, django_assert_max_num_queries
):
    for number in range(3):
        add_board(season=season_of(club), mode=mode_of(club), system="elo", name=f"Elo {number}")
    for query in ("a=Ana&b=Bo", "a=Ana%2BBo&b=Cy%2BDi", "a=Ana&b=Bo&c=Cy"):
        client.get(f"/l/club/compare/?{query}")
        with django_assert_max_num_queries(12):
            client.get(f"/l/club/compare/?{query}")
    with django_assert_max_num_queries(10):
        client.get("/l/club/opponents/?player=Ana")


def test_several_ratings_share_a_chart_without_bands(client, club):
    body = client.get("/l/club/compare/?a=ana&b=bo&c=cy&d=nobody-yet").content.decode()
    assert "Everyone over time" not in body  # Somebody is not known.
    body = client.get("/l/club/compare/?a=ana&a=bo&b=cy").content.decode()
    chart = body.partition("Everyone over time")[2].partition("</svg>")[0]
    assert "Ratings of Ana, Bo and Cy over time" in chart
    assert chart.count("<polyline") == 3
    assert "<polygon" not in chart
    assert {"", "two", "three"} == set(re.findall(r'<polyline class="line (\w*)"', chart))


def test_where_nobody_is_rated_no_matches_are_made_up(client, club):
    for name in ("Yan", "Zoe"):
        ensure_player(league=club, name=name)
    text = text_of(client.get("/l/club/compare/?a=Yan&b=Zoe"))
    assert "None of them has a rating yet." in text
    assert "matches against others" not in text
    assert "matches against others" not in text_of(client.get("/l/club/compare/?a=Ana&b=Zoe"))


def test_whoever_met_in_another_season_has_not_met_in_this_one(client, club):
    assert "They have not met yet" in text_of(client.get("/l/club/compare/?a=Ana%2BBo&b=Cy"))
    create_season(league=club, name="Winter")
    text = text_of(client.get("/l/club/compare/?season=autumn&a=Ana%2BBo&b=Cy"))
    assert "They have not played each other in Autumn" in text


def test_on_either_side_i_am_you(client, club):
    record(club, result(club, "Fay", "Gus"))
    client.cookies["me"] = "fay"
    for query in ("a=fay&b=ana", "a=ana&b=fay"):
        text = text_of(client.get(f"/l/club/compare/?{query}"))
        assert "You have not met yet" in text
        assert "Your ratings come from matches against others." in text


def test_no_range_is_promised_where_a_system_has_none(client, club):
    text = text_of(client.get("/l/club/compare/?board=blitz-elo&a=Ana&b=Bo"))
    assert "Both over time" in text
    assert "range" not in text.partition("Both over time")[2].partition("The same as a table")[0]
    text = text_of(client.get("/l/club/compare/?board=blitz-glicko-2&a=Ana&b=Bo"))
    assert "Each line with its range." in text


def test_whoever_is_named_alone_is_compared_also_without_a_rating(client, club):
    ensure_player(league=club, name="Zoe")
    assert "Zoe and Ana" in text_of(client.get("/l/club/compare/?a=Zoe"))


def test_on_a_ladder_whoever_stands_nearest_comes_first(client, club):
    add_board(season=season_of(club), mode=mode_of(club), system="ladder", name="Ladder")
    record(club, result(club, "Eve", "Fay"), result(club, "Gus", "Hal"))
    page = client.get("/l/club/opponents/?board=ladder&player=Cy").context["page"]
    assert not page.has_chances
    away = [abs(int(row.rating.value) - 3) for row in page.rows]
    assert len(away) == 7
    assert away == sorted(away)


@pytest.mark.parametrize(("draws", "told"), [(True, "½ for a draw"), (False, "the chance to win")])
def test_what_is_expected_is_no_chance_to_win_where_there_are_draws(client, draws, told):
    league = new_club("harbour", draws_allowed=draws)
    record(league, *rounds(league, NAMES, 1))
    text = text_of(client.get("/l/harbour/opponents/?player=Cy"))
    assert "Expected (E) is" in text
    assert told in text
    assert ("chance to win" in text) == (not draws)
    assert "Chance" not in text
