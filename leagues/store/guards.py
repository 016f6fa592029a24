"""What the database itself refuses, whoever asks: changes of sealed seasons and of the record.

Triggers, because no service stands between a database and somebody who has opened it. They are
no part of the migrations: SQLite drops the triggers of a table that a migration makes anew. They
are taken away before migrations run and put back after every `migrate`.

PostgreSQL looks at each statement once, at all its rows; SQLite knows triggers by row only. Rows
that an import has staged and nobody sees are no facts yet and may come and go.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

PREFIX: Final = "rungs_"
SEALED: Final = "('closed', 'archived')"


@dataclass(frozen=True, slots=True)
class Guard:
    """Which rows of a table belong to a sealed season; `{r}` stands for the row.

    A row does where `sources` have one for which the condition holds.
    """

    table: str
    sources: str
    condition: str
    row: str = ""
    """What has to be true of the row alone, which is looked at first."""
    events: tuple[str, ...] = ("INSERT", "UPDATE", "DELETE")

    def sealed_condition(self, row: str, *rows: str) -> str:
        """The condition that a row, one of `rows` if given, belongs to a sealed season."""
        condition = self.condition.format(r=row)
        alone = self.row.format(r=row)
        if rows:
            both = f"{alone} AND {condition}" if alone else condition
            return _exists(", ".join((*rows, self.sources)), both)
        exists = _exists(self.sources, condition)
        return f"({alone} AND {exists})" if alone else exists


_OF_SEASON = f"s.id = {{r}}.season_id AND s.state IN {SEALED}"
_OF_BOARD = f"b.id = {{r}}.board_id AND s.id = b.season_id AND s.state IN {SEALED}"
_OF_MATCH = f"m.id = {{r}}.match_id AND s.id = m.season_id AND s.state IN {SEALED}"
_SEASON = "leagues_season s"
_BOARD = "leagues_board b, leagues_season s"
_MATCH = "leagues_match m, leagues_season s"

GUARDS: Final = (
    Guard("leagues_match", _SEASON, _OF_SEASON, "{r}.status <> 'staged'"),
    Guard("leagues_participant", _MATCH, f"{_OF_MATCH} AND m.status <> 'staged'"),
    Guard("leagues_matchevent", _MATCH, f"{_OF_MATCH} AND m.status <> 'staged'"),
    Guard("leagues_matchversion", _MATCH, _OF_MATCH),
    Guard("leagues_revision", _SEASON, _OF_SEASON, "{r}.number IS NOT NULL"),
    Guard("leagues_ledgerentry", _SEASON, _OF_SEASON),
    Guard("leagues_startingstate", _BOARD, _OF_BOARD),
    Guard("leagues_boardrules", _BOARD, _OF_BOARD),
    # What no reader sees any more may be thrown away at any time.
    Guard("leagues_standing", _BOARD, f"{_OF_BOARD} AND b.generation = {{r}}.generation"),
    Guard("leagues_ratingsegment", _BOARD, f"{_OF_BOARD} AND b.generation = {{r}}.generation"),
    Guard("leagues_board", _SEASON, _OF_SEASON, events=("INSERT", "DELETE")),
)

BOARD_COLUMNS: Final = (
    *("league_id", "season_id", "mode_id", "system", "slug", "parameters", "generation"),
    *("rated_through_revision", "last_at", "last_same_time_order", "last_seq", "rated_matches"),
    *("refused_matches", "board_state", "start_board_state", "decayed_until", "rules_since"),
    *("seal", "rated_rules", "start_parameters", "math_fingerprint"),
)
"""Columns of a sealed board that stay; when it was checked, and what it is called, may change."""

SEASON_COLUMNS: Final = (
    *("league_id", "slug", "starts_at", "ends_at", "follows_id", "carryover", "carryover_share"),
    *("carryover_deviation", "sealed_at", "sealed_digest", "sealed_walkovers"),
    *(
        "sealed_ranked_after",
        "sealed_active_days",
        "stopped_at",
        "last_seq",
        "last_revision",
        "facts_digest",
    ),
)


AUDIT_COLUMNS: Final = (
    "id",
    "league_id",
    "number",
    "actor_key",
    "person_key",
    "digest",
    "action",
    "subject",
    "before",
    "after",
    "created_at",
)
AUDIT_REFERENCES: Final = ("actor_id", "season_id", "player_id")


def install(connection: BaseDatabaseWrapper) -> None:
    """Put every guard in its place that is not there yet; old ones go."""
    wanted = dict(_wanted_guards(connection.vendor))
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        if any(guard.table not in tables for guard in GUARDS):
            return
        existing = _existing_guards(connection, cursor)
        for name, table in existing.items():
            if name not in wanted:
                _drop(connection, cursor, name, table)
        for name, statements in wanted.items():
            if name not in existing:
                for statement in statements:
                    cursor.execute(statement)


def remove(connection: BaseDatabaseWrapper) -> None:
    """Take every guard away: for migrations, and for tests that empty the database."""
    with connection.cursor() as cursor:
        for name, table in _existing_guards(connection, cursor).items():
            _drop(connection, cursor, name, table)


def before_migrations(*, using: str, plan: list[Any], **_: Any) -> None:
    """Make room for migrations, if there are any to run."""
    if plan:
        remove(connections[using])


def after_migrations(*, using: str, **_: Any) -> None:
    """Put the guards back."""
    install(connections[using])


def _existing_guards(connection: BaseDatabaseWrapper, cursor: Any) -> dict[str, str]:
    """The guards there are and their tables."""
    if connection.vendor == "sqlite":
        cursor.execute(
            "SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger' AND name LIKE %s",
            [f"{PREFIX}%"],
        )
    else:
        cursor.execute(
            "SELECT t.tgname, c.relname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid "
            "WHERE NOT t.tgisinternal AND t.tgname LIKE %s AND pg_table_is_visible(c.oid)",
            [f"{PREFIX}%"],
        )
    return dict(cursor.fetchall())


def _drop(connection: BaseDatabaseWrapper, cursor: Any, name: str, table: str) -> None:
    if connection.vendor == "sqlite":
        cursor.execute(f'DROP TRIGGER "{name}"')
    else:
        cursor.execute(f'DROP TRIGGER "{name}" ON "{table}"')
        cursor.execute(f'DROP FUNCTION IF EXISTS "{name}"()')


def _wanted_guards(vendor: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the name of each guard and what makes it; another text has another name."""
    make = _sqlite_trigger if vendor == "sqlite" else _postgresql_trigger
    for guard in GUARDS:
        for event in guard.events:
            yield _name_guard(f"{guard.table}_{event.lower()}", make, guard, event)
    for table, event, refused in _row_rules(vendor):
        by_row = _sqlite_row if vendor == "sqlite" else _postgresql_row
        yield _name_guard(f"{table}_{event.lower()}_kept", by_row, table, event, refused)


