from __future__ import annotations

import json
import math
from datetime import date

import numpy as np
import pytest
from pytest import approx

from ratings import Unanswerable, create
from ratings.__main__ import PRESETS, main
from ratings.draws import DrawRate, rao_kupper
from ratings.evaluation import (
    challenge_sets,
    evaluate,
    fit,
    judge,
    losses,
    margin,
    predictions,
    upsets,
)
from ratings.loading import load
from ratings.log import DAY, MatchLog
from ratings.registry import systems
from ratings.sidetable import SideTable, pairs_of
from ratings.system import Reach, Side
from tests.ratings import logs
from tests.ratings.logs import duel_log, generated_log, match_log
from tests.shared_data import shared_data

PREDICTING = [info.name for info in systems() if info.reach is not Reach.BATCH]

HERBRICH = [
    # mode, system, strict prediction error reached, published
    ("headtohead", "elo", 33.41, 33.24),
    ("headtohead", "trueskill", 32.37, 32.44),
    ("largeteam", "elo", 39.37, 39.49),
    ("largeteam", "trueskill", 38.40, 38.15),
]


def herbrich(mode, name):
    log = logs.halo2(mode)
    settings = dict(PRESETS["herbrich2006"][name])
    if name == "trueskill":
        first = log.side_start[:-1]
        settings["draw_probability"] = float(np.mean(log.rank[first] == log.rank[first + 1]))
    system = create(name, settings)
    return system, log, predictions(system, log)


@pytest.mark.parametrize(("mode", "name", "reached", "published"), HERBRICH)
def test_the_published_evaluation_of_trueskill_is_reproduced(mode, name, reached, published):
    found = judge(*herbrich(mode, name))
    assert 100 * found.prediction_error_strict == approx(reached, abs=0.006)
    assert 100 * found.prediction_error_strict == approx(published, abs=0.5)


CHALLENGE = {"headtohead": (41.57, 51.06), "largeteam": (49.08, 49.68)}
"""What the docs say; the published figures are not reached by the definition they state."""


@pytest.mark.parametrize("mode", CHALLENGE)
def test_the_challenge_is_a_fifth_of_the_matches_chosen_by_the_other_system(mode):
    elo, trueskill = herbrich(mode, "elo"), herbrich(mode, "trueskill")
    sets = challenge_sets(elo, trueskill)
    for chosen, made, reached in zip(sets, (elo, trueskill), CHALLENGE[mode], strict=True):
        assert chosen.sum() == round(0.2 * len(made[1]))
        whole, hard = judge(*made), judge(*made, only=chosen)
        assert hard.prediction_error > whole.prediction_error
        assert 100 * hard.prediction_error_strict == approx(reached, abs=0.006)


def test_the_tightest_matches_are_those_of_quality_or_of_equal_sums():
    log = logs.halo2("largeteam")
    elo, trueskill = herbrich("largeteam", "elo"), herbrich("largeteam", "trueskill")
    by_trueskill, by_elo = challenge_sets(elo, trueskill)
    for system, chosen in ((elo[0], by_elo), (trueskill[0], by_trueskill)):
        replay = system.replay(log)
        before = replay.before
        before[np.isnan(before).all(axis=1)] = system.new_player()
        tightness = []
        for first in log.side_start[:-1].tolist():
            sides = [
                Side(tuple(map(tuple, rows)), tuple(f"{number}" for number in range(len(rows))))
                for rows in (
                    before[log.member_start[side] : log.member_start[side + 1]]
                    for side in (first, first + 1)
                )
            ]
            if system.name == "trueskill":
                tightness.append(-system.quality(sides, at=0))
            else:
                one, other = (math.fsum(state[0] for state in side.states) for side in sides)
                tightness.append(abs(one - other))
        limit = max(np.array(tightness)[chosen])
        assert limit <= min(np.array(tightness)[~chosen]) + 1e-12


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


@pytest.fixture
def results(tmp_path):
    path = tmp_path / "results.csv"
    rows = [
        f"2024-01-{1 + n % 28:02},{'Ann' if n % 3 else 'Bob'},{'Bob' if n % 3 else 'Ann'}"
        for n in range(60)
    ]
    path.write_text("date,winner,loser\n" + "\n".join(rows) + "\n")
    return path


def test_the_command_line_evaluates_a_file(results, capsys):
    assert (
        main(
            [
                "evaluate",
                str(results),
                "--system",
                "elo",
                "--set",
                "k=24",
                "policy=constant",
                "--json",
            ]
        )
        == 0
    )
    told = json.loads(capsys.readouterr().out)
    assert set(told) >= {
        "matches", "log_loss", "brier", "accuracy", "prediction_error",
        "prediction_error_strict", "calibration", "matches_per_second", "parameters",
    }  # fmt: skip
    assert told["matches"] == 60 and told["parameters"]["k"] == 24


def test_the_command_line_fits_and_says_what_was_held_out(results, capsys):
    assert (
        main(
            [
                "fit",
                str(results),
                "--system",
                "elo",
                "--over",
                "k",
                "--before",
                "2024-01-20",
                "--json",
            ]
        )
        == 0
    )
    told = json.loads(capsys.readouterr().out)
    assert told["fitted_on"] + told["held_out"] == 60


def test_the_command_line_refuses_in_words(results, capsys):
    assert main(["evaluate", str(results), "--system", "elo", "--set", "k=-1"]) == 2
    assert "k: must be over 0" in capsys.readouterr().err
    assert main(["evaluate", str(results), "--system", "static"]) == 2
    assert main(["evaluate", str(results), "--preset", "herbrich2006", "--system", "glicko2"]) == 2
    assert main(["evaluate", str(results.with_name("none.csv"))]) == 2


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
