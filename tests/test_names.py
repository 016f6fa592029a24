"""Names that the glossary retired do not come back.

Migrations, stored words (JSON keys, slugs) and the changelog keep theirs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("config", "leagues", "ratings")

RETIRED = {
    "class": {
        "Account": "RatingChange",
        "Against": "MatchupForecast",
        "Asked": "StandingsQuery",
        "Bystanders": "IndirectChanges",
        "Doubt": "EntryWarning",
        "Doubtful": "NeedsConfirmation",
        "Encounter": "PlayerMatch or HeadToHeadMatch",
        "Foreseen": "OutcomePreview",
        "Foresight": "BacktestResult",
        "Look": "BoardSelection",
        "Met": "OtherPlayer",
        "Overtaken": "BoardRestarted",
        "Past": "PastStandings",
        "Prospect": "MatchForecast",
        "Seat": "MatchPlayer",
        "Stake": "OutcomeEffect",
        "Telling": "RulesText",
    },
    "function": {
        "breathe": "yield_to_writers",
        "doubts_about": "entry_warnings",
        "foreseen_by": "predict_match",
        "hold_season": "lock_season",
        "joins_of": "ladder_entries_of",
        "kept_for_nobody": "shared_board_state",
        "league_look": "select_board",
        "tell": "describe_rules",
        "who_said": "author_label",
    },
    "module": {
        "accounts": "match_effects",
        "carrying": "carryover",
        "doubts": "entry_warnings",
        "facts": "match_columns",
        "lookups": "search",
        "telling": "rules_text",
    },
    "field": {
        "bystanders": "indirect_changes",
        "joins": "ladder_entries",
    },
}
EXEMPT = {
    # People's accounts, and the admin's screens of recorded facts.
    "module": {"leagues/admin/accounts.py", "leagues/admin/facts.py", "ratings/files/facts.py"},
}


def sources() -> Iterator[Path]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if "migrations" not in path.parts:
                yield path.relative_to(ROOT)


def names_in(path: Path) -> dict[str, set[str]]:
    """The names that a module gives, by kind."""
    names: dict[str, set[str]] = {"class": set(), "function": set(), "field": set()}
    names["module"] = {path.stem}
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef):
            names["class"].add(node.name)
            names["field"] |= {
                part.target.id
                for part in node.body
                if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
            }
        elif isinstance(node, ast.FunctionDef):
            names["function"].add(node.name)
    return names


@pytest.mark.parametrize("kind", RETIRED)
def test_no_retired_name_is_given_again(kind: str) -> None:
    again = {
        f"{path}: {name}, now {RETIRED[kind][name]}"
        for path in sources()
        if str(path) not in EXEMPT.get(kind, ())
        for name in names_in(path)[kind] & RETIRED[kind].keys()
    }
    assert again == set()
