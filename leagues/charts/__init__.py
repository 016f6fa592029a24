"""Geometry of the drawings: from numbers to positions, as strings that templates print.

A drawing of a rating always has its range: the thin line holds the true strength in 95 of 100
cases, the thick one in half of them.
"""

from __future__ import annotations

from leagues.charts.bars import BarChart, Bars, bar_chart
from leagues.charts.calibration import CalibrationChart, calibration_chart
from leagues.charts.clouds import Plots, cloud_plots, course_plots
from leagues.charts.compared import ComparedChart, Series, compared_chart
from leagues.charts.lines import (
    MOST_POINTS,
    Drawing,
    Era,
    Mark,
    Point,
    RatingChart,
    rating_chart,
    step_point,
    thin_points,
)
from leagues.charts.margins import MarginMark, margin_marks
from leagues.charts.marks import Form, Spark, form, spark
from leagues.charts.odds import OddsParts, odds_parts, share_width
from leagues.charts.places import PlacedLine, PlacesChart, places_chart
from leagues.charts.qr_code import QrCode, qr_code
from leagues.charts.rungs import Rung, rung
from leagues.charts.scales import Scale, Tick, nice_step, round_numbers, shared_scale
from leagues.charts.weeks import WeeksChart, weeks_chart

__all__ = [
    "MOST_POINTS",
    "BarChart",
    "Bars",
    "CalibrationChart",
    "ComparedChart",
    "Drawing",
    "Era",
    "Form",
    "MarginMark",
    "Mark",
    "OddsParts",
    "PlacedLine",
    "PlacesChart",
    "Plots",
    "Point",
    "QrCode",
    "RatingChart",
    "Rung",
    "Scale",
    "Series",
    "Spark",
    "Tick",
    "WeeksChart",
    "bar_chart",
    "calibration_chart",
    "cloud_plots",
    "compared_chart",
    "course_plots",
    "form",
    "margin_marks",
    "nice_step",
    "odds_parts",
    "places_chart",
    "qr_code",
    "rating_chart",
    "round_numbers",
    "rung",
    "share_width",
    "shared_scale",
    "spark",
    "step_point",
    "thin_points",
    "weeks_chart",
]
