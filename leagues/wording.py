"""Numbers and dates as people read them: the one place that writes them.

Nothing here asks the clock or the database; the caller says what today is.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

from django.utils import formats
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

MINUS = "\N{MINUS SIGN}"
DASH = "\N{EN DASH}"
NARROW_SPACE = "\N{NARROW NO-BREAK SPACE}"
SPACE = "\N{NO-BREAK SPACE}"
NOTHING = DASH
ISOLATE, END_OF_ISOLATE = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
_FROM_RIGHT = frozenset(("R", "AL", "AN"))
"""The directions of letters and figures that are written from the right to the left."""
MOST_DAYS_AGO = 60
MOST_SECONDS_LEFT = 90
"""Longer times are said in minutes."""


def number(value: float, decimals: int = 0) -> str:
    """A rating or score; thousands are not set apart."""
    text = f"{value:.{decimals}f}"
    if text.startswith("-"):
        return MINUS + text[1:] if text.strip("-0.") else text[1:]
    return text


def exact(value: float) -> str:
    """A rating that somebody gave, with all of its digits."""
    return f"{value:.10g}".replace("-", MINUS)


def count(value: int) -> str:
    """A number of things, thousands set apart."""
    return f"{value:,}".replace(",", NARROW_SPACE)


def round_number(value: float, decimals: int = 0) -> float:
    """The number that `number` shows."""
    return float(f"{value:.{decimals}f}")


def with_sign(value: float, decimals: int = 0) -> str:
    """A change with its sign; no change is 0 without one."""
    text = number(value, decimals)
    return text if text.startswith(MINUS) or not text.strip("0.") else f"+{text}"


def change(before: float, after: float, decimals: int = 0) -> str:
    """The difference of the two numbers as they are shown, so that columns add up."""
    return with_sign(round_number(after, decimals) - round_number(before, decimals), decimals)


def plus_minus(half: float | None, decimals: int = 0) -> str:
    """Half of a range, or nothing where a system has none."""
    return "" if half is None else f"±{SPACE}{number(half, decimals)}"


def percent(share: float) -> str:
    """A share in [0, 1] for tables and bars."""
    return f"{of_hundred(share)}{NARROW_SPACE}%"


def percents(shares: Sequence[float]) -> tuple[str, ...]:
    """Shares in [0, 1] that add up to one as percents that add up to 100.

    Each is cut, and what is missing goes to the largest remainders, of equal ones to the first.
    """
    whole = [int(100 * share) for share in shares]
    remainders = [100 * share - part for share, part in zip(shares, whole, strict=True)]
    order = sorted(range(len(whole)), key=lambda index: (-round(remainders[index], 9), index))
    for index in order[: max(0, 100 - sum(whole))]:
        whole[index] += 1
    return tuple(f"{part}{NARROW_SPACE}%" for part in whole)


def of_hundred(share: float) -> str:
    """A share in [0, 1] for sentences: so many of 100."""
    return number(100 * share)


def whole_of_hundred(part: int, whole: int) -> str:
    """A part as a number of 100, cut, so that nothing but all of them is 100."""
    return number(100 * part // whole)


def span(low: str, high: str) -> str:
    """A range with an en dash, or one number where both ends are it."""
    return low if low == high else f"{low}{DASH}{high}"


@lru_cache(maxsize=10_000)
def tally(*numbers: int) -> str:
    """Won, drawn, lost, or a score, joined by en dashes.

    Beside a negative score a dash would read as another minus: a colon stands there.
    """
    return joint(*numbers).join(number(value) for value in numbers)


def more_players(left_out: int) -> str:
    """How many players a list leaves out; empty where it has all."""
    words = ngettext("and %(count)s more player", "and %(count)s more players", left_out)
    return words % {"count": count(left_out)} if left_out else ""


def waiting_time(seconds: int) -> str:
    """After how long something can be tried again: seconds, or from a minute on whole minutes."""
    if seconds < 60:
        return ngettext("a second", "%(seconds)d seconds", seconds) % {"seconds": seconds}
    minutes = -(-seconds // 60)
    return ngettext("a minute", "%(minutes)d minutes", minutes) % {"minutes": minutes}


def time_left(seconds: float) -> str:
    """About how long some work will go on: in tens of seconds, or in minutes."""
    if seconds <= MOST_SECONDS_LEFT:
        tens = max(1, math.ceil(seconds / 10)) * 10
        return _("about %(seconds)d seconds left") % {"seconds": tens}
    minutes = math.ceil(seconds / 60)
    words = ngettext("about %(minutes)d minute left", "about %(minutes)d minutes left", minutes)
    return words % {"minutes": minutes}


def joint(*numbers: int) -> str:
    """The sign between the numbers of a tally."""
    return f"{SPACE}:{SPACE}" if any(value < 0 for value in numbers) else DASH


def ordinal(value: int) -> str:
    """A place: 1st in English, 1. in other languages."""
    if not (get_language() or "en").startswith("en"):
        return f"{value}."
    suffix = "th" if value % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(value % 10)
    return f"{value}{suffix or 'th'}"


def place(value: int, *, is_shared: bool) -> str:
    """A place with the sign of a shared one: 1st, 2nd=."""
    return f"{ordinal(value)}=" if is_shared else ordinal(value)


def day(on: date, today: date | None = None) -> str:
    """A date; the year is left out within the half year before `today`."""
    near = today is not None and 0 <= (today - on).days < 183
    return _written_day(on, "j M" if near else "j M Y", get_language())


@lru_cache(maxsize=4096)
def _written_day(on: date, shape: str, language: str | None) -> str:  # noqa: ARG001 - a key
    """A date in the language of now: a chart names the same days for many players."""
    return formats.date_format(on, shape)


def span_of_time(unit: str, first: date, today: date, *, is_short: bool = False) -> str:
    """A week by its first day, a month or a year by its name."""
    if unit == "week":
        return day(first, today)
    return formats.date_format(first, "Y" if unit == "year" else "M Y" if is_short else "F Y")


def moment(at: datetime, zone: ZoneInfo, today: date | None = None) -> str:
    """Date and time of day in a zone."""
    local = at.astimezone(zone)
    return f"{day(local.date(), today)}, {clock(local)}"


def clock(local: datetime) -> str:
    """The time of day of a local instant."""
    return formats.date_format(local, "H:i")


def long_moment(at: datetime, zone: ZoneInfo, *, date_only: bool) -> str:
    """Weekday, date and, where it is known, the time of day."""
    local = at.astimezone(zone)
    text = formats.date_format(local, "l j M Y")
    return text if date_only else f"{text}, {clock(local)}"


def moment_element(
    at: datetime, zone: ZoneInfo, today: date | None = None, *, is_long: bool = False
) -> SafeString:
    """Date and time of day such that a page's script can put them in its reader's zone."""
    local = at.astimezone(zone).isoformat(timespec="seconds")
    words = long_moment(at, zone, date_only=False) if is_long else moment(at, zone, today)
    return format_html('<time datetime="{}" data-moment>{}</time>', local, words)


def ago(on: date, today: date, language: str | None = None) -> str:
    """The time since a day, as a date from two months on; in the language of now, which a caller
    that asks for many may have asked for once.
    """
    return _ago(on, today, language or get_language())


@lru_cache(maxsize=1000)
def _ago(on: date, today: date, language: str | None) -> str:  # noqa: ARG001 - of the words
    days = (today - on).days
    if days == 0:
        return _("today")
    if days == 1:
        return _("yesterday")
    if 1 < days <= MOST_DAYS_AGO:
        return ngettext("%(days)d day ago", "%(days)d days ago", days) % {"days": days}
    return day(on, today)


def results(value: int) -> str:
    """A number of results."""
    return ngettext("%(count)s result", "%(count)s results", value) % {"count": count(value)}


def players(value: int) -> str:
    """A number of players."""
    return ngettext("%(count)s player", "%(count)s players", value) % {"count": count(value)}


@lru_cache(maxsize=10_000)
def isolated(name: str) -> str:
    """A name for a line or sentence, such that it turns round nothing beside it.

    One written from the right would take a score beside it along, and the other names.
    """
    if name.isascii() or ISOLATE in name:
        return name
    if _FROM_RIGHT.isdisjoint(map(unicodedata.bidirectional, name)):
        return name
    return f"{ISOLATE}{name}{END_OF_ISOLATE}"


def listing(items: Iterable[str]) -> str:
    """Join names for a sentence: a, b and c."""
    *first, last = map(isolated, items)
    return (
        _("%(first)s and %(last)s") % {"first": ", ".join(first), "last": last} if first else last
    )


def team(names: Sequence[str], most: int) -> str:
    """Join the names of a side; of more than `most` the first stands for all."""
    if len(names) <= most:
        return " + ".join(map(isolated, names))
    return f"{isolated(names[0])} + {_('%(count)d more') % {'count': len(names) - 1}}"


def small_number(value: int) -> str:
    """A number from two to nine as a word, any other in figures."""
    words = (
        *(_("two"), _("three"), _("four"), _("five")),
        *(_("six"), _("seven"), _("eight"), _("nine")),
    )
    return words[value - 2] if 2 <= value <= 9 else count(value)


def streak(value: int) -> str:
    """A run of equal results: positive won, negative lost."""
    if value > 0:
        return _("%(count)d won") % {"count": value}
    if value < 0:
        return _("%(count)d lost") % {"count": -value}
    return NOTHING


CERTAINTY = {"sure": "sure", "fairly_sure": "fairly", "unsure": "unsure"}
"""Class names of the marks of certainty, by level."""


def certainty(level: str) -> str:
    """The certainty of a rating, in the words that filters use too; no word where none fits."""
    words = {"sure": _("Certain"), "fairly_sure": _("Fairly certain"), "unsure": _("Uncertain")}
    return words.get(level, "")
