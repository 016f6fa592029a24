"""Section 5 of the reliability page, by file: a row is refused with a reason, and nothing moves."""

from __future__ import annotations

import html

import pytest

from leagues.jobs.runner import drain
from leagues.models import Board, Match, Upload
from leagues.services.integrity import board_digest
from tests.leagues.imports.files import EVENING
from tests.leagues.imports.sender import Sender

pytestmark = pytest.mark.django_db

WIDE = "date,player1,player2,score1,score2\n"
LONG = "game_id,date,player,rank\n"
TEAMS = "date,team1 player1,team1 player2,team2 player1,team2 player2,score1,score2\n"
IDS = "match_id,date,player1,player2,score1,score2\n"
WEIGHTS = "date,player1,player2,score1,score2,weight\n"
GOOD = "2026-01-05,Ana,Bo,3,1\n2026-01-05,Bo,Cy,3,2\n2026-01-06,Cy,Ana,1,3\n"
SCORE = "A score must be a whole number of at most 999999."
DATE = "This is not a date"
LATE = "This date is in the future."


def duel(*, score: str = "3", date: str = "2026-01-07", one: str = "Ana", two: str = "Bo") -> str:
    return f"{WIDE}{GOOD}{date},{one},{two},{score},1\n"


REFUSED = {
    "B-18 NaN": (duel(score="nan"), SCORE),
    "B-18 infinity": (duel(score="Infinity"), SCORE),
    "B-18 1e400": (duel(score="1e400"), SCORE),
    "B-19 true": (duel(score="true"), SCORE),
    "B-19 underscore": (duel(score="1_000"), SCORE),
    "B-19 other digits": (duel(score="٣"), SCORE),
    "B-19 fraction": (duel(score="1.9"), SCORE),
    "B-19 hexadecimal": (duel(score="0x10"), SCORE),
    "B-20 too large": (duel(score="2147483648"), SCORE),
    "B-20 5,000 digits": (duel(score="9" * 4000), SCORE),
    "B-21 oneself": (duel(two="Ana"), "A player cannot be on both sides."),
    "B-21 oneself in capitals": (duel(two="ANA"), "A player cannot be on both sides."),
    "B-22 twice in a team": (
        f"{TEAMS}2026-01-05,Ana,Ana,Bo,Cy,3,1\n",
        "A player can only be on a side once.",
    ),
    "B-22 in both teams": (
        f"{TEAMS}2026-01-05,Ana,Bo,Ana,Cy,3,1\n",
        "A player cannot be on both sides.",
    ),
    "B-24 no name": (duel(two=""), "The name is empty."),
    "B-24 one side": (
        f"{LONG}1,2026-01-05,Ana,1\n1,2026-01-05,Bo,2\n2,2026-01-06,Ana,1\n",
        "This match has only one side.",
    ),
    "B-26 rank 0": (
        f"{LONG}1,2026-01-05,Ana,0\n1,2026-01-05,Bo,1\n",
        "A rank must be a whole number from 1, or DNF.",
    ),
    "B-26 rank in words": (
        f"{LONG}1,2026-01-05,Ana,1\n1,2026-01-05,Bo,last\n",
        "A rank must be a whole number from 1, or DNF.",
    ),
    "B-31 the future": (duel(date="2126-01-07"), LATE),
    "B-32 year 1": (duel(date="0001-01-07"), "The year must be from 1800 to 2199."),
    "B-33 year 10000": (duel(date="10000-01-07"), DATE),
    "B-34 a skipped time": (
        duel(date="2026-03-29 01:30"),
        "This time does not exist: the clocks skipped it when they went forward.",
    ),
    "B-35 leap second": (duel(date="2025-12-31 23:59:60"), "This time of day does not exist."),
    "B-35 30 February": (duel(date="2026-02-30"), "There is no day 30 in this month."),
    "B-35 month 13": (duel(date="2026-13-01"), "There is no month 13."),
    "B-35 week": (duel(date="2026-W02-3"), DATE),
    "B-35 Unix time": (duel(date="1759341000000"), "This is a Unix timestamp"),
    "B-49 right to left": (duel(two="a\u202eb"), "The name changes the direction of writing"),
    "B-49 invisible": (duel(two="\u200b\u200b"), "The name has an invisible character"),
    "B-49 filler": (duel(two="\u3164"), "The name has an invisible character"),
    "B-49 soft hyphen": (duel(two="a\u00adb"), "The name has an invisible character"),
    "B-51 Zalgo": (duel(two="a" + "\u0301" * 9), "The name has too many accents on one letter."),
    "B-53 a long name": (duel(two="x" * 65), "The name is longer than 64 characters."),
    "B-67 cells too many": (
        f"{WIDE}{GOOD}2026-01-07,Ana,Bo,3,1,9\n",
        "The line has 6 cells, but the header has 5.",
    ),
    "B-72 one id for two matches": (
        f"{IDS}a,2026-01-05,Ana,Bo,3,1\na,2026-01-06,Ana,Bo,3,1\n"
        + "".join(f"g{number},2026-01-07,Ana,Bo,3,{number}\n" for number in range(20)),
        "Line 2 uses the same id for another match.",
    ),
    "B-73 a serial number": (duel(date="46054"), "This is a spreadsheet's serial number"),
    "weight 0": (f"{WEIGHTS}2026-01-05,Ana,Bo,3,1,0\n", "A weight must be more than 0"),
    "weight -1": (f"{WEIGHTS}2026-01-05,Ana,Bo,3,1,-1\n", "A weight must be"),
}
ACCEPTED = {
    "B-15 negative": duel(score="-1"),
    "B-16 level": duel(score="1"),
    "B-25 two against three": (
        "date,team1 player1,team1 player2,team2 player1,team2 player2,team2 player3,score1,score2\n"
        "2026-01-07,Ana,Bo,Cy,Dee,Eve,3,1\n"
    ),
    "B-26 a tie": f"{LONG}1,2026-01-07,Ana,1\n1,2026-01-07,Bo,1\n1,2026-01-07,Cy,3\n",
    "B-47 markup": duel(two="<script>alert(1)</script>"),
    "B-51 an emoji family": duel(two="👨\u200d👩\u200d👧 Ray"),
    "B-54 null": duel(two="null"),
    "B-54 a statement": duel(two="'; DROP TABLE--"),
    "B-54 a path": duel(two="../"),
    "B-74 a formula": duel(two="=HYPERLINK(1)"),
}


