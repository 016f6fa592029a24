from __future__ import annotations

import itertools
import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leagues import charts
from leagues.charts.lines import side_of

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
    kept = charts.thin_points(many)
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


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=60))
def test_bars_begin_at_zero_and_are_as_high_as_what_they_count(values):
    drawn = charts.bar_chart(charts.Bars(values=values))
    if not any(values):
        assert drawn is None
        return
    for size in (drawn.wide, drawn.narrow):
        assert len(size.bars) == sum(value > 0 for value in values)
        heights = [float(bar.height) for bar in size.bars]
        counted = [value for value in values if value]
        assert max(heights) == heights[counted.index(max(counted))]
        for bar in size.bars:
            assert float(bar.y) + float(bar.height) == pytest.approx(size.bottom, abs=0.11)
            assert size.left <= float(bar.x) <= size.right


def test_words_below_the_columns_leave_room_between_them():
    chart = charts.weeks_chart([(str(year), 1) for year in range(1872, 2027)])
    for drawing in (chart.wide, chart.narrow):
        places = [float(label.x) for label in drawing.labels]
        assert min(b - a for a, b in itertools.pairwise(places)) > 4 * 7 + 7


def test_thousands_are_set_apart_at_the_columns_too():
    chart = charts.weeks_chart([("2024", 2800), ("2025", 1200)])
    assert [line.text for line in chart.wide.lines] == [
        f"{number}\N{NARROW NO-BREAK SPACE}000" for number in (1, 2, 3)
    ]


def test_several_lines_share_one_scale_and_their_labels_do_not_overlap():
    days = [NOW + timedelta(days=number) for number in range(5)]
    chart = charts.compared_chart(
        [
            charts.Series("Ana", "1500", [charts.Point(at, 1500.0) for at in days]),
            charts.Series(
                "Bo", "1501", [charts.Point(at, 1501.0) for at in days[2:]], is_mine=True
            ),
        ]
    )
    for size in (chart.wide, chart.narrow):
        one, other = size.lines
        assert (one.kind, other.kind) == ("", "mine")
        assert abs(float(one.end_y) - float(other.end_y)) >= 28
        assert one.end_x == other.end_x
    assert charts.compared_chart([charts.Series("Ana", "1500", [])]) is None


