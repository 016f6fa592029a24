"""The check values of real logs of Call of Duty, Xonotic, Unreal, Teeworlds and QuakeWorld."""

from __future__ import annotations

from collections import Counter

import pytest

from ratings.gamelogs.sessions import Ending, LogFormat
from tests.ratings.gamelogs.logs import (
    DEATHS,
    deaths,
    events,
    frags,
    kinds,
    names,
    only,
    player_scores,
    report_of,
    team_scores,
)


@pytest.mark.parametrize(
    ("name", "games", "with_kills", "kills", "by_world", "winners"),
    [
        ("cod4_games_mp", 306, 121, 2159, 371, 0),
        ("cod4_efaya_games_mp", 258, 90, 364, 142, 5),
    ],
)
def test_call_of_duty(
    name: str, games: int, with_kills: int, kills: int, by_world: int, winners: int
) -> None:
    report = report_of(f"gamelogs/cod/{name}.log")
    assert report.format == LogFormat.CALL_OF_DUTY
    assert len(report.sessions) == games
    assert sum(bool(events(game, *DEATHS)) for game in report.sessions) == with_kills
    found = kinds(*report.sessions)
    assert sum(found[kind] for kind in DEATHS) == kills
    assert found["world-death"] == by_world
    assert sum(len(game.result.winners) for game in report.sessions if game.result) == winners


def test_a_game_of_call_of_duty_where_people_share_their_ids() -> None:
    report = report_of("gamelogs/cod/cod4_games_mp.log")
    assert report.problems.total == 0
    game = report.sessions[236]
    assert (game.map, game.mode) == ("mp_toysoldiers", "tdm")
    assert sum(kinds(game)[kind] for kind in DEATHS) == 176
    killers = Counter(frags(game))
    for event in events(game, DEATHS[1]):
        if event.actor is not None:
            killers[game.players[event.actor].name] += 1
    assert killers == {
        "Flo": 47, "P-A": 42, "Justin Bieber": 18, "ROBERT": 15, "Jonny": 14, "LadyGaga": 13,
        "HarpienKill": 8,
    }  # fmt: skip


def test_xonotic() -> None:
    report = report_of("gamelogs/xonotic/xonotic_end_of_match_blocks.log")
    assert report.problems.total == 0
    duel, teams = report.sessions
    scores = {
        who: score
        for name, score in player_scores(duel).items()
        for who in ("FPM", "Skaven", "Silvius")
        if who in name
    }
    assert scores == {"FPM": 30, "Skaven": 29, "Silvius": 21}
    assert (duel.map, duel.mode, duel.duration) == ("darkzone", "ffa", 317)
    assert team_scores(teams) == {"red": -1, "blue": 2}
    assert [player.name for player in teams.players if player.is_spectator] == ["Trifluoperazine"]
    assert sum(player.is_bot for player in teams.players) == 4


@pytest.mark.parametrize(
    ("name", "scores"),
    [
        ("07.08.14.16.47", {"John": 30, "Visse": 20, "Malakai": 13}),
        ("07.09.13.56.14", {"Proletariat": 30, "John": 29, "Ichthys": 29}),
    ],
)
def test_unreal(name: str, scores: dict[str, int]) -> None:
    report = report_of(f"gamelogs/ut99/ut99_2019.{name}.log")
    assert report.problems.total == 0
    game = only(report)
    assert game.ending == Ending.FINISHED
    found = player_scores(game)
    assert scores.items() <= found.items()
    suicides: Counter[str] = Counter()
    for event in events(game, DEATHS[2]):
        if event.actor is not None:
            suicides[game.players[event.actor].name] += 1
    assert found == {who: frags(game)[who] - suicides[who] for who in names(game)}
    assert game.started_at is not None
    assert game.started_at.utcoffset() is not None


@pytest.mark.parametrize(
    ("name", "kills", "captures"),
    [
        ("06_flag_cap", 1 - 1, 1),
        ("06_high_hex_ids", 20 - 17, 0),
        ("06_changename", 4 - 4, 0),
        # One of them is of a killer who had left.
        ("07_end_spree_by_left", 18 - 3 - 1, 0),
        ("075_new_id_format", 1 - 1, 0),
    ],
)
def test_teeworlds_without_the_deaths_of_leaving(name: str, kills: int, captures: int) -> None:
    report = report_of(f"gamelogs/teeworlds/tw_{name}.log")
    assert report.problems.total == 0
    found = kinds(*report.sessions)
    assert sum(found[kind] for kind in DEATHS) == kills
    assert found["capture"] == captures


def test_teeworlds_renames_a_player_by_the_name_of_a_kill() -> None:
    game = only(report_of("gamelogs/teeworlds/tw_06_changename.log"))
    assert len(game.players) == 2
    assert ("ChillerDragoX", "ChillerDragon") in {player.names for player in game.players}


@pytest.mark.parametrize(
    ("name", "mode", "teams", "best"),
    [
        ("1on1_bravado", "duel", {}, ("p4to", 34)),
        ("4on4_dm3", "tdm", {"red": 193, "blue": 199}, ("zorak", 76)),
        ("ctf_ctf5", "ctf", {"red": 670, "blue": 96}, ("lwz-velocity", 164)),
    ],
)
def test_quakeworld(name: str, mode: str, teams: dict[str, int], best: tuple[str, int]) -> None:
    game = only(report_of(f"gamelogs/quakeworld/qw_{name}.json"))
    assert (game.mode, game.ending) == (mode, Ending.FINISHED)
    assert team_scores(game) == teams
    scores = player_scores(game)
    assert max(scores.items(), key=lambda row: row[1]) == best
    assert deaths(game) == {}
