"""The same players on several boards: places, disagreements with their reasons, the back-test."""

from __future__ import annotations

import random
import re
from datetime import timedelta

import numpy as np
import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from leagues.access import Action
from leagues.jobs.runner import drain
from leagues.models import Job, Player, Standing, Trial
from leagues.pages.disagreements import disagreements
from leagues.pages.judgement import judgement
from leagues.pages.systems import boards_of_mode, systems_page, titles_of
from leagues.selectors.board_selection import select_board
from leagues.selectors.side_by_side import Ranking, side_by_side
from leagues.services.leagues import add_board, update_league
from leagues.services.players import rename_player
from leagues.services.trials import request_backtest
from tests.leagues import play
from tests.leagues.services.test_imports import take
from tests.leagues.shared_rows import read_anew
from tests.shared_data import shared_data

pytestmark = pytest.mark.django_db

NAMES = ("Ana", "Bo", "Cy", "Dee", "Eli", "Flo")
READER = frozenset({Action.VIEW})
ORGANIZER = frozenset(Action)


@pytest.fixture(autouse=True)
def empty_cache():
    cache.clear()


@pytest.fixture(scope="module")
def built_league(shared_rows: None):
    club = play.new_club("rated")
    season, mode = play.season_of(club), play.mode_of(club)
    for system in ("trueskill", "ladder"):
        add_board(season=season, mode=mode, system=system)
    play.record(
        club,
        *play.rounds(club, NAMES, 3),
        play.result(club, "Flo", "Ana", at=play.LATER),
        play.result(club, "Guy", "Cy", at=play.LATER + timedelta(hours=1)),
    )
    return club


league = read_anew("built_league")


def look_at(league, board=""):
    return select_board(league=league, board=board)


def sides(league, page=1, size=50):
    boards = boards_of_mode(look_at(league))
    return side_by_side(boards, boards[0], page=page, size=size, now=play.LATER)


def test_ranks_count_who_stands_above():
    ranking = Ranking(np.array([30, 20, 20, 10]))
    assert [ranking.rank(value) for value in (30, 20, 10)] == [1, 2, 4]
    assert ranking.players == 4
    assert [ranking.value_at(rank) for rank in (1, 2, 3, 4, 9)] == [30, 20, 20, 10, 10]
    assert Ranking(np.array([], dtype=np.int64)).rank(5) == 1


def test_the_ranks_are_those_of_each_board(league):
    side = sides(league)
    assert len(side.boards) == 4 and side.total == 7 and side.is_whole
    for board in side.boards:
        whole = Standing.objects.current(board)
        for row in side.rows:
            above = whole.filter(place_value__gt=row[board.pk].place_value).count()
            assert side.rank(row, board) == above + 1


def test_a_large_league_is_read_by_pages_with_the_same_ranks(league, monkeypatch):
    small = sides(league)
    expected = {
        row[small.boards[0].pk].key: [small.rank(row, board) for board in small.boards]
        for row in small.rows
    }
    cache.clear()
    monkeypatch.setattr("leagues.selectors.side_by_side.MOST_WHOLE", 3)
    found = {}
    for page in (1, 2, 3):
        side = sides(league, page=page, size=3)
        assert not side.is_whole and side.pages == 3
        for row in side.rows:
            key = row[side.boards[0].pk].key
            found[key] = [side.rank(row, board) for board in side.boards]
    assert found == expected


def test_a_page_behind_the_last_is_the_last(league):
    assert sides(league, page=99, size=3).page == 3


def test_players_with_too_few_results_have_no_place(league):
    league.ranked_after = 2
    league.save()
    side = sides(league)
    assert "guy" not in {row[side.boards[0].pk].key for row in side.rows}
    assert side.total == 6


def test_the_page_is_sorted_by_the_chosen_board(league):
    page = systems_page(look=look_at(league, "blitz-ladder"), own=None, page=1, now=play.LATER)
    ladder = [column.title for column in page.columns].index("Ladder")
    ranks = [int(row.ranks[ladder]) for row in page.rows]
    assert ranks == sorted(ranks)
    assert page.heading == "The same 47 results, four ways to rank them"
    assert page.columns[ladder].is_chosen
    assert not page.is_open
    assert len(page.chart.wide.lines) == 7


