from __future__ import annotations

import math
from datetime import date

import numpy as np
import pytest
from pytest import approx

from ratings import Unanswerable, create
from ratings.draws import DrawRate, rao_kupper
from ratings.evaluation import (
    evaluate,
    judge,
    losses,
    margin,
    predictions,
    predictions_of,
    table_before,
    tables_before,
    upsets,
)
from ratings.loading import load
from ratings.log import DAY
from ratings.registry import list_systems
from ratings.sidetable import SideTable, pairs_of
from ratings.system import Reach, Side
from tests.ratings.logs import duel_log, generated_log, herbrich, match_log
from tests.shared_data import shared_data

PREDICTING = [info.name for info in list_systems() if info.reach is not Reach.BATCH]

HERBRICH = [
    # mode, system, strict prediction error reached, published
    ("headtohead", "elo", 33.41, 33.24),
    ("headtohead", "trueskill", 32.37, 32.44),
    ("largeteam", "elo", 39.37, 39.49),
    ("largeteam", "trueskill", 38.40, 38.15),
]


FIGURES = (
    "log_loss",
    "brier",
    "accuracy",
    "prediction_error",
    "prediction_error_strict",
    "log_loss_3",
)


@pytest.mark.parametrize(("mode", "name", "reached", "published"), HERBRICH)
def test_the_published_evaluation_of_trueskill_is_reproduced(mode, name, reached, published):
    system, replay = herbrich(mode, name)
    found = judge(system, replay.log, predictions_of(system, replay))
    assert 100 * found.prediction_error_strict == approx(reached, abs=0.006)
    assert 100 * found.prediction_error_strict == approx(published, abs=0.5)


def test_a_pair_is_predicted_before_it_is_rated():
    log = duel_log([("a", "b", 1.0), ("a", "b", 1.0)])
    elo = create("elo")
    made = predictions(elo, log)
    assert made.chance.tolist() == approx([0.5, elo.expected(40.0)])
    found = evaluate(elo, log)
    assert found.log_loss == approx(-(math.log(0.5) + math.log(elo.expected(40.0))) / 2)
    assert found.prediction_error == 0.25
    assert found.prediction_error_strict == 0.5
    assert evaluate(elo, log, score_from=1).matches == 1


def test_the_pairs_of_a_match_weigh_one_together_and_draws_do_not_count():
    log = match_log([{"sides": [["a"], ["b"], ["c"]], "ranks": (0, 1, 1)}])
    one, other, weight = pairs_of(log)
    assert (one.tolist(), other.tolist()) == ([0, 0, 1], [1, 2, 2])
    assert weight.tolist() == approx([1 / 3] * 3)
    assert evaluate(create("elo"), log).log_loss == approx(math.log(2))


@pytest.mark.parametrize("name", [name for name in PREDICTING if name != "ladder"])
def test_predictions_of_a_log_are_those_of_predict(name):
    log = generated_log(matches=60)
    system = create(name)
    log, _ = log.without([match for match, _ in system.refusals(log)])
    made = predictions(system, log)
    replay = system.replay(log)
    before = replay.before
    before[np.isnan(before).all(axis=1)] = system.new_player()
    for one, other, match, chance in zip(
        made.one.tolist(), made.other.tolist(), made.match.tolist(), made.chance, strict=True
    ):
        sides = []
        for side in (one, other):
            members = range(log.member_start[side], log.member_start[side + 1])
            sides.append(
                Side(
                    tuple(tuple(before[member]) for member in members),
                    tuple(log.keys[log.player[member]] for member in members),
                    float(log.handicap[side]),
                    tuple(log.share[member] for member in members),
                )
            )
        predicted = system.predict(sides, int(log.at[match]), int(log.day[match]))
        assert predicted.expected[0] == approx(chance, abs=1e-12)


@pytest.mark.parametrize("name", PREDICTING)
@pytest.mark.parametrize("at_once", [1, 7, 1000])
def test_what_stood_before_is_the_same_a_few_matches_at_a_time(name, at_once):
    log = generated_log(matches=60)
    system = create(name)
    log, _ = log.without([match for match, _ in system.refusals(log)])
    replay = system.replay(log)
    whole = table_before(system, replay)
    parts = list(tables_before(system, replay, at_once))
    assert np.array_equal(np.concatenate([part.states for part in parts]), whole.states, True)
    assert [key for part in parts for key in part.log.player] == log.player.tolist()


def test_a_system_that_rates_at_once_predicts_nothing_before():
    with pytest.raises(Unanswerable, match="at once"):
        evaluate(create("static"), generated_log(matches=5))


def test_draws_are_predicted_from_the_earlier_matches():
    p = np.array([0.5, 0.5, 0.5, 0.9])
    win, draw = rao_kupper(p, np.array([False, True, False, False]))
    assert draw[:2].tolist() == [0.0, 0.0]
    c = 2 / (2 + 20)
    nu = (1 + c) / (1 - c)
    assert win[2] == approx(1 / (1 + nu))
    assert draw[2] == approx(1 - 2 / (1 + nu))
    assert draw[3] < draw[2]
    rate = DrawRate().with_match(0.5, False).with_match(0.5, True)
    assert rate.split(0.5) == approx((win[2], draw[2], win[2]))
    sides = [Side(((1500.0, 9.0),), (key,)) for key in "ab"]
    assert create("elo").predict(sides, at=0, draws=rate).draw == approx(draw[2])
    assert create("elo").predict(sides, at=0).draw == 0.0


