"""One body, two engines.

A rating body is a plain function over scalars and sequences. Called directly on lists it serves
previews, single matches and small leagues; compiled by Numba, lazily and only in a process that
asks for it, the same function replays long logs at the speed of C. Nothing in this package
imports Numba but `_numba` and what it hands over, and everything works without it.

What a body must keep so that both engines give the same bits: no `sum`, no `x**2` or `x**0.5`,
no division by zero, no overflow of `exp` or `**` (plain Python raises where compiled code gives
infinity).
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import platform
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

import numpy as np

if TYPE_CHECKING:
    # Logs are built with the compiler's help, so at run time they import this module.
    from ratings.log import Floats, MatchLog

Engine = Literal["auto", "plain", "compiled"]
Progress = Callable[[int, int], None]
Column = Any
"""A list under the plain engine, an array under the compiled one."""
Columns = tuple[Any, ...]
Body = Callable[..., Any]

F = TypeVar("F", bound=Body)

INDEX: Final = 0x7FFF_FFFF
"""`i & INDEX` is the index i, and tells compiled code that it does not count from the end.

Without it every access asks; a match of two teams of four took half as long again.
"""

LOADED_BREAK_EVEN: Final = 500
"""From how many duels on a body that is compiled already is faster than a plain one."""

_bodies: set[Body] = set()
_loaded: set[Body] = set()
"""The bodies that were compiled in this process, or found in the cache."""

_PLAIN_MATCHES: Final = 4_096
"""Matches of a part."""
_COMPILED_PARTICIPANTS: Final = 262_144
"""Participants of a part on average: a column that is written out for it is still in the
processor's cache when it is read."""


def body(function: F) -> F:
    """Mark a function that runs under both engines; bodies may call each other by name."""
    _bodies.add(function)
    return function


def fetch_ahead(state: Columns, player: Column, first: int, last: int) -> None:
    """Have compiled code fetch states it will need soon; the plain engine has no such thing."""


def numba_is_installed() -> bool:
    """Say whether the compiled engine can be had, without importing it."""
    return importlib.util.find_spec("numba") is not None


def has_compiled() -> bool:
    """Whether this process has loaded the compiler, and a body with it."""
    return bool(_loaded)


def choose(
    engine: Engine, function: Body, duels: int, break_even: int, log: MatchLog | None = None
) -> Literal["plain", "compiled"]:
    """Settle `auto`: compiled from the number of duels on at which loading that engine pays.

    Where a body is compiled in this process already, that is `LOADED_BREAK_EVEN`. A log, where
    there is one, says how many duels its matches take as long as.
    """
    if engine != "auto":
        return engine
    least = min(break_even, LOADED_BREAK_EVEN) if function in _loaded else break_even
    is_long = duels >= least or (log is not None and _duels_of(log) >= least)
    return "compiled" if is_long and numba_is_installed() else "plain"


def _duels_of(log: MatchLog) -> float:
    """How many duels take as long to rate, within a factor of three.

    Each participant is compared with each side: a duel has 4 such pairs, a match of four against
    four 16, a free-for-all of eight 64. An event is a match.
    """
    participants = np.diff(log.member_start[log.side_start])
    pairs = int((participants * np.diff(log.side_start)).sum())
    return pairs / 4.0 + len(log.event_kind)


