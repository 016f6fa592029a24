"""Appending: whatever comes in whatever order, what is stored is what reading it whole gives."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from leagues import bridge
from leagues.bridge.tables import table_before
from leagues.jobs.runner import drain
from leagues.models import Board, BoardDay, League, RatingSegment, Season
from leagues.services import boards
from leagues.services.carryover import start_next_season
from leagues.services.drafts import MatchDraft
from leagues.services.inactivity_sweep import sweep
from leagues.services.integrity import board_digest, check_board
from leagues.services.leagues import add_board
from leagues.services.matches import correct_match, record_matches, void_match
from leagues.services.rules import change_rules
from leagues.services.seasons import Step, take_step
from leagues.store import standing_columns
from leagues.store.match_columns import results_by_day
from leagues.store.packed_standings import pack, unpack_day
from leagues.store.standing_columns import NEWEST, read_histories, read_newest
from tests.leagues.play import START, mode_of, new_club, record, result, rounds, season_of

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
NAMES = ("Ana", "Bo", "Cy", "Dee", "Eve", "Flo", "Gil", "Hal", "Ida")
SYSTEMS = [
    *((info.name, {}) for info in bridge.systems()),
    ("ladder", {"mode": "insert"}),
    ("zerosum", {"decay": 0.1, "period_days": 7}),
    ("zerosum", {"display": "fixed-range"}),
    ("zerosum", {"decay": 0.1, "period_days": 7, "display": "fixed-range"}),
    ("becker", {"decay": 4.0, "period_days": 7}),
    ("glicko2", {"period": "calendar", "period_days": 7}),
]
SHARED = [(name, settings) for name, settings in SYSTEMS if name in ("ladder", "zerosum")]
SPRING = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(autouse=True)
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let days be prepared of every board."""
    monkeypatch.setattr(standing_columns, "MOST_READ_WHOLE", 0)


def club_of(system: str, settings: dict[str, object], slug: str = "club") -> tuple[League, Board]:
    """A club whose one board has such a system."""
    club = new_club(slug)
    season_of(club).boards.all().delete()
    board = add_board(
        season=season_of(club), mode=mode_of(club), system=system, parameters=settings
    )
    return club, board


def board_now(board: Board) -> Board:
    return Board.objects.select_related("league", "season", "mode").get(pk=board.pk)


def stored(day: BoardDay) -> bytes:
    """The standings of a prepared day, packed whole."""
    table = unpack_day(day.base.data, day.changes)
    assert table is not None
    return pack(table)


class Watch:
    """What is checked after every step: ratings, histories, digests and prepared days."""

    def __init__(self) -> None:
        self.seen: set[tuple[int, datetime]] = set()

    def check(self, board: Board) -> None:
        """Compare all that is stored of a board with what a replay and a whole reading give."""
        board = board_now(board)
        assert (board.state, board.problem) == ("ready", "")
        assert check_board(board).differences == ()
        days = BoardDay.objects.filter(board=board, generation=board.generation)
        present = days.get(at=NEWEST)
        assert present.computed_at == board.computed_at
        assert stored(present) == pack(read_newest(board)[0])
        for day in days.exclude(at=NEWEST):
            if (day.generation, day.at) not in self.seen:
                self.seen.add((day.generation, day.at))
                whole = table_before(board, read_histories(board), day.at)
                assert stored(day) == pack(whole)
                counts = results_by_day(board, before=day.at)
                assert day.played == [[each.isoformat(), count] for each, count in counts]


def later_results(club: League, source: random.Random, at: datetime) -> Iterator[MatchDraft]:
    """Results after a moment, with newcomers among the players."""
    for _number in range(source.choice((1, 1, 1, 2, 9))):
        at += timedelta(hours=source.choice((1, 2, 30)))
        ranks = source.choice(((1, 2), (1, 2), (1, 1), (1, 2, 2, 4)))
        handicaps = [source.choice((0, 0, 64, -250)) for _side in ranks]
        names = source.sample(NAMES, len(ranks))
        yield result(club, *names, ranks=ranks, at=at, handicaps=handicaps)


def play(club: League, source: random.Random, last: datetime) -> datetime:
    """Let something happen: results that follow, a late one, a correction, time that passes."""
    matches = list(club.matches.filter(status="live").order_by("pk"))
    what = source.choice(("later", "later", "later", "late", "void", "correct", "sweep"))
    if what == "late":
        at = last - timedelta(days=source.randrange(1, 9))
        record(club, result(club, *source.sample(NAMES, 2), at=at))
    elif what == "void" and matches:
        void_match(match=source.choice(matches), author=None)
    elif what == "correct" and matches:
        match = source.choice(matches)
        at = match.played_at + timedelta(hours=1)
        draft = result(club, *source.sample(NAMES, 2), at=at)
        correct_match(match=match, draft=draft, expected_version=match.version, author=None)
    elif what == "sweep":
        last += timedelta(days=source.randrange(12))
        sweep(last)
    else:
        drafts = list(later_results(club, source, last))
        record(club, *drafts)
        last = max(draft.played_at for draft in drafts)
    drain()
    return last


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("system", "settings"), SYSTEMS)
def test_after_every_step_all_that_is_stored_is_what_reading_it_whole_gives(system, settings, seed):
    walk(system, settings, seed)


