"""Statements whose SQL is made once, by the ORM, and run again and again with other values.

For what is asked with each result: the ORM takes ten times as long to make such a statement as a
database takes to answer it. What they ask is written as everywhere else, so that a rule keeps its
one home.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, cached_property, partial, wraps
from operator import attrgetter
from typing import Any, Generic, ParamSpec, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.base import ModelState
from django.db.models.expressions import Expression
from django.db.models.query import ModelIterable, get_related_populators
from django.db.models.sql import UpdateQuery

from leagues.store.id_lists import adapted_ids
from leagues.store.planned import read_planned
from leagues.store.statements import (
    Values,
    adapted_moment,
    change_rows,
    insert_returning,
    read_rows,
    this_connection,
)

Row = TypeVar("Row")
NewRow = TypeVar("NewRow", bound=models.Model)
P = ParamSpec("P")
_ANY: models.Field[Any, Any] = models.Field()
Ask = Callable[[BaseDatabaseWrapper, str, Values], list[Any]]
"""How a query is run: `read_rows`, or `read_planned`."""
Sizes = tuple[tuple[str, int | None], ...]
"""The names of a statement's values, and of those that are several how many."""


class Placeholder(Expression):
    """The place of a value in a statement that is being made."""

    def __init__(self, name: str, index: int | None = None) -> None:
        super().__init__(output_field=_ANY)
        self.name, self.index = name, index

    def as_sql(self, _compiler: Any, _connection: Any) -> tuple[str, Any]:
        """A mark for the value; itself among the parameters says where it goes."""
        return "%s", [self]

    def value(self, values: Mapping[str, Any]) -> Any:
        """What goes here; what there are too few of is repeated."""
        value = values[self.name]
        return value if self.index is None else value[min(self.index, len(value) - 1)]


class _Statement:
    """SQL with marks, and what stands at them."""

    def __init__(self, sql: str, params: Sequence[Any]) -> None:
        self.sql, self.params = sql, tuple(params)

    def values(self, given: Mapping[str, Any], here: BaseDatabaseWrapper) -> list[Any]:
        values = [one.value(given) if type(one) is Placeholder else one for one in self.params]
        return adapted(here, values)


def adapted(here: BaseDatabaseWrapper, values: list[Any]) -> list[Any]:
    """The list itself, its moments, JSON and tuples of ids in the database's form."""
    for place, value in enumerate(values):
        if isinstance(value, datetime):
            values[place] = adapted_moment(here, value)
        elif isinstance(value, dict):
            values[place] = here.ops.adapt_json_value(value, None)
        elif isinstance(value, tuple):
            values[place] = adapted_ids(here, value)
    return values


def prepare(make: Callable[P, models.QuerySet[Any, Row]]) -> Callable[P, list[Row]]:
    """A query, written as the function that makes it of its values, all of them named.

    It is called once for each number of values that a list may have, rounded up to a power of two;
    an empty list asks nothing. A tuple of ids, for `Among`, is one value.
    """

    return _rows_of(make, read_rows)


def prepare_with_plan(make: Callable[P, models.QuerySet[Any, Row]]) -> Callable[P, list[Row]]:
    """A query like that of `prepare`, of which PostgreSQL keeps the plan: see `store.planned`."""
    return _rows_of(make, read_planned)


def prepare_answer(
    make: Callable[P, models.QuerySet[Any, Row]],
) -> Callable[P, Answer[Row]]:
    """A query like that of `prepare_with_plan`, whose rows become values only when asked for."""

    build = _reader(make, read_planned)

    @wraps(make)
    def run(*_: P.args, **values: P.kwargs) -> Answer[Row]:
        query, here = build(_sizes(values)), this_connection()
        return Answer(query.ask(values, here), partial(query.converted, here=here))

    return run


def _rows_of(make: Callable[P, models.QuerySet[Any, Row]], read: Ask) -> Callable[P, list[Row]]:
    build = _reader(make, read)

    @wraps(make)
    def run(*_: P.args, **values: P.kwargs) -> list[Row]:
        return [] if [] in values.values() else build(_sizes(values)).rows(values)

    return run


def _reader(make: Callable[P, models.QuerySet[Any, Any]], read: Ask) -> Callable[[Sizes], _Read]:
    """What makes the query once for each number of values."""

    @cache
    def build(sizes: Sizes) -> _Read:
        return _Read(make(**_places(sizes)), read)  # type: ignore[call-arg]

    return build


def prepare_update(
    make: Callable[P, tuple[models.QuerySet[Any], dict[str, Any]]],
) -> Callable[P, int]:
    """An update, written as the function that makes its rows and their new values of its own."""

    @cache
    def build(sizes: Sizes) -> _Statement:
        rows, changes = make(**_places(sizes))  # type: ignore[call-arg]
        query: Any = rows.query.chain(UpdateQuery)
        query.add_update_values(changes)
        sql, params = query.get_compiler(connection=connection).as_sql()
        return _Statement(sql, params)

    @wraps(make)
    def run(*_: P.args, **values: P.kwargs) -> int:
        statement, here = build(_sizes(values)), this_connection()
        return change_rows(here, statement.sql, statement.values(values, here))

    return run


