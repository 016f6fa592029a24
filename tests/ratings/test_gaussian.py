"""Reference values by mpmath with 80 digits."""

from __future__ import annotations

import pytest
from pytest import approx

from ratings.gaussian import draw_moments, win_moments

WINS = [
    (-100.0, 100.00999800099926, 0.99990005995005174),
    (-40.0, 40.024968847207264, 0.99937733162140861),
    (-7.5, 7.6289663911037659, 0.98388026331257389),
    (-5.0, 5.1865039671258421, 0.96730356538288777),
    (-4.9, 5.0898286001298836, 0.96619503806369925),
    (-1.0, 1.5251352761609812, 0.80090233442965121),
    (0.0, 0.79788456080286536, 0.63661977236758134),
    (2.0, 0.055247862678989959, 0.11354805168857645),
    (8.0, 5.0522710835368954e-15, 4.0418168668295189e-14),
]
DRAWS = [
    (0.0, 0.5, 0.0, 0.9194108453991883),
    (0.3, 1e-06, -0.29999999999989999, 0.99999999999966667),
    (-2.0, 9e-05, 1.9999999946, 0.99999999730000002),
    (4.0, 0.0002, -3.9999999466666692, 0.99999998666666844),
    (-4.0, 0.74, 3.5230547772646678, 0.94079504514536813),
    (6.0, 0.74, -5.4381956608677156, 0.97018293149846946),
    (-40.0, 0.1, 39.924964530495243, 0.99938756014122716),
    (40.0, 2.5, -37.526628874883654, 0.99929190511457925),
    (90.0, 0.001, -89.999970016191507, 0.99999966720601741),
]


@pytest.mark.parametrize(("t", "v", "w"), WINS)
def test_a_win_moves_mean_and_variance_as_the_exact_values_say(t, v, w):
    assert win_moments(t) == (approx(v, rel=1e-13, abs=1e-300), approx(w, rel=1e-12, abs=1e-300))


@pytest.mark.parametrize(("t", "margin", "v", "w"), DRAWS)
def test_a_draw_moves_mean_and_variance_as_the_exact_values_say(t, margin, v, w):
    assert draw_moments(t, margin) == (approx(v, rel=1e-11), approx(w, rel=1e-9))


def test_a_draw_without_a_margin_has_the_limits():
    assert draw_moments(3.0, 0.0) == (-3.0, 1.0)
    assert draw_moments(-1e9, 0.0) == (1e9, 1.0)
