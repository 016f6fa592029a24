"""SQLite's writers: they wait in line, in threads and in processes, and none is refused."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError, OperationalError, connections, transaction
from django.db.utils import load_backend

from config.sqlite.base import DatabaseWrapper
from config.sqlite.write_queue import WriteQueue, write_queue
from leagues.store.statements import read_rows

ROOT = Path(__file__).parents[2]
PATIENCE_SECONDS = 60

WRITER = """
import sys
import django
from django.conf import settings

options = {"transaction_mode": "IMMEDIATE", "timeout": 0}
database = {"ENGINE": sys.argv[1], "NAME": sys.argv[2], "OPTIONS": options}
settings.configure(DATABASES={"default": database}, USE_TZ=True)
django.setup()
from django.db import connection, transaction


def write(word):
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO line (word) VALUES (%s)", [word])


print("ready", flush=True)
for order in sys.stdin:
    match order.split():
        case ["one", word]:
            write(word)
        case ["begin", word]:
            block = transaction.atomic()
            block.__enter__()
            write(word)
        case ["commit"]:
            block.__exit__(None, None, None)
        case ["many", word, count]:
            for number in range(int(count)):
                with transaction.atomic():
                    write(f"{word}-{number}")
                    with transaction.atomic():
                        write(f"{word}-{number}-inner")
                write(f"{word}-{number}-alone")
    print("done", flush=True)
