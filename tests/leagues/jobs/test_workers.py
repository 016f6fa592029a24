"""T-02 and T-03 over workers: however many drain the queue, and in whatever order results arrive,
boards are bit for bit what a replay gives, after every step.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from leagues import bridge
from leagues.jobs.runner import drain, surviving_outages
from leagues.models import Job, League, Match, Season
from leagues.services.carryover import start_next_season
from leagues.services.change_checks import check_changes
from leagues.services.drafts import MatchDraft
from leagues.services.integrity import check_board, league_digest, note_report
from leagues.services.leagues import add_board
from leagues.services.matches import (
    correct_match,
    record_matches,
    restore_match,
    revert_revision,
    void_match,
)
from leagues.services.seasons import Step, take_step
from tests.leagues.conftest import PATIENCE_SECONDS
from tests.leagues.play import START, mode_of, new_club, record, result, rounds, season_of

pytestmark = pytest.mark.django_db(transaction=True)

WORKERS = (1, 2, 4)
NAMES = ("Ana", "Bo", "Cy", "Dee", "Eli")
STEPS = 6
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
SHARED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("ladder", {"mode": "swap"}),
    ("ladder", {"mode": "insert"}),
    ("zerosum", {}),
    ("zerosum", {"decay": 0.1, "period_days": 3}),
    ("zerosum", {"display": "fixed-range"}),
    ("becker", {"decay": 4.0, "period_days": 3}),
)
"""Systems whose players share something, under the rules that let others move, or not."""


@contextmanager
def workers(count: int) -> Iterator[None]:
    """Let so many runners drain the queue meanwhile; afterwards nothing is left to rate."""
    stop = threading.Event()

    def work() -> None:
        try:
            while not stop.wait(0.002):
                with surviving_outages():
                    drain()
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(count)]
    for thread in threads:
        thread.start()
    try:
        yield
        wait_until_rated()
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def wait_until_rated() -> None:
    """Wait for the ratings that are open; the limit only ends a test that has failed."""
    pause, waited = threading.Event(), 0.0
    while Job.objects.filter(kind="rate_board", state__in=["queued", "running"]).exists():
        assert waited < PATIENCE_SECONDS, "the ratings did not end"
        pause.wait(0.01)
        waited += 0.01
    assert not Job.objects.filter(state="failed").exists()


def club_of_four_boards(slug: str = "club") -> League:
    """A league with the systems of a new one, and two whose results move bystanders."""
    club = new_club(slug)
    for system in ("ladder", "zerosum"):
        add_board(season=season_of(club), mode=mode_of(club), system=system)
    return club


def club_of_every_system(slug: str = "club") -> League:
    """A league with each system, under the rules of a new board."""
    club = new_club(slug)
    for info in bridge.systems():
        add_board(season=season_of(club), mode=mode_of(club), system=info.name)
    return club


def club_that_shares(slug: str = "club") -> League:
    """A league whose boards share something, and nothing else."""
    club = new_club(slug)
    club.boards.all().delete()
    for number, (system, parameters) in enumerate(SHARED):
        add_board(
            season=season_of(club),
            mode=mode_of(club),
            system=system,
            name=f"{system} {number}",
            parameters=parameters,
        )
    return club


def second_season_of(club: League) -> Season:
    """The season after one that all have played; each begins with what that gave."""
    ends = START + timedelta(days=60)
    club.seasons.update(ends_at=ends)
    record(club, *rounds(club, NAMES, 2))
    season = season_of(club)
    for step in (Step.CLOSE, Step.SEAL):
        season = take_step(season, step, actor=None, now=timezone.now())
        drain()
    following = start_next_season(season, days=(ends, None), carryover="keep", actor=None)
    following = take_step(following, Step.OPEN, actor=None, now=timezone.now())
    drain()
    return following


class Scorekeeper:
    """Somebody who enters, corrects and takes back results by chance, while workers rate them.

    Each result has a time of its own, so many `apart`.
    """

    def __init__(self, season: Season, chance: random.Random, apart: timedelta = MINUTE) -> None:
        self.season, self.club, self.chance = season, season.league, chance
        first = season.starts_at or START
        self.times: list[datetime] = [first + number * apart for number in range(1, 1000)]
        chance.shuffle(self.times)

    def step(self) -> None:
        """Do one thing."""
        steps: list[Callable[[], object]] = [
            self.enter,
            self.enter,
            self.enter_many,
            self.enter_at_once,
            self.correct,
            self.move,
            self.void_or_restore,
            self.undo,
        ]
        self.chance.choice(steps)()

    def draft(self) -> MatchDraft:
        """A result of two players by chance, some with handicaps."""
        return self.result_at(self.times.pop())

    def result_at(self, at: datetime) -> MatchDraft:
        handicaps = [self.chance.choice((0, 0, 64, -250)) for _side in range(2)]
        return result(self.club, *self.chance.sample(NAMES, 2), at=at, handicaps=handicaps)

    def submit(self, *drafts: MatchDraft) -> None:
        record_matches(season=self.season, mode=mode_of(self.club), drafts=drafts)

    def enter(self) -> None:
        self.submit(self.draft())

    def enter_many(self) -> None:
        """Enter results one after the other, so that workers meet some of them."""
        for _ in range(5):
            self.submit(self.draft())

    def enter_at_once(self) -> None:
        self.submit(*(self.draft() for _ in range(5)))

    def match(self) -> Match:
        return self.chance.choice(list(Match.objects.filter(season=self.season).order_by("seq")))

    def correct(self) -> None:
        """Let others have played a match, at its time."""
        match = self.match()
        draft = self.result_at(match.played_at)
        correct_match(match=match, draft=draft, expected_version=match.version, author=None)

    def move(self) -> None:
        """Let a match have been played at another time."""
        match = self.match()
        correct_match(match=match, draft=self.draft(), expected_version=match.version, author=None)

    def void_or_restore(self) -> None:
        match = self.match()
        change = restore_match if match.status == Match.Status.VOID else void_match
        change(match=match, author=None)

    def undo(self) -> None:
        """Take the newest revision back."""
        newest = self.season.revisions.filter(number__isnull=False).latest("number")
        revert_revision(revision=newest, author=None)

    def keep(self, count: int) -> None:
        """Do things while so many workers rate, and compare all boards after every step."""
        with workers(count):
            self.enter_many()
        assert_as_replayed(self.season)
        for _ in range(STEPS):
            with workers(count):
                self.step()
                self.step()
            assert_as_replayed(self.season)


def assert_as_replayed(season: Season) -> None:
    """Check what has changed on each board since the last check, and then all of it."""
    for board in season.boards.all():
        changes = check_changes(board)
        assert changes is None or not (changes.is_behind or changes.differences or changes.findings)
        report = check_board(board)
        assert not report.is_behind
        assert report.differences == ()
        note_report(report)


@pytest.mark.parametrize("make_club", [club_of_four_boards, club_that_shares])
def test_t03_the_order_of_arrival_and_the_number_of_workers_change_no_bit(
    make_club: Callable[[str], League], request: pytest.FixtureRequest
) -> None:
    digests = set()
    for number, count in enumerate((*WORKERS, *WORKERS)):
        if number == len(WORKERS):
            # The other half is rated anew only where late results reach.
            request.getfixturevalue("sparse_corrections")
        club = make_club(f"club{number}")
        keeper = Scorekeeper(season_of(club), random.Random(3), HOUR)
        drafts = [keeper.draft() for _ in range(20)]
        random.Random(number).shuffle(drafts)
        with workers(count):
            for first in range(0, len(drafts), 4):
                keeper.submit(*drafts[first : first + 4])
        assert_as_replayed(keeper.season)
        digests.add(league_digest(club))
    assert len(digests) == 1


@pytest.mark.parametrize("count", WORKERS)
def test_t02_boards_are_as_replayed_after_every_step_with_workers(count: int) -> None:
    Scorekeeper(season_of(club_of_four_boards()), random.Random(count)).keep(count)


@pytest.mark.usefixtures("sparse_corrections")
@pytest.mark.parametrize("count", WORKERS)
@pytest.mark.parametrize("make_club", [club_of_every_system, club_that_shares])
def test_t02_where_corrections_rewrite_only_whom_they_reach(
    make_club: Callable[[], League], count: int
) -> None:
    Scorekeeper(season_of(make_club()), random.Random(10 + count), HOUR).keep(count)


@pytest.mark.usefixtures("sparse_corrections")
@pytest.mark.parametrize("count", WORKERS)
@pytest.mark.parametrize("make_club", [club_of_every_system, club_that_shares])
def test_t02_where_players_begin_with_what_they_brought(
    make_club: Callable[[], League], count: int
) -> None:
    season = second_season_of(make_club())
    Scorekeeper(season, random.Random(20 + count), HOUR).keep(count)
