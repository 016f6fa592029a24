"""Starting ratings that organizers give: rated, undone, verified, carried and moved exactly."""

from __future__ import annotations

import contextlib
import io
import math
import random
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from hypothesis import HealthCheck, given, settings, strategies

from leagues import bridge
from leagues.domain.ranking import ranking_rule
from leagues.jobs.runner import drain
from leagues.models import AuditEntry, Board, League, Match, Player, Season, Standing, StartingState
from leagues.services import preview_jobs
from leagues.services.backups import restore_backup, write_backup
from leagues.services.errors import Refused
from leagues.services.integrity import board_digest, check_board
from leagues.services.leagues import add_board
from leagues.services.matches import record_matches, void_match
from leagues.services.player_merging import merge_players
from leagues.services.ratings import enqueue_rating
from leagues.services.rules import change_rules
from leagues.services.seasons import Step, carry_over, start_next_season, take_step
from leagues.services.starts import Start, preview_start, set_start, start_of
from leagues.services.tried_changes import TriedChange, change_as_json, change_from_json
from tests.leagues.play import START, mode_of, new_club, record, result, rounds, season_of

pytestmark = pytest.mark.django_db

NAMES = ("Ana", "Bo", "Cy", "Di")
TAKE = ("elo", "glicko", "glicko2", "trueskill", "wenglin")
FIDE = Start(1850.0, None, "FIDE list November 2026")
SPRING = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def club() -> League:
    return club_with_results()


def club_with_results() -> League:
    league = new_club()
    season_of(league).boards.all().delete()
    for name in TAKE:
        add_board(season=season_of(league), mode=mode_of(league), system=name)
    record(league, *rounds(league, NAMES, 2))
    return league


def board_of(league: League, system: str = "elo", **season: str) -> Board:
    boards = Board.objects.select_related("league", "season", "mode")
    return boards.get(league=league, system=system, **season)


def player(league: League, name: str) -> Player:
    return Player.objects.get(league=league, name=name)


def give(board: Board, name: str, start: Start | None) -> bool:
    who = player(board.league, name)
    was = start_of(board, who)
    is_new = set_start(board=board, player=who, start=start, actor=None, was=was)
    drain()
    return is_new


def digest(board: Board) -> str:
    board.refresh_from_db()
    return board_digest(board)


def replayed(board: Board) -> str:
    """The digest after a computation from the first match on."""
    Board.objects.filter(pk=board.pk).update(rated_through_revision=-1)
    enqueue_rating(board)
    drain()
    return digest(board)


def assert_sound(board: Board) -> None:
    board.refresh_from_db()
    assert not check_board(board).differences


@pytest.mark.parametrize("system", TAKE)
def test_a_start_rates_everything_again_and_its_removal_brings_everything_back(
    club: League, system: str
) -> None:
    board = board_of(club, system)
    before = digest(board)
    others = {name: digest(board_of(club, name)) for name in TAKE if name != system}
    newcomer = bridge.newcomer_start(board)
    start = Start(newcomer.rating * 1.2, newcomer.deviation and newcomer.deviation / 3, "TTR")
    assert give(board, "Di", start)
    after = digest(board)
    assert after != before
    assert_sound(board)
    assert not give(board, "Di", start)
    assert {name: digest(board_of(club, name)) for name in others} == others
    assert replayed(board) == after
    assert give(board, "Di", None)
    assert digest(board) == before
    assert not StartingState.objects.exists()
    board.refresh_from_db()
    assert board.start_parameters == {}
    assert give(board, "Di", start)
    assert digest(board) == after


def test_the_first_match_begins_from_the_start(club: League) -> None:
    board = board_of(club)
    give(board, "Di", FIDE)
    board = board_of(club)
    match = Match.objects.filter(participants__player=player(club, "Di")).earliest("played_at")
    changes = bridge.changes_for_player(board, player(club, "Di").pk, [match.seq])
    assert changes[match.seq][0].value == 1850.0
    rated = bridge.rated_matches([board], match)[board.pk]
    accounts = {row.player_id: row for row in bridge.account_of(rated).accounts}
    assert accounts[player(club, "Di").pk].before.value == 1850.0


