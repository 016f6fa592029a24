"""The rows of a file that cannot be read, as its page lists them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import wording
from ratings.files.columns import Layout

MOST_BAD_ROWS = 100


FEW_BAD_ROWS = 12


@dataclass(frozen=True, slots=True)
class BadRow:
    line: str
    column: str
    value: str
    about: str
    reason: str


@dataclass(frozen=True, slots=True)
class BadRows:
    """Rows that are no matches: those shown at once, those behind them, and how many more."""

    title: str
    rows: tuple[BadRow, ...]
    other_rows: tuple[BadRow, ...]
    other_title: str
    more: str


def and_more(count: int) -> str:
    return _("and %(count)s more") % {"count": wording.count(count)} if count > 0 else ""


def bad_rows(
    errors: Sequence[Mapping[str, Any]], count: int, layout: Layout | None, title: str
) -> BadRows | None:
    """The first hundred of the bad rows; `count` is how many there are."""
    if not count:
        return None
    headers = {column.header for column in layout.columns} if layout else set()
    rows = tuple(
        BadRow(
            line=wording.count(error["line"]) if error["line"] else "",
            column=error["column"] if error["column"] in headers else "",
            value=error["value"],
            about=error.get("about", ""),
            reason=error["reason"],
        )
        for error in errors[:MOST_BAD_ROWS]
    )
    at_once = len(rows) if len(rows) < 2 * FEW_BAD_ROWS else FEW_BAD_ROWS
    other_count = len(rows) - at_once
    return BadRows(
        title=title,
        rows=rows[:at_once],
        other_rows=rows[at_once:],
        other_title=ngettext("%(count)s more row", "%(count)s more rows", other_count)
        % {"count": wording.count(other_count)},
        more=and_more(count - len(rows)),
    )
