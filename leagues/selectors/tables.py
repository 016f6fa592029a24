"""The standings of a board, now and on earlier days, from wherever they are at hand.

A small board is read whole. Of a large one, jobs keep what it was at a moment packed in `BoardDay`;
a process keeps what it has unpacked. What nobody has prepared yet is said to be missing.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from typing import Any, TypeVar

from leagues.bridge.tables import table_before
from leagues.bulk import read_large
from leagues.models import Board
from leagues.selectors.people import Viewer
from leagues.tables import (
    NEWEST,
    Person,
    Table,
    is_past,
    is_read_whole,
    read_histories,
    read_newest,
    true_days,
    unpack,
)

MOST_BYTES = 64 * 1024 * 1024

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Tables:
    """What was asked for: None for what has to be prepared first."""

    newest: Table | None
    days: dict[datetime, Table | None]
    people: tuple[Person, ...] | None
    """Everyone in the tables and whoever looks, where the reading brought the names."""

    @property
    def missing(self) -> tuple[datetime, ...]:
        return tuple(at for at, table in self.days.items() if table is None)


def read_tables(
    board: Board,
    *,
    viewer: Viewer,
    newest: bool = True,
    days: Iterable[datetime] = (),
    with_results: Iterable[datetime] = (),
) -> Tables:
    """Return the standings of a board now and before some moments.

    Only for the moments in `with_results` are won, drawn and lost matches sure to be told.
    """
    told = set(with_results)
    wanted = {at: (at, at in told or not is_read_whole(board)) for at in (*days, *told)}
    known: dict[Any, Table | None] = {
        at: remembered(_key(board, *kept)) for at, kept in wanted.items()
    }
    present = remembered(_key(board, NEWEST, True)) if newest else None
    lacking = [at for at, table in known.items() if table is None]
    if not is_read_whole(board) and (lacking or (newest and present is None)):
        for at, table in _stored(board, lacking, newest=newest and present is None).items():
            if at == NEWEST:
                present = table
            else:
                known[at] = table
    people: list[Person] | None = None
    if newest and present is None:
        present, people = read_newest(board, (viewer.user_id, viewer.key))
        remember(_key(board, NEWEST, True), present, present.size)
    if is_read_whole(board) and lacking:
        histories = read_histories(board, (viewer.user_id, viewer.key))
        people = [*(people or ()), *histories.people]
        for at in lacking:
            known[at] = table_before(board, histories, at, with_results=at in told)
            remember(_key(board, *wanted[at]), known[at], _size(known[at]))
    named = {person.player_id: person for person in people} if people is not None else None
    is_named = named is not None and (present is None or not newest or _covers(named, present))
    return Tables(present, known, tuple(named.values()) if named and is_named else None)


def _covers(named: dict[int, Person], table: Table) -> bool:
    return all(player_id in named for player_id in table.player_id.tolist())


def _stored(board: Board, days: Sequence[datetime], *, newest: bool) -> dict[datetime, Table]:
    """Read what jobs have prepared and still holds."""
    rows = true_days(board).filter(at__in=[*days, NEWEST] if newest else days)
    found = {}
    for at, data in read_large(rows.values_list("at", "data")):
        table = unpack(data)
        if table is not None:
            found[at] = table
            remember(_key(board, at, True), table, table.size)
    return found


# What a process keeps, the oldest thrown away first.

_kept: OrderedDict[Any, tuple[Any, int]] = OrderedDict()
_lock = Lock()


def remembered(key: Any) -> Any:
    """Return what is kept under a key, if anything."""
    with _lock:
        found = _kept.get(key)
        if found is None:
            return None
        _kept.move_to_end(key)
        return found[0]


def remember(key: Any, value: Any, size: int) -> None:
    """Keep something that takes so many bytes."""
    with _lock:
        _kept[key] = value, size
        while len(_kept) > 1 and sum(taken for _value, taken in _kept.values()) > MOST_BYTES:
            _kept.popitem(last=False)


def kept_or(key: Any, make: Callable[[], Value], size: Callable[[Value], int]) -> Value:
    """Return what is kept under a key, made now where there is nothing."""
    found: Value | None = remembered(key)
    if found is None:
        found = make()
        remember(key, found, size(found))
    return found


def forget_all() -> None:
    """Forget what this process keeps; for tests, whose databases begin anew."""
    with _lock:
        _kept.clear()


def _key(board: Board, at: datetime, has_results: bool) -> tuple[Any, ...]:
    stamp = None if is_past(board, at) else board.computed_at
    return (board.pk, board.created_at, board.generation, at, has_results, stamp)


def _size(table: Table | None) -> int:
    return 0 if table is None else table.size
