from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from pytest import approx

from ratings import Side, Unanswerable, create
from ratings.log import EventKind, MatchLog
from ratings.system import Level
from ratings.systems.static import MOST_COMPARED
from tests.ratings.logs import GOLDEN, generated_events, generated_log, match_log

BRADLEY_TERRY = json.loads((GOLDEN / "bradley_terry.json").read_text())["cases"]
ALL = {"least_events": 0, "least_opponents": 0}


def static(**settings):
    return create("static", ALL | settings)


def encounters(wins, suicides=()):
    """Build a log of one long match in which i scored wins[i][j] times against j."""
    keys = [f"{index:02}" for index in range(len(wins))]
    events = [
        (0, EventKind.FRAG, keys[i], keys[j])
        for i, row in enumerate(wins)
        for j, count in enumerate(row)
        for _ in range(int(count))
    ]
    events += [(0, EventKind.SUICIDE, keys[i], None) for i in suicides]
    match = {"sides": [[key] for key in keys], "ranks": list(range(len(keys)))}
    return match_log([match], events=events)


def strengths(system, log):
    return system.replay(log).final[:, 0]


@pytest.mark.parametrize("case", BRADLEY_TERRY)
def test_bradley_terry_agrees_with_the_vector(case):
    alpha = case["in"].get("alpha", 0.0)
    theta = strengths(static(method="bradley-terry", alpha=alpha), encounters(case["in"]["wins"]))
    if "strength" in case["out"]:
        assert np.exp(theta) == approx(case["out"]["strength"], abs=case["tol"])
    else:
        assert theta == approx(case["out"]["log_strength"], abs=case["tol"])


def test_the_undefeated_are_refused_without_a_penalty():
    log = encounters([[0, 2], [0, 0]])
    with pytest.raises(Unanswerable, match="infinite"):
        static(method="bradley-terry", alpha=0).replay(log)
    assert np.isfinite(strengths(static(method="bradley-terry"), log)).all()


@pytest.mark.parametrize("alpha", [1e-3, 1e-12, 1e-100])
def test_a_penalty_however_small_keeps_the_undefeated_finite_or_says_it_does_not_settle(alpha):
    system = static(method="bradley-terry", alpha=alpha)
    for wins in ([[0, 2], [0, 0]], [[0, 5, 5], [0, 0, 2], [0, 1, 0]], [[0, 3], [2, 0]]):
        try:
            final = system.replay(encounters(wins)).final
        except Unanswerable as problem:
            assert "settle" in str(problem)
            continue
        assert np.isfinite(final).all()
        assert final[0, 0] > final[1, 0]


def test_the_deviation_is_that_of_the_dense_hessian():
    """Two players, three wins to two: p(1 - p) times five matches, and the penalty."""
    final = static(method="bradley-terry", alpha=0.5).replay(encounters([[0, 3], [2, 0]])).final
    p = 1.0 / (1.0 + math.exp(final[1, 0] - final[0, 0]))
    curvature = 5 * p * (1 - p)
    inverse = np.linalg.inv([[curvature + 1, -curvature], [-curvature, curvature + 1]])
    assert final[:, 4] == approx(np.sqrt(np.diag(inverse)), rel=1e-12)


def test_bradley_terry_says_how_many_it_can_compare():
    n = MOST_COMPARED + 1
    log, _ = MatchLog.build(
        keys=[f"{index:05}" for index in range(n)],
        at=np.arange(n - 1),
        match=np.repeat(np.arange(n - 1), 2),
        side=np.tile([0, 1], n - 1),
        rank=np.tile([0, 1], n - 1),
        player=np.stack((np.arange(n - 1), np.arange(1, n)), axis=1).ravel(),
    )
    with pytest.raises(Unanswerable, match="at most 5,000 players"):
        static(method="bradley-terry").replay(log)
    assert np.isfinite(static(method="average").replay(log).final).all()


def test_the_average_counts_the_player_himself():
    """Where all have met, it is the exact minimiser of the unweighted differences."""
    average = strengths(static(method="average"), encounters([[0, 3, 1], [1, 0, 2], [1, 2, 0]]))
    assert average == approx([(0.5 + 0.0) / 3, (-0.5 + 0.0) / 3, 0.0])


def test_exact_strengths_minimise_the_weighted_squares():
    log = generated_events(matches=60)
    system = static()
    g = strengths(system, log)
    won = system.encounters(log).won.toarray()
    met = won + won.T

    def loss(values):
        d = np.divide(won - won.T, met, out=np.zeros_like(met), where=met > 0)
        gaps = values[:, None] - values[None, :]
        return float((met * np.square(gaps - d)).sum())

    for who in range(len(g)):
        for step in (-1e-4, 1e-4):
            moved = g.copy()
            moved[who] += step
            assert loss(moved) >= loss(g)
    assert g.sum() == approx(0.0, abs=1e-9)


