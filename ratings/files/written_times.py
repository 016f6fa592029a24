"""What lines of results say of their time, which holds for those without one below them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, time
from typing import Final

from ratings.files.problems import LineProblem
from ratings.files.written_days import DAY_LINE, said_day
from ratings.files.written_endings import ENDINGS, SCORE, bare, has_marks, plain
from ratings.files.written_gaps import without_gaps
from ratings.files.written_leads import (
    MORNING,
    UNSEEN,
    day_in_front_of,
    read_stamp,
    without_lead,
)
from ratings.files.written_words import KnowsName, between_sides

_SCORE_AND_TIME: Final = re.compile(
    r"(\d{1,2})[-:](\d{1,2}) ((?:[01]?\d|2[0-3])):[0-5]\d", re.ASCII
)
_MARK_BEHIND_DASH: Final = re.compile(
    r"((?:\d[\d./-]{3,9},? )?\d{1,2}:\d{2}(?: ?[AP]M)?)"
    r"|([^\W\d_]{2,12}) (?:at|um|à|om|kl\.?|às) (\d{1,2}:\d{2}(?: ?[AP]M)?)(?: Uhr)?"
)
_MARK_IN_BRACKETS: Final = re.compile(r"[^\[\]]{0,20}\d:\d{2}[^\[\]]{0,20}")
_LONGEST_TIME: Final = len("20:15")
_LONGEST_AUTHOR: Final = 64
_MOST_WORDS: Final = 3
"""Of a name before a mark; what is longer is rather a sentence."""
_SIGN: Final = re.compile("[½\U0001f3c6\U0001f451\U0001f947-\U0001f949\u201c-\u201f\u3003]")
"""What says how a match ended, or stands for the two above."""
_STAND_ALONE: Final = frozenset('-\u2013\u2014"')
"""Words of one sign that divide two sides, or stand for those above."""


@dataclass(frozen=True, slots=True)
class TimeSaid:
    """The time that a line says, with the day that holds for it, if one is known."""

    clock: time
    day: date | None
    is_past_midnight: bool = False
    own_day: date | None = None
    """The day that the line itself says, or the mark of a chat on it, for those below it too."""


def refuse_time_behind(scores: str) -> None:
    """Raise LineProblem for scores of which the second is rather a time, as in “3:1 20:15”.

    A second set has no more than twice as many points as the first.
    """
    found = _SCORE_AND_TIME.fullmatch(scores)
    if found is not None and int(found[3]) > 2 * max(int(found[1]), int(found[2])):
        at = scores.split(" ")[1]
        raise LineProblem(
            "time_behind",
            f"{at} may be a time; write that in front, like {at} Ana - Bo 3-1, or sets in "
            "brackets behind the score of the match.",
        )


def mark_alone(text: str, today: date | None, knows: KnowsName | None = None) -> TimeSaid | None:
    """What the mark of a chat says where it stands on a line of its own; None of other lines.

    Raises LineProblem where its day or time cannot be read.
    """
    line = text.strip().strip(UNSEEN)
    author, _comma, stamp = line.rpartition(", [")
    said_in_words = ""
    if not (author and stamp.endswith("]") and _MARK_IN_BRACKETS.fullmatch(stamp := stamp[:-1])):
        author, _dash, stamp = line.replace(" \u2013 ", " \u2014 ").rpartition(" \u2014 ")
        found = _MARK_BEHIND_DASH.fullmatch(stamp)
        # Alone, 21:19 may be a set of the match above.
        if found is None or not (author or len(stamp) > _LONGEST_TIME):
            return None
        stamp, said_in_words = found[1] or found[3], found[2]
    if len(author) > _LONGEST_AUTHOR or (author and _says_result(author, knows)):
        return None
    # Behind two names that nobody knows as one, 21:19 is their score.
    if len(stamp) <= _LONGEST_TIME and " " in author and not (knows and knows(author)):
        return None
    try:
        day, clock = read_stamp(stamp, today)
        if said_in_words:
            day = said_day(said_in_words, today)
    except LineProblem as problem:
        raise LineProblem(DAY_LINE, problem.reason) from None
    return TimeSaid(clock, day, own_day=day)


def _says_result(author: str, knows: KnowsName | None) -> bool:
    """Whether what stands before a mark is rather a match, whose date somebody wrote behind it.

    A name that could be either is none: its line is refused then, and no result is lost.
    """
    if knows is not None and knows(author):
        return False
    words = without_gaps(" ".join(author.split()), knows).split(" ")
    has_number = any(word.isdecimal() or SCORE.fullmatch(bare(word)) for word in words)
    has_word = any(plain(word) in ENDINGS for word in words) or bool(_SIGN.search(author))
    has_mark = has_marks(author) or ":" in author or not _STAND_ALONE.isdisjoint(words)
    is_long = len(words) > _MOST_WORDS
    return has_number or has_word or has_mark or is_long or bool(between_sides(words, knows))


def time_said_by(
    text: str, *, today: date | None, day: date | None, is_evening: bool
) -> TimeSaid | None:
    """What a line says of its time, be it a match or other words, below a line that says a day."""
    try:
        _line, own_day, clock = without_lead(text.strip().lstrip(UNSEEN), today)
    except LineProblem:
        return None
    if clock is None:
        return None
    is_past_midnight = is_evening and clock < MORNING and own_day is None
    return TimeSaid(clock, own_day or day, is_past_midnight, own_day)


def day_told_by(text: str, today: date | None) -> date | None:
    """The day that a line which is no match says for those below, in front or as a chat's mark."""
    try:
        marked = mark_alone(text, today)
    except LineProblem:
        return None
    said = marked or time_said_by(text, today=today, day=None, is_evening=False)
    own_day = None if said is None else said.own_day
    return own_day or day_in_front_of(text, today)
