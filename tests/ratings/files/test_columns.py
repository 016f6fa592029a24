"""Columns: what the header suggests, the values confirm and the user corrects."""

from __future__ import annotations

import re

import pytest

from ratings.files.columns import Layout, Meaning, recognise
from ratings.files.meanings import REPEATABLE
from ratings.files.problems import FileProblem
from ratings.files.vocabulary import header_words, suggested_meaning
from tests.ratings.files.reading import layout_of, read, told


def meanings(layout: Layout) -> dict[str, str]:
    return {
        column.header: column.meaning.value
        for column in layout.columns
        if column.meaning is not Meaning.IGNORE
    }


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ("HomeTeam", "home team"),
        ("home_team", "home team"),
        ("Home-Team.", "home team"),
        ("player1", "player 1"),
        ("T1P2", "t 1 p 2"),
        ("Prénom", "prenom"),
        ("B365>2.5", "b 365>2 5"),
        ("\ufeffDate", "date"),
    ],
)
def test_headers_are_compared_in_plain_words(header: str, words: str) -> None:
    assert header_words(header) == words


@pytest.mark.parametrize(
    ("header", "meaning"),
    [
        ("Winner", "winner"), ("winner_name", "winner"), ("winner_id", "winner_id"),
        ("winner_offense", "winner"), ("Vinner", "winner"), ("Sieger", "winner"),
        ("Loser 2", "loser"), ("loser_id", "loser_id"), ("winner_score", "score_1"),
        ("l_score", "score_2"), ("Home", "side_1"), ("HomeTeam", "side_1"), ("Gast", "side_2"),
        ("white", "side_1"), ("black_id", "side_2_id"), ("player1", "side_1"),
        ("Player B", "side_2"), ("team1name", "side_1"), ("team1_player2", "side_1"),
        ("T2P1", "side_2"), ("P1", "side_1"), ("p1_id", "side_1_id"), ("score2", "score_2"),
        ("team2wins", "score_2"), ("P1Score", "score_1"), ("goals home", "score_1"),
        ("FTHG", "score_1"), ("Datum", "date"), ("played_at", "date"), ("Uhrzeit", "time"),
        ("game_id", "match_id"), ("Ergebnis", "score"), ("satz1", "set"), ("FTR", "result"),
        ("Platz", "rank"), ("finalPlacement", "rank"), ("Points", "score"), ("Team", "team"),
        ("Spieler", "player"), ("player_id", "player_id"), ("tiebreak_star", "tiebreak"),
        ("dq", "flag"), ("rated", "rated"), ("weight", "weight"), ("Gegner", "side_2"),
        ("order", "order"), ("Heimspieler", "side_1"), ("Gastspieler", "side_2"),
        ("Spieler Gast", "side_2"), ("Player White", "side_1"), ("1. Satz", "set"),
    ],
)  # fmt: skip
def test_headers_suggest_a_meaning(header: str, meaning: str) -> None:
    suggested = suggested_meaning(header_words(header))
    assert suggested is not None
    assert suggested.value == meaning


