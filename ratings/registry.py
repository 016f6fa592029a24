"""The systems by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Final

from ratings.parameters import Description, ParameterError, Parameters, build, describe
from ratings.system import Reach, System

_PLACES: Final = {
    "ladder": ("ratings.systems.ladder", "Ladder"),
    "zerosum": ("ratings.systems.zerosum", "ZeroSum"),
    "elo": ("ratings.systems.elo", "Elo"),
    "becker": ("ratings.systems.becker", "Becker"),
    "static": ("ratings.systems.static", "Static"),
    "glicko2": ("ratings.systems.glicko2", "Glicko2"),
    "glicko": ("ratings.systems.glicko", "Glicko"),
    "trueskill": ("ratings.systems.trueskill", "TrueSkill"),
    "wenglin": ("ratings.systems.wenglin", "WengLin"),
}


@dataclass(frozen=True, slots=True)
class SystemInfo:
    """What can be said of a system before it has parameters."""

    name: str
    title: str
    reach: Reach
    parameters: type[Parameters]
    fitted: tuple[str, ...]
    """The parameters worth fitting to a season."""
    orders_only: bool
    """Whether a state is a place in an order: no chances, no range, and newcomers join last."""
    has_own_draws: bool
    """Whether the model itself says how often matches are drawn."""
    arithmetic: int
    """Another number than a former release's: it computed the same in steps of its own."""

    @property
    def rates_at_once(self) -> bool:
        """Whether ratings are fitted to all results together, so that none is foretold."""
        return self.reach is Reach.BATCH

    @property
    def gives_chances(self) -> bool:
        """Whether it says beforehand how likely a result is."""
        return not (self.orders_only or self.rates_at_once)

    @property
    def descriptions(self) -> tuple[Description, ...]:
        """Return the description of every parameter."""
        return describe(self.parameters)


def create(name: str, parameters: Mapping[str, object] | None = None) -> System:
    """Make the system of that name; raises `ParameterError` with everything that is wrong."""
    cls = _class(name)
    system: System = cls(build(_info(name).parameters, parameters))
    return system


def info(name: str) -> SystemInfo:
    """Return what is known of one system by its name."""
    _class(name)
    return _info(name)


def list_systems() -> tuple[SystemInfo, ...]:
    """Return every system, in the order of the reference."""
    return tuple(_info(name) for name in _PLACES)


def _class(name: str) -> Any:
    if name not in _PLACES:
        raise ParameterError([("system", name, f"must be one of {', '.join(_PLACES)}")])
    module, attribute = _PLACES[name]
    return getattr(import_module(module), attribute)


@cache
def _info(name: str) -> SystemInfo:
    cls = _class(name)
    return SystemInfo(
        cls.name,
        cls.title,
        cls().reach,
        cls.parameter_class,
        cls.fitted,
        cls.orders_only,
        cls.has_own_draws,
        cls.arithmetic,
    )