@given(st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_odds_fill_the_bar(win, draw):
    draw *= 1.0 - win
    parts = charts.odds_parts(win, draw, 1.0 - win - draw)
    widths = [percent(width) for width in (parts.win_width, parts.draw_width, parts.loss_width)]
    assert sum(widths) == pytest.approx(100.0, abs=0.05)
    assert percent(parts.loss_x) == pytest.approx(widths[0] + widths[1], abs=0.05)


@pytest.mark.parametrize(
    ("win", "draw", "at", "anchor"),
    [(0.4, 0.2, "50%", "mid"), (0.97, 0.03, "100%", "fin"), (0.02, 0.1, "0%", "")],
)
def test_the_draw_is_named_where_it_is_drawn(win, draw, at, anchor):
    parts = charts.odds_parts(win, draw, 1.0 - win - draw)
    assert (parts.draw_at, parts.draw_anchor) == (at, anchor)


def test_where_lower_is_better_the_least_stands_on_top_and_nothing_counts_from_zero():
    rungs = [charts.Point(NOW + timedelta(days=n), float(9 - n)) for n in range(8)]
    chart = charts.rating_chart(rungs, end_label="2", end_range="", is_turned=True)
    assert chart is not None
    heights = [float(pair.split(",")[1]) for pair in chart.wide.line.split()]
    assert heights == sorted(heights, reverse=True)
    assert all(int(tick.label) > 0 for tick in chart.wide.grid)
    assert [float(tick.at) for tick in chart.wide.grid] == sorted(
        float(tick.at) for tick in chart.wide.grid
    )


def test_a_revision_stands_on_the_line_and_only_the_newest_has_words():
    chart = charts.rating_chart(
        [charts.Point(NOW + timedelta(days=n), 1500.0 + 10 * n) for n in range(11)],
        end_label="1600",
        end_range="",
        marks=[
            charts.Mark(NOW + timedelta(days=5), "+6"),
            charts.Mark(NOW + timedelta(days=7), "+2"),
            charts.Mark(NOW + timedelta(days=40), "+1"),
        ],
    )
    assert chart is not None
    first, second = chart.wide.marks
    middle = dict(pair.split(",") for pair in chart.wide.line.split())
    top = float(first.path.split()[1].split("l")[0])
    assert float(middle[first.x]) == pytest.approx(top + 7, abs=0.11)
    assert (first.label, second.label) == ("", "")


@pytest.mark.parametrize(
    ("changes", "label"),
    [
        (["+59", "−59"], "corrected +59, −59"),
        (["+59", "−59", "+1", "+2"], "corrected 4 times"),
    ],
)
def test_revisions_of_one_place_are_one_diamond_whose_words_stay_in_the_frame(changes, label):
    end = NOW + timedelta(days=10)
    line = [charts.Point(NOW + timedelta(days=n), 1500.0 + 10 * n) for n in range(11)]
    marks = [charts.Mark(end, change) for change in changes]
    chart = charts.rating_chart(line, end_label="1600", end_range="", marks=marks)
    assert chart is not None
    for drawing in (chart.wide, chart.narrow):
        (mark,) = drawing.marks
        assert mark.label == label
        reach = 6.5 * len(label)
        assert mark.side in {"mid", "fin"}
        assert float(mark.x) + (reach / 2 if mark.side == "mid" else 0) <= drawing.width


def test_seasons_are_brackets_within_the_frame():
    eras = [
        charts.Era("Spring", NOW - timedelta(days=30), NOW + timedelta(days=150)),
        charts.Era("Autumn", NOW + timedelta(days=200), NOW + timedelta(days=413)),
        charts.Era("Later", NOW + timedelta(days=600), NOW + timedelta(days=650)),
    ]
    chart = charts.rating_chart(points(60), end_label="1500", end_range="", eras=eras)
    assert chart is not None
    assert [era.name for era in chart.wide.eras] == ["Spring", "Autumn"]
    for drawing in (chart.wide, chart.narrow):
        assert all(drawing.left <= float(era.x) <= float(era.end) for era in drawing.eras)
        assert all(float(era.end) <= drawing.right for era in drawing.eras)
    alone = charts.rating_chart(points(60), end_label="1500", end_range="", eras=eras[:1])
    assert alone is not None
    assert alone.wide.eras == ()


def test_dots_that_lead_somewhere_make_the_drawing_more_than_a_picture():
    led = [
        charts.Point(NOW + timedelta(days=n), 1500.0, title=f"day {n}", url=f"/m/{n}/")
        for n in range(3)
    ]
    chart = charts.rating_chart(led, end_label="1500", end_range="")
    assert chart is not None
    assert [(dot.title, dot.url) for dot in chart.wide.dots] == [
        ("day 0", "/m/0/"),
        ("day 1", "/m/1/"),
        ("day 2", "/m/2/"),
    ]
    assert chart.wide.has_links
    plain = charts.rating_chart(points(3), end_label="1500", end_range="")
    assert plain is not None
    assert not plain.wide.has_links


def test_words_of_a_dot_stay_within_the_frame():
    title = "Ana Ruiz, 12 Nov: 1712 ± 41"
    assert side_of("50", title, 344) == ""
    assert side_of("172", title, 344) == "mid"
    assert side_of("300", title, 344) == "fin"


def test_each_line_of_a_comparison_has_points_that_lead_to_its_matches():
    led = [
        charts.Point(NOW + timedelta(days=n), 1500.0 + n, title=f"day {n}", url=f"/m/{n}/")
        for n in range(60)
    ]
    chart = charts.compared_chart([charts.Series(name, "1500", led) for name in ("Ana", "Bo")])
    assert chart is not None
    for drawing, most in ((chart.wide, 20), (chart.narrow, 12)):
        for line in drawing.lines:
            assert len(line.dots) == most
            assert line.dots[-1].url == "/m/59/"