def test_whoever_looks_is_marked_in_table_and_chart(league):
    own = Player.objects.get(key="bo")
    page = systems_page(look=look_at(league), own=own, page=1, now=play.LATER)
    assert [row.name for row in page.rows if row.is_me] == ["Bo"]
    assert [line.first.name for line in page.chart.wide.lines if line.line == "mine"] == ["Bo"]


def test_disagreements_follow_names_and_who_is_ranked(league):
    def told():
        page = systems_page(look=look_at(league), own=None, page=1, now=play.LATER)
        return [one.name for one in page.disagreements]

    names = told()
    rename_player(player=Player.objects.get(name=names[0]), name="Zoe", actor=None)
    assert told() == ["Zoe", *names[1:]]
    update_league(league=league, changes={"ranked_after": 99}, actor=None)
    league.refresh_from_db()
    assert told() == []


def test_a_league_of_one_board_has_nothing_to_disagree_about():
    club = play.new_club()
    play.record(club, *play.rounds(club, NAMES, 1))
    club.boards.filter(system="elo").delete()
    page = systems_page(look=look_at(club), own=None, page=1, now=play.LATER)
    assert page.chart is None and not page.disagreements and not page.agreement
    assert page.is_open and len(page.rows) == 6


def test_a_league_without_results_says_so():
    page = systems_page(look=look_at(play.new_club()), own=None, page=1, now=play.LATER)
    assert page.rows == () and page.agreement == "No one is ranked yet."


def told_of(league, name):
    side = sides(league)
    told = disagreements(side, titles_of(side.boards), play.LATER)
    return next(row for row in told.rows if row.name == name)


def test_a_jump_on_the_ladder_is_named_with_its_day(league):
    flo = told_of(league, "Flo")
    assert flo.places.startswith("1st or")
    assert any("Ladder says 1st" in reason for reason in flo.reasons)
    assert any("one win on 31 Oct was worth 5 rungs" in reason for reason in flo.reasons)


def newcomer_club(*systems):
    """Return a club whose newcomer has beaten the best once, on these boards."""
    club = play.new_club()
    season, mode = play.season_of(club), play.mode_of(club)
    club.boards.exclude(system__in=systems).delete()
    for system in set(systems) - set(club.boards.values_list("system", flat=True)):
        add_board(season=season, mode=mode, system=system)
    newcomer = play.result(club, "New", "Ana", at=play.LATER)
    play.record(club, *play.rounds(club, NAMES, 4), newcomer)
    return club


def test_few_results_are_named_and_close_values_said_once():
    club = newcomer_club("glicko2", "elo")
    new = told_of(club, "New")
    assert new.places == "1st or 4th"
    assert "These ranks are based on only 1 result." in new.reasons
    side = sides(club)
    page = disagreements(side, titles_of(side.boards), play.LATER)
    assert page.note == (
        "All differences of more than one place are within the uncertainty of the ratings."
    )


def test_the_page_does_not_repeat_for_each_player_that_values_are_close():
    club = newcomer_club("glicko2", "elo")
    body = Client().get("/l/club/systems/").content.decode()
    assert "points separate" not in body
    assert body.count("within the uncertainty of the ratings") == 1
    assert club.boards.count() == 2


def test_what_is_remarkable_stands_alone(league):
    side = sides(league)
    page = disagreements(side, titles_of(side.boards), play.LATER)
    assert {row.name for row in page.rows} >= {"Flo"}
    assert not any("separate" in reason for row in page.rows for reason in row.reasons)


def named_and_counted(league):
    """How many players the page says differ: those it names, and those it counts."""
    page = systems_page(look=look_at(league), own=None, page=1, now=play.LATER)
    count = re.search(r"places of (\d+) other", page.closeness)
    return page, len(page.disagreements) + (int(count[1]) if count else 0)


def with_a_spread(page):
    return sum(row.spread not in ("0", "–") for row in page.rows)


def test_the_sentence_counts_whom_the_table_shows_with_a_spread(league):
    page, count = named_and_counted(league)
    assert len(page.disagreements) < with_a_spread(page) == count


