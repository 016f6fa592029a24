"""Several scores in one file: which of them says who won."""

from __future__ import annotations

import pytest

from ratings.files.meanings import Meaning
from tests.ratings.files.reading import layout_of, read, told

BO_WON = ["Ana 2 (1) / Bo 1 (3)"]
ANA_WON = ["Ana 1 (3) / Bo 2 (1)"]


def table(header: str, cells: str) -> str:
    return f"Date;Player 1;Player 2;{header}\n2026-11-20;Ana;Bo;{cells}\n"


@pytest.mark.parametrize(
    "header",
    [
        "Points Home;Points Away;Sets Home;Sets Away",
        "Punkte 1;Punkte 2;Sätze 1;Sätze 2",
        "Heimpunkte;Gastpunkte;Heimsätze;Gastsätze",
        "Points1;Points2;Score1;Score2",
        "Legs1;Legs2;Sets1;Sets2",
        "Points 1;Points 2;Legs 1;Legs 2",
    ],
)
def test_the_coarser_count_says_who_won_wherever_it_stands(header: str) -> None:
    """Before, the first pair did: Ana had more points, and won a match that Bo had won."""
    finer_1, finer_2, *coarser = header.split(";")
    for text in (
        table(header, "44;38;1;3"),
        table(";".join((*coarser, finer_1, finer_2)), "1;3;44;38"),
        table(";".join((finer_1, coarser[0], finer_2, coarser[1])), "44;1;38;3"),
    ):
        results, bad = read(text)
        assert (list(map(told, results)), bad) == (BO_WON, [])
        layout = layout_of(text)
        assert set(layout.ignored) == {finer_1, finer_2}
        notes = {column.note for column in layout.columns if column.header in layout.ignored}
        assert notes == {f"“{coarser[0]}” says who won"}


@pytest.mark.parametrize(
    ("header", "cells"),
    [
        ("Points;Sets", "44-38;1-3"),
        ("Points;Score", "44-38;1-3"),
        ("Punkte;Ergebnis", "44:38;1:3"),
        ("Sets;Points", "1-3;44-38"),
        ("Points 1;Points 2;Sets", "44;38;1-3"),
        ("Points;Sets 1;Sets 2", "44-38;1;3"),
    ],
)
def test_so_it_is_with_both_scores_in_one_cell(header: str, cells: str) -> None:
    assert list(map(told, read(table(header, cells))[0])) == BO_WON


@pytest.mark.parametrize("points", ["Points", "Points 1;Points 2"])
def test_points_do_not_stand_against_sets_in_columns_of_their_own(points: str) -> None:
    cells = "30-31" if points == "Points" else "30;31"
    text = table(f"{points};Set 1;Set 2;Set 3", f"{cells};2-11;14-12;14-8")
    results, bad = read(text)
    assert [told(result) for result in results] == ["Ana 1 (2) / Bo 2 (1)"]
    assert (results[0].sets, bad) == ("2-11 14-12 14-8", [])


@pytest.mark.parametrize(
    ("header", "cells", "other"),
    [
        ("Goals 1;Goals 2;Score 1;Score 2", "1;3;2;1", "Score 1"),
        ("Legs 1;Legs 2;Score 1;Score 2", "1;3;2;1", "Score 1"),
        ("Ergebnis;Score", "1-3;2-1", "Score"),
        ("Sätze;Ergebnis", "1:3;9:7", "Ergebnis"),
        ("Sets 1;Sets 2;Games 1;Games 2", "1;3;20;17", "Games 1"),
        ("Score 1;Score 2;Ergebnis", "1;3;2-1", "Ergebnis"),
    ],
)
def test_scores_that_name_different_winners_are_a_question(
    header: str, cells: str, other: str
) -> None:
    layout = layout_of(table(header, cells))
    first = header.split(";", maxsplit=1)[0]
    assert layout.problems == (
        f"“{first}” and “{other}” are both read as the score and may name different winners. "
        "Ignore the columns that do not say who won.",
    )
    kept = 2 if f"{first[:-1]}2" in header else 1
    others = range(3 + kept, len(layout.columns))
    answered = layout.with_meanings(dict.fromkeys(others, Meaning.IGNORE))
    assert answered.problems == ()
    assert list(map(told, read(table(header, cells), layout=answered)[0])) == BO_WON


def test_scores_that_agree_on_the_winner_are_no_question() -> None:
    text = table("Goals 1;Goals 2;Score 1;Score 2", "3;1;2;0")
    assert layout_of(text).ignored == ("Score 1", "Score 2")
    assert list(map(told, read(text)[0])) == ANA_WON


def test_where_the_winner_is_named_scores_are_no_question() -> None:
    text = table("Winner;Legs 1;Legs 2;Score 1;Score 2", "Bo;1;3;2;1")
    assert list(map(told, read(text)[0])) == BO_WON


def test_empty_sets_leave_it_to_the_points() -> None:
    text = table("Points 1;Points 2;Sets 1;Sets 2", "3;1;;")
    assert list(map(told, read(text)[0])) == ANA_WON
    text += "2026-11-20;Ana;Bo;3;1;2;0\n"
    results, bad = read(text)
    assert (list(map(told, results)), bad) == (ANA_WON * 2, [])
    text += "2026-11-20;Ana;Bo;44;38;1;3\n"
    assert "both read as the score" in layout_of(text).problems[0]


def test_a_number_of_sets_is_no_score() -> None:
    """“Sets” may be the most that are played."""
    text = table("Score;Sets", "3-1;5")
    assert layout_of(text).ignored == ("Sets",)
    assert list(map(told, read(text)[0])) == ANA_WON


@pytest.mark.parametrize("coarser", ["sets", "score"])
def test_a_player_a_row_has_the_coarser_score_too(coarser: str) -> None:
    text = f"game_id,date,player,points,{coarser}\n1,2026-11-20,Ana,44,1\n1,2026-11-20,Bo,38,3\n"
    assert layout_of(text).headers_of(Meaning.SCORE) == [coarser]
    results, _ = read(text)
    assert {side.players[0].name: side.rank for side in results[0].sides} == {"Ana": 2, "Bo": 1}
