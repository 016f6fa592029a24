"""Ratings drawn at random before the first match: exact, replayed, verified, moved and undone."""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import random
from datetime import timedelta

import numpy as np
import pytest
from django.core.management import call_command
from django.db import connection, transaction

from leagues import bridge
from leagues.bridge.systems import system_with
from leagues.domain.openings import RandomStart, random_start
from leagues.jobs.runner import drain
from leagues.models import AuditEntry, Board, League, Player, Season, Standing, StartingState
from leagues.services.backups import restore_backup, write_backup
from leagues.services.carryover import carry_over, start_next_season
from leagues.services.errors import Refused
from leagues.services.integrity import check_board
from leagues.services.leagues import add_board, restart_board
from leagues.services.openings import (
    preview_random_start,
    start_randomly,
    undo_opening,
)
from leagues.services.player_merging import merge_players
from leagues.services.players import ensure_player
from leagues.services.rules import change_rules
from leagues.services.seasons import Step, take_step
from leagues.services.starts import Start
from leagues.store.segments import unpack_states
from tests.leagues.play import START, mode_of, new_club, record, result, rounds, season_of
from tests.leagues.services.test_starts import (
    SPRING,
    assert_sound,
    board_of,
    digest,
    give,
    replayed,
)

pytestmark = pytest.mark.django_db

NAMES = ("Ana", "Bo", "Cy", "Di", "Eve")
SPREAD = 0.5


def club_with_lottery(slug: str = "club", **parameters: object) -> League:
    league = new_club(slug)
    season_of(league).boards.all().delete()
    add_board(
        season=season_of(league),
        mode=mode_of(league),
        system="zerosum",
        parameters={"spread": SPREAD, **parameters},
    )
    for name in NAMES:
        ensure_player(league=league, name=name)
    return league


@pytest.fixture
def club() -> League:
    return club_with_lottery()


def zero_sum(league: League, **season: str) -> Board:
    return board_of(league, "zerosum", **season)


def draw(league: League, seed: int = 7) -> Board:
    board = zero_sum(league)
    start_randomly(board=board, seed=seed, actor=None)
    drain()
    return zero_sum(league)


def drawn(board: Board) -> dict[str, float]:
    """The ratings that are stored for the start, by the keys of players."""
    rows = StartingState.objects.filter(board=board).values_list("player__key", "state")
    return {key: float(np.frombuffer(bytes(state), "<f8")[0]) for key, state in rows}


def ratings(board: Board) -> dict[str, float]:
    board.refresh_from_db()
    rows = Standing.objects.current(board).values_list("player__name", "state")
    width = len(bridge.system_of(board).columns)
    return {name: float(unpack_states([state], width)[0, 0]) for name, state in rows}


def merge(league: League, keep: str, drop: str) -> None:
    one, other = (Player.objects.get(league=league, key=key) for key in (keep, drop))
    merge_players(league=league, keep=one, drop=other, author=None)


def take(season: Season, *steps: Step) -> None:
    for step in steps:
        take_step(season, step, actor=None, now=START + timedelta(days=30))
        drain()
        season.refresh_from_db()


def codes(board: Board, **choices: object) -> frozenset[str]:
    with pytest.raises(Refused) as refused:
        start_randomly(board=board, seed=7, actor=None, **choices)  # type: ignore[arg-type]
    return refused.value.codes


def test_a_hand_worked_example(club: League) -> None:
    board = draw(club)
    source = random.Random(7)
    x, y = (source.uniform(-SPREAD, SPREAD) for _pair in range(2))
    assert drawn(board) == {"ana": x, "bo": -x, "cy": y, "di": -y, "eve": 0.0}
    # docs/ratings/zerosum.md has these numbers: of one above the other, and what the win takes.
    assert (round(x, 4), round(y, 4)) == (-0.1762, -0.3492)
    record(club, result(club, "Ana", "Bo", at=START))
    gain = 0.2 * (1.0 - 1.0 / (1.0 + np.exp(-2 * x)))
    assert ratings(board) == {
        "Ana": pytest.approx(x + gain, abs=1e-15),
        "Bo": pytest.approx(-x - gain, abs=1e-15),
    }
    # Who is added later joins at the mean, as ever.
    record(club, result(club, "Flo", "Eve", at=START + timedelta(days=1)))
    assert ratings(board)["Flo"] == pytest.approx(0.1)
    assert_sound(board)


def test_a_seed_gives_the_same_in_every_database_and_another_one_other_ratings() -> None:
    first, other = club_with_lottery("one"), new_club("two")
    season_of(other).boards.all().delete()
    # The same players, registered in another order.
    for name in reversed(NAMES):
        ensure_player(league=other, name=name)
    add_board(
        season=season_of(other),
        mode=mode_of(other),
        system="zerosum",
        parameters={"spread": SPREAD},
    )
    assert drawn(draw(first)) == drawn(draw(other))
    assert drawn(draw(club_with_lottery("three"), seed=8)) != drawn(zero_sum(first))