@pytest.mark.parametrize(
    "header",
    ["winner_color", "winner_age", "white_rating", "HS", "P>2.5", "w", "l", "neutral",
     "shootout_winner", "best_of", "surface", "home_city", "team1_seed", ""],
)  # fmt: skip
def test_other_headers_suggest_nothing(header: str) -> None:
    assert suggested_meaning(header_words(header)) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Dato;Spiller 1;Spiller 2;Vinner\n1.2.2025;Ana;Bo;Bo\n",
            {"Dato": "date", "Spiller 1": "side_1", "Spiller 2": "side_2", "Vinner": "result"},
        ),
        (
            "WO,WD,LO,LD,Score,Date\nana,bo,cy,di,7,2025-01-02\n",
            {"WO": "winner", "WD": "winner", "LO": "loser", "LD": "loser", "Score": "detail",
             "Date": "date"},
        ),
        (
            "winner,loser,wo\nAna,Bo,1\nAna,Cy,0\n",
            {"winner": "winner", "loser": "loser", "wo": "flag"},
        ),
        (
            "player,opponent,result\nAna,Bo,W\nAna,Cy,L\n",
            {"player": "side_1", "opponent": "side_2", "result": "result"},
        ),
        (
            "white_id,black_id,winner\nana,bo,white\nana,cy,draw\n",
            {"white_id": "side_1_id", "black_id": "side_2_id", "winner": "result"},
        ),
        (
            "player1_id,player2_id,winner_id,scores_csv\n7,8,7,3-1\n9,8,8,1-3\n",
            {"player1_id": "side_1_id", "player2_id": "side_2_id", "winner_id": "result",
             "scores_csv": "score"},
        ),
        (
            "home,away,result\nAna,Bo,3:1\nCy,Di,2:2\n",
            {"home": "side_1", "away": "side_2", "result": "score"},
        ),
        (
            "time,winner,loser\n2025-01-02T19:30,Ana,Bo\n",
            {"time": "date", "winner": "winner", "loser": "loser"},
        ),
        (
            "created_at,date,winner,loser\n2025-02-02 10:00,2025-01-02,Ana,Bo\n",
            {"date": "date", "winner": "winner", "loser": "loser"},
        ),
        (
            "when was it,winner,loser\n2.1.2025,Ana,Bo\n",
            {"when was it": "date", "winner": "winner", "loser": "loser"},
        ),
        (
            "game,player,place\n1,Ana,1\n1,Bo,2\n2,Ana,1\n2,Bo,2\n",
            {"game": "match_id", "player": "player", "place": "rank"},
        ),
        (
            "date,home,away,home_score,away_score,score\n2.1.2025,Ana,Bo,3,1,3:1\n",
            {"date": "date", "home": "side_1", "away": "side_2", "home_score": "score_1",
             "away_score": "score_2", "score": "detail"},
        ),
        (
            "winner,loser,loser_score\nAna,Bo,3\n",
            {"winner": "winner", "loser": "loser"},
        ),
    ],
)  # fmt: skip
def test_columns_are_recognised_together(text: str, expected: dict[str, str]) -> None:
    layout = layout_of(text)
    assert layout.problems == ()
    assert meanings(layout) == expected


def test_columns_may_stand_in_any_order_and_case() -> None:
    good, bad = read("LOSER,Score,winner,DATE\nBo,3:1,Ana,2025-01-02\n")
    assert [told(result) for result in good] == ["Ana 1 (3) / Bo 2 (1)"]
    assert bad == []


def test_columns_that_say_nothing_are_named() -> None:
    layout = layout_of("date,home,away,score,referee,city\n2025-01-02,Ana,Bo,3:1,Cy,X\n")
    assert layout.ignored == ("referee", "city")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("date,home,away\n2025-01-02,Ana,Bo\n", "looks like a schedule"),
        ("date,city\n2025-01-02,X\n", "No columns say who played"),
        ("name,rank\nAna,1\nBo,2\n", "which rows belong to one match"),
        ("game_id,player\n1,Ana\n1,Bo\n", "No column has ranks or scores"),
        ("winner,loser\n", "no rows below them"),
        ("Ana,Bo,3,1,2025-01-02\n", "does not contain column names"),
        ("date,winner,loser,date\n2025-01-02,Ana,Bo,2025-01-02\n", "“date” is used more than once"),
        ("player1,player2,player1,score\nAna,Bo,Cy,3:1\n", "“player 1” is used more than once"),
        ("date,winner,loser\n46054,Ana,Bo\n", "spreadsheet's serial number"),
        ("date,winner,loser\n1.50421E+12,Ana,Bo\n", "rewritten this timestamp"),
        (
            "w1,w2,winner_id,loser\nAna,Bo,1,Cy\n",
            r"names \(2\) must equal the number of columns with ids \(1\) for the winner.",
        ),
    ],
)
def test_what_cannot_be_understood_is_said_in_words(text: str, words: str) -> None:
    layout = layout_of(text)
    assert layout.shape == ""
    assert re.search(words, " ".join(layout.problems))
    with pytest.raises(FileProblem, match=words):
        read(text)


def test_ambiguous_dates_are_asked_and_never_guessed() -> None:
    text = "date,winner,loser\n01/02/2025,Ana,Bo\n03/04/2025,Ana,Bo\n"
    assert layout_of(text).asks_dates
    with pytest.raises(FileProblem, match="choose dmy"):
        read(text)
    assert [result.played.month for result in read(text, dates="dmy", zone="UTC")[0]] == [2, 4]
    assert [result.played.month for result in read(text, dates="mdy", zone="UTC")[0]] == [1, 3]


