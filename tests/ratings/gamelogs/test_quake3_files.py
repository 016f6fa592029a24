"""The check values of real logs of the Quake 3 family."""

from __future__ import annotations

from collections import Counter

import pytest

from ratings.gamelogs.sessions import Ending, GameEventKind, GameSession, LogFormat
from tests.ratings.gamelogs.logs import (
    DEATHS,
    events,
    kinds,
    player_scores,
    report_of,
    team_scores,
)

TABLE = (
    # file, games, finished, kill lines, by the world, suicides; changes of team among the kills,
    # and deaths behind the end, by oneself and by the world
    ("quake/baseq3_bots.log", 1, 0, 19, 0, 3, 0, (0, 0)),
    ("quake/baseq3_warmups.log", 3, 0, 0, 0, 0, 0, (0, 0)),
    ("quake/jka_jappfz.log", 14, 0, 0, 0, 0, 0, (0, 0)),
    ("quake/osp_ffa_1.log", 1, 1, 31, 0, 1, 0, (0, 0)),
    ("quake/osp_ffa_2.log", 1, 1, 393, 16, 18, 0, (0, 0)),
    ("quake/osp_ffa_office.log", 22, 3, 1437, 25, 46, 0, (0, 0)),
    ("quake/osp_vsp.log", 13, 2, 303, 65, 5, 1, (0, 0)),
    ("quake/osp_warmups.log", 3, 0, 0, 0, 0, 0, (0, 0)),
    ("quake/qgames.log", 21, 10, 1069, 240, 61, 0, (0, 0)),
    ("quake/urt_ctf_lan.log", 74, 40, 4548, 47, 27, 25, (0, 0)),
    ("gamelogs/openarena/oa_insta_ctf.log", 2, 1, 473, 2, 1, 0, (1, 1)),
    ("gamelogs/openarena/oa_office_ffa.log", 55, 40, 3457, 268, 96, 0, (0, 0)),
)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row[0])
def test_games_and_kills_are_those_of_the_file(
    row: tuple[str, int, int, int, int, int, int, tuple[int, int]],
) -> None:
    name, games, finished, kills, by_world, suicides, team_changes, late = row
    report = report_of(name)
    assert report.format == LogFormat.QUAKE3
    assert len(report.sessions) == games
    assert sum(game.ending == Ending.FINISHED for game in report.sessions) == finished
    found = kinds(*report.sessions)
    assert sum(found[kind] for kind in DEATHS) == kills - team_changes - sum(late)
    assert found["world-death"] == by_world - late[1]
    assert found["suicide"] == suicides - team_changes - late[0]
    # The one damaged line is counted, and nothing else is.
    assert [problem.line for problem in report.problems.first] == (
        [97] if name == "quake/qgames.log" else []
    )


def checked_scores(game: GameSession) -> list[tuple[str, int, int]]:
    """Name, the log's score, and kills less suicides and deaths by the world, since joining."""
    rows = []
    for row in game.result.players if game.result else ():
        since = game.players[row.player].stays[-1][0]
        mine: Counter[str] = Counter()
        for event in events(game, *DEATHS):
            if event.seconds >= since and row.player in (event.actor, event.target):
                by_me = event.actor == row.player
                if by_me or event.kind == GameEventKind.WORLD_DEATH:
                    mine[event.kind] += 1
        own = mine["frag"] - mine["suicide"] - mine["world-death"]
        rows.append((game.players[row.player].name, row.score, own))
    return rows


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("quake/qgames.log", 28),
        ("quake/osp_ffa_1.log", 3),
        ("quake/osp_ffa_2.log", 7),
        ("quake/osp_ffa_office.log", 26),
        ("quake/osp_vsp.log", 9),
        ("gamelogs/openarena/oa_office_ffa.log", 175),
    ],
)
def test_scores_of_free_for_alls_are_kills_less_suicides_and_deaths_by_the_world(
    name: str, count: int
) -> None:
    rows = [
        row
        for game in report_of(name).sessions
        if game.mode == "ffa"
        for row in checked_scores(game)
    ]
    assert len(rows) == count
    assert [row for row in rows if row[1] != row[2]] == []


def test_captures_of_urban_terror_add_up_to_the_results() -> None:
    games = report_of("quake/urt_ctf_lan.log").sessions
    assert kinds(*games)["capture"] == 177
    assert Counter(game.mode for game in games) == {"ctf": 52, "ffa": 4, "gun-game": 18}
    results = [game for game in games if team_scores(game)]
    assert len(results) == 26
    agree = [game for game in results if sum(team_scores(game).values()) == kinds(game)["capture"]]
    # Six of them count the last capture, which stands behind the end.
    assert len(agree) == 26


def test_captures_of_openarena_add_up_to_the_result() -> None:
    warmup, game = report_of("gamelogs/openarena/oa_insta_ctf.log").sessions
    assert warmup.is_warmup
    assert not game.is_warmup
    assert kinds(warmup)["frag"] == 3
    deaths = events(game, *DEATHS)
    assert len(deaths) == 471 - 3
    assert sum(event.kind == GameEventKind.WORLD_DEATH for event in deaths) == 1
    assert team_scores(game) == {"red": 8, "blue": 6}
    flags = Counter(event.detail for event in events(game, GameEventKind.CAPTURE))
    assert flags == {"blue": 8, "red": 6}
    assert list(player_scores(game).values())[:7] == [200, 196, 121, 115, 102, 89, 30]


def test_openarena_office_has_37_games_with_kills() -> None:
    games = report_of("gamelogs/openarena/oa_office_ffa.log").sessions
    assert sum(bool(events(game, *DEATHS)) for game in games) == 37


def test_warm_ups_of_osp_are_told_from_games() -> None:
    games = report_of("quake/osp_ffa_office.log").sessions
    played = [game for game in games if not game.is_warmup]
    assert len(played) == 4
    broken = [game for game in played if game.ending == Ending.BROKEN_OFF]
    assert [len(events(game, *DEATHS)) for game in broken] == [32]
    assert all(game.started_at is not None and game.started_at.year == 2017 for game in games)


def test_a_player_who_is_renamed_in_a_game_stays_one() -> None:
    games = report_of("quake/qgames.log").sessions
    assert ("Dono da Bola", "Mocinha") in {player.names for player in games[1].players}


def test_colours_are_no_part_of_a_name() -> None:
    games = report_of("quake/osp_vsp.log").sessions
    assert "Anarki" in {player.name for game in games for player in game.players}