def new_row(
    model: type[NewRow], values: Mapping[str, Any], related: Mapping[str, models.Model]
) -> NewRow:
    """An unsaved instance, with the keys of what it is `related` to.

    What the model makes of the same words, without its search for each of them.
    """
    row = model.__new__(model)
    row._state = ModelState()
    row._state.fields_cache.update(related)
    keys = {f"{name}_id": one.pk for name, one in related.items()}
    vars(row).update(_defaults(model), **values, **keys)
    for name, make in _made_defaults(model):
        if name not in values:
            vars(row)[name] = make()
    return row


@cache
def _defaults(model: type[models.Model]) -> dict[str, Any]:
    made = {name for name, _make in _made_defaults(model)}
    fields = [field for field in model._meta.concrete_fields if field.attname not in made]
    return {field.attname: field.get_default() for field in fields}


@cache
def _made_defaults(model: type[models.Model]) -> list[tuple[str, Callable[[], Any]]]:
    """The defaults that are made anew for each row: moments and objects of JSON."""
    fields = [field for field in model._meta.concrete_fields if field.has_default()]
    return [(field.attname, field.default) for field in fields if callable(field.default)]


def stored_row(model: type[NewRow], names: Sequence[str], values: Sequence[Any]) -> NewRow:
    """What `from_db` makes, past its signals and setters: no model here has any of its own."""
    row = model.__new__(model)
    row._state = ModelState()
    row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS
    vars(row).update(zip(names, values, strict=False))
    return row


def insert_row(row: models.Model) -> None:
    """Insert a row that has no key yet, and give it the one it gets."""
    here = this_connection()
    statement, names = _insertion(type(row))
    row.pk = insert_returning(here, statement, adapted(here, list(names(row))))
    row._state.adding, row._state.db = False, here.alias


@cache
def _insertion(model: type[models.Model]) -> tuple[str, Callable[[models.Model], tuple[Any, ...]]]:
    """The statement that inserts a row of a model, and what takes the values from an instance."""
    quote = connection.ops.quote_name
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    columns, values = [str(field.column) for field in fields], [field.attname for field in fields]
    names, marks = ", ".join(map(quote, columns)), ", ".join(["%s"] * len(columns))
    statement = f"INSERT INTO {quote(model._meta.db_table)} ({names}) VALUES ({marks})"  # noqa: S608
    if connection.vendor != "sqlite":
        statement = f"{statement} RETURNING {quote(str(model._meta.pk.column))}"
    return statement, attrgetter(*values)


@dataclass(frozen=True)
class Answer(Generic[Row]):
    """What a database answered: as it came, by which answers are compared, and as rows."""

    raw: Sequence[Sequence[Any]]
    convert: Callable[[Sequence[Sequence[Any]]], list[Row]]

    @cached_property
    def rows(self) -> list[Row]:
        """The rows as the query gives them."""
        return self.convert(self.raw)


class _Read:
    """A query that was made: its statement, and how rows become values or instances."""

    def __init__(self, rows: models.QuerySet[Any, Any], read: Ask) -> None:
        self.read = read
        compiler = rows.query.get_compiler(connection=connection)
        sql, params = compiler.as_sql()
        self.statement = _Statement(sql, params)
        self.converters = compiler.get_converters([column[0] for column in compiler.select])
        self.model: type[models.Model] | None = None
        if issubclass(rows._iterable_class, ModelIterable):
            self.model = compiler.klass_info["model"]
            own = compiler.klass_info["select_fields"]
            self.names = [compiler.select[place][0].target.attname for place in own]
            self.annotations = [*compiler.annotation_col_map.items()]
            self.related = get_related_populators(  # type: ignore[call-arg]
                compiler.klass_info, compiler.select, connection.alias
            )

    def rows(self, values: Mapping[str, Any]) -> list[Any]:
        here = this_connection()
        return self.converted(self.ask(values, here), here)

    def ask(self, values: Mapping[str, Any], here: BaseDatabaseWrapper) -> list[Any]:
        """The rows as the database gives them."""
        return self.read(here, self.statement.sql, self.statement.values(values, here))

    def converted(self, raw: Sequence[Any], here: BaseDatabaseWrapper) -> list[Any]:
        """The rows as values, or as instances of the model."""
        rows = [self._convert(row, here) for row in raw] if self.converters else list(raw)
        return rows if self.model is None else [self._instance(self.model, row) for row in rows]

    def _convert(self, row: Sequence[Any], here: BaseDatabaseWrapper) -> Sequence[Any]:
        values = list(row)
        for place, (converters, expression) in self.converters.items():
            for convert in converters:
                values[place] = convert(values[place], expression, here)
        return tuple(values)

    def _instance(self, model: type[models.Model], row: Sequence[Any]) -> models.Model:
        instance = stored_row(model, self.names, row)
        for populator in self.related:
            populator.populate(row, instance)
        vars(instance).update((name, row[place]) for name, place in self.annotations)
        return instance


def _sizes(values: Mapping[str, Any]) -> Sizes:
    return tuple(
        [
            (name, _rounded(len(value)) if isinstance(value, list) else None)
            for name, value in values.items()
        ]
    )


def _rounded(count: int) -> int:
    """The next power of two."""
    return 1 << (count - 1).bit_length() if count else 0


def _places(sizes: Sizes) -> dict[str, Any]:
    return {
        name: Placeholder(name)
        if size is None
        else [Placeholder(name, index) for index in range(size)]
        for name, size in sizes
    }