def test_one_day_past_the_twelfth_settles_the_order_of_all() -> None:
    text = "date,winner,loser\n01/02/2025,Ana,Bo\n13/04/2025,Ana,Bo\n"
    layout = layout_of(text)
    assert not layout.asks_dates
    assert layout.columns[0].note == "read as day, month, year"
    assert [result.played.month for result in read(text, zone="UTC")[0]] == [2, 4]


def test_the_user_corrects_what_was_not_recognised() -> None:
    text = "wann,gut,schlecht,wie\n2.1.2025,Ana,Bo,3:1\n"
    layout = layout_of(text)
    assert layout.problems
    corrected = layout.with_meanings({1: Meaning.WINNER, 2: Meaning.LOSER, 3: Meaning.SCORE})
    assert corrected.problems == ()
    assert corrected.columns[1].sure == "given"
    assert [told(result) for result in read(text, layout=corrected)[0]] == ["Ana 1 (3) / Bo 2 (1)"]


def test_the_user_names_the_columns_of_a_file_without_a_header() -> None:
    text = "X,Ana,Bo,3,1,2025-01-02\nX,Cy,Di,0,3,2025-01-03\n"
    layout = layout_of(text).with_meanings(
        {1: Meaning.HOME, 2: Meaning.AWAY, 3: Meaning.SCORE_1, 4: Meaning.SCORE_2}
    )
    good, bad = read(text, layout=layout)
    assert [told(result) for result in good] == ["Ana 1 (3) / Bo 2 (1)", "Cy 2 (0) / Di 1 (3)"]
    assert bad == []


def test_a_correction_that_says_a_thing_twice_is_a_problem() -> None:
    layout = layout_of("date,winner,loser,other\n2025-01-02,Ana,Bo,2025-01-03\n")
    assert "mean the same" in layout.with_meanings({3: Meaning.DATE}).problems[0]


def test_a_layout_survives_json() -> None:
    layout = layout_of("date,player1,player2,winner,score\n01/02/2025,Ana,Bo,Ana,3:1\n")
    assert Layout.from_json(layout.to_json()) == layout


@pytest.mark.parametrize("text", ["", "{}", "[1]", '[{"index": 0}]', "[" * 100_000])
def test_a_broken_stored_layout_is_a_problem_in_words(text: str) -> None:
    with pytest.raises(FileProblem, match="stored layout"):
        Layout.from_json(text)


def test_a_file_that_goes_back_in_time_is_noticed() -> None:
    rows = "".join(f"2025-01-{day:02},Ana,Bo\n" for day in (9, 9, 7, 5, 3))
    assert layout_of("date,winner,loser\n" + rows).newest_first
    assert not layout_of("date,winner,loser\n2025-01-01,Ana,Bo\n2025-01-01,Ana,Bo\n").newest_first


def test_an_empty_sample_is_a_problem_and_no_crash() -> None:
    assert recognise(["date", "winner", "loser"], []).problems
    assert recognise([], []).problems


@pytest.mark.parametrize(
    "text",
    [
        "Datum;Gewinner;Verlierer;Sätze\n20.11.2026;Di;Cy;3:2\n",
        "Datum;Spieler 1;Spieler 2;Sätze 1;Sätze 2\n20.11.2026;Cy;Di;2;3\n",
        "Datum;Heim;Gast;Heimsätze;Gastsätze\n20.11.2026;Cy;Di;2;3\n",
    ],
)
def test_sets_won_in_german_are_the_score(text: str) -> None:
    good, bad = read(text)
    assert bad == []
    assert sorted(told(good[0]).split(" / ")) == ["Cy 2 (2)", "Di 1 (3)"]


@pytest.mark.parametrize("meaning", sorted(set(Meaning) - REPEATABLE))
def test_problems_have_no_names_of_the_code(meaning: Meaning) -> None:
    layout = layout_of("date,winner,loser,a,b,c\n2026-01-05,Ana,Bo,x,11-9 11-8,y\n")
    corrected = layout.with_meanings(dict.fromkeys((3, 4, 5), meaning))
    assert corrected.problems
    assert f"({meaning.value})" not in " ".join(corrected.problems)
    assert "_" not in corrected.problems[0]
