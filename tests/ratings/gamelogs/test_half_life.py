"""The rules of the HL Log Standard, each in a small invented log."""

from __future__ import annotations

import itertools
from datetime import datetime

import pytest

from ratings.gamelogs.sessions import Ending
from tests.ratings.gamelogs.logs import calls_of, only, read, team_scores, told

ANA, BO = '"Ana<2><STEAM_1:0:11><CT>"', '"Bo<3><STEAM_1:0:12><TERRORIST>"'


def log(*lines: str) -> str:
    """The lines a second apart, from half past eight."""
    return "".join(
        f"L 01/02/2026 - 20:{30 + at // 60:02}:{at % 60:02}: {line}\n"
        for at, line in enumerate(('Started map "de_test" (CRC "1")', *lines))
    )


def kill(killer: str, victim: str, more: str = "") -> str:
    return f'{killer} [1 2 3] killed {victim} [4 5 6] with "ak47"{more}'


def test_a_match_begins_at_the_last_start_before_its_end() -> None:
    warmup, restarted, match = read(
        log(
            kill(ANA, BO),
            'World triggered "Match_Start" on "de_test"',
            kill(BO, ANA),
            'Team "CT" triggered "SFUI_Notice_CTs_Win" (CT "1") (T "0")',
            'World triggered "Match_Start" on "de_test"',
            kill(ANA, BO, " (headshot)"),
            'Team "CT" triggered "SFUI_Notice_CTs_Win" (CT "1") (T "0")',
            "Game Over: competitive mg_active de_test score 1:0 after 3 min",
            kill(ANA, BO),
        )
    ).sessions
    assert (warmup.is_warmup, warmup.ending) == (True, Ending.BROKEN_OFF)
    assert (restarted.is_warmup, restarted.ending) == (False, Ending.BROKEN_OFF)
    assert match.ending == Ending.FINISHED
    assert told(match) == ["frag Ana Bo", "round-won"]
    assert match.started_at == datetime(2026, 1, 2, 20, 30, 5)
    assert (match.mode, match.map) == ("competitive", "de_test")
    assert match.duration == 3
    assert team_scores(match) == {"CT": 1, "TERRORIST": 0}


def test_a_warm_up_that_the_server_names_is_one_to_its_end() -> None:
    warmup, match = read(
        log(
            'World triggered "Warmup_Start"',
            kill(ANA, BO),
            'Team "CT" triggered "SFUI_Notice_CTs_Win" (CT "1") (T "0")',
            'World triggered "Match_Start" on "de_test"',
            "JSON_BEGIN{",
            '"name": "round_stats",',
            '"player_0" : "2, 3",',
            "}}JSON_END",
            kill(ANA, BO),
        )
    ).sessions
    assert (warmup.is_warmup, match.is_warmup) == (True, False)


def test_who_left_before_the_sides_swapped_is_counted_with_their_own() -> None:
    game = only(
        read(
            log(
                kill(ANA, BO),
                '"Cy<4><STEAM_1:0:13><CT>" disconnected (reason "Disconnect")',
                '"Ana<2><STEAM_1:0:11>" switched from team <CT> to <TERRORIST>',
                '"Bo<3><STEAM_1:0:12>" switched from team <TERRORIST> to <CT>',
                'World triggered "Round_Start"',
            ).replace("20:30:04", "20:30:03")
        )
    )
    teams = {player.name: player.team for player in game.players}
    assert teams == {"Ana": "TERRORIST", "Bo": "CT", "Cy": "TERRORIST"}


def test_one_player_who_changes_sides_swaps_nobody_else() -> None:
    game = only(
        read(
            log(
                kill(ANA, BO),
                '"Cy<4><STEAM_1:0:13><CT>" disconnected (reason "Disconnect")',
                '"Ana<2><STEAM_1:0:11>" switched from team <CT> to <TERRORIST>',
                'World triggered "Round_Start"',
            )
        )
    )
    assert {player.name: player.team for player in game.players}["Cy"] == "CT"


def test_rounds_before_a_reload_are_taken_back() -> None:
    def won(ct: int, t: int) -> str:
        return f'Team "CT" triggered "SFUI_Notice_CTs_Win" (CT "{ct}") (T "{t}")'

    begins = 'World triggered "Round_Start"'
    game = only(
        read(
            log(
                *(begins, kill(ANA, BO), won(1, 0)),
                *(begins, kill(BO, ANA), won(2, 0)),
                'World triggered "Match_Reloaded" on "de_test"',
                *(begins, kill(ANA, BO), won(2, 0)),
            )
        )
    )
    assert told(game) == ["frag Ana Bo", "round-won", "frag Ana Bo", "round-won"]


