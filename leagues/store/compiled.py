"""Queries whose SQL is made once: of a large one that takes longer than to run it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import QuerySet
from django.db.models.sql import Query


@dataclass(frozen=True, slots=True)
class _Statement:
    """The SQL of one kind of database."""

    query: Query
    sql: str
    parameters: tuple[Any, ...]
    columns: tuple[Any, ...]
    """The expressions that are selected, which know how their values are read."""


class CompiledQuery:
    """A query with one argument.

    `make` builds it from a stand-in, a value that stands nowhere else among its parameters; in
    whatever places the stand-in is found, the argument is put.
    """

    def __init__(self, make: Callable[[Any], QuerySet[Any, Any]], *, stand_in: object) -> None:
        self._make, self._stand_in = make, stand_in
        self._statements: dict[str, _Statement] = {}

    def read(self, argument: object) -> list[tuple[Any, ...]]:
        """The rows as the database gives them."""
        statement = self._statement()
        parameters: list[Any] = [
            argument if value == self._stand_in else value for value in statement.parameters
        ]
        with connection.cursor() as cursor:
            cursor.execute(statement.sql, parameters)
            rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows

    def convert(self, rows: Iterable[Sequence[Any]]) -> list[list[Any]]:
        """Rows that were read, with values as fields have them."""
        statement = self._statement()
        compiler = statement.query.get_compiler(DEFAULT_DB_ALIAS)
        converters = compiler.get_converters(statement.columns)
        return list(compiler.apply_converters(rows, converters))

    def _statement(self) -> _Statement:
        statement = self._statements.get(connection.vendor)
        if statement is None:
            query = self._make(self._stand_in).query
            compiler = query.get_compiler(DEFAULT_DB_ALIAS)
            sql, parameters = compiler.as_sql()
            columns = tuple(column for column, _sql, _alias in compiler.select)
            statement = _Statement(query, sql, tuple(parameters), columns)
            self._statements[connection.vendor] = statement
        return statement
