"""Texts found by their letters: never fewer than `difflib` takes for near."""

from __future__ import annotations

from difflib import SequenceMatcher, get_close_matches

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leagues.domain.near_texts import NearTexts

WORDS = st.text("abåЖ李 12", max_size=12)


@given(WORDS, st.lists(WORDS, unique=True), st.sampled_from([0.5, 0.72, 0.8, 1.0]))
def test_nothing_that_difflib_takes_for_near_is_left_out(
    text: str, texts: list[str], least: float
) -> None:
    found = NearTexts(texts).near_to(text, least)
    expected = get_close_matches(text, texts, n=len(texts) + 1, cutoff=least)
    assert get_close_matches(text, found, n=len(texts) + 1, cutoff=least) == expected
    assert set(found) <= set(NearTexts(texts).with_letters_of(text, least))


@pytest.mark.parametrize("text", ["", "Bo", "bo berg"])
def test_among_no_texts_is_none(text: str) -> None:
    assert NearTexts([]).near_to(text, 0.5) == []


def test_a_long_text_of_few_letters_may_be_near_itself() -> None:
    """Of long texts `difflib` leaves common letters out: it says less than is found here."""
    text = "ab" * 200
    assert SequenceMatcher(None, text, text).ratio() == 1.0
    assert NearTexts([text, "c" * 400]).near_to(text, 0.72) == [text]


def test_the_order_of_letters_keeps_texts_apart() -> None:
    texts = NearTexts(["berg", "greb", "bergs"])
    assert texts.with_letters_of("berg", 0.8) == ["berg", "greb", "bergs"]
    assert texts.near_to("berg", 0.8) == ["berg", "bergs"]
