"""What holds for the logs of every family."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.files.names import NAME_LENGTH, clean_name, readable_name
from ratings.gamelogs import building, connections
from ratings.gamelogs.lines import MAX_LINE, decoded, numbered_lines
from ratings.gamelogs.names import NAMELESS, plain_name
from ratings.gamelogs.reading import NoGameLog, read_log, recognise
from ratings.gamelogs.sessions import MAX_PROBLEMS_KEPT, Problems
from tests.ratings.gamelogs.logs import only, read
from tests.ratings.gamelogs.test_quake3 import join, log


def test_a_line_over_64_kb_is_counted_and_left_out() -> None:
    problems = Problems()
    data = b"one\n" + b"x" * (3 * MAX_LINE) + b"\nthree\n"
    assert list(numbered_lines(io.BytesIO(data), problems)) == [(1, "one"), (3, "three")]
    assert [problem.line for problem in problems.first] == [2]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-8-sig", "utf-8", "cp1252"])
def test_lines_are_read_in_all_encodings_of_game_logs(encoding: str) -> None:
    data = "0.00\tZoë\r\n1.00\tBo".encode(encoding)
    assert list(numbered_lines(io.BytesIO(data), Problems())) == [
        (1, "0.00\tZoë"),
        (2, "1.00\tBo"),
    ]


def test_every_byte_is_some_character() -> None:
    assert len(decoded(bytes(range(256)))) == 256


def test_what_is_no_game_log_is_not_recognised() -> None:
    for data in (b"", b"date,winner\n2026-01-01,Ana\n", b"\0" * 500, b"{}", b"[1]", b"\xff" * 99):
        assert recognise(data) is None
        with pytest.raises(NoGameLog):
            read_log(data)


def test_problems_are_all_counted_and_the_first_of_them_kept() -> None:
    report = read(log(*["  0:01 Kill: 0"] * 250))
    assert report.problems.total == 250
    assert len(report.problems.first) == MAX_PROBLEMS_KEPT


def test_a_game_has_a_limit_of_players(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "MAX_CONNECTIONS", 3)
    report = read(log(*[join(slot, f"P{slot}") for slot in range(5)]))
    assert len(only(report).players) == 3
    assert report.problems.by_reason[building.TOO_MANY_PLAYERS] >= 2


def test_a_game_has_a_limit_of_events(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "MAX_EVENTS", 3)
    kill = "  0:02 Kill: 0 0 7: Ana killed Ana by MOD_ROCKET"
    report = read(log(join(0, "Ana"), *[kill] * 5))
    assert len(only(report).events) == 3
    assert report.problems.by_reason[building.TOO_MANY_EVENTS] == 2


def test_a_player_of_many_names_keeps_the_first_ones_and_the_last() -> None:
    changes = [rf"  0:02 ClientUserinfoChanged: 0 n\Ana{i}\t\0" for i in range(100)]
    (player,) = only(read(log(join(0, "Ana"), *changes))).players
    assert player.names[0] == "Ana"
    assert player.names[-1] == "Ana99"
    assert len(player.names) == connections.MAX_NAMES


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("A\0n\x1ba", "Ana"),
        ("\u202eAna\u2066", "Ana"),
        ("  A   na ", "A na"),
        ("\x01\x02", NAMELESS),
        ("", NAMELESS),
        ("Ana\u2028 0:01 Kill: 0 1 7", "Ana 0:01 Kill: 0 1 7"),
        ("x" * 500, "x" * NAME_LENGTH),
        ("a" + "\u0301" * 400, "á\u0301\u0301"),
    ],
)
def test_names_are_made_fit_to_be_stored(text: str, name: str) -> None:
    assert plain_name(text) == name


@given(st.text(max_size=200))
def test_a_readable_name_is_a_clean_one_or_nothing(text: str) -> None:
    name = readable_name(text)
    assert name == "" or clean_name(name) == name
    assert clean_name(plain_name(text)) == plain_name(text)


@pytest.mark.parametrize(
    "key",
    [
        *("", "0", "BOT", "STEAM_ID_PENDING", "STEAM_ID_LAN", "STEAM_0:0:0000000000", "[U:1:0]"),
        *("192.0.2.7:27960", "[2001:db8::7]:27960", "::ffff:1"),
    ],
)
def test_ids_of_nobody_tell_nobody_apart(key: str) -> None:
    assert connections.usable_id(key) == ""


@pytest.mark.parametrize("key", ["STEAM_0:0:10", "STEAM_1:1:5355454", "[U:1:77]", "7656119"])
def test_other_ids_do(key: str) -> None:
    assert connections.usable_id(key) == key


def test_a_name_that_holds_a_line_cannot_forge_one() -> None:
    game = only(read(log(join(0, "Ana\u2028  0:02 Kill: 0 0 7: A killed A by MOD_ROCKET"))))
    assert game.events == ()
