from __future__ import annotations

from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState

SHORT = "0001_squashed_0012_limits_of_several_processes"


def state_after(migration: str, *, by_the_short_way: bool) -> ProjectState:
    loader = MigrationLoader(None, replace_migrations=by_the_short_way)
    state = loader.project_state(("leagues", migration))
    assert isinstance(state, ProjectState)
    return state


def test_all_tables_at_once_are_those_that_the_migrations_make_one_by_one() -> None:
    one_by_one = state_after("0012_limits_of_several_processes", by_the_short_way=False)
    at_once = state_after(SHORT, by_the_short_way=True)
    assert MigrationAutodetector(one_by_one, at_once)._detect_changes() == {}
    assert MigrationAutodetector(at_once, one_by_one)._detect_changes() == {}
