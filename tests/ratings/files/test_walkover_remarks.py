"""Walkovers that only a remark names."""

from __future__ import annotations

import pytest

from ratings.files.scores import read_flag, read_remark
from ratings.files.walkover_words import ABSENCE_WORDS, WALKOVER_WORDS
from ratings.files.written import WrittenMatch, read_line
from tests.ratings.files.reading import read, told

HEAD = "Datum;Heim;Gast;Ergebnis;Bemerkung\n01.10.2026;Anna Rot;Bea Blau;3:1;schön\n"
NUMBERS = "date,player1,player2,score1,score2,remarks\n2026-10-01,Anna Rot,Bea Blau,3,1,\n"
WON = "date,winner,loser,score,comment\n2026-10-01,Anna Rot,Bea Blau,3:1,\n"
WHO_WON = (
    "This is a walkover, but it does not say who won. Write “walkover for” (or “kampflos für”) and "
    "the winner's name into a column of remarks, or a score such as 1:0."
)
DIFFERENT = "This remark and the rest of the row name different winners."


@pytest.mark.parametrize(
    ("remark", "winner"),
    [
        ("kampflos für Bea Blau", 1),
        ("Kampflos für Blau", 1),
        ("kampflos für Cora", 2),
        ("kampfloser Sieg für Cora Grün.", 2),
        ("w.o. für Bea", 1),
        ("walkover for Cora Grün", 2),
        ("w/o for Grün, Cora", 2),
        ("kampflos für Bea, Cora krank", 1),
        ("Cora gewinnt kampflos", 2),
        ("Cora Grün nicht angetreten", 1),
        ("Bea ist nicht erschienen (Stau)", 2),
        ("nicht angetreten: Cora Grün", 1),
        ("Bea did not show up", 2),
        ("Bea hat kampflos verloren", 2),
    ],
)
@pytest.mark.parametrize("score", ["", "-", "0:0"])
def test_a_remark_says_who_won_without_a_fight(remark: str, winner: int, score: str) -> None:
    good, bad = read(f"{HEAD}02.10.2026;Bea Blau;Cora Grün;{score};{remark}\n")
    assert bad == []
    assert good[1].kind == "walkover"
    ranks = (1, 2) if winner == 1 else (2, 1)
    assert told(good[1]) == f"Bea Blau {ranks[0]} / Cora Grün {ranks[1]}"


def test_the_same_remark_means_the_same_player_on_either_side() -> None:
    rows = ("Bea Blau,Cora Grün", "Cora Grün,Bea Blau", "Bea Blau,Cora Grün")
    text = "".join(f"2026-10-02,{names},,,kampflos für Bea\n" for names in rows)
    good, bad = read(NUMBERS + text)
    assert bad == []
    assert [[side.rank for side in one.sides] for one in good[1:]] == [[1, 2], [2, 1], [1, 2]]


@pytest.mark.parametrize(
    "remark",
    [
        *("w.o.", "kampflos", "nicht angetreten", "kampflos Bea", "Sieg Bea w.o."),
        *("kampflos für Dora", "nicht angetreten wegen Regen", "no show"),
    ],
)
@pytest.mark.parametrize("cells", ["{};;{}", "{};-;{}"])
def test_a_walkover_without_a_winner_is_named(remark: str, cells: str) -> None:
    row = cells.format("02.10.2026;Bea Blau;Cora Grün", remark)
    _good, (bad,) = read(f"{HEAD}{row}\n")
    assert (bad.line, bad.column, bad.value, bad.reason) == (3, "Bemerkung", remark, WHO_WON)


def test_a_name_that_both_sides_share_is_no_winner() -> None:
    _good, (bad,) = read(f"{HEAD}02.10.2026;Bea Blau;Cora Blau;;kampflos für Blau\n")
    assert (bad.value, bad.reason) == ("kampflos für Blau", WHO_WON)


def test_a_walkover_in_the_score_needs_a_winner_too() -> None:
    _good, (bad,) = read(f"{HEAD}02.10.2026;Bea Blau;Cora Grün;w.o.;\n")
    assert (bad.column, bad.value, bad.reason) == ("Ergebnis", "w.o.", WHO_WON)


@pytest.mark.parametrize("remark", ["kampflos für Bea", "Sieg Bea w.o.", "nicht angetreten"])
def test_a_winner_of_the_file_needs_no_name_in_the_remark(remark: str) -> None:
    good, bad = read(f"{WON}2026-10-02,Bea Blau,Cora Grün,,{remark}\n")
    assert bad == []
    assert (good[1].kind, told(good[1])) == ("walkover", "Bea Blau 1 / Cora Grün 2")


def test_a_remark_against_the_score_or_the_winner_is_a_bad_row() -> None:
    _good, (bad,) = read(f"{HEAD}02.10.2026;Bea Blau;Cora Grün;3:0;kampflos für Cora\n")
    assert (bad.column, bad.value, bad.reason) == ("Bemerkung", "kampflos für Cora", DIFFERENT)
    _good, (bad,) = read(f"{WON}2026-10-02,Bea Blau,Cora Grün,,kampflos für Cora\n")
    assert (bad.column, bad.reason) == ("comment", DIFFERENT)


