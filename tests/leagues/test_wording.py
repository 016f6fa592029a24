from __future__ import annotations

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from django.utils import translation
from hypothesis import assume, given
from hypothesis import strategies as st

from leagues import wording


def test_minus_is_a_minus_sign_and_zero_has_none():
    assert wording.number(-12.4) == "−12"
    assert wording.number(-0.2) == "0"
    assert wording.number(-0.04, 1) == "0.0"
    assert wording.number(12.34, 1) == "12.3"


def test_changes_bear_their_sign_and_are_differences_of_what_is_shown():
    assert wording.with_sign(3.2) == "+3"
    assert wording.with_sign(-3.2) == "−3"
    assert wording.with_sign(0.3) == "0"
    assert wording.change(1500.4, 1510.6) == "+11"
    assert wording.change(25.04, 25.16, 1) == "+0.2"


def test_a_wait_is_said_in_the_unit_that_people_would_take():
    said = [wording.waiting_time(seconds) for seconds in (1, 59, 60, 61)]
    assert said == ["a second", "59 seconds", "a minute", "2 minutes"]


def test_counts_set_thousands_apart_and_percent_has_a_narrow_space():
    assert wording.count(1204) == "1\u202f204"
    assert wording.count(999) == "999"
    assert wording.percent(0.394) == "39\u202f%"


@pytest.mark.parametrize(
    ("shares", "percents"),
    [
        ((0.446, 0.219, 0.335), (45, 22, 33)),
        ((0.335, 0.335, 0.33), (34, 33, 33)),
        ((0.5, 0.0, 0.5), (50, 0, 50)),
        ((1 / 3, 1 / 3, 1 / 3), (34, 33, 33)),
        ((0.9996, 0.0003, 0.0001), (100, 0, 0)),
        ((0.005, 0.995), (1, 99)),
        ((1.0,), (100,)),
        ((1 / 7,) * 7, (15, 15, 14, 14, 14, 14, 14)),
    ],
)
def test_percents_of_one_whole_add_up_to_100(shares, percents):
    said = wording.percents(shares)
    assert said == tuple(f"{part}\N{NARROW NO-BREAK SPACE}%" for part in percents)


@given(st.lists(st.floats(0.0, 1.0), min_size=2, max_size=8))
def test_percents_add_up_whatever_the_shares_and_are_off_by_less_than_one(weights):
    total = sum(weights)
    assume(total > 0.001)
    shares = [weight / total for weight in weights]
    said = [int(text[:-2]) for text in wording.percents(shares)]
    assert sum(said) == 100
    assert all(abs(part - 100 * share) < 1.001 for part, share in zip(said, shares, strict=True))


def test_scores_and_ranges_have_an_en_dash():
    assert wording.tally(21, 3, 4) == "21–3–4"
    assert wording.tally(3, -2) == "3\u00a0:\u00a0−2"
    assert wording.span("1", "4") == "1–4"
    assert wording.span("3", "3") == "3"


@pytest.mark.parametrize(
    ("value", "word"),
    [
        *((1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th")),
        *((113, "113th"), (21, "21st"), (102, "102nd"), (1003, "1003rd")),
    ],
)
def test_places_are_ordinals_in_english(value, word):
    assert wording.ordinal(value) == word


def test_places_have_a_dot_in_other_languages():
    with translation.override("de"):
        assert wording.ordinal(3) == "3."


def test_days_ago_are_words_up_to_two_months():
    today = date(2026, 11, 21)
    assert wording.ago(date(2026, 11, 21), today) == "today"
    assert wording.ago(date(2026, 11, 20), today) == "yesterday"
    assert wording.ago(date(2026, 11, 13), today) == "8 days ago"
    assert wording.ago(date(2026, 9, 1), today) == "1 Sep"
    assert wording.ago(date(2024, 9, 1), today) == "1 Sep 2024"
    assert wording.ago(date(2026, 11, 22), today) == "22 Nov 2026"


def test_moments_are_told_in_the_zone_of_the_league():
    at = datetime(2026, 7, 1, 22, 30, tzinfo=UTC)
    zone = ZoneInfo("Europe/Helsinki")
    assert wording.moment(at, zone) == "2 Jul 2026, 01:30"
    assert wording.long_moment(at, zone, date_only=False) == "Thursday 2 Jul 2026, 01:30"
    assert wording.long_moment(at, zone, date_only=True) == "Thursday 2 Jul 2026"


def test_names_are_listed_as_in_a_sentence():
    assert wording.listing(["Ana"]) == "Ana"
    assert wording.listing(["Ana", "Bo"]) == "Ana and Bo"
    assert wording.listing(["Ana", "Bo", "Cy"]) == "Ana, Bo and Cy"


def test_streaks_say_what_they_are_of():
    assert wording.streak(3) == "3 won"
    assert wording.streak(-2) == "2 lost"
    assert wording.streak(0) == "–"


def test_only_all_of_them_are_a_hundred_of_100():
    told = [wording.whole_of_hundred(part, 243) for part in (0, 121, 242, 243)]
    assert told == ["0", "49", "99", "100"]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.2, "about 10 seconds left"),
        (31, "about 40 seconds left"),
        (90, "about 90 seconds left"),
        (91, "about 2 minutes left"),
        (3600, "about 60 minutes left"),
    ],
)
def test_how_long_work_goes_on_is_rounded_up(seconds, words):
    assert wording.time_left(seconds) == words
