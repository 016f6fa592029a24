"""Becker's dynamic rating in plain words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from leagues.rulebook.rules_text import (
    RulesText,
    by_results,
    days,
    format_parameter,
    nothing_happens,
    size_advantage,
)


def describe_rules(parameters: dict[str, Any]) -> RulesText:
    """Becker's dynamic rating in words."""
    return RulesText(
        idea=_(
            "Players win points from their opponents: the stronger the opponent, the more points. "
            "No one falls below zero."
        ),
        match=tuple(_match(parameters)),
        absence=tuple(_absence(parameters)) if parameters["decay"] else nothing_happens(),
        sureness=by_results(parameters),
    )


def _match(parameters: dict[str, Any]) -> Iterator[str]:
    words = {
        "start": format_parameter(parameters["start"]),
        "k": format_parameter(parameters["k"]),
        "half": format_parameter(parameters["k"] / 2),
    }
    yield _("A newcomer starts with %(start)s points.") % words
    yield (
        _(
            "%(k)s points are at stake in a match: a win against an equal gains half of them, "
            "%(half)s."
        )
        % words
    )
    if parameters["use"] == "scores":
        yield _(
            "Where there is a score, each side’s share of it counts: a player can win and "
            "still lose points by winning less clearly than expected."
        )
    else:
        yield _("What counts is who won, not by how much.")
    yield _("A player rated 400 higher is expected to score 91 of 100 points.")
    yield from size_advantage(parameters)


def _absence(parameters: dict[str, Any]) -> Iterator[str]:
    words = {
        "days": days(parameters["period_days"]),
        "points": format_parameter(parameters["decay"]),
    }
    if parameters["who"] == "all":
        yield _("At the end of every %(days)s, every player loses %(points)s points.") % words
    else:
        yield (
            _(
                "At the end of every %(days)s, players who have not played during that time "
                "lose %(points)s points."
            )
            % words
        )
    yield _("No one falls below zero this way.")
