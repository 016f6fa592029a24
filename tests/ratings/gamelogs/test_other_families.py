"""The rules of the other families, each in a small invented log."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest

from ratings.gamelogs.names import quakeworld_name, xonotic_name
from ratings.gamelogs.sessions import Ending, LogFormat
from tests.ratings.gamelogs.logs import names, only, player_scores, read, team_scores, told

COD = r"  0:00 InitGame: \g_gametype\{}\gamename\Call of Duty 4\mapname\mp_test"


def cod(*lines: str, mode: str = "war") -> str:
    return "\n".join([COD.format(mode), *(f"  0:0{at} {text}" for at, text in enumerate(lines))])


def test_call_of_duty_tells_deaths_apart() -> None:
    game = only(
        read(
            cod(
                "J;aa1;0;Ana",
                "J;aa2;1;Bo",
                "JT;aa3;2;allies;Cy;",
                "K;aa2;1;axis;Bo;aa1;0;allies;Ana;m4_mp;56;MOD_RIFLE_BULLET;head",
                "K;aa3;2;;Cy;aa1;0;allies;Ana;m4_mp;56;MOD_RIFLE_BULLET;head",
                "K;aa1;0;allies;Ana;aa1;0;allies;Ana;frag_mp;99;MOD_GRENADE;none",
                "K;aa1;0;allies;Ana;;-1;world;;none;110;MOD_FALLING;none",
                "D;aa2;1;axis;Bo;aa1;0;allies;Ana;m4_mp;12;MOD_RIFLE_BULLET;head",
                "W;aa1;0;Ana",
            )
        )
    )
    assert told(game) == [
        "frag Ana Bo",
        "team-kill Ana Cy",
        "suicide Ana",
        "world-death Ana",
        "damage Ana Bo",
    ]
    assert game.result is not None
    assert [game.players[at].name for at in game.result.winners] == ["Ana"]
    assert game.ending == Ending.FINISHED


def test_one_label_for_all_in_a_free_for_all_makes_no_team_kill() -> None:
    line = "K;aa2;1;allies;Bo;aa1;0;allies;Ana;m4_mp;56;MOD_RIFLE_BULLET;head"
    game = only(read(cod(line, mode="dm")))
    assert told(game) == ["frag Ana Bo"]
    assert {player.team for player in game.players} == {""}


def test_an_id_that_several_share_leaves_it_to_the_names() -> None:
    game = only(read(cod("J;aa1;0;Ana", "J;aa1;1;Bo", "J;;2;Cy", "J;0;3;Di")))
    assert [player.identity for player in game.players] == [
        *("name:ana", "name:bo", "name:cy", "name:di")
    ]


def test_a_game_of_call_of_duty_may_be_announced_twice() -> None:
    head = COD.format("war")
    report = read(f"{head}\n{head}\n  0:01 J;aa1;0;Ana\n 10:00 ExitLevel: executed\n")
    game = only(report)
    assert (game.first_line, game.ending, game.duration) == (1, Ending.FINISHED, 600)


def test_stamps_of_call_of_duty_may_count_from_1970() -> None:
    game = only(read(cod("J;aa1;0;Ana").replace("  0:00 ", "1767225600 ")))
    assert game.started_at == datetime(2026, 1, 1, tzinfo=UTC)


def test_odd_lines_of_call_of_duty_are_counted() -> None:
    report = read(cod("J;aa1;0;Ana", "say;aa1;0;Ana;secret", "ZORK;secret", "K;aa1;0;", "J;;x;y"))
    assert [problem.line for problem in report.problems.first] == [4, 5, 6]
    assert "secret" not in repr(report)


XONOTIC = """:gamestart:ctf_dance:0.77
:join:1:1:2001:db8::7:^1Ana
:join:2:2:192.0.2.7:Bo:^x0F0x
:join:3:bot:Cy
:team:1:5:1
:team:2:14:1
:team:3:14:1
:kill:frag:1:2:type=VORTEX:items=1
:kill:tk:2:3:type=MORTAR
:kill:suicide:3:3:type=MORTAR
:kill:accident:2:2:type=FALL
:ctf:steal:14:1
:ctf:capture:14:5:1
:name:1:Ana^7 II
:kill:zork:1:2
:part:3
:kill:frag:1:3:type=VORTEX
:scores:ctf_dance:300
:labels:player:kills,score!!
:player:see-labels:1,20:300:5:1:Ana^7 II
:player:see-labels:0,many:300:14:2:Bo:x
:labels:teamscores:score,caps!!
:teamscores:see-labels:20,1:5
:teamscores:see-labels:3,0:14
:teamscores:see-labels::1
:end
:gameover
secret words
"""


def test_xonotic_reads_events_teams_and_scores() -> None:
    report = read(XONOTIC)
    game = only(report)
    assert told(game) == [
        *("frag Ana II Bo:x", "team-kill Bo:x Cy", "suicide Cy", "world-death Bo:x"),
        *("flag-taken Ana II", "capture Ana II"),
    ]
    assert (game.match_id, game.map, game.mode) == ("0.77", "dance", "ctf")
    assert (game.duration, game.ending) == (300, Ending.FINISHED)
    assert team_scores(game) == {"red": 1, "blue": 0}
    assert player_scores(game) == {"Ana II": 20}
    assert {player.name: player.is_bot for player in game.players}["Cy"]
    assert [problem.line for problem in report.problems.first] == [15, 17, 21]
    assert "192.0.2" not in repr(report)
    assert "db8" not in repr(report)
    assert "secret" not in repr(report)


def test_a_restart_of_xonotic_breaks_a_game_off() -> None:
    first, second = read(":gamestart:dm_a:1\n:restart\n:gamestart:dm_a:2\n").sessions
    assert (first.ending, second.ending) == (Ending.BROKEN_OFF, Ending.CUT_OFF)


@pytest.mark.parametrize(
    ("text", "name"),
    [("^x0F3A^7na^^", "Ana^"), ("\ue041n\ue0e1", "Ana"), ("Ünal", "Ünal")],
)
def test_names_of_xonotic(text: str, name: str) -> None:
    assert xonotic_name(text) == name


def test_names_of_quakeworld_are_folded_to_letters() -> None:
    assert quakeworld_name("\x10\xc1\xee\xe1\x11 \x12\x9b") == "[Ana] 09"


UNREAL = "\n".join(
    [
        "0.00\tinfo\tLog_Standard\tngLog",
        "0.00\tinfo\tAbsolute_Time\t2026.01.02.20.30.00.123.5.5",
        "0.00\tinfo\tServer_IP\t192.0.2.7",
        "0.00\tmap\tName\tCTF-Test.unr",
        "0.00\tgame\tGameName\tCapture the Flag",
        "0.00\tgame\tTeamGame\tTrue",
        "1.00\tplayer\tConnect\tAna\t0\tFalse",
        "1.00\tplayer\tTeam\t0\t0",
        "1.00\tplayer\tIP\t0\t192.0.2.8",
        "2.00\tplayer\tRename\tBo\t1",
        "2.00\tplayer\tTeamchange\t1\t1",
        "2.00\tplayer\tIsABot\t1\tTrue",
        "3.00\tplayer\tConnect\tCy\t2\tFalse",
        "3.00\tplayer\tTeam\t2\t0",
        "4.00\tgame_start",
        "5.00\tkill\t0\tFlak Cannon\t1\tEnforcer\tshredded",
        "6.00\tteamkill\t0\tRipper\t2\tEnforcer\tshredded",
        "7.00\tsuicide\t2\tRipper\tshredded\tSelf",
        "8.00\tflag_captured\t0\t1",
        "8.50\tplayer\tDisconnect\t2",
        "9.00\tgame_end\t{}",
        "9.00\tteamscore\t0\t1.000",
        "9.00\tteamscore\t1\t0",
        "9.00\tstat_player\tscore\t0\t8",
        "9.00\tstat_player\tscore\t2\t-1",
        "",
    ]
)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le"])
def test_unreal_is_read_in_both_encodings(encoding: str) -> None:
    from ratings.gamelogs.reading import read_log

    report = read_log(UNREAL.format("fraglimit").encode(encoding))
    assert (report.format, report.problems.total) == (LogFormat.UNREAL, 0)
    game = only(report)
    assert told(game) == ["frag Ana Bo", "team-kill Ana Cy", "suicide Cy", "capture Ana"]
    assert {player.name: player.team for player in game.players} == {
        "Ana": "red",
        "Bo": "blue",
        "Cy": "red",
    }
    assert team_scores(game) == {"red": 1, "blue": 0}
    assert player_scores(game) == {"Ana": 8, "Cy": -1}
    zone = timezone(timedelta(hours=5.5))
    assert game.started_at == datetime(2026, 1, 2, 20, 30, tzinfo=zone)
    assert "192.0.2" not in repr(report)


def test_a_change_of_map_breaks_a_game_of_unreal_off() -> None:
    assert only(read(UNREAL.format("mapchange"))).ending == Ending.CUT_OFF


def test_a_log_of_unreal_that_ends_before_the_scores_ends_in_the_game() -> None:
    lines = UNREAL.format("fraglimit").splitlines()
    assert only(read("\n".join(lines))).ending == Ending.FINISHED
    assert only(read("\n".join(lines[:-2]))).ending == Ending.CUT_OFF


def teeworlds(*lines: str, stamp: str = "2026-01-02 20:30:0{}") -> str:
    return "\n".join(
        f"[{stamp.format(at)}][{line.partition(' ')[0]}]: {line.partition(' ')[2]}"
        for at, line in enumerate(lines)
    )


def test_a_start_of_teeworlds_leaves_the_warm_up_behind() -> None:
    warmup, game = read(
        teeworlds(
            "datafile loading. filename='maps/ctf1.map'",
            "game team_join player='0:Ana' team=0",
            "game team_join player='1:Bo' team=1",
            "game kill killer='0:0:Ana' victim='1:1:Bo' weapon=1 special=0",
            "game start match type='CTF' teamplay='1'",
            "game kill killer='0:0:Ana' victim='1:1:Bo' weapon=1 special=0",
            "game kill killer='0:0:Ana' victim='0:0:Ana' weapon=3 special=0",
            "game kill killer='1:1:Bo' victim='1:1:Bo' weapon=-1 special=0",
            "chat 0:0:Ana: secret words",
        )
    ).sessions
    assert (warmup.is_warmup, told(warmup)) == (True, ["frag Ana Bo"])
    assert told(game) == ["frag Ana Bo", "suicide Ana", "world-death Bo"]
    assert (game.map, game.mode) == ("ctf1", "ctf")
    assert {player.name: player.team for player in game.players} == {"Ana": "red", "Bo": "blue"}
    assert game.started_at == datetime(2026, 1, 2, 20, 30, 4)
    assert "secret" not in repr(game)


def test_names_of_teeworlds_may_hold_quotes_and_numbers() -> None:
    odd = "A' victim='5:"
    game = only(
        read(
            teeworlds(
                f"game team_join player='a:{odd}' team=0",
                "game team_join player='1:B/o\\' team=0",
                f"game kill killer='a:{odd}' victim='1:B/o\\' weapon=1 special=0",
                stamp="5d87899{}",
            )
        )
    )
    assert told(game) == [f"frag {odd} B/o\\"]
    assert {player.team for player in game.players} == {""}
    assert game.started_at is not None
    assert game.started_at.tzinfo is UTC


def test_quakeworld_counts_players_that_make_no_sense() -> None:
    document = {
        "version": 3,
        "date": "2026-01-02 20:40:00 +0100",
        "map": "dm3",
        "hostname": "192.0.2.7",
        "mode": "team",
        "duration": 600,
        "players": [
            {"name": "Ana", "team": "red", "stats": {"frags": 7}, "login": "ana"},
            {"name": "Bo", "team": "blue", "stats": {"frags": True}},
            {"name": "Cy", "team": "blue"},
            7,
        ],
    }
    report = read(json.dumps(document))
    game = only(report)
    assert report.problems.total == 3
    assert (names(game), team_scores(game)) == ({"Ana"}, {"red": 7})
    assert game.players[0].identity == "id:ana"
    assert game.started_at is not None
    assert game.started_at.astimezone(UTC) == datetime(2026, 1, 2, 19, 30, tzinfo=UTC)
    assert "192.0.2" not in repr(report)


def test_a_damaged_document_of_quakeworld_is_one_problem() -> None:
    report = read('{"version": 3, "date": "", "map": "a", "hostname": "b", "mode": "c", [')
    assert (report.format, report.sessions) == (LogFormat.QUAKEWORLD, ())
    assert report.problems.total == 1
