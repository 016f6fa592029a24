"""A small dictionary of numbers holds what one of Python's does."""

from __future__ import annotations

import random

from ratings.files.number_map import NumberMap


def test_it_holds_what_a_dictionary_does():
    choose = random.Random(7)
    keys = [choose.getrandbits(64) for _ in range(4_000)]
    # As many with the same last bits, which look for a place one behind the other.
    keys += [number << 32 for number in range(400)]
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
