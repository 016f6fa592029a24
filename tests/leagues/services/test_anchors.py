"""Anchors of zero-sum boards: ratings that stay, replayed, verified, carried, moved, undone."""

from __future__ import annotations

import contextlib
import io
import math
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import connection, transaction
from hypothesis import given, strategies

from leagues import bridge
from leagues.jobs.runner import drain
from leagues.models import Board, League, Match, Season, Standing, StartingState
from leagues.services.backups import restore_backup, write_backup
from leagues.services.carryover import carry_over, start_next_season
from leagues.services.errors import Refused
from leagues.services.integrity import league_digest
from leagues.services.leagues import add_board
from leagues.services.matches import record_matches, void_match
from leagues.services.player_merging import merge_players
from leagues.services.players import ensure_player
from leagues.services.rules import change_rules
from leagues.services.season_settings import update_season
from leagues.services.seasons import Step, take_step
from leagues.services.started_matches import lose_overdue
from leagues.services.starts import Start, anchors_of, preview_start, start_of
from leagues.store.segments import unpack_states
from tests.leagues.play import START, mode_of, new_club, record, result, rounds, season_of
from tests.leagues.services.test_started_matches import start
from tests.leagues.services.test_starts import (
    SPRING,
    STEPS,
    assert_sound,
    board_of,
    digest,
    few_examples,
    give,
    player,
    replayed,
    take_steps,
)

pytestmark = pytest.mark.django_db

NAMES = ("Ana", "Bo", "Cy", "Di")
BOT = Start(1.0, None, "bot of the server, level 3")


def club_with_anchors(slug: str = "club", **parameters: object) -> League:
    league = new_club(slug)
    season_of(league).boards.all().delete()
    add_board(
        season=season_of(league),
        mode=mode_of(league),
        system="zerosum",
        parameters={"anchors": True, **parameters},
    )
    return league


def zero_sum(league: League, **season: str) -> Board:
    return board_of(league, "zerosum", **season)


def ratings(board: Board) -> dict[str, float]:
    """The exact rating of everyone on a board, by name."""
    board.refresh_from_db()
    rows = Standing.objects.current(board).values_list("player__name", "state")
    width = len(bridge.system_of(board).columns)
    return {name: float(unpack_states([state], width)[0, 0]) for name, state in rows}


def test_a_hand_worked_example() -> None:
    league = club_with_anchors()
    ensure_player(league=league, name="Bot")
    assert give(zero_sum(league), "Bot", BOT)
    record(league, result(league, "Ana", "Bot", at=START))
    # Ana joins at 0 and was expected to score 1/(1+e) against 1: 0.2 * (1 - 0.26894...).
    gain = 0.2 * (1.0 - 1.0 / (1.0 + math.e))
    board = zero_sum(league)
    assert ratings(board) == {"Ana": pytest.approx(gain, abs=1e-15), "Bot": 1.0}
    shown = dict(Standing.objects.current(board).values_list("player__name", "shown"))
    assert shown == {"Ana": pytest.approx(1500 + 174 * gain), "Bot": 1674.0}
    # What the anchor withheld is in the mean, at which Bo joins: an equal of Ana's, who gains half.
    record(league, result(league, "Ana", "Bo", at=START + timedelta(days=1)))
    assert ratings(board) == {
        "Ana": pytest.approx(gain + 0.1, abs=1e-15),
        "Bo": pytest.approx(gain - 0.1, abs=1e-15),
        "Bot": 1.0,
    }
    assert_sound(board)
    appended = digest(board)
    assert replayed(board) == appended


@pytest.mark.parametrize(
    "parameters",
    [{}, {"decay": 0.1, "period_days": 1}, {"display": "fixed-range"}, {"shares": True}],
)
def test_marked_and_unmarked_again_everything_is_as_it_was(parameters: dict[str, object]) -> None:
    league = club_with_anchors(**parameters)
    record(league, *rounds(league, NAMES, 3))
    board = zero_sum(league)
    before = digest(board)
    assert give(board, "Di", BOT)
    after = digest(board)
    assert after != before and ratings(board)["Di"] == 1.0
    assert_sound(board)
    assert replayed(board) == after
    late = result(league, "Ana", "Di", at=START - timedelta(days=1))
    record(league, late)
    assert ratings(board)["Di"] == 1.0
    assert_sound(board)
    corrected = digest(board)
    assert replayed(board) == corrected
    void_match(match=Match.objects.get(season=board.season, played_at__lt=START), author=None)
    drain()
    assert digest(board) == after
    assert give(board, "Di", None)
    assert digest(board) == before
    assert not StartingState.objects.exists()


