"""Limits: as many uses as they say, by caller, in windows."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.core.cache import cache

from leagues.throttle import Limit

LIMIT = Limit("test", uses=3, seconds=60)
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def fresh_limits() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@time_machine.travel(NOW, tick=False)
def test_the_uses_pass_and_the_next_one_waits() -> None:
    assert [LIMIT.use("ana") for _ in range(3)] == [0, 0, 0]
    wait = LIMIT.use("ana")
    assert 0 < wait <= 60
    assert LIMIT.wait("ana") == wait
    assert LIMIT.use("bo") == 0


@time_machine.travel(NOW, tick=False)
def test_asking_how_long_counts_nothing() -> None:
    assert {LIMIT.wait("ana") for _ in range(9)} == {0}
    assert LIMIT.use("ana") == 0


def test_after_the_wait_one_may_again() -> None:
    with time_machine.travel(NOW, tick=False):
        for _ in range(4):
            wait = LIMIT.use("ana")
    with time_machine.travel(NOW + timedelta(seconds=wait - 1), tick=False):
        assert LIMIT.use("ana") == 1
    with time_machine.travel(NOW + timedelta(seconds=wait), tick=False):
        assert LIMIT.use("ana") == 0


@time_machine.travel(NOW, tick=False)
def test_limits_of_different_names_do_not_share() -> None:
    for _ in range(4):
        LIMIT.use("ana")
    assert Limit("other", uses=3, seconds=60).use("ana") == 0


@time_machine.travel(NOW, tick=False)
def test_fifty_threads_get_no_more_than_one_would() -> None:
    with ThreadPoolExecutor(50) as pool:
        waits = list(pool.map(lambda _: LIMIT.use("ana"), range(50)))
    assert waits.count(0) == 3
