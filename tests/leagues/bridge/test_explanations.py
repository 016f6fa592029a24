"""A match explained: the states before it are the stored ones, and the reasons add up."""

from __future__ import annotations

import random
from datetime import timedelta

import numpy as np
import pytest

from leagues import bridge
from leagues.bridge.explanations import in_units, rounded_to
from leagues.jobs.runner import drain
from leagues.models import Board, League, Match
from leagues.services.leagues import add_board
from leagues.services.matches import record_matches
from leagues.services.players import ensure_player
from leagues.store.segments import pack_state
from tests.leagues.play import START, mode_of, new_club, result, season_of
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

MOVED_MEAN = 5.0

BOARDS = (
    ("ladder", {}),
    ("ladder", {"mode": "insert"}),
    ("zerosum", {"shares": True}),
    ("zerosum", {"display": "fixed-range"}),
    ("zerosum", {"decay": 0.1, "period_days": 5}),
    ("zerosum", {"anchors": True, "display": "raw"}),
    ("elo", {"policy": "fide", "curve": "fide", "cap_400": True}),
    ("elo", {"policy": "constant", "floor": 1490.0}),
    ("becker", {}),
    ("becker", {"decay": 2.0, "period_days": 3, "use": "scores", "start": 50.0}),
    ("static", {"least_opponents": 0, "least_events": 0}),
    ("glicko2", {"preset": "glickman", "period": "calendar"}),
    ("glicko2", {"display": "points"}),
    ("glicko2", {"preset": "glickman", "teams": "individual"}),
    ("glicko", {}),
    ("trueskill", {}),
    ("trueskill", {"idle_variance": 0.01}),
    ("wenglin", {}),
)


