"""Handicaps in results files and on lines: whose they are, and what is not taken for one."""

from __future__ import annotations

import pytest

from ratings.files.handicap_cells import read_handicap
from ratings.files.meanings import Meaning
from ratings.files.problems import CellProblem, LineProblem
from ratings.files.vocabulary import header_words, suggested_meaning
from ratings.files.written import WrittenMatch, read_line
from ratings.files.written_sides import known_names
from ratings.files.written_text import read_lines
from tests.ratings.files.reading import TODAY, read


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


def read_written(line: str, *known: str) -> WrittenMatch:
    match = read_line(line, today=TODAY, knows=known_names(known) if known else None)
    assert isinstance(match, WrittenMatch)
    return match


@pytest.mark.parametrize(
    ("line", "sides", "handicaps"),
    [
        ("ana +64 bea 3:1", "ana bea", (64, 0)),
        ("ana bea +64 3:1", "ana bea", (0, 64)),
        ("ana -64 bea \u22125 3-1", "ana bea", (-64, -5)),
        ("ana +64 - bea +3 3-1", "ana bea", (64, 3)),
        ("Ana Ruiz +64 Bea 3-1", "Ana_Ruiz Bea", (64, 0)),
        ("ana +64 3-1 bea", "ana bea", (64, 0)),
        ("ana/cy +64 bea/di 21-18 19-21 21-15", "ana+cy bea+di", (64, 0)),
        ("ana + cy > bea + di +64", "ana+cy bea+di", (0, 64)),
        ("ana +64 > bea", "ana bea", (64, 0)),
        ("ana beat bea +64", "ana bea", (0, 64)),
        ("ana, bea +30, cy +60 = di", "ana bea cy di", (0, 30, 60, 0)),
        ("ana +10: 31, bea: 24, cy -5: 8", "ana bea cy", (10, 0, -5)),
        ("ana +64 bea wo", "ana bea", (64, 0)),
        ("19:30 ana +64 v bea ret 2-1", "ana bea", (64, 0)),
        ("ana +0 bea 3-1", "ana bea", ()),
        # A sign with a number on each side of it is a score.
        ("ana bea 3 -1", "ana bea", ()),
        ("ana bea 3 - 1", "ana bea", ()),
        ("ana bea 3- 1", "ana bea", ()),
    ],
)
def test_handicaps_on_lines(line: str, sides: str, handicaps: tuple[int, ...]) -> None:
    match = read_written(line)
    names = [[name.replace("_", " ") for name in side.split("+")] for side in sides.split()]
    assert [list(side) for side in match.sides] == names
    assert match.handicaps == handicaps


def test_a_player_of_that_name_is_no_handicap() -> None:
    match = read_written("ana +64 > bo", "ana", "64", "bo")
    assert (match.sides, match.handicaps) == ((("ana", "64"), ("bo",)), ())


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("ana +4001 bo 3-1", "handicap"),
        ("ana +64 cy > bo 3-1", "handicap"),
        ("ana > bo +64 +32", "handicap"),
        ("ana +64 bo 3-1 +5", "handicap"),
        ("ana +64 bo", "no_result"),
        ("ana +64 3-1", "sides"),
        ('" +64 3-1', "same_sides"),
    ],
)
def test_lines_whose_handicaps_cannot_be_read(line: str, code: str) -> None:
    with pytest.raises(LineProblem) as problem:
        read_line(line, today=TODAY, above=(("ana",), ("bo",)))
    assert problem.value.code == code


def test_a_quotation_mark_leaves_open_whether_a_handicap_holds_again() -> None:
    (_one, first), (_two, again) = read_lines(["ana +64 bo 3-1", '" 3-2'], today=TODAY)
    assert isinstance(first, WrittenMatch)
    assert isinstance(again, LineProblem) and again.code == "nothing_above"


def test_a_text_of_lines_is_a_table_with_handicaps() -> None:
    duels, bad = read("ana +64 bo 3-1\nbo - cy -20 2-0\ncy ana 1-0\n")
    assert [[side.handicap for side in one.sides] for one in duels] == [[64, 0], [0, -20], [0, 0]]
    assert bad == []
    (several,), _bad = read("ana, bo +30, cy -7\n")
    assert [side.handicap for side in several.sides] == [0, 30, -7]
