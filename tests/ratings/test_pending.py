from __future__ import annotations

import pytest
from pytest import approx

from ratings import Side, Unanswerable, create
from ratings.log import DAY
from ratings.systems.glicko2.period import compared

SIDES = {
    "elo": [Side(((1500.0, 3.0), (1700.0, 50.0)), ("a", "b")), Side(((1650.0, 9.0),), ("c",))],
    "zerosum": [Side(((0.1,), (0.9,)), ("a", "b")), Side(((0.2,),), ("c",))],
    "glicko2": [
        Side(((0.1, 0.5, 0.06, 0.0), (0.9, 0.8, 0.05, 0.0)), ("a", "b")),
        Side(((0.4, 0.3, 0.06, 0.0),), ("c",)),
    ],
    "trueskill": [Side(((25.0, 4.0), (31.0, 2.0)), ("a", "b")), Side(((40.0, 5.0),), ("c",))],
    "wenglin": [Side(((25.0, 4.0), (31.0, 2.0)), ("a", "b")), Side(((40.0, 5.0),), ("c",))],
}


@pytest.mark.parametrize("name", SIDES)
def test_a_duels_pending_loss_is_the_loss_of_the_duel(name):
    system = create(name)
    sides = [Side(side.states[:1], side.keys[:1]) for side in SIDES[name]]
    stored = system.pending(sides, "a", at=0)
    lost = next(seen for seen in system.preview(sides, at=0) if seen.ranks == (1, 0))
    assert system.forfeited(sides[0].states[0], stored, at=0).states[0][0] == approx(
        lost.states[0][0][0]
    )


@pytest.mark.parametrize("name", ["elo", "glicko2"])
def test_a_teams_pending_loss_is_the_members_share_of_it(name):
    system = create(name)
    stored = system.pending(SIDES[name], "a", at=0)
    lost = next(seen for seen in system.preview(SIDES[name], at=0) if seen.ranks == (1, 0))
    state = SIDES[name][0].states[0]
    assert system.forfeited(state, stored, at=0).states[0] == approx(lost.states[0][0])


ABSENCE = {
    "glicko2": [(0.4, 0.5, 0.06, 0.0), (0.9, 0.3, 0.05, 60.0 * DAY)],
    "glicko": [(0.4, 0.5, 0.2, 0.0), (0.9, 0.3, 0.2, 60.0 * DAY)],
    "trueskill": [(25.0, 3.0, 0.0), (25.0, 1.0, 60.0 * DAY)],
}


@pytest.mark.parametrize("name", ABSENCE)
def test_absence_counts_once_in_a_pending_loss(name):
    """Each had been away for a time of his own when the match started."""
    system = create(name, {"idle_variance": 0.5} if name == "trueskill" else {})
    sides = [Side((state,), (key,)) for state, key in zip(ABSENCE[name], "ab", strict=True)]
    at = 99 * DAY
    stored = system.pending(sides, "a", at)
    lost = next(seen for seen in system.preview(sides, at) if seen.ranks == (1, 0))
    assert system.forfeited(ABSENCE[name][0], stored, at).states[0] == approx(lost.states[0][0])


@pytest.mark.parametrize("name", ABSENCE)
def test_what_was_stored_stays_as_it_was_until_the_match_is_lost(name):
    system = create(name, {"idle_variance": 0.5} if name == "trueskill" else {})
    sides = [Side((state,), (key,)) for state, key in zip(ABSENCE[name], "ab", strict=True)]
    stored = system.pending(sides, "a", 70 * DAY)
    assert system.idle(stored, 400 * DAY) == stored


def test_a_pending_loss_in_a_later_period_takes_the_opponent_as_he_was_stored():
    """The player's own results of the former period are not the opponent's."""
    system = create("glicko2", {"period": "calendar", "period_days": 7})
    me = (0.4, 0.5, 0.06, 0.0, 0.0, 0.3, 0.2, 2.0)
    them = system.new_player()
    sides = [Side((me,), ("a",)), Side((them,), ("b",))]
    stored = system.pending(sides, "a", 2 * DAY)
    later = 8 * DAY
    lost = dict(zip(system.columns, system.forfeited(me, stored, later).states[0], strict=True))
    own = system.idle(me, later)[0]
    _, gain = compared(own, them[0], them[1], 0.0)
    assert lost["mean"] == own != me[0]
    assert (lost["played"], lost["gain"]) == (1.0, approx(gain))


@pytest.mark.parametrize("name", SIDES)
def test_a_forfeit_never_gains(name):
    system = create(name)
    for key in "ab":
        stored = system.pending(SIDES[name], key, at=0)
        state = SIDES[name][0].states["ab".index(key)]
        assert system.forfeited(state, stored, at=0).states[0][0] < state[0]


def test_systems_without_pending_matches_say_so():
    for name in ("becker", "static"):
        system = create(name)
        state = system.new_player()
        with pytest.raises(Unanswerable, match="left"):
            system.pending([Side((state,), (key,)) for key in "ab"], "a", at=0)
    three = [Side(((1500.0, 3.0),), (key,)) for key in "abc"]
    with pytest.raises(Unanswerable, match="two sides"):
        create("elo").pending(three, "a", at=0)
