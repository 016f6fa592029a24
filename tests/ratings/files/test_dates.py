"""Dates and times as people write them."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from ratings.files.dates import Calendar, DayOrder, day_order
from ratings.files.problems import CellProblem, FileProblem
from tests.ratings.files.reading import TODAY


def calendar(zone: str = "UTC", order: DayOrder = "dmy") -> Calendar:
    return Calendar(zone=zone, order=order, today=TODAY)


@pytest.mark.parametrize(
    "text",
    [
        "2025-11-02", "2025-11-2", "2025/11/02", "2025.11.02", "02.11.2025", "2.11.25",
        "02/11/2025", "2/11/25", "02-11-2025", "2 Nov 2025", "2. November 2025", "2-Nov-25",
        "Nov 2, 2025", "November 2nd, 2025", "Sun 2 Nov 2025", "So, 02.11.2025", "2 nov. 2025",
        "Sunday, 2. november 2025", " 02.11.2025 ", "So. 02.11.2025", "So. 2.11.25",
    ],
)  # fmt: skip
def test_a_date_alone_is_a_day_in_whatever_form(text: str) -> None:
    assert calendar().read(text) == (datetime(2025, 11, 2, tzinfo=UTC), True)


@pytest.mark.parametrize(
    "text",
    [
        "2025-11-02T19:30", "2025-11-02 19:30:00", "2025-11-02T19:30:00Z", "2025-11-02T20:30+01:00",
        "2025-11-02T14:30:00-0500", "02.11.2025 19:30", "02.11.2025, 19.30 ", "2/11/2025 7:30 pm",
        "2 Nov 2025 19:30", "2025-11-02T19:30:00.000Z", "2025-11-02 19:30 UTC",
    ],
)  # fmt: skip
def test_a_date_with_a_time_is_an_instant_in_whatever_form(text: str) -> None:
    assert calendar().read(text) == (datetime(2025, 11, 2, 19, 30, tzinfo=UTC), False)


def test_a_time_may_stand_in_a_column_of_its_own() -> None:
    assert calendar().read("02.11.2025", "19:30")[0] == datetime(2025, 11, 2, 19, 30, tzinfo=UTC)
    assert calendar().read("02.11.2025", " ") == (datetime(2025, 11, 2, tzinfo=UTC), True)


def test_fractions_of_a_second_are_kept() -> None:
    assert calendar().read("2025-11-02T19:30:00.1234567Z")[0].microsecond == 123456


def test_month_first_is_read_where_it_is_said_but_dots_stay_day_first() -> None:
    assert calendar(order="mdy").read("11/02/2025")[0].date() == date(2025, 11, 2)
    assert calendar(order="mdy").read("02.11.2025")[0].date() == date(2025, 11, 2)


def test_local_times_are_in_the_zone_of_the_league() -> None:
    assert calendar("Europe/London").read("2025-07-02 19:30")[0].hour == 18
    assert calendar("Asia/Tokyo").read("2025-07-02") == (
        datetime(2025, 7, 1, 15, tzinfo=UTC),
        True,
    )


def test_a_time_that_occurs_twice_is_the_first() -> None:
    assert calendar("Europe/London").read("2025-10-26 01:30")[0].hour == 0


def test_a_day_without_a_midnight_begins_with_its_first_moment() -> None:
    assert calendar("America/Sao_Paulo").read("2018-11-04")[0] == datetime(
        2018, 11, 4, 3, tzinfo=UTC
    )


def test_the_first_and_the_last_year_are_read() -> None:
    assert calendar("Asia/Tokyo").read("1800-01-01")[0].year == 1799
    assert calendar().read("1872-11-30")[0].year == 1872


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "missing"),
        ("12.13.2026", "There is no month 13"),
        ("30.02.2026", "There is no day 30"),
        ("2026-02-30", "There is no day 30"),
        ("0000-01-01", "There is no day"),
        ("0001-01-01", "1800 to 2199"),
        ("1799-12-31", "1800 to 2199"),
        ("2200-01-01", "1800 to 2199"),
        ("9999-12-31T23:59:59-12:00", "1800 to 2199"),
        ("10000-01-01", "not a date"),
        ("2026-11-23", "future"),
        ("2026-W01-1", "not a date"),
        ("20260102", "not a date"),
        ("46054", "serial number"),
        ("46054.5", "serial number"),
        ("1.50421E+12", "rewritten"),
        ("1504210000000", "since 1970"),
        ("1504210000", "since 1970"),
        ("yesterday", "not a date"),
        ("2 Foo 2025", "not a date"),
        ("2025-11-02T23:59:60", "does not exist"),
        ("2025-11-02 24:00", "does not exist"),
        ("2025-11-02 13:30 pm", "does not exist"),
        ("2025-11-02T19:30+25:00", "offset from UTC does not exist"),
        ("٠٢.١١.٢٠٢٥", "not a date"),
        ("1" * 5000, "not a date"),
    ],
)
def test_what_is_no_date_is_refused_in_words(text: str, words: str) -> None:
    with pytest.raises(CellProblem, match=words):
        calendar().read(text)


def test_a_time_that_does_not_exist_is_refused() -> None:
    with pytest.raises(CellProblem, match="does not exist"):
        calendar("Europe/London").read("2026-03-29T01:30:00")


def test_tomorrow_is_not_the_future_because_zones_differ() -> None:
    assert calendar().read("2026-11-22")[1]


def test_an_unknown_zone_is_a_problem_in_words() -> None:
    with pytest.raises(FileProblem, match="no time zone"):
        calendar("Mars/Olympus")


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        (["01/02/2026", "13/02/2026"], "dmy"),
        (["01/02/2026", "02/13/2026"], "mdy"),
        (["01/02/2026", "12-12-2026 10:00"], "ambiguous"),
        (["13/02/2026", "02/13/2026"], "mixed"),
        (["13/02/2026"] * 30 + ["02/13/2026"], "dmy"),
        (["13/13/2026", "01/02/2026"], "ambiguous"),
        (["01.02.2026", "2026-01-02"], ""),
        ([], ""),
    ],
)
def test_the_dates_themselves_tell_their_order_or_ask(texts: list[str], found: str) -> None:
    assert day_order(texts) == found