FULL = [
    *("kampflos", "Sieg kampflos", "Bea kampflos", "Sieg Bea w.o.", "kampfloser Sieg"),
    *("kampflos für Bea", "nicht angetreten", "nicht gekommen", "did not show up"),
    *("Cora nicht angetreten", "Cora w.o.", "w.o., Cora krank", "walk-over"),
]


@pytest.mark.parametrize("remark", ["Bea nicht angetreten", "kampflos für Cora", "kampflos"])
@pytest.mark.parametrize("score", ["3:0 w.o.", "3:1 n.V.", "3:0 ret", "+:-", "verlegt"])
def test_no_remark_decides_beside_a_score_that_cannot_be_read(score: str, remark: str) -> None:
    row = f"12.10.2026;Bea Blau;Cora Grün;{score};{remark}\n"
    _good, (bad,) = read(f"{HEAD}02.10.2026;Anna Rot;Bea Blau;3:2;schön\n{row}")
    assert (bad.value, bad.reason) == (score, "This is not a score such as 7:4.")


def test_half_a_score_is_no_empty_one() -> None:
    head = "date,player1,player2,score1,score2,comment\n2026-10-01,Ann,Bo,3,1,\n"
    good, (bad,) = read(f"{head}2026-10-02,Bo,Cy,3,,walkover for Cy\n")
    assert len(good) == 1
    assert bad.reason == "The score is missing."


@pytest.mark.parametrize("remark", ["Gast nicht angetreten", "no show of Cora", "kampflos f. Bea"])
def test_whoever_did_not_come_may_be_named_by_the_side(remark: str) -> None:
    good, bad = read(f"{HEAD}12.10.2026;Bea Blau;Cora Grün;3:0;{remark}\n")
    assert (bad, good[-1].kind, good[-1].sides[0].rank) == ([], "walkover", 1)


@pytest.mark.parametrize("remark", FULL)
def test_a_remark_beside_a_score_makes_it_a_walkover(remark: str) -> None:
    good, bad = read(f"{HEAD}02.10.2026;Bea Blau;Cora Grün;3:0;{remark}\n")
    assert bad == []
    assert (good[1].kind, told(good[1])) == ("walkover", "Bea Blau 1 / Cora Grün 2")


@pytest.mark.parametrize("remark", ["Cora kampflos", "Sieg Cora w.o.", "Kampfloser Sieg Cora Grün"])
def test_a_remark_that_may_name_the_other_winner_is_refused(remark: str) -> None:
    for text in (
        f"{HEAD}02.10.2026;Bea Blau;Cora Grün;3:0;{remark}\n",
        f"{WON}2026-10-02,Bea Blau,Cora Grün,,{remark}\n",
    ):
        _good, (bad,) = read(text)
        assert (bad.value, bad.reason) == (remark, DIFFERENT)


@pytest.mark.parametrize("remark", ["kampflos", "Cora kampflos", "nicht angetreten"])
def test_a_level_score_does_not_say_who_won_a_walkover(remark: str) -> None:
    _good, (bad,) = read(f"{HEAD}02.10.2026;Bea Blau;Cora Grün;0:0;{remark}\n")
    assert (bad.value, bad.reason) == (remark, WHO_WON)


@pytest.mark.parametrize("word", [*WALKOVER_WORDS, *ABSENCE_WORDS])
def test_every_word_means_the_same_wherever_it_stands(word: str) -> None:
    assert (read_flag(word), read_remark(word)) == ("walkover", "walkover")
    status = (
        f"date,player1,player2,score,status\n2026-10-01,Ana,Bo,3:1,\n2026-10-02,Ana,Bo,3:0,{word}\n"
    )
    good, bad = read(status)
    assert ([one.kind for one in good], bad) == (["played", "walkover"], [])
    if word in WALKOVER_WORDS and " " not in word:
        line = read_line(f"Ana - Bo {word}")
        assert isinstance(line, WrittenMatch)
        assert line.is_walkover


@pytest.mark.parametrize("remark", ["fast kampflos", "not a walkover", "Zuschauer nicht gekommen"])
def test_a_remark_beside_a_score_may_say_no_walkover(remark: str) -> None:
    good, bad = read(f"{HEAD}02.10.2026;Bea Blau;Cora Grün;3:0;{remark}\n")
    assert (good[1].kind, bad) == ("played", [])


@pytest.mark.parametrize("remark", ["played w/o umpire", "wo ist der Ball", "toll", ""])
def test_other_remarks_say_nothing(remark: str) -> None:
    _good, (bad,) = read(f"{HEAD}02.10.2026;Bea Blau;Cora Grün;;{remark}\n")
    assert (bad.column, bad.reason) == ("Ergebnis", "The score is missing.")
    good, bad_rows = read(f"{HEAD}02.10.2026;Bea Blau;Cora Grün;3:0;{remark}\n")
    assert (good[1].kind, bad_rows) == ("played", [])
