"""Questions about rows of many ids, of any number."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import BooleanField, Expression, F, Lookup
from django.db.models.sql.compiler import SQLCompiler

if TYPE_CHECKING:
    IdLookup = Lookup[Sequence[int]]
else:
    # Only the stubs know that it is generic.
    IdLookup = Lookup


class Among(IdLookup):
    """Whether a column is one of these ids, as a condition of a filter.

    The ids are one value. A mark for each, as `__in` writes them, has a limit on SQLite, and
    thousands of them take longer to write and to parse than the rows take to be found. In a
    prepared query they are a tuple.
    """

    prepare_rhs = False
    output_field = BooleanField()

    def __init__(self, column: str, ids: Sequence[int] | Expression) -> None:
        super().__init__(F(column), ids)

    def as_sql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper
    ) -> tuple[str, tuple[Any, ...]]:
        """The condition in the words of either database."""
        column, params = self.process_lhs(compiler, connection)
        if isinstance(self.rhs, Expression):
            mark, values = compiler.compile(self.rhs)
            return _condition(column, connection, mark), (*params, *values)
        condition, listed = is_any_of(column, self.rhs, connection)
        return condition, (*params, listed)


def is_any_of(column: str, ids: Sequence[int], here: BaseDatabaseWrapper) -> tuple[str, Any]:
    """The same condition in SQL, and the one value of its mark."""
    return _condition(column, here, "%s"), adapted_ids(here, ids)


def adapted_ids(here: BaseDatabaseWrapper, ids: Sequence[int]) -> Any:
    """Ids as the one value that the condition takes."""
    if here.vendor == "sqlite":
        return json.dumps(list(ids))
    # psycopg takes four times as long to write a list.
    return f"{{{','.join(map(str, ids))}}}"


def _condition(column: str, here: BaseDatabaseWrapper, mark: str) -> str:
    if here.vendor == "sqlite":
        return f"{column} IN (SELECT value FROM json_each({mark}))"  # noqa: S608
    # A subquery would do too, but PostgreSQL takes it for a hundred rows, whatever it holds.
    return f"{column} = ANY({mark}::bigint[])"
