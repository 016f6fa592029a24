"""Handicaps in results files: whose they are, what is one, and what is not taken for one."""

from __future__ import annotations

import pytest

from ratings.files.handicap_cells import read_handicap
from ratings.files.meanings import Meaning
from ratings.files.problems import CellProblem
from ratings.files.vocabulary import header_words, suggested_meaning
from tests.ratings.files.reading import read


@pytest.mark.parametrize(
    ("text", "points"),
    [("64", 64), (" +64 ", 64), ("-64", -64), ("\u2212064", -64), ("64.0", 64), ("", 0), ("-0", 0)],
)
def test_cells_that_are_handicaps(text: str, points: int) -> None:
    assert read_handicap(text) == points


@pytest.mark.parametrize(
    "text", ["4001", "-4001", "1e9", "nan", "64.5", "1_0", "٣", "0x10", "two", "9" * 5000]
)
def test_cells_that_are_none(text: str) -> None:
    with pytest.raises(CellProblem) as problem:
        read_handicap(text)
    assert problem.value.code == "handicap"


@pytest.mark.parametrize(
    ("header", "meaning"),
    [
        ("handicap_points", Meaning.HANDICAP),
        ("handicap_points1", Meaning.HANDICAP_1),
        ("Handicap points 2", Meaning.HANDICAP_2),
        ("winner_handicap_points", Meaning.HANDICAP_1),
        ("Player 8 handicap points", Meaning.HANDICAP_8),
        ("home handicap points", Meaning.HANDICAP_1),
        ("handicap points 9", None),
        ("handicap", None),
        ("Handicap 1", None),
        ("white handicap", None),
    ],
)
def test_what_headers_suggest(header: str, meaning: Meaning | None) -> None:
    assert suggested_meaning(header_words(header)) == meaning


def test_a_match_per_row() -> None:
    (one, two), (bad,) = read(
        "date,player1,player2,score1,score2,handicap_points1,handicap_points2\n"
        "2025-10-01,Ana,Bo,3,1,64,\n"
        "2025-10-01,Bo,Cy,3,1,,-20\n"
        "2025-10-02,Ana,Cy,3,1,4001,\n"
    )
    assert [side.handicap for side in one.sides] == [64, 0]
    assert [side.handicap for side in two.sides] == [0, -20]
    assert (bad.line, bad.code, bad.column) == (4, "handicap", "handicap_points1")


def test_a_player_per_row() -> None:
    (one,), (bad,) = read(
        "game_id,date,player,team,rank,handicap_points\n"
        "1,2025-10-01,Ana,a,1,64\n1,2025-10-01,Bo,a,1,\n1,2025-10-01,Cy,b,2,-5\n"
        "2,2025-10-01,Ana,a,1,64\n2,2025-10-01,Bo,a,1,63\n2,2025-10-01,Cy,b,2,\n"
    )
    assert [side.handicap for side in one.sides] == [64, -5]
    assert bad.code == "handicap"
    assert "different handicaps" in bad.reason
