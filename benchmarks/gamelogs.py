"""How many lines of a game log a second one process reads, where nearly every line is an event.

Real logs are faster: most of their lines say nothing about who beat whom.
"""

from __future__ import annotations

import io
import random
import time
from collections.abc import Callable
from functools import partial
from typing import Final

from benchmarks.report import Report, Row
from ratings.gamelogs.reading import read_sessions, recognise
from ratings.gamelogs.sessions import Problems

GAMES: Final = 50
EVENTS: Final = 4_000
PLAYERS: Final = 16
LINES_A_SECOND: Final = 50_000
HITS: Final = 2
"""Hits before each kill, in logs that tell of damage."""
ROUNDS: Final = 3


def quake3(rng: random.Random, events: int = EVENTS) -> list[str]:
    """A game of Quake 3."""
    lines = [r"  0:00 InitGame: \g_gametype\0\mapname\q3dm17\gamename\baseq3"]
    for slot in range(PLAYERS):
        lines += [
            f"  0:00 ClientConnect: {slot}",
            rf"  0:00 ClientUserinfoChanged: {slot} n\^1Player ^7{slot}\t\0\model\sarge\c1\4",
            f"  0:00 ClientBegin: {slot}",
        ]
    for at in range(events):
        one, other = rng.sample(range(PLAYERS), 2)
        clock = f"{at // 60:3}:{at % 60:02}"
        lines.append(
            f"{clock} Kill: {one} {other} 7: Player {one} killed Player {other} by MOD_ROCKET"
        )
    return [*lines, " 70:00 Exit: Timelimit hit.", " 70:00 ShutdownGame:"]


