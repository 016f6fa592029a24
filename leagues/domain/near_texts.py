"""Texts that are nearly another one, found by their letters before any two are compared."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

import numpy as np

_ROUNDING: Final = 1e-9
_BUCKETS: Final = 32
"""Places in which letters are counted; those that share one only let more be compared."""


class NearTexts:
    """Some texts, of which those come back that `difflib` would take for near to another one.

    `difflib` compares one text with another in some ten microseconds, and a sheet of a large league
    has millions of pairs. Two texts share at most the letters that both have, in any order, which
    are counted for all texts at once, and at most their longest common row of letters.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
        rows = np.repeat(np.arange(len(texts)), self._lengths)
        cells = _buckets("".join(texts)) * len(texts) + rows
        counts = np.bincount(cells, minlength=_BUCKETS * len(texts))
        self._counts = counts.reshape(_BUCKETS, len(texts)).astype(np.int32)

    def with_letters_of(self, text: str, least: float) -> list[str]:
        """The texts that have so many letters of another one that they may be as near to it."""
        own = np.bincount(_buckets(text), minlength=_BUCKETS).astype(np.int32)
        used = np.flatnonzero(own)
        shared = np.minimum(self._counts[used], own[used, None]).sum(axis=0)
        near = 2.0 * shared >= least * (self._lengths + len(text)) - _ROUNDING
        return [self._texts[at] for at in np.flatnonzero(near).tolist()]

    def near_to(self, text: str, least: float) -> list[str]:
        """The texts that may be as near to another one, but for a few that are not."""
        masks: dict[str, int] = defaultdict(int)
        for at, letter in enumerate(text):
            masks[letter] |= 1 << at
        return [
            one
            for one in self.with_letters_of(text, least)
            if 2.0 * _common_letters(masks, len(text), one)
            >= least * (len(text) + len(one)) - _ROUNDING
        ]


def _buckets(text: str) -> np.ndarray:
    return (
        np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.int64)
        % _BUCKETS
    )


def _common_letters(masks: dict[str, int], length: int, other: str) -> int:
    """How many letters two texts have in common in their order (Hyyrö 2004, a bit a letter)."""
    everything = (1 << length) - 1
    row = everything
    for letter in other:
        both = row & masks.get(letter, 0)
        row = ((row + both) | (row - both)) & everything
    return length - row.bit_count()
