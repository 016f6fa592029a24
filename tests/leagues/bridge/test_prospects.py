"""What a match not yet played would be like: chances, their spans, and every outcome's changes."""

from __future__ import annotations

import random
from datetime import timedelta

import numpy as np
import pytest

from leagues import bridge
from leagues.bridge.prospects import chances_against, prospect
from leagues.bridge.stakes import Entrant
from leagues.models import Board
from leagues.services.leagues import add_board
from leagues.store.match_columns import moment
from ratings.log import MatchLog
from ratings.registry import create
from tests.leagues.bridge.test_stakes import CONFIGURATIONS, board_of
from tests.leagues.play import LATER, mode_of, new_club, record, result, rounds, season_of
from tests.ratings.logs import generated_log

LINE_UPS = ((1, 1), (2, 2), (2, 3), (1, 1, 1), (2, 1, 2), (1, 1, 1, 1))


def club_of(name, parameters):
    system = create(name, parameters)
    single = name in ("ladder", "glicko")
    log = generated_log(seed=9, matches=80, players=12, most_members=1 if single else 2)
    log = log.without([index for index, _reason in system.refusals(log)])[0]
    replay = system.replay(log, engine="plain")
    states = {
        key: None if np.isnan(state).all() else tuple(state.tolist())
        for key, state in zip(log.keys, replay.final, strict=True)
    }
    return system, board_of(name, parameters, replay.board), states, replay, int(log.at[-1]) + 1


@pytest.mark.parametrize(("name", "parameters"), CONFIGURATIONS)
def test_every_outcome_of_teams_and_free_for_alls_is_what_the_rating_would_make_of_it(
    name, parameters
):
    system, board, states, replay, at = club_of(name, parameters)
    states["newcomer"] = None
    keys = sorted(states)
    source = random.Random(2)
    for sizes in LINE_UPS * 2:
        chosen = iter(source.sample(keys, sum(sizes)))
        sides = [[next(chosen) for _ in range(size)] for size in sizes]
        entrants = [[Entrant(key, states[key]) for key in side] for side in sides]
        made = prospect(board, entrants, moment(at))
        match = [number for number, side in enumerate(sides) for _ in side]
        players = [keys.index(key) for side in sides for key in side]
        if made.refusal:
            assert (name in ("ladder", "glicko") and len(sizes) != sum(sizes)) or len(sizes) > 2
            continue
        for outcome in made.outcomes:
            log, _ = MatchLog.build(
                keys=keys,
                at=[at],
                match=[0] * len(players),
                side=match,
                rank=[outcome.ranks[side] for side in match],
                player=players,
            )
            rated = system.rate(log, [states[key] for key in keys], replay.board).states
            assert outcome.after == tuple(
                tuple(system.display(rated[keys.index(key)], replay.board).value for key in side)
                for side in sides
            )
        assert len(made.outcomes) == (3 if len(sizes) == 2 else len(sizes) ** 2)


@pytest.mark.parametrize(("name", "parameters"), CONFIGURATIONS)
def test_chances_add_up_and_lie_within_their_spans(name, parameters):
    system, board, states, _replay, at = club_of(name, parameters)
    known = [Entrant(key, state) for key, state in states.items() if state]
    for sides in ([known[:1], known[1:2]], [[one] for one in known[:4]]):
        made = prospect(board, sides, moment(at))
        if name == "ladder":
            assert made.expected == made.spans == ()
            assert (made.win, made.quality) == (None, None)
            continue
        for row in made.places:
            assert sum(row) == pytest.approx(1.0)
        assert 0.0 <= made.quality <= 1.0
        assert bool(made.spans) == ("deviation" in system.columns)
        for (low, high), places in zip(made.spans, made.places, strict=bool(made.spans)):
            assert 0.0 <= low <= places[0] + 1e-9
            assert places[0] - 1e-9 <= high <= 1.0
        if len(sides) == 2:
            assert made.win + made.draw + made.loss == pytest.approx(1.0)


