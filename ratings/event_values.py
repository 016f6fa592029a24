"""What an event of each kind is worth: parameters that several systems have, and their reading.

A value multiplies what an event of its kind does, so 0 passes over the kind. M. Becker
("Rankings") gives a frag 1 and a capture 7; B. Kreimeier ("Rating") looks for more atomic events
than frags, such as damage.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol

import numpy as np

from ratings.engine import Column, body
from ratings.log import EventKind, Floats, MatchLog
from ratings.own_words import read_values
from ratings.parameters import number, values

MOST_VALUE: Final = 100.0

ALONE: Final = (
    int(EventKind.CAPTURE),
    int(EventKind.FLAG_TAKEN),
    int(EventKind.FLAG_RETURNED),
    int(EventKind.OWN),
)
"""Kinds that a player can do to no single other one: their opponent is the opposing side."""


class EventValues(Protocol):
    """Parameters with a value for each kind of event."""

    @property
    def frag(self) -> float: ...
    @property
    def capture(self) -> float: ...
    @property
    def damage(self) -> float: ...
    @property
    def assist(self) -> float: ...
    @property
    def flag_taken(self) -> float: ...
    @property
    def flag_returned(self) -> float: ...
    @property
    def own(self) -> float: ...
    @property
    def own_words(self) -> str: ...


def value_of(chosen: EventValues, kind: int, word: str = "", costs: float = 0.0) -> float:
    """The value of a kind of event; `costs` is that of suicides and team kills.

    Of a kind of the game's own it is that of its `word`, else that of all others.
    """
    if word:
        return own_value_of(chosen.own_words, word, chosen.own)
    return {
        EventKind.FRAG: chosen.frag,
        EventKind.CAPTURE: chosen.capture,
        EventKind.SUICIDE: costs,
        EventKind.TEAM_KILL: costs,
        EventKind.DAMAGE: chosen.damage,
        EventKind.ASSIST: chosen.assist,
        EventKind.FLAG_TAKEN: chosen.flag_taken,
        EventKind.FLAG_RETURNED: chosen.flag_returned,
        EventKind.OWN: chosen.own,
    }[EventKind(kind)]


def own_value_of(own_words: str, word: str, others: float) -> float:
    """The value of a word by a list of values; `others` is that of words which it does not have."""
    return read_values(own_words).get(word, others)


def worth_of(log: MatchLog, value: Callable[[int, str], float]) -> Floats:
    """What each event of a log is worth, by the value of its kind and of the game's own word."""
    known = [value(kind, "") for kind in EventKind]
    words = [value(EventKind.OWN, word) for word in log.own_words]
    worth: Floats = np.take(np.array([*known, *words], dtype=np.float64), log.event_kind)
    return worth


@body
def is_valued(kind: int, target: int, worth: float) -> bool:
    """Whether an event counts: it is worth something, and there is somebody it was done to."""
    if worth == 0.0:
        return False
    return target >= 0 or kind in ALONE


@body
def opposing(
    one: int,
    first: int,
    last: int,
    member_start: Column,
    player: Column,
    share: Column,
    strength: Column,
) -> tuple[int, float, float]:
    """A player's side, the summed strength of all opposing players, and how many they are.

    Both sums are weighted by how much of the match each played.
    """
    own_side = -1
    for side in range(first, last):
        for member in range(member_start[side], member_start[side + 1]):
            if player[member] == one:
                own_side = side
    total = 0.0
    opponents = 0.0
    for side in range(first, last):
        if side == own_side:
            continue
        for member in range(member_start[side], member_start[side + 1]):
            total += share[member] * strength[player[member]]
            opponents += share[member]
    return own_side, total, opponents


def frag_value() -> Any:
    """Declare what a frag is worth."""
    meaning = "How many times a frag counts; 0: frags count for nothing."
    return number(1.0, "Value of a frag", meaning, least=0, most=MOST_VALUE)


def capture_value() -> Any:
    """Declare what a capture is worth."""
    return _value("Value of a capture", "How many frags a capture counts for; 0: for nothing.")


def damage_value() -> Any:
    """Declare what one point of damage is worth."""
    return _value(
        "Value of damage",
        "How many frags one point of damage counts for; 0: damage counts for nothing.",
    )


def assist_value() -> Any:
    """Declare what an assist is worth."""
    return _value("Value of an assist", "How many frags an assist counts for; 0: for nothing.")


def flag_taken_value() -> Any:
    """Declare what taking a flag is worth."""
    return _value(
        "Value of a flag taken", "How many frags taking a flag counts for; 0: for nothing."
    )


def flag_returned_value() -> Any:
    """Declare what returning a flag is worth."""
    return _value(
        "Value of a flag returned", "How many frags returning a flag counts for; 0: for nothing."
    )


def own_value() -> Any:
    """Declare what an event of a kind of the game's own is worth."""
    meaning = "How many frags an event of the game's own kinds counts for; 0: for nothing."
    return _value("Value of the game's own events", meaning)


def own_words_values() -> Any:
    """Declare what events of some of the game's own kinds are worth."""
    meaning = (
        "What events of some of the game's own kinds count for in place of that, by their words: "
        "goal 7, steal 0.5"
    )
    return values("Values of the game's own words", f"{meaning}.", least=0, most=MOST_VALUE)


def _value(label: str, meaning: str) -> Any:
    return number(0.0, label, meaning, least=0, most=MOST_VALUE)
