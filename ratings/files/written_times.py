"""What lines of results say of their time, which holds for those without one below them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, time
from typing import Final

from ratings.files.problems import LineProblem
from ratings.files.written_leads import UNSEEN, without_lead

EVENING: Final = time(18)
MORNING: Final = time(6)
"""Behind a time from the evening on, one before the morning is of the next day."""


@dataclass(frozen=True, slots=True)
class TimeSaid:
    """The time that a line says, with the day that holds for it, if one is known."""

    clock: time
    day: date | None
    is_past_midnight: bool = False
    message_day: date | None = None
    """The day that the mark of a chat on the line itself says."""


def time_said_by(
    text: str, *, today: date | None, day: date | None, is_evening: bool
) -> TimeSaid | None:
    """What a line says of its time, be it a match or other words, below a line that says a day."""
    try:
        _line, stamp_day, clock = without_lead(text.strip().lstrip(UNSEEN), today)
    except LineProblem:
        return None
    if clock is None:
        return None
    is_past_midnight = is_evening and clock < MORNING and stamp_day is None
    return TimeSaid(clock, stamp_day or day, is_past_midnight, stamp_day)
