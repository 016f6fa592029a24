"""Results as our own export writes them: the columns of players, and the JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ratings.files.person_cells import read_aliases, write_aliases
from ratings.files.problems import CellProblem, FileProblem
from ratings.files.start_cells import read_starts
from tests.ratings.files.reading import read, told

HEAD = "match,played_at,rank,score,side,player,own_score,playing_share,birth_year,aliases"
ROWS = [
    {"match": 1, "played_at": "2026-01-05", "rank": 1, "player": "=Ana", "weight": 0.5},
    {"match": 1, "played_at": "2026-01-05", "rank": 2, "player": "'=Bo", "weight": 0.5},
]


def exported(*rows: object, **head: object) -> str:
    return json.dumps({"league": "club", **head, "results": list(rows)})


def test_a_side_has_a_score_and_its_players_have_theirs() -> None:
    text = (
        f"{HEAD}\n1,2026-01-05,1,8,1,Ana,9,0.5,2014,Anna;Annie\n1,2026-01-05,1,8,1,Bo,,,,\n"
        "1,2026-01-05,2,5,2,Cy,4,1,,\n"
    )
    (match,), bad = read(text)
    assert (told(match), bad) == ("Ana+Bo 1 (8) / Cy 2 (5)", [])
    ana, bo = match.sides[0].players
    assert (ana.own_score, ana.playing_share, ana.birth_year) == (9, 0.5, 2014)
    assert ana.aliases == ("Anna", "Annie")
    assert (bo.own_score, bo.playing_share, bo.birth_year, bo.aliases) == (None, 1.0, None, ())


@pytest.mark.parametrize(
    ("cells", "column", "reason"),
    [
        ("8,1,Bo,,,,", "", "The rows of one side have different scores."),
        ("9,1,Bo,,1.5,,", "playing_share", "A playing share must be more than 0 and at most 1."),
        ("9,1,Bo,,0,,", "playing_share", "A playing share must be more than 0 and at most 1."),
        ("9,1,Bo,,,14,", "birth_year", "A year of birth must be from 1800 to 2200."),
        ("9,1,Bo,x,,,", "own_score", "A score must be a whole number of at most 999999."),
        ("9,1,Bo,,,,B\u202eo", "aliases", "The name changes the direction of writing (U+202E)."),
    ],
)
def test_what_a_row_cannot_say_of_a_player_is_named(cells: str, column: str, reason: str) -> None:
    rows = f"1,2026-01-05,1,9,1,Ana,,,,\n1,2026-01-05,1,{cells}\n1,2026-01-05,2,5,2,Cy,,,,\n"
    good, bad = read(f"{HEAD}\n{rows}")
    assert good == []
    assert [(row.column or "", row.reason) for row in bad] == [(column, reason)] or (
        column == "" and bad[0].reason == reason
    )


@pytest.mark.parametrize("names", [(), ("Anna",), ("A; B", 'the "boss"'), ("=x", "-y"), ("'", ";")])
def test_other_names_are_read_as_they_were_written(names: tuple[str, ...]) -> None:
    assert read_aliases(write_aliases(names)) == names


def test_names_that_people_list_may_have_spaces_between_them() -> None:
    assert read_aliases('Anna;  "Bo; the 2nd" ; ') == ("Anna", "Bo; the 2nd")
    with pytest.raises(CellProblem):
        read_aliases("x" * 65)


@pytest.mark.parametrize("indent", [None, 2])
def test_json_is_read_however_it_is_laid_out(indent: int | None) -> None:
    text = json.dumps(json.loads(exported(*ROWS)), indent=indent)
    (match,), bad = read(text)
    assert (told(match), match.weight, bad) == ("=Ana 1 / '=Bo 2", 0.5, [])


def test_json_of_many_rows_is_read_to_its_end() -> None:
    rows = [row | {"match": number} for number in range(3000) for row in ROWS]
    good, bad = read(exported(*rows))
    assert (len(good), bad) == (3000, [])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (exported(*ROWS)[:-9], "damaged or cut off"),
        (exported(*ROWS)[:-2], "damaged or cut off"),
        (exported(ROWS[0], ROWS[1] | {"more": 1}), "other names than the first one"),
        (exported(ROWS[0], ROWS[1] | {"rank": [2]}), "neither text nor a number"),
        (exported(ROWS[0], [1]), "not an object"),
        (exported(ROWS[0]).replace('"=Ana"', "[" * 9000), "damaged or cut off"),
        (exported(), "The file is empty."),
        (exported(board="elo", parameters={"k": 20}), "These are standings, not results"),
    ],
)
def test_json_that_is_no_list_of_results_is_refused(text: str, words: str) -> None:
    with pytest.raises(FileProblem, match=words):
        read(text)


@pytest.mark.parametrize("text", ["An\nAnn", "An\rAnn", "x" * 200_000])
def test_other_names_that_are_no_list_are_refused(text: str) -> None:
    with pytest.raises(CellProblem):
        read_aliases(text)


@pytest.mark.parametrize(
    "row",
    [
        {"rating": 10**400},
        {"rating": float("nan")},
        {"rating": float("inf")},
        {"rating": True},
        {"deviation": -(10**400)},
        {"board": "e\0"},
        {"board": "e\ud800"},
        {"season": "e\ud800"},
        {"source": "a\nb"},
    ],
)
def test_starting_ratings_that_cannot_be_are_refused(row: dict[str, Any]) -> None:
    good = {"board": "elo", "rating": 1500, "source": "TTR"}
    assert read_starts(json.dumps([good]))[0].rating == 1500.0
    with pytest.raises(CellProblem):
        read_starts(json.dumps([good | row]))
    with pytest.raises(CellProblem, match="several"):
        read_starts(json.dumps([good, good]))
