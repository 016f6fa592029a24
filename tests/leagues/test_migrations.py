"""A migration that is taken back leaves the tables as they were before it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Model

from leagues.models import (
    Match,
    MatchEvent,
    MatchVersion,
    Participant,
    Player,
    RatingSegment,
    Standing,
)
from leagues.services.rosters import insert_players, new_player
from leagues.store import guards
from tests.leagues.play import new_club

OF_REPLAYS = {
    ("leagues_standing", ("league_id",)),
    ("leagues_standing", ("board_id",)),
    ("leagues_ratingsegment", ("league_id",)),
    ("leagues_ratingsegment", ("board_id",)),
}
OF_FACTS = {
    ("leagues_match", ("league_id",)),
    ("leagues_match", ("season_id",)),
    ("leagues_participant", ("league_id",)),
    ("leagues_participant", ("match_id",)),
    ("leagues_participant", ("player_id",)),
    ("leagues_matchevent", ("match_id",)),
    ("leagues_matchversion", ("match_id",)),
    ("leagues_player", ("league_id",)),
}
FACTS = (Match, Participant, MatchEvent, MatchVersion, Player)


@pytest.fixture
def _migrated_afterwards() -> Iterator[None]:
    yield
    migrate(*MigrationExecutor(connection).loader.graph.leaf_nodes("leagues"))
    guards.install(connection)


def migrate(*targets: tuple[str, str]) -> None:
    # As the command does: SQLite writes a table anew, which a guard of another one names.
    guards.remove(connection)
    MigrationExecutor(connection).migrate(list(targets))


def indexes(*models: type[Model], are_unique: bool = False) -> set[tuple[str, tuple[str, ...]]]:
    """The indexes of whole tables, but for those that a model names itself."""
    with connection.cursor() as cursor:
        return {
            (model._meta.db_table, tuple(constraint["columns"]))
            for model in models
            for name, constraint in connection.introspection.get_constraints(
                cursor, model._meta.db_table
            ).items()
            if constraint["index"] and constraint["unique"] is are_unique
            if name not in {index.name for index in model._meta.indexes}
        }


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_migrated_afterwards")
@pytest.mark.parametrize(
    ("before", "after", "models", "dropped"),
    [
        (
            "0034_players_imported",
            "0035_replays_write_less",
            (Standing, RatingSegment),
            OF_REPLAYS,
        ),
        ("0045_own_kinds_of_events", "0046_fewer_indexes", FACTS, OF_FACTS),
    ],
)
def test_dropped_indexes_come_back(
    before: str,
    after: str,
    models: tuple[type[Model], ...],
    dropped: set[tuple[str, tuple[str, ...]]],
) -> None:
    without = indexes(*models)
    assert not without & dropped
    for _ in range(2):
        migrate(("leagues", before))
        assert indexes(*models) == without | dropped
        migrate(("leagues", after))
        assert indexes(*models) == without


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_migrated_afterwards")
def test_players_get_the_words_of_their_names() -> None:
    league = new_club()
    names = {"Emil Novák": "emil novak", "Jean-Luc": "jean luc", "???": "???"}
    insert_players([new_player(league=league, name=name) for name in names])
    migrate(("leagues", "0046_fewer_indexes"))
    migrate(("leagues", "0047_words_of_names"))
    assert dict(Player.objects.values_list("name", "words")) == names


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_migrated_afterwards")
def test_the_dropped_foreign_key_of_matches_comes_back() -> None:
    """SQLite, which would write the table anew without it, has it all the time."""
    dropped = set() if connection.vendor == "sqlite" else {"league_id"}
    without = foreign_keys(Match)
    assert without >= {"mode_id", "revision_id", "season_id"}
    for _ in range(2):
        migrate(("leagues", "0047_words_of_names"))
        assert foreign_keys(Match) == without | {"league_id"}
        migrate(("leagues", "0048_league_without_foreign_key"))
        assert foreign_keys(Match) == without == foreign_keys(Match) - dropped


def foreign_keys(model: type[Model]) -> set[str]:
    """The columns that the database looks up in other tables."""
    with connection.cursor() as cursor:
        constraints = connection.introspection.get_constraints(cursor, model._meta.db_table)
    return {one["columns"][0] for one in constraints.values() if one["foreign_key"]}


@pytest.mark.django_db
def test_no_index_of_facts_is_the_beginning_of_another() -> None:
    whole = {
        (model._meta.db_table, tuple(model._meta.get_field(name).column for name in names))
        for model in FACTS
        for index in model._meta.indexes
        if index.condition is None and not index.expressions
        for names in [[name for name, _order in index.fields_orders]]
    }
    every = whole | indexes(*FACTS) | indexes(*FACTS, are_unique=True)
    assert [
        (table, short)
        for table, short in sorted(every)
        for other, columns in every
        if table == other and short != columns and columns[: len(short)] == short
    ] == []
