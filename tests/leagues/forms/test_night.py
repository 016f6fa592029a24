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
