"""Dates and times as results files write them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import Literal, NamedTuple
from zoneinfo import ZoneInfo

from ratings.files.problems import CellProblem, FileProblem, shown

DayOrder = Literal["dmy", "mdy"]
OrderFound = Literal["", "dmy", "mdy", "mixed", "ambiguous"]

FIRST_YEAR = 1800
LAST_YEAR = 2199
NO_DATE = "The date is missing."
EXAMPLE = "write dates like 2026-11-12 or 2026-11-12 19:30"
_CACHE_LIMIT = 100_000
_LONGEST = 60
_ONE_SIDED = 20
_CENTURY_TURN = 69

_TIME = (
    r"(?P<hour>\d{1,2})[:.h](?P<minute>\d{2})(?:[:.](?P<second>\d{2})(?:[.,](?P<part>\d{1,9}))?)?"
    r"(?:\s*(?P<half>[ap]\.?m\.?))?"
)
_CLOCK = re.compile(rf"(?:{_TIME})(?:\s*(?:uhr|h))?", re.IGNORECASE | re.ASCII)
_MOMENT = re.compile(
    rf"(?P<day>.*?\S)(?:\s*+[T,]\s*+|\s++){_TIME}"
    r"(?:\s*(?P<offset>Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?))?",
    re.IGNORECASE | re.ASCII,
)
_YEAR_FIRST = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})\.?", re.ASCII)
_YEAR_LAST = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})\.?", re.ASCII)
_DAY_MONTH_NAME = re.compile(
    r"([0-9]{1,2})(?:st|nd|rd|th)?\.?[\s-]*([^\W\d_]{3,})\.?,?[\s-]*([0-9]{4}|[0-9]{2})"
)
_MONTH_NAME_DAY = re.compile(r"([^\W\d_]{3,})\.?\s*([0-9]{1,2})(?:st|nd|rd|th)?\.?,?\s+([0-9]{4})")
_DIGIT = re.compile(r"\d", re.ASCII)
_WEEKDAY = re.compile(r"[^\W\d_]{2,10}\.?,?\s+(?=\d)")
_MONTHS = (
    ("jan", "gen", "ene"),
    ("feb", "fev", "fév"),
    ("mar", "mär", "maer", "mrt"),
    ("apr", "avr", "abr"),
    ("may", "mai", "maj", "mei", "mag"),
    ("jun", "juin", "giu"),
    ("jul", "juil", "lug"),
    ("aug", "aou", "aoû", "ago"),
    ("sep", "set"),
    ("oct", "okt", "ott", "out"),
    ("nov",),
    ("dec", "dez", "déc", "dic", "des"),
)


class Clock(NamedTuple):
    """A time of day; `offset` is None where it is local."""

    at: time
    offset: timezone | None


def day_order(texts: Iterable[str]) -> OrderFound:
    """Say in which order days and months stand in these cells; "" where it cannot be asked.

    A slip among many does not make the file mixed: its row is refused later.
    """
    day_first = month_first = 0
    asked = False
    for text in texts:
        match = _YEAR_LAST.fullmatch(_day_text(text))
        if match is None or match[2] == ".":
            continue
        asked = True
        first, second = int(match[1]) > 12, int(match[3]) > 12
        day_first += first and not second
        month_first += second and not first
    if day_first > _ONE_SIDED * month_first:
        return "dmy"
    if month_first > _ONE_SIDED * day_first:
        return "mdy"
    if day_first and month_first:
        return "mixed"
    return "ambiguous" if asked else ""


def has_time(text: str) -> bool:
    """Say whether a cell holds a date and a time of day."""
    return _moment(text) is not None and is_date(text)


def is_date(text: str) -> bool:
    """Say whether a cell can be read as a date in one order or the other."""
    return any(_readable(text, order) for order in ("dmy", "mdy"))


def date_problem(text: str) -> str:
    """Return why a cell is no date, as a sentence; "" where it is one."""
    try:
        read_day(_day_text(text), "dmy")
    except CellProblem as problem:
        return problem.reason
    return ""


def is_clock(text: str) -> bool:
    """Say whether a cell can be read as a time of day."""
    try:
        read_clock(text)
    except CellProblem:
        return False
    return True


def read_day(text: str, order: DayOrder) -> date:
    """Read a date without a time; `order` settles 01/02/2026, dots are always day first."""
    text = text.strip()
    if len(text) > _LONGEST:
        raise CellProblem(_not_a_date(text), text, code="date")
    if match := _YEAR_FIRST.fullmatch(text):
        return _day(text, int(match[1]), int(match[3]), int(match[4]))
    if match := _YEAR_LAST.fullmatch(text):
        first, second = int(match[1]), int(match[3])
        day, month = (second, first) if order == "mdy" and match[2] != "." else (first, second)
        return _day(text, _full_year(match[4]), month, day)
    if match := _DAY_MONTH_NAME.fullmatch(text):
        return _day(text, _full_year(match[3]), _month(text, match[2]), int(match[1]))
    if match := _MONTH_NAME_DAY.fullmatch(text):
        return _day(text, int(match[3]), _month(text, match[1]), int(match[2]))
    if weekday := _WEEKDAY.match(text):
        return read_day(text[weekday.end() :], order)
    raise CellProblem(_not_a_date(text), text, code="date")


def read_clock(text: str) -> Clock:
    """Read a time of day such as 19:30, 7:30 pm or 19.30 Uhr; always local."""
    match = _CLOCK.fullmatch(text.strip()) if len(text) <= _LONGEST else None
    if match is None:
        raise CellProblem("This is not a time of day; write times like 19:30.", text, code="time")
    return Clock(_time(text, match), None)


def read_moment(text: str, order: DayOrder) -> datetime:
    """Read a date with or without a time as it stands, without zone or offset."""
    moment = _moment(text)
    if moment is None:
        return datetime.combine(read_day(text, order), time())
    return datetime.combine(read_day(moment["day"], order), _time(text, moment))


class Calendar:
    """Reads the date and time cells of one file into instants.

    Local times are in `zone`. A time that does not exist there is refused, one that occurs twice
    means the first. A date alone is the local midnight, where that is missing the first moment of
    the day.
    """

    def __init__(self, *, zone: str, order: DayOrder, today: date) -> None:
        try:
            self._zone = ZoneInfo(zone)
        except (ValueError, OSError, KeyError):
            raise FileProblem(f"There is no time zone “{shown(zone)}”.") from None
        self._order = order
        self._latest = today + timedelta(days=1)
        self._seen: dict[tuple[str, str], tuple[datetime, bool]] = {}
        self.undated = self._midnight(today)

    def read(self, day_text: str, clock_text: str = "") -> tuple[datetime, bool]:
        """Return the instant in UTC, and whether only the date is known."""
        seen = self._seen.get((day_text, clock_text))
        if seen is None:
            if len(self._seen) >= _CACHE_LIMIT:
                self._seen.clear()
            seen = self._seen[day_text, clock_text] = self._read(day_text, clock_text)
        return seen

    def _read(self, day_text: str, clock_text: str) -> tuple[datetime, bool]:
        if not day_text.strip():
            raise CellProblem(NO_DATE, day_text, code="date")
        moment = _moment(day_text)
        clock: Clock | None = None
        if moment is not None:
            clock = Clock(_time(day_text, moment), _offset(day_text, moment["offset"]))
            day = read_day(moment["day"], self._order)
        else:
            day = read_day(day_text, self._order)
            if clock_text.strip():
                clock = read_clock(clock_text)
        if not FIRST_YEAR <= day.year <= LAST_YEAR:
            raise CellProblem(
                f"The year must be from {FIRST_YEAR} to {LAST_YEAR}.", day_text, code="out_of_range"
            )
        if day > self._latest:
            raise CellProblem("This date is in the future.", day_text, code="in_future")
        if clock is None:
            return self._midnight(day), True
        return self._instant(day, clock, day_text if moment else clock_text), False

    def _midnight(self, day: date) -> datetime:
        return datetime(day.year, day.month, day.day, tzinfo=self._zone).astimezone(UTC)

    def _instant(self, day: date, clock: Clock, text: str) -> datetime:
        if clock.offset is not None:
            return datetime.combine(day, clock.at, tzinfo=clock.offset).astimezone(UTC)
        local = datetime.combine(day, clock.at, tzinfo=self._zone)
        instant = local.astimezone(UTC)
        if instant.astimezone(self._zone).replace(tzinfo=None) != local.replace(tzinfo=None):
            raise CellProblem(
                "This time does not exist: the clocks skipped it when they went forward.",
                text,
                code="skipped_time",
            )
        return instant


def _readable(text: str, order: DayOrder) -> bool:
    try:
        read_day(_day_text(text), order)
    except CellProblem:
        return False
    return True


def _moment(text: str) -> re.Match[str] | None:
    """Split a date from its time; only short texts, so that no cell takes long to refuse.

    Behind a weekday alone, as in “So. 29.11.26”, is no time.
    """
    found = _MOMENT.fullmatch(text.strip()) if len(text) <= _LONGEST else None
    return found if found and _DIGIT.search(found["day"]) else None


def _day_text(text: str) -> str:
    moment = _moment(text)
    return moment["day"] if moment else text.strip()


def _day(text: str, year: int, month: int, day: int) -> date:
    if not 1 <= month <= 12:
        raise CellProblem(f"There is no month {month}.", text, code="date")
    try:
        return date(year, month, day)
    except ValueError:
        raise CellProblem(f"There is no day {day} in this month.", text, code="date") from None


def _full_year(digits: str) -> int:
    year = int(digits)
    if len(digits) == 4:
        return year
    return year + (1900 if year >= _CENTURY_TURN else 2000)


def _month(text: str, word: str) -> int:
    word = word.casefold()
    for number, stems in enumerate(_MONTHS, start=1):
        if word.startswith(stems):
            return number
    raise CellProblem(f"This is not a date; {EXAMPLE}.", text, code="date")


def _time(text: str, match: re.Match[str]) -> time:
    hour, minute, second = int(match["hour"]), int(match["minute"]), int(match["second"] or 0)
    if match["half"]:
        if not 1 <= hour <= 12:
            raise CellProblem("This time of day does not exist.", text, code="time")
        hour = hour % 12 + (12 if match["half"][0] in "pP" else 0)
    try:
        return time(hour, minute, second, int((match["part"] or "0")[:6].ljust(6, "0")))
    except ValueError:
        raise CellProblem("This time of day does not exist.", text, code="time") from None


def _offset(text: str, sign_and_digits: str | None) -> timezone | None:
    if not sign_and_digits:
        return None
    if sign_and_digits[0] not in "+-":
        return UTC
    digits = sign_and_digits[1:].replace(":", "").ljust(4, "0")
    hours, minutes = int(digits[:2]), int(digits[2:])
    if hours > 14 or minutes > 59:
        raise CellProblem("This offset from UTC does not exist.", text)
    offset = timedelta(hours=hours, minutes=minutes)
    return timezone(-offset if sign_and_digits[0] == "-" else offset)


def _not_a_date(text: str) -> str:
    if re.fullmatch(r"\d(?:[.,]\d+)?E\+?\d+", text, re.IGNORECASE):
        return f"A spreadsheet has rewritten this timestamp; {EXAMPLE}."
    if re.fullmatch(r"\d{5}(?:[.,]\d+)?", text):
        return f"This is a spreadsheet's serial number, not a date; {EXAMPLE}."
    if re.fullmatch(r"\d{10}|\d{13}", text):
        return f"This is a Unix timestamp (seconds since 1970), not a date; {EXAMPLE}."
    return f"This is not a date; {EXAMPLE}."
