"""The zero-sum rating in plain words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from leagues import wording
from leagues.rulebook.rules_text import (
    RulesText,
    by_results,
    days,
    format_parameter,
    nothing_happens,
    size_advantage,
)


def describe_rules(parameters: dict[str, Any]) -> RulesText:
    """The zero-sum rating in words."""
    return RulesText(
        idea=_idea(parameters),
        match=tuple(_match(parameters)),
        absence=tuple(_absence(parameters)) if parameters["decay"] else nothing_happens(),
        sureness=by_results(parameters),
    )


def _idea(parameters: dict[str, Any]) -> str:
    if parameters["anchors"]:
        return _(
            "What one side wins, the other loses, except for anchors, whose ratings stay. The "
            "more surprising a result is, the further it moves ratings."
        )
    return _(
        "What one side wins, the other loses: the sum of all ratings stays the same. "
        "The more surprising a result is, the further it moves ratings."
    )


def _match(parameters: dict[str, Any]) -> Iterator[str]:
    unit = parameters["scale"] if parameters["display"] == "offset" else 1.0
    if parameters["display"] == "offset":
        yield _("A newcomer starts at the mean of the board, which is %(start)s to begin with.") % {
            "start": wording.number(unit * parameters["start"] + parameters["offset"])
        }
        yield _("One match moves a rating by at most %(gain)s points.") % {
            "gain": format_parameter(round(unit * parameters["max_gain"], 1))
        }
        yield _("A player rated %(lead)s higher is expected to score 73 of 100 points.") % {
            "lead": format_parameter(round(unit * parameters["temperature"], 1))
        }
        yield _("Ratings below %(floor)s are shown as %(floor)s.") % {
            "floor": format_parameter(parameters["floor"])
        }
    else:
        yield _("A newcomer starts at the mean of the board.")
        yield _(
            "On the internal scale, one match moves a rating by at most %(gain)s; a player rated "
            "%(lead)s higher is expected to score 73 of 100 points."
        ) % {
            "gain": format_parameter(parameters["max_gain"]),
            "lead": format_parameter(parameters["temperature"]),
        }
    if parameters["display"] == "fixed-range":
        yield _(
            "The number shown, between 0 and 10 000, says where a rating lies among all "
            "ratings on the board: the mean is 5 000, and about two thirds are between 1 "
            "200 and 8 800."
        )
    if parameters["shares"]:
        yield _("Where there is a score, each side’s share of it counts, not who won.")
    yield _("In team matches, the points at stake are multiplied by the size of the smaller side.")
    yield from size_advantage(parameters)


def _absence(parameters: dict[str, Any]) -> Iterator[str]:
    yield _(
        "At the end of every %(days)s, the ratings of players who have not played during "
        "that time move %(part)s of the way to the mean of the board."
    ) % {"days": days(parameters["period_days"]), "part": wording.percent(parameters["decay"])}
    yield _(
        "What these players lose is shared equally among those who have played, or among "
        "all players if no one has. The sum stays the same."
    )
