from __future__ import annotations

import math
from itertools import permutations

import pytest
from pytest import approx

from ratings.places import place_probabilities


def test_two_sides_of_equal_noise_are_the_curve_itself():
    logistic = place_probabilities([0.7, 0.0], [1.0, 1.0], "gumbel")[0][0]
    assert logistic == approx(1 / (1 + math.exp(-0.7)), abs=1e-12)
    normal = place_probabilities([30.0, 0.0], [20.0, 20.0], "normal")[0][0]
    assert normal == approx(0.5 * math.erfc(-30 / 20 / 2), abs=1e-12)


def test_gumbel_noise_gives_plackett_and_luces_orders():
    worth = [1.0, 2.0, 5.0, 0.5]
    places = place_probabilities([math.log(w) for w in worth], [1.0] * 4, "gumbel")
    expected = [[0.0] * 4 for _ in worth]
    for order in permutations(range(4)):
        chance, left = 1.0, math.fsum(worth)
        for side in order:
            chance *= worth[side] / left
            left -= worth[side]
        for place, side in enumerate(order):
            expected[side][place] += chance
    for row, wanted in zip(places, expected, strict=True):
        assert row == approx(wanted, abs=1e-12)


def test_sixteen_sides_add_up_both_ways():
    places = place_probabilities([0.3 * n for n in range(16)], [1.0] * 16, "gumbel")
    for row in (*places, *zip(*places, strict=True)):
        assert math.fsum(row) == approx(1.0, abs=1e-12)


def test_sides_far_apart_give_no_nonsense():
    places = place_probabilities([-1e300, 0.0, 1e300], [1.0] * 3, "gumbel")
    assert [row.index(max(row)) for row in places] == [2, 1, 0]


@pytest.mark.parametrize(
    "scales",
    [
        [math.hypot(25 / 3, 0.1), *[math.hypot(0.5, 0.1)] * 3],
        [math.sqrt(32 * (25 / 3) ** 2 + 32 * (25 / 6) ** 2), *[4.2] * 3],
        [1.0, 1e-2, 1e-2, 0.5],
    ],
    ids=["a newcomer among settled players", "a team of newcomers", "narrow and wide"],
)
def test_sides_whose_noise_differs_much_add_up_both_ways(scales):
    places = place_probabilities([0.0, 1.3, 1.3, 1.4], scales, "normal")
    for row in (*places, *zip(*places, strict=True)):
        assert math.fsum(row) == approx(1.0, abs=1e-9)


def test_a_wide_side_is_first_where_it_lies_above_narrow_ones():
    places = place_probabilities([1.0, 0.0, 0.0], [10.0, 0.01, 0.01], "normal")
    assert places[0][0] == approx(0.5 * math.erfc(-0.1 / math.sqrt(2)), abs=1e-3)
    assert places[1] == approx(places[2], abs=1e-12)
