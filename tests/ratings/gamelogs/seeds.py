"""A small log of each format with a line of every kind, and what is true of whatever is read."""

from __future__ import annotations

import json
from typing import Final

from ratings.files.names import clean_name
from ratings.gamelogs.sessions import GameSession, LogFormat
from tests.ratings.gamelogs import test_half_life as half_life
from tests.ratings.gamelogs import test_json_lines as json_lines
from tests.ratings.gamelogs import test_other_families as others
from tests.ratings.gamelogs import test_quake3 as quake3

HITS: Final = (
    {"type": "event", "kind": "damage", "actor": 1, "target": 2, "value": 27, "at": 5},
    {"type": "event", "kind": "damage", "actor": 2, "target": 1, "value": 3.5, "at": 5.2},
    {"type": "event", "kind": "assist", "actor": 1, "target": 2, "at": 5.3},
    {"type": "event", "kind": "own:goal", "actor": 1, "at": 5.4},
    {"type": "event", "kind": "own:steal", "actor": 2, "target": 1, "value": 3, "at": 5.45},
)
"""What the game of our own format does not tell elsewhere."""
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
    LogFormat.JSON_LINES: json_lines.lines(*json_lines.GAME[:4], *HITS, *json_lines.GAME[4:]),
    LogFormat.QUAKEWORLD: json.dumps(
        {
            "version": 3,
            "date": "2026-01-02 20:40:00 +0100",
            "map": "dm3",
            "hostname": "h",
            "mode": "team",
            "duration": 600,
            "players": [
                {"name": "Ana", "team": "red", "stats": {"frags": 7, "kills": 8, "suicides": 1}},
                {"name": "Bo", "team": "blue", "stats": {"frags": 3, "kills": 3, "deaths": 8}},
            ],
        },
        indent=1,
    ),
}


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
