from __future__ import annotations

from datetime import date

import numpy as np
import pytest
from pytest import approx

from ratings import ParameterError, Unanswerable, create
from ratings.evaluation import evaluate
from ratings.fitting import fit
from ratings.log import MatchLog
from tests.ratings import logs
from tests.ratings.logs import duel_log, generated_log


def test_fitting_leaves_the_held_out_matches_alone():
    log = generated_log(matches=250, most_sides=2, most_members=1)
    found = fit("elo", log, over=["k0", "k"])
    assert found.fitted_on == 200 and found.held_out == 50
    assert found.log_loss_after <= found.log_loss_before
    changed = turned_round(log, 200)
    assert fit("elo", changed, over=["k0", "k"]).parameters == found.parameters


def turned_round(log, first):
    """Return the same log with the results of the matches from a position on turned round."""
    rank = log.rank.copy()
    rank[log.side_start[first] :] *= -1
    return MatchLog.build(
        keys=log.keys,
        at=log.at,
        day=log.day,
        weight=log.weight,
        match=log.match_of(),
        side=log.side_of(),
        rank=rank[log.side_of()],
        handicap=log.handicap[log.side_of()],
        player=log.player,
        share=log.share,
    )[0]


ATP_BARS = [
    ("elo", {}, ["k0", "games", "k"], 0.6105),
    ("glicko2", {"preset": "glickman", "deviation": 350}, ["deviation", "match_periods"], 0.6130),
    ("trueskill", {"draw_probability": 0}, ["sigma", "tau"], 0.6130),
]


@pytest.mark.parametrize(("name", "settings", "over", "bar"), ATP_BARS)
def test_tennis_since_2000_is_predicted_by_what_was_fitted_before(name, settings, over, bar):
    log = logs.atp(10**9)
    first = int(np.searchsorted(log.day, (date(2000, 1, 1) - date(1970, 1, 1)).days))
    found = fit(name, log, over=over, parameters=settings, first_held_out=first)
    assert found.held_out_after.log_loss <= bar


REFUSED = [
    ("elo", {}, ["nonsense"], "nonsense: there is no such parameter"),
    ("elo", {}, ["curve"], "curve: is not a number, so it cannot be fitted"),
    ("elo", {}, ["k", ""], "over: there is no such parameter"),
    ("elo", {}, ["k", "k"], "k: is listed twice"),
    ("elo", {}, ["floor"], "floor: has no value to start the search from; set one"),
    ("elo", {}, [], "over: Elo has no parameters to fit, or none were named"),
    ("ladder", {}, (), "over: Ladder has no parameters to fit"),
    ("static", {}, (), "over: Static has no parameters to fit"),
]


@pytest.mark.parametrize(("name", "settings", "over", "words"), REFUSED)
def test_what_cannot_be_fitted_is_refused_in_words(name, settings, over, words):
    log = generated_log(matches=20, most_sides=2, most_members=1)
    with pytest.raises(ParameterError, match=words):
        fit(name, log, over=over, parameters=settings)


@pytest.mark.parametrize(
    ("name", "log", "first_held_out"),
    [
        ("elo", duel_log([("a", "b", 1.0)] * 10), 0),
        ("elo", duel_log([("a", "b", 0.5)] * 10), None),
        ("ladder", duel_log([("a", "b", 1.0)] * 10), None),
    ],
)
def test_nothing_is_fitted_to_nothing(name, log, first_held_out):
    over = ["k"] if name == "elo" else ["penalty"]
    with pytest.raises(Unanswerable, match="to fit"):
        fit(name, log, over=over, first_held_out=first_held_out)


def test_a_parameter_that_is_absent_is_fitted_from_what_stands_for_it():
    log = generated_log(matches=80, most_sides=2, most_members=1)
    for preset in ("glickman", "inversus"):
        found = fit("glicko2", log, over=["deviation"], parameters={"preset": preset})
        assert 0 < found.parameters["deviation"] <= 1000
        assert found.log_loss_after <= found.log_loss_before
    assert create("glicko2").parameters.effective("deviation") == approx(350.04, abs=0.01)
    assert create("glicko2", {"deviation": 90}).parameters.effective("deviation") == 90


def test_the_loss_before_is_that_of_the_parameters_given_and_nothing_can_be_the_answer():
    log = duel_log([("a", "b", float(n % 3 > 0)) for n in range(60)])
    given = {"size_advantage": 0.0, "idle_variance": 0.0}
    found = fit("trueskill", log, over=["idle_variance"], parameters=given)
    alone = evaluate(create("trueskill", given), log.part(0, 48), score_from=9)
    assert found.log_loss_before == alone.log_loss
    assert found.log_loss_after <= found.log_loss_before
    on_one_day = duel_log([("a", "b", float(n % 3 > 0)) for n in range(60)], at=0)
    still = fit("trueskill", on_one_day, over=["idle_variance"])
    assert still.parameters["idle_variance"] == 0.0
