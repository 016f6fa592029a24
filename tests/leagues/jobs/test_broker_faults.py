"""Faults of brokers and runners as processes: work is late, never lost, and no one waits for it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis

from storm.servers import OwnRedis
from tests.installed import PYTHON
from tests.leagues.conftest import PATIENCE_SECONDS, ROOT, Manage
from tests.leagues.jobs.test_celery import QUEUE_IMPORT, check, open_jobs, wait_for

SUBMIT = """
from leagues.models import Match
from leagues.services.leagues import create_league
from leagues.services.matches import record_matches
from tests.leagues.play import mode_of, result, season_of
club = create_league(name="Cup", slug="cup")
record_matches(season=season_of(club), mode=mode_of(club), drafts=[result(club, "Ana", "Bo")])
print("stored", Match.objects.filter(status="live").count())
"""


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[OwnRedis]:
    """A Redis of the test's own, not started yet."""
    if shutil.which("redis-server") is None:
        pytest.skip("there is no redis-server here")
    own = OwnRedis(tmp_path, dict(os.environ))
    yield own
    own.stop()


def beside(manage: Manage, broker: OwnRedis) -> Manage:
    """The same installation with this broker."""
    return Manage(manage.environment | {"REDIS_URL": broker.url})


@contextmanager
def process(manage: Manage, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a process of an installation meanwhile."""
    running = subprocess.Popen(
        [PYTHON, *words],
        cwd=ROOT,
        env=manage.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield running
    finally:
        running.kill()
        running.wait()


def test_f04_a_runner_that_is_told_to_stop_ends_after_its_job_and_the_rest_is_done_later(
    manage: Manage,
) -> None:
    manage("shell", "-v0", "-c", QUEUE_IMPORT)
    with process(manage, "manage.py", "runjobs") as runner:
        wait_for(lambda: has_begun(manage))
        runner.send_signal(signal.SIGTERM)
        assert runner.wait(PATIENCE_SECONDS) == 0
    manage("runjobs", "--once")
    check(manage)


def has_begun(manage: Manage) -> bool:
    words = "from leagues.models import Job; print(Job.objects.exclude(state='queued').count())"
    return int(manage("shell", "-v0", "-c", words).stdout) > 0


def test_f05_what_a_flushed_broker_forgot_is_found_by_the_sweep(
    manage: Manage, broker: OwnRedis
) -> None:
    broker.start()
    with_broker = beside(manage, broker)
    with_broker("shell", "-v0", "-c", QUEUE_IMPORT)
    with redis.Redis.from_url(broker.url) as client:
        assert client.llen("rungs")
        client.flushall()
    with process(with_broker, "manage.py", "runjobs", "--sweep"):
        wait_for(lambda: open_jobs(manage) == 0)
    check(manage)


@pytest.mark.parametrize("fault", ["stopped", "full"])
def test_f06_f09_without_a_broker_that_takes_messages_results_are_stored_and_rated_at_once(
    manage: Manage, broker: OwnRedis, fault: str
) -> None:
    if fault == "full":
        broker.start()
        with redis.Redis.from_url(broker.url) as client:
            client.config_set("maxmemory-policy", "noeviction")
            client.config_set("maxmemory", "1")
    with_broker = beside(manage, broker)
    done = with_broker("shell", "-v0", "-c", SUBMIT)
    assert done.stdout.split() == ["stored", "1"]
    assert done.stderr.count("the broker does not accept messages") == 1
    with_broker("runjobs", "--ratings", "--once")
    report = json.loads(manage("verify", "--json").stdout)
    assert report["differences"] == 0
    assert all(not board["behind"] for board in report["boards"])


def test_f07_workers_go_on_by_themselves_when_the_broker_was_restarted(
    manage: Manage, broker: OwnRedis
) -> None:
    broker.start()
    with_broker = beside(manage, broker)
    words = ("-m", "celery", "-A", "config", "worker", "-P", "solo", "-l", "error")
    with process(with_broker, *words):
        with redis.Redis.from_url(broker.url) as client:
            wait_for(lambda: any("brpop" in row["cmd"] for row in client.client_list()))
        broker.stop()
        broker.start()
        with_broker("shell", "-v0", "-c", QUEUE_IMPORT)
        wait_for(lambda: open_jobs(manage) == 0)
    check(manage)
