"""The rows of a file that cannot be read, as its page lists them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import wording
from ratings.files.columns import Layout
from ratings.files.dates import NO_DATE

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
class BadKind:
    """Many rows with the same problem in the same column, said once."""

    title: str
    reason: str
    values: str
    lines: str
    advice: str


@dataclass(frozen=True, slots=True)
class BadRows:
    """Rows that are no matches: kinds of many, those shown at once, those behind, how many more."""

    title: str
    kinds: tuple[BadKind, ...]
    rows: tuple[BadRow, ...]
    other_rows: tuple[BadRow, ...]
    other_title: str
    more: str
    hints: tuple[str, ...]
    """What can be done about the problems of the rows that are listed, each said once."""


def and_more(count: int) -> str:
    return _("and %(count)s more") % {"count": wording.count(count)} if count > 0 else ""


def bad_rows(
    errors: Sequence[Mapping[str, Any]],
    count: int,
    layout: Layout | None,
    title: str,
    kinds: Sequence[Mapping[str, Any]] = (),
) -> BadRows | None:
    """The first hundred of the bad rows; `count` is how many there are.

    Those of the kinds are said once each and not listed.
    """
    if not count:
        return None
    said = {(kind["column"], kind["reason"]) for kind in kinds}
    errors = [error for error in errors if (error["column"], error["reason"]) not in said]
    count -= sum(kind["count"] for kind in kinds)
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
        kinds=tuple(_kind(kind) for kind in kinds),
        rows=rows[:at_once],
        other_rows=rows[at_once:],
        other_title=ngettext("%(count)s more row", "%(count)s more rows", other_count)
        % {"count": wording.count(other_count)},
        # Of a log nothing is listed, and the title has said how many there are.
        hints=tuple(
            dict.fromkeys(filter(None, (_hint(error) for error in errors[:MOST_BAD_ROWS])))
        ),
        more=and_more(count - len(rows)) if rows else "",
    )


def _kind(kind: Mapping[str, Any]) -> BadKind:
    count = kind["count"]
    return BadKind(
        title=ngettext(
            "Column “%(column)s”, %(count)s row", "Column “%(column)s”, %(count)s rows", count
        )
        % {"column": kind["column"], "count": wording.count(count)},
        reason=kind["reason"],
        values=", ".join(kind["values"]) or _("empty"),
        lines=", ".join(wording.count(line) for line in kind["lines"])
        + (" …" if count > len(kind["lines"]) else ""),
        advice=_advice(kind),
    )


def _hint(problem: Mapping[str, Any]) -> str:
    """What can be done about a problem that a name has, or nothing."""
    match problem.get("code"):
        case "player_twice":
            return _(
                "If two players share this name, tell them apart: by an initial behind one of the "
                "names, or by a column with ids of the players. If one player played alone, leave "
                "the second cell empty."
            )
        case "score_negative":
            return _(
                "If this game has minus points, an organizer can allow them: tick “Scores can be "
                "negative” in the settings of the league, then check again here."
            )
        case _:
            return ""


def _advice(kind: Mapping[str, Any]) -> str:
    if hint := _hint(kind):
        return hint
    if kind["reason"] == NO_DATE:
        return _("Choose the day of results without a date above, or skip these rows.")
    if kind["is_asked"]:
        return _("Answer the questions above and check again, or skip these rows.")
    return _(
        "If the column means something else, choose its meaning above and check again. Otherwise "
        "correct the file or skip these rows."
    )
