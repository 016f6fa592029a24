"""What the values of a column show, whatever stands above it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise, permutations

from ratings.files.cross_tables import name_columns
from ratings.files.dates import (
    DayOrder,
    OrderFound,
    day_order,
    has_time,
    is_clock,
    is_date,
    read_moment,
)
from ratings.files.names import fold_name
from ratings.files.problems import CellProblem
from ratings.files.scores import (
    is_flag,
    is_half,
    is_integer,
    is_score_text,
    is_set_list,
    read_integer,
    result_word,
)

_MOSTLY = 0.8
_HALF = 0.5
_NEARLY = 0.9
_FEW_VALUES = 12
_EXAMPLES = 3
_LOOKED_AT = 256
_PROBE = 200
_ECHO_GROUP = 6
_ECHO_SHARE = 0.05


@dataclass(frozen=True, slots=True)
class Facts:
    """What one column's sample shows; all that correcting a layout needs to know of the rows.

    `echoes` are the columns that often say the same in the same row, as a winner's name does.
    """

    examples: tuple[str, ...] = ()
    filled: bool = False
    unique: bool = False
    mostly_unique: bool = False
    grouped: bool = False
    dates: bool = False
    moments: bool = False
    clocks: bool = False
    order: OrderFound = ""
    falling: bool = False
    integers: bool = False
    rising: bool = False
    pairs: bool = False
    sets: bool = False
    flags: bool = False
    results: bool = False
    words: bool = False
    """Whether any cell is a word for a result."""
    halves: bool = False
    values: tuple[str, ...] = ()
    echoes: tuple[int, ...] = ()
    negatives: tuple[int, ...] = ()
    repeats_header: bool = False
    """Whether its cells are the names of other columns, as in a cross table."""


def table_facts(rows: Sequence[Sequence[str]], header: Sequence[str]) -> list[Facts]:
    """Look at the sampled cells of every column, of long ones at their beginnings."""
    rows = [[cell[:_LOOKED_AT] for cell in row] for row in rows]
    width = len(header)
    echoes = _echoes(rows[:_PROBE], width)
    of_players = name_columns(header, rows)
    return [
        replace(
            _column_facts([row[index] if index < len(row) else "" for row in rows]),
            echoes=echoes[index],
            repeats_header=index in of_players,
        )
        for index in range(width)
    ]


def _echoes(rows: Sequence[Sequence[str]], width: int) -> list[tuple[int, ...]]:
    counts: Counter[tuple[int, int]] = Counter()
    for row in rows:
        alike: dict[str, list[int]] = {}
        for index, cell in enumerate(row[:width]):
            if text := fold_name(cell):
                alike.setdefault(text, []).append(index)
        for group in alike.values():
            if 1 < len(group) <= _ECHO_GROUP:
                counts.update(permutations(group, 2))
    return [
        tuple(other for other in range(width) if counts[index, other] > _ECHO_SHARE * len(rows))
        for index in range(width)
    ]


def _column_facts(cells: Sequence[str]) -> Facts:
    texts = [text for cell in cells if (text := cell.strip())]
    if not texts:
        return Facts()
    probe = texts[:_PROBE]
    distinct = len(set(texts))
    dates = _mostly(probe, is_date, _HALF)
    integers = _mostly(probe, is_integer)
    order = day_order(texts) if dates else ""
    numbers = [read_integer(text) for text in texts if is_integer(text)] if integers else []
    values = tuple(sorted({text.casefold() for text in texts}))
    return Facts(
        examples=tuple(dict.fromkeys(texts[:_PROBE]))[:_EXAMPLES],
        filled=len(texts) == len(cells),
        unique=distinct == len(cells),
        mostly_unique=distinct >= _NEARLY * len(cells),
        grouped=_grouped(texts),
        dates=dates,
        moments=dates and _mostly(probe, has_time),
        clocks=not dates and _mostly(probe, is_clock, _HALF),
        order=order,
        falling=dates and _falling(texts, "mdy" if order == "mdy" else "dmy"),
        integers=integers,
        rising=len(numbers) > 1 and all(a <= b for a, b in pairwise(numbers)),
        pairs=_mostly(probe, is_score_text),
        sets=any(is_set_list(text) for text in probe),
        flags=_mostly(probe, is_flag),
        results=_mostly(probe, lambda text: result_word(text) is not None),
        words=any(result_word(text) is not None for text in texts),
        halves=any(is_half(text) for text in texts),
        values=values if len(values) <= _FEW_VALUES else (),
        negatives=tuple(sorted({number for number in numbers if number < 0}))[:_FEW_VALUES],
    )


def _mostly(texts: Sequence[str], test: Callable[[str], bool], share: float = _MOSTLY) -> bool:
    return sum(1 for text in texts if test(text)) >= share * len(texts)


def _grouped(cells: Sequence[str]) -> bool:
    """Say whether values repeat in runs, as an id of a match does in a file of participants."""
    changes = 1 + sum(1 for before, after in pairwise(cells) if before != after)
    return changes < len(cells)


def _falling(texts: Sequence[str], order: DayOrder) -> bool:
    """Say whether the file goes back in time; one step in four may go the other way."""
    up = down = 0
    for before, after in pairwise(_readable(texts, order)):
        up += after > before
        down += after < before
    return down > 0 and down >= 3 * up


def _readable(texts: Sequence[str], order: DayOrder) -> list[datetime]:
    moments = []
    for text in texts:
        try:
            moments.append(read_moment(text, order))
        except CellProblem:
            continue
    return moments
