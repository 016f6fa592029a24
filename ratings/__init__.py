"""Rating systems for games, exact and fast; knows no Django, no database and no clock.

    >>> from ratings import Elo
    >>> Elo(k=24).expected(200.0)
    0.7597469266479578

Everything is loaded when first named, so that describing parameters stays cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from ratings.log import Events, MatchLog
    from ratings.parameters import ParameterError
    from ratings.registry import create, list_systems
    from ratings.system import Side, System, Unanswerable
    from ratings.systems.elo import Elo
    from ratings.systems.glicko2 import Glicko2
    from ratings.systems.trueskill import TrueSkill

_HOMES: Final = {
    "Elo": "ratings.systems.elo",
    "Events": "ratings.log",
    "Glicko2": "ratings.systems.glicko2",
    "MatchLog": "ratings.log",
    "ParameterError": "ratings.parameters",
    "Side": "ratings.system",
    "System": "ratings.system",
    "TrueSkill": "ratings.systems.trueskill",
    "Unanswerable": "ratings.system",
    "create": "ratings.registry",
    "list_systems": "ratings.registry",
}

__all__ = [
    "Elo",
    "Events",
    "Glicko2",
    "MatchLog",
    "ParameterError",
    "Side",
    "System",
    "TrueSkill",
    "Unanswerable",
    "create",
    "list_systems",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
