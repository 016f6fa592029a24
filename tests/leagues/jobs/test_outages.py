"""The database goes away and comes back: runners go on, and no job counts it as a failure."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psycopg
import pytest
from django.db import (
    Error,
    IntegrityError,
    InterfaceError,
    OperationalError,
    connection,
    transaction,
)

from leagues import tasks
from leagues.jobs import runner
from leagues.jobs.outages import is_outage
from leagues.jobs.queue import claim_job, enqueue
from leagues.jobs.rare_log import RareLog
from leagues.jobs.runner import run_claim, run_forever
from leagues.models import Job

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _fresh_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no former test's minute swallow a line."""
    monkeypatch.setattr(runner, "outages", RareLog(runner.log))


def put(number: int = 1) -> int:
    return enqueue("tidy", key=f"tidy:{number}", params={})


@contextmanager
def database_away() -> Iterator[Callable[[], None]]:
    """Take the database away, and yield what brings it back."""
    if connection.vendor == "postgresql":
        # It is there again at once, and the connection is not.
        connection.ensure_connection()
        words = connection.get_connection_params()
        keys = ("host", "port", "user", "password", "dbname")
        with psycopg.connect(**{key: words[key] for key in keys if words.get(key)}) as other:
            other.execute(
                "SELECT pg_terminate_backend(%s)", [connection.connection.info.backend_pid]
            )
        yield lambda: None
        connection.close()
        return
    from config.sqlite.write_queue import write_queue

    queue = write_queue(f"{connection.settings_dict['NAME']}-queue")
    number = queue.enter(60)
    connection.ensure_connection()
    connection.queue_seconds = 0
    is_held = True

    def bring_back() -> None:
        nonlocal is_held
        if is_held:
            is_held = False
            queue.leave(number)

    try:
        yield bring_back
    finally:
        bring_back()


def test_f10_a_runner_goes_on_when_the_database_is_back(caplog: pytest.LogCaptureFixture) -> None:
    put()
    sleeps: list[float] = []
    with database_away() as bring_back:

        def sleep(seconds: float) -> None:
            sleeps.append(seconds)
            bring_back()

        run_forever(
            should_stop=lambda: len(sleeps) == 2,
            every=lambda: None,
            sleep=sleep,
            most_seconds=lambda: 5.0,
        )
    assert Job.objects.get().state == "done"
    assert caplog.text.count("jobs are waiting for the database") == 1
    assert "Traceback" not in caplog.text


def test_a_runner_survives_what_the_database_refuses_and_tells_it_with_its_place(
    caplog: pytest.LogCaptureFixture,
) -> None:
    rounds = 0

    def every() -> None:
        nonlocal rounds
        rounds += 1
        if rounds < 3:
            raise IntegrityError("refused")

    put()
    run_forever(
        should_stop=lambda: rounds == 4,
        every=every,
        sleep=lambda seconds: None,
        most_seconds=lambda: 5.0,
    )
    assert Job.objects.get().state == "done"
    assert caplog.text.count("Traceback") == 1


def test_a_message_that_comes_while_the_database_is_away_does_no_harm(
    caplog: pytest.LogCaptureFixture,
) -> None:
    put()
    with database_away() as bring_back:
        tasks.work()
        assert "Traceback" not in caplog.text
        bring_back()
        tasks.sweep()
    assert Job.objects.get().state == "done"


def test_a_job_that_lost_its_database_is_put_back_and_has_not_failed() -> None:
    put()
    claim = claim_job()
    assert claim
    with database_away() as bring_back:
        # Whoever puts it back waits on a new connection until the other one has gone.
        later = threading.Timer(0.5, bring_back)
        later.start()
        assert not run_claim(claim)
        later.join()
    job = Job.objects.get()
    assert (job.state, job.attempts, job.error) == ("queued", 0, "")


def trouble(work: Callable[[], object]) -> Error:
    with pytest.raises(Error) as caught:
        work()
    return caught.value


def query(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def test_a_wrong_statement_is_no_outage() -> None:
    assert not is_outage(trouble(lambda: query("SELECT nothing FROM nowhere")))
    assert not is_outage(IntegrityError("refused"))


def test_a_database_that_is_away_is_an_outage() -> None:
    assert is_outage(InterfaceError("the connection is closed"))
    assert is_outage(OperationalError("database is locked: could not start writing within 15 s"))
    with database_away():
        assert is_outage(trouble(put))


@pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL limits statements")
def test_a_statement_that_takes_too_long_is_no_outage() -> None:
    def too_long() -> None:
        with transaction.atomic():
            query("SET LOCAL statement_timeout = '10ms'")
            query("SELECT pg_sleep(5)")

    assert not is_outage(trouble(too_long))


def test_a_trouble_is_logged_at_once_and_then_counted_for_a_minute(
    caplog: pytest.LogCaptureFixture,
) -> None:
    now = 0.0
    log = RareLog(logging.getLogger("rare"), clock=lambda: now)
    for second in range(121):
        now = float(second)
        log.warn("no answer", TimeoutError("silence\nand more"))  # noqa: PLE1205
    assert caplog.messages == [
        "no answer (1 times): TimeoutError: silence",
        "no answer (60 times): TimeoutError: silence",
        "no answer (60 times): TimeoutError: silence",
    ]