@pytest.mark.usefixtures("sparse_corrections")
@pytest.mark.parametrize("seed", range(2, 5))
@pytest.mark.parametrize(("system", "settings"), SYSTEMS)
def test_after_every_step_where_corrections_rewrite_only_whom_they_reach(system, settings, seed):
    walk(system, settings, seed)


def walk(system: str, settings: dict[str, object], seed: int) -> None:
    """Let nine things happen to a board, and compare all that is stored after each."""
    club, board = club_of(system, settings)
    source = random.Random(seed)
    record(club, *rounds(club, NAMES[:4], 1))
    watch, last = Watch(), START + DAY
    for _step in range(9):
        last = play(club, source, last)
        watch.check(board)


@pytest.mark.parametrize(("system", "settings"), SYSTEMS)
def test_results_that_follow_are_appended_under_every_system_that_has_an_order(system, settings):
    club, board = club_of(system, settings)
    record(club, *rounds(club, NAMES[:5], 2))
    generation = board_now(board).generation
    watch = Watch()
    watch.check(board)
    for week in range(1, 4):
        record(club, *rounds_from(club, NAMES[: 4 + week], START + week * 7 * DAY))
        watch.check(board)
        record(club, result(club, NAMES[week], "Ana", at=START + (week * 7 + 3) * DAY))
        watch.check(board)
    assert (board_now(board).generation == generation) == (system != "static")


def rounds_from(club: League, names: tuple[str, ...], at: datetime) -> list[MatchDraft]:
    """Everybody against everybody from a moment on; the later in the list wins."""
    drafts = rounds(club, names[::-1], 1)
    return [dataclasses.replace(each, played_at=each.played_at - START + at) for each in drafts]


@pytest.mark.parametrize(("system", "settings"), SHARED)
def test_who_brought_a_place_and_has_not_played_is_moved_by_results_that_follow(system, settings):
    club, board = club_of(system, settings)
    club.seasons.update(ends_at=SPRING)
    record(club, *rounds(club, NAMES[:6], 2))
    season = season_of(club)
    for step in (Step.CLOSE, Step.SEAL):
        take_step(season, step, actor=None, now=timezone.now())
        drain()
        season = Season.objects.get(pk=season.pk)
    following = start_next_season(season, days=(SPRING, None), carryover="keep", actor=None)
    following = take_step(following, Step.OPEN, actor=None, now=timezone.now())
    drain()
    board, watch = following.boards.get(), Watch()
    generations = set()
    for week, pair in enumerate((("Cy", "Bo"), ("Eve", "Cy"), ("Hal", "Ana"), ("Dee", "Hal"))):
        draft = result(club, *pair, at=SPRING + (8 * week + 1) * DAY)
        record_matches(season=following, mode=mode_of(club), drafts=[draft])
        drain()
        watch.check(board)
        generations.add(board_now(board).generation)
    assert len(generations) == 1


def test_only_those_who_are_moved_get_another_point_in_their_history():
    club, board = club_of("ladder", {"mode": "insert"})
    record(club, *rounds(club, NAMES[:6], 1))

    def points() -> dict[str, int]:
        rows = RatingSegment.objects.filter(board=board)
        return dict(rows.values_list("player__name", "count"))

    before = points()
    record(club, result(club, "Dee", "Bo", at=START + 9 * DAY))
    moved = {name for name, count in points().items() if count > before[name]}
    assert moved == {"Bo", "Cy", "Dee"}


@pytest.mark.parametrize("system", ["zerosum", "becker"])
def test_under_rules_that_have_changed_results_are_appended_again(system):
    club, board = club_of(system, {"decay": 0.1, "period_days": 7})
    record(club, *rounds(club, NAMES[:4], 2))
    change_rules(
        board_now(board), parameters={"decay": 0.2}, effective_at=START + 20 * DAY, actor=None
    )
    drain()
    watch = Watch()
    watch.check(board)
    record(club, result(club, "Ana", "Bo", at=START + 10 * DAY))
    watch.check(board)
    generation = board_now(board).generation
    for days in (21, 22, 40):
        record(club, result(club, "Dee", "Cy", at=START + days * DAY))
        watch.check(board)
    assert board_now(board).generation == generation


def test_one_by_one_and_all_at_once_are_the_same_across_many_days_and_periods():
    digests = set()
    for step in (1, 40):
        club, board = club_of("zerosum", {"decay": 0.1, "period_days": 2}, f"club-{step}")
        drafts = rounds(club, NAMES[:3], 7)
        for first in range(0, len(drafts), step):
            record(club, *drafts[first : first + step])
        digests.add(board_digest(board_now(board)))
    assert len(digests) == 1


def test_where_an_append_would_rewrite_very_many_the_board_is_replayed(monkeypatch):
    monkeypatch.setattr(boards, "MOST_REWRITTEN", 3)
    club, board = club_of("zerosum", {"decay": 0.1, "period_days": 7})
    record(club, *rounds(club, NAMES[:5], 1))
    watch, generations = Watch(), []
    for days in (1, 2, 15, 16):
        record(club, result(club, "Eve", "Ana", at=START + days * DAY))
        watch.check(board)
        generations.append(board_now(board).generation)
    # A week ends between the first day and the second, and two more before the fifteenth.
    assert generations == [2, 2, 3, 3]