def test_a_board_without_anchors_refuses_them_and_names_none() -> None:
    league = club_with_anchors()
    board = add_board(season=season_of(league), mode=mode_of(league), system="zerosum", name="No")
    ensure_player(league=league, name="Bot")
    with pytest.raises(Refused) as refused:
        give(board, "Bot", BOT)
    assert refused.value.codes == {"no_starts"}
    assert anchors_of(board) == {}


@pytest.mark.parametrize(
    ("start", "fields"),
    [
        (Start(math.nan, None, "bot"), {"rating"}),
        (Start(math.inf, None, "bot"), {"rating"}),
        (Start(1e7, None, "bot"), {"rating"}),
        (Start(1.0, 0.5, "bot"), {"deviation"}),
        (Start(1.0, None, " "), {"source"}),
        (Start(1.0, None, "x" * 81), {"source"}),
    ],
)
def test_what_no_anchor_can_keep_is_refused_with_its_field(start: Start, fields: set[str]) -> None:
    league = club_with_anchors()
    record(league, *rounds(league, NAMES, 1))
    before = digest(zero_sum(league))
    with pytest.raises(Refused) as refused:
        give(zero_sum(league), "Ana", start)
    assert {problem.field for problem in refused.value.problems} == fields
    assert digest(zero_sum(league)) == before and not StartingState.objects.exists()


def test_a_rating_that_could_not_be_shown_is_refused() -> None:
    league = club_with_anchors(scale=1e6)
    ensure_player(league=league, name="Bot")
    with pytest.raises(Refused, match="over a billion"):
        give(zero_sum(league), "Bot", Start(1e6, None, "bot"))


def test_the_preview_is_what_saving_does() -> None:
    league = club_with_anchors()
    record(league, *rounds(league, NAMES, 3))
    board, who = zero_sum(league), player(league, "Cy")
    before = digest(board)
    state = preview_start(board=board, player=who, start=BOT, actor=None, was=None)
    assert state is not None and state.preview is not None
    assert digest(board) == before and not StartingState.objects.exists()
    (effect,) = state.preview.boards
    give(board, "Cy", BOT)
    board.refresh_from_db()
    shown = dict(Standing.objects.current(board).values_list("player__key", "shown"))
    assert {mover.key: mover.after for mover in effect.movers} == {
        key: shown[key] for key in (mover.key for mover in effect.movers)
    }
    assert "cy" in {mover.key for mover in effect.movers}


def test_rules_lose_their_anchors_only_when_no_player_is_one() -> None:
    league = club_with_anchors()
    record(league, *rounds(league, NAMES, 2))
    board = zero_sum(league)
    give(board, "Di", BOT)
    with pytest.raises(ValidationError, match="1 player is an anchor") as refused:
        change_rules(board, parameters={"anchors": False}, effective_at=None, actor=None)
    assert set(refused.value.message_dict) == {"anchors"}
    change_rules(board, parameters={"max_gain": 0.4}, effective_at=None, actor=None)
    drain()
    assert ratings(board)["Di"] == 1.0
    assert_sound(board)
    give(zero_sum(league), "Di", None)
    change_rules(zero_sum(league), parameters={"anchors": False}, effective_at=None, actor=None)
    drain()
    assert_sound(board)


def followed(league: League, carryover: str = "keep") -> Season:
    season = season_of(league)
    for step in (Step.CLOSE, Step.SEAL):
        take_step(season, step, actor=None, now=START + timedelta(days=60))
        drain()
        season.refresh_from_db()
    return start_next_season(season, days=(SPRING, None), carryover=carryover, actor=None)


