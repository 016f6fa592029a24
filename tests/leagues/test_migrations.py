"""A migration that is taken back leaves the tables as they were before it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from leagues.models import RatingSegment, Standing
from leagues.store import guards

INDEXES = {
    ("leagues_standing", ("league_id",)),
    ("leagues_standing", ("board_id",)),
    ("leagues_ratingsegment", ("league_id",)),
    ("leagues_ratingsegment", ("board_id",)),
}


@pytest.fixture
def _migrated_afterwards() -> Iterator[None]:
    yield
    migrate(*MigrationExecutor(connection).loader.graph.leaf_nodes("leagues"))
    guards.install(connection)


def migrate(*targets: tuple[str, str]) -> None:
    # As the command does: SQLite writes a table anew, which a guard of another one names.
    guards.remove(connection)
    MigrationExecutor(connection).migrate(list(targets))


def plain_indexes() -> set[tuple[str, tuple[str, ...]]]:
    with connection.cursor() as cursor:
        return {
            (table, tuple(constraint["columns"]))
            for table in (Standing._meta.db_table, RatingSegment._meta.db_table)
            for constraint in connection.introspection.get_constraints(cursor, table).values()
            if constraint["index"] and not constraint["unique"]
        }


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_migrated_afterwards")
def test_the_indexes_of_what_a_replay_writes_come_back() -> None:
    without = plain_indexes()
    assert not without & INDEXES
    for _ in range(2):
        migrate(("leagues", "0034_players_imported"))
        assert plain_indexes() == without | INDEXES
        migrate(("leagues", "0035_replays_write_less"))
        assert plain_indexes() == without
