"""T-02 and T-03 over workers: however many drain the queue, and in whatever order results arrive,
boards are bit for bit what a replay gives, after every step.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.db import connection

from leagues import bridge
from leagues.jobs.runner import drain, surviving_outages
from leagues.models import Job, League, Match
from leagues.services.drafts import MatchDraft
from leagues.services.integrity import check_board, league_digest
from leagues.services.leagues import add_board
from leagues.services.matches import (
    correct_match,
    record_matches,
    restore_match,
    revert_revision,
    void_match,
)
from tests.leagues.conftest import PATIENCE_SECONDS
from tests.leagues.play import START, mode_of, new_club, result, season_of

pytestmark = pytest.mark.django_db(transaction=True)

WORKERS = (1, 2, 4)
NAMES = ("Ana", "Bo", "Cy", "Dee", "Eli")
STEPS = 8


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


def club_of_four_boards(slug: str) -> League:
    """A league with the systems of a new one, and two whose results move bystanders."""
    club = new_club(slug)
    for system in ("ladder", "zerosum"):
        add_board(season=season_of(club), mode=mode_of(club), system=system)
    return club


def draft_at(club: League, chance: random.Random, minute: int) -> MatchDraft:
    """A result of two players by chance, at a minute of its own."""
    one, two = chance.sample(NAMES, 2)
    return result(club, one, two, at=START + timedelta(minutes=minute))


def submit(club: League, *drafts: MatchDraft) -> None:
    record_matches(season=season_of(club), mode=mode_of(club), drafts=drafts)


def assert_as_replayed(club: League) -> None:
    for board in club.boards.all():
        report = check_board(board)
        assert not report.is_behind
        assert report.differences == ()


def test_t03_the_order_of_arrival_and_the_number_of_workers_change_no_bit() -> None:
    digests = set()
    for number, count in enumerate((*WORKERS, *WORKERS)):
        club = club_of_four_boards(f"club{number}")
        chance = random.Random(3)
        drafts = [draft_at(club, chance, minute) for minute in range(20)]
        random.Random(number).shuffle(drafts)
        with workers(count):
            for first in range(0, len(drafts), 4):
                submit(club, *drafts[first : first + 4])
        assert_as_replayed(club)
        digests.add(league_digest(club))
    assert len(digests) == 1


class Scorekeeper:
    """Somebody who enters, corrects and takes back results by chance, while workers rate them."""

    def __init__(self, club: League, chance: random.Random) -> None:
        self.club, self.chance = club, chance
        self.minutes = list(range(1000))
        chance.shuffle(self.minutes)

    def step(self) -> None:
        """Do one thing."""
        steps: list[Callable[[], object]] = [
            self.enter,
            self.enter,
            self.enter_many,
            self.correct,
            self.move,
            self.void_or_restore,
            self.undo,
        ]
        self.chance.choice(steps)()

    def draft(self) -> MatchDraft:
        return draft_at(self.club, self.chance, self.minutes.pop())

    def enter(self) -> None:
        submit(self.club, self.draft())

    def enter_many(self) -> None:
        """Enter results one after the other, so that workers meet some of them."""
        for _ in range(5):
            submit(self.club, self.draft())

    def match(self) -> Match:
        return self.chance.choice(list(Match.objects.filter(league=self.club).order_by("seq")))

    def correct(self) -> None:
        """Let others have played a match, at its time."""
        match = self.match()
        one, two = self.chance.sample(NAMES, 2)
        draft = result(self.club, one, two, at=match.played_at)
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
        newest = season_of(self.club).revisions.filter(number__isnull=False).latest("number")
        revert_revision(revision=newest, author=None)


def keep(club: League, chance: random.Random, count: int) -> None:
    """Let results be entered and changed by chance, and compare all boards after every step."""
    keeper = Scorekeeper(club, chance)
    for _ in range(STEPS):
        with workers(count):
            if not Match.objects.exists():
                keeper.enter_many()
            keeper.step()
            keeper.step()
        assert_as_replayed(club)


@pytest.mark.parametrize("count", WORKERS)
def test_t02_boards_are_as_replayed_after_every_step_with_workers(count: int) -> None:
    keep(club_of_four_boards("club"), random.Random(count), count)


@pytest.mark.usefixtures("sparse_corrections")
@pytest.mark.parametrize("count", WORKERS)
def test_t02_under_every_system_where_corrections_rewrite_only_whom_they_reach(count: int) -> None:
    club = new_club()
    for info in bridge.systems():
        add_board(season=season_of(club), mode=mode_of(club), system=info.name)
    keep(club, random.Random(10 + count), count)