def play(season: Season, *pairs: tuple[str, str]) -> None:
    if season.state == Season.State.DRAFT:
        take_step(season, Step.OPEN, actor=None, now=SPRING)
        season.refresh_from_db()
    league = season.league
    for number, pair in enumerate(pairs, start=1):
        at = SPRING + timedelta(days=number)
        record_matches(season=season, mode=mode_of(league), drafts=[result(league, *pair, at=at)])
        drain()


@pytest.mark.parametrize("carryover", ["keep", "soft"])
def test_the_next_season_takes_over_anchors_with_what_they_keep(carryover: str) -> None:
    league = club_with_anchors()
    record(league, *rounds(league, NAMES, 3))
    give(zero_sum(league), "Di", BOT)
    after = followed(league)
    carry_over(after, carryover=carryover, share=0.5, actor=None)
    board = zero_sum(league, season__name=after.name)
    assert start_of(board, player(league, "Di")) == BOT
    row = StartingState.objects.get(board=board, player__name="Di")
    assert bytes(row.carried_state) == b""
    play(after, ("Ana", "Di"), ("Eve", "Bo"))
    assert ratings(board)["Di"] == 1.0
    assert_sound(board)
    kept = digest(board)
    give(board, "Di", None)
    assert ratings(board)["Di"] != 1.0
    assert_sound(board)
    give(board, "Di", BOT)
    assert digest(board) == kept


def test_a_fresh_start_takes_no_anchors_over_and_leaves_those_of_its_own() -> None:
    league = club_with_anchors()
    record(league, *rounds(league, NAMES, 3))
    give(zero_sum(league), "Di", BOT)
    after = followed(league)
    board = zero_sum(league, season__name=after.name)
    own = Start(-0.5, None, "another bot")
    give(board, "Cy", own)
    carry_over(after, carryover="fresh", actor=None)
    assert anchors_of(board) == {player(league, "Cy").pk: own}
    carry_over(after, carryover="keep", actor=None)
    assert anchors_of(board) == {player(league, "Cy").pk: own, player(league, "Di").pk: BOT}


def test_a_removed_anchor_does_not_come_back_with_another_first_day() -> None:
    league = club_with_anchors()
    record(league, *rounds(league, NAMES, 3))
    for name in ("Cy", "Di"):
        give(zero_sum(league), name, BOT)
    after = followed(league)
    board = zero_sum(league, season__name=after.name)
    give(board, "Di", None)
    update_season(
        Season.objects.get(pk=after.pk),
        name=after.name,
        starts_at=SPRING + timedelta(days=3),
        ends_at=None,
        actor=None,
        now=SPRING,
    )
    assert anchors_of(board) == {player(league, "Cy").pk: BOT}
    carry_over(after, carryover="soft", share=0.5, actor=None)
    assert anchors_of(board) == {player(league, "Cy").pk: BOT}
    carry_over(after, carryover="fresh", actor=None)
    assert anchors_of(board) == {}
    carry_over(after, carryover="keep", actor=None)
    assert anchors_of(board) == {player(league, name).pk: BOT for name in ("Cy", "Di")}


def test_an_anchor_given_as_in_the_season_before_outlives_a_fresh_start() -> None:
    league = club_with_anchors()
    record(league, *rounds(league, NAMES, 3))
    give(zero_sum(league), "Di", BOT)
    after = followed(league, "fresh")
    board = zero_sum(league, season__name=after.name)
    give(board, "Di", BOT)
    carry_over(after, carryover="fresh", actor=None)
    assert anchors_of(board) == {player(league, "Di").pk: BOT}


def test_a_board_that_joins_a_season_later_takes_its_anchors_over() -> None:
    league = club_with_anchors()
    record(league, *rounds(league, NAMES, 3))
    give(zero_sum(league), "Di", BOT)
    after = followed(league)
    after.boards.all().delete()
    board = add_board(
        season=after, mode=mode_of(league), system="zerosum", parameters={"anchors": True}
    )
    carry_over(after, carryover="keep", actor=None)
    assert anchors_of(board) == {player(league, "Di").pk: BOT}


