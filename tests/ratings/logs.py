"""Match logs for the rating tests: small ones by hand, generated ones, and those of real files."""

from __future__ import annotations

import csv
import gzip
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ratings.__main__ import PRESETS
from ratings.event_values import ALONE
from ratings.log import DAY, EventKind, Events, MatchLog
from ratings.registry import create
from ratings.system import Replay, Side, State, System
from tests.shared_data import shared_data

GOLDEN = Path(__file__).parent.parent / "golden"


def match_log(
    matches: Iterable[dict[str, Any]],
    birth_years: dict[str, int] | None = None,
    events: Sequence[tuple[int, EventKind | str, str, str | None]] = (),
) -> MatchLog:
    """Build a log of matches given as {at, sides: [[key or (key, share), ...], ...], ranks}.

    Also taken: weight, scores, handicaps, day. Events are (match, kind, actor, target); a kind may
    be a word of the game's own.
    """
    rows: dict[str, list[Any]] = {
        name: [] for name in ("match", "side", "rank", "score", "handicap", "player", "share")
    }
    columns: dict[str, list[Any]] = {"at": [], "day": [], "weight": []}
    keys: dict[str, int] = {}
    for index, match in enumerate(matches):
        at = match.get("at", index * DAY)
        columns["at"].append(at)
        columns["day"].append(match.get("day", at // DAY))
        columns["weight"].append(match.get("weight", 1.0))
        for side, members in enumerate(match["sides"]):
            for member in members:
                key, share = member if isinstance(member, tuple) else (member, 1.0)
                rows["match"].append(index)
                rows["side"].append(side)
                rows["rank"].append(match["ranks"][side])
                rows["score"].append(match.get("scores", {side: float("nan")})[side])
                rows["handicap"].append(match.get("handicaps", {side: 0.0})[side])
                rows["player"].append(keys.setdefault(key, len(keys)))
                rows["share"].append(share)
    births = [(birth_years or {}).get(key, 0) for key in keys]
    words = sorted({kind for _, kind, _, _ in events if isinstance(kind, str)})
    happened = Events(
        match=[match for match, _, _, _ in events],
        kind=[
            len(EventKind) + words.index(kind) if isinstance(kind, str) else kind
            for _, kind, _, _ in events
        ],
        own_words=words,
        actor=[keys[actor] for _, _, actor, _ in events],
        target=[-1 if target is None else keys[target] for _, _, _, target in events],
    )
    return MatchLog.build(keys=list(keys), birth_year=births, events=happened, **columns, **rows)[0]


def rated(system: System, sides: Sequence[Side], ranks: Sequence[int]) -> list[list[State]]:
    """Rate a match of sides whose keys ascend, so that equals stand in the order given."""
    log = match_log(
        [
            {
                "at": 0,
                "sides": [
                    list(zip(side.keys, side.shares or (1.0,) * len(side.keys), strict=True))
                    for side in sides
                ],
                "ranks": ranks,
            }
        ]
    )
    states = {k: s for side in sides for k, s in zip(side.keys, side.states, strict=True)}
    after = system.rate(log, [states[key] for key in log.keys]).states
    by_key = dict(zip(log.keys, after, strict=True))
    return [[by_key[key] for key in side.keys] for side in sides]


def sides_of(teams: Any, weights: Any = None) -> list[Side]:
    """Make sides of teams of (mean, deviation) as the vectors of skill systems give them.

    One vector has a player who took no part; a log knows no such, but what goes towards nothing.
    """
    weights = weights or [[1.0] * len(team) for team in teams]
    return [
        Side(
            states=tuple(tuple(map(float, state)) for state in team),
            keys=tuple(f"{number:02}-{member:02}" for member in range(len(team))),
            shares=tuple(max(float(part), 1e-12) for part in share),
        )
        for number, (team, share) in enumerate(zip(teams, weights, strict=True))
    ]


def duel_log(results: Sequence[tuple[str, str, float]], **every: Any) -> MatchLog:
    """Build a log of duels (one, other, the first one's score), a day apart."""
    ranks = {1.0: (0, 1), 0.5: (0, 0), 0.0: (1, 0)}
    return match_log(
        {"sides": [[one], [other]], "ranks": ranks[score], **every} for one, other, score in results
    )


def generated_log(
    *,
    seed: int = 1,
    matches: int = 400,
    players: int = 30,
    most_sides: int = 5,
    most_members: int = 3,
) -> MatchLog:
    """Build a seeded log of everything at once: draws, teams, shares, weights, long absence."""
    source = random.Random(seed)
    keys = [f"player-{index:03}" for index in range(players)]
    at = -40 * 365 * DAY
    made = []
    for _ in range(matches):
        at += source.choice((0, 3_600_000_000, DAY, 40 * DAY))
        sides = source.randint(2, most_sides)
        sizes = [source.randint(1, most_members) for _ in range(sides)]
        drawn = source.sample(keys, sum(sizes))
        members = iter(drawn)
        made.append(
            {
                "at": at,
                "sides": [
                    [(next(members), source.choice((1.0, 1.0, 0.5))) for _ in range(size)]
                    for size in sizes
                ],
                "ranks": [source.randint(0, 3) for _ in range(sides)],
                "handicaps": [source.choice((0.0, 35.0)) for _ in range(sides)],
                "weight": source.choice((1.0, 1.0, 0.25, 3.0)),
            }
        )
    return match_log(made, {key: source.choice((0, 1915, 1920)) for key in keys})


def every_kind_of_event(matches: int = 60, *, sides_of_one: bool = False) -> MatchLog:
    """Build games of two teams, or of four players, with events of every kind.

    In some there is nothing that counts on a board as it is at first.
    """
    source = random.Random(5)
    keys = ["a", "b", "c", "d"]
    sides = [[key] for key in keys] if sides_of_one else [keys[:2], keys[2:]]
    ranks = list(range(len(sides)))
    made: list[dict[str, Any]] = [
        {"sides": sides, "ranks": ranks, "at": DAY * number} for number in range(matches)
    ]
    events: list[tuple[int, EventKind, str, str | None]] = []
    for number in range(matches):
        kinds = list(EventKind) if number % 3 else list(EventKind)[EventKind.DAMAGE :]
        for _ in range(source.randint(1, 12)):
            kind, one = source.choice(kinds), source.choice(keys)
            own = next(side for side in sides if one in side)
            mates = [key for key in own if key != one]
            foe = source.choice([key for key in keys if key not in own])
            target: str | None = foe
            if kind in (*ALONE, EventKind.SUICIDE):
                target = None
            elif kind == EventKind.TEAM_KILL and mates:
                target = mates[0]
            events.append((number, kind, one, target))
    return match_log(made, events=events)


def generated_events(*, seed: int = 1, matches: int = 120, players: int = 12) -> MatchLog:
    """Build a seeded log of matches of single players or two teams, told by their events."""
    source = random.Random(seed)
    keys = [f"player-{index:03}" for index in range(players)]
    made, events = [], []
    for index in range(matches):
        present = source.sample(keys, source.randint(2, 6))
        sides = [[key] for key in present]
        if len(present) > 3 and source.random() < 0.5:
            sides = [present[:2], present[2:]]
        made.append(
            {
                "at": index * 2 * DAY,
                "sides": sides,
                "ranks": list(range(len(sides))),
                "scores": [float(source.randint(-5, 20)) for _ in sides],
            }
        )
        side_of = {key: number for number, side in enumerate(sides) for key in side}
        for _ in range(source.randint(0, 20)):
            one, other = source.sample(present, 2)
            kind = EventKind.FRAG if side_of[one] != side_of[other] else EventKind.TEAM_KILL
            chance = source.random()
            if chance < 0.1:
                kind, other = EventKind.SUICIDE, None
            elif chance < 0.15:
                kind, other = EventKind.CAPTURE, None
            events.append((index, kind, one, other))
    return match_log(made, events=events)


def halo2(mode: str) -> MatchLog:
    """Read the Halo 2 games of a mode: a participant a row, the side's score decides."""
    return _long(f"halo2/halo2_{mode}.csv.gz", "game_id", "end_time", "team", "score")


def herbrich(mode: str, name: str) -> tuple[System, Replay]:
    """Rate the Halo 2 games of a mode as the TrueSkill paper did."""
    log = halo2(mode)
    settings = dict(PRESETS["herbrich2006"][name])
    if name == "trueskill":
        first = log.side_start[:-1]
        settings["draw_probability"] = float(np.mean(log.rank[first] == log.rank[first + 1]))
    system = create(name, settings)
    return system, system.replay(log)


def catan() -> MatchLog:
    """Read the Catan evenings: a participant a row, a rank column."""
    return _long("club/catan.csv", "game_id", "date", None, "rank")


def foosball() -> MatchLog:
    """Read the foosball doubles: a match a row."""
    return match_log(
        {
            "at": _moment(row["date"]),
            "sides": [
                [row["winner_offense"], row["winner_defense"]],
                [row["loser_offense"], row["loser_defense"]],
            ],
            "ranks": (0, 1),
            "scores": (float(row["winner_score"]), float(row["loser_score"])),
        }
        for row in _rows("club/foosball_2v2.csv")
    )


def atp(limit: int) -> MatchLog:
    """Read the first matches of the tennis file that were played and between two people."""
    rows = (
        row
        for row in _rows("tennis/atp_singles.csv.gz")
        if row["winner_id"] != row["loser_id"] and row["flag"] != "W/O"
    )
    return match_log(
        {
            "at": _moment(row["date"]),
            "sides": [[row["winner_id"]], [row["loser_id"]]],
            "ranks": (0, 1),
        }
        for row, _ in zip(rows, range(limit), strict=False)
    )


def quake(name: str) -> MatchLog:
    """Read the kills of a server's log, a game a match; names are taken from the slots."""
    games: list[tuple[dict[str, str], list[tuple[str, str]]]] = []
    for line in shared_data(f"quake/{name}.log").read_text("latin-1").splitlines():
        if "InitGame:" in line:
            games.append(({}, []))
        elif found := re.search(r"ClientUserinfoChanged: (\d+) n\\(.*?)\\t", line):
            games[-1][0][found[1]] = found[2]
        elif found := re.search(r" Kill: (\d+) (\d+) \d+:", line):
            names = games[-1][0]
            killer = names.get(found[1], "<world>")
            games[-1][1].append((killer, names[found[2]]))
    made, events = [], []
    for _, kills in games:
        present = sorted({name for pair in kills for name in pair} - {"<world>"})
        if len(present) < 2:
            continue
        for killer, victim in kills:
            if killer in ("<world>", victim):
                events.append((len(made), EventKind.SUICIDE, victim, None))
            else:
                events.append((len(made), EventKind.FRAG, killer, victim))
        sides = [[player] for player in present]
        made.append({"sides": sides, "ranks": [0] * len(sides)})
    return match_log(made, events=events)


def same_bits(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Say whether two arrays hold the same bits."""
    return one.shape == other.shape and one.tobytes() == other.tobytes()


def _rows(name: str) -> Iterator[dict[str, str]]:
    path = shared_data(name)
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as file:
        yield from csv.DictReader(file)


def _moment(text: str) -> int:
    return int(np.datetime64(text, "us").astype(np.int64))


def _long(name: str, game: str, time: str, team: str | None, value: str) -> MatchLog:
    games: dict[str, list[dict[str, str]]] = {}
    for row in _rows(name):
        games.setdefault(row[game], []).append(row)
    made = []
    for rows in games.values():
        sides: dict[str, list[dict[str, str]]] = {}
        for row in rows:
            sides.setdefault(row[team] if team else row["player"], []).append(row)
        totals = [sum(float(row[value]) for row in members) for members in sides.values()]
        best_first = sorted(totals, reverse=value == "score")
        made.append(
            {
                "at": _moment(rows[0][time]),
                "sides": [[row["player"] for row in members] for members in sides.values()],
                "ranks": [best_first.index(total) for total in totals],
                "scores": totals,
            }
        )
    return match_log(sorted(made, key=lambda match: match["at"]))
