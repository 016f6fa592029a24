from __future__ import annotations

import random

import pytest

from leagues import bridge
from leagues.models import Board, Standing
from leagues.selectors.boards import BoardFilter, board_page, league_look
from leagues.services.leagues import create_season
from tests.leagues.play import LATER, new_club, record, result, season_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def board():
    league = new_club()
    chance = random.Random(5)
    names = [f"P{number}" for number in range(12)]
    record(league, *(result(league, *chance.sample(names, 2)) for _ in range(40)))
    return Board.objects.select_related("league", "season", "mode").get(
        season=season_of(league), system="glicko2"
    )


def page_of(board: Board, **filters: str):
    moment = bridge.display_moment(board.league, LATER)
    return board_page(
        board=board, filters=BoardFilter.cleaned(filters), moment=moment, now=LATER
    ), bridge.shown_now(board, list(standings(board)), moment)


def standings(board: Board):
    return Standing.objects.filter(board=board, generation=board.generation).order_by(
        "-shown", "player"
    )


def test_a_rank_is_one_more_than_the_players_who_stand_higher(board):
    page, _shown = page_of(board)
    places = [row.place_value for row in standings(board)]
    assert [row.rank for row in page.rows] == [
        str(1 + sum(other > place for other in places)) for place in places
    ]


def test_likely_places_are_those_that_overlapping_ranges_allow(board):
    page, shown = page_of(board)
    for row, value in zip(page.rows, shown, strict=True):
        best = 1 + sum(other.low > value.high for other in shown)
        worst = sum(other.high >= value.low for other in shown)
        assert row.likely == (str(best) if best == worst else f"{best}–{worst}")


def test_a_filter_keeps_the_ranks_of_the_whole_board(board):
    whole, _shown = page_of(board)
    part, _shown = page_of(board, q="p1")
    ranks = {row.name: (row.rank, row.likely) for row in whole.rows}
    assert 0 < len(part.rows) < len(whole.rows)
    assert all(ranks[row.name] == (row.rank, row.likely) for row in part.rows)


@pytest.mark.parametrize(
    "given", [{"sure": "maybe"}, {"active": "1"}, {"after": "\x00"}, {"q": "  "}, {"sure": ""}]
)
def test_words_that_make_no_sense_are_left_out(given):
    filters = BoardFilter.cleaned(given)
    assert (filters.sure, filters.query, filters.active) == ("any", "", False)


def test_the_newest_season_that_takes_results_is_shown_first():
    league = new_club()
    closed = create_season(league=league, name="Winter")
    closed.state = closed.State.CLOSED
    closed.save()
    create_season(league=league, name="Plans", state=closed.State.DRAFT)
    look = league_look(league=league)
    assert look is not None
    assert look.season.name == "Autumn"
    assert [season.name for season in look.seasons] == ["Autumn", "Winter"]
    assert league_look(league=league, season="winter").season == closed
    assert league_look(league=league, season="plans") is None
    assert league_look(league=league, board="nope") is None
