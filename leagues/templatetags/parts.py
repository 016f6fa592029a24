"""Parts of pages: templates that run once for each shape of what they show.

Django takes longer to run the template of a row than a page has for all fifty. So a part is
written once with gaps where its texts belong, and each row fills them. What the template decides
depends on the shape of its values alone: which texts are empty, which flags are set, how many
entries a list has. It neither filters nor compares texts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import cache, lru_cache
from html import escape
from itertools import count
from operator import attrgetter
from typing import Any, TypeAlias

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

MAX_SHAPES = 1000
MAX_ROWS = 1000
"""Of 4 kB each, with the values that they are found by: 20 pages."""
GAP = re.compile("\ue000([0-9]+)\ue001")
"""The place of a text; characters for private use stand in no template."""
APART = "\ue002"

Shape: TypeAlias = Any
"""A value without its texts: `str` for a text, a flag or markup as it is, else kind and parts."""

register = template.Library()


@register.simple_tag
def render_part(name: str, **values: Any) -> SafeString:
    """A template of these values, which is all that it sees."""
    texts: list[str] = []
    shape = _take_texts(values, texts)
    return _part(name, get_language(), shape).fill(texts)


@register.simple_tag
def render_rows(name: str, rows: Iterable[Any], **values: Any) -> SafeString:
    """A template for each row, one behind the other; it sees its `row` and the values.

    Rows and values are tuples and data classes of texts and flags, without markup. One that was
    written before with the same values is not written again: a result moves few rows of a page.
    """
    return _join(_kept_row, name, rows, values)


@register.simple_tag
def render_dots(name: str, rows: Iterable[Any], **values: Any) -> SafeString:
    """The same for a drawing, whose hundreds of dots would push the rows of pages out."""
    return _join(_row, name, rows, values)


def _join(
    write: Callable[..., str], name: str, rows: Iterable[Any], values: dict[str, Any]
) -> SafeString:
    language, shared = get_language(), tuple(values.items())
    written = [write(name, language, shared, row) for row in rows]
    return mark_safe("".join(written))  # noqa: S308 - templates wrote it


def _row(name: str, language: str | None, shared: tuple[tuple[str, Any], ...], row: Any) -> str:
    texts: list[str] = []
    shape = _take_texts({**dict(shared), "row": row}, texts)
    return _part(name, language, shape).fill(texts)


@lru_cache(MAX_ROWS)
def _kept_row(
    name: str, language: str | None, shared: tuple[tuple[str, Any], ...], row: Any
) -> str:
    if _has_markup(_take_texts((shared, row), [])):
        # Markup equals the text that it is of, which has to be escaped.
        raise TypeError("Rows that are kept show texts and flags, and no markup.")
    return _row(name, language, shared, row)


def _has_markup(shape: Shape) -> bool:
    if isinstance(shape, tuple):
        return any(map(_has_markup, shape))
    return isinstance(shape, SafeString)


@dataclass(frozen=True, slots=True)
class _Part:
    """What a template wrote: `between` the gaps, and the numbers of the texts that fill them."""

    between: tuple[str, ...]
    gaps: tuple[int, ...]

    def fill(self, texts: list[str]) -> SafeString:
        # All at once: to escape a short text takes as long as to escape a row.
        escaped = escape(APART.join(texts)).split(APART)
        if len(escaped) != len(texts):
            escaped = [escape(text) for text in texts]
        words = [""] * (len(self.between) + len(self.gaps))
        words[::2] = self.between
        words[1::2] = [escaped[number] for number in self.gaps]
        return mark_safe("".join(words))  # noqa: S308 - a template wrote it, texts are escaped


@lru_cache(MAX_SHAPES)
def _part(name: str, language: str | None, shape: Shape) -> _Part:  # noqa: ARG001 - of its words
    written = render_to_string(name, _with_gaps(shape, count()))
    words = GAP.split(written)
    return _Part(tuple(words[::2]), tuple(int(number) for number in words[1::2]))


def _take_texts(value: Any, texts: list[str]) -> Shape:
    """The shape of a value, whose texts are put behind the others."""
    kind: Any = type(value)
    if kind is str:
        if not value:
            return value
        texts.append(value)
        return str
    if value is None or kind is bool or kind is SafeString:
        return value
    if kind is dict:
        return dict, tuple(value), *_take_all(value.values(), texts)
    entries = value if isinstance(value, tuple) else _reader(kind)(value)
    return kind, *_take_all(entries, texts)


def _take_all(entries: Iterable[Any], texts: list[str]) -> Iterator[Shape]:
    # Most are texts; to call a function for each takes a twentieth of the time of a page.
    for each in entries:
        if each and type(each) is str:
            texts.append(each)
            yield str
        else:
            yield _take_texts(each, texts)


def _with_gaps(shape: Shape, numbers: Iterator[int]) -> Any:
    """A value of a shape that has gaps for its texts."""
    if shape is str:
        return f"\ue000{next(numbers)}\ue001"
    if not isinstance(shape, tuple):
        return shape
    kind, *parts = shape
    if kind is dict:
        names, *parts = parts
        return {name: _with_gaps(part, numbers) for name, part in zip(names, parts, strict=True)}
    entries = [_with_gaps(part, numbers) for part in parts]
    return tuple(entries) if kind is tuple else kind(*entries)


@cache
def _reader(kind: type) -> Callable[[Any], tuple[Any, ...]]:
    """What reads all fields of a data class."""
    if not is_dataclass(kind):
        raise TypeError(f"A part shows texts and flags, and no {kind.__name__}.")
    names = [field.name for field in fields(kind)]
    if len(names) == 1:
        return lambda value: (getattr(value, names[0]),)
    return attrgetter(*names)
