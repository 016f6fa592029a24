"""Every rating system as a board: rated in the background, equal to its replay, reversible."""

from __future__ import annotations

from pathlib import Path

import pytest

from leagues import bridge
from leagues.jobs.runner import drain
from leagues.models import League
from leagues.services.integrity import board_digest, check_board
from leagues.services.leagues import add_board
from leagues.services.matches import restore_match, void_match
from tests.leagues.play import mode_of, new_club, record, result, rounds, season_of
from tests.leagues.services.test_imports import take
from tests.leagues.shared_rows import read_anew
from tests.shared_data import shared_data

pytestmark = pytest.mark.django_db

FOOTBALL = Path(__file__).parents[2] / "golden" / "football_excerpt.csv"
EVERYBODY = {"static": {"least_events": 0, "least_opponents": 0}}
"""What it takes that each match counts."""

SYSTEMS = [info.name for info in bridge.systems()]


def boards_of_all_systems(league: League) -> None:
    for name in SYSTEMS:
        add_board(
            season=season_of(league), mode=mode_of(league), system=name, name=f"All by {name}"
        )
    drain()


def assert_equal_to_replay(league: League) -> None:
    for board in league.boards.all():
        assert (board.state, board.problem) == ("ready", "")
        assert check_board(board).differences == ()
        assert board.rated_matches + board.refused_matches == league.matches.count()


@pytest.fixture(scope="module")
def built_football(shared_rows: None) -> League:
    league = new_club("football")
    take(league, FOOTBALL.read_bytes())
    return league


football = read_anew("built_football")


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_board_of_any_system_rates_the_season_from_its_start(football, name):
    board = add_board(
        season=season_of(football),
        mode=mode_of(football),
        system=name,
        name="The one under test",
        parameters=EVERYBODY.get(name),
    )
    drain()
    board.refresh_from_db()
    assert board.rated_matches == 401
    assert check_board(board).differences == ()
    before = board_digest(board)
    first = football.matches.get(seq=1)
    void_match(match=first, author=None)
    drain()
    board.refresh_from_db()
    assert board_digest(board) != before
    restore_match(match=first, author=None)
    drain()
    board.refresh_from_db()
    assert board_digest(board) == before


@pytest.mark.parametrize("name", SYSTEMS)
def test_results_one_by_one_give_what_all_at_once_give_under_any_system(name):
    boards = []
    for slug, step in (("slow", 1), ("fast", 20)):
        club = new_club(slug)
        drafts = rounds(club, ("Ana", "Bo", "Cy", "Dee", "Eve"), 2)
        board = add_board(
            season=season_of(club), mode=mode_of(club), system=name, name="The one under test"
        )
        for start in range(0, len(drafts), step):
            record(club, *drafts[start : start + step])
        board.refresh_from_db()
        assert check_board(board).differences == ()
        boards.append(board)
    assert board_digest(boards[0]) == board_digest(boards[1])


def test_a_system_that_cannot_rate_a_match_leaves_it_out_and_counts_it():
    club = new_club()
    board = add_board(
        season=season_of(club), mode=mode_of(club), system="ladder", name="The ladder"
    )
    record(club, result(club, "Ana+Bo", "Cy+Dee"), result(club, "Ana", "Bo"))
    board.refresh_from_db()
    assert (board.rated_matches, board.refused_matches) == (1, 1)
    assert check_board(board).differences == ()


@pytest.mark.parametrize(
    "file",
    [
        "club/ntnu_table_tennis.csv",
        "club/foosball_2v2.csv",
        "club/catan.csv",
        "halo2/halo2_headtohead.csv.gz",
        "halo2/halo2_largeteam.csv.gz",
    ],
)
def test_real_sets_under_every_system_are_equal_to_their_replay(file):
    content = shared_data(file).read_bytes()
    club = new_club()
    boards_of_all_systems(club)
    take(club, content, skip_bad=True)
    assert_equal_to_replay(club)
