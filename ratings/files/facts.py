"""What the values of a column show, whatever stands above it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from ratings.files.dates import (
    DayOrder,
    OrderFound,
    day_order,
    has_time,
    is_clock,
    is_date,
    read_moment,
)
from ratings.files.problems import CellProblem
from ratings.files.scores import (
    is_flag,
    is_integer,
    is_score_text,
    is_set_list,
    read_integer,
    result_word,
)

_MOSTLY = 0.8
_NEARLY = 0.9
_FEW_VALUES = 12
_EXAMPLES = 3
_PROBE = 200


@dataclass(frozen=True, slots=True)
class Facts:
    """What one column's sample shows; all that correcting a layout needs to know of the rows."""

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
    values: tuple[str, ...] = ()
    negatives: tuple[int, ...] = ()


def column_facts(cells: Sequence[str]) -> Facts:
    """Look at the sampled cells of one column."""
    texts = [text for cell in cells if (text := cell.strip())]
    if not texts:
        return Facts()
    probe = texts[:_PROBE]
    distinct = len(set(texts))
    dates = _mostly(probe, is_date)
    integers = _mostly(probe, is_integer)
    order = day_order(texts) if dates else ""
    numbers = [read_integer(text) for text in texts if is_integer(text)] if integers else []
    values = tuple(sorted({text.casefold() for text in texts}))
    return Facts(
        examples=tuple(dict.fromkeys(texts[:_PROBE]))[:_EXAMPLES],
        filled=len(texts) == len(cells),
        unique=distinct == len(cells),
        mostly_unique=distinct >= _NEARLY * len(cells),
        grouped=_grouped(cells),
        dates=dates,
        moments=dates and _mostly(probe, has_time),
        clocks=not dates and _mostly(probe, is_clock),
        order=order,
        falling=dates and _falling(texts, "mdy" if order == "mdy" else "dmy"),
        integers=integers,
        rising=len(numbers) > 1 and all(a <= b for a, b in pairwise(numbers)),
        pairs=_mostly(probe, is_score_text),
        sets=any(is_set_list(text) for text in probe),
        flags=all(is_flag(text) for text in texts),
        results=all(result_word(text) is not None for text in texts),
        values=values if len(values) <= _FEW_VALUES else (),
        negatives=tuple(sorted({number for number in numbers if number < 0}))[:_FEW_VALUES],
    )


def _mostly(texts: Sequence[str], test: Callable[[str], bool]) -> bool:
    return sum(1 for text in texts if test(text)) >= _MOSTLY * len(texts)


def _grouped(cells: Sequence[str]) -> bool:
    """Say whether values repeat in runs, as an id of a match does in a file of participants."""
    changes = 1 + sum(1 for before, after in pairwise(cells) if before != after)
    return bool(cells) and all(cells) and changes < len(cells)


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
