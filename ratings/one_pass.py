"""Rows that stand match by match, arranged in one compiled pass.

What a log is made of as a rule: whole numbers, the rows of a match next to each other, those of a
side too. Whatever else there is, and whatever no log can hold, is left to `arrange_columns`, which
takes three to eight times as long, arranges all rows to the same bits, and knows what to say of bad
ones. Of what is arranged here nothing is wrong.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from ratings.arranging import Arrangement, Integers, Rows
from ratings.engine import INDEX, Column, Reader, body, compiled, has_compiled
from ratings.reading import MAX_WHOLE

LEAST_ROWS: Final = 100_000
"""From how many rows on loading the pass pays, where the compiler is loaded already."""

MOST_TOGETHER: Final = 64
"""Rows of a match that are arranged here at most; a row's place in its match has 6 bits."""
_PLACE: Final = 6

MOST_RANK: Final = (1 << 24) - 1
"""The largest rank: in front of a player's 32 bits and the side's place in one whole number."""
_RANK: Final = 38

_TURNS: Final = (1 << 15) - 1
"""Matches are told apart by as many bits as two bytes have, so that all players stay near."""


def arrange_in_one_pass(rows: Rows) -> Arrangement | None:
    """Arrange rows as `arrange_columns` does; None where that has to do it."""
    match = _whole_numbers(rows.match)
    if match is None or not LEAST_ROWS <= len(match) < INDEX or not has_compiled():
        return None
    return arrange_neighbours(rows)


def arrange_neighbours(rows: Rows, *, is_compiled: bool = True) -> Arrangement | None:
    """Arrange rows of any number, under either engine; None where they are not as they should."""
    match, side, rank, player = map(_whole_numbers, (rows.match, rows.side, rows.rank, rows.player))
    if match is None or side is None or rank is None or player is None:
        return None
    p, q = len(match), len(rows.keys)
    if not len(side) == len(rank) == len(player) == p:
        return None
    if rows.position is not None:
        if p and (player.min() < 0 or player.max() >= q):
            return None
        player = rows.position[player]
    given = Reader()((match, side, rank, player))
    side_start, member_start = np.empty(rows.n + 1, np.int64), np.empty(p + 1, np.int64)
    side_rank, sorted_player, order = (np.empty(p, np.int64) for _ in range(3))
    made = (side_start, side_rank, member_start, sorted_player, order)
    sides = -1
    if p == 2 * rows.n:
        sides = (compiled(duels_body) if is_compiled else duels_body)(given, made, q)
    if sides < 0:
        last_turn = np.empty(q, np.int16)
        scratch = tuple(np.empty(MOST_TOGETHER + 1, np.int64) for _ in range(4))
        function = compiled(neighbours_body) if is_compiled else neighbours_body
        sides = function(given, made, last_turn, scratch)
    if sides < 0:
        return None
    # What stands behind takes no memory as a rule: it was not written.
    side_rank, member_start = side_rank[:sides], member_start[: sides + 1]
    return Arrangement(match, player, side_start, side_rank, member_start, sorted_player, order)


def _whole_numbers(values: ArrayLike) -> Integers | None:
    """Return a column of whole numbers, none of which can be too large; None: it is another."""
    try:
        given = np.asarray(values)
    except (ValueError, OverflowError):
        return None
    if given.ndim != 1 or given.dtype.kind not in "iu" or not np.can_cast(given.dtype, np.int64):
        return None
    return np.ascontiguousarray(given, dtype=np.int64)


@body
def duels_body(given: Column, made: Column, players: int) -> int:
    """Arrange a log of nothing but duels; return the number of sides, or -1.

    Without a branch that data decide, so that a processor computes several duels at once.
    """
    match, side, rank, player = given
    side_start, side_rank, member_start, sorted_player, order = made
    duels = len(side_start) - 1
    is_bad = False
    for duel in range(duels):
        one = 2 * duel
        two = one + 1
        a, b = player[one], player[two]
        a_rank, b_rank = rank[one], rank[two]
        a_side, b_side = side[one], side[two]
        is_bad |= (match[one] != duel) | (match[two] != duel) | (a_side == b_side) | (a == b)
        is_bad |= (min(a, b) < 0) | (max(a, b) >= players)
        is_bad |= (min(a_side, b_side) < -MAX_WHOLE) | (max(a_side, b_side) > MAX_WHOLE)
        is_bad |= (min(a_rank, b_rank) < -MAX_WHOLE) | (max(a_rank, b_rank) > MAX_WHOLE)
        is_swapped = (b_rank < a_rank) | ((b_rank == a_rank) & (b < a))
        side_start[duel] = one
        side_rank[one] = min(a_rank, b_rank)
        side_rank[two] = max(a_rank, b_rank)
        member_start[one] = one
        member_start[two] = two
        sorted_player[one] = b if is_swapped else a
        sorted_player[two] = a if is_swapped else b
        order[one] = one + is_swapped
        order[two] = two - is_swapped
    side_start[duels] = 2 * duels
    member_start[2 * duels] = 2 * duels
    return -1 if is_bad else 2 * duels