def _name_guard(label: str, make: Any, *words: Any) -> tuple[str, list[str]]:
    digest = hashlib.sha256("".join(make("", *words)).encode()).hexdigest()[:8]
    name = f"{PREFIX}{label.removeprefix('leagues_')}_{digest}"
    return name, make(name, *words)


def _row_rules(vendor: str) -> Iterator[tuple[str, str, str]]:
    """Yield table, event and the condition on OLD and NEW that is refused."""
    differs = "IS NOT" if vendor == "sqlite" else "IS DISTINCT FROM"

    def differ(columns: tuple[str, ...]) -> str:
        return " OR ".join(f"OLD.{column} {differs} NEW.{column}" for column in columns)

    sealed = _exists(_SEASON, f"s.id IN (OLD.season_id, NEW.season_id) AND s.state IN {SEALED}")
    yield "leagues_board", "UPDATE", f"({differ(BOARD_COLUMNS)}) AND {sealed}"
    reopened = _exists(
        "leagues_auditentry a",
        "a.season_id = OLD.id AND a.action = 'season.reopen' AND a.created_at >= OLD.sealed_at",
    )
    yield (
        "leagues_season",
        "UPDATE",
        f"OLD.state IN {SEALED} AND ("
        f"(NEW.state IN {SEALED} AND ({differ(SEASON_COLUMNS)})) OR "
        f"(NEW.state NOT IN {SEALED} AND OLD.sealed_at IS NOT NULL AND NOT {reopened}))",
    )
    yield "leagues_season", "DELETE", f"OLD.state IN {SEALED}"
    # A revision is written to until the season counts it, in its own transaction.
    committed = _exists(_SEASON, "s.id = OLD.season_id AND s.last_revision >= OLD.number")
    yield "leagues_revision", "UPDATE", committed
    yield "leagues_revision", "DELETE", committed
    for table in ("leagues_matchversion", "leagues_auditentry"):
        yield table, "DELETE", "1 = 1"
    yield "leagues_matchversion", "UPDATE", "1 = 1"
    # An account or a player that is deleted takes its name along, and nothing else.
    renamed = " OR ".join(
        f"(NEW.{column} IS NOT NULL AND OLD.{column} {differs} NEW.{column})"
        for column in AUDIT_REFERENCES
    )
    yield "leagues_auditentry", "UPDATE", f"{differ(AUDIT_COLUMNS)} OR {renamed}"


