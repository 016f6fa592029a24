"""The rules of a board in plain words: one module for each family of systems."""

from __future__ import annotations

from typing import Any

from leagues.rulebook import becker, elo, glicko, ladder, skill, static, zerosum
from leagues.rulebook.rules_text import RulesText

__all__ = ["RulesText", "describe_rules"]

_TELLERS = {
    "elo": elo.describe_rules,
    "glicko2": glicko.describe_glicko2,
    "glicko": glicko.describe_glicko,
    "trueskill": skill.describe_trueskill,
    "wenglin": skill.describe_wenglin,
    "zerosum": zerosum.describe_rules,
    "becker": becker.describe_rules,
    "ladder": ladder.describe_rules,
    "static": static.describe_rules,
}


def describe_rules(system: str, parameters: dict[str, Any]) -> RulesText:
    """The rules of a system with these parameters, given in full, in words."""
    return _TELLERS[system](parameters)
