"""What was typed into one form of a result, as the first values of the form of another shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.core.exceptions import ValidationError

from leagues.domain.who_plays import MOST_MEMBERS, EntryShape
from leagues.forms.fields import read_score
from leagues.forms.places import quoted, read_places, write_places
from leagues.forms.results import SIDES, outcome_of

_SIGNS = "+-\N{MINUS SIGN}"
TYPED_PLACES = "typed_places"
"""The field that carries along the lines of places while the form asks for two sides."""


def reshaped_values(sent: Mapping[str, str], shape: EntryShape) -> dict[str, Any]:
    """The values that a form sent, for the form of a shape; nothing that was typed is lost."""
    values: dict[str, Any] = dict(sent)
    if shape is EntryShape.LIST:
        return values if "places" in sent else values | {"places": _places_of(sent)}
    if "places" not in sent:
        return values
    return values | _pair_of(sent["places"]) | {TYPED_PLACES: sent["places"]}


def _pair_of(places: str) -> dict[str, str]:
    """The first two of typed places, as the fields of the form of two sides."""
    try:
        sides = list(read_places(places))[: len(SIDES)]
    except ValidationError:
        return {}
    values: dict[str, str] = {}
    for name, side in zip(SIDES, sides, strict=False):
        # Of more team-mates than there are fields the last field has the rest, and is refused.
        *first, last = range(1, MOST_MEMBERS + 1)
        members = dict(zip([f"{name}_{number}" for number in first], side.names, strict=False))
        if rest := side.names[len(first) :]:
            members[f"{name}_{last}"] = " + ".join(rest)
        values |= members
        if side.score is not None:
            values[f"score_{name}"] = str(side.score)
        if side.handicap:
            values[f"handicap_{name}"] = str(side.handicap)
    if len(sides) == len(SIDES):
        if sides[0].rank == sides[1].rank:
            values["outcome"] = "draw"
        elif all(side.score is None for side in sides):
            # With scores, they say who won.
            values["outcome"] = "one"
    return values


def _places_of(sent: Mapping[str, str]) -> str:
    """Two sides as places, the best first, above the places that were typed before."""
    before = sent.get(TYPED_PLACES, "")
    if before and _has_typed(sent, _pair_of(before)):
        return before
    sides = [_side_of(sent, side) for side in SIDES]
    scores = [sent.get(f"score_{side}", "").strip() for side in SIDES]
    lines = [
        f"{side}: {score}" if score else side for side, score in zip(sides, scores, strict=True)
    ]
    outcome = _outcome_of(sent.get("outcome", ""), scores)
    if outcome == "draw" and all(sides) and len(set(scores)) == 1:
        lines = [f"{sides[0]} = {lines[1]}"]
    elif outcome == "two":
        lines.reverse()
    return "\n".join(filter(None, (*lines, _lines_below(before))))


def _outcome_of(outcome: str, scores: Sequence[str]) -> str:
    """Who won by what was chosen or, where that says so, by the scores."""
    if outcome not in ("", "score"):
        return outcome
    try:
        return outcome_of([read_score(score) for score in scores])
    except ValidationError:
        return "one"


def _has_typed(sent: Mapping[str, str], values: Mapping[str, str]) -> bool:
    """Whether the fields of two sides say what they began with."""
    fields = [f"{side}_{number}" for side in SIDES for number in range(1, MOST_MEMBERS + 1)]
    fields += [f"{what}_{side}" for what in ("score", "handicap") for side in SIDES]
    return all(sent.get(field, "") == values.get(field, "") for field in fields)


def _side_of(sent: Mapping[str, str], side: str) -> str:
    """The players of a side, and its handicap, as a line of places has them."""
    typed = (sent.get(f"{side}_{number}", "").strip() for number in range(1, MOST_MEMBERS + 1))
    names = " + ".join(quoted(name) for name in typed if name)
    handicap = sent.get(f"handicap_{side}", "").strip()
    if not (names and handicap):
        return names
    return f"{names} {handicap if handicap[0] in _SIGNS else f'+{handicap}'}"


def _lines_below(places: str) -> str:
    """The typed places but for the first two."""
    try:
        return write_places(list(read_places(places))[len(SIDES) :])
    except ValidationError:
        return places
