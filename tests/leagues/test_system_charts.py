"""Geometry of the drawings of systems: places, margins, calibration, clouds."""

from __future__ import annotations

import pytest
from pytest import approx

from leagues.charts import PlacedLine, cloud_plots, course_plots, margin_marks, places_chart
from leagues.charts.calibration import BOTTOM, TOP, calibration_chart, sample_range
from leagues.charts.labels import short_names


def lines(*places, tone="far"):
    return [PlacedLine(f"Player {number}", row, tone) for number, row in enumerate(places)]


def test_equal_places_stand_below_each_other_and_missing_ones_break_the_line():
    chart = places_chart(["A", "B", "C"], lines((1, 1, 1), (1, None, 3), (3, 2, None)), depth=3)
    first, second, third = chart.wide.lines
    assert len(first.runs) == 1 and not first.dots
    assert second.runs == () and len(second.dots) == 2
    assert second.first.place == "1" and second.first.y != first.first.y
    assert third.last is None
    assert not chart.runs_off


def test_places_below_the_depth_meet_and_have_no_label():
    chart = places_chart(["A", "B"], lines((1, 40), (2, 90)), depth=5)
    one, two = chart.wide.lines
    assert chart.runs_off
    assert one.last is None and two.last is None
    assert one.runs[0].split()[-1] == two.runs[0].split()[-1]


def test_what_matters_is_drawn_last_and_long_names_are_cut():
    rows = [PlacedLine("N" * 60, (1, 1), "mine"), *lines((2, 2))]
    chart = places_chart(["A", "B"], rows, depth=2)
    assert [line.line for line in chart.wide.lines] == ["far", "mine"]
    assert len(chart.narrow.lines[-1].first.name) < 20
    assert places_chart(["A"], rows, depth=2) is None


def test_crowded_titles_stand_in_two_lines():
    chart = places_chart(["Glicko-2", "TrueSkill"] * 4, lines((1,) * 8), depth=1)
    assert len({column.y for column in chart.narrow.columns}) == 2
    assert len({column.y for column in chart.wide.columns}) == 1


def test_margins_share_a_scale_and_one_far_behind_ends_at_its_edge():
    best, near, far = margin_marks([None, (0.01, 0.005), (3.0, 0.1)])
    assert best.dot == best.zero and best.low == ""
    percent = [float(mark.dot.rstrip("%")) for mark in (best, near, far)]
    assert percent[0] < percent[1] < percent[2] == approx(96)
    assert margin_marks([None])[0].zero


def test_a_small_sample_leaves_more_in_doubt():
    few, many = sample_range(0.5, 10), sample_range(0.5, 1000)
    assert few[0] < many[0] < 0.5 < many[1] < few[1]
    assert sample_range(1.0, 3)[1] == 1.0 and sample_range(0.0, 0) == (0.0, 1.0)
    (point,) = calibration_chart([(0.5, 1.0, 10)]).points
    assert float(point.y) == TOP and BOTTOM > float(point.low) > float(point.high)


def test_a_cloud_keeps_its_frame_and_a_course_marks_its_round():
    points = [(-100.0, 1400.0), (100.0, 1600.0)]
    one = cloud_plots(points, low=1000, high=2000)
    two = cloud_plots([(-100.0, 1500.0), (100.0, 1500.0)], low=1000, high=2000)
    assert one.wide.up == two.wide.up and one.wide.across == two.wide.across
    assert len(one.narrow.points) == 2
    course = course_plots([("Elo", [0.1, 0.5, 0.8]), ("Ladder", [0.1, 0.4, 0.8])], chosen=2)
    assert course.wide.now and ",".join(course.wide.now) in course.wide.lines[0].points
    ends = [float(line.end_y) for line in course.wide.lines]
    assert abs(ends[0] - ends[1]) >= 14
    assert course_plots([("Elo", [-0.5])], chosen=1).wide.now


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (["Ana Ruiz", "Bo Lindqvist"], ["Ana Ruiz", "Bo Lindqvist"]),
        (["Farah Siddiqui-Khan", "Ana"], ["Farah S.", "Ana"]),
        (["Farah Siddiqui-Khan", "Farah Sommerville"], ["Farah Siddiq…", "Farah Sommer…"]),
        (["Singles, Glicko-2", "Singles, Glicko"], ["…es, Glicko-2", "…gles, Glicko"]),
        (["Maximilianopolis Q", "Bo"], ["Maximilianop…", "Bo"]),
        (["Same Longer Name", "Same Longer Name"], ["Same N.", "Same N."]),
    ],
)
def test_names_that_do_not_fit_stay_apart(names, short):
    assert short_names(names, 13) == short


def test_a_phone_shows_first_names_whole():
    names = ("Farah Siddiqui-Khan", "Rosa Teixeira Nunes", "Vera Sokolova-Weiss")
    rows = [PlacedLine(name, (place, place)) for place, name in enumerate(names, start=1)]
    chart = places_chart(["Elo", "Ladder"], rows, depth=3)
    assert [line.first.name for line in chart.narrow.lines] == ["Farah S.", "Rosa N.", "Vera S."]


def test_over_time_a_player_without_a_place_is_spanned():
    lines = [
        PlacedLine("Ana", (1, None, 1, None), "ink"),
        PlacedLine("Bo", (2, 1, 2, 1), "two"),
    ]
    over_time = places_chart(["a", "b", "c", "d"], lines, depth=2, moments=True)
    systems = places_chart(["a", "b", "c", "d"], lines, depth=2)
    assert over_time.has_gaps and not systems.has_gaps
    (ana,) = [line for line in over_time.wide.lines if line.line == "ink"]
    assert len(ana.gaps) == 1 and len(ana.dots) == 2
    first, second = ana.gaps[0].split()
    assert (tuple(first.split(",")), tuple(second.split(","))) == ana.dots


def test_places_that_lead_somewhere_are_points_of_their_line():
    day = (("Ana, 1 Nov: 1st", "/l/x/?on=2025-11-01"), ("Ana, 8 Nov: –", ""), ("Ana: 2nd", "/l/x/"))
    led = PlacedLine("Ana", (1, None, 2), "ink", day)
    chart = places_chart(["a", "b", "c"], [led, PlacedLine("Bo", (2, 1, 1))], depth=2)
    assert chart is not None
    assert chart.wide.has_links
    (ana,) = (line for line in chart.wide.lines if line.line == "ink")
    assert [dot.title for dot in ana.points] == ["Ana, 1 Nov: 1st", "Ana: 2nd"]
    plain = places_chart(["a", "b"], lines((1, 2), (2, 1)), depth=2)
    assert plain is not None
    assert not plain.wide.has_links
