"""Columns as callers hand them over, read into arrays or refused with the column and the row."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

MAX_WHOLE: Final = 1 << 62
"""How far from 0 a whole number may lie."""


def read_integers(
    name: str, values: ArrayLike, length: int | None = None, most: int = MAX_WHOLE
) -> NDArray[np.int64]:
    """Return a column of whole numbers, none further from 0 than `most`."""
    given = _column(name, values, length)
    wanted = f"whole number from {-most} to {most}"
    if given.dtype.kind == "i" and -most <= given.min(initial=0) <= given.max(initial=0) <= most:
        return np.ascontiguousarray(given, dtype=np.int64)
    if given.dtype.kind == "f":
        # A float next to the limit is rounded to it; beyond, the cast would be anything at all.
        fine = (given == np.trunc(given)) & (np.abs(given) <= float(most))
    elif given.dtype.kind in "iu":
        fine = (given <= most) & (given >= -most)
    else:
        fine = np.zeros(len(given), dtype=bool)
    _require(name, fine, given, wanted)
    return np.ascontiguousarray(given, dtype=np.int64)


def read_floats(name: str, values: ArrayLike, length: int | None = None) -> NDArray[np.float64]:
    """Return a column of numbers, which need not be finite; -0.0 is read as 0."""
    given = _column(name, values, length)
    _require(name, np.full(len(given), given.dtype.kind in "iuf"), given, "number")
    return np.ascontiguousarray(given, dtype=np.float64) + 0.0


def _column(name: str, values: ArrayLike, length: int | None) -> NDArray[Any]:
    try:
        given = np.asarray(values)
    except (ValueError, OverflowError) as problem:
        raise ValueError(f"{name} must be a column of numbers: {problem}") from problem
    if given.ndim != 1:
        raise ValueError(f"{name} must have one dimension, not {given.ndim}")
    if length is not None and len(given) != length:
        raise ValueError(f"{name} must have {length} rows, not {len(given)}")
    return given if len(given) else given.astype(np.int64)


def _require(name: str, fine: NDArray[np.bool_], given: NDArray[Any], wanted: str) -> None:
    if not fine.all():
        row = int(np.argmin(fine))
        raise ValueError(f"{name}, row {row}: {given[row]} is not a {wanted}")