def test_loading_counts_what_is_not_rated():
    path = shared_data("tennis/atp_singles.csv.gz")
    loaded = load(path, zone="UTC", dates=None, today=date(2026, 11, 21))
    walkovers, abandoned, self_matches = 1_273, 37, 3
    assert (loaded.unrated, len(loaded.bad)) == (walkovers + abandoned, self_matches)
    assert len(loaded.log) == 194_996 - walkovers - abandoned - self_matches


def test_states_are_summed_side_by_side():
    log = match_log([{"at": DAY, "sides": [[("a", 0.5), "b"], ["c"]], "ranks": (0, 1)}])
    table = SideTable(log, np.array([[10.0], [40.0], [7.0]]))
    assert table.size.tolist() == [1.5, 1.0]
    assert table.mean(0).tolist() == [30.0, 7.0]
    assert table.total_of(table.states[:, 0], power=2).tolist() == [42.5, 7.0]
    assert table.day().tolist() == [1, 1]


def test_a_margin_is_the_difference_of_the_losses_and_smaller_than_the_doubt_of_either():
    log = generated_log(seed=3, matches=400)
    one, other = create("glicko2"), create("elo")
    made = predictions(one, log), predictions(other, log)
    losses_of = [losses(log, each) for each in made]
    found = margin(*losses_of)
    singly = [judge(system, log, each) for system, each in zip((one, other), made, strict=True)]
    assert found.mean == approx(singly[0].log_loss - singly[1].log_loss)
    scored = losses_of[0].weight > 0
    assert found.matches == scored.sum()
    alone = losses_of[0].total[scored] / losses_of[0].weight[scored]
    assert 0 < found.error < alone.std() / math.sqrt(found.matches)
    assert margin(losses_of[1], losses_of[0]).mean == -found.mean


def test_a_margin_needs_two_matches_that_both_systems_scored():
    log = duel_log([("a", "b", 1.0), ("a", "b", 0.5)])
    mine = losses(log, predictions(create("elo"), log))
    assert mine.weight.tolist() == [1.0, 0.0]
    assert margin(mine, mine) is None


def test_the_greatest_upsets_are_the_wins_least_expected():
    log = duel_log([("a", "b", 1.0)] * 5 + [("a", "b", 0.0), ("a", "b", 0.5), ("b", "a", 1.0)])
    made = predictions(create("elo"), log)
    found = upsets(log, made, 3)
    assert [match for match, _expected in found] == [5, 7]
    assert found[0][1] == approx(made.chance[5])
    assert upsets(log, made, 1) == found[:1]


def test_players_who_bring_a_rating_are_predicted_from_it():
    elo = create("elo")
    log = duel_log([("a", "b", 1.0)])
    start = np.array([[1700.0, 50.0], [1500.0, 50.0]])
    made = predictions(elo, log, start=start)
    assert made.chance.tolist() == approx([elo.expected(200.0)])


NOTHING = {
    "matches before a day without any": (duel_log([("a", "b", 1.0)] * 3), 3),
    "no matches": (duel_log([("a", "b", 1.0)]).without([0])[0], 0),
    "draws among three": (match_log([{"sides": [["a"], ["b"], ["c"]], "ranks": (0, 0, 0)}]), 0),
}


@pytest.mark.parametrize("name", PREDICTING)
@pytest.mark.parametrize("case", NOTHING)
def test_nothing_to_judge_by_is_no_perfect_score(name, case):
    log, score_from = NOTHING[case]
    found = evaluate(create(name), log, score_from=score_from)
    assert found.matches == len(log) - score_from
    for figure in FIGURES:
        assert getattr(found, figure) is None
    assert found.calibration == ()


def test_draws_alone_are_judged_by_the_chances_of_three():
    log = duel_log([("a", "b", 0.5)] * 4)
    found = evaluate(create("trueskill", {"draw_probability": 0.3}), log)
    assert found.log_loss is None and found.accuracy is None
    assert 0.5 < found.log_loss_3 < 2.0


def test_an_order_is_judged_without_probabilities():
    log = duel_log([("a", "b", 1.0), ("a", "b", 1.0), ("b", "a", 1.0)])
    found = evaluate(create("ladder"), log)
    assert found.accuracy == 0.5 and found.prediction_error_strict == approx(2 / 3)
    assert found.log_loss is None and found.brier is None and found.log_loss_3 is None
    assert found.calibration == ()


def test_what_players_bring_counts_in_the_chances_of_a_draw_too():
    system = create("trueskill", {"size_advantage": 0.5})
    log = generated_log(seed=4, matches=200, players=10, most_sides=2)
    source = np.random.default_rng(1)
    start = np.column_stack((source.normal(25, 8, 10), source.uniform(1, 3, 10)))
    made = predictions(system, log, start=start)
    before = system.replay(log, start).before
    losses_3 = []
    for match in range(len(log)):
        sides, ranks = [], []
        for side in (2 * match, 2 * match + 1):
            members = range(log.member_start[side], log.member_start[side + 1])
            ranks.append(log.rank[side])
            sides.append(
                Side(
                    tuple(tuple(before[member]) for member in members),
                    tuple(log.keys[log.player[member]] for member in members),
                    float(log.handicap[side]),
                    tuple(log.share[member] for member in members),
                )
            )
        predicted = system.predict(sides, int(log.at[match]))
        happened = predicted.draw if ranks[0] == ranks[1] else predicted.win
        losses_3.append(-math.log(max(happened, 1e-9)))
    assert judge(system, log, made).log_loss_3 == approx(np.mean(losses_3), abs=1e-9)


def test_newcomers_are_predicted_at_the_mean_of_a_board_that_has_moved():
    log = duel_log([("a", "b", 1.0)])
    start = np.array([[np.nan], [5.0]])
    made = predictions(create("zerosum"), log, start=start, board=(5.0, 1.0, 0.0))
    assert made.chance.tolist() == [0.5]