def test_it_can_be_drawn_again_from_the_log_bit_for_bit(club: League) -> None:
    board = draw(club)
    said = AuditEntry.objects.get(action="board.random_start").after
    assert said is not None
    assert {name: said[name] for name in ("seed", "spread", "start")} == {
        "seed": 7,
        "spread": SPREAD,
        "start": 0.0,
    }
    numbers = {name: said[name] for name in ("seed", "spread", "start")}
    system = system_with("zerosum", {**board.parameters, **numbers})
    again = system.lottery(said["drawn_players"])  # type: ignore[attr-defined]
    assert {key: state[0] for key, state in again.items()} == drawn(board)


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"start": 0.1},
        {"decay": 0.1, "period_days": 1},
        {"display": "fixed-range"},
        {"anchors": True},
        {"anchors": True, "decay": 0.1, "display": "fixed-range"},
    ],
)
def test_matches_appended_are_as_a_replay_and_the_mean_stays(parameters: dict[str, object]) -> None:
    league = club_with_lottery(**parameters)
    board = draw(league)
    for day, pair in enumerate(itertools.pairwise(NAMES)):
        record(league, result(league, *pair, at=START + timedelta(days=day)))
        record(league, result(league, "New", pair[0], at=START + timedelta(days=day, hours=1)))
    appended = digest(board)
    assert_sound(board)
    assert replayed(board) == appended
    late = result(league, "Ana", "Di", at=START - timedelta(days=1))
    record(league, late)
    assert_sound(board)
    assert replayed(board) == digest(board)
    # Everybody has played, so the mean of all is the one of the start.
    values = ratings(board).values()
    assert sum(values) / len(values) == pytest.approx(parameters.get("start", 0.0), abs=1e-9)


def test_an_anchor_keeps_its_rating_and_one_made_later_leaves_the_drawing() -> None:
    league = club_with_lottery(anchors=True)
    ensure_player(league=league, name="Bot")
    bot = Start(1.0, None, "bot of the server")
    assert give(zero_sum(league), "Bot", bot)
    board = draw(league)
    assert drawn(board)["bot"] == 1.0
    record(league, *rounds(league, NAMES, 2))
    plain = digest(board)
    assert give(board, "Eve", bot)
    assert ratings(board)["Eve"] == 1.0
    assert_sound(board)
    assert replayed(board) == digest(board)
    assert give(board, "Eve", None)
    assert digest(board) == plain


def test_undone_everything_is_as_it_was() -> None:
    league = club_with_lottery(anchors=True)
    ensure_player(league=league, name="Bot")
    give(zero_sum(league), "Bot", Start(1.0, None, "bot of the server"))
    before = Board.objects.values().get()
    board = draw(league)
    give(board, "Eve", Start(0.5, None, "another bot"))
    undo_opening(board=board, actor=None)
    drain()
    board = zero_sum(league)
    assert random_start(board) is None and board.start_board_state == before["start_board_state"]
    assert board.start_parameters == before["start_parameters"]
    assert drawn(board) == {"bot": 1.0, "eve": 0.5}
    assert not StartingState.objects.exclude(carried_state=b"").exists()
    entry = AuditEntry.objects.get(action="board.opening_undone")
    assert entry.before == {"board": board.slug, "seed": 7, "spread": SPREAD}
    for name in ("Bot", "Eve"):
        give(board, name, None)
    start_randomly(board=zero_sum(league), seed=9, actor=None)
    undo_opening(board=zero_sum(league), actor=None)
    assert not StartingState.objects.exists() and zero_sum(league).start_parameters == {}


def test_it_is_refused_with_the_reason(club: League) -> None:
    board = zero_sum(club)
    other = add_board(season=season_of(club), mode=mode_of(club), system="elo")
    assert codes(other) == {"system"}
    change_rules(
        board,
        parameters={**board.parameters, "spread": 0.0},
        effective_at=None,
        actor=None,
        reason="none",
    )
    board = zero_sum(club)
    assert codes(board) == {"spread"}
    parameters = {**board.parameters, "spread": SPREAD}
    change_rules(board, parameters=parameters, effective_at=None, actor=None, reason="some")
    assert codes(zero_sum(club), keys=["ana", "nobody"]) == {"unknown"}
    assert codes(zero_sum(club), keys=["ana"]) == {"players"}
    board = draw(club)
    assert codes(board) == {"has_opening"}
    with pytest.raises(Refused, match="is chosen already"):
        carry_over(season_of(club), carryover=Season.Carryover.FRESH, actor=None)
    undo_opening(board=board, actor=None)
    with pytest.raises(Refused, match="begin as newcomers"):
        undo_opening(board=zero_sum(club), actor=None)
    merge(club, "ana", "eve")
    assert codes(zero_sum(club), keys=["ana", "eve"]) == {"merged"}
    draw(club)
    record(club, result(club, "Ana", "Bo", at=START))
    assert codes(zero_sum(club)) >= {"has_results"}
    with pytest.raises(Refused, match="too late"):
        undo_opening(board=zero_sum(club), actor=None)


def test_a_closed_season_refuses_it(club: League) -> None:
    season = season_of(club)
    take(season, Step.CLOSE, Step.SEAL)
    assert "season_closed" in codes(zero_sum(club))