@pytest.fixture(scope="module")
def built_played(shared_rows: None):
    """Thirty random matches of two, of several and of teams, on a board of every kind.

    Two of the players are juniors; zero-sum boards go on from a season whose mean had moved.
    """
    league = new_club()
    season, mode = season_of(league), mode_of(league)
    for number, (system, parameters) in enumerate(BOARDS):
        add_board(
            season=season,
            mode=mode,
            system=system,
            name=f"{number} {system}",
            parameters=parameters,
        )
    for board in Board.objects.filter(season=season, system="zerosum"):
        fresh = bridge.newest_system(board).new_board()
        board.start_board_state = pack_state(np.array([MOVED_MEAN, *fresh[1:]]))
        board.save(update_fields=["start_board_state"])
    chance = random.Random(5)
    people = ["Ana", "Bo", "Cy", "Dee", "Eva", "Fay", "Gus"]
    for name in people[:2]:
        ensure_player(league=league, name=name)
    league.players.update(birth_year=START.year - 15)
    drafts = []
    for number in range(30):
        size = 2 if number % 5 == 4 else 1
        sides = 2 if size == 2 else chance.choice([2, 2, 2, 3, 4])
        who = chance.sample(people, size * sides)
        scores = sorted((chance.randrange(12) for _ in range(sides)), reverse=True)
        drafts.append(
            result(
                league,
                *("+".join(who[size * side : size * side + size]) for side in range(sides)),
                scores=scores,
                ranks=[1 + scores.index(score) for score in scores],
                at=START + timedelta(days=number // 3, minutes=number),
                weight=chance.choice([1.0, 1.0, 0.5, 2.0]),
            )
        )
    record_matches(season=season, mode=mode, drafts=drafts)
    drain()
    return league


played = read_anew("built_played")


def rated_of(league: League):
    boards = list(Board.objects.select_related("league", "season", "mode"))
    for match in Match.objects.select_related("league").order_by("seq"):
        yield from bridge.rated_matches(boards, match).values()


def test_the_states_before_rated_anew_give_the_states_after_bit_for_bit(played):
    seen = set()
    for rated in rated_of(played):
        if rated.is_fitted:
            continue
        seen.add(rated.board.name)
        again = rated.after(rated.ranks, rated.scores)
        assert again == {mover.row.player.key: mover.after for mover in rated.movers}, rated.board
    assert len(seen) == len(BOARDS) - 1 + 2


def test_reasons_add_up_exactly_and_as_they_are_shown(played):
    explained = 0
    for rated in rated_of(played):
        for account in bridge.account_of(rated).accounts:
            told = bridge.explanation_of(rated, account)
            decimals = account.after.decimals
            shown = in_units(account.after.value, decimals)
            assert told.units == shown - in_units(account.before.value, decimals)
            if told.reasons:
                explained += 1
                assert sum(reason.units for reason in told.reasons) == told.units
                exact = sum(reason.amount for reason in told.reasons)
                assert exact == pytest.approx(told.change, abs=1e-9)
                for reason in told.reasons:
                    assert abs(reason.units - reason.amount * 10**decimals) < 2.0
            else:
                assert rated.system.name in ("ladder", "static")
    assert explained > 500


def test_newcomers_of_a_board_whose_mean_has_moved_begin_at_its_mean(played):
    newcomers = 0
    for rated in rated_of(played):
        for mover in rated.movers:
            if rated.system.name == "zerosum" and not mover.games:
                newcomers += 1
                assert mover.before[0] == pytest.approx(MOVED_MEAN)
    assert newcomers


def test_formulas_give_what_came_out_from_their_own_numbers(played):
    seen = set()
    for rated in rated_of(played):
        for mover in rated.movers:
            formula = bridge.formula_of(rated, mover)
            if formula is None:
                continue
            seen.add(rated.system.name)
            terms = dict(formula.terms)
            first = formula.terms[0][1]
            if "Ω" in terms:
                assert first + terms["σ"] ** 2 * terms["Ω"] == pytest.approx(terms["μ′"])
            elif "Σ" in terms:
                moved = 173.7178 * terms["φ′"] ** 2 * terms["Σ"]
                assert first + moved == pytest.approx(terms["R′"])
            elif "φ′" in terms:
                moved = 173.7178 * terms["φ′"] ** 2 * terms["g"] * (terms["s"] - terms["E"])
                assert first + moved == pytest.approx(terms["R′"], abs=1e-3)
            else:
                _old, (_, factor), (_, score), (_, expected), (_, after) = formula.terms
                assert first + factor * (score - expected) == pytest.approx(after)
    assert seen == {"elo", "zerosum", "becker", "glicko2", "glicko", "trueskill", "wenglin"}


def test_the_real_outcome_is_among_the_others_with_the_stored_values(played):
    for rated in rated_of(played):
        for own in range(len(rated.ranks)):
            found = bridge.alternatives_of(rated, own)
            if rated.is_fitted:
                assert found == ()
                continue
            after = {
                account.player_id: account.after.value
                for account in bridge.account_of(rated).accounts
            }
            real = [one for one in found if one.is_real]
            assert len(real) <= 1
            assert all(one.after == after for one in real)
            if len(rated.ranks) == 2:
                assert len(real) == 1


def test_what_was_expected_is_kept_beside_each_rating(played):
    compared = 0
    for rated in rated_of(played):
        for account in bridge.account_of(rated).accounts:
            past = bridge.read_series([rated.board], account.player_id)[rated.board.pk]
            kept = past.expectations()[rated.match.seq]
            if account.expected is None:
                assert kept is None
            else:
                compared += 1
                assert kept == pytest.approx(account.expected, abs=1e-9)
    assert compared > 500


def test_a_newcomer_of_a_ladder_came_from_the_rung_below_all_others(played):
    board = Board.objects.get(name="1 ladder")
    stood = 0
    for match in Match.objects.select_related("league").order_by("seq"):
        rated = bridge.rated_matches([board], match).get(board.pk)
        if rated is None:
            continue
        for mover in rated.movers:
            if mover.games == 0:
                stood += 1
                assert mover.before == (float(stood),)
    assert stood == board.standings.filter(generation=board.generation).count() == 7


def test_rounded_shares_keep_their_sum_and_what_is_nothing():
    assert rounded_to([7.4, 4.45, 3.4, 0.0], 15, 0) == [7, 5, 3, 0]
    for total in range(10, 20):
        counts = rounded_to([7.4, 4.4, 3.4, 0.0], total, 0)
        assert sum(counts) == total
        assert counts[-1] == 0
    assert rounded_to([0.0, 0.0], 1, 0) == [1, 0]
    assert rounded_to([], 0, 0) == []
