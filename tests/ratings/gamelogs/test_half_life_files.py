"""The check values of real logs in the HL Log Standard."""

from __future__ import annotations

from datetime import datetime

import pytest

from ratings.gamelogs.sessions import Ending, GameEventKind, GameSession, LogFormat, LogReport
from tests.ratings.gamelogs.logs import deaths, events, frags, kinds, report_of, team_scores

FOLDER = "gamelogs/source/"


def finished(report: LogReport) -> GameSession:
    assert report.format == LogFormat.HALF_LIFE
    (game,) = [game for game in report.sessions if game.ending == Ending.FINISHED]
    return game


def killed(game: GameSession) -> int:
    return sum(kinds(game)[kind] for kind in (GameEventKind.FRAG, GameEventKind.TEAM_KILL))


def score_of(game: GameSession, name: str) -> tuple[int, int]:
    """Frags and deaths of the player whose name ends so."""
    (whole,) = [one.name for one in game.players if one.name.removesuffix(" (100)").endswith(name)]
    return frags(game)[whole], deaths(game)[whole]


@pytest.mark.parametrize(
    ("name", "scores", "rounds", "kills", "team_kills", "players"),
    [
        (
            "csgo_nuel_overpass",
            (14, 16),
            30,
            195,
            0,
            {"Tobz": (31, 15), "m_fx ☻": (26, 21), "Enigma": (23, 21)},
        ),
        ("csgo_nuel_train", (5, 16), 21, 135, 1, {"OriginalG x": (22, 6), "oaK": (4, 17)}),
    ],
)
def test_a_match_of_global_offensive(
    name: str,
    scores: tuple[int, int],
    rounds: int,
    kills: int,
    team_kills: int,
    players: dict[str, tuple[int, int]],
) -> None:
    report = report_of(f"{FOLDER}{name}.log")
    assert report.problems.total == 0
    game = finished(report)
    assert tuple(team_scores(game).values()) == scores
    assert len(events(game, GameEventKind.ROUND_WON)) == rounds
    assert killed(game) == kills
    assert kinds(game)["team-kill"] == team_kills
    assert {who: score_of(game, who) for who in players} == players


def test_the_match_of_overpass_begins_at_its_last_start() -> None:
    game = finished(report_of(f"{FOLDER}csgo_nuel_overpass.log"))
    assert game.started_at == datetime(2018, 2, 24, 16, 1, 13)
    assert game.duration == 3675
    assert kinds(game)["world-death"] == 2
    people = [player for player in game.players if not (player.is_bot or player.is_spectator)]
    assert len(people) == 10
    assert [sum(player.team == side for player in people) for side in ("CT", "TERRORIST")] == [5, 5]


def test_the_match_of_train_has_two_teams_of_one_name_and_a_player_of_two() -> None:
    game = finished(report_of(f"{FOLDER}csgo_nuel_train.log"))
    assert game.started_at == datetime(2018, 2, 24, 17, 21, 18)
    assert game.result is not None
    assert [team.name for team in game.result.teams] == ["Lancaster Bombers"] * 2


def test_a_game_of_bots_over_udp() -> None:
    report = report_of(f"{FOLDER}cs16_podbot_udp.log")
    game, following = report.sessions
    assert game.ending == Ending.FINISHED
    assert (game.map, following.map) == ("de_falling2", "de_falling")
    assert killed(game) == 86
    assert sum(player.is_bot for player in game.players) == 7
    assert team_scores(game) == {"CT": 15, "TERRORIST": 4}
    assert score_of(game, "DaTa") == (20, 10)


def test_captures_are_the_score_of_doublecross() -> None:
    report = report_of(f"{FOLDER}tf2_ctf_doublecross.log")
    game = finished(report)
    assert game.started_at == datetime(2011, 1, 24, 18, 38, 9)
    assert team_scores(game) == {"Red": 2, "Blue": 7}
    assert kinds(game)["capture"] == 9
    assert killed(game) == 184
    assert score_of(game, "Kellah") == (29, 12)
    assert report.sessions[0].is_warmup


def test_two_halves_of_badlands() -> None:
    report = report_of(f"{FOLDER}tf2_badlands_2halves.log")
    warmup, first, second = report.sessions
    assert warmup.is_warmup
    assert first.ending == Ending.FINISHED
    assert team_scores(first) == {"Red": 0, "Blue": 4}
    assert len(events(first, GameEventKind.ROUND_WON)) == 5
    assert killed(first) == 366
    assert score_of(first, "brown magic") == (44, 13)
    assert second.ending == Ending.CUT_OFF
    assert team_scores(second) == {"Red": 1, "Blue": 0}


def test_viaduct_ends_without_an_end() -> None:
    report = report_of(f"{FOLDER}tf2_koth_viaduct.log")
    game = report.sessions[-1]
    assert game.ending == Ending.CUT_OFF
    assert team_scores(game) == {"Red": 0, "Blue": 4}
    assert killed(game) == 303
    assert score_of(game, "neet") == (54, 9)


def test_a_truncated_log_loses_its_last_line_only() -> None:
    report = report_of(f"{FOLDER}tf2_truncated_corrupt.log")
    assert [problem.line for problem in report.problems.first] == [45]
    assert sum(killed(game) for game in report.sessions) == 7
