"""Read the matches of a results file, and every row that is none."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping
from datetime import date

from ratings.files.columns import Layout
from ratings.files.dates import DayOrder
from ratings.files.long import LongReader
from ratings.files.matches import Person, PlayerRow, Result, SideRow, content_key
from ratings.files.players import PlayersReader
from ratings.files.problems import BadRow, FileProblem
from ratings.files.reading import Reading
from ratings.files.tables import Table
from ratings.files.wide import WideReader

__all__ = [
    "BadRow", "Person", "PlayerRow", "Result", "SideRow", "content_key", "read_players",
    "read_results",
]  # fmt: skip


def read_results(
    table: Table,
    layout: Layout,
    *,
    zone: str,
    dates: DayOrder | None = None,
    today: date,
    winners: Mapping[str, str] | None = None,
    day: date | None = None,
    weights: Mapping[str, float] | None = None,
) -> Iterator[Result | BadRow]:
    """Yield every match and every bad row of the file, in the order of the file.

    `winners` says who is meant by words that name no player of their row: an identity, by the
    folded word. `day` is that of matches without a date; where none is given, they are of today if
    the file has no dates at all, and bad rows if it has some.

    `weights` has the weights that a cell may name.

    Raises FileProblem at once where the layout has problems, is of players alone, or must ask for
    the order of dates, and later only where the file itself breaks off.
    """
    if layout.shape == "players":
        raise FileProblem("The file has players and no results.")
    reading = Reading(
        layout,
        header=table.header,
        zone=zone,
        dates=dates,
        today=today,
        winners=winners,
        day=day,
        weights=weights,
    )
    reader = LongReader(reading) if layout.shape == "long" else WideReader(reading)
    rows = reader.read(table.rows)
    if not table.bad_lines:
        return rows
    return heapq.merge(table.bad_lines, rows, key=lambda row: row.line)


def read_players(
    table: Table, layout: Layout, *, zone: str, dates: DayOrder | None = None, today: date
) -> Iterator[PlayerRow | BadRow]:
    """Yield every player and every bad row of a file without results, in the order of the file."""
    reading = Reading(layout, header=table.header, zone=zone, dates=dates, today=today)
    rows = PlayersReader(reading).read(table.rows)
    return heapq.merge(table.bad_lines, rows, key=lambda row: row.line)
