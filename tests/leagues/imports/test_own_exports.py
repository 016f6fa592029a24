"""A league's own files on the import pages, as an organizer sends and confirms them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from leagues.jobs.runner import drain
from leagues.models import League
from leagues.pages.meanings import meaning_groups
from leagues.services.started_matches import lose_overdue
from ratings.files.meanings import Meaning
from tests.leagues.imports.sender import Sender
from tests.leagues.imports.test_round_trip import FORMATS, assert_same, export
from tests.leagues.play import START, new_club, record, result
from tests.leagues.services.test_started_matches import start

pytestmark = pytest.mark.django_db


def with_starts(league: League) -> League:
    """A league without draws that has a result, a lost match and one that has just begun."""
    record(league, result(league, "Ana", "Bo", scores=(3, 1)))
    start(league, "Ana", "Cy", at=START + timedelta(days=3))
    lose_overdue(timezone.now())
    start(league, "Bo", "Cy", at=timezone.now() - timedelta(minutes=5))
    drain()
    return league


def test_each_meaning_of_a_column_can_be_chosen_once() -> None:
    """One that no list offers would be lost when the page is sent, for “ignore” is its first."""
    offered = [value for group in meaning_groups() for value, _words in group.options]
    assert sorted(offered) == sorted(Meaning)


@pytest.mark.parametrize("name", FORMATS)
def test_started_matches_are_imported_as_the_check_has_shown_them(kim: Sender, name: str) -> None:
    League.objects.update(draws_allowed=False)
    kim.league.refresh_from_db()
    league = with_starts(new_club("origin", draws_allowed=False))
    address = kim.checked(export(league, name), name=name)
    assert "Import 3 results" in kim.page(address)
    assert "3 results imported" in kim.pressed(address)
    assert_same(league, kim.league)
