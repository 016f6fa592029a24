"""One by one, in parts, at once, compiled: the same bits."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import fields

import numpy as np
import pytest
from pytest import approx

from ratings import create
from ratings.engine import LOADED_BREAK_EVEN, body, choose, compiled, numba_is_installed
from ratings.evaluation import predictions_of, table_before
from ratings.log import Floats, MatchLog
from ratings.registry import list_systems
from ratings.system import IndirectChanges, Reach, Replay, Side, System
from tests.ratings import logs
from tests.ratings.logs import same_bits

VALUES: dict[str, object] = {
    "damage": 0.5,
    "assist": 0.25,
    "capture": 7,
    "flag_taken": 2,
    "flag_returned": 1,
    "own": 3,
}

BOARDS: list[tuple[str, dict[str, object]]] = [
    # Whatever is registered, as it is.
    *((info.name, {}) for info in list_systems()),
    ("elo", {"policy": "fide", "curve": "fide", "cap_400": True, "teams": "duel"}),
    ("elo", {"policy": "constant", "curve": "gaussian", "floor": 1450, "size_advantage": 12.5}),
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
    ("wenglin", {"model": "bradley-terry", "size_advantage": 0.5}),
    ("wenglin", {"model": "thurstone-mosteller"}),
    ("ladder", {"mode": "insert"}),
    ("zerosum", {"shares": True, "decay": 0.05, "anchors": True, "size_advantage": 0.01}),
    ("zerosum", {"display": "fixed-range"}),
    ("zerosum", {"display": "fixed-range", "decay": 0.05, "anchors": True}),
    ("becker", {"use": "scores", "decay": 1.5, "size_advantage": 2.0}),
    ("becker", {"decay": 3.0, "who": "all", "period_days": 30}),
    ("static", {"least_opponents": 0, "method": "bradley-terry"}),
    ("ladder", {"mode": "insert", "damage": True, "assist": True, "frag": False}),
    ("zerosum", {**VALUES, "decay": 0.05, "anchors": True}),
    ("becker", {**VALUES, "decay": 1.5}),
    ("static", {**VALUES, "least_opponents": 0}),
]

LOGS = {
    "generated": logs.generated_log,
    "generated events": logs.generated_events,
    "every kind of event": logs.every_kind_of_event,
    "every kind, alone": lambda: logs.every_kind_of_event(sides_of_one=True),
    "halo2 head to head": lambda: logs.halo2("headtohead"),
    "halo2 large team": lambda: logs.halo2("largeteam"),
    "catan": logs.catan,
    "foosball": logs.foosball,
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


@pytest.fixture(params=[create(*board) for board in BOARDS], ids=[*map(board_name, BOARDS)])
def system(request: pytest.FixtureRequest):
    return request.param


@pytest.fixture(scope="module")
def plain_replays(log) -> dict[System, Replay]:
    """Plain replays of the log, as far as tests asked for them: they take most of the time."""
    return {}


@pytest.fixture
def one_by_one(system):
    """The system, where it rates one match after the other."""
    if system.reach is Reach.BATCH:
        pytest.skip("a fit rates all matches at once, and nobody before")
    return system


@pytest.fixture
def rateable(system, log) -> MatchLog:
    """The log without the matches the system refuses."""
    return log.without([match for match, _ in system.refusals(log)])[0]


@pytest.fixture
def plain(system, rateable, plain_replays) -> Replay:
    """The plain replay of the log; nobody can write to it."""
    if system not in plain_replays:
        plain_replays[system] = system.replay(rateable, engine="plain")
    return plain_replays[system]


def test_rating_one_by_one_gives_the_bits_of_a_replay(one_by_one, rateable, plain):
    log, replay = rateable, plain
    states = dict.fromkeys(log.keys)
    board = None
    row = 0
    wide = one_by_one.reach is Reach.BOARD
    for index in range(min(len(log), BOARD_WIDE if wide else ONE_BY_ONE)):
        match = log.part(index, index + 1) if wide else log.match(index)
        rated = one_by_one.rate(match, [states[key] for key in match.keys], board)
        board = rated.board
        states.update(zip(match.keys, rated.states, strict=True))
        for player in match.player.tolist():
            assert np.array(rated.states[player]).tobytes() == replay.after[row].tobytes()
            row += 1


def test_a_replay_in_parts_gives_the_bits_of_a_replay_at_once(one_by_one, rateable, plain):
    log, replay = rateable, plain
    state, board, parts, changed = (
        None,
        None,
        [replay.after[:0]],
        [replay.indirect_changes.state[:0]],
    )
    for first in range(0, len(log), 137):
        part = one_by_one.replay(
            log.part(first, min(first + 137, len(log))), state, engine="plain", board=board
        )
        state, board = part.final, part.board
        parts.append(part.after)
        changed.append(part.indirect_changes.state)
    assert same_bits(np.concatenate(parts), replay.after)
    assert same_bits(np.concatenate(changed), replay.indirect_changes.state)
    if len(log):
        assert same_bits(state, replay.final)
        assert board == replay.board


@pytest.mark.skipif(not numba_is_installed(), reason="Numba is not installed")
def test_the_compiled_engine_gives_the_bits_of_the_plain_one(system, rateable, plain):
    compiled = system.replay(rateable, engine="compiled")
    assert answers_of(system, plain) == answers_of(system, compiled)


def answers_of(system: System, replay: Replay) -> dict[str, bytes | tuple[float, ...] | None]:
    """Return all that can be read from a replay, bit for bit."""
    read = {name: getattr(replay, name) for name in ("start", "before", "after", "final", "joined")}
    read |= {
        field.name: getattr(replay.indirect_changes, field.name)
        for field in fields(IndirectChanges)
    }
    if system.reach is not Reach.BATCH:
        read["table"] = table_before(system, replay).states
        made = predictions_of(system, replay)
        read |= {f"predicted {field.name}": getattr(made, field.name) for field in fields(made)}
    bits = {name: None if array is None else array.tobytes() for name, array in read.items()}
    return {**bits, "board": replay.board}


def starts_of(system: System, log: MatchLog) -> Floats:
    """Return states that two thirds of the players bring; every fourth of these is an anchor."""
    start = np.array(system.replay(log.part(0, len(log) // 2), engine="plain").final)
    start[::3] = np.nan
    if "anchored" in system.columns:
        anchors = np.flatnonzero(~np.isnan(start[:, 0]))[::4]
        start[anchors, system.columns.index("anchored")] = 1.0
    return start


SMALL_LOGS = {
    "everything": logs.generated_log(seed=2, matches=150, players=24),
    "single players": logs.generated_log(seed=3, matches=100, players=16, most_members=1),
    "events": logs.generated_events(seed=2, matches=80),
    "every kind": logs.every_kind_of_event(sides_of_one=True),
}


@pytest.fixture(params=SMALL_LOGS)
def started(request: pytest.FixtureRequest, system: System) -> tuple[MatchLog, Floats]:
    """A log without what the system refuses, and what its players bring."""
    log = SMALL_LOGS[request.param]
    log = log.without([match for match, _ in system.refusals(log)])[0]
    return log, starts_of(system, log)


@pytest.mark.skipif(not numba_is_installed(), reason="Numba is not installed")
def test_both_engines_answer_the_same_and_leave_what_they_were_given_as_it_was(system, started):
    log, start = started
    given = start.tobytes()
    plain = system.replay(log, start, engine="plain")
    compiled = system.replay(log, start, engine="compiled")
    assert start.tobytes() == given
    assert answers_of(system, plain) == answers_of(system, compiled)
    day = int(log.day[-1]) + 1000
    before = answers_of(system, compiled)
    later = [system.apply_decay(replay, day, for_good=True) for replay in (plain, compiled)]
    assert answers_of(system, later[0]) == answers_of(system, later[1])
    assert answers_of(system, compiled) == before


@pytest.mark.skipif(not numba_is_installed(), reason="Numba is not installed")
def test_what_a_replay_goes_on_from_stays_as_it_was(system, started):
    log, start = started
    half = len(log) // 2
    first = system.replay(log.part(0, half), start, engine="compiled")
    before = answers_of(system, first)
    system.replay(log.part(half, len(log)), first.final, engine="compiled", board=first.board)
    assert answers_of(system, first) == before


def test_nobody_writes_to_what_a_replay_gives():
    for info in list_systems():
        log = logs.duel_log([("a", "b", 1.0), ("b", "c", 0.5)])
        replay = create(info.name).replay(log)
        for states in (replay.start, replay.after, replay.final):
            with pytest.raises(ValueError, match="read-only"):
                states[0, 0] = 1.0


@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_a_prediction_is_made_of_what_stood_before_the_match(system, engine, started):
    """Newcomers stand where they join at that moment, not where they would at the end."""
    if engine == "compiled" and not numba_is_installed():
        pytest.skip("Numba is not installed")
    if system.reach is Reach.BATCH or system.name == "ladder":
        pytest.skip("it predicts nothing, or lets newcomers join in an order of their own")
    log, start = started
    log = log.part(0, min(len(log), 60))
    made = predictions_of(system, system.replay(log, start, engine=engine))
    stands = system.replay(log.part(0, 0), start)
    for index in range(len(log)):
        match = log.part(index, index + 1)
        at, day = int(match.at[0]), int(match.day[0])
        # A match ends the periods before it; an imagined one does not.
        ended = system.apply_decay(stands, day)
        state, board = ended.final, ended.board
        sides = [side_of(match, side, state) for side in range(len(match.rank))]
        for pair in np.flatnonzero(made.match == index).tolist():
            one, other = (
                int(column[pair] - log.side_start[index]) for column in (made.one, made.other)
            )
            said = system.predict([sides[one], sides[other]], at, day, board=board).expected[0]
            assert made.chance[pair] == approx(said, abs=1e-12)
        stands = system.replay(match, state, engine="plain", board=board)


def side_of(log: MatchLog, side: int, states: Floats) -> Side:
    """Return a side of a log as `predict` takes it."""
    members = range(int(log.member_start[side]), int(log.member_start[side + 1]))
    players = [int(log.player[member]) for member in members]
    return Side(
        states=tuple(tuple(states[player].tolist()) for player in players),
        keys=tuple(log.keys[player] for player in players),
        handicap=float(log.handicap[side]),
        shares=tuple(float(log.share[member]) for member in members),
        birth_years=tuple(int(log.birth_year[player]) for player in players),
    )


@pytest.mark.parametrize("name", ["zerosum", "becker"])
@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_the_first_match_of_newcomers_is_even_however_often_one_wins_later(name, engine):
    if engine == "compiled" and not numba_is_installed():
        pytest.skip("Numba is not installed")
    system = create(name)
    log = logs.duel_log([("a", "b", 1.0)] * 50)
    made = predictions_of(system, system.replay(log, engine=engine))
    assert made.chance[0] == 0.5 < made.chance[-1]


def test_nothing_a_replay_gives_is_infinite_or_no_number(one_by_one, plain):
    assert np.isfinite(plain.after).all() and np.isfinite(plain.indirect_changes.state).all()


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


@pytest.mark.parametrize(
    "engine",
    [
        "plain",
        pytest.param(
            "compiled",
            marks=pytest.mark.skipif(not numba_is_installed(), reason="Numba is not installed"),
        ),
    ],
)
def test_parts_in_which_a_log_is_run_leave_no_trace(engine, monkeypatch):
    """Of matches of different widths, so that a later part may have more participants."""
    log = logs.generated_log(matches=60)
    whole = create("elo").replay(log, engine=engine)
    told = []
    monkeypatch.setattr("ratings.engine._PLAIN_MATCHES", 7)
    monkeypatch.setattr("ratings.engine._COMPILED_PARTICIPANTS", 40)
    replay = create("elo").replay(log, engine=engine, progress=lambda done, _all: told.append(done))
    assert len(told) > 5
    assert same_bits(replay.after, whole.after) and same_bits(replay.final, whole.final)


def test_players_without_a_match_keep_what_they_came_with():
    log = logs.duel_log([("a", "b", 1.0), ("c", "d", 1.0)])
    start = np.full((4, 2), np.nan)
    start[3] = (1700.0, 12.0)
    final = create("elo").replay(log.part(0, 1), start).final
    assert np.isnan(final[2]).all() and final[3].tolist() == [1700.0, 12.0]


@body
def _unused(log, state, after, scratch, settings):
    """Stand for a body that nothing has compiled yet."""


def test_short_logs_stay_with_the_plain_engine():
    assert choose("auto", _unused, 999, 1000) == "plain"
    assert choose("compiled", _unused, 1, 1000) == "compiled"


@pytest.mark.skipif(not numba_is_installed(), reason="Numba is not installed")
def test_a_log_is_as_long_as_the_duels_that_take_its_time():
    log, _ = MatchLog.build(
        keys=[f"{number:02d}" for number in range(8)],
        at=[0, 1],
        match=np.repeat([0, 1], 8),
        side=np.tile(np.arange(8), 2),
        rank=np.tile(np.arange(8), 2),
        player=np.tile(np.arange(8), 2),
    )
    assert choose("auto", _unused, len(log), 33, log) == "plain"
    assert choose("auto", _unused, len(log), 32, log) == "compiled"


@pytest.mark.skipif(not numba_is_installed(), reason="Numba is not installed")
def test_a_body_that_is_compiled_already_is_taken_for_shorter_logs():
    @body
    def own(log, state, after, scratch, settings):
        """Stand for a body that this process compiles."""

    assert choose("auto", own, LOADED_BREAK_EVEN, 10_000) == "plain"
    compiled(own)
    assert choose("auto", own, LOADED_BREAK_EVEN, 10_000) == "compiled"
    assert choose("auto", own, LOADED_BREAK_EVEN - 1, 10_000) == "plain"


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