def test_suicides_are_ignored_subtracted_or_distributed():
    wins = [[0, 2, 2], [2, 0, 2], [2, 2, 0]]
    log = encounters(wins, suicides=[0, 0])
    assert strengths(static(), log) == approx([0, 0, 0], abs=1e-9)
    assert strengths(static(suicides="subtract"), log) == approx([-0.2, 0, 0], abs=1e-9)
    distributed = strengths(static(suicides="distribute", method="average"), log)
    assert distributed == approx([-2 * 0.2 / 3, 0.2 / 3, 0.2 / 3])


def test_the_core_names_who_was_dropped_and_why():
    log = encounters([[0, 5, 5, 1], [5, 0, 5, 0], [5, 5, 0, 0], [0, 0, 0, 0]])
    system = create("static", {"least_events": 5, "least_opponents": 2})
    (dropped,) = system.dropped(log)
    assert dropped.key == "03" and "0 opponents" in dropped.reason
    assert np.isnan(system.replay(log).final[3]).all()


def test_dropping_one_may_drop_the_next():
    chain = [[0, 9, 0, 0], [9, 0, 9, 0], [0, 9, 0, 9], [0, 0, 9, 0]]
    system = create("static", {"least_events": 5, "least_opponents": 2})
    assert len(system.dropped(encounters(chain))) == 4


def test_matches_without_events_count_once_for_each_opposed_pair_and_draws_half():
    log = match_log(
        [
            {"sides": [["a", "b"], ["c"]], "ranks": (0, 1)},
            {"sides": [["a"], ["c"]], "ranks": (0, 0), "weight": 3.0},
        ]
    )
    won = static().encounters(log).won.toarray()
    assert won.tolist() == [[0, 0, 2.5], [0, 0, 1], [1.5, 0, 0]]


def test_a_match_without_a_frag_counts_by_its_ranks():
    match = {"sides": [["a"], ["b"]], "ranks": (0, 1)}
    events = [(0, EventKind.CAPTURE, "a", None), (0, EventKind.SUICIDE, "b", None)]
    found = static().encounters(match_log([match], events=events))
    assert found.won.toarray().tolist() == [[0, 1], [0, 0]]
    assert found.suicides.tolist() == [0, 1]


def test_players_without_a_chain_of_opponents_are_not_compared():
    log = match_log(
        [{"sides": [["a"], ["b"]], "ranks": (0, 1)}, {"sides": [["c"], ["d"]], "ranks": (0, 1)}]
    )
    system = static()
    final = [tuple(row) for row in system.replay(log).final.tolist()]
    sides = [Side((state,), (key,)) for state, key in zip(final, "abcd", strict=True)]
    assert system.predict(sides[:2], at=0).win == 0.99
    with pytest.raises(Unanswerable, match="chain"):
        system.predict([sides[0], sides[2]], at=0)


def test_who_never_played_or_was_dropped_is_compared_with_nobody():
    system = static()
    log = match_log([{"sides": [["a"], ["b"]], "ranks": (0, 1)}])
    known = Side((tuple(system.replay(log).final[0].tolist()),), ("a",))
    unseen, new = (Side((state,), ("n",)) for state in ((math.nan,) * 4, system.new_player()))
    other = replace(unseen, keys=("o",))
    for sides in ([known, unseen], [known, new], [unseen, other], [new, other]):
        for question in (system.predict, system.quality):
            with pytest.raises(Unanswerable, match="placed"):
                question(sides, 0)


def test_static_strengths_say_nothing_of_teams():
    system = static()
    team = Side(((0.5, 9.0, 2.0, 0.0), (0.1, 9.0, 2.0, 0.0)), ("a", "b"))
    for question in (system.predict, system.quality):
        with pytest.raises(Unanswerable, match="two players only"):
            question([team, replace(team, keys=("c", "d"))], 0)


def test_the_order_of_matches_does_not_matter():
    log = generated_log(matches=80)
    backward, _ = log.without([])
    assert strengths(static(), backward) == approx(strengths(static(), log))


def test_only_the_likelihood_has_an_interval_and_events_make_it_sure():
    log = encounters([[0, 20], [15, 0]])
    shown = static(method="bradley-terry").display_many(
        static(method="bradley-terry").replay(log).final
    )
    assert (shown.low < shown.value).all() and shown.decimals == 0
    exact = static()
    state = tuple(exact.replay(log).final[0].tolist())
    assert exact.display(state).low is None
    assert exact.display(state).value == approx(100 * (1 + 5 / 35 / 2) / 2)
    confidence = exact.confidence(state, 1)
    assert confidence.level is Level.SURE
    assert (confidence.matches, confidence.events, confidence.opponents) == (1, 35, 1)
