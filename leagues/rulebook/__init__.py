"""The rules of a board in plain words: one module for each family of systems."""

from __future__ import annotations

from typing import Any

from leagues.rulebook import becker, elo, glicko, ladder, skill, static, zerosum
from leagues.rulebook.telling import Telling

__all__ = ["Telling", "tell"]

_TELLERS = {
    "elo": elo.tell,
    "glicko2": glicko.tell_glicko2,
    "glicko": glicko.tell_glicko,
    "trueskill": skill.tell_trueskill,
    "wenglin": skill.tell_wenglin,
    "zerosum": zerosum.tell,
    "becker": becker.tell,
    "ladder": ladder.tell,
    "static": static.tell,
}


def tell(system: str, parameters: dict[str, Any]) -> Telling:
    """Say in words how a system with these parameters, given in full, rates."""
    return _TELLERS[system](parameters)
