"""Lines of two sheets put together mean what they did on each."""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leagues.models import Mode
from leagues.services.sheet_headings import Headings, unknown_name_in
from leagues.services.sheet_meanings import Place, Under, is_of_two_nights
from leagues.services.sheet_merging import lines_left, merged_lines
from ratings.files.problems import LineProblem
from ratings.files.written import WrittenMatch
from ratings.files.written_sides import known_names
from ratings.files.written_text import DAY_ABOVE, read_lines

TODAY, DAY = date(2026, 11, 28), date(2026, 11, 25)
BLITZ, CRICKET = (Mode(pk=pk, name=name) for pk, name in ((1, "Blitz"), (2, "Cricket")))
KNOWS = known_names(["Ana", "Bo", "Cy", "Dee"])
KINDS = (
    "20:00 Cy - Dee 3-1",
    "23:30 Ana - Bo 3-1",
    "0:30 Cy - Dee 3-0",
    "Cy - Dee 3-1",
    'Ana - Dee 3-1\n" 3-0',
    "@24.11.2026",
    "24.11.2026 Ana - Dee 3-0",
    "25.11.2026 0:15 Bo - Cy 1-3",
    "Blitz:",
    "Cricket:",
    "26.11.2026 Cricket:",
    "Cricket: 23.11.2026",
    "23:45 Cricket:",
    "Cricket: Ana - Cy 3-2",
    "[24.11.2026, 23:50] Kim: Bo - Dee 3-1",
    "Kim, [24.11.2026, 20:10]",
    "# tea",
    "Ana 3-1",
    "@31.2.2026",
    "Kicker:",
)
sheets = st.lists(st.sampled_from(KINDS), max_size=7).map("\n".join)
days = st.sampled_from((DAY, date(2026, 11, 26)))


def headings() -> Headings:
    return Headings([BLITZ, CRICKET])


def read(text: str, day: date, mode: Mode) -> tuple[Counter[Any], set[Any]]:
    """The matches that a sheet says, each with its day, time and mode, and its problems."""
    lines = text.split("\n")
    named = [headings().named_by(line) for line in lines]
    texts = [label.text if label else line for line, label in zip(lines, named, strict=True)]
    found = dict(read_lines(texts, today=TODAY, knows=KNOWS))
    under: Under = mode
    matches: Counter[Any] = Counter()
    problems = set()
    for number, (line, label) in enumerate(zip(lines, named, strict=True), 1):
        one = found.get(number)
        if label is not None and not label.match:
            under = label.mode
        elif isinstance(one, WrittenMatch):
            matches[_said(one, day, label.mode if label else under)] += 1
        elif isinstance(one, LineProblem):
            under = line if unknown_name_in(line) else under
            problems.add((line if one.code != DAY_ABOVE else "", one.code))
    return matches, problems


def _said(match: WrittenMatch, day: date, under: Under) -> tuple[Any, ...]:
    clock = None if match.is_clock_above else match.clock
    is_open = clock is not None and is_of_two_nights(match)
    at = None if is_open else match.own_day or match.played_on(match.day or day)
    return str(under), match.sides, match.score, at, clock