def test_rules_that_could_not_show_an_anchor_are_refused() -> None:
    league = club_with_anchors()
    record(league, *rounds(league, NAMES, 1))
    give(zero_sum(league), "Di", Start(1e6, None, "a wall"))
    with pytest.raises(ValidationError, match="over a billion") as refused:
        change_rules(zero_sum(league), parameters={"scale": 1e6}, effective_at=None, actor=None)
    assert set(refused.value.message_dict) == {"scale"}
    after = followed(league, "fresh")
    board = zero_sum(league, season__name=after.name)
    change_rules(board, parameters={"scale": 1e6}, effective_at=None, actor=None)
    with pytest.raises(Refused, match=r"starting rating of “Di” .* over a billion"):
        carry_over(after, carryover="keep", actor=None)
    assert not anchors_of(board)


def test_who_brought_a_rating_leaves_the_mean_as_an_anchor() -> None:
    league = club_with_anchors()
    record(league, *rounds(league, NAMES, 3))
    carried = ratings(zero_sum(league))
    after = followed(league)
    board = zero_sum(league, season__name=after.name)
    give(board, "Ana", BOT)
    play(after, ("Eve", "Bo"))
    # Eve joins at the mean of the three others, and was expected to score by that against Bo.
    mean = math.fsum(carried[name] for name in ("Bo", "Cy", "Di")) / 3.0
    gain = 0.2 * (1.0 - 1.0 / (1.0 + math.exp(carried["Bo"] - mean)))
    assert ratings(board)["Eve"] == pytest.approx(mean + gain, abs=1e-12)
    assert_sound(board)
    left = digest(board)
    state = preview_start(
        board=board, player=player(league, "Ana"), start=None, actor=None, was=BOT
    )
    assert state is not None and state.preview is not None
    effects = {mover.key: mover.after for mover in state.preview.boards[0].movers}
    give(board, "Ana", None)
    shown = dict(Standing.objects.current(board).values_list("player__key", "shown"))
    assert effects and all(shown[key] == value for key, value in effects.items() if key in shown)
    assert_sound(board)
    back = preview_start(board=board, player=player(league, "Ana"), start=BOT, actor=None, was=None)
    assert back is not None and back.preview is not None
    effects = {mover.key: mover.after for mover in back.preview.boards[0].movers}
    give(board, "Ana", BOT)
    shown = dict(Standing.objects.current(board).values_list("player__key", "shown"))
    assert effects and all(shown[key] == value for key, value in effects.items() if key in shown)
    assert digest(board) == left


def test_rules_that_get_anchors_mark_them_beside_what_was_carried_over() -> None:
    league = new_club()
    season_of(league).boards.all().delete()
    rules = {"decay": 0.1, "period_days": 7}
    add_board(season=season_of(league), mode=mode_of(league), system="zerosum", parameters=rules)
    record(league, *rounds(league, NAMES, 3))
    after = followed(league)
    board = zero_sum(league, season__name=after.name)
    play(after, ("Ana", "Bo"), ("Cy", "Di"))
    before = digest(board)
    for on in (True, False):
        change_rules(board, parameters={"anchors": on}, effective_at=None, actor=None)
        drain()
        assert_sound(board)
    assert digest(board) == before
    change_rules(board, parameters={"anchors": True}, effective_at=None, actor=None)
    drain()
    plain = digest(board)
    board = zero_sum(league, season__name=after.name)
    give(board, "Ana", BOT)
    assert ratings(board)["Ana"] == 1.0
    assert_sound(board)
    give(board, "Ana", None)
    assert digest(board) == plain
    assert_verified()


def test_a_start_that_changes_on_a_day_is_not_that_of_who_joined_before() -> None:
    league = club_with_anchors()
    record(league, *rounds(league, NAMES, 2))
    give(zero_sum(league), "Di", BOT)
    late = START + timedelta(days=30)
    change_rules(zero_sum(league), parameters={"start": 2.0}, effective_at=late, actor=None)
    record(league, result(league, "Eve", "Ana", at=late + timedelta(days=1)))
    board = zero_sum(league)
    assert_sound(board)
    series = {
        name: bridge.read_series([board], player(league, name).pk)[board.pk]
        for name in ("Ana", "Eve")
    }
    assert series["Ana"].start.value == 1500.0
    mean = bridge.board_state(board)[0]
    assert series["Eve"].start.value == pytest.approx(1500 + 174 * mean)
    left = digest(board)
    assert replayed(board) == left