def run(
    function: Body,
    log: MatchLog,
    begin: Floats,
    settings: Columns,
    *,
    scratch: int,
    engine: Literal["plain", "compiled"],
    progress: Progress | None = None,
) -> tuple[Floats, Floats]:
    """Run a body over a log from states (q rows); return the rows after (p rows), and the last.

    The body is called as `function(log columns, state columns, after columns, scratch columns,
    settings)` with one part of the log after the other; the scratch columns have room for one
    value per side of the widest match. It returns nothing, or the position of the match whose
    iteration did not settle (-1: none), which is an error.
    """
    total = len(log)
    after = np.empty((begin.shape[1], len(log.player)))
    sides = int(np.diff(log.side_start).max()) if total else 0
    if engine == "compiled":
        function = compiled(function)
        # Copies, always: what the caller holds stays as it is.
        columns: Columns = tuple(np.array(column) for column in begin.T)
        work: Columns = tuple(np.empty(sides) for _ in range(scratch))
        read = Reader()
        length = max(1, _COMPILED_PARTICIPANTS * total // max(1, len(log.player)))
    else:
        columns = tuple(column.tolist() for column in begin.T)
        work = tuple([0.0] * sides for _ in range(scratch))
        length = _PLAIN_MATCHES
    filled = 0
    for first in range(0, total, length):
        last = min(first + length, total)
        part = log if last - first == total else log.part(first, last)
        count = len(part.player)
        target = after[:, filled : filled + count]
        if engine == "compiled":
            failed = function(read(part.columns()), columns, tuple(target), work, settings)
        else:
            lists = tuple(column.tolist() for column in part.columns())
            rows = tuple([0.0] * count for _ in columns)
            failed = function(lists, columns, rows, work, settings)
            for row, values in zip(target, rows, strict=True):
                row[:] = values
        if failed is not None and failed >= 0:
            raise DidNotConverge(first + int(failed))
        filled += count
        if progress is not None:
            progress(last, total)
    last_states = np.empty(begin.shape)
    for place, column in enumerate(columns):
        last_states[:, place] = column
    return after.T, last_states


class Reader:
    """The columns of a log's parts, as compiled code reads them.

    A column of one value throughout (`ratings.log.constant`) takes no memory in a log; here it is
    written out once, for the longest part. All columns are views that cannot be written, as those
    of a data frame: for the ones that can be, a body would be compiled once more.
    """

    def __init__(self) -> None:
        self._written_out: dict[int, Column] = {}

    def __call__(self, columns: Columns) -> Columns:
        return tuple(self._readable(place, column) for place, column in enumerate(columns))

    def _readable(self, place: int, column: Column) -> Column:
        length = len(column)
        if length and column.strides == (0,):
            known = self._written_out.get(place)
            if known is None or len(known) < length:
                known = self._written_out[place] = np.full(length, column[0])
            column = known
        view = column[:length]
        view.flags.writeable = False
        return view


class DidNotConverge(ArithmeticError):
    """An iteration did not settle; `match` is the position of the match in the log."""

    def __init__(self, match: int) -> None:
        super().__init__(f"match {match} of the log: the iteration did not converge")
        self.match = match


def compiled(function: Body) -> Body:
    """Return the function compiled, with every body it calls replaced by its compiled twin.

    What is called is built in: a call would put every value on the stack and fetch it again.
    """
    dispatcher = _compiled(function, is_called=False)
    _loaded.add(function)
    return dispatcher


@cache
def _compiled(function: Body, *, is_called: bool) -> Body:
    if not isinstance(function, FunctionType) or function not in _bodies:
        raise TypeError(f"{function!r} is not marked as a body")
    scope = dict(function.__globals__)
    for name in function.__code__.co_names:
        called = scope.get(name)
        if called is fetch_ahead:
            scope[name] = importlib.import_module("ratings.hints").fetch_ahead
        elif isinstance(called, FunctionType) and called in _bodies:
            scope[name] = _compiled(called, is_called=True)
    twin = FunctionType(function.__code__, scope, function.__name__, function.__defaults__)
    twin.__qualname__ = function.__qualname__
    twin.__module__ = function.__module__
    options = {"error_model": "numpy", "nogil": True, "forceinline": is_called}
    try:
        dispatcher: Body = _numba().njit(twin, cache=True, **options)
    except RuntimeError:
        # Numba finds no folder it may write its cache to; compiling again each time still works.
        dispatcher = _numba().njit(twin, **options)
    return dispatcher


@cache
def _numba() -> Any:
    numba = importlib.import_module("numba")
    if not os.environ.get("NUMBA_CACHE_DIR"):
        folder = _cache_folder(numba.__version__)
        if folder is not None:
            numba.config.CACHE_DIR = str(folder)
    return numba


def _cache_folder(numba_version: str) -> Path | None:
    """Return a writable folder of this version of the sources, or None.

    Numba notices a change of the file a function stands in, not of the functions it calls, so
    the folder is keyed by all sources. It unpickles what it finds: a folder another user could
    have filled is refused.
    """
    key = hashlib.sha256()
    for source in sorted(Path(__file__).parent.rglob("*.py")):
        key.update(source.read_bytes())
    key.update(f"{numba_version} {sys.version} {platform.machine()}".encode())
    name = f"ratings-{key.hexdigest()[:16]}"
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    own = f"rungs-{os.getuid()}" if hasattr(os, "getuid") else "rungs"
    for base in (Path(home) / "rungs", Path(tempfile.gettempdir()) / own):
        folder = base / name
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if all(_is_ours(part) for part in (base, folder)):
                with tempfile.TemporaryFile(dir=folder):
                    return folder
        except OSError:
            continue
    return None


def _is_ours(folder: Path) -> bool:
    if not hasattr(os, "getuid"):
        return True
    status = folder.stat()
    return status.st_uid == os.getuid() and not status.st_mode & 0o022