@body
def neighbours_body(given: Column, made: Column, last_turn: Column, scratch: Column) -> int:
    """Arrange a log of any matches; return the number of sides, or -1.

    `last_turn` has a place for each player, in which stands
    where they were seen last.
    """
    match, side, rank, player = given
    side_start, _side_rank, member_start, _sorted_player, _order = made
    members, sides, labels, begins = scratch
    p = len(match)
    n = len(side_start) - 1
    q = len(last_turn)
    is_bad = False
    row = 0
    number = 0
    filled = 0
    while row < p:
        if number == n or match[row & INDEX] != number:
            return -1
        side_start[number & INDEX] = filled
        turn = number & _TURNS
        if turn == 0:
            _forget(last_turn)
        first = row
        count = 0
        while row < p and match[row & INDEX] == number:
            begin = row - first
            if begin >= MOST_TOGETHER:
                return -1
            label = side[row & INDEX]
            place = rank[row & INDEX]
            is_bad |= (label < -MAX_WHOLE) | (label > MAX_WHOLE)
            is_bad |= (place < 0) | (place > MOST_RANK)
            while row < p and match[row & INDEX] == number and side[row & INDEX] == label:
                who = player[row & INDEX]
                if who < 0 or who >= q or row - first >= MOST_TOGETHER:
                    return -1
                is_bad |= (last_turn[who & INDEX] == turn) | (rank[row & INDEX] != place)
                last_turn[who & INDEX] = turn
                members[(row - first) & INDEX] = who << _PLACE | (row - first)
                row += 1
            _sort(members, begin, row - first)
            key = place << _RANK | members[begin & INDEX] >> _PLACE << _PLACE | count
            _insert(sides, 0, count, key)
            for before in range(count):
                is_bad |= labels[before & INDEX] == label
            labels[count & INDEX] = label
            begins[count & INDEX] = begin
            count += 1
        begins[count & INDEX] = row - first
        _write(made, scratch, first, filled, count)
        filled += count
        number += 1
    if number != n or is_bad:
        return -1
    side_start[n & INDEX] = filled
    member_start[filled & INDEX] = p
    return filled


@body
def _sort(keys: Column, begin: int, end: int) -> None:
    """Sort the keys from `begin` to `end` - 1; four of them without storing what is between."""
    if end - begin != 4:
        for place in range(begin + 1, end):
            _insert(keys, begin, place, keys[place & INDEX])
        return
    one, two = keys[begin & INDEX], keys[(begin + 1) & INDEX]
    three, four = keys[(begin + 2) & INDEX], keys[(begin + 3) & INDEX]
    one, two = min(one, two), max(one, two)
    three, four = min(three, four), max(three, four)
    one, three = min(one, three), max(one, three)
    two, four = min(two, four), max(two, four)
    keys[begin & INDEX] = one
    keys[(begin + 1) & INDEX] = min(two, three)
    keys[(begin + 2) & INDEX] = max(two, three)
    keys[(begin + 3) & INDEX] = four


@body
def _insert(keys: Column, begin: int, end: int, key: int) -> None:
    """Put a key in its place among the ascending ones from `begin` to `end` - 1.

    Exchanged, or not, with all of them: of a branch a processor would miss every other one.
    """
    for before in range(begin, end):
        other = keys[before & INDEX]
        keys[before & INDEX] = min(key, other)
        key = max(key, other)
    keys[end & INDEX] = key


@body
def _forget(last_turn: Column) -> None:
    """Have no player be seen in any match."""
    for who in range(len(last_turn)):
        last_turn[who] = -1


@body
def _write(made: Column, scratch: Column, first: int, filled: int, count: int) -> None:
    """Write out the sides of a match, sorted, whose first row and side have these numbers."""
    _side_start, side_rank, member_start, sorted_player, order = made
    members, sides, _labels, begins = scratch
    at = first
    for index in range(count):
        key = sides[index & INDEX]
        chosen = key & (MOST_TOGETHER - 1)
        side_rank[(filled + index) & INDEX] = key >> _RANK
        member_start[(filled + index) & INDEX] = at
        for place in range(begins[chosen & INDEX], begins[(chosen + 1) & INDEX]):
            member = members[place & INDEX]
            sorted_player[at & INDEX] = member >> _PLACE
            order[at & INDEX] = first + (member & (MOST_TOGETHER - 1))
            at += 1
