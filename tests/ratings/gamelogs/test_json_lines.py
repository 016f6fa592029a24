"""Our own log of games: JSON Lines and their schema."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

from ratings.gamelogs.sessions import Ending, GameEventKind, LogFormat
from tests.ratings.gamelogs.logs import only, player_scores, read, team_scores, told

ROOT = Path(__file__).parents[3]
GAME: list[dict[str, object]] = [
    {
        "type": "game",
        "game": "hover",
        "map": "dome",
        "mode": "ctf",
        "match_id": "77",
        "started_at": "2026-01-02T20:30:00+00:00",
    },
    {"type": "player", "player": 1, "name": "Ana", "id": "a1", "team": "red", "at": 0},
    {"type": "player", "player": 2, "name": "Bo", "team": "blue", "bot": True},
    {"type": "player", "player": 3, "name": "Cy", "spectator": True},
    {"type": "event", "kind": "frag", "actor": 1, "target": 2, "detail": "disc", "at": 5.5},
    {"type": "event", "kind": "capture", "actor": 1, "value": 7, "at": 6},
    {"type": "event", "kind": "suicide", "actor": 2, "at": 7},
    {"type": "event", "kind": "world-death", "target": 2, "at": 8},
    {"type": "player", "player": 1, "name": "Ana II"},
    {"type": "leave", "player": 3, "at": 9},
    {"type": "end", "teams": {"red": 1, "blue": 0}, "players": {"1": 8, "2": -2}, "at": 600},
]


def lines(*values: object) -> str:
    return "".join(json.dumps(value) + "\n" for value in values)


def test_a_game_is_read_whole() -> None:
    report = read(lines(*GAME))
    assert (report.format, report.problems.total) == (LogFormat.JSON_LINES, 0)
    game = only(report)
    assert told(game) == ["frag Ana II Bo", "capture Ana II", "suicide Bo", "world-death Bo"]
    assert [event.value for event in game.events] == [1, 7, 1, 1]
    assert game.started_at == datetime(2026, 1, 2, 20, 30, tzinfo=UTC)
    assert (game.game, game.map, game.mode, game.match_id) == ("hover", "dome", "ctf", "77")
    assert (game.duration, game.ending) == (600, Ending.FINISHED)
    assert team_scores(game) == {"red": 1, "blue": 0}
    assert player_scores(game) == {"Ana II": 8, "Bo": -2}
    assert [(player.identity, player.is_spectator) for player in game.players] == [
        ("id:a1", False),
        ("bot:bo", False),
        ("name:cy", True),
    ]


def test_games_end_finished_broken_off_or_cut_off() -> None:
    begin = {"type": "game", "game": "hover"}
    games = read(
        lines(begin, begin, {"type": "end", "finished": False}, begin, {"type": "end"}, begin)
    ).sessions
    assert [game.ending for game in games] == [
        *(Ending.BROKEN_OFF, Ending.BROKEN_OFF, Ending.FINISHED, Ending.CUT_OFF)
    ]


def test_odd_lines_are_counted() -> None:
    report = read(
        lines(
            GAME[0],
            GAME[1],
            7,
            {"type": "zork"},
            {"type": "event", "kind": "zork", "actor": 1},
            {"type": "event", "kind": "frag", "actor": 1},
            {"type": "event", "kind": "frag", "actor": 1, "target": 9},
            {"type": "event", "kind": "capture", "actor": 1, "value": -1},
            {"type": "player", "player": None, "name": "Bo"},
            {"type": "end", "players": {"1": 1.5}},
            {"type": "end", "teams": []},
        )
        + '{"type": NaN}\n{"type": '
        + "[" * 30_000
        + "\n"
    )
    assert [problem.line for problem in report.problems.first] == list(range(3, 14))
    assert len(report.sessions) == 1


def test_the_schema_knows_every_line_and_every_kind_of_event() -> None:
    schema = json.loads((ROOT / "docs" / "gamelog.schema.json").read_text(encoding="utf-8"))
    kinds = schema["$defs"]["event"]["properties"]["kind"]["anyOf"][0]["enum"]
    assert kinds == [kind.value for kind in GameEventKind if kind != GameEventKind.OWN]
    types = {one["$ref"].removeprefix("#/$defs/") for one in schema["oneOf"]}
    assert types == {str(value["type"]) for value in GAME}
    for value in GAME:
        rules = schema["$defs"][value["type"]]
        assert value.keys() <= rules["properties"].keys()
        assert set(rules["required"]) <= value.keys()


def test_a_frag_of_oneself_is_a_bad_line_and_the_game_stays() -> None:
    on_oneself = {"type": "event", "actor": 1, "target": 1, "at": 5}
    own = [on_oneself | {"kind": kind} for kind in ("frag", "team-kill")]
    report = read(lines(*GAME[:5], *own, *GAME[5:]))
    assert told(only(report)) == told(only(read(lines(*GAME))))
    same = "The line names one player as both sides of an event."
    assert [(bad.line, bad.reason) for bad in report.problems.first] == [
        (6, same),
        (7, same),
    ]
