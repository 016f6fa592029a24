"""Rows in any order, put into the order of a log: keys, sides and members."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ratings.reading import read_integers

Integers = NDArray[np.int64]

MOST_COMPARED: Final = 32
"""Participants of a match up to which each is compared with each; of more, all rows are sorted."""


@dataclass(frozen=True, slots=True)
class Rows:
    """The participant rows of a log of n matches as a caller hands them over, in any order."""

    n: int
    keys: tuple[str, ...]
    """Ascending."""
    position: Integers | None
    """Of each key as the rows count them, the place among `keys`; None: the same."""
    match: ArrayLike
    side: ArrayLike
    rank: ArrayLike
    player: ArrayLike


@dataclass(frozen=True, slots=True, eq=False)
class Arrangement:
    """Rows as read, and in the order of a log, with the tables of its sides."""

    row_match: Integers
    """By row: the match."""
    row_player: Integers
    """By row: the place of the player's key."""
    side_start: Integers
    rank: Integers
    member_start: Integers
    player: Integers
    order: Integers
    """By participant of the log: the row."""


def arrange_columns(rows: Rows) -> Arrangement:
    """Arrange rows column by column; refuse, with the column and the row, what is no log."""
    matches = read_integers("match", rows.match)
    p, q = len(matches), len(rows.keys)
    sides, players = read_integers("side", rows.side, p), read_integers("player", rows.player, p)
    ranks = read_integers("rank", rows.rank, p)
    if p and (matches.min() < 0 or matches.max() >= rows.n):
        raise ValueError("a participant refers to a match that does not exist")
    if p and (players.min() < 0 or players.max() >= q):
        raise ValueError("a participant refers to a player who does not exist")
    if rows.position is not None:
        players = rows.position[players]
    by_side = order_by(matches, sides, players)
    grouped_match = arranged(matches, by_side)
    grouped_player = arranged(players, by_side)
    refuse_twice(grouped_match, grouped_player, rows.keys)
    first = first_of_sides(grouped_match, arranged(sides, by_side))
    side_match = arranged(grouped_match, first)
    side_rank = arranged(arranged(ranks, by_side), first)
    side_order = order_by(side_match, side_rank, arranged(grouped_player, first))
    member_start, members = members_of(first, side_order, p)
    order = arranged(np.arange(p) if by_side is None else by_side, members)
    return Arrangement(
        row_match=matches,
        row_player=players,
        side_start=starts_of(np.bincount(side_match, minlength=rows.n)),
        rank=ranks[order[member_start[:-1]]],
        member_start=member_start,
        player=players[order],
        order=order,
    )


def starts_of(counts: NDArray[Any]) -> Integers:
    starts = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(counts, out=starts[1:])
    return starts


def stable_order(values: Integers) -> Integers:
    """Return the order of whole numbers from 0, equal ones in the order in which they stand."""
    bits = len(values).bit_length()
    if not len(values) or int(values.max()) >= 1 << (62 - bits):
        return np.argsort(values, kind="stable").astype(np.int64, copy=False)
    # Packed with their rows they sort several times faster.
    packed = (values << bits) | np.arange(len(values), dtype=np.int64)
    packed.sort()
    packed &= (1 << bits) - 1
    return packed


def ranges_of(starts: Integers, chosen: Integers) -> Integers:
    """Return the indices starts[i]:starts[i + 1] of every chosen i, one after the other."""
    sizes = np.diff(starts)[chosen]
    if len(sizes) and bool((sizes == sizes[0]).all()):
        ranges: Integers = (starts[chosen][:, None] + np.arange(sizes[0])).ravel()
        return ranges
    shift = np.repeat(starts[chosen] - starts_of(sizes)[:-1], sizes)
    return np.arange(len(shift), dtype=np.int64) + shift


def sorted_keys_of(keys: Sequence[str]) -> tuple[tuple[str, ...], Integers | None]:
    """Return the keys ascending, and the new position of each (None where they stood so)."""
    given = tuple(keys)
    try:
        # Of all ways to ask for each one's type the fastest.
        joined = "\0".join(given)
    except TypeError:
        stranger = next(key for key in given if not isinstance(key, str))
        raise ValueError(f"a player key must be text, not {stranger!r}") from None
    if _ascend(given, joined):
        return given, None
    order = sorted(range(len(given)), key=given.__getitem__)
    ascending = tuple(given[i] for i in order)
    for before, after in pairwise(ascending):
        if before == after:
            raise ValueError(f"the player key {before!r} occurs twice")
    position = np.empty(len(given), dtype=np.int64)
    position[order] = np.arange(len(given))
    return ascending, position


