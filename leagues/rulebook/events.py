"""What each kind of event is worth, in plain words, on boards that rate events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from leagues.rulebook.event_kinds import count_for_nothing, own_words_count, sides_pay
from leagues.rulebook.rules_text import format_parameter
from leagues.rulebook.static import describe_counting
from ratings.own_words import read_values


def describe_events(system: str, parameters: dict[str, Any]) -> tuple[str, ...]:
    """How a system with these parameters rates the events of a match."""
    return tuple(_TELLERS[system](parameters))


def _one_by_one() -> str:
    return _(
        "Where a match has events, such as frags, they are rated one after the other, in "
        "place of the result."
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
        "own": _(
            "%(stake)s points are at stake in an event of the game’s own kinds: as in a frag where "
            "it is done to another player, else as in a capture."
        ),
    }
    for kind, sentence in sentences.items():
        if worth := stake * parameters[kind]:
            yield sentence % {
                "stake": format_parameter(worth),
                "half": format_parameter(worth / 2),
            }
    yield from own_words_count(parameters)
    yield from count_for_nothing(parameters)


def _zerosum(parameters: dict[str, Any]) -> Iterator[str]:
    yield _one_by_one()
    for kind, sentence in _gains(is_shown=parameters["display"] == "offset").items():
        if gain := parameters[kind] * parameters["frag_gain"]:
            if parameters["display"] == "offset":
                gain = round(parameters["scale"] * gain, 2)
            yield sentence % {"gain": format_parameter(gain)}
    yield from own_words_count(parameters)
    if sides_pay(parameters):
        yield _(
            "What has no opponent of its own, such as a capture, is played against the average of "
            "the other side, whose players pay for it in equal parts."
        )
    yield from count_for_nothing(
        parameters, always=(_("suicides"), _("deaths by the world"), _("team kills"))
    )


def _gains(*, is_shown: bool) -> dict[str, str]:
    """How far an event of each kind moves a rating, in shown points or on the internal scale."""
    if is_shown:
        return {
            "frag": _("A frag moves a rating by at most %(gain)s points."),
            "capture": _("A capture moves a rating by at most %(gain)s points."),
            "damage": _("Each point of damage moves a rating by at most %(gain)s points."),
            "assist": _("An assist moves a rating by at most %(gain)s points."),
            "flag_taken": _("Taking the flag moves a rating by at most %(gain)s points."),
            "flag_returned": _("Returning the flag moves a rating by at most %(gain)s points."),
            "own": _("An event of the game’s own kinds moves a rating by at most %(gain)s points."),
        }
    return {
        "frag": _("On the internal scale, a frag moves a rating by at most %(gain)s."),
        "capture": _("On the internal scale, a capture moves a rating by at most %(gain)s."),
        "damage": _(
            "On the internal scale, each point of damage moves a rating by at most %(gain)s."
        ),
        "assist": _("On the internal scale, an assist moves a rating by at most %(gain)s."),
        "flag_taken": _(
            "On the internal scale, taking the flag moves a rating by at most %(gain)s."
        ),
        "flag_returned": _(
            "On the internal scale, returning the flag moves a rating by at most %(gain)s."
        ),
        "own": _(
            "On the internal scale, an event of the game’s own kinds moves a rating by at most "
            "%(gain)s."
        ),
    }


def _ladder(parameters: dict[str, Any]) -> Iterator[str]:
    yield _one_by_one()
    wins = {
        "frag": _("A frag counts as a win over the player who was got."),
        "damage": _("Each damage counts as a win over the player who took it."),
        "assist": _("An assist counts as a win over the player who was got."),
        "own": _(
            "An event of the game’s own kinds counts as a win over the player it was done to."
        ),
    }
    for kind, sentence in wins.items():
        if parameters[kind]:
            yield sentence
    for word, is_win in read_values(parameters["own_words"]).items():
        if is_win:
            yield _("“%(word)s” counts as a win over the player it was done to.") % {"word": word}
    always = (
        *(_("suicides"), _("deaths by the world"), _("team kills"), _("captures")),
        *(_("flags taken"), _("flags returned")),
    )
    yield from count_for_nothing(parameters, always=always)


_TELLERS: Final[Mapping[str, Callable[[dict[str, Any]], Iterable[str]]]] = {
    "becker": _becker,
    "zerosum": _zerosum,
    "ladder": _ladder,
    "static": describe_counting,
}