def digests() -> list[str]:
    return [board_digest(board) for board in Board.objects.order_by("pk")]


@pytest.mark.parametrize("name", REFUSED)
def test_b18_to_b74_a_bad_row_is_named_and_nothing_moves(kim: Sender, name: str) -> None:
    content, words = REFUSED[name]
    kim.written(kim.checked(EVENING))
    before = digests(), Match.objects.count(), kim.league.players.count()
    address = kim.checked(content)
    report = Upload.objects.latest("pk").report
    assert report is not None
    assert [error["reason"].startswith(words) for error in report["errors"]] == [True]
    assert report["errors"][0]["line"] > 1
    assert words in html.unescape(kim.page(address))
    assert kim.answer(address, "write").status_code == 422
    drain()
    assert (digests(), Match.objects.count(), kim.league.players.count()) == before


@pytest.mark.parametrize("name", ACCEPTED)
def test_b15_to_b74_what_is_odd_but_possible_is_stored(kim: Sender, name: str) -> None:
    address = kim.checked(ACCEPTED[name])
    report = Upload.objects.get().report
    assert report is not None
    assert (report["problems"], report["errors"]) == ([], [])
    # A name of signs alone may be nobody: whoever imports it says that it is a player's.
    kim.written(address, others_are_new="on")
    assert Match.objects.count() == report["imported"] > 0