@pytest.mark.parametrize("systems", [(), ("ladder",), ("trueskill", "static")])
def test_the_sentence_agrees_with_the_table_in_a_real_league(systems):
    club = play.new_club()
    season, mode = play.season_of(club), play.mode_of(club)
    for system in systems:
        add_board(season=season, mode=mode, system=system)
    take(club, shared_data("club/ntnu_table_tennis.csv").read_bytes(), skip_bad=True)
    page, count = named_and_counted(club)
    if "All differences" in page.closeness:
        assert not systems
        return
    assert page.disagreements and with_a_spread(page) == count


def test_a_careful_number_is_named_where_it_makes_the_difference():
    new = told_of(newcomer_club("glicko2", "trueskill"), "New")
    assert any("by the middle of its range New would be 2nd." in reason for reason in new.reasons)


def test_counting_scores_is_named_where_they_say_something_else():
    club = play.new_club()
    season, mode = play.season_of(club), play.mode_of(club)
    club.boards.exclude(system="elo").delete()
    add_board(season=season, mode=mode, system="becker", parameters={"use": "scores"})
    drafts = []
    for number in range(12):
        hours = iter(play.START + timedelta(days=number, hours=hour) for hour in range(12))
        # Max wins high and loses narrowly: many points, few wins.
        drafts.append(play.result(club, "Max", "Opp", scores=(9, 0), at=next(hours)))
        for rival in ("Nan", "Pip", "Ult"):
            drafts.append(play.result(club, rival, "Max", scores=(5, 4), at=next(hours)))
            drafts.append(play.result(club, rival, "Opp", scores=(5, 4), at=next(hours)))
    play.record(club, *drafts)
    told = told_of(club, "Max")
    assert told.places == "1st or 4th"
    assert "58 of 100 points over 48 results, but 25 of 100 if only wins count." in " ".join(
        told.reasons
    )


def test_ratings_that_follow_slowly_are_named_with_what_they_expected():
    club = play.new_club()
    season, mode = play.season_of(club), play.mode_of(club)
    club.boards.all().delete()
    add_board(
        season=season,
        mode=mode,
        system="elo",
        parameters={"policy": "constant", "k": 40},
        name="Fast",
    )
    add_board(
        season=season,
        mode=mode,
        system="elo",
        parameters={"policy": "constant", "k": 2},
        name="Slow",
    )
    late = [play.result(club, "New", name, at=play.LATER) for name in NAMES for _ in range(5)]
    play.record(club, *play.rounds(club, NAMES, 16), *late)
    told = told_of(club, "New")
    assert told.reasons[0] == "Fast says 1st, Slow says 3rd."
    assert told.reasons[1] == (
        "On Slow, the ratings predicted 52 of 100 points over 30 results, and New scored "
        "100: these ratings change slowly."
    )


def test_static_strengths_know_the_opponents_in_the_end():
    club = play.new_club()
    club.boards.exclude(system="elo").delete()
    add_board(season=play.season_of(club), mode=play.mode_of(club), system="static", name="Static")
    dice = random.Random(2)
    drafts = []
    for number in range(90):
        pair = sorted(dice.sample(NAMES, 2), reverse=dice.random() < 0.4)
        drafts.append(play.result(club, *pair, at=play.START + timedelta(hours=number)))
    play.record(club, *drafts)
    told = {
        reason
        for row in disagreements(sides(club), titles_of(sides(club).boards), play.LATER).rows
        for reason in row.reasons
    }
    assert (
        "Static judges 31 results by the opponents’ final strengths, Elo by their ratings at the "
        "time." in told
    )


def judged(league, rights=READER):
    boards = boards_of_mode(look_at(league))
    return judgement(boards=boards, rights=rights, now=timezone.now())


def test_without_a_backtest_the_page_says_what_will_happen(league):
    found = judged(league)
    assert "soon after results are rated" in found.empty
    assert not found.rows and not found.start


def test_too_few_results_are_said_to_be_too_few():
    club = play.new_club()
    assert "too few" in judged(club).empty


