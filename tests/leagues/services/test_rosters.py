"""The players whom results name, and those they bring."""

from __future__ import annotations

import pytest

from leagues.models import Player
from leagues.services.rosters import Roster
from tests.leagues.play import new_club

pytestmark = pytest.mark.django_db


def test_whoever_comes_back_is_meant_by_all_keys_and_alone():
    club = new_club()
    gone = Player.objects.create(league=club, key="ana", name="Ana", folded="ana", is_listed=False)
    Player.objects.create(
        league=club, key="anna", name="Anna", folded="anna", is_listed=False, merged_into=gone
    )
    other = Player.objects.create(league=club, key="bo", name="Bo", folded="bo", is_listed=False)
    roster = Roster.of_league(club)
    assert roster.meant_by(name="Ana", key="anna") == ()
    assert roster.bring(name="Anna", key="anna") == gone
    assert roster.returning == [gone]
    for key in ("ana", "anna"):
        assert roster.meant_by(name="any", key=key) == (gone,)
    assert roster.bring(name="Bo") == other
    assert (roster.returning, roster.fresh) == ([gone, other], [])


def test_a_key_that_somebody_has_gets_the_first_free_number():
    club = new_club()
    for key in ("ana", "ana-2", "ana-4"):
        Player.objects.create(league=club, key=key, name=f"No {key}", folded=f"no {key}")
    roster = Roster.of_league(club)
    brought = [roster.bring(name=name) for name in ("Ana", "Ána", "Anà")]
    assert [player.key for player in brought] == ["ana-3", "ana-5", "ana-6"]
    roster.forget(1)
    assert roster.bring(name="Ana!").key == "ana-5"
