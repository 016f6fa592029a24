"""Queries of which PostgreSQL keeps the plan for a connection.

For what every page asks, of a few rows by their keys: to plan that takes longer than to answer it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar
from weakref import WeakSet

from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper

from leagues.store.snapshot import in_snapshot, may_restart, snapshot
from leagues.store.statements import Values, needs_cursor, read_rows, this_connection

P = ParamSpec("P")
R = TypeVar("R")

_without_plans: WeakSet[Any] = WeakSet()
"""Connections on which a plan did not hold."""


class PlanLostError(Exception):
    """A plan no longer holds, and has ended the transaction that it was used in."""


def restartable_snapshot(read: Callable[P, R]) -> Callable[P, R]:
    """Let a function read everything in one snapshot, and use plans that are kept.

    Where one of these no longer holds it is called again: it must change nothing but its result.
    """

    @wraps(read)
    def run(*args: P.args, **values: P.kwargs) -> R:
        if this_connection().in_atomic_block or in_snapshot():
            return read(*args, **values)
        try:
            with snapshot(is_restartable=True):
                return read(*args, **values)
        except PlanLostError:
            with snapshot():
                return read(*args, **values)

    return run


def read_planned(here: BaseDatabaseWrapper, sql: str, values: Values) -> list[tuple[Any, ...]]:
    """The rows of a query, prepared on its connection where a lost plan is made good.

    That is outside transactions, and in a snapshot that begins again.
    """
    if here.vendor == "sqlite" or needs_cursor(here) or not _may_use_plans(here):
        return read_rows(here, sql, values)
    wrapper: Any = here
    driver, psycopg = wrapper.connection, wrapper.Database
    with here.wrap_database_errors:
        # For this statement alone: psycopg counts all others too, and keeps their whole text.
        usual, driver.prepare_threshold = driver.prepare_threshold, 0
        try:
            return list(psycopg.Cursor(driver).execute(sql, values).fetchall())
        except (
            psycopg.errors.FeatureNotSupported,
            psycopg.errors.InvalidSqlStatementName,
            psycopg.errors.DuplicatePreparedStatement,
        ) as error:
            # A column has another type since, or a connection pooler did not keep what was
            # prepared: from now on this connection plans each time.
            _without_plans.add(driver)
            if may_restart():
                raise PlanLostError from error
        finally:
            driver.prepare_threshold = usual
    return read_rows(here, sql, values)


def _may_use_plans(here: BaseDatabaseWrapper) -> bool:
    is_alone = not (here.in_atomic_block or in_snapshot()) and here.get_autocommit()
    return (
        settings.PREPARED_STATEMENTS
        and here.connection not in _without_plans
        and (is_alone or may_restart())
    )