def test_a_start_before_the_first_result_is_what_an_append_begins_with(club: League) -> None:
    board = board_of(club, "glicko2")
    record(club, result(club, "Ana", "Eve", at=START - timedelta(days=3)))
    for match in Match.objects.filter(participants__player__name="Eve"):
        void_match(match=match, author=None)
    drain()
    give(board, "Eve", Start(2000.0, 60.0, "the club’s list"))
    assert not Standing.objects.current(board).filter(player__name="Eve").exists()
    assert bridge.start_of(board, player(club, "Eve").pk).value == pytest.approx(2000.0)
    record(club, result(club, "Ana", "Eve", at=START + timedelta(days=9)))
    board.refresh_from_db()
    appended, generation = digest(board), board.generation
    record(club, result(club, "Bo", "Eve", at=START + timedelta(days=10)))
    board.refresh_from_db()
    assert board.generation == generation
    later = digest(board)
    assert later != appended
    assert replayed(board) == later
    assert_sound(board)


@pytest.mark.parametrize("system", TAKE)
def test_the_preview_is_what_saving_does(
    club: League, system: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = board_of(club, system)
    newcomer = bridge.newcomer_start(board)
    start = Start(newcomer.rating * 1.3, None, "elsewhere")
    who = player(club, "Cy")
    before = digest(board)
    words = {"board": board, "player": who, "start": start, "actor": None, "was": None}
    state = preview_start(**words)
    assert state is not None and state.preview is not None
    assert digest(board) == before and not StartingState.objects.exists()
    (effect,) = state.preview.boards
    assert effect.board == board.slug and effect.movers[0].key == "cy"
    monkeypatch.setattr(preview_jobs, "MAX_RATED_AT_ONCE", 0)
    queued = preview_start(**words)
    assert queued is not None and queued.job is not None
    drain()
    assert preview_start(**words) == preview_jobs.PreviewState(state.preview)
    give(board, "Cy", start)
    board.refresh_from_db()
    shown = {row.player.key: row.shown for row in Standing.objects.current(board)}
    rule = ranking_rule(board, datetime.now(UTC))
    ranked = Standing.objects.current(board).ranked(rule).best_first()
    places = [row.player.key for row in ranked]
    for mover in effect.movers:
        assert shown[mover.key] == mover.after
        assert mover.rank_after is None or places[mover.rank_after - 1] == mover.key
    back = preview_start(board=board, player=who, start=None, actor=None, was=start)
    assert back is not None
    again = preview_start(board=board, player=who, start=start, actor=None, was=start)
    assert again is None


def test_a_tried_start_is_the_same_after_a_job_has_kept_it() -> None:
    tried = TriedChange(1, 2, (), {}, {}, {3: {4: b"\x00\x01", 5: b""}})
    assert change_from_json(change_as_json(tried)).starts == tried.starts
    old = change_as_json(tried)
    del old["starts"]
    assert change_from_json(old).starts == {}


@pytest.mark.parametrize(
    ("start", "fields"),
    [
        (Start(math.nan, None, "list"), {"rating"}),
        (Start(math.inf, None, "list"), {"rating"}),
        (Start(1e308, None, "list"), {"rating"}),
        (Start(1850.0, -1.0, "list"), {"deviation"}),
        (Start(1850.0, math.nan, "list"), {"deviation"}),
        (Start(1850.0, 1e308, "list"), {"deviation"}),
        (Start(1850.0, 100.0, ""), {"source"}),
        (Start(1850.0, 100.0, "   "), {"source"}),
        (Start(1850.0, 100.0, "x" * 81), {"source"}),
        (Start(1850.0, 100.0, "a\u202eb"), {"source"}),
        (Start(math.nan, 0.0, ""), {"rating", "source"}),
    ],
)
def test_what_no_board_can_hold_is_refused_with_its_field(
    club: League, start: Start, fields: set[str]
) -> None:
    board = board_of(club, "glicko2")
    before = digest(board), AuditEntry.objects.count()
    with pytest.raises(Refused) as refused:
        give(board, "Ana", start)
    assert {problem.field for problem in refused.value.problems} == fields
    assert (digest(board), AuditEntry.objects.count()) == before
    assert not StartingState.objects.exists()


@pytest.mark.parametrize("system", ["ladder", "zerosum", "becker", "static"])
def test_boards_without_starts_refuse_them(club: League, system: str) -> None:
    board = add_board(season=season_of(club), mode=mode_of(club), system=system)
    with pytest.raises(Refused) as refused:
        give(board, "Ana", FIDE)
    assert refused.value.codes == {"no_starts"}


def test_what_somebody_else_changed_meanwhile_is_not_overwritten(club: League) -> None:
    board = board_of(club)
    give(board, "Ana", FIDE)
    with pytest.raises(Refused) as refused:
        set_start(
            board=board,
            player=player(club, "Ana"),
            start=Start(1900.0, None, "TTR"),
            actor=None,
            was=None,
        )
    assert refused.value.codes == {"changed"}
    assert start_of(board, player(club, "Ana")) == FIDE


def test_a_closed_season_refuses_in_words(club: League) -> None:
    give(board_of(club), "Ana", FIDE)
    season = season_of(club)
    for step in (Step.CLOSE, Step.SEAL):
        take_step(season, step, actor=None, now=START + timedelta(days=60))
        drain()
        season.refresh_from_db()
    with pytest.raises(Refused) as refused:
        give(board_of(club), "Ana", None)
    assert "is closed" in str(refused.value)
    assert_sound(board_of(club))


def test_rules_of_other_columns_read_what_was_given_before_them(club: League) -> None:
    board = board_of(club, "glicko2")
    give(board, "Di", Start(1900.0, 70.0, "list"))
    before = digest(board)
    change_rules(board, parameters={"period": "calendar"}, effective_at=None, actor=None)
    drain()
    assert_sound(board)
    give(board_of(club, "glicko2"), "Cy", Start(1700.0, 50.0, "list"))
    assert_sound(board)
    give(board_of(club, "glicko2"), "Cy", None)
    change_rules(
        board_of(club, "glicko2"), parameters={"period": "per-match"}, effective_at=None, actor=None
    )
    drain()
    assert_sound(board)
    assert digest(board) == before


def following(club: League) -> Season:
    season = season_of(club)
    for step in (Step.CLOSE, Step.SEAL):
        take_step(season, step, actor=None, now=START + timedelta(days=60))
        drain()
        season.refresh_from_db()
    return start_next_season(season, days=(SPRING, None), carryover="keep", actor=None)


def test_a_start_stands_in_for_what_was_carried_over_which_comes_back(club: League) -> None:
    after = following(club)
    board = board_of(club, season__name=after.name)
    carried = StartingState.objects.get(board=board, player__name="Ana")
    stored = bytes(carried.state)
    give(board, "Ana", FIDE)
    take_step(after, Step.OPEN, actor=None, now=SPRING)
    record_matches(
        season=after,
        mode=mode_of(club),
        drafts=[result(club, "Bo", "Ana", at=SPRING + timedelta(days=1))],
    )
    drain()
    board = board_of(club, season__name=after.name)
    series = bridge.read_series([board], player(club, "Ana").pk)[board.pk]
    assert series.before(0).value == 1850.0
    given = digest(board)
    assert_sound(board)
    give(board, "Ana", None)
    carried.refresh_from_db()
    assert bytes(carried.state) == stored and carried.rating is None
    assert_sound(board)
    assert digest(board) != given
    give(board, "Ana", FIDE)
    assert digest(board) == given


def test_another_carry_over_leaves_what_was_given(club: League) -> None:
    after = following(club)
    board = board_of(club, season__name=after.name)
    plain = bytes(StartingState.objects.get(board=board, player__name="Ana").state)
    give(board, "Ana", FIDE)
    carry_over(after, carryover="soft", share=0.5, actor=None)
    row = StartingState.objects.get(board=board, player__name="Ana")
    assert (row.rating, row.source) == (FIDE.rating, FIDE.source)
    assert bytes(row.carried_state) not in (b"", plain)
    carry_over(after, carryover="fresh", actor=None)
    row = StartingState.objects.get(board__season=after)
    assert (row.rating, bytes(row.carried_state)) == (FIDE.rating, b"")
    give(board, "Ana", None)
    board.refresh_from_db()
    assert board.start_parameters == {}
    carry_over(after, carryover="keep", actor=None)
    assert bytes(StartingState.objects.get(board=board, player__name="Ana").state) == plain


def test_a_player_with_a_start_is_not_merged_away(club: League) -> None:
    record(club, result(club, "Eve", "Bo", at=START + timedelta(days=9)))
    give(board_of(club), "Eve", FIDE)
    with pytest.raises(Refused) as refused:
        merge_players(league=club, keep=player(club, "Ana"), drop=player(club, "Eve"), author=None)
    assert refused.value.codes == {"given_start"}
    give(board_of(club), "Eve", None)
    merge_players(league=club, keep=player(club, "Ana"), drop=player(club, "Eve"), author=None)


def test_verify_names_a_forged_start(club: League) -> None:
    board = board_of(club)
    give(board, "Ana", FIDE)

    def verified() -> str:
        output = io.StringIO()
        with contextlib.suppress(SystemExit):
            call_command("verify", stdout=output)
        return output.getvalue()

    assert verified().strip().splitlines()[-1].startswith("0 differences")
    for change in ("rating = 1900", "carried_state = state", "deviation = 5"):
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute(f"UPDATE leagues_startingstate SET {change}")
            assert "starting" in verified()
            transaction.set_rollback(True)
    StartingState.objects.update(source="another list")
    assert verified().strip().splitlines()[-1].startswith("0 differences")


def test_a_backup_keeps_starts() -> None:
    written = io.BytesIO()
    with transaction.atomic():
        board = board_of(club_with_results(), "glicko2")
        give(board, "Ana", Start(1850.0, 75.5, "FIDE list"))
        before, slug = digest(board), board.slug
        write_backup(written)
        transaction.set_rollback(True)
    restore_backup(io.BytesIO(written.getvalue()))
    drain()
    restored = Board.objects.select_related("league", "season", "mode").get(slug=slug)
    assert board_digest(restored) == before
    row = StartingState.objects.get()
    assert (row.rating, row.deviation, row.source) == (1850.0, 75.5, "FIDE list")


def test_a_start_that_the_rules_cannot_hold_any_more_is_named(club: League) -> None:
    after = following(club)
    board = board_of(club, "glicko2", season__name=after.name)
    kept = Start(1850.0, 300.0, "list")
    give(board, "Ana", kept)
    change_rules(board, parameters={"deviation": 100.0}, effective_at=None, actor=None)
    board.refresh_from_db()
    assert not set_start(board=board, player=player(club, "Ana"), start=kept, was=kept, actor=None)
    with pytest.raises(Refused, match="does not fit the current rules"):
        carry_over(after, carryover="soft", share=0.5, actor=None)
    assert start_of(board, player(club, "Ana")) == kept


def test_who_was_merged_meanwhile_is_given_nothing(club: League) -> None:
    record(club, result(club, "Eve", "Bo", at=START + timedelta(days=9)))
    stale = player(club, "Eve")
    merge_players(league=club, keep=player(club, "Ana"), drop=player(club, "Eve"), author=None)
    with pytest.raises(Refused, match="merged"):
        set_start(
            board=board_of(club), player=stale, start=Start(1.0, None, "x"), was=None, actor=None
        )


STEPS = strategies.lists(
    strategies.tuples(
        strategies.sampled_from(("give", "remove", "result", "void")),
        strategies.integers(0, len(NAMES) - 1),
        strategies.integers(0, 40),
    ),
    min_size=1,
    max_size=9,
)


few_examples = settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def take_steps(
    board: Board, steps: Sequence[tuple[str, int, int]], start: Callable[[int], Start]
) -> None:
    """Give starts, made of a number, and remove them, between results and voids."""
    league, chance = board.league, random.Random(1)
    record(league, *rounds(league, NAMES, 1))
    for step, who, number in steps:
        if step == "give":
            give(board, NAMES[who], start(number))
        elif step == "remove":
            give(board, NAMES[who], None)
        elif step == "result":
            one, two = NAMES[who], chance.choice([n for n in NAMES if n != NAMES[who]])
            record(league, result(league, one, two, at=START + timedelta(days=number)))
        else:
            match = Match.objects.filter(league=league, status="live").order_by("seq").first()
            if match is not None:
                void_match(match=match, author=None)
                drain()
    assert_sound(board)
    left = digest(board)
    assert replayed(board) == left


@few_examples
@given(steps=STEPS, system=strategies.sampled_from(("elo", "glicko2", "trueskill")))
def test_starts_between_results_in_any_order_are_a_replay_from_the_first(steps, system):
    with transaction.atomic():
        league = new_club("any")
        season_of(league).boards.all().delete()
        add_board(season=season_of(league), mode=mode_of(league), system=system)
        newcomer = bridge.newcomer_start(board_of(league, system))
        take_steps(
            board_of(league, system),
            steps,
            lambda number: Start(newcomer.rating + 7.5 * number, None, f"list {number}"),
        )
        transaction.set_rollback(True)
