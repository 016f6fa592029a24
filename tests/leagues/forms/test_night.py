"""The form of a night sheet."""

from __future__ import annotations

import pytest

from leagues.forms.night import SheetForm
from leagues.services.night_sheets import MAX_LETTERS
from tests.leagues.play import new_club

pytestmark = pytest.mark.django_db


def test_a_sheet_that_is_too_long_says_by_how_much() -> None:
    form = SheetForm(new_club(), {"text": "x" * (MAX_LETTERS + 5)})
    assert form.errors["text"] == ["Enter at most 40000 characters; there are 40005."]


def test_the_end_of_a_line_is_one_letter_however_browsers_send_it() -> None:
    club, lines = new_club(), "Ana - Bo\r\n" * 4
    form = SheetForm(club, {"text": lines + "x" * (MAX_LETTERS - 36)})
    assert "text" not in form.errors
    form = SheetForm(club, {"text": lines + "x" * (MAX_LETTERS - 35)})
    assert form.errors["text"] == ["Enter at most 40000 characters; there are 40001."]