def test_names_may_hold_angles_and_bars() -> None:
    odd = '"<2><x> | A<na<7><STEAM_1:0:17><CT>"'
    game = only(read(log(kill(odd, BO), kill(BO, odd))))
    assert told(game) == ["frag <2><x> | A<na Bo", "frag Bo <2><x> | A<na"]


def test_team_kills_suicides_bombs_assists_and_damage() -> None:
    mate = '"Cy<4><STEAM_1:0:13><CT>"'
    game = only(
        read(
            log(
                kill(ANA, mate),
                f'{ANA} committed suicide with "world"',
                f"{BO} [1 2 3] was killed by the bomb.",
                f"{mate} assisted killing {BO}",
                f"{mate} flash-assisted killing {BO}",
                f'{ANA} [1 2 3] attacked {BO} [4 5 6] with "ak47" (damage "27") (health "73")',
                kill(ANA, '"chicken<99>"').replace("killed", "killed other"),
                kill(ANA, BO, ' (customkill "feign_death")'),
            )
        )
    )
    assert told(game) == [
        "team-kill Ana Cy",
        "suicide Ana",
        "world-death Bo",
        "assist Cy Bo",
        "assist Cy Bo",
        "damage Ana Bo",
    ]
    assert game.events[-1].value == 27


def test_an_id_of_everybody_leaves_it_to_the_names() -> None:
    nobody = "STEAM_0:0:0000000000"
    game = only(
        read(log(kill(ANA.replace("STEAM_1:0:11", nobody), BO.replace("STEAM_1:0:12", nobody))))
    )
    assert [player.identity for player in game.players] == ["name:ana", "name:bo"]


def test_who_reconnects_under_another_name_is_the_same_player() -> None:
    game = only(
        read(
            log(
                kill(ANA, BO),
                '"Ana<2><STEAM_1:0:11><CT>" disconnected (reason "timed out")',
                '"Zoe<9><STEAM_1:0:11><>" connected, address "192.0.2.7:27005"',
                '"Zoe<9><STEAM_1:0:11><>" entered the game',
                '"Zoe<9><STEAM_1:0:11>" switched from team <Unassigned> to <CT>',
                kill(BO, '"Zoe<9><STEAM_1:0:11><CT>"'),
            )
        )
    )
    assert [player.names for player in game.players] == [("Ana", "Zoe"), ("Bo",)]
    assert "192.0.2" not in repr(game)


def test_a_map_of_goldsrc_is_over_when_its_scores_are_written() -> None:
    first, second = read(
        log(
            kill(ANA, BO),
            'Team "CT" triggered "CTs_Win" (CT "1") (T "0")',
            'Team "CT" scored "1" with "1" players',
            'Team "TERRORIST" scored "0" with "1" players',
            'Loading map "de_next"',
            'Started map "de_next" (CRC "1")',
            kill(BO, ANA),
        )
    ).sessions
    assert (first.ending, first.duration) == (Ending.FINISHED, 4)
    assert team_scores(first) == {"CT": 1, "TERRORIST": 0}
    assert (second.map, second.ending) == ("de_next", Ending.CUT_OFF)


def test_a_log_of_one_map_is_over_when_it_is_closed_behind_its_scores() -> None:
    scored = (
        'Team "CT" scored "1" with "1" players',
        'Team "TERRORIST" scored "0" with "1" players',
    )
    closed = only(read(log(kill(ANA, BO), *scored, "Log file closed")))
    open_log = only(read(log(kill(ANA, BO), *scored)))
    assert (closed.ending, open_log.ending) == (Ending.FINISHED, Ending.CUT_OFF)


