"""Elo in plain words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from leagues import wording
from leagues.rulebook.rules_text import (
    RulesText,
    by_results,
    format_parameter,
    nothing_happens,
    size_advantage,
)


def describe_rules(parameters: dict[str, Any]) -> RulesText:
    """Elo in words."""
    return RulesText(
        idea=_(
            "The difference between two ratings says how much each side is expected to score. "
            "A side that scores more than that gains points; one that scores less loses points."
        ),
        match=tuple(_match(parameters)),
        absence=nothing_happens(),
        sureness=by_results(parameters),
    )


def _match(parameters: dict[str, Any]) -> Iterator[str]:
    yield _("A newcomer starts at %(start)s.") % {"start": format_parameter(parameters["start"])}
    yield _k(parameters)
    yield _(
        "Against an equal, a player is expected to score 50 of 100 points; against a player rated "
        "200 lower, 76 of 100."
    )
    if parameters["curve"] == "gaussian":
        yield _("Expected scores follow the normal curve instead of the usual logistic one.")
    elif parameters["curve"] == "fide":
        yield _("Expected scores come from FIDE’s table.")
    if parameters["cap_400"]:
        yield _("A difference of more than 400 points counts as 400.")
    if parameters["teams"] == "duel":
        yield _(
            "In team matches, each player’s change is the average over duels with each opponent."
        )
    else:
        yield _(
            "Teams are compared by their members’ mean rating, and the result counts the same "
            "for every member."
        )
    if parameters["floor"] is not None:
        yield _("No rating falls below %(floor)s.") % {
            "floor": format_parameter(parameters["floor"])
        }
    yield from size_advantage(parameters)


def _k(parameters: dict[str, Any]) -> str:
    if parameters["policy"] == "fide":
        return _(
            "How far a match moves a rating, its K, follows FIDE: 40 for the first 30 matches and "
            "for juniors below 2300, then 20, and 10 for good once a player has reached 2400."
        )
    words = {
        "k": format_parameter(parameters["k"]),
        "half": format_parameter(parameters["k"] / 2),
        "first": format_parameter(parameters["k0"]),
        "matches": wording.count(parameters["games"]),
    }
    if parameters["policy"] == "games" and parameters["games"]:
        return (
            _(
                "One match moves a rating by at most %(k)s points, its K, and by at most "
                "%(first)s in a player’s first %(matches)s matches. A win against an equal "
                "gains half as much."
            )
            % words
        )
    return (
        _(
            "One match moves a rating by at most %(k)s points, its K. A win against an "
            "equal gains half as much, %(half)s."
        )
        % words
    )
