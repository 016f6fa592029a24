"""By what rows of files are known."""

from __future__ import annotations

import hashlib

import pytest

from leagues.models import Match, Revision
from leagues.services.import_ids import SeenRows, StoredIds, source_of
from leagues.services.matches import revert_revision
from tests.leagues.play import mode_of, new_club, season_of
from tests.leagues.services.test_imports import EVENING, take

ONE, OTHER = (hashlib.sha256(word).hexdigest() for word in (b"one", b"other"))


def test_equal_rows_without_ids_are_counted():
    seen = SeenRows()
    ids = [seen.id_of(content) for content in (ONE, OTHER, ONE, ONE)]
    assert ids == [f"row:{ONE[:40]}:1", f"row:{OTHER[:40]}:1"] + [
        f"row:{ONE[:40]}:{number}" for number in (2, 3)
    ]
    assert [seen.is_repeat(one, ONE, is_given=False) for one in (ids[0], ids[3])] == [None, None]


def test_a_row_with_an_id_repeats_an_earlier_one_or_contradicts_it():
    seen = SeenRows()
    said = [("m1", ONE), ("m2", ONE), ("m1", ONE), ("m1", OTHER), ("m1", ONE)]
    answers = [seen.is_repeat(name, content, is_given=True) for name, content in said]
    assert answers == [None, None, True, False, True]


@pytest.mark.parametrize("content", [ONE, OTHER])
def test_an_id_that_looks_as_if_it_was_made_is_that_of_the_row(content):
    made_first, given_first = SeenRows(), SeenRows()
    made = made_first.id_of(ONE)
    assert made_first.is_repeat(made, content, is_given=True) is (content == ONE)
    assert given_first.is_repeat(made, content, is_given=True) is None
    assert given_first.is_repeat(given_first.id_of(ONE), ONE, is_given=False) is (content == ONE)


def test_a_row_that_contradicts_the_one_its_id_was_made_from_is_no_row_to_repeat():
    seen = SeenRows()
    made = seen.id_of(ONE)
    assert [seen.is_repeat(made, OTHER, is_given=True) for _ in range(2)] == [False, False]
    assert seen.is_repeat(made, ONE, is_given=True) is True


@pytest.mark.parametrize(
    "name", ["row:", "row:1", "row:zz:1", f"row:{ONE[:40]}:2", f"row:{ONE[:40]}:01", "row::1"]
)
def test_other_ids_are_nobodys(name):
    seen = SeenRows()
    seen.id_of(ONE)
    assert seen.is_repeat(name, ONE, is_given=True) is None


@pytest.mark.django_db
def test_stored_matches_are_found_by_their_ids(django_assert_num_queries):
    club = new_club()
    season, source = season_of(club), source_of(mode_of(club))
    empty = StoredIds(season, source)
    take(club, EVENING)
    with django_assert_num_queries(0):
        assert empty.read(["any"]) == {}
    ids = dict(Match.objects.values_list("external_id", "pk"))
    stored = StoredIds(season, source)
    with django_assert_num_queries(1):
        known = stored.read([*ids, "none of them"])
    assert {name: one.match_id for name, one in known.items()} == ids
    assert not any(one.was_undone for one in known.values())
    revert_revision(revision=Revision.objects.get(), author=None)
    assert all(one.was_undone for one in StoredIds(season, source).read(ids).values())
