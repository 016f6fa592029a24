"""Cross tables are refused as what they are."""

from __future__ import annotations

import pytest

from ratings.files.columns import Layout
from ratings.files.cross_tables import CROSS_TABLE
from ratings.files.meanings import Meaning
from tests.ratings.files.reading import layout_of, read

BLANK = ";Ana Rot;Bo Blau;Cy Grün\nAna Rot;;3:1;3:0\nBo Blau;1:3;;2:3\nCy Grün;0:3;3:2;\n"
POINTS = "Nr.;Spieler;Ana;Bo;Cy;Punkte;Platz\n1;Ana;X;1;½;1,5;1\n2;Bo;0;X;1;1;2\n3;Cy;½;0;X;0,5;3\n"


@pytest.mark.parametrize(
    "text",
    [
        BLANK,
        f"Vereinsmeisterschaft 2026\n\n{BLANK}",
        BLANK.replace(";", ","),
        BLANK.replace(";", "\t"),
        f"Name{BLANK}",
        POINTS,
        "Nr.;Name;1;2;3;Punkte\n1;Ana;X;1;½;1,5\n2;Bo;0;X;1;1\n3;Cy;½;0;X;0,5\n",
        "Name;Verein;ANA;BO\nAna;TTC Ost;;3:1\nBo;TTC Ost;1:3;\n",
    ],
)
def test_a_cross_table_is_refused_as_one(text: str) -> None:
    assert layout_of(text).problems == (CROSS_TABLE,)


def test_it_stays_one_when_it_is_stored_or_corrected() -> None:
    layout = Layout.from_json(layout_of(POINTS).to_json())
    assert layout.problems == (CROSS_TABLE,)
    assert layout.with_meanings({6: Meaning.IGNORE}).problems == (CROSS_TABLE,)


@pytest.mark.parametrize(
    "text",
    [
        "date,home,away,score,Ana,Bo\n2026-10-01,Ana,Bo,3:1,x,y\n2026-10-02,Bo,Ana,3:1,x,y\n",
        "game_id,player,rank,Ana,Bo\n1,Ana,1,x,y\n1,Bo,2,x,y\n",
    ],
)
def test_a_list_of_matches_may_have_columns_of_players(text: str) -> None:
    good, bad = read(text)
    assert good and not bad


@pytest.mark.parametrize(
    "text",
    [
        "Name;Gruppe;Jahrgang;A;B\nAna;A;1990;x;\nBo;B;1985;;x\nCy;A;1979;x;\n",
        "name,Team,birth year,Reds,Blues\nAna,Reds,1990,1,\nBo,Blues,1985,,1\nCy,Reds,1979,1,\n",
        "name,Team,Reds,Blues\nAna,Reds,1,\nBo,Blues,,1\n",
        "Name,Gender,male,female\nAna,female,,x\nBo,male,x,\nCy,male,x,\n",
        "Name,Club,A,Born,Phone,Town,B\nA,Ost,x,1990,1,Y,x\nB,West,x,1985,2,Z,x\n",
    ],
)
def test_a_list_of_players_may_have_columns_of_their_groups(text: str) -> None:
    assert CROSS_TABLE not in layout_of(text).problems


def test_a_column_that_is_said_to_be_the_club_makes_none() -> None:
    layout = layout_of("Name,Wing,Reds,Blues\nAna,Reds,1,\nBo,Blues,,1\n")
    assert layout.problems == (CROSS_TABLE,)
    assert layout.with_meanings({1: Meaning.CLUB}).shape == "players"


def test_rounds_with_numbers_are_no_cross_table() -> None:
    text = "Nr.;Name;1;2\n1;Ana;+;-\n2;Bo;-;+\n3;Cy;+;+\n4;Di;-;-\n"
    assert CROSS_TABLE not in layout_of(text).problems
