"""The checks that come by the clock: whole boards and records, at night where they are at home.

Each at most once a night, and only where something has changed since; once a week everything, for
what no change has touched can be damaged too. A night that was missed is made up for.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.db.models import Case, Exists, F, OuterRef, Q, When
from django.utils import timezone

from leagues.domain.civil_days import day_of, start_of_day
from leagues.jobs.queue import Claim
from leagues.models import AuditEntry, Board, League
from leagues.services.ratings import enqueue_record_check, enqueue_verification

NIGHT_BEGINS: Final = timedelta(hours=1)
"""After midnight."""
NIGHT_LASTS: Final = timedelta(hours=4)
MOST_APART: Final = timedelta(minutes=1)
"""What is due is spread over the night, but no further apart: a change may ask for a check too."""
LONGEST_UNCHECKED: Final = timedelta(days=6)
"""Whatever was checked longer before a night is due in it: each week in the same one."""


def verify_boards_job(_claim: Claim) -> None:
    """Queue the checks that are due since the last night began."""
    now = timezone.now()
    records, boards = _due_records(now), _due_boards(now)
    for place, board in enumerate(boards):
        enqueue_verification(board, delay=_turn(place, len(boards)))
    for place, league_id in enumerate(records):
        enqueue_record_check(league_id, delay=_turn(place, len(records)))


def _turn(place: int, count: int) -> timedelta:
    return place * min(NIGHT_LASTS / count, MOST_APART)


def _due_boards(now: datetime) -> list[Board]:
    """The boards that have changed since they were wholly checked, or were not for long."""
    changed = Q(computed_at__gt=F("verified_at")) | Q(changes_verified_at__isnull=False)
    boards = Board.objects.exclude(state=Board.State.PAUSED).order_by("pk")
    rows = boards.annotate(
        zone=F("league__time_zone"),
        has_changed=Case(When(changed, then=True), default=False),
    )
    return [
        board
        for board in rows.only("league_id", "verified_at")
        if _is_due(board.zone, board.verified_at, now, has_changed=board.has_changed)
    ]


def _due_records(now: datetime) -> list[int]:
    """The leagues whose record has grown since it was checked, or was not checked for long."""
    entries = AuditEntry.objects.filter(
        league=OuterRef("pk"), created_at__gt=OuterRef("checked_at")
    )
    results = Board.objects.filter(league=OuterRef("pk"), computed_at__gt=OuterRef("checked_at"))
    leagues = League.objects.annotate(changed=Exists(entries) | Exists(results)).order_by("pk")
    rows = leagues.values_list("pk", "time_zone", "checked_at", "changed")
    return [
        league_id
        for league_id, zone, checked_at, changed in rows
        if _is_due(zone, checked_at, now, has_changed=changed)
    ]


def _is_due(zone: str, checked_at: datetime | None, now: datetime, *, has_changed: bool) -> bool:
    """Whether what was checked at a moment, or never, is to be checked in the night before now."""
    if checked_at is None:
        return True
    since = last_night(zone, now)
    return checked_at < (since if has_changed else since - LONGEST_UNCHECKED)


def last_night(time_zone: str, now: datetime) -> datetime:
    """When the last night began in a zone."""
    try:
        zone = ZoneInfo(time_zone)
    except (KeyError, OSError, ValueError):
        # What was forged is to be checked all the same.
        return last_night("UTC", now)
    return start_of_day(day_of(now - NIGHT_BEGINS, zone), zone) + NIGHT_BEGINS
