"""Names at the ends of lines: short enough, and far enough from each other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise


def shorten(name: str, longest: int) -> str:
    """A name as far as there is room for `longest` letters: all, or its first word."""
    if len(name) <= longest:
        return name
    return _cut(name.split(maxsplit=1)[0], longest)


def short_names(names: Sequence[str], longest: int) -> list[str]:
    """Names of people as far as there is room: in full, else first name and initial.

    Where two would be called the same, the beginnings of their names stand instead.
    """
    wanted = [name if len(name) <= longest else _with_initial(name) for name in names]
    return [
        short if len(short) <= longest and wanted.count(short) == 1 else _cut(name, longest)
        for name, short in zip(names, wanted, strict=True)
    ]


def _with_initial(name: str) -> str:
    first, *rest = name.split() or [name]
    return f"{first} {rest[-1][0]}." if rest else name


def _cut(name: str, longest: int) -> str:
    return name if len(name) <= longest else f"{name[: longest - 1].rstrip()}…"


def set_apart(heights: Sequence[float], apart: float) -> list[float]:
    """Move labels that would overlap, each group around its middle; all in pixels."""
    order = sorted(range(len(heights)), key=heights.__getitem__)
    placed = list(heights)
    # Each move may bring two others together; so many rounds settle a handful.
    for _round in range(len(heights) ** 2):
        for upper, lower in pairwise(order):
            short = apart - (placed[lower] - placed[upper])
            if short > 0.0:
                placed[upper] -= short / 2.0
                placed[lower] += short / 2.0
    return placed
