"""Queries of which PostgreSQL keeps the plan for a connection.

For what every page asks, of a few rows by their keys: to plan that takes longer than to answer it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, ParamSpec, TypeVar
from weakref import WeakSet

from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper

from leagues.store.snapshot import in_snapshot, snapshot
from leagues.store.statements import Values, needs_cursor, read_rows, this_connection

P = ParamSpec("P")
R = TypeVar("R")

_without_plans: WeakSet[Any] = WeakSet()
"""Connections on which a plan did not hold."""


class _Page(threading.local):
    """Whether this thread makes a page that can begin again."""

    may_begin_again = False


_page = _Page()


class PlanLostError(Exception):
    """A plan no longer holds, and has ended the transaction that it was used in."""


def page_snapshot(make: Callable[P, R]) -> Callable[P, R]:
    """Let what makes a page read everything in one snapshot, with plans that are kept.

    Where one of these no longer holds, it is called again. Inside another snapshot or transaction
    it does without them.
    """

    @wraps(make)
    def run(*args: P.args, **values: P.kwargs) -> R:
        if this_connection().in_atomic_block or in_snapshot():
            return make(*args, **values)
        try:
            with snapshot(), _with_plans():
                return make(*args, **values)
        except PlanLostError:
            with snapshot():
                return make(*args, **values)

    return run


@contextmanager
def _with_plans() -> Iterator[None]:
    _page.may_begin_again = True
    try:
        yield
    finally:
        _page.may_begin_again = False


def read_planned(here: BaseDatabaseWrapper, sql: str, values: Values) -> list[tuple[Any, ...]]:
    """The rows of a query, planned once where a plan that no longer holds would harm nobody."""
    if here.vendor == "sqlite" or needs_cursor(here) or not _may_use_plans(here):
        return read_rows(here, sql, values)
    wrapper: Any = here
    driver, psycopg = wrapper.connection, wrapper.Database
    with here.wrap_database_errors:
        # For this statement alone: psycopg counts all others too, and keeps their whole text.
        driver.prepare_threshold = 0
        try:
            return list(psycopg.Cursor(driver).execute(sql, values).fetchall())
        except (
            psycopg.errors.FeatureNotSupported,
            psycopg.errors.InvalidSqlStatementName,
            psycopg.errors.DuplicatePreparedStatement,
        ) as error:
            # A column has another type since, or somebody between here and there does not keep
            # what was prepared: from now on this connection plans each time.
            _without_plans.add(driver)
            if _page.may_begin_again:
                raise PlanLostError from error
        finally:
            driver.prepare_threshold = None
    return read_rows(here, sql, values)


def _may_use_plans(here: BaseDatabaseWrapper) -> bool:
    is_alone = not (here.in_atomic_block or in_snapshot()) and here.get_autocommit()
    return (
        settings.PREPARED_STATEMENTS
        and here.connection not in _without_plans
        and (is_alone or _page.may_begin_again)
    )
