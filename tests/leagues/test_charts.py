from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leagues import charts

NOW = datetime(2026, 11, 21, tzinfo=UTC)
VALUES = st.floats(-1e6, 1e6)
SPREADS = st.floats(0.01, 1e4)


def percent(text: str) -> float:
    return float(text.removesuffix("%"))


@given(st.lists(st.tuples(VALUES, SPREADS), min_size=1, max_size=60))
def test_every_rating_is_on_the_shared_scale(rows):
    values = [(value - half, value, value + half) for value, half in rows]
    scale = charts.shared_scale(values)
    assert scale is not None
    for low, value, high in values:
        drawn = charts.rung(scale, value, low, high)
        places = [drawn.low, drawn.inner_low, drawn.dot, drawn.inner_high, drawn.high]
        assert [percent(place) for place in places] == sorted(percent(place) for place in places)
        assert scale.low < value < scale.high


@given(VALUES, SPREADS)
def test_grid_lines_are_round_and_few(low, extent):
    numbers = charts.round_numbers(low, low + extent, 6)
    assert len(numbers) <= 7
    assert all(low - 1e-6 * extent <= number <= low + extent * (1 + 1e-6) for number in numbers)


def test_one_newcomer_does_not_flatten_the_others():
    settled = [(1500.0 + 10 * n - 50, 1500.0 + 10 * n, 1500.0 + 10 * n + 50) for n in range(20)]
    scale = charts.shared_scale([*settled, (800.0, 1500.0, 2200.0)])
    assert scale is not None
    assert scale.low > 1300 and scale.high < 1900


def test_a_scale_of_nobody_is_none():
    assert charts.shared_scale([]) is None


def test_the_thick_bar_holds_half_of_all_cases():
    scale = charts.Scale(0.0, 100.0)
    drawn = charts.rung(scale, 50.0, 50.0 - 1.959963984540054, 50.0 + 1.959963984540054)
    assert percent(drawn.inner_high) - 50 == pytest.approx(0.674, abs=0.005)


def test_form_is_drawn_oldest_first_and_newest_at_the_right():
    drawn = charts.form("LWD")
    assert drawn is not None
    assert drawn.letters == "L W D"
    assert drawn.won == "M51 7V1"
    assert drawn.other == "M45 9v6M55 8h4"
    assert charts.form("") is None


def test_bars_begin_at_zero_and_the_newest_is_at_the_end():
    drawn = charts.spark([1, 2, 4])
    assert drawn is not None
    assert [bar.height for bar in drawn.bars] == [6, 11, 22]
    assert [bar.x for bar in drawn.bars] == [90, 100, 110]
    assert drawn.bars[-1].is_last
    assert charts.spark([0, 0]) is None


def points(count: int, step: timedelta = timedelta(days=7)) -> list[charts.Point]:
    return [
        charts.Point(NOW + step * n, 1500 + 40 * math.sin(n), 1400.0 - n, 1600.0 + n)
        for n in range(count)
    ]


def test_a_chart_needs_two_points():
    assert charts.rating_chart(points(1), end_label="1500", end_range="") is None


@pytest.mark.parametrize("count", [2, 5, 60, 1000])
@pytest.mark.parametrize("step", [timedelta(minutes=5), timedelta(days=1), timedelta(days=40)])
def test_everything_drawn_is_inside_the_frame(count, step):
    chart = charts.rating_chart(points(count, step), end_label="1500", end_range="± 100")
    assert chart is not None
    for drawing in (chart.wide, chart.narrow):
        pairs = [pair.split(",") for pair in f"{drawing.line} {drawing.band}".split()]
        assert all(drawing.left <= float(x) <= drawing.right for x, _y in pairs)
        assert all(0 <= float(y) <= drawing.bottom for _x, y in pairs)
        assert 2 <= len(drawing.dates) <= 13 or step < timedelta(days=1) or count < 5
        assert drawing.dots[-1].x == drawing.end.x


def test_many_points_are_thinned_and_the_ends_stay():
    many = points(5000, timedelta(hours=1))
    kept = charts.thinned(many)
    assert len(kept) == charts.MOST_POINTS
    assert kept[0] is many[0]
    assert kept[-1] is many[-1]


def test_all_matches_at_one_instant_still_make_a_chart():
    chart = charts.rating_chart(points(3, timedelta(0)), end_label="1500", end_range="")
    assert chart is not None
    assert "nan" not in chart.wide.line


def test_a_flat_rating_without_range_is_drawn():
    flat = [charts.Point(NOW + timedelta(days=n), 1500.0) for n in range(3)]
    chart = charts.rating_chart(flat, end_label="1500", end_range="")
    assert chart is not None
    assert chart.wide.band == ""