def test_the_lead_of_one_is_the_handicap_that_makes_a_match_even():
    _system, board, states, _replay, at = club_of("elo", {})
    known = [Entrant(key, state) for key, state in states.items() if state]
    me, *rivals = known
    for rival, found in zip(rivals, chances_against(board, me, rivals, moment(at)), strict=True):
        lead = me.state[0] - rival.state[0]
        assert bridge.even_handicap(board, [me], [rival], moment(at)) == round(-lead)
        assert found.gain == pytest.approx(found.quality)
        assert (lead > 0) == (found.expected > 0.5)


@pytest.mark.parametrize(("name", "settings"), [("elo", {}), ("trueskill", {}), ("ladder", {})])
def test_a_match_that_no_handicap_makes_even_has_none(name, settings):
    _system, board, states, _replay, at = club_of(name, settings)
    state = next(state for state in states.values() if state)
    strong = Entrant("a", (state[0] + 1e4, *state[1:]))
    weak = Entrant("b", state)
    assert bridge.even_handicap(board, [strong], [weak], moment(at)) is None
    assert bridge.even_handicap(board, [weak], [strong], moment(at)) is None


def test_where_draws_are_forbidden_no_outcome_is_one():
    _system, board, states, _replay, at = club_of("elo", {})
    board.league.draws_allowed = False
    known = [[Entrant(key, state)] for key, state in states.items() if state]
    made = prospect(board, known[:2], moment(at))
    assert made.draw is None
    assert made.win + made.loss == pytest.approx(1.0)
    assert [outcome.ranks for outcome in made.outcomes] == [(0, 1), (1, 0)]


@pytest.mark.django_db
def test_what_doubles_were_said_to_change_they_change():
    club = new_club()
    for name in ("elo", "glicko2", "trueskill", "wenglin", "zerosum", "becker"):
        add_board(season=season_of(club), mode=mode_of(club), system=name, name=f"Doubles {name}")
    names = ["Ana", "Bo", "Cy", "Di"]
    record(club, *rounds(club, names, 2))
    at = LATER
    for first, second in ((("Ana", "Di"), ("Bo", "Cy")), (("Ana", "Bo"), ("Cy", "Di"))):
        at += timedelta(hours=2)
        foretold = {}
        for board in club.boards.all():
            rows = {
                row.player.name: Entrant.of(row.player, row)
                for row in board.standings.filter(generation=board.generation).select_related(
                    "player"
                )
            }
            sides = [[rows[name] for name in side] for side in (first, second)]
            foretold[board.pk] = prospect(board, sides, at).outcomes[0]
        (match,) = record(club, result(club, "+".join(first), "+".join(second), at=at))
        for board in Board.objects.filter(pk__in=foretold):
            after = {
                row.player_id: row.after.value
                for row in bridge.match_account(board, match).accounts
            }
            for side, values in zip((first, second), foretold[board.pk].after, strict=True):
                for name, value in zip(side, values, strict=True):
                    assert after[club.players.get(name=name).pk] == value


@pytest.mark.django_db
def test_the_draws_of_a_board_are_counted_from_its_histories():
    club = new_club()
    board = club.boards.get(system="elo")
    assert bridge.draw_rate(board) is None
    record(club, *rounds(club, ["Ana", "Bo", "Cy"], 2))
    board.refresh_from_db()
    assert bridge.draw_rate(board).draws == 0
    record(club, result(club, "Ana", "Bo", ranks=(1, 1), at=LATER))
    board.refresh_from_db()
    rate = bridge.draw_rate(board)
    assert rate.draws == 1
    assert 5 < rate.evenness < 7
    standings = {
        row.player.name: Entrant.of(row.player, row)
        for row in board.standings.filter(generation=board.generation).select_related("player")
    }
    made = prospect(board, [[standings["Ana"]], [standings["Bo"]]], LATER + timedelta(days=1), rate)
    assert 0.01 < made.draw < 0.2
