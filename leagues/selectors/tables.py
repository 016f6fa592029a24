"""The standings of a board, now and on earlier days, from wherever they are at hand.

A small board is read whole. Of a large one, jobs keep what it was at a moment packed in `BoardDay`;
a process keeps what it has unpacked. What nobody has prepared yet is said to be missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from django.db.models import BinaryField, DateTimeField, Exists, TextField, Value

from leagues.bridge.tables import table_before
from leagues.models import Board, BoardDay, Job
from leagues.selectors.board_selection import UNFINISHED
from leagues.selectors.people import Viewer, search
from leagues.store.bulk import read_large
from leagues.store.match_columns import Integers
from leagues.store.memory import Memory
from leagues.store.packed_standings import unpack_day
from leagues.store.search import listed_numbers
from leagues.store.standing_columns import (
    NEWEST,
    Person,
    StandingTable,
    is_past,
    is_read_whole,
    read_histories,
    read_newest,
    true_days,
)

MOST_BYTES = 64 * 1024 * 1024
TIMES_LARGEST = 4
"""A page reads the standings of two moments and the ranks in both: at a million players one table
takes twice as much as there is room for."""

CachedValue = TypeVar("CachedValue")


@dataclass(frozen=True, slots=True)
class Tables:
    """What was asked for: None for what has to be prepared first."""

    newest: StandingTable | None
    days: dict[datetime, StandingTable | None]
    people: tuple[Person, ...] | None
    """Everyone in the tables and whoever looks, where the reading brought the names."""
    matching_ids: Integers | None
    """Whom the search finds; None without one."""
    is_former: bool = False
    """The newest are those before the last computation; a job prepares the present ones."""

    @property
    def missing(self) -> tuple[datetime, ...]:
        return tuple(at for at, table in self.days.items() if table is None)


def read_tables(
    board: Board,
    *,
    viewer: Viewer,
    query: str = "",
    newest: bool = True,
    days: Iterable[datetime] = (),
    with_results: Iterable[datetime] = (),
    may_be_former: bool = False,
) -> Tables:
    """The standings of a board now and before some moments.

    Only for the moments in `with_results` are won, drawn and lost matches sure to be told. Where a
    large board's present standings are being prepared, its former ones may stand in for them.
    `query` has letters of the names that a search wants.
    """
    ids = set(with_results)
    wanted = {at: (at, at in ids or not is_read_whole(board)) for at in (*days, *ids)}
    known: dict[Any, StandingTable | None] = {
        at: cached(_key(board, *key)) for at, key in wanted.items()
    }
    present = cached(_key(board, NEWEST, True)) if newest else None
    lacking = [at for at, table in known.items() if table is None]
    named: Integers | None = None
    if not is_read_whole(board) and (lacking or (newest and present is None)):
        moments = [*lacking, NEWEST] if newest and present is None else lacking
        stored, named = _read_stored(board, moments, query)
        present = stored.pop(NEWEST, present)
        known |= stored
    people: list[Person] | None = None
    is_former = False
    if newest and present is None and may_be_former and not is_read_whole(board):
        present = _read_former(board)
        is_former = present is not None
    if newest and present is None:
        present, people = read_newest(board, (viewer.user_id, viewer.key))
        remember(_key(board, NEWEST, True), present, present.size)
    if is_read_whole(board) and lacking:
        histories = read_histories(board, (viewer.user_id, viewer.key))
        people = [*(people or ()), *histories.people]
        for at in lacking:
            known[at] = table_before(board, histories, at, with_results=at in ids)
            remember(_key(board, *wanted[at]), known[at], _size(known[at]))
    by_id = {person.player_id: person for person in people or ()}
    is_named = people is not None and (present is None or not newest or _covers(by_id, present))
    everyone = tuple(by_id.values()) if by_id and is_named else None
    if query and named is None:
        # Of the names at hand none is that of a player without results.
        named = _read_stored(board, (), query)[1]
    return Tables(present, known, everyone, named, is_former)


def _covers(named: dict[int, Person], table: StandingTable) -> bool:
    return all(player_id in named for player_id in table.player_id.tolist())


def _read_stored(
    board: Board, moments: Sequence[datetime], query: str
) -> tuple[dict[datetime, StandingTable], Integers | None]:
    """Read what jobs have prepared and still holds, and along with it whom a search finds."""
    columns = ("at", "base__data", "changes", "found")
    days = true_days(board).filter(at__in=moments).annotate(found=Value(None, TextField()))
    rows = days.order_by().values_list(*columns)
    if query:
        people = search(league=board.league, query=query).annotate(
            at=Value(None, DateTimeField()),
            data=Value(None, BinaryField()),
            changes=Value(None, BinaryField()),
        )
        named = people.values_list("at", "data", "changes", "found")
        rows = rows.union(named, all=True)
    tables = {}
    numbers = ""
    for at, data, changes, matching in read_large(rows):
        if at is None:
            numbers = matching
        elif (table := unpack_day(data, changes)) is not None:
            tables[at] = table
            remember(_key(board, at, True), table, table.size)
    return tables, listed_numbers(numbers) if query else None


def are_tables_prepared(board: Board) -> bool:
    """Whether the present standings are read at once; not while a job prepares them."""
    return is_read_whole(board) or true_days(board).filter(at=NEWEST).exists()


def newest_at_hand(board: Board) -> StandingTable | None:
    """The present standings, where this process has read them already."""
    table: StandingTable | None = cached(_key(board, NEWEST, True))
    return table


def _read_former(board: Board) -> StandingTable | None:
    """The standings before the last computation, as long as a job prepares those after it."""
    job = Job.objects.filter(key=f"present:{board.pk}", state__in=UNFINISHED)
    stored = BoardDay.objects.filter(
        Exists(job), board=board, generation=board.generation, at=NEWEST
    )
    computed_at = stored.values_list("computed_at", flat=True).first()
    if computed_at is None:
        return None
    key = _key(board, NEWEST, True, computed_at)
    table: StandingTable | None = cached(key)
    if table is None:
        for data, changes in read_large(stored.values_list("base__data", "changes")):
            table = unpack_day(data, changes)
            remember(key, table, _size(table))
    return table


# What a process keeps of them.

_memory: Memory[Any] = Memory(MOST_BYTES, TIMES_LARGEST)
cached = _memory.get
remember = _memory.put


def cached_or(
    key: Any, make: Callable[[], CachedValue], size: Callable[[CachedValue], int]
) -> CachedValue:
    """The value stored under a key, computed now where there is none."""
    value: CachedValue | None = cached(key)
    if value is None:
        value = make()
        remember(key, value, size(value))
    return value


def _key(
    board: Board, at: datetime, has_results: bool, computed_at: datetime | None = None
) -> tuple[Any, ...]:
    stamp = None if is_past(board, at) else computed_at or board.computed_at
    # The last generation counts corrections too, which rewrite the past of the one that is shown;
    # a replay raises it when it begins, and shows its own when it ends.
    generations = (board.generation, board.last_generation)
    return (board.pk, board.created_at, *generations, at, has_results, stamp)


def _size(table: StandingTable | None) -> int:
    return 0 if table is None else table.size
