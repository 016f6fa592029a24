"""One by one, in parts, at once, compiled: the same bits."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from ratings import create
from ratings.engine import choose, numba_is_installed
from ratings.log import MatchLog
from ratings.system import Reach
from tests.ratings import logs
from tests.ratings.logs import same_bits

BOARDS = [
    ("elo", {}),
    ("elo", {"policy": "fide", "curve": "fide", "cap_400": True, "teams": "duel"}),
    ("elo", {"policy": "constant", "curve": "gaussian", "floor": 1450, "size_advantage": 12.5}),
    ("glicko2", {}),
    ("glicko2", {"preset": "glickman", "period": "calendar", "period_days": 30}),
    ("glicko2", {"display": "points", "teams": "individual", "size_advantage": 30}),
    (
        "glicko2",
        {
            "display": "points",
            "period": "calendar",
            "teams": "composite-opponent",
            "pairs": "full",
            "bonus": 250,
            "scaled_approach": True,
            "tightest": True,
        },
    ),
    ("trueskill", {"draw_probability": 0.05}),
    ("trueskill", {"idle_variance": 0.01, "draw_probability": 0.0, "size_advantage": -0.5}),
    ("glicko", {"c": 50, "teams": "individual"}),
    ("wenglin", {}),
    ("wenglin", {"model": "bradley-terry", "size_advantage": 0.5}),
    ("wenglin", {"model": "thurstone-mosteller"}),
    ("ladder", {}),
    ("ladder", {"mode": "insert"}),
    ("zerosum", {}),
    ("zerosum", {"shares": True, "decay": 0.05, "anchors": True, "size_advantage": 0.01}),
    ("zerosum", {"display": "fixed-range"}),
    ("zerosum", {"display": "fixed-range", "decay": 0.05, "anchors": True}),
    ("becker", {}),
    ("becker", {"use": "scores", "decay": 1.5, "size_advantage": 2.0}),
    ("becker", {"decay": 3.0, "who": "all", "period_days": 30}),
]

LOGS = {
    "generated": lambda: logs.generated_log(),
    "generated events": lambda: logs.generated_events(),
    "halo2 head to head": lambda: logs.halo2("headtohead"),
    "halo2 large team": lambda: logs.halo2("largeteam"),
    "catan": lambda: logs.catan(),
    "foosball": lambda: logs.foosball(),
    "atp": lambda: logs.atp(20_000),
    "quake": lambda: logs.quake("qgames"),
    "quake office": lambda: logs.quake("osp_ffa_office"),
}

ONE_BY_ONE = 1_500
"""How many matches of a log are rated one after the other."""

BOARD_WIDE = 100
"""How many, where each is handed everybody's state."""


def board_name(board: tuple[str, dict[str, object]]) -> str:
    return " ".join([board[0], *(f"{name}={value}" for name, value in board[1].items())])


@pytest.fixture(scope="module", params=LOGS, ids=str)
def log(request: pytest.FixtureRequest) -> MatchLog:
    return LOGS[request.param]()


@pytest.fixture(params=BOARDS, ids=board_name)
def system(request: pytest.FixtureRequest):
    return create(*request.param)


@pytest.fixture
def rateable(system, log) -> MatchLog:
    """The log without the matches the system refuses."""
    return log.without([match for match, _ in system.refusals(log)])[0]


def test_rating_one_by_one_gives_the_bits_of_a_replay(system, rateable):
    log = rateable
    replay = system.replay(log, engine="plain")
    states = dict.fromkeys(log.keys)
    board = None
    row = 0
    wide = system.reach is Reach.BOARD
    for index in range(min(len(log), BOARD_WIDE if wide else ONE_BY_ONE)):
        match = log.part(index, index + 1) if wide else log.match(index)
        rated = system.rate(match, [states[key] for key in match.keys], board)
        board = rated.board
        states.update(zip(match.keys, rated.states, strict=True))
        for player in match.player.tolist():
            assert np.array(rated.states[player]).tobytes() == replay.after[row].tobytes()
            row += 1


