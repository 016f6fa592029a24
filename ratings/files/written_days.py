"""Lines that say the day of the matches below them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Final

from ratings.files.dates import read_day
from ratings.files.emoji import without_emoji
from ratings.files.names import fold_kind
from ratings.files.problems import CellProblem, LineProblem, shown
from ratings.files.written_chatter import without_announcement
from ratings.files.written_day_words import (
    BESIDE_DAYS,
    DAYS_AGO,
    HERE,
    MONTH_OF,
    OCCASIONS,
    WEEKDAY_OF,
)
from ratings.files.written_endings import ENDINGS, plain
from ratings.files.written_words import KnowsName, has_verb

DAY_LINE: Final = "day"
"""The code of a date that cannot be read and stands above other lines."""
EXAMPLE: Final = "write a line such as @2026-11-12 or @12.11. above the matches of that day"
DAY: Final = re.compile(r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}\.\d{1,2}\.(?:\d{4}|\d{2})?", re.ASCII)
SLASHED_DAY: Final = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4}|\d{2})", re.ASCII)
_SLASHED: Final = re.compile(r"(\d{1,2})/(\d{1,2})", re.ASCII)
_DAY_AND_MONTH: Final = re.compile(r"(\d{1,2})\.(\d{1,2})\.?", re.ASCII)
_WEEKDAY: Final = re.compile(r"^[^\W\d_]{2,13}(?:\.,?|,)? (?=\d)")
"""A word before a date, such as a day of the week."""
_IN_FRONT: Final = re.compile(
    rf"(?:([^\W\d_]{{2,13}})[.,]{{0,2}} )?({DAY.pattern}|{SLASHED_DAY.pattern})"
    r"(?:[,:]? (?:(?:um|at|om|kl\.?) (?=\d))?(?=\S)|T(?=\d{1,2}:))"
)
_MONTH_IN_FRONT: Final = re.compile(
    r"((?:[^\W\d_]{2,13}[.,]{0,2} )?(?:\d{1,2}[^\W\d_]{0,2}\.? [^\W\d_]{3,10}"
    r"|[^\W\d_]{3,10} \d{1,2}[^\W\d_]{0,2})[.,]{0,2} \d{4})[,:]? (?=\S)"
)
_SAYS_DAY = re.compile(r"\d|[^\W\d_]+$")
"""What is a day behind an @: what begins with a digit, or a word alone, such as yesterday."""
_YEAR: Final = re.compile(r"\d{4}|[./]\d{1,2}[./]\d{2}$", re.ASCII)
_DAY_OF_MONTH: Final = re.compile(r"(\d{1,2})(?:st|nd|rd|th|er)?", re.ASCII)
_LEAP_YEARS_APART: Final = 8
_MONTHS: Final = 12
_FEW_DAYS: Final = 31
_MONTHS_AGO: Final = 300
_RECENT_DAYS: Final = 60
"""Days within which a date without a year is one, wherever else it might be a number."""
_MOST_OF_OCCASION: Final = 4
_OCCASION: Final = re.compile(r"[^\W\d_]+(?:\.?[ .'\u2019-][^\W\d_]+)*\.?(?:[,:]| [-\u2013])?")
"""Words that name an evening, perhaps with a mark before its day."""
_HAS_DIGIT: Final = re.compile(r"\d")
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_SHORT: Final = 3
"""Letters of the names of weekdays that could be something else."""


def read_day_line(line: str, today: date | None, knows: KnowsName | None = None) -> date | None:
    """The day that a line says for those below it; None of other lines.

    Emoji around it and the occasion before it say nothing of the day. Raises LineProblem.
    """
    return _read_day(_without_occasion(without_emoji(line) or line, knows), today)


def _read_day(line: str, today: date | None) -> date | None:
    whole = line.removesuffix(":").removeprefix("@").strip()
    is_marked = line[0] == "@"
    text = without_announcement(whole)
    plain = _WEEKDAY.sub("", text)
    is_day = bool(
        _SAYS_DAY.match(plain)
        if is_marked
        else DAY.fullmatch(plain) or SLASHED_DAY.fullmatch(plain) or _SLASHED.fullmatch(plain)
    )
    # “Friday” may be a player; “Friday:” heads the lines below.
    is_day = is_day or (line[-1] == ":" and len(plain) > _SHORT and _weekday(plain) is not None)
    # Alone, “hier” may be German, and no day.
    is_day = is_day or (_days_ago(plain) is not None and (text != whole or plain.lower() != HERE))
    try:
        found = _said_by(text, plain if is_day else None, today, is_marked)
        if found is not None:
            _refuse_other_weekday(text, found)
        if found and today and _weekday(text.split(" ", maxsplit=1)[0]) is None:
            soon = _said_by(text, plain if is_day else None, _soon(today), is_marked)
            _refuse_last_year(found, soon)
        return found
    except LineProblem as problem:
        raise LineProblem(DAY_LINE, problem.reason) from None


def _without_occasion(line: str, knows: KnowsName | None) -> str:
    """A line without the occasion of a day, as in “Vereinsabend am Dienstag, 24.11.”.

    A weekday or a small word leads to the date. Without a colon before or behind the date, words
    are an occasion only with a word for one: “Ana Bo am 12.11.” is rather a match.
    """
    words = line.split(" ")
    if not _HAS_DIGIT.search(line):
        return line
    for at in range(1, min(_MOST_OF_OCCASION, len(words) - 1) + 1):
        occasion, rest = words[:at], words[at:]
        is_led = fold_kind(rest[0]) in BESIDE_DAYS
        rest = rest[is_led:]
        if not rest or not (is_led or _weekday(rest[0]) is not None):
            continue
        has_colon = ":" in (occasion[-1][-1:], line[-1])
        if (has_colon or _names_occasion(occasion)) and not _may_be_match(occasion, knows):
            return " ".join(rest)
    return line


def _names_occasion(words: Sequence[str]) -> bool:
    """Whether words name an evening, with at most one other: two may be the players of a match."""
    named = [any(fold_kind(part) in OCCASIONS for part in _LETTERS.findall(word)) for word in words]
    return any(named) and named.count(False) <= 1


def _may_be_match(words: Sequence[str], knows: KnowsName | None) -> bool:
    """Whether words before a date say a result, or have a player or a mark between sides."""
    if not _OCCASION.fullmatch(" ".join(words)) or has_verb(words):
        return True
    is_ending = any(plain(word) in ENDINGS for word in words)
    is_named = knows is not None and any(
        knows(" ".join(words[first:last]).strip(",:"))
        for first in range(len(words))
        for last in range(first + 1, len(words) + 1)
    )
    return is_ending or is_named


def day_in_front(line: str, today: date | None) -> tuple[date | None, str]:
    """The day that a line says before its match, perhaps behind a day of the week, and the rest.

    Without a year it is one of the last weeks: “1.2.” may be the second match of a first round.
    Raises LineProblem.
    """
    found = _IN_FRONT.match(line)
    if found is None or (found[1] and _weekday(found[1]) is None):
        return None, line
    try:
        day = said_day(found[2], today)
        _refuse_other_weekday(line, day)
        if today is not None and found[1] is None:
            _refuse_last_year(day, said_day(found[2], _soon(today)))
    except LineProblem as problem:
        raise LineProblem(DAY_LINE, problem.reason) from None
    if found[2].endswith("."):
        _refuse_long_ago(found[2], day, today)
    return day, line[found.end() :]


def day_with_month_in_front(line: str) -> tuple[date | None, str]:
    """The same of a day with the name of its month and its year: “24 Nov 2026 Ana - Bo 3-1”."""
    found = _MONTH_IN_FRONT.match(line)
    try:
        day = None if found is None else _with_month_name(found[1], None, is_marked=False)
    except LineProblem:
        day = None
    return (None, line) if found is None or day is None else (day, line[found.end() :])


def recent_day(text: str, today: date | None) -> date | None:
    """The day of a text such as “Friday”, “am 27.11.” or “27. November”; None of other texts.

    Raises LineProblem.
    """
    words = text.rstrip(",:").split(" ")
    if len(words) > 1 and fold_kind(words[0]) in BESIDE_DAYS:
        del words[0]
    if today is None:
        return None
    day = _read_day(" ".join(words) + ":", today)
    if day is not None and not _YEAR.search(text):
        _refuse_long_ago(text, day, today)
    return day


def _refuse_long_ago(text: str, day: date, today: date | None) -> None:
    """Raise LineProblem for a day without a year that may be something else, as it is long ago."""
    if today is not None and today - day > timedelta(_RECENT_DAYS):
        reason = f"Write {day.isoformat()} if “{text}” is that day; if it is not, leave it out."
        raise LineProblem(DAY_LINE, reason)


def _said_by(text: str, day: str | None, today: date | None, is_marked: bool) -> date | None:
    found = _with_month_name(text, today, is_marked)
    return said_day(day, today) if found is None and day is not None else found


def _soon(today: date) -> date:
    return min(today, date.max - timedelta(_FEW_DAYS)) + timedelta(_FEW_DAYS)


def _refuse_last_year(day: date, soon: date | None) -> None:
    """Raise LineProblem for a day of last year that is rather one a few days from now.

    `soon` is the day that the line will say in a few days: without a year, another one.
    """
    if soon is not None and soon - day > timedelta(_MONTHS_AGO):
        raise LineProblem(
            "date",
            f"{soon.isoformat()} is still to come; write the year, like @{day.isoformat()}, if the "
            "last one is meant.",
        )


def _weekday(text: str) -> int | None:
    return WEEKDAY_OF.get(fold_kind(text.strip(".,")))


def _refuse_other_weekday(text: str, day: date) -> None:
    """Raise LineProblem where a weekday and the date behind it are not of one day."""
    word = text.split(" ", maxsplit=1)[0]
    if _weekday(word) not in (None, day.weekday()):
        raise LineProblem(
            "date", f"{day.isoformat()} is no “{shown(word.strip('.,'))}”; correct one of the two."
        )


def _days_ago(text: str) -> int | None:
    return DAYS_AGO.get(fold_kind(text.replace("\u2019", "'")))


def _with_month_name(text: str, today: date | None, is_marked: bool) -> date | None:
    """The day of a text such as “Thursday, 26 November 2026” or “26. November”, if it is one.

    With the month first a weekday or a year has to stand beside it: “April 3” may be a player.
    """
    words = [fold_kind(word.strip(".,")) for word in text.split()]
    has_weekday = bool(words) and words[0] in WEEKDAY_OF
    words = [word for word in words[has_weekday:] if word not in BESIDE_DAYS]
    if len(words) not in (2, 3):
        return None
    one, two, *years = words
    if one in MONTH_OF and (has_weekday or is_marked or years):
        one, two = two, one
    day, month = _DAY_OF_MONTH.fullmatch(one), MONTH_OF.get(two)
    if day is None or month is None:
        return None
    if not years:
        return _newest(text, int(day[1]), month, today)
    if len(years[0]) != 4 or not years[0].isdecimal():
        return None
    try:
        return date(int(years[0]), month, int(day[1]))
    except ValueError:
        raise _no_date(text) from None


def _no_date(text: str) -> LineProblem:
    return LineProblem("date", f"“{shown(text, 30)}” is not a date; {EXAMPLE}.")


def said_day(text: str, today: date | None) -> date:
    """The day that a text says. Raises LineProblem."""
    if (days := _days_ago(text)) is not None and today is not None:
        return today - timedelta(days)
    if (weekday := _weekday(text)) is not None and today is not None:
        return today - timedelta((today.weekday() - weekday) % 7)
    if found := _SLASHED.fullmatch(text):
        return _newest(text, *_day_and_month(int(found[1]), int(found[2])), today)
    if found := _DAY_AND_MONTH.fullmatch(text):
        return _newest(text, int(found[1]), int(found[2]), today)
    is_month_first = False
    if found := SLASHED_DAY.fullmatch(text):
        first, second = int(found[1]), int(found[2])
        is_month_first = first < second
        is_clear = first == second or max(first, second) > _MONTHS
        is_clear = is_clear and not (len(found[3]) == 2 and _may_begin_with_year(found, today))
    else:
        is_clear = "/" not in text or text[:4].isdigit()
    if not is_clear:
        raise _unclear_order()
    try:
        return read_day(text, "mdy" if is_month_first else "dmy")
    except CellProblem:
        raise _no_date(text) from None


def _day_and_month(one: int, two: int) -> tuple[int, int]:
    """Two numbers of a date, of which at most one can be a month."""
    if one != two and max(one, two) <= _MONTHS:
        raise _unclear_order()
    return (one, two) if two <= _MONTHS else (two, one)


def _unclear_order() -> LineProblem:
    return LineProblem("date", f"The order of day and month is not clear; {EXAMPLE}.")


def _may_begin_with_year(found: re.Match[str], today: date | None) -> bool:
    """Whether numbers such as 26/10/25 may be another day of this year or the last, year first."""
    year, month, day = (int(number) for number in found.groups())
    if today is None:
        return True
    if today.year - (2000 + year) not in (0, 1) or year == day:
        return False
    try:
        return date(2000 + year, month, day) <= today
    except ValueError:
        return False


def _newest(text: str, day: int, month: int, today: date | None) -> date:
    """The newest day of this month and number that is not after today."""
    if today is None:
        raise LineProblem("date", "The date has no year; write it like @2026-11-12.")
    for year in range(today.year, today.year - _LEAP_YEARS_APART - 1, -1):
        try:
            found = date(year, month, day)
        except ValueError:
            continue
        if found <= today:
            return found
    raise _no_date(text)