@pytest.mark.parametrize(
    ("stored", "mine", "together"),
    [
        (
            "23:30 Ana - Bo 3-1\n@2026-11-24\nCy - Dee 3-1",
            "23:30 Ana - Bo 3-1\n0:30 Cy - Dee 3-0",
            "23:30 Ana - Bo 3-1\n@2026-11-24\nCy - Dee 3-1\n@2026-11-26\n0:30 Cy - Dee 3-0",
        ),
        (
            "@2026-11-24\nCy - Dee 3-1",
            "0:30 Cy - Dee 3-0",
            "0:30 Cy - Dee 3-0\n@2026-11-24\nCy - Dee 3-1",
        ),
        ("", "26.11.2026 Cricket:\nCy - Dee 3-0", "@2026-11-26\nCricket:\nCy - Dee 3-0"),
        (
            "26.11.2026 Cricket:",
            "Cy - Dee 3-0",
            "26.11.2026 Cricket:\n@2026-11-25\nBlitz:\nCy - Dee 3-0",
        ),
        (
            "Ana - Dee 3-1\nAna - Dee 3-0",
            '25.11.2026 Ana - Dee 3-1\n" 3-0',
            "Ana - Dee 3-1\nAna - Dee 3-0",
        ),
        ("Bo - Cy 3-1", "Kicker:\nAna - Dee 3-1", "Bo - Cy 3-1\nKicker:\nAna - Dee 3-1"),
        (
            "Kicker:\nBo - Cy 3-1",
            "# tea\nAna - Dee 3-1",
            "Kicker:\nBo - Cy 3-1\n# tea\nBlitz:\nAna - Dee 3-1",
        ),
        ("@2026-11-24", "# tea\nAna - Dee 3-1", "@2026-11-24\n@2026-11-25\n# tea\nAna - Dee 3-1"),
        (
            "@31.2.2026",
            "@31.2.2026\nAna - Dee 3-1",
            "@31.2.2026\nAna - Dee 3-1",
        ),
        (
            "23:30 Ana - Bo 3-1",
            "Cy - Dee 3-0\nAna 3-1",
            "23:30 Ana - Bo 3-1\nCy - Dee 3-0\nAna 3-1",
        ),
    ],
)
def test_what_stands_below_other_lines_keeps_its_day_and_mode(
    stored: str, mine: str, together: str
) -> None:
    assert merged(stored, mine, Place(DAY, BLITZ), Place(DAY, BLITZ)) == together


def test_what_is_left_after_midnight_is_of_the_next_day() -> None:
    left = lines_left(
        "@24.11.\n23:30 Ana - Cy 3-0", "@24.11.\n23:30 Ana - Cy 3-0\n0:30 Cy - Dee 3-2",
        Place(DAY, BLITZ), today=TODAY, knows=KNOWS, match_kinds=(), headings=headings(),
    )  # fmt: skip
    assert left == "@2026-11-25\n0:30 Cy - Dee 3-2"


@pytest.mark.parametrize("mine", ['" 1-3', 'Blitz:\n" 1-3', 'Friday:\n" 1-3', "same again 3-2"])
def test_a_line_that_was_refused_is_no_match_below_others(mine: str) -> None:
    text = merged("Cy - Dee 3-1", mine, Place(DAY, BLITZ), Place(DAY, BLITZ))
    matches, _problems = read(text, DAY, BLITZ)
    assert sum(matches.values()) == 1


def merged(stored: str, mine: str, first: Place, my_first: Place) -> str:
    return merged_lines(
        stored, first, mine, my_first,
        today=TODAY, knows=KNOWS, match_kinds=(), headings=headings(),
    )[0]  # fmt: skip


@settings(max_examples=50, deadline=None)
@given(sheets, sheets, days, st.sampled_from((BLITZ, CRICKET)))
def test_two_sheets_put_together_say_what_both_said(
    stored: str, mine: str, my_day: date, my_mode: Mode
) -> None:
    together = merged(stored, mine, Place(DAY, BLITZ), Place(my_day, my_mode))
    matches, problems = read(stored, DAY, BLITZ)
    others, other_problems = read(mine, my_day, my_mode)
    found, found_problems = read(together, DAY, my_mode)
    expected = matches | others
    if my_day != DAY:
        # A time in the small hours that is asked about is another one on the sheet of another day.
        expected += Counter({one: (matches & others)[one] for one in matches if one[3] is None})
    assert found == expected, together
    known = {(line, code) for line, code in problems | other_problems if line}
    assert {(line, code) for line, code in found_problems if line} >= known, together
    if my_day == DAY:
        again = merged(together, mine, Place(DAY, my_mode), Place(DAY, my_mode))
        assert read(again, DAY, my_mode)[0] == found, "nothing is put below them twice"


@settings(max_examples=50, deadline=None)
@given(sheets, sheets)
def test_what_is_left_of_a_sheet_says_what_was_not_entered(entered: str, more: str) -> None:
    lines = entered.split("\n")
    newer = "\n".join(lines + more.split("\n"))
    left = lines_left(
        entered, newer, Place(DAY, BLITZ),
        today=TODAY, knows=KNOWS, match_kinds=(), headings=headings(),
    )  # fmt: skip
    expected = read(newer, DAY, BLITZ)[0] - read(entered, DAY, BLITZ)[0]
    assert read(left, DAY, BLITZ)[0] == expected, left