def test_what_changed_since_the_preview_is_refused(club: League) -> None:
    board = zero_sum(club)
    seen = preview_random_start(board, 7).fingerprint
    assert codes(board, seen=seen[:-1]) == {"changed"}
    ensure_player(league=club, name="Abe")
    assert codes(board, seen=seen) == {"changed"}
    preview = preview_random_start(board, 7)
    start_randomly(board=board, seed=7, actor=None, seen=preview.fingerprint)
    assert drawn(board) == {player.key: value.rating for player, value in preview.rows}


def test_what_is_confirmed_twice_is_drawn_once(club: League) -> None:
    board = zero_sum(club)
    seen = preview_random_start(board, 7).fingerprint
    for _click in range(2):
        assert start_randomly(board=zero_sum(club), seed=7, actor=None, seen=seen) == 5
        drain()
    assert AuditEntry.objects.filter(action="board.random_start").count() == 1
    assert codes(zero_sum(club)) == {"has_opening"}
    assert codes(zero_sum(club), seen=seen[::-1]) == {"has_opening"}


def test_a_drawn_player_is_kept_in_a_merge(club: League) -> None:
    draw(club)
    with pytest.raises(Refused, match="drawn at random"):
        merge(club, "ana", "eve")


def test_the_next_season_goes_on_from_it(club: League) -> None:
    board = draw(club)
    record(club, *rounds(club, NAMES[:3], 2))
    season = season_of(club)
    take(season, Step.CLOSE, Step.SEAL)
    following = start_next_season(
        Season.objects.get(pk=season.pk), days=(SPRING.replace(year=2028), None), actor=None
    )
    carry_over(following, carryover=Season.Carryover.KEEP, actor=None)
    later = zero_sum(club, season__slug=following.slug)
    carried = drawn(later)
    # Who has not played brings what was drawn.
    assert carried["di"] == drawn(board)["di"] and set(carried) == set(drawn(board))
    assert random_start(later) is None
    assert codes(later) == {"carried_over"}
    carry_over(following, carryover=Season.Carryover.FRESH, actor=None)
    start_randomly(board=zero_sum(club, season__slug=following.slug), seed=3, actor=None)


def test_verify_names_a_forged_start(club: League) -> None:
    board = draw(club)
    record(club, *rounds(club, NAMES, 2))
    assert verified().strip().splitlines()[-1].startswith("0 differences")
    change = "UPDATE leagues_startingstate SET state = (SELECT board_state FROM leagues_board)"
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(change)
        assert "starting" in verified()
        transaction.set_rollback(True)
    with transaction.atomic():
        with connection.cursor() as cursor:
            text = json.dumps({**board.start_parameters, "seed": 8})
            cursor.execute("UPDATE leagues_board SET start_parameters = %s", [text])
        assert "start_parameters" in verified()
        transaction.set_rollback(True)


def test_verify_draws_again_what_other_hashes_would_not_tell() -> None:
    """Who changes a start through the application has its hashes and the ratings changed too."""
    league = club_with_lottery()
    board = draw(league)
    record(league, *rounds(league, NAMES, 2))
    states = dict(StartingState.objects.values_list("player__key", "state"))
    for key, other in (("ana", "bo"), ("bo", "ana")):
        StartingState.objects.filter(player__key=key).update(state=bytes(states[other]))
    restart_board(board)
    drain()
    differences = check_board(zero_sum(league)).differences
    assert [(one.player, one.what) for one in differences] == [
        ("ana", "random start"),
        ("bo", "random start"),
    ]
    assert differences[0].stored == differences[1].replayed
    assert verified().strip().splitlines()[-1].startswith("2 differences")


def test_what_was_drawn_is_drawn_again_whatever_came_after(club: League) -> None:
    board = draw(club)
    record(club, *rounds(club, NAMES, 2))
    merge(club, "eve", ensure_player(league=club, name="Eva").key)
    parameters = {**board.parameters, "anchors": True, "decay": 0.1, "spread": 9.0, "start": 2.0}
    change_rules(board=board, parameters=parameters, effective_at=None, actor=None)
    drain()
    assert give(zero_sum(club), "Di", Start(1.0, None, "bot of the server"))
    ensure_player(league=club, name="Aaron")
    drain()
    assert check_board(zero_sum(club)).differences == ()


def verified() -> str:
    output = io.StringIO()
    with contextlib.suppress(SystemExit):
        call_command("verify", stdout=output)
    return output.getvalue()


def test_a_backup_keeps_what_was_drawn() -> None:
    written = io.BytesIO()
    with transaction.atomic():
        league = club_with_lottery()
        board = draw(league)
        record(league, *rounds(league, NAMES, 2))
        before, stored = digest(board), drawn(board)
        write_backup(written)
        transaction.set_rollback(True)
    restore_backup(io.BytesIO(written.getvalue()))
    drain()
    restored = Board.objects.select_related("league", "season", "mode").get()
    assert (digest(restored), drawn(restored)) == (before, stored)
    assert random_start(restored) == RandomStart(7, SPREAD)