def test_what_was_before_the_first_round_of_team_fortress_is_a_warm_up() -> None:
    red, blue = '"Ana<2><[U:1:11]><Red>"', '"Bo<3><[U:1:12]><Blue>"'
    warmup, game = read(
        log(
            kill(red, blue),
            'World triggered "Round_Start"',
            f'{red} triggered "flagevent" (event "picked up") (position "1 2 3")',
            f'{red} triggered "flagevent" (event "captured") (position "1 2 3")',
            'World triggered "Round_Win" (winner "Red")',
            'World triggered "Round_Start"',
            kill(blue, red),
            'World triggered "Game_Over" reason "Reached Win Limit"',
            'Team "Red" final score "1" with "1" players',
            'Team "Blue" final score "0" with "1" players',
        )
    ).sessions
    assert (warmup.is_warmup, told(warmup)) == (True, ["frag Ana Bo"])
    assert told(game) == ["flag-taken Ana", "capture Ana", "round-won", "frag Bo Ana"]
    assert team_scores(game) == {"Red": 1, "Blue": 0}
    assert game.ending == Ending.FINISHED


@pytest.mark.parametrize(
    ("lines", "scores", "ending"),
    [
        (['final score "1"', 'final score "7"'], {"Red": 1, "Blue": 7}, Ending.FINISHED),
        (['final score "1"', None], {"Red": 1}, Ending.FINISHED),
        ([None, None], {}, Ending.CUT_OFF),
        (['final score "1"', None, 'current score "1"', 'current score "7"'], {"Red": 1, "Blue": 7},
         Ending.FINISHED),
        ([None, None, 'current score "1"', 'current score "7"'], {"Red": 1, "Blue": 7},
         Ending.FINISHED),
    ],
)  # fmt: skip
def test_a_final_score_that_was_lost_is_the_next_one_that_is_said(
    lines: list[str | None], scores: dict[str, int], ending: Ending
) -> None:
    red, blue = '"Ana<2><[U:1:11]><Red>"', '"Bo<3><[U:1:12]><Blue>"'
    teams = itertools.cycle(("Red", "Blue"))
    said = [f'Team "{team}" {line}' for team, line in zip(teams, lines, strict=False) if line]
    over = 'World triggered "Game_Over" reason "Reached Win Limit"'
    game = only(read(log('World triggered "Round_Start"', kill(red, blue), over, *said)))
    assert (team_scores(game), game.ending) == (scores, ending)


def test_prefixes_milliseconds_and_blank_lines_of_other_servers_are_read() -> None:
    whole = log(kill(ANA, BO))
    for text in (
        whole.replace("L 01", "01"),
        whole.replace("L 01", "????log L 01").replace("\n", "\n \n"),
        whole.replace(": ", ".123: ", 1).replace("20:30:01: ", "20:30:01.999 - "),
    ):
        report = read(text)
        assert report.problems.total == 0
        assert told(only(report)) == ["frag Ana Bo"]


def test_chat_is_in_nothing_that_is_read_and_odd_lines_are_counted() -> None:
    report = read(
        log(
            kill(ANA, BO),
            f'{ANA} say "secret words"',
            f'{ANA} say_team "secret words"',
            '"Console<0><Console><Console>" say "secret words"',
            f'{ANA} zorked "secret words"',
            '"secret words',
            kill(ANA, '"nobody'),
        )
        + "L 13/45/2026 - 20:30:00: secret words\nsecret words\n"
    )
    assert [problem.line for problem in report.problems.first] == [6, 7, 8, 9, 10]
    assert "secret" not in repr(report)


def test_a_start_costs_no_more_where_many_are_here() -> None:
    """Each line of a log may say that a match begins."""
    start = 'World triggered "Match_Start" on "d"'

    def steps(players: int, starts: int) -> int:
        here = (f'"P{at}<{at}><STEAM_1:0:{at + 1}><CT>" entered the game' for at in range(players))
        text = log(*here, *[start] * starts)
        return calls_of(lambda: read(text))

    # All have more lines than a format is recognised by.
    assert steps(300, 400) - steps(300, 300) == steps(3, 400) - steps(3, 300)


def test_who_does_nothing_after_a_start_is_no_player_of_that_match() -> None:
    idle = '"Cy<4><STEAM_1:0:13><CT>"'
    start = 'World triggered "Match_Start" on "d"'
    before, match = read(
        log(kill(ANA, BO), kill(BO, idle), start, kill(ANA, BO), "Log file closed")
    ).sessions
    assert [player.name for player in before.players] == ["Ana", "Bo", "Cy"]
    assert [player.name for player in match.players] == ["Ana", "Bo"]
    assert match.players[0].stays == ((0.0, 2.0),)
