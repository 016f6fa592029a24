"""Glicko-2 and Glicko in plain words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from django.utils.translation import gettext as _

from leagues import wording
from leagues.rulebook.rules_text import RulesText, days, format_parameter, half, size_advantage

OWN_DEVIATION: Final = {"inversus": 350.04, "glickman": 350.0}
LOWEST, HIGHEST, NARROWEST, WIDEST = 450.0, 2550.0, 30.4, 350.04
"""The bounds of INVERSUS, as they are shown."""


def describe_glicko2(parameters: dict[str, Any]) -> RulesText:
    """Glicko-2 in words."""
    return RulesText(
        idea=_idea(),
        match=tuple(_glicko2_match(parameters)),
        absence=tuple(_glicko2_absence(parameters)),
        sureness=_sureness(parameters),
    )


def describe_glicko(parameters: dict[str, Any]) -> RulesText:
    """Glicko in words."""
    words = {"days": days(parameters["period_days"]), "growth": format_parameter(parameters["c"])}
    return RulesText(
        idea=_idea(),
        match=(
            _newcomer(parameters["rating"], parameters["deviation"]),
            _narrower(),
            *_sides(parameters),
        ),
        absence=(
            _("The rating stays the same, and its range grows again, up to that of a newcomer."),
            _(
                "In %(days)s, the square of the deviation grows by %(growth)s squared, and "
                "in proportion over shorter times."
            )
            % words,
        ),
        sureness=_sureness(parameters),
    )


def _idea() -> str:
    return _(
        "A rating is a number with an uncertainty: its range contains the true strength in "
        "95 of 100 cases. New players’ ratings move a lot, and a result against a player "
        "with a certain rating says more."
    )


def _newcomer(rating: float, deviation: float) -> str:
    return _("A newcomer starts at %(rating)s %(half)s: almost any strength is possible.") % {
        "rating": format_parameter(rating),
        "half": half(deviation),
    }


def _narrower() -> str:
    return _(
        "A match moves both ratings by how surprising the result was, and makes their ranges "
        "narrower."
    )


def _glicko2_match(parameters: dict[str, Any]) -> Iterator[str]:
    deviation = parameters["deviation"] or OWN_DEVIATION[parameters["preset"]]
    yield _newcomer(parameters["rating"], deviation)
    if parameters["period"] == "calendar":
        yield _(
            "At the end of every %(days)s, all matches of that time are rated together, "
            "from the ratings at its start. Until then, the ratings shown are provisional."
        ) % {"days": days(parameters["period_days"])}
    else:
        yield _("Every match is rated immediately.")
    yield _narrower()
    yield _(
        "A player whose results are often surprising counts as erratic, and their rating "
        "moves further. This is the volatility; it starts at %(volatility)s."
    ) % {"volatility": format_parameter(parameters["volatility"])}
    if parameters["preset"] == "inversus":
        yield _(
            "Ratings stay between %(low)s and %(high)s, and their\u00a0± between %(least)s and "
            "%(most)s."
        ) % {
            "low": format_parameter(LOWEST),
            "high": format_parameter(HIGHEST),
            "least": wording.number(1.96 * NARROWEST),
            "most": wording.number(1.96 * WIDEST),
        }
    yield from _sides(parameters)
    if parameters["display"] == "points":
        yield _(
            "The board shows Rank Points, from 0 to 10 000. They never fall after a win "
            "and never rise after a loss. A match moves them %(part)s of the way towards "
            "the value that fits the rating, by at most %(step)s."
        ) % {
            "step": format_parameter(parameters["max_step"]),
            "part": wording.percent(parameters["approach"]),
        }


def _sides(parameters: dict[str, Any]) -> Iterator[str]:
    match parameters["teams"]:
        case "individual":
            yield _("In team matches, each player is rated against each opponent.")
        case "composite-opponent":
            yield _(
                "In team matches, each player is rated against one opponent who has the other "
                "side’s mean strength."
            )
        case _:
            yield _(
                "In team matches, each player is rated against one opponent who is as far "
                "away as the two sides’ means are from each other."
            )
    if parameters["pairs"] == "full":
        yield _("With more than two sides, each comparison counts as a whole match.")
    else:
        yield _("With more than two sides, all comparisons together count as one match.")
    yield from size_advantage(parameters)


def _glicko2_absence(parameters: dict[str, Any]) -> Iterator[str]:
    yield _("The rating stays the same, and its range grows again, up to that of a newcomer.")
    words = {"days": days(parameters["period_days"])}
    if parameters["period"] == "calendar":
        yield _("It grows at the end of every %(days)s, by the player’s own volatility.") % words
    else:
        yield (
            _("It grows with every whole day, by the player’s own volatility for each %(days)s.")
            % words
        )


def _sureness(parameters: dict[str, Any]) -> tuple[str, ...]:
    return (
        _("A rating is fairly certain at %(fairly)s or less, and certain at %(sure)s or less.")
        % {"fairly": half(parameters["fairly_sure"]), "sure": half(parameters["sure"])},
    )
