"""Why a match moved a player by so much, in sentences whose numbers add up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from leagues import bridge, wording
from leagues.bridge import Explanation, Formula, RatedMatch, RatingChange
from leagues.pages.reason_sentences import (
    Person,
    Sentences,
    rung_title,
    significant,
    words_without_reasons,
)

NOTHING = 1e-9


@dataclass(frozen=True, slots=True)
class Line:
    """One reason: what, why, how much, and its part of a waterfall from the first to the sum."""

    text: str
    why: str
    points: str
    kind: str
    """Adds, takes, none: how the bar is drawn."""
    x: str
    width: str


@dataclass(frozen=True, slots=True)
class Reasons:
    """A player's change, explained; without lines where words must do."""

    title: str
    summary: str
    lines: tuple[Line, ...]
    total: str
    total_x: str
    total_width: str
    zero: str
    formula: str
    numbers: str
    two_chances: str
    """Why the formula has another expected score than the sentences, where it has."""


def reasons_of(
    rated: RatedMatch, accounts: Sequence[RatingChange], own: RatingChange, person: Person
) -> Reasons:
    """The reasons why one player of a match moved, as the board's system has it."""
    decimals = own.after.decimals
    change = wording.change(own.before.value, own.after.value, decimals)
    explanation = bridge.explanation_of(rated, own)
    if not explanation.reasons:
        words = words_without_reasons(rated)
        title = _("How this board rates it") if rated.is_fitted else person.title(change)
        if rated.system.orders_only:
            title = rung_title(own, person)
        return Reasons(title, words, (), "", "", "", "", "", "", "")
    sentences = Sentences(rated, accounts, own, person)
    lines = _lines(explanation, sentences)
    formula = bridge.formula_of(
        rated, next(mover for mover in rated.movers if mover.row.player_id == own.player_id)
    )
    low, high = _extent(explanation)
    return Reasons(
        title=person.title(change),
        summary="",
        lines=lines,
        total=change,
        total_x=_part(min(0, explanation.units), low, high),
        total_width=_width(abs(explanation.units), low, high),
        zero=_part(0, low, high),
        formula=formula.rule if formula else "",
        numbers=numbers_of(formula),
        two_chances=_two_chances(formula, own),
    )


def _two_chances(formula: Formula | None, own: RatingChange) -> str:
    """Why E is not the forecast: Glicko’s update knows the opponent’s doubt alone.

    A forecast goes by the doubt in both ratings (Glickman, The Glicko system).
    """
    used = dict(formula.terms).get("E") if formula else None
    if used is None or own.expected is None:
        return ""
    short, expectation = wording.of_hundred(used), wording.of_hundred(own.expected)
    if short == expectation:
        return ""
    return _(
        "E in the formula, %(used)s of 100, includes only the uncertainty of the "
        "opponent’s rating, because φ′ already includes the player’s own. The prediction "
        "of %(told)s of 100 includes both, which brings it closer to even."
    ) % {"used": short, "told": expectation}


def points_of(units: int, decimals: int) -> str:
    """A count of the last digit as a change."""
    return wording.with_sign(units / 10**decimals, decimals)


def numbers_of(formula: Formula | None) -> str:
    """The numbers for the letters of a formula."""
    if formula is None:
        return ""
    return ", ".join(f"{letter} = {significant(value)}" for letter, value in formula.terms)


def _extent(explanation: Explanation) -> tuple[int, int]:
    """The least and the most that the running sum comes to, nothing included."""
    sums, running = [0], 0
    for reason in explanation.reasons:
        running += reason.units
        sums.append(running)
    return min(sums), max(*sums, min(sums) + 1)


def _part(units: float, low: int, high: int) -> str:
    return f"{100 * (units - low) / (high - low):.4g}%"


def _width(units: float, low: int, high: int) -> str:
    return f"{100 * units / (high - low):.4g}%"


def _lines(explanation: Explanation, sentences: Sentences) -> tuple[Line, ...]:
    low, high = _extent(explanation)
    lines, running = [], 0
    for reason in explanation.reasons:
        text, why = sentences.of(reason.cause, is_there=abs(reason.amount) > NOTHING)
        if text:
            kind = "adds" if reason.units > 0 else "takes" if reason.units < 0 else "none"
            lines.append(
                Line(
                    text=text,
                    why=why,
                    points=points_of(reason.units, explanation.decimals),
                    kind=kind,
                    x=_part(min(running, running + reason.units), low, high),
                    width=_width(abs(reason.units), low, high),
                )
            )
        running += reason.units
    unused = sentences.unused_score()
    if unused:
        text, why = unused
        lines.append(
            Line(
                text,
                why,
                points_of(0, explanation.decimals),
                "none",
                _part(running, low, high),
                "0%",
            )
        )
    return tuple(lines)