def test_who_leaves_a_first_match_loses_from_the_mean_of_then() -> None:
    league = club_with_anchors()
    ensure_player(league=league, name="Bot")
    give(zero_sum(league), "Bot", BOT)
    record(league, result(league, "Ana", "Bot", at=START))
    mean = ratings(zero_sum(league))["Ana"]
    started = start(league, "New", "Ana", at=START + timedelta(days=1)).match
    lose_overdue(START + timedelta(days=40))
    drain()
    record(league, result(league, "Bot", "Ana", at=START + timedelta(days=50)))
    board = zero_sum(league)
    assert_sound(board)
    losses = bridge.stored_losses(board, Match.objects.get(pk=started.pk))
    by_player = {one.player_id: (one.before.value, one.after.value) for one in losses}
    # Both left, as equals: first Ana, whose loss takes as much from the mean, at which New joins.
    lost = 0.2 / (1.0 + math.exp(0.1))
    assert by_player == {
        player(league, "Ana").pk: pytest.approx((1500 + 174 * mean, 1500 + 174 * (mean - 0.1))),
        player(league, "New").pk: pytest.approx(
            (1500 + 174 * (mean - 0.1), 1500 + 174 * (mean - 0.1 - lost))
        ),
    }
    assert ratings(board)["New"] == pytest.approx(mean - 0.1 - lost)
    left = digest(board)
    assert replayed(board) == left


def assert_verified() -> None:
    output = io.StringIO()
    with contextlib.suppress(SystemExit):
        call_command("verify", stdout=output)
    assert output.getvalue().strip().splitlines()[-1].startswith("0 differences")


def test_verify_names_a_forged_anchor() -> None:
    league = club_with_anchors()
    record(league, *rounds(league, NAMES, 2))
    give(zero_sum(league), "Di", BOT)
    assert_verified()
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("UPDATE leagues_startingstate SET rating = 2")
        with pytest.raises(AssertionError):
            assert_verified()
        transaction.set_rollback(True)


def test_an_anchor_is_merged_away_only_without_its_mark() -> None:
    league = club_with_anchors()
    record(league, *rounds(league, NAMES, 2), result(league, "Eve", "Bo", at=START))
    give(zero_sum(league), "Eve", BOT)
    with pytest.raises(Refused) as refused:
        merge_players(
            league=league, keep=player(league, "Ana"), drop=player(league, "Eve"), author=None
        )
    assert refused.value.codes == {"given_start"}
    kept = player(league, "Eve")
    record(league, result(league, "Fay", "Bo", at=START + timedelta(days=9)))
    merge_players(league=league, keep=kept, drop=player(league, "Fay"), author=None)
    drain()
    assert ratings(zero_sum(league))["Eve"] == 1.0
    assert_sound(zero_sum(league))


def test_a_backup_keeps_anchors() -> None:
    written = io.BytesIO()
    with transaction.atomic():
        league = club_with_anchors()
        record(league, *rounds(league, NAMES, 2))
        give(zero_sum(league), "Di", BOT)
        before = league_digest(league)
        write_backup(written)
        transaction.set_rollback(True)
    restore_backup(io.BytesIO(written.getvalue()))
    drain()
    restored = League.objects.get()
    assert league_digest(restored) == before
    assert list(anchors_of(zero_sum(restored)).values()) == [BOT]
    assert ratings(zero_sum(restored))["Di"] == 1.0


@few_examples
@given(steps=STEPS, decay=strategies.sampled_from((0.0, 0.2)))
def test_anchors_between_results_in_any_order_are_a_replay_from_the_first(steps, decay):
    with transaction.atomic():
        league = club_with_anchors("any", decay=decay, period_days=3)
        board = zero_sum(league)
        take_steps(board, steps, lambda number: Start(number / 8.0, None, f"bot {number}"))
        kept = {player_id: start.rating for player_id, start in anchors_of(board).items()}
        named = ratings(board)
        for player_id, rating in kept.items():
            name = league.players.get(pk=player_id).name
            assert named.get(name, rating) == rating
        transaction.set_rollback(True)
