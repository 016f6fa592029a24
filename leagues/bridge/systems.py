"""Which system a board has, and what is known of it."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

import numpy as np
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from leagues.models import Board
from leagues.models.board import SHOWN_LIMIT, parameters_json
from ratings import registry
from ratings.log import EventKind
from ratings.own_words import read_values
from ratings.parameters import Description, ParameterError
from ratings.registry import SystemInfo
from ratings.starts import has_anchors
from ratings.system import Reach, State, System
from ratings.systems.zerosum import ZeroSum

INERT = frozenset({"penalty", "pending_hours"})
"""Parameters of what no match here brings yet: started matches, declined challenges."""

NEW_BOARD = {"glicko2": {"preset": "glickman"}}
"""What a new board has unless it is told otherwise, where a system's own default is another: the
bounds of INVERSUS would hold the best of a large league at one rating."""


@lru_cache(maxsize=256)
def _system(name: str, parameters: str) -> System:
    return registry.create(name, json.loads(parameters))


def system_of(board: Board) -> System:
    """The system by which a board's standings and histories are to be read.

    It has the parameters that they were rated with, which stay until newer ones are computed.
    """
    return _system(board.system, board.shown_json)


def is_fitted(board: Board) -> bool:
    """Whether a board rates all its results at once, so that none has a rating before it."""
    return system_of(board).reach is Reach.BATCH


def rates_events(board: Board) -> bool:
    """Whether a board rates matches by their events, where they have some."""
    return board.mode.rates_events and system_rates_events(newest_system(board))


def system_rates_events(system: System) -> bool:
    """Whether there is any kind of event that a system rates in place of a result."""
    words = read_values(getattr(system.parameters, "own_words", ""))
    return any(system.rates_event(kind, has_target=True) for kind in EventKind) or any(
        system.rates_event(EventKind.OWN, has_target=True, word=word) for word in words
    )


def newest_system(board: Board) -> System:
    """The system by whose rules a board is to be rated, whatever it shows now."""
    return system_with(board.system, board.parameters)


def system_with(name: str, parameters: Mapping[str, Any]) -> System:
    """A rating system by its name, with stored parameters."""
    return _system(name, parameters_json(parameters))


def board_state(board: Board) -> State | None:
    """The shared state of the board's last computation, if there is one."""
    return tuple(np.frombuffer(bytes(board.board_state), "<f8").tolist()) or None


def system_has_anchors(name: str, parameters: Mapping[str, Any]) -> bool:
    """Whether players who are given a rating keep it, under parameters of a system."""
    return has_anchors(system_with(name, parameters))


def system_info(name: str) -> SystemInfo:
    """The description of a system by its name; ValidationError for an unknown one."""
    try:
        return registry.info(name)
    except ParameterError as error:
        raise ValidationError({"system": str(error)}) from error


def systems() -> tuple[SystemInfo, ...]:
    """Every system a board can have."""
    return registry.list_systems()


def describe_system(name: str) -> tuple[Description, ...]:
    """The parameters of a system, as forms, pages and the API need them."""
    return system_info(name).descriptions


def offered_parameters(
    name: str, stored: Mapping[str, Any] | None = None
) -> tuple[Description, ...]:
    """The parameters that people are shown: what acts here, and what a board was given besides."""
    given = stored or {}
    return tuple(
        row
        for row in describe_system(name)
        if row.name not in INERT
        and (row.is_offered or given.get(row.name, row.default) != row.default)
    )


def new_board_parameters(name: str) -> dict[str, Any]:
    """The parameters of a new board for which nobody has chosen any."""
    return checked_parameters(name, NEW_BOARD.get(name, {}))


def checked_parameters(name: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """All parameters in full, so that a later default changes no stored board.

    Raises ValidationError by parameter, also where newcomers could not be shown.
    """
    try:
        system = registry.create(name, parameters)
    except ParameterError as error:
        raise ValidationError(
            {field: reason for field, _value, reason in error.problems}
        ) from error
    if _largest_at_start(system) > SHOWN_LIMIT:
        words = _("Newcomers would be shown as a number over a billion. Lower this or the start.")
        raise ValidationError({"scale": words})
    return {
        description.name: getattr(system.parameters, description.name)
        for description in describe_system(name)
    }


def _largest_at_start(system: System) -> float:
    """The largest number, whatever its sign, with which a player of a new board can be shown."""
    if not isinstance(system, ZeroSum):
        # Others show what begins within the bounds of a parameter.
        return 0.0
    start, spread = system.parameters.start, system.parameters.spread
    states = [system.new_player((mean,)) for mean in (start - spread, start + spread)]
    values = system.display_many(np.array(states), board=system.new_board()).value
    return float(np.abs(values).max())


def full_parameters(name: str, stored: Mapping[str, Any]) -> dict[str, Any]:
    """Stored parameters, with the defaults of those that a later release brought."""
    return {row.name: stored.get(row.name, row.default) for row in describe_system(name)}


@cache
def math_fingerprint(system: str = "") -> str:
    """A hash of what this machine's mathematical functions answer to 64 fixed probes.

    Two machines with the same fingerprint compute the same bits (reliability I-01), if they do it
    in the same steps: so it also tells a `system` that former releases computed in others.
    """
    arithmetic = system_info(system).arithmetic if system else 1
    probes = [
        function(0.013 + 0.37 * step)
        for step in range(16)
        for function in (math.exp, math.log, math.erf, lambda value: 10.0**value)
    ]
    steps = b"" if arithmetic == 1 else bytes([arithmetic])
    return hashlib.sha256(np.array(probes, dtype="<f8").tobytes() + steps).hexdigest()[:16]
