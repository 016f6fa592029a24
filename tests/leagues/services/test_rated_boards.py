"""What is read of a season's boards behind its lock holds until the commit, also a joint one."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.db import OperationalError, connection, transaction
from django.utils import timezone

from leagues.models import Board, Job, League, Match, Mode, Revision
from leagues.services.board_removal import remove_board
from leagues.services.entry import Answers, Enterer, MatchEntry, enter_results
from leagues.services.entry_drafts import PlayerEntry, SideEntry
from leagues.services.leagues import add_board, ensure_boards, restart_board
from leagues.services.rated_boards import rated_boards
from leagues.services.revisions import lock_season
from leagues.services.started_matches import start_match
from leagues.store import joint_commits
from leagues.store.outages import is_busy
from tests.leagues.play import mode_of, new_club, record, result, season_of
from tests.leagues.store.test_joint_commits import Work, do_jointly

pytestmark = pytest.mark.django_db(transaction=True)

SERVER = Enterer(source="server", author=None, may_backdate=True, may_be_late=True)


@pytest.fixture(autouse=True)
def _with_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may take longer for what comes together than a transaction takes in."""
    monkeypatch.setattr(joint_commits, "MAX_SECONDS", 60.0)


def entry(at: datetime) -> MatchEntry:
    sides = [
        SideEntry(rank, None, (PlayerEntry(name=name),)) for rank, name in ((1, "Ana"), (2, "Bo"))
    ]
    return MatchEntry(played_at=at, sides=tuple(sides))


def send(league: League, mode: Mode, at: datetime | None = None) -> Work:
    def work() -> Match:
        entered = enter_results(
            season=season_of(league),
            mode=mode,
            entries=[entry(at or timezone.now())],
            enterer=SERVER,
            kind=Revision.Kind.API,
            answers=Answers(creates_players=True),
        )
        return entered.matches[0]

    return work


def start(league: League, at: datetime) -> Work:
    def work() -> Match:
        return start_match(
            season=season_of(league),
            mode=mode_of(league),
            entry=entry(at),
            enterer=SERVER,
            answers=Answers(creates_players=True),
        ).match

    return work


def add(board: Board) -> None:
    add_board(season=board.season, mode=board.mode, system="trueskill")


def remove(board: Board) -> None:
    remove_board(board=board, actor=None)


@transaction.atomic
def restart(board: Board) -> None:
    restart_board(board)


@pytest.mark.skipif(connection.vendor == "sqlite", reason="it lets one write at a time")
@pytest.mark.parametrize("change", [add, remove, restart])
def test_no_board_changes_while_somebody_enters_a_result(change: Callable[[Board], None]) -> None:
    club = new_club()
    board = club.boards.select_related("season", "mode", "league").latest("pk")
    errors: list[Exception] = []

    def meanwhile() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '200ms'")
        try:
            change(board)
        except OperationalError as error:
            errors.append(error)
        finally:
            connection.close()

    with transaction.atomic():
        lock_season(board.season_id)
        known = rated_boards(season_id=board.season_id, mode_id=board.mode_id)
        thread = threading.Thread(target=meanwhile)
        thread.start()
        thread.join()
        assert rated_boards(season_id=board.season_id, mode_id=board.mode_id) == known
    assert [is_busy(error) for error in errors] == [True]


def test_a_joint_commit_begins_with_the_boards_that_another_one_left() -> None:
    club = new_club()
    blitz, season = mode_of(club), season_of(club)
    rapid = Mode.objects.create(league=club, slug="rapid", name="Rapid", position=1)

    def refused() -> None:
        ensure_boards(season=season, mode=rapid)
        raise ValueError

    outcomes = do_jointly(send(club, blitz), refused, send(club, rapid), send(club, rapid))
    assert [type(outcome) for outcome in outcomes] == [Match, ValueError, Match, Match]
    boards = season.boards.filter(mode=rapid)
    assert len(boards) == 2
    jobs = Job.objects.filter(key__in=[f"rate:{board.pk}" for board in boards])
    assert jobs.filter(state=Job.State.QUEUED).count() == 2


def test_a_result_ends_the_match_that_was_started_in_the_same_commit() -> None:
    club = new_club()
    record(club, result(club, "Ana", "Bo"))
    begins = timezone.now() - timedelta(minutes=20)
    ends = begins + timedelta(minutes=10)
    blitz = mode_of(club)
    outcomes = do_jointly(send(club, blitz), start(club, begins), send(club, blitz, ends))
    started = outcomes[1]
    started.refresh_from_db()
    assert started.kind == Match.Kind.ENDED
