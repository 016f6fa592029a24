"""The rules of the Quake 3 family, each in a small invented log."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from ratings.gamelogs.sessions import Ending
from tests.ratings.gamelogs.logs import calls_of, only, player_scores, read, team_scores, told

INIT = r"  0:00 InitGame: \g_gametype\0\mapname\q3dm17\gamename\baseq3"
CTF = r"  0:00 InitGame: \g_gametype\4\mapname\q3ctf1\gamename\baseq3\g_redTeam\Foxes"


def join(slot: int, name: str, *, more: str = "", team: int = 0, clock: str = "0:01") -> str:
    return "\n".join(
        [
            f"  {clock} ClientConnect: {slot}",
            rf"  {clock} ClientUserinfoChanged: {slot} n\{name}\t\{team}\model\sarge{more}",
            f"  {clock} ClientBegin: {slot}",
        ]
    )


def log(*lines: str) -> str:
    return "\n".join([INIT, *lines, ""])


def test_names_may_hold_the_words_of_a_kill() -> None:
    game = only(
        read(
            log(
                join(0, "Ana killed Bo by"),
                join(1, "Bo"),
                "  0:05 Kill: 0 1 7: Ana killed Bo by killed Bo by MOD_ROCKET_SPLASH",
                "  0:06 Kill: 1 1 7: Bo killed Bo by MOD_ROCKET",
                "  0:07 Kill: 1022 0 22: <world> killed Ana killed Bo by by MOD_FALLING",
            )
        )
    )
    assert told(game) == ["frag Ana killed Bo by Bo", "suicide Bo", "world-death Ana killed Bo by"]
    assert [event.detail for event in game.events] == [
        "MOD_ROCKET_SPLASH",
        "MOD_ROCKET",
        "MOD_FALLING",
    ]


def test_a_game_without_an_exit_is_broken_off_or_cut_off() -> None:
    games = read(f"{INIT}\n{INIT}\n  1:00 ShutdownGame:\n{INIT}\n").sessions
    assert [game.ending for game in games] == [
        Ending.BROKEN_OFF,
        Ending.BROKEN_OFF,
        Ending.CUT_OFF,
    ]


def test_a_log_that_ends_among_the_final_scores_ends_in_the_middle_of_the_game() -> None:
    lines = [join(0, "Ana"), join(1, "Bo"), " 15:00 Exit: Timelimit hit."]
    first, second = (f" 15:00 score: {slot}  ping: 9  client: {slot} N" for slot in (0, 1))
    endings = [
        only(read(log(*lines, *scores))).ending
        for scores in ([], [first], [first, " 15:00 score: "], [first, second])
    ]
    assert endings == [Ending.FINISHED, Ending.CUT_OFF, Ending.CUT_OFF, Ending.FINISHED]
    stopped = only(read(log(*lines, first, " 15:09 ShutdownGame:")))
    assert stopped.ending == Ending.FINISHED


def test_an_exit_finishes_a_game_and_a_vote_does_not() -> None:
    limit, vote = read(
        f"{INIT}\n 15:00 Exit: Timelimit hit.\n{INIT}\n  2:00 Exit: Voted: map q3dm1\n"
        f"  2:00 ShutdownGame:\n"
    ).sessions
    assert limit.ending == Ending.FINISHED
    assert limit.duration == 900
    assert vote.ending == Ending.BROKEN_OFF


def test_scores_go_to_who_has_the_slot_at_the_end() -> None:
    game = only(
        read(
            log(
                join(0, "Ana"),
                "  0:30 ClientDisconnect: 0",
                join(0, "Bo", clock="0:40"),
                " 15:00 Exit: Timelimit hit.",
                " 15:00 score: -2  ping: 3  client: 0 Bo",
            )
        )
    )
    assert player_scores(game) == {"Bo": -2}
    assert [player.stays for player in game.players] == [((1.0, 30.0),), ((40.0, 900.0),)]


def test_who_comes_back_under_the_same_name_is_the_same_player() -> None:
    game = only(
        read(
            log(
                join(0, "Ana"),
                "  0:30 ClientDisconnect: 0",
                join(3, "^1A^7na", clock="0:40"),
            )
        )
    )
    (player,) = game.players
    assert player.identity == "name:ana"
    assert player.stays == ((1.0, 30.0), (40.0, 40.0))


def test_two_of_one_name_at_once_are_two_players_whom_nothing_tells_apart() -> None:
    game = only(read(log(join(0, "UnnamedPlayer"), join(1, "UnnamedPlayer"))))
    assert [player.identity for player in game.players] == [None, None]


def test_an_id_tells_people_apart_through_a_new_name() -> None:
    mine, other = (rf"\id\{key * 32}" for key in "AB")
    game = only(
        read(
            log(
                join(0, "Ana", more=mine),
                join(1, "Ana", more=other),
                "  0:30 ClientDisconnect: 0",
                join(2, "Zoe", more=mine, clock="0:50"),
            )
        )
    )
    assert [(player.identity, player.names) for player in game.players] == [
        (f"id:{'A' * 32}", ("Ana", "Zoe")),
        (f"id:{'B' * 32}", ("Ana",)),
    ]


def test_an_id_of_two_at_once_tells_nobody_apart_for_the_rest_of_the_log() -> None:
    shared = rf"\id\{'A' * 32}"
    text = log(join(0, "Ana", more=shared), join(1, "Bo", more=shared))
    first, second = read(text + log(join(0, "Ana", more=shared))).sessions
    assert [player.identity for player in first.players] == ["name:ana", "name:bo"]
    assert [player.identity for player in second.players] == ["name:ana"]


def test_openarena_announces_a_player_before_connecting_them() -> None:
    game = only(
        read(
            log(
                r"  0:01 ClientUserinfoChanged: 0 n\Ana\t\1\id\ABCD",
                "  0:01 ClientConnect: 0",
                "  0:02 ClientBegin: 0",
            )
        )
    )
    (player,) = game.players
    assert (player.name, player.team, player.identity) == ("Ana", "red", "id:ABCD")
    assert len(player.stays) == 1


def test_bots_and_spectators_are_marked() -> None:
    game = only(
        read(
            log(
                join(0, "Orbb", more=r"\skill\ 2.00"),
                join(1, "Ana", team=3),
                join(2, "Bo"),
                r"  0:02 ClientUserinfo: 2 \ip\bot\name\Bo",
            )
        )
    )
    marks = {player.name: (player.is_bot, player.is_spectator) for player in game.players}
    assert marks == {"Orbb": (True, False), "Ana": (False, True), "Bo": (True, False)}
    assert [player.identity for player in game.players] == ["bot:orbb", "name:ana", "bot:bo"]


def test_killing_a_team_mate_is_a_team_kill_and_leaving_a_team_is_no_suicide() -> None:
    report = read(
        "\n".join(
            [
                CTF,
                join(0, "Ana", team=1),
                join(1, "Bo", team=1),
                "  0:09 Kill: 0 1 7: Ana killed Bo by MOD_ROCKET",
                r"  0:10 ClientUserinfoChanged: 1 n\Bo\t\2",
                "  0:10 Kill: 1 1 10: Bo killed Bo by MOD_CHANGE_TEAM",
                "  0:11 Kill: 0 1 7: Ana killed Bo by MOD_ROCKET",
                " 20:00 Exit: Capturelimit hit.",
                " 20:00 red:8  blue:-1",
                " 20:02 Kill: 0 0 20: Ana killed Ana by MOD_SUICIDE",
            ]
        )
    )
    game = only(report)
    assert report.problems.total == 0
    assert told(game) == ["team-kill Ana Bo", "frag Ana Bo"]
    assert {player.name: player.team for player in game.players} == {"Ana": "red", "Bo": "blue"}
    assert team_scores(game) == {"red": 8, "blue": -1}
    assert game.result is not None
    assert [row.name for row in game.result.teams] == ["Foxes", ""]


def test_a_warm_up_in_the_block_of_its_game_is_a_session_by_itself() -> None:
    warmup, game = read(
        log(
            "  0:00 Warmup:",
            join(0, "Ana"),
            join(1, "Bo"),
            "  0:30 Kill: 0 1 7: Ana killed Bo by MOD_ROCKET",
            "  1:00 InitRound: ",
            "  1:30 Kill: 1 0 7: Bo killed Ana by MOD_ROCKET",
            " 15:00 Exit: Timelimit hit.",
        )
    ).sessions
    assert (warmup.is_warmup, told(warmup)) == (True, ["frag Ana Bo"])
    assert (game.is_warmup, told(game)) == (False, ["frag Bo Ana"])
    assert game.clock == 60
    assert game.duration == 840
    assert [player.name for player in game.players] == ["Ana", "Bo"]


@pytest.mark.parametrize(
    ("stamps", "at", "clock"),
    [
        (("1421:12", "1421:20"), None, 85272.0),
        (("20.5 ", "28.5 "), None, 20.5),
        (("", ""), None, 0.0),
        (
            ("1767225600|", "1767225608|"),
            datetime(2026, 1, 1, tzinfo=UTC),
            1767225600.0,
        ),
    ],
)
def test_stamps_are_read_in_all_their_forms(
    stamps: tuple[str, str], at: datetime | None, clock: float
) -> None:
    first, second = stamps
    game = only(
        read(
            rf"{first}InitGame: \g_gametype\0\mapname\q3dm1" + "\n"
            rf"{first}ClientUserinfoChanged: 0 n\Ana\t\0" + "\n"
            f"{second}Kill: 0 0 7: Ana killed Ana by MOD_ROCKET\n"
        )
    )
    assert (game.started_at, game.clock) == (at, clock)
    assert [event.seconds for event in game.events] == [8.0 if first else 0.0]


@pytest.mark.parametrize(
    "line",
    [
        "  0:00 ServerTime:\t20260102203000\t20:30:00 (2 Jan 2026)",
        r"  0:00 InitGame: \g_timestamp\2026-01-02 20:30:00",
    ],
)
def test_the_server_s_own_time_is_kept_without_a_zone(line: str) -> None:
    game = read(f"{INIT}\n{line}\n").sessions[-1]
    assert game.started_at == datetime(2026, 1, 2, 20, 30)


def test_bad_lines_are_counted_and_reading_goes_on() -> None:
    report = read(
        "  0:00 Kill: 0 1 7: a killed b by MOD_ROCKET\n"
        + log(
            join(0, "Ana"),
            " 26  0:00 ------------------------------------",
            "  0:02 Kill: 0 9 7: Ana killed nobody by MOD_ROCKET",
            "  0:02 Kill: 0 zero",
            "  0:02 Zorkmid: 7",
            "  0:02 score: many",
            "  0:03 Kill: 0 0 7: Ana killed Ana by MOD_ROCKET",
        )
    )
    assert [problem.line for problem in report.problems.first] == [1, 6, 7, 8, 9, 10]
    assert told(only(report)) == ["suicide Ana"]


def test_chat_and_addresses_are_in_nothing_that_is_read() -> None:
    report = read(
        log(
            join(0, "Ana"),
            r"  0:02 ClientUserinfo: 0 \ip\192.0.2.7:27960\name\Ana\cl_guid\ABCDEF",
            "  0:03 say: Ana: secret words",
            "  0:03 sayteam: Ana: secret words",
            "  0:04 secret words that broke out of their line",
        )
    )
    assert "secret" not in repr(report)
    assert "192.0.2" not in repr(report)


def test_a_warm_up_that_ends_again_and_again_costs_no_more_where_many_are_here() -> None:
    def steps(players: int, starts: int) -> int:
        here = "".join(
            f"0:00 ClientConnect: {at}\n0:00 ClientUserinfoChanged: {at} n\\P{at}\\t\\0\n"
            for at in range(players)
        )
        text = "0:00 InitGame: \\mapname\\q3\n" + here + "0:00 Warmup:\n0:00 Game_Start:\n" * starts
        return calls_of(lambda: read(text))

    # All have more lines than a format is recognised by.
    assert steps(300, 400) - steps(300, 300) == steps(3, 400) - steps(3, 300)
