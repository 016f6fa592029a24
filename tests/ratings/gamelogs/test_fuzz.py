"""Whatever the lines are, reading ends in sessions and counted problems."""

from __future__ import annotations

import contextlib
import io
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ratings.files.names import clean_name
from ratings.gamelogs import building
from ratings.gamelogs.reading import NoGameLog, read_log, read_sessions
from ratings.gamelogs.sessions import GameSession, LogFormat, Problems
from tests.ratings.gamelogs import test_half_life as half_life
from tests.ratings.gamelogs import test_json_lines as json_lines
from tests.ratings.gamelogs import test_other_families as others
from tests.ratings.gamelogs import test_quake3 as quake3

SEEDS: dict[LogFormat, str] = {
    LogFormat.QUAKE3: quake3.log(
        quake3.join(0, "Ana"),
        quake3.join(1, "Bo", more=r"\id\AB"),
        "  0:05 Kill: 0 1 7: Ana killed Bo by MOD_ROCKET",
        "  0:06 CTF: 0 1 1: Ana captured the RED flag!",
        "  0:06 Flag: 0 2: team_CTF_redflag",
        r"  0:06 ClientUserinfo: 1 \ip\bot\cl_guid\AB",
        "  0:07 ServerTime:\t20260102203000\t20:30:00",
        "  0:08 Exit: Timelimit hit.",
        "  0:08 red:1  blue:2",
        "  0:08 score: 7  ping: 3  client: 1 Bo",
        "  0:09 ClientDisconnect: 1",
    ),
    LogFormat.HALF_LIFE: half_life.log(
        half_life.kill(half_life.ANA, half_life.BO),
        'World triggered "Match_Start" on "de_test"',
        'World triggered "Round_Start"',
        'World triggered "Match_Reloaded"',
        half_life.kill(half_life.BO, half_life.ANA),
        'Team "CT" triggered "SFUI_Notice_CTs_Win" (CT "1") (T "0")',
        '"Ana<2><STEAM_1:0:11>" switched from team <CT> to <TERRORIST>',
        f'{half_life.ANA} attacked {half_life.BO} with "ak47" (damage "27")',
        f'{half_life.ANA} triggered "flagevent" (event "captured")',
        'Team "CT" scored "1" with "1" players',
        "Game Over: competitive mg_active de_test score 1:0 after 3 min",
        'Loading map "de_next"',
    ),
    LogFormat.CALL_OF_DUTY: others.cod(
        "J;aa1;0;Ana",
        "JT;aa3;2;allies;Cy;",
        "K;aa2;1;axis;Bo;aa1;0;allies;Ana;m4_mp;56;MOD_RIFLE_BULLET;head",
        "D;aa2;1;axis;Bo;aa1;0;allies;Ana;m4_mp;12;MOD_RIFLE_BULLET;head",
        "W;aa1;0;Ana",
        "ExitLevel: executed",
    ),
    LogFormat.XONOTIC: others.XONOTIC,
    LogFormat.UNREAL: others.UNREAL.format("fraglimit"),
    LogFormat.TEEWORLDS: others.teeworlds(
        "datafile loading. filename='maps/ctf1.map'",
        "game team_join player='0:Ana' team=0",
        "game start match type='CTF' teamplay='1'",
        "game kill killer='0:0:Ana' victim='0:0:Ana' weapon=1 special=0",
        "game flag_capture player='0:Ana'",
        "game leave player='0:Ana'",
    ),
    LogFormat.JSON_LINES: json_lines.lines(*json_lines.GAME),
    LogFormat.QUAKEWORLD: json.dumps(
        {
            "version": 3,
            "date": "2026-01-02 20:40:00 +0100",
            "map": "dm3",
            "hostname": "h",
            "mode": "team",
            "duration": 600,
            "players": [{"name": "Ana", "team": "red", "stats": {"frags": 7}}],
        },
        indent=1,
    ),
}
ODD = st.one_of(
    st.text(max_size=6),
    st.sampled_from(
        [
            *("\0", "\u202e", "\\", ";", ":", "::", "<", ">", '"', "'", "\t", "-1", "99999999999"),
            *("1e999", "NaN", "null", "[", "{", "}", "^", "^x", " by ", "' victim='", "\u2028"),
            *("9999999:59", "999999999.9", "\ue041", "é", "\udcff", "12/31/9999", "[ffffffff]"),
        ]
    ),
)
EDIT = st.tuples(st.integers(0, 10_000), st.integers(0, 12), ODD)


def check(session: GameSession) -> None:
    count = len(session.players)
    for event in session.events:
        assert event.seconds >= 0
        for who in (event.actor, event.target):
            assert who is None or 0 <= who < count
    for player in session.players:
        assert all(clean_name(name) == name for name in player.names)
        assert all(0 <= begin <= end for begin, end in player.stays)
    told = [player.identity for player in session.players if player.identity is not None]
    assert len(set(told)) == len(told)
    assert session.duration >= 0
    assert session.first_line <= session.last_line


@pytest.mark.parametrize("log_format", SEEDS)
def test_the_seeds_are_read_without_a_problem(log_format: LogFormat) -> None:
    report = read_log(SEEDS[log_format].encode())
    assert report.format == log_format
    assert report.sessions


@pytest.mark.parametrize("log_format", SEEDS)
def test_the_limits_hold_in_every_family(
    log_format: LogFormat, monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit in range(3):
        monkeypatch.setattr(building, "MAX_CONNECTIONS", limit)
        monkeypatch.setattr(building, "MAX_EVENTS", limit)
        problems = Problems()
        data = SEEDS[log_format].encode()
        sessions = list(read_sessions(io.BytesIO(data), log_format, problems))
        assert problems.total or limit
        for session in sessions:
            check(session)
            assert len(session.players) <= limit


@pytest.mark.parametrize("log_format", SEEDS)
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(edits=st.lists(EDIT, min_size=1, max_size=6), lines=st.permutations(range(40)))
def test_no_change_of_a_log_makes_a_reader_raise(
    log_format: LogFormat, edits: list[tuple[int, int, str]], lines: list[int]
) -> None:
    text = SEEDS[log_format]
    for place, cut, put in edits:
        at = place % (len(text) + 1)
        text = text[:at] + put + text[at + cut :]
    rows = text.split("\n")
    mixed = "\n".join(rows[at % len(rows)] for at in lines)
    for version in (text, mixed):
        data = version.encode("utf-8", "surrogateescape" if "\udcff" in version else "replace")
        for session in read_sessions(io.BytesIO(data), log_format, Problems()):
            check(session)


@pytest.mark.parametrize("log_format", SEEDS)
@given(data=st.binary(max_size=300))
def test_no_bytes_make_a_reader_raise(log_format: LogFormat, data: bytes) -> None:
    head = SEEDS[log_format].split("\n", 1)[0].encode()
    for content in (data, head + b"\n" + data):
        for session in read_sessions(io.BytesIO(content), log_format, Problems()):
            check(session)
    with contextlib.suppress(NoGameLog):
        read_log(data)


@pytest.mark.parametrize("log_format", SEEDS)
def test_a_log_that_ends_anywhere_is_read_to_there(log_format: LogFormat) -> None:
    data = SEEDS[log_format].encode()
    for end in range(len(data)):
        for session in read_sessions(io.BytesIO(data[:end]), log_format, Problems()):
            check(session)
