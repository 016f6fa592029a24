"""A stored match as the first values of the form of a result."""

from __future__ import annotations

from dataclasses import replace
from datetime import time
from typing import Any

from leagues.domain.set_scores import sets_for_reading, sets_in_order
from leagues.domain.who_plays import MOST_MEMBERS
from leagues.forms.places import written_places
from leagues.forms.results import SIDES, ResultForm, outcome_of
from leagues.models import League
from leagues.services.drafts import MatchDraft

RESULT = ("outcome", *(f"score_{side}" for side in SIDES), "detail")
"""The fields of two sides that say together who won, and by what."""


def fits_pair(draft: MatchDraft) -> bool:
    """Whether a match can be shown in the form of two sides."""
    return len(draft.sides) == 2 and all(len(side.members) <= MOST_MEMBERS for side in draft.sides)


def initial_of(draft: MatchDraft, league: League) -> dict[str, Any]:
    """A stored match as the form's first values; `sets` are no field, but part of `detail`,
    and `weight` decides which kind of match is chosen.
    """
    is_pair = fits_pair(draft)
    # A list has the best side first.
    is_turned = not is_pair and draft.sides[0].rank > draft.sides[-1].rank
    sets = sets_in_order(draft.sets, is_turned=is_turned)
    local = draft.played_at.astimezone(league.zone)
    values: dict[str, Any] = {
        "played_on": local.date(),
        "played_time": None if draft.date_only else local.time().replace(second=0, microsecond=0),
        "kind": draft.kind,
        "weight": draft.weight,
        "detail": "; ".join(filter(None, (sets_for_reading(sets), draft.detail))),
        "sets": draft.sets,
    }
    if not is_pair:
        return {**values, "places": written_places(draft)}
    for side, stored in zip(SIDES, draft.sides, strict=True):
        values[f"score_{side}"] = stored.score
        values[f"handicap_{side}"] = stored.handicap or None
    return {**values, **initial_players(draft), "outcome": _stored_outcome(draft)}


def initial_players(draft: MatchDraft) -> dict[str, Any]:
    """The players of a match as a form's first values, without what they reached.

    What was agreed when it was started holds for its result.
    """
    holds = draft.start is not None
    if not fits_pair(draft):
        sides = tuple(
            replace(side, score=None, handicap=side.handicap if holds else 0)
            for side in draft.sides
        )
        return {"places": written_places(replace(draft, sides=sides))}
    handicaps = {
        f"handicap_{side}": stored.handicap
        for side, stored in zip(SIDES, draft.sides, strict=True)
        if holds and stored.handicap
    }
    return handicaps | {
        f"{side}_{number}": member.player.name
        for side, stored in zip(SIDES, draft.sides, strict=True)
        for number, member in enumerate(stored.members, start=1)
    }


def merged_values(typed: ResultForm, opened: ResultForm, stored: ResultForm) -> dict[str, str]:
    """What somebody typed who opened a form that is out of date: only what that one changed of it.

    All else is as it is stored now. The result is one thing: half of one score and half of another
    would be a result that nobody entered.
    """
    values = {str(name): str(value) for name, value in typed.data.items()}
    changed = {
        name
        for name, field in typed.fields.items()
        if field.has_changed(opened.initial.get(name, field.initial), typed[name].data)
    }
    result = set(RESULT)
    if _turned(opened, stored):
        result |= {name for name in typed.fields if _side_of(name)}
    if changed & result:
        changed |= result
    for name in typed.fields.keys() - changed:
        values[name] = _as_typed(stored.initial.get(name, typed.fields[name].initial))
    return values


def _turned(opened: ResultForm, stored: ResultForm) -> bool:
    """Whether somebody who was on one side is on the other now: a score then means another."""
    before, now = (
        {form.initial[name]: side for name in form.initial if (side := _side_of(name))}
        for form in (opened, stored)
    )
    return any(now.get(player, side) != side for player, side in before.items())


def _side_of(name: str) -> str:
    """The side whose player a field names; empty for any other field."""
    side, _between, number = name.partition("_")
    return side if side in SIDES and number.isdecimal() else ""


def _as_typed(value: Any) -> str:
    if isinstance(value, time):
        return f"{value:%H:%M}"
    return "" if value is None else str(value)


def _stored_outcome(draft: MatchDraft) -> str:
    one, two = draft.sides
    winner = "draw" if one.rank == two.rank else "one" if one.rank < two.rank else "two"
    scores = [one.score, two.score]
    return "score" if None not in scores and outcome_of(scores) == winner else winner
