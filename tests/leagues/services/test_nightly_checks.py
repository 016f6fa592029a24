"""What is checked at night: what has changed, once a week everything, and nothing twice a night."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import pairwise

import pytest
from django.utils import timezone

from leagues.jobs.runner import drain
from leagues.models import Board, Job, League, Season
from leagues.services import nightly_checks
from leagues.services.audit import record_audit
from leagues.services.integrity import check_board, note_report
from leagues.services.leagues import create_league
from leagues.services.nightly_checks import last_night, verify_boards_job
from tests.leagues.play import new_club, record, result

pytestmark = pytest.mark.django_db

NIGHT = datetime(2096, 3, 9, 1, tzinfo=UTC)
"""When a night begins in London, long after all that happens in these tests."""


@pytest.fixture
def board() -> Board:
    """A board of a league in London, checked the day before; nothing has changed since."""
    club = new_club()
    record(club, result(club, "Ana", "Bo"))
    club.boards.exclude(system="elo").delete()
    Job.objects.all().delete()
    before = NIGHT - timedelta(hours=9)
    League.objects.update(checked_at=before)
    Board.objects.update(computed_at=before - timedelta(hours=1), verified_at=before)
    return club.boards.get()


def at(monkeypatch: pytest.MonkeyPatch, now: datetime, act: Callable[[], object]) -> None:
    """Do something at a moment."""
    with monkeypatch.context() as patch:
        patch.setattr(timezone, "now", lambda: now)
        act()


def due(monkeypatch: pytest.MonkeyPatch, now: datetime) -> list[str]:
    """The kinds of the checks that the schedule queues at a moment."""
    at(monkeypatch, now, partial(verify_boards_job, None))  # type: ignore[arg-type]
    kinds = list(Job.objects.order_by("pk").values_list("kind", flat=True))
    Job.objects.all().delete()
    return kinds


def test_what_has_not_changed_is_left_alone(board: Board, monkeypatch) -> None:
    assert due(monkeypatch, NIGHT) == []


@pytest.mark.parametrize("column", ["computed_at", "changes_verified_at"])
def test_a_board_that_has_changed_is_checked_once_a_night(
    board: Board, monkeypatch, column: str
) -> None:
    Board.objects.update(**{column: NIGHT - timedelta(hours=2)})
    assert due(monkeypatch, NIGHT - timedelta(minutes=1)) == []
    assert "verify_board" in due(monkeypatch, NIGHT)
    # After a night that was missed too.
    assert "verify_board" in due(monkeypatch, NIGHT + timedelta(hours=20))
    Board.objects.update(verified_at=NIGHT + timedelta(minutes=5))
    Board.objects.update(**{column: NIGHT + timedelta(hours=1)})
    assert "verify_board" not in due(monkeypatch, NIGHT + timedelta(hours=20))
    assert "verify_board" in due(monkeypatch, NIGHT + timedelta(days=1))


def test_once_a_week_everything_is_checked(board: Board, monkeypatch) -> None:
    Board.objects.update(verified_at=NIGHT + timedelta(minutes=5))
    League.objects.update(checked_at=NIGHT + timedelta(minutes=5))
    Season.objects.update(state="archived")
    assert due(monkeypatch, NIGHT + timedelta(days=6, hours=23)) == []
    assert due(monkeypatch, NIGHT + timedelta(days=7)) == ["verify_board", "check_record"]


def test_what_was_never_checked_is_due(board: Board, monkeypatch) -> None:
    Board.objects.update(verified_at=None)
    League.objects.update(checked_at=None)
    assert due(monkeypatch, NIGHT) == ["verify_board", "check_record"]


def test_a_record_is_checked_where_something_was_logged_or_rated(board: Board, monkeypatch) -> None:
    Board.objects.update(computed_at=NIGHT, verified_at=NIGHT + timedelta(minutes=5))
    assert due(monkeypatch, NIGHT) == ["check_record"]
    Board.objects.update(computed_at=NIGHT - timedelta(days=2))
    words = {"league": board.league, "actor": None, "action": "league.update", "subject": "x"}
    at(monkeypatch, NIGHT - timedelta(hours=1), partial(record_audit, **words))
    assert due(monkeypatch, NIGHT) == ["check_record"]


def test_a_paused_board_waits_for_its_rating(board: Board, monkeypatch) -> None:
    Board.objects.update(verified_at=None, state=Board.State.PAUSED)
    assert due(monkeypatch, NIGHT) == []


@pytest.mark.parametrize(
    ("zone", "hours"), [("Europe/London", 1), ("Asia/Tokyo", 16), ("America/New_York", 6)]
)
def test_a_night_begins_an_hour_after_midnight_at_home(zone: str, hours: int) -> None:
    for night in (NIGHT, NIGHT + timedelta(days=1)):
        begins = night.replace(hour=hours)
        assert last_night(zone, begins) == begins
        assert last_night(zone, begins + timedelta(hours=23)) == begins


def test_a_forged_zone_keeps_nobody_from_being_checked() -> None:
    assert last_night("../../etc", NIGHT) == last_night("forged", NIGHT) == NIGHT


def test_the_checks_of_a_night_are_spread_over_it_and_end_with_all_checked() -> None:
    for number in range(3):
        create_league(slug=f"club{number}", name="Club", mode="Blitz", season="Autumn")
    drain()
    Job.objects.all().delete()
    verify_boards_job(None)  # type: ignore[arg-type]
    starts = list(
        Job.objects.filter(kind="verify_board").order_by("pk").values_list("run_after", flat=True)
    )
    assert len(starts) == 6
    apart = [later - earlier for earlier, later in pairwise(starts)]
    assert all(abs(each - nightly_checks.MOST_APART) < timedelta(seconds=30) for each in apart)
    for board in Board.objects.all():
        note_report(check_board(board))
    Job.objects.all().delete()
    verify_boards_job(None)  # type: ignore[arg-type]
    assert not Job.objects.filter(kind="verify_board").exists()
    assert Board.objects.filter(verified_at__lte=timezone.now()).count() == 6