"""


class Writer:
    """Another process that writes when it is told to; SQLite itself never waits in it."""

    def __init__(self, database: Path) -> None:
        engine = os.environ.get("RUNGS_TEST_ENGINE", "config.sqlite")
        self.process = subprocess.Popen(
            [sys.executable, "-c", WRITER, engine, str(database)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.wait("ready")

    def tell(self, order: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(order + "\n")
        self.process.stdin.flush()

    def wait(self, word: str = "done") -> None:
        assert self.process.stdout
        assert self.process.stdout.readline().strip() == word

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture
def database(tmp_path: Path) -> Path:
    file = tmp_path / "line.sqlite3"
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE line (id INTEGER PRIMARY KEY, word TEXT UNIQUE)")
    connection.close()
    return file


@pytest.fixture
def writer(database: Path) -> Iterator[Callable[[], Writer]]:
    started: list[Writer] = []

    def start() -> Writer:
        started.append(Writer(database))
        return started[-1]

    yield start
    for process in started:
        process.end()


def words(database: Path) -> list[str]:
    connection = sqlite3.connect(database)
    try:
        return [word for (word,) in connection.execute("SELECT word FROM line ORDER BY id")]
    finally:
        connection.close()


def wait_until_drawn(database: Path, count: int) -> None:
    """Wait until so many numbers have been drawn: whoever drew the last one stands in line."""
    queue = Path(f"{database}-queue")
    first = 1
    while not queue.exists() or int.from_bytes(queue.read_bytes(), "little") < first + count:
        pass


def test_processes_that_write_at_once_all_succeed(
    database: Path, writer: Callable[[], Writer]
) -> None:
    writers = [writer() for _ in range(4)]
    for number, one in enumerate(writers):
        one.tell(f"many {number} 50")
    for one in writers:
        one.wait()
    assert len(words(database)) == 4 * 50 * 3


def test_processes_write_in_the_order_in_which_they_came(
    database: Path, writer: Callable[[], Writer]
) -> None:
    greedy, second, third = writer(), writer(), writer()
    greedy.tell("begin first")
    greedy.wait()
    second.tell("one second")
    wait_until_drawn(database, 2)
    third.tell("one third")
    wait_until_drawn(database, 3)
    greedy.tell("commit")
    greedy.tell("one fourth")
    for one in (greedy, greedy, second, third):
        one.wait()
    assert words(database) == ["first", "second", "third", "fourth"]


def test_nobody_waits_for_a_process_that_was_killed(
    database: Path, writer: Callable[[], Writer]
) -> None:
    writing, waiting, last = writer(), writer(), writer()
    writing.tell("begin lost")
    writing.wait()
    waiting.tell("one never")
    wait_until_drawn(database, 2)
    last.tell("one last")
    wait_until_drawn(database, 3)
    waiting.process.send_signal(signal.SIGKILL)
    waiting.process.wait()
    assert words(database) == []
    writing.process.send_signal(signal.SIGKILL)
    last.wait()
    assert words(database) == ["last"]


@pytest.fixture
def queue(tmp_path: Path) -> WriteQueue:
    return WriteQueue(str(tmp_path / "queue"))


def test_threads_get_their_turn_in_the_order_in_which_they_came(queue: WriteQueue) -> None:
    order: list[int] = []
    holding = queue.enter(PATIENCE_SECONDS)

    def write(number: int) -> None:
        turn = queue.enter(PATIENCE_SECONDS)
        order.append(number)
        queue.leave(turn)

    threads = []
    for number in range(5):
        threads.append(threading.Thread(target=write, args=[number]))
        threads[-1].start()
        while len(queue._turns) < number + 2:
            pass
    queue.leave(holding)
    last = queue.enter(PATIENCE_SECONDS)
    for thread in threads:
        thread.join()
    assert order == [0, 1, 2, 3, 4]
    queue.leave(last)


def test_who_waits_too_long_is_told_so_and_holds_up_nobody(queue: WriteQueue) -> None:
    holding = queue.enter(PATIENCE_SECONDS)
    with pytest.raises(TimeoutError):
        queue.enter(0)
    queue.leave(holding)
    queue.leave(queue.enter(0))


def test_the_queue_of_a_database_in_memory_needs_no_file() -> None:
    queue = WriteQueue(None)
    queue.leave(queue.enter(0))
    turn = queue.enter(0)
    with pytest.raises(TimeoutError):
        queue.enter(0)
    queue.leave(turn)


@pytest.fixture
def wrapper(database: Path, django_db_blocker: Any) -> Iterator[DatabaseWrapper]:
    settings = dict(connections.settings["default"])
    settings |= {
        "ENGINE": "config.sqlite",
        "NAME": str(database),
        "OPTIONS": {"transaction_mode": "IMMEDIATE", "queue_seconds": 0},
        "CONN_MAX_AGE": 0,
        "CONN_HEALTH_CHECKS": False,
    }
    wrapper: DatabaseWrapper = load_backend("config.sqlite").DatabaseWrapper(settings, "other")
    connections["other"] = wrapper
    with django_db_blocker.unblock():
        yield wrapper
        wrapper.close()
    del connections["other"]


def insert(wrapper: DatabaseWrapper, word: str) -> None:
    with wrapper.cursor() as cursor:
        cursor.execute("INSERT INTO line (word) VALUES (%s)", [word])


def test_a_transaction_holds_its_turn_to_its_end_and_no_longer(wrapper: DatabaseWrapper) -> None:
    with transaction.atomic("other"):
        assert wrapper.has_turn
        insert(wrapper, "one")
        with transaction.atomic("other"):
            insert(wrapper, "two")
        with pytest.raises(IntegrityError), transaction.atomic("other"):
            insert(wrapper, "two")
        assert wrapper.has_turn
    assert not wrapper.has_turn


@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt])
def test_a_transaction_that_fails_gives_its_turn_back(
    wrapper: DatabaseWrapper, error: type[BaseException]
) -> None:
    with pytest.raises(error), transaction.atomic("other"):
        insert(wrapper, "one")
        raise error
    assert not wrapper.has_turn


def test_a_connection_that_is_closed_in_a_transaction_gives_its_turn_back(
    wrapper: DatabaseWrapper, database: Path
) -> None:
    with transaction.atomic("other"):
        insert(wrapper, "lost")
        wrapper.close()
        assert not wrapper.has_turn
    assert words(database) == []


def test_single_writes_take_a_turn_each_also_those_that_fail(
    wrapper: DatabaseWrapper, database: Path
) -> None:
    insert(wrapper, "one")
    with pytest.raises(IntegrityError):
        insert(wrapper, "one")
    with wrapper.cursor() as cursor:
        cursor.executemany("INSERT INTO line (word) VALUES (%s)", [["two"], ["three"]])
    assert not wrapper.has_turn
    assert words(database) == ["one", "two", "three"]


def test_a_transaction_that_cannot_begin_gives_its_turn_back(
    wrapper: DatabaseWrapper, database: Path
) -> None:
    wrapper.ensure_connection()
    wrapper.connection.execute("PRAGMA busy_timeout = 0")
    stranger = sqlite3.connect(database)
    stranger.execute("BEGIN IMMEDIATE")
    with pytest.raises(OperationalError, match="locked"), transaction.atomic("other"):
        pass
    assert not wrapper.has_turn
    stranger.rollback()
    stranger.close()
    insert(wrapper, "one")


def test_reading_never_waits_for_a_turn(wrapper: DatabaseWrapper) -> None:
    other = load_backend("config.sqlite").DatabaseWrapper(wrapper.settings_dict, "third")
    with transaction.atomic("other"):
        insert(wrapper, "one")
        with other.cursor() as cursor:
            assert cursor.execute("SELECT word FROM line").fetchall() == []
        with pytest.raises(OperationalError, match="could not start writing"):
            insert(other, "two")
    insert(other, "two")
    other.close()


def test_a_forked_process_has_not_its_parents_turn(
    wrapper: DatabaseWrapper, database: Path
) -> None:
    with transaction.atomic("other"):
        child = os.fork()
        if child == 0:
            try:
                write_queue(f"{database}-queue").enter(0)
            except TimeoutError:
                os._exit(0)
            os._exit(1)
        assert os.waitpid(child, 0)[1] == 0


def words_read(wrapper: DatabaseWrapper) -> list[str]:
    with wrapper.cursor() as cursor:
        return [word for (word,) in cursor.execute("SELECT word FROM line ORDER BY id")]


def begin_request(wrapper: DatabaseWrapper) -> None:
    """Do what Django does at the beginning and the end of each request."""
    wrapper.close_if_unusable_or_obsolete()


@pytest.fixture
def kept(wrapper: DatabaseWrapper) -> DatabaseWrapper:
    """A connection that is kept from one request to the next."""
    wrapper.settings_dict |= {"CONN_MAX_AGE": 600, "CONN_HEALTH_CHECKS": True}
    insert(wrapper, "old")
    return wrapper


def test_a_connection_is_kept_from_one_request_to_the_next(kept: DatabaseWrapper) -> None:
    before = kept.connection
    begin_request(kept)
    assert words_read(kept) == ["old"]
    assert kept.connection is before


def test_a_file_that_was_put_in_the_place_of_the_database_is_read_at_once(
    kept: DatabaseWrapper, database: Path, tmp_path: Path
) -> None:
    restored = tmp_path / "restored.sqlite3"
    with sqlite3.connect(restored) as other:
        other.execute("CREATE TABLE line (id INTEGER PRIMARY KEY, word TEXT UNIQUE)")
        other.execute("INSERT INTO line (word) VALUES ('restored')")
    other.close()
    for beside in ("-wal", "-shm"):
        Path(f"{database}{beside}").unlink(missing_ok=True)
    restored.replace(database)
    begin_request(kept)
    assert read_rows(kept, "SELECT word FROM line ORDER BY id", []) == [("restored",)]
    assert words_read(kept) == ["restored"]
    insert(kept, "new")
    assert words(database) == ["restored", "new"]


def test_a_transaction_that_was_left_open_ends_with_its_request(
    kept: DatabaseWrapper, database: Path
) -> None:
    with kept.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")
        cursor.execute("SELECT count(*) FROM line")
    with sqlite3.connect(database) as other:
        other.execute("INSERT INTO line (word) VALUES ('newer')")
    other.close()
    begin_request(kept)
    assert words_read(kept) == ["old", "newer"]
