"""What stands before the names of a written match, or its number, day and time."""

from __future__ import annotations

import re
from datetime import date, time, timedelta
from typing import Final

from ratings.files.dates import read_clock
from ratings.files.problems import CellProblem, LineProblem, shown
from ratings.files.written_days import (
    DAY,
    DAY_LINE,
    SLASHED_DAY,
    day_in_front,
    day_with_month_in_front,
    recent_day,
    said_day,
)
from ratings.files.written_words import KnowsName, begins_with_name

EVENING: Final = time(18)
MORNING: Final = time(6)
"""Behind a time from the evening on, one before the morning is of the next day."""
UNSEEN = "\ufeff\u200e\u200f"
_BULLET = re.compile(r"[-•·\u2013\u2014] |\* ?")
_NUMBER = re.compile(r"\d{1,3}[.)] ", re.ASCII)
_NUMBER_WITHIN = re.compile(r" \d{1,3}[.)] ", re.ASCII)
_HALF = re.compile(r"[ap]\.?m\.?", re.IGNORECASE)
"""The half of a day, where a clock has twelve hours."""
_CHAT = re.compile(
    r"(\d[\d./-]{3,9},? \d{1,2}:\d{2}(?::\d{2})?(?: ?[aApP]\.?[mM]\.?)?) - ", re.ASCII
)
"""The mark of a message without brackets: its date and time, before who wrote it."""
_UNIT = r" ?[aApP]\.?[mM]\.?| ?[uU][hH][rR]| ?h(?= [^\W\d_])|[hu]"
_TIME = re.compile(
    rf"(\d{{1,2}})(?:([:hu]\d{{2}})(?::\d\d)?({_UNIT})?|(\.\d{{2}})?({_UNIT}))[:,]?(?: |$)"
)
"""A time as people write it: 20:15, 20:15:00, 20h15, 20u15, 20:15 Uhr, 19.30h, 7:45 pm, 8pm."""
_TIME_IN_BRACKETS = re.compile(r"\((\d{1,2}:\d{2})\) ", re.ASCII)
_DOTTED_TIME = re.compile(r"(\d{1,2})\.(\d{2}) [^\W\d_]")
"""What may be a time or the day of a month."""
_BARE_TIME = re.compile(r"([01]\d|2[0-3])([0-5]\d) [^\W\d_]")
"""What may be a time or a number in a name."""
_HAS_DAY = re.compile(r"\d[./-]\d|[^\W\d_]{3}")
"""A date, or a word such as the name of a month or “yesterday”."""
_DASHED_DAY = re.compile(r"\d{1,2}-\d{1,2}-(?:\d{4}|\d{2})", re.ASCII)
_HALF_OF_DAY = 12
_OF_PLACES = re.compile("[>,=]")
_LETTERS = re.compile(r"[^\W\d_]+")
_MOST_DAY_WORDS = 4
"""As in “Friday, the 27. November”."""


def without_lead(
    line: str,
    today: date | None,
    knows: KnowsName | None = None,
    *,
    is_evening: bool = False,
    written_on: date | None = None,
) -> tuple[str, date | None, time | None]:
    """Take bullet, number, the mark of a chat, the day and the time away from a line's front.

    Where `is_evening`, a line above has a time in its evening. Words such as “yesterday” count
    from `written_on`, the day of the message that the line belongs to, else from today. Raises
    LineProblem.
    """
    day = clock = sent_at = None
    if not begins_with_name(line.split(" "), knows):
        day, line = day_with_month_in_front(line)
        if day is None and not is_message(line):
            day, line = _day_before_name(_without_bullet(line), written_on or today, knows)
    line = _unnumbered(line, knows)
    chat = _CHAT.match(line)
    if chat is not None or line.startswith("["):
        stamp, _, line = (
            line[1:].partition("]") if chat is None else (chat[1], "", line[chat.end() :])
        )
        day, clock = _stamp_of_message(stamp, today)
        sent_at = clock
        _author, colon, message = line.partition(": ")
        line = _unnumbered((message if colon else line).lstrip(UNSEEN + " "), knows)
        said, line = _day_before_name(line, day or today, knows)
        if said is not None:
            day, clock, sent_at = said, None, None
    elif day is None and not begins_with_name(line.split(" "), knows):
        day, line = day_in_front(line, today)
    line, own_clock = _time_in_front(line, knows, is_asked=is_evening and day is None)
    clock = own_clock or clock
    if day and clock and sent_at and sent_at < MORNING and clock >= EVENING and day > date.min:
        # A message cannot tell of a match after it.
        day -= timedelta(1)
    return line, day, clock


