"""Conditions on many ids."""

from __future__ import annotations

import pytest

from leagues.models import Player
from leagues.store.id_lists import Among
from tests.leagues.people import make_league, make_player

MORE_THAN_SQLITE_HAS_MARKS = 300_000


@pytest.mark.django_db
def test_only_rows_of_the_ids_are_found_however_many_ids_there_are():
    league = make_league()
    ana, bo = make_player(league, "ana"), make_player(league, "bo")
    make_player(league, "cy")
    others = range(10_000_000, 10_000_000 + MORE_THAN_SQLITE_HAS_MARKS)

    rows = Player.objects.filter(Among("pk", [ana.pk, *others, bo.pk]), league=league)

    assert sorted(rows.values_list("key", flat=True)) == ["ana", "bo"]
    assert not Player.objects.filter(Among("pk", [])).exists()
