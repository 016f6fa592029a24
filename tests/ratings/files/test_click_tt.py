"""Tournaments as click-TT and nuLiga export them."""

from __future__ import annotations

from collections import Counter
from datetime import date

import pytest

from ratings.files.columns import recognise
from ratings.files.problems import BadRow, FileProblem
from ratings.files.results import Result, read_results
from ratings.files.tables import UPLOAD_LIMITS, open_table
from tests.shared_data import shared_data

MOOSBURG = "federation/tabletennis/clicktt_moosburg_2015_results.xml"
DOUBLES = """\ufeff<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE tournament SYSTEM "http://liga.nu/dtd/TournamentPortal.dtd">
<tournament name="Cup"><competition type="Doppel" start-date="2015-08-28 20:00"><players>
<player id="P1"><person firstname="Ana " lastname="Ruiz"/><person firstname="Bo" lastname="Berg"/></player>
<player id="P2"><person firstname="Cy" lastname="Diaz"/><person firstname="Di" lastname="Ek"/></player>
</players><matches>
<match player-a="P1" player-b="P2" sets-a="1" sets-b="3" set-a-1="11" set-b-1="0" set-a-2="9" set-b-2="11"/>
<match player-a="P1" player-b="P2" sets-a="0" sets-b="0"/>
<match player-a="P1" sets-a="3" sets-b="0"/>
</matches></competition></tournament>
"""  # noqa: E501 - as such files are written


def read(content: bytes) -> list[Result]:
    table = open_table(content, limits=UPLOAD_LIMITS)
    layout = recognise(table.header, table.sample(400))
    rows = list(read_results(table, layout, zone="Europe/Berlin", today=date(2026, 1, 1)))
    good = [row for row in rows if not isinstance(row, BadRow)]
    assert len(good) == len(rows)
    return good


def test_a_tournament_is_read_whole() -> None:
    matches = read(shared_data(MOOSBURG).read_bytes())
    assert len(matches) == 48
    assert len({side.players[0].name for match in matches for side in match.sides}) == 16
    wins = Counter(
        side.players[0].name for match in matches for side in match.sides if side.rank == 1
    )
    last_names = {name.split()[-1]: count for name, count in wins.items()}
    assert (last_names["Roppelt"], last_names["Gabler"]) == (6, 5)
    assert (matches[0].line, matches[0].detail) == (56, "11:6 11:4 11:1")
    assert matches[0].date_only


def test_doubles_have_two_players_a_side_and_what_was_not_played_is_left_out() -> None:
    (match,) = read(DOUBLES.encode())
    assert [[one.name for one in side.players] for side in match.sides] == [
        ["Ana Ruiz", "Bo Berg"],
        ["Cy Diaz", "Di Ek"],
    ]
    assert [(side.rank, side.score) for side in match.sides] == [(2, 1), (1, 3)]
    assert match.detail == "11:0 9:11"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (DOUBLES[:-40], "This XML file is damaged or cut off."),
        (
            DOUBLES.replace('TournamentPortal.dtd"', 'x" [<!ENTITY a "aaaa">]'),
            "XML files that define their own entities cannot be read.",
        ),
        (DOUBLES.replace("tournament", "html"), "This is a web page or XML"),
        (
            DOUBLES.replace("<tournament ", f"<tournament x='{'x' * 700_000}' ", 1),
            "A tag of this XML file never ends.",
        ),
    ],
)
def test_what_is_damaged_or_hostile_is_refused(content: str, words: str) -> None:
    with pytest.raises(FileProblem) as caught:
        read(content.encode())
    assert words in caught.value.reason
