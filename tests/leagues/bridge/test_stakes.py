"""The stake shown before a match equals the change after it, bit for bit."""

from __future__ import annotations

import random
from datetime import timedelta

import numpy as np
import pytest
from django.utils import timezone

from leagues import bridge
from leagues.bridge.stakes import (
    DRAW,
    LOSS,
    WIN,
    Entrant,
    stakes_against,
    stakes_between,
    stakes_of,
)
from leagues.models import Board, League
from leagues.services.leagues import add_board
from leagues.store import segments
from leagues.store.match_columns import moment
from ratings.log import DAY, MatchLog
from ratings.registry import create
from ratings.system import Reach
from tests.leagues.play import LATER, mode_of, new_club, record, result, rounds, season_of
from tests.ratings.logs import generated_log

CONFIGURATIONS = (
    ("ladder", {}),
    ("ladder", {"mode": "insert"}),
    ("zerosum", {}),
    ("zerosum", {"display": "raw", "shares": True}),
    ("zerosum", {"display": "fixed-range"}),
    ("zerosum", {"anchors": True}),
    ("zerosum", {"decay": 0.1, "period_days": 30}),
    ("elo", {}),
    ("elo", {"policy": "fide", "curve": "fide", "cap_400": True}),
    ("elo", {"teams": "duel", "curve": "gaussian", "floor": 1400.0}),
    ("becker", {}),
    ("becker", {"decay": 2.0, "use": "scores"}),
    ("glicko2", {}),
    ("glicko2", {"preset": "glickman", "period": "calendar"}),
    ("glicko2", {"display": "points"}),
    ("glicko2", {"teams": "individual", "pairs": "full", "size_advantage": 20.0}),
    ("glicko", {}),
    ("trueskill", {}),
    ("trueskill", {"idle_variance": 0.01, "draw_probability": 0.0}),
    ("wenglin", {}),
    ("wenglin", {"model": "thurstone-mosteller"}),
)
PAIRS = 50


def board_of(system: str, parameters: dict[str, object], kept: object) -> Board:
    league = League(name="Nowhere", slug="nowhere", time_zone="UTC")
    return Board(
        league=league,
        system=system,
        parameters=parameters,
        board_state=segments.pack_state(np.array(kept or ())),
    )


@pytest.mark.parametrize(("name", "parameters"), CONFIGURATIONS)
def test_fifty_random_pairs_of_every_system_change_as_their_stakes_said(name, parameters):
    system = create(name, parameters)
    single = name in ("ladder", "glicko")
    log = generated_log(seed=7, matches=90, players=14, most_members=1 if single else 2)
    refused = [index for index, _reason in system.refusals(log)]
    log = log.without(refused)[0]
    replay = system.replay(log, engine="plain")
    board = board_of(name, parameters, replay.board)
    # In the period of the last match: what absence does to all is not what a match does to two.
    at = int(log.at[-1]) + 1
    states = {
        key: None if np.isnan(state).all() else tuple(state.tolist())
        for key, state in zip(log.keys, replay.final, strict=True)
    }
    births = dict(zip(log.keys, log.birth_year.tolist(), strict=True))
    states |= {"a-newcomer": None, "z-newcomer": None}
    source = random.Random(11)
    for _ in range(PAIRS):
        one, other = source.sample(sorted(states), 2)
        (stake,) = stakes_of(
            board,
            Entrant(one, states[one], births.get(one, 0)),
            [Entrant(other, states[other], births.get(other, 0))],
            moment(at),
        )
        assert stake is not None
        for ranks, shown in ((WIN, stake.won), (DRAW, stake.drawn), (LOSS, stake.lost)):
            # Everybody is named, as a board does it that rates for all.
            keys = sorted(set(states))
            match, _ = MatchLog.build(
                keys=keys,
                at=[at],
                match=[0, 0],
                side=[0, 1],
                rank=ranks,
                player=[keys.index(one), keys.index(other)],
                birth_year=[births.get(key, 0) for key in keys],
            )
            rated = system.rate(match, [states[key] for key in keys], replay.board)
            after = rated.states[keys.index(one)]
            assert system.display(after, replay.board).value == shown


def test_a_batch_of_stakes_has_the_bits_of_each_alone():
    for name, parameters in CONFIGURATIONS:
        system = create(name, parameters)
        log = generated_log(seed=3, matches=60, players=12, most_sides=2, most_members=1)
        log = log.without([index for index, _ in system.refusals(log)])[0]
        replay = system.replay(log, engine="plain")
        board = board_of(name, parameters, replay.board)
        entrants = [
            Entrant(key, tuple(state.tolist()))
            for key, state in zip(log.keys, replay.final, strict=True)
            if not np.isnan(state).all()
        ]
        at = moment(int(log.at[-1]) + 40 * DAY)
        me, *rivals = [*entrants, Entrant("newcomer")]
        alone = [stakes_of(board, me, [rival], at)[0] for rival in rivals]
        assert stakes_of(board, me, rivals, at) == alone
        assert None not in alone


def test_a_system_that_rates_all_matches_at_once_has_no_stakes():
    board = board_of("static", {}, None)
    assert stakes_of(board, Entrant("a"), [Entrant("b")], timezone.now()) == [None]


@pytest.mark.django_db
def test_what_was_at_stake_is_what_changed_on_every_board_of_a_league():
    club = new_club()
    names = ["Ana", "Bo", "Cy", "Di", "Eve"]
    for name, parameters in CONFIGURATIONS:
        add_board(
            season=season_of(club),
            mode=mode_of(club),
            system=name,
            name=f"{name} {len(parameters)} {sorted(map(str, parameters.values()))}"[:60],
            parameters=parameters,
        )
    record(club, *rounds(club, names, 3))
    source = random.Random(5)
    at = LATER
    compared = 0
    for number in range(6):
        at += timedelta(hours=1)
        one, other = source.sample(names, 2)
        foretold = {}
        for board in club.boards.all():
            standings = {
                row.player.name: row
                for row in board.standings.filter(generation=board.generation).select_related(
                    "player"
                )
            }
            stake = stakes_against(board, standings[one], [standings[other]], at)[0]
            pairs = stakes_between(board, standings[one], standings[other], at, (1.0, 2.0))
            assert pairs == [
                (
                    stakes_against(board, standings[one], [standings[other]], at, weight=weight)[0],
                    stakes_against(board, standings[other], [standings[one]], at, weight=weight)[0],
                )
                for weight in (1.0, 2.0)
            ]
            if bridge.system_of(board).reach is Reach.BATCH:
                assert stake is None
                continue
            foretold[board.pk] = stake
        ranks = (1, 1) if number % 3 == 2 else (1, 2)
        (match,) = record(club, result(club, one, other, ranks=ranks, at=at))
        for board in Board.objects.filter(pk__in=foretold):
            if "fixed-range" in board.parameters.values():
                continue
            account = bridge.match_account(board, match)
            mine = next(
                row for row in account.accounts if row.player_id == club.players.get(name=one).pk
            )
            stake = foretold[board.pk]
            after = stake.drawn if ranks == (1, 1) else stake.won
            assert mine.after.value == after, board
            assert mine.before.value == stake.before, board
            compared += 1
    assert compared == 6 * (club.boards.count() - 1)
