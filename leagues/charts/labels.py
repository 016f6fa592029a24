"""Names at the ends of lines: short enough, and far enough from each other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise


def short_names(names: Sequence[str], longest: int) -> list[str]:
    """Names as far as there is room for `longest` letters: in full, else first name and initial.

    Where two would be called the same, they are cut: at their ends, else at their beginnings.
    """
    whole = list(names)
    for shorten in (_with_initial, _without_end, _without_beginning):
        short = [name if len(name) <= longest else shorten(name, longest) for name in whole]
        if len(set(short)) == len(set(whole)) and all(len(name) <= longest for name in short):
            return short
    return [name if len(name) <= longest else _without_end(name, longest) for name in whole]


def _with_initial(name: str, longest: int) -> str:
    first, *rest = name.split() or [name]
    short = f"{first} {rest[-1][0]}." if rest else name
    return short if len(short) <= longest else _without_end(name, longest)


def _without_end(name: str, longest: int) -> str:
    return f"{name[: longest - 1].rstrip()}…"


def _without_beginning(name: str, longest: int) -> str:
    return f"…{name[1 - longest :].lstrip()}"


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