def _exists(sources: str, condition: str) -> str:
    return f"EXISTS (SELECT 1 FROM {sources} WHERE {condition})"  # noqa: S608


def _sqlite_trigger(name: str, guard: Guard, event: str) -> list[str]:
    rows = {"INSERT": ("NEW",), "DELETE": ("OLD",), "UPDATE": ("OLD", "NEW")}[event]
    condition = " OR ".join(guard.sealed_condition(row) for row in rows)
    return [_sqlite_statement(name, guard.table, event, condition, "sealed")]


def _sqlite_row(name: str, table: str, event: str, refused: str) -> list[str]:
    return [_sqlite_statement(name, table, event, refused, "kept")]


def _sqlite_statement(name: str, table: str, event: str, refused: str, why: str) -> str:
    return (
        f'CREATE TRIGGER "{name}" BEFORE {event} ON "{table}" FOR EACH ROW WHEN {refused} '
        f"BEGIN SELECT RAISE(ABORT, '{table} is {why}'); END"
    )


def _postgresql_trigger(name: str, guard: Guard, event: str) -> list[str]:
    tables = {"INSERT": ("fresh",), "DELETE": ("stale",), "UPDATE": ("stale", "fresh")}[event]
    condition = " OR ".join(guard.sealed_condition("r", f"{table} r") for table in tables)
    seen = " ".join(f"{'NEW' if table == 'fresh' else 'OLD'} TABLE AS {table}" for table in tables)
    any_sealed = _exists(_SEASON, f"s.state IN {SEALED}")
    refusal = _raise(guard.table, "sealed")
    return [
        _postgresql_function(
            name, f"IF {any_sealed} AND ({condition}) THEN {refusal} END IF; RETURN NULL;"
        ),
        f'CREATE TRIGGER "{name}" AFTER {event} ON "{guard.table}" REFERENCING {seen} '
        f'FOR EACH STATEMENT EXECUTE FUNCTION "{name}"()',
    ]


def _postgresql_row(name: str, table: str, event: str, refused: str) -> list[str]:
    going_on = "OLD" if event == "DELETE" else "NEW"
    return [
        _postgresql_function(
            name, f"IF {refused} THEN {_raise(table, 'kept')} END IF; RETURN {going_on};"
        ),
        f'CREATE TRIGGER "{name}" BEFORE {event} ON "{table}" '
        f'FOR EACH ROW EXECUTE FUNCTION "{name}"()',
    ]


def _postgresql_function(name: str, body: str) -> str:
    return (
        f'CREATE OR REPLACE FUNCTION "{name}"() RETURNS trigger LANGUAGE plpgsql '
        f"AS $$ BEGIN {body} END $$"
    )


def _raise(table: str, why: str) -> str:
    return f"RAISE EXCEPTION '{table} is {why}' USING ERRCODE = 'integrity_constraint_violation';"
