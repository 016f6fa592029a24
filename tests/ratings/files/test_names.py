"""Names: what may be stored, and when two names are one."""

from __future__ import annotations

import unicodedata
from itertools import groupby

import pytest

from ratings.files.names import (
    NameProblem,
    clean_name,
    fold_name,
    looks_like_name,
    normalized,
    readable_name,
    without_formula_guard,
)


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("  Ana   Ruiz ", "Ana Ruiz"),
        ("Ana\u00a0Ruiz", "Ana Ruiz"),
        ("Zoe\u0308", "Zoë"),
        ("null", "null"),
        ("0", "0"),
        ("-", "-"),
        ("=1+1", "=1+1"),
        ("'; DROP TABLE--", "'; DROP TABLE--"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        (
            "\U0001f468\u200d\U0001f469\u200d\U0001f467",
            "\U0001f468\u200d\U0001f469\u200d\U0001f467",
        ),
        ("\u2764\ufe0f\u200d\U0001f525", "\u2764\ufe0f\u200d\U0001f525"),
        ("\U0001f44d\U0001f3fd", "\U0001f44d\U0001f3fd"),
        ("Bo \u2764\ufe0f", "Bo \u2764\ufe0f"),
        ("\u2714\ufe0e", "\u2714\ufe0e"),
        ("Bo 1\ufe0f\u20e3", "Bo 1\ufe0f\u20e3"),
        ("Bo \u2122\ufe0f", "Bo \u2122\ufe0f"),
        ("\U0001f1f8\U0001f1e8", "\U0001f1f8\U0001f1e8"),
        (
            "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
            "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
        ),
        ("이건우", "이건우"),
        ("x" * 64, "x" * 64),
    ],
)
def test_a_readable_name_is_stored_composed_and_trimmed(typed: str, stored: str) -> None:
    assert clean_name(typed) == stored


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("", "empty"),
        (" \t ", "empty"),
        ("x" * 65, "longer than 64"),
        ("An\u202ea", "direction"),
        ("An\u200ea", "direction"),
        ("An\u200ba", "invisible"),
        ("An\u200da", "invisible"),
        ("An\u00ada", "invisible"),
        ("Bo\ufe0f Berg", "invisible character .U.FE0F"),
        ("Bo\ufe0e", "invisible"),
        ("\ufe0fBo", "invisible"),
        ("Bo 1\ufe0f", "invisible"),
        ("Bo\ufe0f\u20e3", "invisible"),
        ("Bo \u2764\ufe0f\ufe0f", "invisible"),
        ("Bo\u180b Berg", "invisible"),
        ("\u845b\U000e0100", "invisible character .U.E0100"),
        ("\u3164", "invisible"),
        ("\u2800", "invisible"),
        ("An\na", "control"),
        ("An\u2028a", "control"),
        ("An\x00a", "control"),
        ("An\x1b[31ma", "control"),
        ("\ue000", "without a standard meaning"),
        ("\ud800", "without a standard meaning"),
        ("\ufffe", "without a standard meaning"),
        ("Z\u0335\u0322\u0353", "accents"),
        ("\u0301", "no visible characters"),
    ],
)
def test_a_name_nobody_could_read_is_refused_in_words(typed: str, words: str) -> None:
    with pytest.raises(NameProblem, match=words):
        clean_name(typed)


def test_a_name_of_a_game_is_kept_without_what_nobody_sees() -> None:
    assert readable_name("Bo\ufe0f B\u180berg \u2764\ufe0f") == "Bo Berg \u2764\ufe0f"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana  Ruiz", "ana ruiz"),
        ("STRASSE", "straße"),
        ("Ａｎａ", "ana"),
        ("Zoe\u0308", "zoë"),
        ("ﬁn", "FIN"),
    ],
)
def test_names_that_differ_by_case_space_or_form_are_one(one: str, other: str) -> None:
    assert fold_name(one) == fold_name(other)


def test_names_that_differ_by_a_letter_are_two() -> None:
    assert fold_name("Fredric") != fold_name("Fredrik")


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("'=1", "=1"),
        ("'+49", "+49"),
        ("'-", "-"),
        ("'@ana", "@ana"),
        ("''=1", "'=1"),
        ("'Ana", "'Ana"),
        ("O'=1", "O'=1"),
        ("'", "'"),
    ],
)
def test_exactly_one_apostrophe_of_our_export_is_taken_away(cell: str, text: str) -> None:
    assert without_formula_guard(cell) == text


@pytest.mark.parametrize("form", ["NFC", "NFKC", "NFKD"])
@pytest.mark.parametrize("marks", ["\u0301\u0316", "\u0344\u0316", "\u0f73", "\uff9e\u0334"])
def test_s15_marks_in_a_row_stay_so_few_that_putting_them_in_order_takes_no_time(
    form: str, marks: str
) -> None:
    text = normalized(form, "a" + marks * 1000)
    runs = [len(list(run)) for is_mark, run in groupby(text, unicodedata.combining) if is_mark]
    assert sum(runs) >= 1000 and max(runs) <= 90


@pytest.mark.parametrize(
    "text", ["e\u0301" * 50, "\u1f82" * 64, "\u0e01\u0e34\u0e48" * 40, "z" * 99]
)
def test_texts_of_people_are_normalized_as_ever(text: str) -> None:
    for form in ("NFC", "NFKC", "NFKD"):
        assert normalized(form, text) == unicodedata.normalize(form, text)


@pytest.mark.parametrize(
    ("name", "looks_like_one"),
    [
        ("Renée d'Arc", True),
        ("Bernd Schulze jun.", True),
        ("Hans Meier jr", True),
        ("Paul de Boer", True),
        ("ana ruiz", True),
        ("Bea by", False),
        ("bye", False),
    ],
)
def test_a_small_word_behind_a_capital_one_is_rather_a_slip(
    name: str, looks_like_one: bool
) -> None:
    assert looks_like_name(name) == looks_like_one
