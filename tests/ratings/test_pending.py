from __future__ import annotations

import pytest
from pytest import approx

from ratings import Side, Unanswerable, create

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
    assert system.forfeited(sides[0].states[0], stored, at=0)[0] == approx(lost.states[0][0][0])


@pytest.mark.parametrize("name", ["elo", "glicko2"])
def test_a_teams_pending_loss_is_the_members_share_of_it(name):
    system = create(name)
    stored = system.pending(SIDES[name], "a", at=0)
    lost = next(seen for seen in system.preview(SIDES[name], at=0) if seen.ranks == (1, 0))
    state = SIDES[name][0].states[0]
    assert system.forfeited(state, stored, at=0) == approx(lost.states[0][0])


@pytest.mark.parametrize("name", SIDES)
def test_a_forfeit_never_gains(name):
    system = create(name)
    for key in "ab":
        stored = system.pending(SIDES[name], key, at=0)
        state = SIDES[name][0].states["ab".index(key)]
        assert system.forfeited(state, stored, at=0)[0] < state[0]


def test_systems_without_pending_matches_say_so():
    sides = [Side(((1.0,),), ("a",)), Side(((2.0,),), ("b",))]
    for name in ("becker", "ladder"):
        with pytest.raises(Unanswerable, match="pending"):
            create(name).pending(sides, "a", at=0)
    three = [Side(((1500.0, 3.0),), (key,)) for key in "abc"]
    with pytest.raises(Unanswerable, match="two sides"):
        create("elo").pending(three, "a", at=0)
