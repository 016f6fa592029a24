"""What is no night: a sheet of very many lines, and one of very many that say nothing."""

from __future__ import annotations

import re

import pytest

from leagues.forms.night import MAX_LINES
from leagues.models import League, NightSheet
from leagues.pages.night import MAX_WRONG
from tests.leagues.page_texts import words_of
from tests.leagues.views.desk import Desk, singles_club

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> League:
    return singles_club()


@pytest.mark.parametrize("line", ["a:", '"', "@1", "x", "Ana > Bo"])
def test_more_lines_than_a_night_has_are_refused_before_they_are_read(kim: Desk, line: str) -> None:
    page = kim.send(f"{line}\n" * (MAX_LINES + 1), status=422, do="check")
    assert f"A night sheet has at most {MAX_LINES} lines. Import longer lists." in words_of(page)
    assert 'id="line-1"' not in page
    assert not NightSheet.objects.exists()


def test_blank_lines_are_no_lines(kim: Desk) -> None:
    page = kim.check(" \n" * (MAX_LINES + 1) + "Ana > Bo")
    assert f'id="line-{MAX_LINES + 2}"' in page


@pytest.mark.parametrize(
    ("more", "words"), [(1, "line to correct is"), (2, "lines to correct are")]
)
def test_of_lines_that_say_nothing_the_first_are_shown(kim: Desk, more: int, words: str) -> None:
    page = kim.check("x\n" * (MAX_WRONG + more) + "Ana > Bo")
    assert len(re.findall('id="line-', page)) == MAX_WRONG + 1
    assert f'id="line-{MAX_WRONG + more + 1}"' in page, "results are shown"
    assert f"{more} more {words} not shown." in words_of(page)
    assert f"{MAX_WRONG + more} lines to correct" in words_of(page)
    assert "not shown" not in words_of(kim.check("x\n" * MAX_WRONG))
