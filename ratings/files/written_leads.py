"""What stands before the names of a written match, or alone on a line: its day and time."""

from __future__ import annotations

import re
from datetime import date, time, timedelta
from typing import Final

from ratings.files.dates import read_clock, read_day
from ratings.files.problems import CellProblem, LineProblem, shown
from ratings.files.written_words import KnowsName, begins_with_name

DAY_LINE: Final = "day"
"""The code of a date that cannot be read and stands above other lines."""
EXAMPLE = "write a line such as @2026-11-12 or @12.11. above the matches of that day"

UNSEEN = "\ufeff\u200e\u200f"
_BULLET = re.compile(r"[-•·\u2013\u2014] |\* ?")
_NUMBER = re.compile(r"\d{1,3}[.)] ", re.ASCII)
_NUMBER_WITHIN = re.compile(r" \d{1,3}[.)] ", re.ASCII)
_DAY = re.compile(r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}\.\d{1,2}\.(?:\d{4}|\d{2})?", re.ASCII)
_DAY_AND_MONTH = re.compile(r"(\d{1,2})\.(\d{1,2})\.?", re.ASCII)
_SLASHED_DAY = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4}|\d{2})", re.ASCII)
_CHAT = re.compile(r"(\d[\d./-]{3,9}, \d{1,2}:\d{2}(?::\d{2})?) - ", re.ASCII)
"""The mark of a message without brackets: its date and time, before who wrote it."""
_WEEKDAY = re.compile(r"^[^\W\d_]{2,13}(?:\.,?|,)? (?=\d)")
"""A word before a date, such as a day of the week."""
_TIME = re.compile(r"\d{1,2}:\d{2}", re.ASCII)
_SAYS_DAY = re.compile(r"\d|[^\W\d_]+$")
"""What is a day behind an @: what begins with a digit, or a word alone, such as yesterday."""
_DAYS_AGO: Final = {"today": 0, "yesterday": 1}
_HALVES_OF_DAY = ("am", "pm", "a.m.", "p.m.")
_LEAP_YEARS_APART = 8
MONTHS: Final = 12


def read_day_line(line: str, today: date | None) -> date | None:
    """The day that a line says for those below it; None of other lines."""
    plain = _WEEKDAY.sub("", line.removesuffix(":").removeprefix("@").strip())
    is_day = _SAYS_DAY.match(plain) if line[0] == "@" else _DAY.fullmatch(plain)
    if not is_day:
        return None
    try:
        return _day(plain, today)
    except LineProblem as problem:
        raise LineProblem(DAY_LINE, problem.reason) from None


def _day(text: str, today: date | None) -> date:
    if (days := _DAYS_AGO.get(text.casefold())) is not None and today is not None:
        return today - timedelta(days)
    if found := _DAY_AND_MONTH.fullmatch(text):
        return _newest(text, int(found[1]), int(found[2]), today)
    is_month_first = False
    if found := _SLASHED_DAY.fullmatch(text):
        first, second = int(found[1]), int(found[2])
        is_month_first = first < second
        is_clear = first == second or max(first, second) > MONTHS
        is_clear = is_clear and not (len(found[3]) == 2 and _may_begin_with_year(found, today))
    else:
        is_clear = "/" not in text or text[:4].isdigit()
    if not is_clear:
        raise LineProblem("date", f"The order of day and month is not clear; {EXAMPLE}.")
    try:
        return read_day(text, "mdy" if is_month_first else "dmy")
    except CellProblem:
        raise LineProblem("date", f"“{shown(text, 30)}” is not a date; {EXAMPLE}.") from None


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
    raise LineProblem("date", f"“{shown(text, 30)}” is not a date; {EXAMPLE}.")


def without_lead(
    line: str, today: date | None, knows: KnowsName | None = None
) -> tuple[str, date | None, time | None]:
    """Take bullet, number, the mark of a chat and the time away from the front of a line."""
    line = _unnumbered(line, knows)
    day = clock = None
    chat = _CHAT.match(line)
    if chat is not None or line.startswith("["):
        stamp, _, line = (
            line[1:].partition("]") if chat is None else (chat[1], "", line[chat.end() :])
        )
        day, clock = _stamp(stamp, today)
        _author, colon, message = line.partition(": ")
        line = _unnumbered((message if colon else line).lstrip(UNSEEN + " "), knows)
    word, _, rest = line.partition(" ")
    if _TIME.fullmatch(word):
        clock = _clock(word)
        if rest.partition(" ")[0].casefold() in _HALVES_OF_DAY:
            raise LineProblem("time", "Write the time with 24 hours, like 19:40.")
        line = _without_bullet(rest)
    return line, day, clock


def _unnumbered(line: str, knows: KnowsName | None) -> str:
    """Take a bullet or a number away.

    It stays where it begins a known name, and a number where other names of the line have one.
    """
    if begins_with_name(line.split(" "), knows):
        return line
    line = _without_bullet(line)
    found = _NUMBER.match(line)
    return line if found is None or _NUMBER_WITHIN.search(line) else line[found.end() :]


def _without_bullet(line: str) -> str:
    """Take a bullet away; a star at a name is none where another follows, as in “*Ana - *Bo”."""
    found = _BULLET.match(line)
    is_of_name = found is not None and found[0] == "*" and "*" in line[1:]
    return line if found is None or is_of_name else line[found.end() :]


def _stamp(stamp: str, today: date | None) -> tuple[date | None, time]:
    """Read what stands before a message: its time, perhaps with its date, which may follow."""
    parts = stamp.replace(",", " ").split()
    if len(parts) == 2 and ":" in parts[0]:
        parts.reverse()
    is_day = len(parts) == 2 and (_DAY.fullmatch(parts[0]) or _SLASHED_DAY.fullmatch(parts[0]))
    if len(parts) != 1 and not is_day:
        raise LineProblem(
            "stamp", f"“{shown(stamp, 30)}” is not a time such as 20:15; leave it out."
        )
    return (_day(parts[0], today) if len(parts) == 2 else None), _clock(parts[-1])


def _clock(text: str) -> time:
    try:
        return read_clock(text).at
    except CellProblem as problem:
        raise LineProblem("time", problem.reason) from None
