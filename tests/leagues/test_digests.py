"""The same facts give the same board to the last bit: whatever the database, engine and order."""

from __future__ import annotations

import json
import random
from datetime import timedelta
from pathlib import Path

import pytest

from leagues import bridge
from leagues.jobs.runner import drain
from leagues.models import Board, League
from leagues.services.drafts import MatchDraft
from leagues.services.integrity import board_digest, check_board
from leagues.services.leagues import add_board
from ratings.engine import numba_is_installed
from ratings.registry import create
from tests.leagues.play import START, mode_of, new_club, record, result, season_of

pytestmark = pytest.mark.django_db

GOLDEN = Path(__file__).parents[1] / "golden" / "board_digests.json"
"""What every board below has; the same on SQLite and PostgreSQL, plain and compiled."""

EVERYBODY = {"least_events": 0, "least_opponents": 0}
BOARDS = {info.name: (info.name, {}) for info in bridge.systems()} | {
    "static": ("static", EVERYBODY),
    "static by likelihood": ("static", EVERYBODY | {"method": "bradley-terry"}),
    "ladder by insertion": ("ladder", {"mode": "insert"}),
    "zerosum with decay": ("zerosum", {"decay": 0.05, "display": "fixed-range", "shares": True}),
    "becker with decay": ("becker", {"decay": 2.0, "use": "scores"}),
    "glicko2 by periods": ("glicko2", {"period": "calendar", "preset": "glickman"}),
    "wenglin by normal noise": ("wenglin", {"model": "thurstone-mosteller"}),
}
PLAYERS = [f"Player {letter}" for letter in "ABCDEFGHIJ"]
ORDERS = ["as played", "backwards", "at random"]


def facts(league: League) -> list[MatchDraft]:
    """Return duels, teams and free-for-alls with draws, scores and weights, all at other times."""
    source = random.Random(7)
    drafts = []
    for number in range(60):
        size = source.choice((1, 1, 1, 2))
        count = source.choice((2, 2, 2, 3, 4)) if size == 1 else 2
        present = source.sample(PLAYERS, size * count)
        sides = ["+".join(present[first : first + size]) for first in range(0, len(present), size)]
        scores = sorted((source.randint(0, 4) for _ in sides), reverse=True)
        drafts.append(
            result(
                league,
                *sides,
                scores=scores if number % 3 else None,
                ranks=[scores.index(score) + 1 for score in scores],
                at=START + timedelta(hours=31 * number, minutes=source.randint(0, 59)),
            )
        )
    return drafts


def arranged(drafts: list[MatchDraft], order: str) -> list[MatchDraft]:
    if order == "backwards":
        return drafts[::-1]
    return random.Random(3).sample(drafts, len(drafts)) if order == "at random" else drafts


def rated_in(order: str) -> dict[str, Board]:
    """Return the boards of a league to which the facts came in this order, by name."""
    league = new_club(order.replace(" ", "-"))
    for name, (system, parameters) in BOARDS.items():
        add_board(
            season=season_of(league),
            mode=mode_of(league),
            system=system,
            name=name,
            parameters=parameters,
        )
    drafts = arranged(facts(league), order)
    for first in range(0, len(drafts), 25):
        record(league, *drafts[first : first + 25])
    drain()
    return {board.name: board for board in league.boards.filter(name__in=BOARDS)}


@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_boards_of_all_systems_have_the_pinned_digests_however_the_facts_arrive(
    engine, monkeypatch
):
    if engine == "compiled":
        if not numba_is_installed():
            pytest.skip("Numba is not installed")
        # From how many matches on the compiled engine is chosen.
        for name, _parameters in BOARDS.values():
            monkeypatch.setattr(type(create(name)), "break_even", 0, raising=False)
    golden = json.loads(GOLDEN.read_text())
    for order in ORDERS:
        boards = rated_in(order)
        assert {name: board.state for name, board in boards.items()} == dict.fromkeys(
            BOARDS, "ready"
        )
        assert {name: board_digest(board) for name, board in boards.items()} == golden
        for board in boards.values():
            report = check_board(board)
            assert report.differences == () and not report.is_behind