def test_the_backtest_is_a_table_with_a_recommendation(league):
    request_backtest(season=play.season_of(league), mode=play.mode_of(league))
    assert judged(league).progress is not None
    drain()
    found = judged(league, ORGANIZER)
    assert found.progress is None and not found.is_partial
    titles = [row.title for row in found.rows]
    assert {"Glicko", "Weng-Lin", "Zero-sum", "Becker"} < set(titles)
    assert found.rows[0].against == "best"
    assert found.rows[-1].note
    losses = [float(row.log_loss) for row in found.rows if row.log_loss]
    assert losses == sorted(losses)
    assert "predicts best" in found.advice.text
    said = re.search(r"([0-9.]+)\s±", found.advice.text)
    assert said and f"+{said[1]}" in [row.against for row in found.rows]
    assert found.start == "Compare again with 47 results"
    assert "Calculated" in found.calculation and not found.since
    drawn = [row for row in found.calibrations if row.chart]
    assert 1 <= len(drawn) < len(found.calibrations)


def test_results_since_are_counted(league):
    request_backtest(season=play.season_of(league), mode=play.mode_of(league))
    drain()
    play.record(league, play.result(league, "Ana", "Bo", at=play.LATER + timedelta(days=1)))
    assert judged(league).since == "1 result has come since."


def test_few_results_give_no_recommendation():
    club = play.new_club()
    play.record(club, *play.rounds(club, ("Ana", "Bo", "Cy"), 4))
    request_backtest(season=play.season_of(club), mode=play.mode_of(club))
    drain()
    assert "too few to tell" in judged(club).advice.text


def test_a_backtest_that_was_given_up_says_so(league):
    request_backtest(season=play.season_of(league), mode=play.mode_of(league))
    Job.objects.filter(kind="backtest").update(state=Job.State.FAILED)
    assert judged(league).progress.has_failed


def test_a_better_system_is_recommended_only_beyond_the_uncertainty(league):
    request_backtest(season=play.season_of(league), mode=play.mode_of(league))
    drain()
    trial = Trial.objects.get()
    rows = trial.report["systems"]
    best = next(index for index, row in enumerate(rows) if row["system"] == "wenglin")
    for row in rows:
        if row["log_loss"] is not None:
            row["against_best"] = {"mean": 0.05, "error": 0.01, "matches": 47}
            row["log_loss"] = 0.65
    rows[best]["log_loss"] = 0.6
    rows[best]["against_best"] = None
    trial.report["best"] = best
    trial.save()
    advice = judged(league, ORGANIZER).advice
    assert "0.050 ± 0.020" in advice.text.replace("\N{NO-BREAK SPACE}", " ")
    assert (
        "more than the uncertainty; consider adding a board with" in advice.text
        and "system=wenglin" in advice.url
    )
    assert not judged(league, READER).advice.url
    assert not judged(league).behind
    first = boards_of_mode(look_at(league))[0]
    own = next(row for row in rows if row["board"] == first.slug)
    own["against_best"] = {"mean": 0.2, "error": 0.01, "matches": 40}
    trial.save()
    assert "the first board, is behind the best by 0.200 ± 0.020" in judged(league).behind.replace(
        "\N{NO-BREAK SPACE}", " "
    )
    for row in rows:
        if row["against_best"]:
            row["against_best"]["error"] = 0.05
    trial.save()
    assert "within the uncertainty: no new board is needed" in judged(league).advice.text


def test_a_difference_that_is_shown_as_none_recommends_no_board(league):
    request_backtest(season=play.season_of(league), mode=play.mode_of(league))
    drain()
    trial = Trial.objects.get()
    rows = trial.report["systems"]
    best = next(index for index, row in enumerate(rows) if row["system"] == "wenglin")
    for index, row in enumerate(rows):
        if row["log_loss"] is not None:
            row["log_loss"] = 0.61 if index == best else 0.6104
            row["against_best"] = {"mean": 0.0004, "error": 0.0001, "matches": 47}
    rows[best]["against_best"] = None
    trial.report["best"] = best
    trial.save()
    found = judged(league, ORGANIZER)
    assert "have the same log loss over 47 results" in found.advice.text
    assert not found.advice.url and not found.behind
