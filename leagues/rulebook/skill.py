"""TrueSkill and Weng-Lin in plain words: skills as normal curves."""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import NormalDist
from typing import Any

from django.utils.translation import gettext as _

from leagues import wording
from leagues.rulebook.rules_text import (
    RulesText,
    format_parameter,
    half,
    nothing_happens,
    size_advantage,
)


def describe_trueskill(parameters: dict[str, Any]) -> RulesText:
    """TrueSkill in words."""
    chance = NormalDist().cdf(math.sqrt(0.5))
    return RulesText(
        idea=_idea(),
        match=(
            *_match(parameters, chance),
            _(
                "Between equals, %(draws)s of 100 matches are expected to end in a draw; a "
                "draw brings the players’ skills closer together."
            )
            % {"draws": wording.of_hundred(parameters["draw_probability"])}
            if parameters["draw_probability"]
            else _("No draws are expected here."),
            _sum(),
            *size_advantage(parameters),
        ),
        absence=_absence(parameters),
        sureness=_sureness(parameters),
    )


def describe_wenglin(parameters: dict[str, Any]) -> RulesText:
    """Weng-Lin in words."""
    models = {
        "plackett-luce": _(
            "A finishing order is rated place by place: first the winner, then the next."
        ),
        "bradley-terry": _("A finishing order is rated pair by pair, with logistic chances."),
        "thurstone-mosteller": _("A finishing order is rated pair by pair, with normal chances."),
    }
    chance = 1.0 / (1.0 + math.exp(-math.sqrt(0.5)))
    if parameters["model"] == "thurstone-mosteller":
        chance = NormalDist().cdf(math.sqrt(0.5))
    return RulesText(
        idea=_idea(),
        match=(
            *_match(parameters, chance),
            models[parameters["model"]],
            _sum(),
            *size_advantage(parameters),
        ),
        absence=nothing_happens(),
        sureness=_sureness(parameters),
    )


def _idea() -> str:
    return _(
        "A skill is a mean with a deviation. The number shown is the mean minus three "
        "deviations: the true skill is almost certainly higher. It can rise after a loss, "
        "because every match makes the rating more certain."
    )


def _match(parameters: dict[str, Any], chance: float) -> Iterator[str]:
    mean, deviation = parameters["mu"], parameters["sigma"]
    yield _("A newcomer’s skill is %(mean)s %(half)s, shown as %(shown)s.") % {
        "mean": format_parameter(mean),
        "half": half(deviation, 1),
        "shown": wording.number(mean - 3.0 * deviation, 1),
    }
    yield _(
        "A player whose skill is %(beta)s higher wins %(chance)s of 100 matches, if both "
        "skills are certain."
    ) % {
        "beta": format_parameter(round(parameters["beta"], 2)),
        "chance": wording.of_hundred(chance),
    }
    if parameters["tau"]:
        yield _(
            "Skills can change a little from match to match, so some uncertainty always "
            "remains (%(tau)s per match)."
        ) % {"tau": format_parameter(round(parameters["tau"], 4))}


def _sum() -> str:
    return _("The skill of a side is the sum of its members’ skills.")


def _absence(parameters: dict[str, Any]) -> tuple[str, ...]:
    if not parameters["idle_variance"]:
        return nothing_happens()
    return (
        _(
            "The mean stays the same, and the uncertainty grows every day, up to a "
            "newcomer’s. The number shown falls, because it is three deviations below the "
            "mean."
        ),
    )


def _sureness(parameters: dict[str, Any]) -> tuple[str, ...]:
    sigma = parameters["sigma"]
    return (
        _("A rating is fairly certain at %(fairly)s or less, and certain at %(sure)s or less.")
        % {
            "fairly": half(parameters["fairly_sure"] * sigma, 1),
            "sure": half(parameters["sure"] * sigma, 1),
        },
    )
