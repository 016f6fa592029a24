"""A small dictionary of numbers holds what one of Python's does."""

from __future__ import annotations

import random
from array import array

import pytest

from ratings.files.number_map import NumberMap


def test_it_holds_what_a_dictionary_does():
    choose = random.Random(7)
    keys = [choose.getrandbits(64) for _ in range(4_000)]
    keys += [number << 32 for number in range(1, 400)]
    keys += range(1, 400)
    ours, theirs = NumberMap(), {}
    for key in choose.choices(keys, k=12_000):
        assert ours.get(key) == theirs.get(key)
        ours[key] = theirs[key] = choose.getrandbits(64)
    assert all(ours.get(key) == number for key, number in theirs.items())


def test_the_first_and_the_last_number_are_keys_and_numbers():
    some = NumberMap()
    some[0] = 2**64 - 1
    some[2**64 - 1] = 0
    assert some.get(0) == 2**64 - 1
    assert some.get(2**64 - 1) == 0
    assert some.get(5) is None
    with pytest.raises(OverflowError):
        some.setdefault(5, 2**64)
    assert (some.get(5), len(some)) == (None, 2)


def test_no_keys_can_be_made_that_all_look_for_one_place():
    some = NumberMap()
    steps = 0

    class Counted(array):
        def __getitem__(self, place):
            nonlocal steps
            steps += 1
            return super().__getitem__(place)

    for low in range(6_000):
        some.setdefault((low << 40) | (low % 8), 1)
    some._keys = Counted("Q", some._keys)
    for low in range(6_000):
        assert some.get((low << 40) | (low % 8) or 1) == 1
    assert steps < 6_000 * 20