def _time_in_front(
    line: str, knows: KnowsName | None, *, is_asked: bool
) -> tuple[str, time | None]:
    """Take the time away; where `is_asked`, one that may be twelve hours later is refused."""
    line = _TIME_IN_BRACKETS.sub(r"\1 ", line)
    found = _TIME.match(line)
    if found is None and _DOTTED_TIME.match(line) and not begins_with_name(line.split(" "), knows):
        number = line.split(" ")[0]
        colon = number.replace(".", ":")
        raise LineProblem(
            "time", f"Write {colon} if “{number}” is a time, and a day on a line of its own."
        )
    bare = _BARE_TIME.match(line)
    if bare is not None and not begins_with_name(line.split(" "), knows):
        raise LineProblem(
            "time",
            f"Write {bare[1]}:{bare[2]} if “{bare[1]}{bare[2]}” is a time. If it belongs to the "
            "name, add the player first.",
        )
    if found is not None and not begins_with_name(line.split(" "), knows):
        hour = found[1]
        minutes = (found[2] or found[4] or ":00")[1:]
        unit = (found[3] or found[5] or "").strip()
        half = unit if unit[:1].lower() in ("a", "p") else ""
        clock = _clock(f"{hour}:{minutes} {half}".strip())
        if is_asked and not (unit or hour.startswith("0")):
            _refuse_unclear_half(clock)
        return _without_bullet(line[found.end() :]), clock
    return line, None


def _day_before_name(
    line: str, today: date | None, knows: KnowsName | None
) -> tuple[date | None, str]:
    """Take a day away that is said in words, or without a year, before a known name or a time.

    Without one of them or a colon behind it, “Friday Ana” is rather a name, as is “Friday” beside
    one name alone or in a list of places. A number of a list has a name behind it, and a colon
    before a number is that of points. Raises LineProblem.
    """
    words = line.split(" ")
    is_numbered = _NUMBER.match(line) is not None and begins_with_name(words[1:], knows)
    if is_numbered or begins_with_name([words[0].rstrip(",:"), *words[1:]], knows):
        return None, line
    for end in range(min(_MOST_DAY_WORDS, len(words) - 1), 0, -1):
        rest = " ".join(words[end:])
        is_of_list = words[end - 1].endswith(",") and bool(_OF_PLACES.search(rest))
        is_one_of_two = end == 1 and len(_LETTERS.findall(rest)) < 2
        if is_of_list or is_one_of_two:
            continue
        is_headed = words[end - 1].endswith(":") and not rest[:1].isdecimal()
        is_timed = knows is not None and _TIME.match(rest) is not None
        if is_headed or is_timed or begins_with_name(words[end:], knows):
            day = recent_day(" ".join(words[:end]), today)
            if day is not None:
                return day, rest
    return None, line


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


def is_message(text: str) -> bool:
    """Whether a line begins with the mark of a chat."""
    line = text.strip().lstrip(UNSEEN)
    return line.startswith("[") or _CHAT.match(line) is not None


def day_in_front_of(text: str, today: date | None) -> date | None:
    """The day that a line says in front, be the rest a match or not."""
    line = text.strip().lstrip(UNSEEN)
    day, rest = day_with_month_in_front(line)
    if day is not None:
        return day
    try:
        return day_in_front(_unnumbered(rest, None), today)[0]
    except LineProblem:
        return None


def is_moment(cell: str) -> bool:
    """Whether a cell of a table has a day or a time, and nothing else."""
    if _TIME.fullmatch(cell) is not None or day_with_month_in_front(f"{cell} -")[0] is not None:
        return True
    try:
        return day_in_front(f"{cell} -", None)[1] == "-"
    except LineProblem:
        return True


def _stamp_of_message(stamp: str, today: date | None) -> tuple[date | None, time]:
    """Read the mark of a message; without its day, none of those below are known."""
    try:
        return read_stamp(stamp, today)
    except LineProblem as problem:
        code = DAY_LINE if _HAS_DAY.search(stamp) and ":" in stamp else problem.code
        raise LineProblem(code, problem.reason) from None


def read_stamp(stamp: str, today: date | None) -> tuple[date | None, time]:
    """Read what stands before a message: its time, perhaps with its date, which may follow.

    Raises LineProblem.
    """
    words = stamp.replace(",", " ").split()
    words = [word.replace("-", "/") if _DASHED_DAY.fullmatch(word) else word for word in words]
    days = [word for word in words if DAY.fullmatch(word) or SLASHED_DAY.fullmatch(word)]
    times = [word for word in words if word not in days]
    is_time = len(times) == 1 or (len(times) == 2 and _HALF.fullmatch(times[1]))
    if len(days) > 1 or not is_time:
        raise LineProblem(
            "stamp", f"“{shown(stamp, 30)}” is not a time such as 20:15; leave it out."
        )
    return (said_day(days[0], today) if days else None), _clock(" ".join(times))


def _refuse_unclear_half(clock: time) -> None:
    """Raise LineProblem for a time of the morning below one of an evening: 8:15 may be 20:15.

    In the small hours a night goes on; 12:15 may be a quarter past midnight where a clock has
    twelve hours.
    """
    if clock.hour == _HALF_OF_DAY:
        raise LineProblem(
            "time",
            f"Below a time in the evening, write 0:{clock:%M} for after midnight, or "
            f"12:{clock:%M} pm for noon.",
        )
    if MORNING <= clock < time(_HALF_OF_DAY):
        later = clock.replace(hour=clock.hour + _HALF_OF_DAY)
        raise LineProblem(
            "time",
            f"Below a time in the evening, write {later:%H:%M} if that is meant, or "
            f"{clock.hour}:{clock:%M} am for the morning.",
        )


def _clock(text: str) -> time:
    try:
        return read_clock(text).at
    except CellProblem as problem:
        raise LineProblem("time", problem.reason) from None
