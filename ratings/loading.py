"""Make a match log of the matches a results file tells."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

import numpy as np

from ratings.files.columns import recognise
from ratings.files.dates import DayOrder
from ratings.files.results import BadRow, Result, read_results
from ratings.files.tables import Limits, open_table
from ratings.log import MatchLog

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_FIRST_DAY: Final = date(1970, 1, 1)
_RATED: Final = ("played", "retirement")


@dataclass(frozen=True, slots=True)
class Loaded:
    """A file's log, what was left out of it, and the rows that are no matches."""

    log: MatchLog
    unrated: int
    bad: tuple[BadRow, ...]


def load(path: Path, *, zone: str, dates: DayOrder | None, today: date) -> Loaded:
    """Read a results file; walkovers and unrated matches are counted and left out."""
    with path.open("rb") as file:
        table = open_table(file, name=path.name, limits=Limits(), today=today)
        layout = recognise(table.header, table.sample())
        rows = list(read_results(table, layout, zone=zone, dates=dates, today=today))
    results = [row for row in rows if isinstance(row, Result)]
    rated = [result for result in results if result.kind in _RATED]
    bad = tuple(row for row in rows if isinstance(row, BadRow))
    return Loaded(log_of(rated, zone=zone), len(results) - len(rated), bad)


def log_of(results: Iterable[Result], *, zone: str) -> MatchLog:
    """Put results into a log, in order of time, then of the file."""
    ordered = sorted(results, key=lambda result: (result.played, result.order, result.line))
    clock = ZoneInfo(zone)
    keys: dict[str, int] = {}
    columns: dict[str, Any] = {name: [] for name in ("match", "side", "rank", "score", "player")}
    for number, result in enumerate(ordered):
        for index, side in enumerate(result.sides):
            for person in side.players:
                columns["match"].append(number)
                columns["side"].append(index)
                columns["rank"].append(side.rank - 1)
                columns["score"].append(np.nan if side.score is None else side.score)
                columns["player"].append(keys.setdefault(person.identity, len(keys)))
    return MatchLog.build(
        keys=list(keys),
        at=[(result.played - _EPOCH) // _MICROSECOND for result in ordered],
        day=[(result.played.astimezone(clock).date() - _FIRST_DAY).days for result in ordered],
        weight=[result.weight for result in ordered],
        **columns,
    )[0]
