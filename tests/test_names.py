"""Names that the glossary retired do not come back, and docstrings name the thing first.

Migrations, stored words (JSON keys, slugs) and the changelog keep theirs.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
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
        "carried_said": "carryover_sentence",
        "doubts_about": "entry_warnings",
        "foreseen_by": "predict_match",
        "hold_season": "lock_season",
        "joins_of": "board_entries_of",
        "kept_for_nobody": "shared_board_state",
        "league_look": "select_board",
        "outside_said": "describe_outside_results",
        "sealing_said": "sealing_progress",
        "tell": "describe_rules",
        "told_of": "rules_at_start",
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
        "joins": "board_entries",
    },
    "column": {
        "carry": "carryover",
        "carry_deviation": "carryover_deviation",
        "carry_share": "carryover_share",
        "frontier": "rated_through_revision",
        "last_hint": "last_same_time_order",
        "order_hint": "same_time_order",
        "reckoned_until": "decayed_until",
        "share": "playing_share",
        "touched": "touched_in_revision",
        "verified_frontier": "verified_through_revision",
    },
}
PARTICIPLES = {
    *("added", "asked", "changed", "found", "given", "held", "kept", "led", "made", "moved"),
    *("said", "seated", "shown", "thinned", "told", "tried"),
}
"""What says neither what a function does nor what a value is."""
EXEMPT = {
    "participle": {
        "leagues/models/board.py: shown",  # a column of standings
        "leagues/store/standing_rows.py: shown",  # the same
        "leagues/services/trial_reports.py: moved",  # the API's word, read by its name
    },
    # People's accounts, and the admin's screens of recorded facts.
    "module": {"leagues/admin/accounts.py", "leagues/admin/facts.py", "ratings/files/facts.py"},
}


def sources() -> Iterator[Path]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if "migrations" not in path.parts:
                yield path.relative_to(ROOT)


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse((ROOT / path).read_text(encoding="utf-8"))


@cache
def names_in(path: Path) -> dict[str, set[str]]:
    """The names that a module gives, by kind."""
    names: dict[str, set[str]] = {kind: set() for kind in ("class", "function", "field", "column")}
    names["module"] = {path.stem}
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.ClassDef):
            names["class"].add(node.name)
            names["field"] |= {
                part.target.id
                for part in node.body
                if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
            }
            if "models" in path.parts:
                names["column"] |= {
                    target.id
                    for part in node.body
                    if isinstance(part, ast.Assign)
                    for target in part.targets
                    if isinstance(target, ast.Name)
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


def leagues_sources() -> Iterator[Path]:
    for path in sources():
        if path.parts[0] == "leagues":
            yield path


def test_no_function_class_or_field_is_a_bare_participle() -> None:
    bare = {
        f"{path}: {name}"
        for path in leagues_sources()
        for kind in ("class", "function", "field", "column")
        for name in names_in(path)[kind]
        if name.strip("_").lower() in PARTICIPLES
    }
    assert bare == EXEMPT["participle"]


def test_no_variable_of_a_template_is_a_bare_participle() -> None:
    word = re.compile(rf"(?<![\w-])({'|'.join(sorted(PARTICIPLES))})(?![\w-])")
    bare = {
        f"{path.relative_to(ROOT)}: {match[1]}"
        for path in sorted((ROOT / "templates").rglob("*.html"))
        for tag in re.findall(r"\{%.*?%\}|\{\{.*?\}\}", path.read_text(encoding="utf-8"), re.DOTALL)
        for match in word.finditer(re.sub(r"\"[^\"]*\"|'[^']*'", "", tag))
    }
    assert bare == set()


def test_docstrings_name_the_thing_first() -> None:
    again = {
        f"{path}: {getattr(node, 'name', 'module')}"
        for path in leagues_sources()
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and re.match(r"(Return|Say|Tell)s?\b", ast.get_docstring(node) or "")
    }
    assert again == set()
