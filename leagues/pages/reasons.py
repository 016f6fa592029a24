"""Why a match moved a player by so much, in sentences whose numbers add up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from leagues import bridge, wording
from leagues.bridge import EventPoints, Explanation, Formula, RatedMatch, RatingChange
from leagues.pages.event_words import event_words, value_words
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
    mover = next(one for one in rated.movers if one.row.player_id == own.player_id)
    if bridge.is_anchor(rated.system, mover.before):
        return _anchor_reasons(person, change, decimals)
    points = bridge.event_points_of(rated, own)
    if points:
        return _event_reasons(rated, points, own, person, change)
    explanation = bridge.explanation_of(rated, own)
    if not explanation.reasons:
        words = words_without_reasons(rated)
        title = _("How this board rates it") if rated.is_fitted else person.title(change)
        if rated.system.orders_only:
            title = rung_title(own, person)
        return Reasons(title, words, (), "", "", "", "", "", "", "")
    sentences = Sentences(rated, accounts, own, person)
    lines = _lines(explanation, sentences)
    formula = bridge.formula_of(rated, mover)
    low, high = _extent([reason.units for reason in explanation.reasons])
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


def _anchor_reasons(person: Person, change: str, decimals: int) -> Reasons:
    """Why nothing moved an anchor: one line, in the place of the reasons of others."""
    words = _("You are an anchor") if person.is_me else _("%(name)s is an anchor")
    extent = _extent([])
    why = _("The rating of an anchor stays, whatever the result.")
    return Reasons(
        title=person.title(change),
        summary="",
        lines=(_line(words % {"name": person.name}, why, 0, 0, decimals, extent),),
        total=change,
        total_x=_part(0, *extent),
        total_width=_width(0, *extent),
        zero=_part(0, *extent),
        formula="",
        numbers="",
        two_chances="",
    )


def _event_reasons(
    rated: RatedMatch,
    points: Sequence[EventPoints],
    own: RatingChange,
    person: Person,
    change: str,
) -> Reasons:
    """The reasons of a change that many events made, one line for each other player and kind."""
    low, high = _extent([one.units for one in points])
    decimals = own.after.decimals
    total, lines = 0, []
    for one in points:
        text = event_words(rated, one, person)
        lines.append(_line(text, value_words(one), one.units, total, decimals, (low, high)))
        total += one.units
    return Reasons(
        title=person.title(change),
        summary=words_without_reasons(rated),
        lines=(*lines, *_about_anchors(rated, own, total, decimals, (low, high))),
        total=change,
        total_x=_part(min(0, total), low, high),
        total_width=_width(abs(total), low, high),
        zero=_part(0, low, high),
        formula="",
        numbers="",
        two_chances="",
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


def _extent(units: Sequence[int]) -> tuple[int, int]:
    """The least and the most that the running sum comes to, nothing included."""
    sums, running = [0], 0
    for count in units:
        running += count
        sums.append(running)
    return min(sums), max(*sums, min(sums) + 1)


def _part(units: float, low: int, high: int) -> str:
    return f"{100 * (units - low) / (high - low):.4g}%"


def _width(units: float, low: int, high: int) -> str:
    return f"{100 * units / (high - low):.4g}%"


def _lines(explanation: Explanation, sentences: Sentences) -> tuple[Line, ...]:
    extent = _extent([reason.units for reason in explanation.reasons])
    lines, running = [], 0
    for reason in explanation.reasons:
        text, why = sentences.of(reason.cause, is_there=abs(reason.amount) > NOTHING)
        if text:
            lines.append(_line(text, why, reason.units, running, explanation.decimals, extent))
        running += reason.units
    unused = sentences.unused_score()
    if unused:
        lines.append(_line(*unused, 0, running, explanation.decimals, extent))
    anchors = _about_anchors(sentences.rated, sentences.own, running, explanation.decimals, extent)
    return (*lines, *anchors)


def _about_anchors(
    rated: RatedMatch, own: RatingChange, running: int, decimals: int, extent: tuple[int, int]
) -> tuple[Line, ...]:
    """A line for each anchor among the others: why that rating stays where this one moves."""
    why = _("The rating of an anchor stays, whatever the result.")
    return tuple(
        _line(
            _("%(name)s is an anchor") % {"name": mover.row.player.name},
            why,
            0,
            running,
            decimals,
            extent,
        )
        for mover in rated.movers
        if mover.row.player_id != own.player_id and bridge.is_anchor(rated.system, mover.before)
    )


def _line(
    text: str, why: str, units: int, running: int, decimals: int, extent: tuple[int, int]
) -> Line:
    """One reason, its part of the waterfall beginning where the sum of those before ends."""
    return Line(
        text=text,
        why=why,
        points=points_of(units, decimals),
        kind="adds" if units > 0 else "takes" if units < 0 else "none",
        x=_part(min(running, running + units), *extent),
        width=_width(abs(units), *extent),
    )