def test_a_replay_in_parts_gives_the_bits_of_a_replay_at_once(system, rateable):
    log = rateable
    replay = system.replay(log, engine="plain")
    state, board, parts, changed = None, None, [replay.after[:0]], [replay.bystanders.state[:0]]
    for first in range(0, len(log), 137):
        part = system.replay(
            log.part(first, min(first + 137, len(log))), state, engine="plain", board=board
        )
        state, board = part.final, part.board
        parts.append(part.after)
        changed.append(part.bystanders.state)
    assert same_bits(np.concatenate(parts), replay.after)
    assert same_bits(np.concatenate(changed), replay.bystanders.state)
    if len(log):
        assert same_bits(state, replay.final)
        assert board == replay.board


@pytest.mark.skipif(not numba_is_installed(), reason="Numba is not installed")
def test_the_compiled_engine_gives_the_bits_of_the_plain_one(system, rateable):
    plain = system.replay(rateable, engine="plain")
    compiled = system.replay(rateable, engine="compiled")
    assert same_bits(plain.after, compiled.after)
    assert same_bits(plain.final, compiled.final)
    assert same_bits(plain.bystanders.state, compiled.bystanders.state)
    assert plain.board == compiled.board


def test_nothing_a_replay_gives_is_infinite_or_no_number(system, rateable):
    replay = system.replay(rateable, engine="plain")
    assert np.isfinite(replay.after).all() and np.isfinite(replay.bystanders.state).all()


def test_the_state_before_a_match_is_the_state_after_the_one_before():
    log = logs.duel_log([("a", "b", 1.0), ("b", "c", 0.5), ("a", "c", 0.0)])
    replay = create("elo").replay(log)
    assert replay.before[:3, 0].tolist() == [1500.0, 1500.0, replay.after[1, 0]]
    assert replay.before[4:, 0].tolist() == [replay.after[3, 0], replay.after[0, 0]]


def test_progress_is_told_in_parts_up_to_the_whole():
    log = logs.duel_log([("a", "b", 1.0)] * 5_000)
    told = []
    create("elo").replay(
        log, engine="plain", progress=lambda done, total: told.append((done, total))
    )
    assert told[-1] == (5_000, 5_000) and len(told) > 1


def test_players_without_a_match_keep_what_they_came_with():
    log = logs.duel_log([("a", "b", 1.0), ("c", "d", 1.0)])
    start = np.full((4, 2), np.nan)
    start[3] = (1700.0, 12.0)
    final = create("elo").replay(log.part(0, 1), start).final
    assert np.isnan(final[2]).all() and final[3].tolist() == [1700.0, 12.0]


def test_short_logs_stay_with_the_plain_engine():
    assert choose("auto", 999, 1000) == "plain"
    assert choose("compiled", 1, 1000) == "compiled"


def test_a_plain_replay_never_imports_numba():
    program = """
import sys
import ratings.parameters, ratings.registry
from ratings import MatchLog, create
log, _ = MatchLog.build(keys=["a", "b"], at=[0], match=[0, 0], side=[0, 1], rank=[0, 1],
                        player=[0, 1])
for name in ("ladder", "zerosum", "elo", "becker", "glicko2", "glicko", "trueskill", "wenglin"):
    create(name).replay(log)
sys.exit("numba" in sys.modules or "scipy" in sys.modules)
"""
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.skipif(not numba_is_installed(), reason="Numba is not installed")
def test_the_compiled_engine_works_where_no_cache_can_be_written(tmp_path):
    """A file in the place of every cache folder keeps even root from writing there."""
    blocked = tmp_path / "file"
    blocked.write_text("")
    program = """
from ratings import MatchLog, create
log, _ = MatchLog.build(keys=["a", "b"], at=[0], match=[0, 0], side=[0, 1], rank=[0, 1],
                        player=[0, 1])
create("elo").replay(log, engine="compiled")
"""
    environment = {"XDG_CACHE_HOME": str(blocked), "HOME": str(blocked), "TMPDIR": str(blocked)}
    run = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, check=False
    )
    assert run.returncode == 0, run.stderr
