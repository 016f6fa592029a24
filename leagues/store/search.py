"""Finding rows by any of several conditions, and names by their plain letters.

Plain letters are those without accents, however they were typed. The same on SQLite, which asks
Python, and on PostgreSQL, which has the means itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import (
    Aggregate,
    BooleanField,
    CharField,
    Model,
    Q,
    QuerySet,
    TextField,
    Transform,
)
from numpy.typing import NDArray

from ratings.files.names import fold_name, normalized

Row = TypeVar("Row", bound=Model)

_WITHOUT_PARTS = {"ø": "o", "ł": "l", "đ": "d", "ı": "i"}
"""Letters that are not a letter with a mark to Unicode, though people type them so."""
_OF_TWO = {"æ": "ae", "œ": "oe"}
_PARTS = str.maketrans(_WITHOUT_PARTS | _OF_TWO)
_MARKS = "[\u0300-\u036f]"
_MARK = re.compile(_MARKS)
_UMLAUT = re.compile("([aou])e")
"""One that is spelled out: Boehm is Böhm, who is bohm without accents."""


def plain_name(text: str) -> str:
    """A name as `fold_name` does, without accents: Novák and novak are the same."""
    folded = fold_name(text)
    if folded.isascii():
        return folded
    bare = _MARK.sub("", normalized("NFKD", folded.translate(_PARTS)))
    # Marks of other scripts are letters of their own: they go back to where they were.
    return normalized("NFC", bare)


def any_of(rows: QuerySet[Row], condition: Q, *others: Q) -> QuerySet[Row]:
    """The rows that meet any of the conditions, a row once for each that it meets.

    Each is looked up by an index of its own: for an OR beside another condition SQLite takes the
    index of that one, if it has any.
    """
    first, *more = (rows.order_by().filter(one) for one in (condition, *others))
    return first.union(*more, all=True) if more else first


def named_like(query: str, name: str = "folded") -> Q:
    """The condition that a folded name has the letters of each word in it, accents left out.

    In any order, as many say a surname first. Plain names, which most are, are compared as they
    stand; in others umlauts are found spelled out, too.
    """
    return Q(*(_has_letters(word, name) for word in _words_of(query)))


def _has_letters(word: str, name: str) -> Q:
    plain = Q(*((f"{name}__plain__contains", way) for way in _ways_of(word)), _connector=Q.OR)
    return Q((f"{name}__contains", word)) | Q((f"{name}__is_plain", False)) & plain


def finder(query: str) -> Callable[[str], bool]:
    """The same as `named_like` of names that have been read."""
    words = [(word, _ways_of(word)) for word in _words_of(query)]

    def finds(name: str) -> bool:
        plain = plain_name(name)
        if fold_name(name).isascii():
            return all(word in plain for word, _ways in words)
        return all(any(way in plain for way in ways) for _word, ways in words)

    return finds


def _words_of(query: str) -> list[str]:
    return list(dict.fromkeys(plain_name(query).split() or [""]))


def _ways_of(word: str) -> set[str]:
    """How a word may stand in a name with accents, which are left out there."""
    return {word, _UMLAUT.sub(r"\1", word)}


class Listed(Aggregate):
    """The whole numbers of a column in a group as one text, which `listed_numbers` reads.

    One long text takes a third of the time of as many rows.
    """

    output_field = TextField()

    def as_sqlite(self, compiler: Any, connection: Any, **words: Any) -> Any:
        """Put commas between them."""
        return super().as_sql(compiler, connection, function="group_concat", **words)

    def as_postgresql(self, compiler: Any, connection: Any, **words: Any) -> Any:
        """Put commas between them."""
        template = "string_agg((%(expressions)s)::text, ',')"
        return super().as_sql(compiler, connection, template=template, **words)


def listed_numbers(text: str) -> NDArray[np.int64]:
    """The numbers that `Listed` has put into a text."""
    return np.fromstring(text, np.int64, sep=",")


@CharField.register_lookup
class Plain(Transform):
    """A folded name without its accents."""

    lookup_name = "plain"
    function = "plain_name"

    def as_postgresql(self, compiler: Any, connection: Any, **words: Any) -> Any:
        """Do the same with what the server knows of Unicode."""
        inner = "%(expressions)s"
        for letter, letters in _OF_TWO.items():
            inner = f"replace({inner}, '{letter}', '{letters}')"
        one, other = "".join(_WITHOUT_PARTS), "".join(_WITHOUT_PARTS.values())
        apart = f"normalize(translate({inner}, '{one}', '{other}'), NFKD)"
        template = f"normalize(regexp_replace({apart}, '{_MARKS}', '', 'g'), NFC)"
        return super().as_sql(compiler, connection, template=template, **words)


@CharField.register_lookup
class IsPlain(Transform):
    """Whether a text has letters of ASCII only: then it has as many bytes."""

    lookup_name = "is_plain"
    output_field = BooleanField()

    def as_sqlite(self, compiler: Any, connection: Any, **words: Any) -> Any:
        """Count the bytes of its blob."""
        template = "(length(CAST(%(expressions)s AS BLOB)) = length(%(expressions)s))"
        return super().as_sql(compiler, connection, template=template, **words)

    def as_postgresql(self, compiler: Any, connection: Any, **words: Any) -> Any:
        """Count its bytes."""
        template = "(octet_length(%(expressions)s) = char_length(%(expressions)s))"
        return super().as_sql(compiler, connection, template=template, **words)


def add_functions(connection: BaseDatabaseWrapper, **_words: Any) -> None:
    """Teach a new connection to SQLite what it lacks."""
    if connection.vendor == "sqlite":
        connection.connection.create_function("plain_name", 1, plain_name, deterministic=True)
