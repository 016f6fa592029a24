"""Hints for the processor, which only compiled code can give.

Imports Numba, so that only a process that compiles may import it.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import njit
from numba.core import cgutils, types
from numba.extending import intrinsic

_WRITE = 1
_KEEP = 3
_DATA = 1
_AHEAD = 16
"""In places of the log; the memory seldom takes as long as eight duels to answer."""


@intrinsic
def _prefetch(_context: Any, column: Any, place: Any) -> Any:
    """Emit LLVM's `prefetch` of one place of an array, to be written and kept near."""

    def emit(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        array = context.make_array(column)(context, builder, arguments[0])
        address = builder.gep(array.data, [arguments[1]])
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [address.type, number, number, number])
        hint = cgutils.get_or_insert_function(  # type: ignore[no-untyped-call]
            builder.module, kind, "llvm.prefetch.p0"
        )
        builder.call(hint, [address, number(_WRITE), number(_KEEP), number(_DATA)])
        return context.get_dummy_value()

    return types.void(column, place), emit


@njit(forceinline=True)
def fetch_ahead(state: Any, player: Any, first: Any, last: Any) -> None:
    """Fetch the states of those who play `_AHEAD` places after those from `first` to `last` - 1."""
    end = len(player) - 1
    for place in range(first + _AHEAD, last + _AHEAD):
        # A hint may name any address, but the log is read, so not beyond its end.
        who = player[min(place, end)]
        for column in state:
            _prefetch(column, who)  # type: ignore[call-arg]
