"""Waking the runners: once per commit, whatever it wrote, and never at the visitor's cost."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction

from leagues.jobs.broker import PAUSE_SECONDS, Broker
from leagues.jobs.queue import enqueue
from leagues.jobs.wake import Sleep, sleeping
from tests.leagues.conftest import Manage

pytestmark = pytest.mark.django_db(transaction=True)

SUBMIT = """
from django.db import transaction
from leagues.services.leagues import add_board, create_league
from leagues.services.matches import record_matches
from tests.leagues.play import mode_of, result, season_of
with transaction.atomic():
    club = create_league(name="Cup", slug="cup")
    for system in ("trueskill", "becker", "ladder"):
        add_board(season=season_of(club), mode=mode_of(club), system=system)
    record_matches(season=season_of(club), mode=mode_of(club), drafts=[result(club, "Ana", "Bo")])
print("boards", season_of(club).boards.count())
"""


@pytest.fixture
def path(settings: Any, tmp_path: Path) -> Path:
    """The place of a pipe that no other process writes to; there is no broker."""
    settings.REDIS_URL = ""
    settings.WAKE_PIPE = tmp_path / "wake"
    return settings.WAKE_PIPE


@pytest.fixture
def pipe(path: Path) -> Iterator[Sleep]:
    """The pipe that the runners of one machine share."""
    with sleeping() as sleep:
        yield sleep


def wake_ups(pipe: Sleep) -> int:
    """Count the wake-ups since the last look."""
    try:
        return len(os.read(pipe._pipe, 4096))
    except BlockingIOError:
        return 0


def put(number: int, **words: Any) -> None:
    enqueue("tidy", key=f"tidy:{number}", params={}, **words)


def test_a_commit_wakes_once_however_many_jobs_it_wrote(pipe: Sleep) -> None:
    with transaction.atomic():
        put(1)
        with transaction.atomic():
            put(2)
        put(3)
        assert wake_ups(pipe) == 0
    assert wake_ups(pipe) == 1
    put(4)
    assert wake_ups(pipe) == 1


def test_jobs_of_a_savepoint_that_was_rolled_back_wake_nobody(pipe: Sleep) -> None:
    def lose(number: int) -> None:
        with pytest.raises(ZeroDivisionError), transaction.atomic():
            put(number)
            raise ZeroDivisionError

    with transaction.atomic():
        lose(1)
    assert wake_ups(pipe) == 0
    with transaction.atomic():
        lose(1)
        put(2)
        lose(3)
    assert wake_ups(pipe) == 1


def test_a_job_for_later_wakes_nobody(pipe: Sleep) -> None:
    put(1, delay=timedelta(hours=1))
    assert wake_ups(pipe) == 0


def test_a_wake_up_before_the_sleep_ends_it(pipe: Sleep) -> None:
    put(1)
    pipe(3600)
    assert wake_ups(pipe) == 0


@pytest.mark.usefixtures("path")
def test_a_wake_up_without_a_runner_is_lost_and_harmless() -> None:
    put(1)


def test_what_lies_in_the_place_of_the_pipe_is_replaced(path: Path) -> None:
    path.write_text("a copy")
    with sleeping() as pipe:
        put(1)
        assert wake_ups(pipe) == 1


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Line:
    """A way to a broker that can be cut; it counts who tries it."""

    def __init__(self) -> None:
        self.tries = 0
        self.is_cut = True

    def __call__(self) -> None:
        self.tries += 1
        if self.is_cut:
            raise TimeoutError("no answer")


def test_f08_after_a_lost_message_none_is_tried_for_a_while(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock, line = Clock(), Line()
    broker = Broker(line, clock=clock)
    for _ in range(100):
        assert not broker.announce()
    assert line.tries == 1
    for second in range(1, 181):
        clock.now = float(second)
        for _ in range(10):
            assert not broker.announce()
    assert line.tries == 1 + 180 / PAUSE_SECONDS
    assert [record.exc_info for record in caplog.records] == [None] * 4
    assert "6 times" in caplog.messages[-1]
    line.is_cut = False
    clock.now += PAUSE_SECONDS
    assert broker.announce()
    assert broker.announce()


@pytest.fixture
def silent_broker() -> Iterator[tuple[str, list[socket.socket]]]:
    """The address of a broker that takes connections and never answers, and those it took."""
    taken: list[socket.socket] = []
    with closing(socket.create_server(("127.0.0.1", 0))) as server:

        def take() -> None:
            while True:
                try:
                    taken.append(server.accept()[0])
                except OSError:
                    return

        thread = threading.Thread(target=take, daemon=True)
        thread.start()
        yield f"redis://127.0.0.1:{server.getsockname()[1]}/0", taken
        server.shutdown(socket.SHUT_RDWR)
        thread.join()
    for one in taken:
        one.close()


def test_f08_a_silent_broker_is_asked_once_for_a_result_on_many_boards(
    manage: Manage, silent_broker: tuple[str, list[socket.socket]]
) -> None:
    url, taken = silent_broker
    silenced = Manage(manage.environment | {"REDIS_URL": url})
    done = silenced("shell", "-v0", "-c", SUBMIT)
    assert done.stdout.split() == ["boards", "5"]
    assert len(taken) == 1
    assert "Traceback" not in done.stderr
    assert done.stderr.count("the broker does not accept messages") == 1
