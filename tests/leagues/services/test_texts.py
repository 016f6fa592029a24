from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError

from leagues.services.errors import Refused
from leagues.services.matches import void_match
from leagues.services.texts import clean_label, clean_text
from leagues.services.tokens import create_token
from tests.leagues.play import new_club, record, result

UNSEEN = [
    "a\x00",
    "a\x07",
    "a\x85b",
    "a\u2028b",
    "a\u202eb",
    "a\u200bb",
    "\u3164",
    "a\ue000",
    "\ud800",
]


@pytest.mark.parametrize("text", UNSEEN)
def test_what_nobody_can_see_is_refused_in_names_and_texts(text):
    with pytest.raises(ValidationError):
        clean_label(text)
    with pytest.raises(ValidationError):
        clean_text(text, most=200)


@pytest.mark.parametrize("text", ["\u200d", "a\nb", "a\tb", "x" * 201])
def test_a_line_is_one_line_that_shows_something_and_is_not_cut(text):
    with pytest.raises(ValidationError):
        clean_text(text, most=200)


@pytest.mark.parametrize(
    "text",
    ["", "21–18, 19–21", "بازی\u200cها", "\U0001f468\u200d\U0001f469", "نتيجة", "é"],
)
def test_what_can_be_read_stays_as_it_is(text):
    assert clean_text(text, most=200) == text


def test_a_flag_of_a_country_without_letters_of_its_own_is_one_picture():
    flag = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
    assert clean_text(flag, most=200) == flag


def test_texts_are_stored_composed_and_trimmed():
    assert clean_text("  e\u0301 ", most=200) == "é"
    assert clean_text("one\r\ntwo\n", most=200, lines=True) == "one\ntwo"


@pytest.mark.django_db
def test_no_door_takes_a_reason_that_cannot_be_shown():
    league = new_club()
    match = record(league, result(league, "Ana", "Bo"))[0]
    for reason in ("a\u202eb", "x" * 201):
        with pytest.raises(Refused) as refused:
            void_match(match=match, author=None, reason=reason)
        assert refused.value.codes == {"reason"}
    with pytest.raises(ValidationError):
        create_token(league=league, name="\u3164", scope="read", actor=None)
