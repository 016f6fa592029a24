from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from pytest import approx

from ratings import Side, Unanswerable, create
from ratings.log import EventKind, Events, MatchLog
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


def counted(wins):
    """Do `encounters` with one event for all times that i scored against j."""
    wins = np.asarray(wins, dtype=np.float64)
    one, other = np.nonzero(wins)
    n = len(wins)
    events = Events(
        match=np.zeros(len(one), dtype=np.int64),
        kind=np.full(len(one), EventKind.FRAG),
        actor=one,
        target=other,
        value=wins[one, other],
    )
    whole = np.arange(n)
    log, _ = MatchLog.build(
        keys=[f"{index:02}" for index in range(n)],
        at=[0],
        match=np.zeros(n, dtype=np.int64),
        side=whole,
        rank=whole,
        player=whole,
        events=events,
    )
    return log


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


BASEBALL = [
    [0, 7, 9, 7, 7, 9, 11],
    [6, 0, 7, 5, 11, 9, 9],
    [4, 6, 0, 7, 7, 8, 12],
    [6, 8, 6, 0, 6, 7, 10],
    [6, 2, 6, 7, 0, 7, 12],
    [4, 4, 5, 6, 6, 0, 6],
    [2, 4, 1, 3, 1, 7, 0],
]
"""The American League East of 1987 (Agresti, Categorical Data Analysis, table 10.10)."""


@pytest.mark.parametrize("order", [range(7), (1, 3, 2, 5, 4, 6, 0), (2, 1, 6, 3, 4, 5, 0)])
def test_bradley_terry_without_a_penalty_agrees_with_agresti_in_any_order(order):
    wins = np.array(BASEBALL)[np.ix_(order, order)]
    theta = strengths(static(method="bradley-terry", alpha=0), encounters(wins))
    published = np.array([1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0.0])[list(order)]
    assert (theta - theta.min()).round(2).tolist() == published.tolist()


def is_connected(wins):
    """Say whether everybody can be reached from everybody by wins, so that a maximum exists."""
    reach = np.eye(len(wins)) + (wins > 0)
    return (np.linalg.matrix_power(reach, len(wins)) > 0).all()


def random_wins(source, kind):
    """Draw who beat whom how often: everybody at random, or two groups that hardly met."""
    players = int(source.integers(3, 12))
    wins = source.integers(0, int(source.choice([2, 4, 13, 40])), size=(players, players))
    if kind == "one upset":
        # All but one match of the two groups went the same way.
        half = int(source.integers(1, players))
        wins[:half, half:] = wins[half:, :half] = 0
        wins[0, half] = source.choice([1, 30, 1000])
        wins[half, 0] = 1
    elif kind == "one sided":
        wins = wins * source.choice([0, 1, 1000], size=wins.shape)
    elif kind == "weighted":
        wins = wins * source.choice([0.1, 0.3, 1e-3, 7.7], size=wins.shape)
    np.fill_diagonal(wins, 0)
    return wins.astype(np.float64)


def maximum(wins):
    """Find the likelihood's maximum on its own: dense Newton steps, the first strength fixed."""
    theta = np.zeros(len(wins))

    def likelihood(theta):
        return -(wins * np.logaddexp(0.0, theta[None, :] - theta[:, None])).sum()

    for _ in range(200):
        lose = 1.0 / (1.0 + np.exp(theta[:, None] - theta[None, :]))
        slope = (wins * lose).sum(axis=1) - (wins * lose).sum(axis=0)
        curve = (wins + wins.T) * lose * lose.T
        hessian = np.diag(curve.sum(axis=1)) - curve
        step = np.zeros(len(wins))
        step[1:] = np.linalg.solve(hessian[1:, 1:], slope[1:])
        size = 1.0
        while likelihood(theta + size * step) < likelihood(theta) and size > 1e-9:
            size *= 0.5
        theta = theta + size * step
        if np.abs(step).max() < 1e-12:
            break
    return theta - theta.mean(), hessian


@pytest.mark.parametrize("kind", ["any", "one upset", "one sided", "weighted"])
def test_bradley_terry_without_a_penalty_settles_wherever_there_is_a_maximum(kind):
    source = np.random.default_rng(5)
    system = static(method="bradley-terry", alpha=0)
    settled = 0
    while settled < 60:
        wins = random_wins(source, kind)
        if not is_connected(wins):
            continue
        final = system.replay(counted(wins)).final
        expected, hessian = maximum(wins)
        assert final[:, 0] == approx(expected, rel=1e-7, abs=1e-8)
        deviation = np.sqrt(np.diag(np.linalg.inv(hessian + 1.0 / len(wins))))
        assert final[:, 4] == approx(deviation, rel=1e-6)
        settled += 1


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
            assert "converge" in str(problem)
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
        with pytest.raises(Unanswerable, match="between two players"):
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
