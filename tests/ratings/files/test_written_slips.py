"""Lines as chats and spreadsheets give them: tabs, emoji, stamps, dashes without spaces."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from ratings.files.problems import LineProblem
from ratings.files.written import read_line
from ratings.files.written_sides import known_names
from ratings.files.written_text import written_rows
from tests.ratings.files.reading import TODAY
from tests.ratings.files.test_written import ABOVE, DOUBLES, problem, read


@pytest.mark.parametrize(
    ("line", "sides"),
    [
        ("ana\tbo\t3-1", ABOVE),
        ("ana\tvs\tbo\t3-1", ABOVE),
        ("\tana\t3-1\tbo", ABOVE),
        ("ana bo 3-1 # close, and the third set # was the best", ABOVE),
        ("ana > bo  #  gg", ABOVE),
        ("ana\tbo\t3\t1\t# gg", ABOVE),
        ("1\tana\tbo\t3\t1\tfriendly", ABOVE),
        ("#1\tana\t-\tbo\t3:1", ABOVE),
        ("2026-11-12\t19:30 Uhr\tana\tbo\t3:1", ABOVE),
        ("Thu 12.11.2026\tana\tbo\t3:1", ABOVE),
        ("ana\tbo\t11:7\t9:11\t11:5\t11:8\t3:1", ABOVE),
        ("ana / cy - bo / di 3-1", DOUBLES),
        ("19:40\tana\tbo\t3-1\tfriendly", ABOVE),
        ("Juan Carlos Ruiz\tBo\t3-1", (("Juan Carlos Ruiz",), ("Bo",))),
        ("ana+cy\tbo+di\t3-1", DOUBLES),
        ("* ana – bo 3:1 👍", ABOVE),
        ("*ana - bo 3-1👍🏽 ❤️", ABOVE),
        ("ana bo wo 👍", ABOVE),
        ("ana > bo 👍", ABOVE),
        ("🏆 ana bo 3-1", ABOVE),
        ("ana 🎯 bo 🏆🏆 3-1", ABOVE),
        ("🎯 ana 3-1 bo 🎯", ABOVE),
        # Where there is nothing else, they are the name.
        ("👻 > 💀 3:1 🎉", (("👻",), ("💀",))),
        ("👻 > bo 👍", (("👻",), ("bo",))),
    ],
)
def test_tabs_and_emoji_are_no_part_of_names(line: str, sides: Any) -> None:
    match = read(line)
    assert (match.sides, match.places) == (sides, (1, 2))


def test_an_emoji_of_a_known_name_stays() -> None:
    knows = known_names(["Bo 👍", "Ana"])
    assert read("Ana - Bo 👍 3-1", knows=knows).sides == (("Ana",), ("Bo 👍",))
    assert read("🎉 Ana - Bo 3-1 🎉", knows=knows).sides == (("Ana",), ("Bo",))


@pytest.mark.parametrize("end", ["3-1 cup 🏆", "3-1 🏆 cup", "3-1 (cup)🏆", "3-1 cup🏆🎉"])
def test_emoji_stand_around_kinds_of_match(end: str) -> None:
    match = read(f"ana bo {end}", match_kinds=["Cup"])
    assert (match.sides, match.match_kind) == (ABOVE, "Cup")


@pytest.mark.parametrize("word", ["@today", "@Yesterday", "@ yesterday:"])
def test_today_and_yesterday_are_days(word: str) -> None:
    days_ago = 0 if "today" in word else 1
    assert read_line(word, today=TODAY) == TODAY - timedelta(days_ago)
    with pytest.raises(LineProblem, match="is not a date"):
        read_line("@someday", today=TODAY)


@pytest.mark.parametrize(
    ("line", "places", "points"),
    [
        ("1. ana, 2. bo, 2. cy, 4. di", (1, 2, 2, 4), ()),
        ("1. ana 2. bo 2. cy 3. di", (1, 2, 2, 4), ()),
        ("1) ana 2) bo 3) cy 4) di", (1, 2, 3, 4), ()),
        ("1. ana (31), 2. bo (24), 3. cy (24), 4. di (8)", (1, 2, 3, 4), (31, 24, 24, 8)),
        ("ana (31), bo (24), cy (24), di (8 pts)", (1, 2, 2, 4), (31, 24, 24, 8)),
        ("ana: 31, bo: 24, cy: 24, di: 8", (1, 2, 2, 4), (31, 24, 24, 8)),
        ("ana: 31, bo: 24 > cy: 24, di: 8", (1, 2, 3, 4), (31, 24, 24, 8)),
    ],
)
def test_a_free_for_all_can_be_numbered_and_equal_points_are_a_tie(
    line: str, places: tuple[int, ...], points: tuple[int, ...]
) -> None:
    match = read(line)
    assert match.sides == (("ana",), ("bo",), ("cy",), ("di",))
    assert (match.places, match.points) == (places, points)


def test_numbers_of_names_are_no_places() -> None:
    assert read("1. FC Ulm, 2. FC Bonn, 7. FC Rom").sides[0] == ("1. FC Ulm",)
    assert read("1. ana bo 3-1").sides == ABOVE


@pytest.mark.parametrize(
    "line", ["Mi 26.11.2025", "Mittwoch, 26.11.2025:", "Wed. 2025-11-26", "@Mi 26.11.2025"]
)
def test_a_word_before_a_date_is_ignored(line: str) -> None:
    assert read_line(line, today=TODAY) == date(2025, 11, 26)


@pytest.mark.parametrize(
    "score",
    ["3 zu 1", "3 to 1", "3 a 1", "3 à 1", "3 til 1", "mit 3 zu 1", "11 zu 7, 9 zu 11, 11 Zu 5"],
)
def test_a_word_may_stand_between_the_numbers_of_a_score(score: str) -> None:
    match = read(f"ana - bo {score}")
    assert (match.sides, match.places) == ((("ana",), ("bo",)), (1, 2))
    assert match.score == ((2, 1) if match.sets else (3, 1))


@pytest.mark.parametrize(
    ("stamp", "day"),
    [
        ("[20:15, 26/11/2025] Pepi: ", date(2025, 11, 26)),
        ("[20:15, 11/26/2025] Pepi: ", date(2025, 11, 26)),
        ("[20:15, 11/11/2025] Pepi: ", date(2025, 11, 11)),
        ("[26.11.25, 20:15:33] Pepi: ", date(2025, 11, 26)),
        ("26.11.25, 20:15 - Pepi: ", date(2025, 11, 26)),
        ("26/11/2025, 20:15 - Pepi Maier: 1. ", date(2025, 11, 26)),
        ("2025-11-26, 20:15 - ", date(2025, 11, 26)),
        ("26/11/25, 20:15 - Pepi: ", date(2025, 11, 26)),
        ("[20:15, 13/11/26] Pepi: ", date(2026, 11, 13)),
        ("11/13/26, 20:15 - Pepi: ", date(2026, 11, 13)),
        ("25/11/25, 20:15 - Pepi: ", date(2025, 11, 25)),
        ("13/11/19, 20:15 - Pepi: ", date(2019, 11, 13)),
    ],
)
def test_the_marks_of_chats_say_day_and_time(stamp: str, day: date) -> None:
    match = read(f"{stamp}ana bo 3-1")
    assert (match.sides, match.day) == (ABOVE, day)
    assert match.clock is not None and (match.clock.hour, match.clock.minute) == (20, 15)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("[20:15, 11/12/2025] Pepi: ana bo 3-1", "day"),
        ("[20:15, 26/10/25] Pepi: ana bo 3-1", "day"),
        ("[20:15, 10/11/26] Pepi: ana bo 3-1", "day"),
        ("[20:15, 26/13/2025] Pepi: ana bo 3-1", "day"),
        ("12/11/2025, 20:15 - Pepi: ana bo 3-1", "day"),
        ("[20:15, 20:16] Pepi: ana bo 3-1", "stamp"),
        ("@12/11/2025", "day"),
    ],
)
def test_a_stamp_that_can_be_read_in_two_ways_is_refused(line: str, code: str) -> None:
    assert problem(line).code == code


def test_a_free_for_all_has_points_behind_colons() -> None:
    match = read("Jess: 10, Jay: 8 = Alex: 8, Bo Li:1 friendly")
    assert match.sides == (("Jess",), ("Jay",), ("Alex",), ("Bo Li",))
    assert (match.places, match.points, match.is_friendly) == ((1, 2, 2, 4), (10, 8, 8, 1), True)
    assert read("ana+cy: 3, bo+di: 2, jo+em: 1").points == (3, 2, 1)
    knows = known_names(["Jess", "Jay", "Alex", "Team 1"])
    assert read("Jess 10, Jay 8, Alex 7", knows=knows).points == (10, 8, 7)
    assert problem("Jess 10, Jay 8, Halle 7", knows=knows).code == "numbers"
    assert read("Team 1, Jay, Alex", knows=knows).points == ()
    assert problem("Jess: 10, Jay, Alex: 7", knows=knows).code == "prefix"
    assert problem("Jess: 10, Jay: 8, Alex: 7 3-1").code == "list_ending"
    assert problem("Alex * , Jess, Jay").code == "mark"


def test_points_are_those_of_a_table() -> None:
    rows, bad = written_rows(["Jess: 10, Jay: 8, Alex: 7", "Jay, Alex, Jess"], today=TODAY)
    (_number, header), *table = rows
    assert not bad and header == ["game_id", "player", "rank", "score"]
    assert table[0] == (1, ["line 1", "Jess", "1", "10"])
    assert table[-1] == (2, ["line 2", "Jess", "3", ""])


def test_a_dash_without_spaces_divides_known_names_alone() -> None:
    knows = known_names(["Ana", "Bo", "Li", "Bo-Li", "Ana-Bo", "Eva-Maria"])
    assert read("Ana-Li 3-1", knows=knows).sides == (("Ana",), ("Li",))
    assert problem("Ana-Eva 3-1", knows=knows).code == "dash"
    assert problem("Ana-Bo-Li 3-1", knows=knows).code == "dash", "Ana and Bo-Li, or Ana-Bo and Li"
    assert problem("Eva-Maria 3-1", knows=knows).code == "sides"


@pytest.mark.parametrize("line", ["ana\t1500\tbo\t1600\t3:1", "1\tana\t2\tbo\t3:1"])
def test_a_number_in_a_cell_beside_a_name_is_no_part_of_it(line: str) -> None:
    assert problem(line).code == "cells"


@pytest.mark.parametrize(
    "line",
    [
        "ana - bo 11:9 9:11 11:8 11:7 3:1",
        "ana - bo 3:1 11:9 9:11 11:8 11:7",
        "ana - bo 11:9 9:11 11:8 11:7 (3:1)",
    ],
)
def test_the_score_may_stand_on_either_side_of_its_sets(line: str) -> None:
    match = read(line)
    assert (match.score, len(match.sets)) == ((3, 1), 4)


def test_a_remark_is_told_from_a_name_with_its_mark() -> None:
    knows = known_names(["Ana # 1", "Bo"])
    assert read("Bo > Ana # 1", knows=knows).sides == (("Bo",), ("Ana # 1",))
    assert read("Bo > Ana # 1 # gg", knows=knows).sides == (("Bo",), ("Ana # 1",))


@pytest.mark.parametrize(
    "line",
    [
        "17.11.26, 20:20 - B: <Medien ausgeschlossen>",
        "[17.11.26, 20:20] B: image omitted",
        "[17.11.26, 20:20] B: Du hast diese Nachricht gelöscht.",
        "<Media omitted>",
    ],
)
def test_what_a_chat_says_of_a_message_is_no_line(line: str) -> None:
    assert read_line(line, today=TODAY) is None
    assert read("ana bo 3-1 <This message was edited>").sides == ABOVE


@pytest.mark.parametrize(
    "scores",
    ["1:3 11:9 9:11 11:8 11:7", "21:15 21:18 0:2", "3:1 11:9 11:8", "11:9 9:11 11:8 3:1"],
)
def test_a_score_that_its_sets_do_not_give_is_no_set(scores: str) -> None:
    assert problem(f"ana - bo {scores}").code == "sets"


def test_a_known_name_is_not_cut_where_a_side_is_looked_for() -> None:
    knows = known_names(["Ana", "Ana Lopez", "Max Muster"])
    assert problem("Ana Lopez / Max Muster 3:1", knows=knows).code == "undivided"