def _ascend(keys: Sequence[str], joined: str) -> bool:
    """Whether each key comes after the one before it; `joined` has a zero between them.

    Plain texts of one width, as numbers with leading zeros are, are compared as a table of
    bytes, in half of the time or less.
    """
    width, rest = divmod(len(joined) + 1, max(1, len(keys)))
    if joined.isascii() and not rest:
        table = np.frombuffer(f"{joined}\0".encode(), np.uint8).reshape(-1, width)
        if not table[:, -1].any() and np.count_nonzero(table) == table.size - len(table):
            texts = table.view(f"S{width}").ravel()
            return bool((texts[1:] > texts[:-1]).all())
    return all(map(operator.lt, keys, islice(keys, 1, None)))


def refuse_twice(match: Integers, player: Integers, keys: Sequence[str]) -> None:
    """Refuse a player who stands in a match twice; the rows of a match are neighbours."""
    widest = int(np.bincount(match).max(initial=0))
    if widest <= MOST_COMPARED:
        is_fine = True
        for lag in range(1, widest):
            # Of another match as a rule: a few of many rows.
            again = np.flatnonzero(player[lag:] == player[:-lag])
            is_fine &= not bool((match[again + lag] == match[again]).any())
        if is_fine:
            return
    present = np.sort(match * len(keys) + player)
    twice = np.flatnonzero(present[1:] == present[:-1])
    if len(twice):
        where, who = divmod(int(present[twice[0]]), len(keys))
        raise ValueError(f"match {where} of the log: {keys[who]!r} takes part twice")


def order_by(major: Integers, middle: Integers, minor: Integers) -> Integers | None:
    """Return the order by (major, middle, minor); None where they stand so.

    Packed into one number with the row they sort several times faster than as three columns;
    `lexsort` takes over where the ranges do not fit into 63 bits. Where equally many neighbours
    share each number of `major`, as the two sides of every duel, each such row is sorted alone.
    """
    if not len(major):
        return None
    width = _constant_width(major)
    if width == 2:
        return _order_of_pairs(middle, minor)
    packed: Integers | None = None
    room = 1
    for values in (middle, minor) if width else (major, middle, minor):
        low, high = int(values.min()), int(values.max())
        room *= high - low + 1
        if room >= 1 << 62:
            return np.lexsort((minor, middle, major)).astype(np.int64, copy=False)
        packed = values - low if packed is None else packed * (high - low + 1) + (values - low)
    assert packed is not None  # noqa: S101 - of two or three columns
    if width:
        packed = packed.reshape(-1, width)
    if bool((packed[..., 1:] > packed[..., :-1]).all()):
        return None
    bits = ((width or packed.size) - 1).bit_length()
    if room >= 1 << (62 - bits):
        order = np.argsort(packed, kind="stable")
    else:
        packed <<= bits
        packed |= np.arange(packed.shape[-1], dtype=np.int64)
        packed.sort()
        packed &= (1 << bits) - 1
        order = packed
    if width:
        order = order + np.arange(0, packed.size, width)[:, None]
    return order.ravel().astype(np.int64, copy=False)


def _constant_width(major: Integers) -> int:
    """How many neighbours share each of the ascending numbers of a column; 0 where it differs."""
    first, last = int(major[0]), int(major[-1])
    groups = last - first + 1
    if groups < 1 or len(major) % groups:
        return 0
    width = len(major) // groups
    if width > MOST_COMPARED:
        return 0
    expected = np.arange(first, last + 1)[:, None]
    return width if bool((major.reshape(groups, width) == expected).all()) else 0


def _order_of_pairs(middle: Integers, minor: Integers) -> Integers | None:
    """Return the order of pairs of neighbours by (middle, minor); None where they stand so."""
    one, two = middle[0::2], middle[1::2]
    swapped = (two < one) | ((two == one) & (minor[1::2] < minor[0::2]))
    if not swapped.any():
        return None
    order = np.arange(len(middle), dtype=np.int64)
    order[0::2] += swapped
    order[1::2] -= swapped
    return order


def arranged(values: NDArray[Any], order: Integers | None) -> NDArray[Any]:
    """Return the values in an order; None: as they stand."""
    return values if order is None else values[order]


def first_of_sides(match: Integers, side: Integers) -> Integers | None:
    """Return the first row of each side, whose rows are neighbours; None: each has one row."""
    opens = np.ones(len(match), dtype=bool)
    opens[1:] = (match[1:] != match[:-1]) | (side[1:] != side[:-1])
    return None if opens.all() else np.flatnonzero(opens)


def members_of(
    first: Integers | None, side_order: Integers | None, p: int
) -> tuple[Integers, Integers | None]:
    """Return where the members of each side start once the sides are in order, and their rows."""
    if first is None:
        return np.arange(p + 1), side_order
    size = np.diff(np.append(first, p))
    member_start = starts_of(arranged(size, side_order))
    if side_order is None:
        return member_start, None
    return member_start, ranges_of(np.append(first, p), side_order)
