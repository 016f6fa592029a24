"""Read invented results the way the callers of `ratings.files` do."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Literal

from ratings.files.columns import Layout, recognise
from ratings.files.problems import BadRow
from ratings.files.results import Result, read_results
from ratings.files.tables import Limits, Table, open_table

TODAY = date(2026, 11, 21)
SAMPLE = 400


def opened(text: str | bytes) -> Table:
    data = text.encode() if isinstance(text, str) else text
    return open_table(data, limits=Limits())


def layout_of(text: str | bytes) -> Layout:
    table = opened(text)
    return recognise(table.header, table.sample(SAMPLE))


def read(
    text: str | bytes,
    *,
    zone: str = "Europe/London",
    dates: Literal["dmy", "mdy"] | None = None,
    layout: Layout | None = None,
) -> tuple[list[Result], list[BadRow]]:
    table = opened(text)
    if layout is None:
        layout = recognise(table.header, table.sample(SAMPLE))
    return split(read_results(table, layout, zone=zone, dates=dates, today=TODAY))


def read_path(path: Path) -> tuple[list[Result], list[BadRow]]:
    with path.open("rb") as stream:
        table = open_table(stream, name=path.name, limits=Limits())
        layout = recognise(table.header, table.sample(SAMPLE))
        return split(read_results(table, layout, zone="UTC", today=TODAY))


def split(rows: Iterable[Result | BadRow]) -> tuple[list[Result], list[BadRow]]:
    good: list[Result] = []
    bad: list[BadRow] = []
    for row in rows:
        if isinstance(row, BadRow):
            bad.append(row)
        else:
            good.append(row)
    return good, bad


def told(result: Result) -> str:
    """Write a match in one line: names by side, each side with its rank and score."""
    return " / ".join(
        f"{'+'.join(person.name for person in side.players)} {side.rank}"
        + ("" if side.score is None else f" ({side.score})")
        for side in result.sides
    )