def half_life(rng: random.Random, *, hits: int = 0) -> list[str]:
    """A match of Counter-Strike, with so many hits before each kill."""

    def player(number: int) -> str:
        team = ("CT", "TERRORIST")[number % 2]
        return f'"Player {number}<{number}><STEAM_1:0:{1000 + number}><{team}>"'

    stamp = "L 01/02/2026 - 20:{:02}:{:02}: "
    lines = [stamp.format(0, 0) + 'World triggered "Match_Start" on "de_test"']
    for at in range(EVENTS):
        one, other = rng.sample(range(2, 2 + PLAYERS), 2)
        clock = stamp.format(at // 60 % 60, at % 60)
        if at % (hits + 1) < hits:
            lines.append(
                f'{clock}{player(one)} [-1 22 3] attacked {player(other)} [44 5 6] with "ak47" '
                '(damage "27") (damage_armor "3") (health "73") (armor "90") (hitgroup "chest")'
            )
        else:
            lines.append(
                f"{clock}{player(one)} [-1 22 3] killed {player(other)} [44 5 6] "
                'with "ak47" (headshot)'
            )
    over = "Game Over: competitive mg_active de_test score 16:14 after 66 min"
    return [*lines, stamp.format(59, 59) + over]


def call_of_duty(rng: random.Random, *, hits: int = 0) -> list[str]:
    """A game of Call of Duty, with so many hits before each kill."""
    lines = [r"  0:00 InitGame: \g_gametype\war\gamename\Call of Duty 4\mapname\mp_test"]

    def player(number: int) -> str:
        return f"{number:032x};{number};{('allies', 'axis')[number % 2]};Player {number}"

    for at in range(EVENTS):
        one, other = rng.sample(range(1, 1 + PLAYERS), 2)
        kind = "D" if at % (hits + 1) < hits else "K"
        lines.append(
            f"{at // 60:3}:{at % 60:02} {kind};{player(one)};{player(other)};"
            "m4_mp;56;MOD_RIFLE_BULLET;torso_lower"
        )
    return [*lines, " 70:00 ExitLevel: executed", " 70:00 ShutdownGame:"]


def xonotic(rng: random.Random) -> list[str]:
    """A game of Xonotic."""
    lines = [f":gamestart:dm_test:{rng.random()}"]
    lines += [f":join:{1 + slot}:{slot}:192.0.2.7:Player {slot}" for slot in range(PLAYERS)]
    for _event in range(EVENTS):
        one, other = rng.sample(range(1, 1 + PLAYERS), 2)
        lines.append(f":kill:frag:{one}:{other}:type=VORTEX:items=1")
    return [*lines, ":end", ":gameover"]


def unreal(rng: random.Random) -> list[str]:
    """A game of Unreal Tournament, whose files hold one each."""
    lines = ["0.00\tinfo\tLog_Standard\tngLog", "0.00\tgame\tGameName\tDeathMatch"]
    lines += [f"1.00\tplayer\tConnect\tPlayer {slot}\t{slot}\tFalse" for slot in range(PLAYERS)]
    lines.append("4.00\tgame_start")
    for at in range(GAMES * EVENTS):
        one, other = rng.sample(range(PLAYERS), 2)
        lines.append(f"{5 + at}.00\tkill\t{one}\tFlak Cannon\t{other}\tEnforcer\tshredded")
    return [*lines, "999999.00\tgame_end\tfraglimit"]


def teeworlds(rng: random.Random) -> list[str]:
    """A game of Teeworlds."""
    stamp = "[2026-01-02 20:{:02}:{:02}]"
    begin = stamp.format(0, 0)
    lines = [
        f"{begin}[datafile]: loading. filename='maps/dm1.map'",
        *(
            f"{begin}[game]: team_join player='{slot}:Player {slot}' team=0"
            for slot in range(PLAYERS)
        ),
        f"{begin}[game]: start match type='DM' teamplay='0'",
    ]
    for at in range(EVENTS):
        one, other = rng.sample(range(PLAYERS), 2)
        lines.append(
            f"{stamp.format(at // 60 % 60, at % 60)}[game]: kill killer='{one}:0:Player {one}' "
            f"victim='{other}:0:Player {other}' weapon=1 special=0"
        )
    return lines


def json_lines(
    rng: random.Random, *, hits: int = 0, events: int = EVENTS, started_at: str = ""
) -> list[str]:
    """A game in our own format, with so many hits before each frag."""
    start = f', "started_at": "{started_at}"' if started_at else ""
    lines = [f'{{"type": "game", "game": "hover", "map": "dome", "mode": "ffa"{start}}}']
    lines += [
        f'{{"type": "player", "player": {slot}, "name": "Player {slot}", "at": 0}}'
        for slot in range(PLAYERS)
    ]
    for at in range(events):
        one, other = rng.sample(range(PLAYERS), 2)
        kind, value = "frag", ""
        if at % (hits + 1) < hits:
            kind, value = "damage", f'"value": {rng.randint(1, 100)}, '
        lines.append(
            f'{{"type": "event", "kind": "{kind}", "actor": {one}, "target": {other}, '
            f'{value}"detail": "disc", "at": {at}}}'
        )
    return [*lines, f'{{"type": "end", "at": {events}}}']


FAMILIES: Final[dict[str, Callable[[random.Random], list[str]]]] = {
    "Quake 3": quake3,
    "HL Log Standard": half_life,
    "Call of Duty": call_of_duty,
    "Xonotic": xonotic,
    "Unreal Tournament": unreal,
    "Teeworlds": teeworlds,
    "our own format": json_lines,
    "HL Log Standard, damage": partial(half_life, hits=HITS),
    "Call of Duty, damage": partial(call_of_duty, hits=HITS),
    "our own format, damage": partial(json_lines, hits=HITS),
}
ONE_GAME: Final = frozenset(("Unreal Tournament",))
"""Families with one long game a file."""


def measure(report: Report) -> None:
    """Read a log of each family some times; the fastest round counts."""
    for name, write in FAMILIES.items():
        rng = random.Random(1)
        count = 1 if name in ONE_GAME else GAMES
        lines = [line for _ in range(count) for line in write(rng)]
        data = "\n".join(lines).encode()
        log_format = recognise(data)
        if log_format is None:
            raise RuntimeError(f"the log of {name} is not recognised")
        seconds = []
        for _ in range(ROUNDS):
            problems = Problems()
            begin = time.process_time()
            games = sum(1 for _ in read_sessions(io.BytesIO(data), log_format, problems))
            seconds.append(time.process_time() - begin)
            if games < count or problems.total:
                raise RuntimeError(f"the log of {name} is not read whole")
        speed = len(lines) / min(seconds)
        report.add(Row(f"log lines, {name}", speed, "lines/s", LINES_A_SECOND, "at least"))
    reason = "A QuakeWorld log is one document with a game's sums and no events."
    report.leave_out("log lines, QuakeWorld", reason)
