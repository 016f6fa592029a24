"""What each kind of event is worth, in plain words, on boards that rate events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from leagues.rulebook.rules_text import format_parameter
from leagues.rulebook.static import describe_counting


def describe_events(system: str, parameters: dict[str, Any]) -> tuple[str, ...]:
    """How a system with these parameters rates the events of a match."""
    return tuple(_TELLERS[system](parameters))


def _one_by_one() -> str:
    return _(
        "Where a match has events, such as frags, they are rated one after the other, in "
        "place of the result."
    )


def _frags_alone() -> str:
    return _(
        "Only frags count: suicides, deaths by the world, team kills, captures, damage, assists "
        "and flags taken or returned change nothing."
    )


def _becker(parameters: dict[str, Any]) -> Iterator[str]:
    stake = parameters["frag_k"]
    frag, capture = stake * parameters["frag"], stake * parameters["capture"]
    yield _one_by_one()
    yield _(
        "%(stake)s points are at stake in a frag: getting an equal gains half of them, %(half)s, "
        "from that player."
    ) % {"stake": format_parameter(frag), "half": format_parameter(frag / 2)}
    yield _(
        "%(stake)s points are at stake in a capture, against the average of the other side: among "
        "equals it gains %(half)s, and no one loses them."
    ) % {"stake": format_parameter(capture), "half": format_parameter(capture / 2)}
    yield _(
        "A suicide or a death by the world costs %(half)s points. Killing a player of the same "
        "team costs as many where that player is an equal, and more where they are weaker."
    ) % {"half": format_parameter(stake / 2)}
    yield from _besides(parameters)


def _besides(parameters: dict[str, Any]) -> Iterator[str]:
    """What Becker's boards make of the kinds of events that count for nothing at first."""
    stake = parameters["frag_k"]
    sentences = {
        "damage": _(
            "%(stake)s points are at stake in each point of damage, as in a frag: among equals the "
            "player who did it gains %(half)s from the other."
        ),
        "assist": _(
            "%(stake)s points are at stake in an assist, as in a frag: among equals it gains "
            "%(half)s from the player who was got."
        ),
        "flag_taken": _(
            "%(stake)s points are at stake in taking the flag, as in a capture: among equals it "
            "gains %(half)s, and no one loses them."
        ),
        "flag_returned": _(
            "%(stake)s points are at stake in returning the flag, as in a capture: among equals it "
            "gains %(half)s, and no one loses them."
        ),
    }
    names = {
        "damage": _("damage"),
        "assist": _("assists"),
        "flag_taken": _("flags taken"),
        "flag_returned": _("flags returned"),
    }
    for kind, sentence in sentences.items():
        if worth := stake * parameters[kind]:
            yield sentence % {
                "stake": format_parameter(worth),
                "half": format_parameter(worth / 2),
            }
    if nothing := [name for kind, name in names.items() if not parameters[kind]]:
        yield _("These events count for nothing: %(kinds)s.") % {"kinds": ", ".join(nothing)}


def _zerosum(parameters: dict[str, Any]) -> Iterator[str]:
    yield _one_by_one()
    if parameters["display"] == "offset":
        gain = format_parameter(round(parameters["scale"] * parameters["frag_gain"], 2))
        yield _("A frag moves a rating by at most %(gain)s points.") % {"gain": gain}
    else:
        gain = format_parameter(parameters["frag_gain"])
        yield _("On the internal scale, a frag moves a rating by at most %(gain)s.") % {
            "gain": gain
        }
    yield _frags_alone()


def _ladder(_parameters: dict[str, Any]) -> Iterator[str]:
    yield _one_by_one()
    yield _("A frag counts as a win over the player who was got.")
    yield _frags_alone()


_TELLERS: Final[Mapping[str, Callable[[dict[str, Any]], Iterable[str]]]] = {
    "becker": _becker,
    "zerosum": _zerosum,
    "ladder": _ladder,
    "static": describe_counting,
}
