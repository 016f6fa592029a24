"""Limits: as many uses as they say, by caller, wherever they are counted."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import connection
from pytest_django.fixtures import Settings

from leagues.limits.counting import database, memory, place, redis
from leagues.limits.throttle import Limit, by_address, give_back_all, use_all
from leagues.models import LimitUse

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
PLACES = ("memory", "database", "redis")


@pytest.fixture(params=PLACES)
def limit(request: pytest.FixtureRequest, settings: Settings, transactional_db: None) -> Limit:
    """Three a minute, of a name that no other run counts."""
    if request.param == "redis" and not os.environ.get("REDIS_URL"):
        pytest.skip("REDIS_URL is not set.")
    settings.WEB_PROCESSES = 1 if request.param == "memory" else 2
    settings.REDIS_URL = os.environ.get("REDIS_URL", "") if request.param == "redis" else ""
    counted = {"memory": memory.Memory, "database": database.Database, "redis": redis.Redis}
    assert isinstance(place(), counted[request.param])
    return Limit(f"test-{uuid.uuid4().hex}", uses=3, seconds=60)


@time_machine.travel(NOW, tick=False)
def test_the_uses_pass_and_the_next_one_waits(limit: Limit) -> None:
    assert [limit.use("ana") for _ in range(3)] == [0, 0, 0]
    assert [limit.use("ana") for _ in range(3)] == [20, 20, 20]
    assert limit.use("bo") == 0


def test_after_the_wait_one_may_again_and_no_more(limit: Limit) -> None:
    with time_machine.travel(NOW, tick=False):
        assert [limit.use("ana") for _ in range(4)] == [0, 0, 0, 20]
    with time_machine.travel(NOW + timedelta(seconds=19), tick=False):
        assert limit.use("ana") == 1
    with time_machine.travel(NOW + timedelta(seconds=20), tick=False):
        assert [limit.use("ana") for _ in range(2)] == [0, 20]
    with time_machine.travel(NOW + timedelta(seconds=90), tick=False):
        assert [limit.use("ana") for _ in range(4)] == [0, 0, 0, 20]


@time_machine.travel(NOW, tick=False)
def test_limits_of_different_names_do_not_share(limit: Limit) -> None:
    assert [limit.use("ana") for _ in range(4)][-1]
    assert Limit(f"other-{limit.name}", uses=3, seconds=60).use("ana") == 0


@time_machine.travel(NOW, tick=False)
def test_what_was_given_back_may_be_used_again(limit: Limit) -> None:
    for _ in range(9):
        assert limit.use("ana") == 0
        limit.give_back("ana")
    assert [limit.use("ana") for _ in range(4)] == [0, 0, 0, 20]


@time_machine.travel(NOW, tick=False)
def test_who_has_to_wait_for_one_limit_uses_none_of_the_others(limit: Limit) -> None:
    wide = Limit(f"wide-{limit.name}", uses=5, seconds=60)
    assert [use_all((wide, "all"), (limit, "ana")) for _ in range(9)] == [0] * 3 + [20] * 6
    assert [use_all((wide, "all"), (limit, "bo")) for _ in range(3)] == [0, 0, 12]
    give_back_all((wide, "all"), (limit, "bo"))
    assert use_all((wide, "all"), (limit, "bo")) == 0


@time_machine.travel(NOW, tick=False)
def test_fifty_threads_get_no_more_than_one_would(limit: Limit) -> None:
    def use(_number: int) -> int:
        try:
            return limit.use("ana")
        finally:
            connection.close()

    with ThreadPoolExecutor(50) as pool:
        assert list(pool.map(use, range(50))).count(0) == 3


@time_machine.travel(NOW, tick=False)
def test_refused_requests_and_thousands_of_others_push_nobody_out(limit: Limit) -> None:
    others = 10_000 if isinstance(place(), memory.Memory) else 300
    assert [limit.use("10.0.0.1") for _ in range(4)][-1]
    for number in range(others):
        limit.use(f"other {number}")
        assert number % 100 or limit.use("10.0.0.1")
    assert limit.use("10.0.0.1")


@time_machine.travel(NOW, tick=False)
def test_memory_does_not_grow_and_refuses_too_early_rather_than_too_late() -> None:
    counted = memory.Memory()
    uses: Callable[[str], float] = lambda key: counted.take(  # noqa: E731
        "few", key, step=20.0, reach=60.0, now=NOW.timestamp()
    )
    for number in range(20_000):
        uses(str(number))
    assert len(counted._sketch("few")._ends) == memory.ROWS * memory.WIDTH
    for number in range(0, 20_000, 40):
        assert [uses(str(number)) == 0 for _ in range(3)].count(True) <= 2


@pytest.mark.parametrize(
    ("one", "other", "is_one"),
    [
        ("10.0.0.1", "10.0.0.2", False),
        ("10.0.0.1", "::ffff:10.0.0.1", True),
        ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", True),
        ("2001:db8:0:1::1", "2001:db8:0:2::1", False),
        ("", "", True),
        ("no address", "another", False),
    ],
)
def test_an_address_is_what_one_person_has(one: str, other: str, is_one: bool) -> None:
    limit = Limit("address", uses=3, seconds=60)
    assert (by_address(limit, one)[0] == by_address(limit, other)[0]) is is_one


@time_machine.travel(NOW, tick=False)
def test_who_has_very_many_ipv6_networks_is_counted_as_one() -> None:
    limit = Limit("networks", uses=3, seconds=60)
    waits = [use_all(*by_address(limit, f"2001:db8:0:{number:x}::1")) for number in range(1000)]
    assert waits.count(0) == 3 * 16
    assert use_all(*by_address(limit, "2001:db8:1::1")) == 0


def test_redis_that_is_away_leaves_the_limits_to_each_process(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.WEB_PROCESSES, settings.REDIS_URL = 2, "redis://127.0.0.1:1/0"
    monkeypatch.setattr(redis, "PLACE", redis.Redis())
    with time_machine.travel(NOW, tick=False):
        limit = Limit("away", uses=3, seconds=60)
        assert [limit.use("ana") for _ in range(4)] == [0, 0, 0, 20]


@pytest.mark.django_db
def test_the_database_forgets_who_may_use_everything_again(settings: Settings) -> None:
    settings.WEB_PROCESSES, settings.REDIS_URL = 2, ""
    limit = Limit("row", uses=3, seconds=60)
    with time_machine.travel(NOW, tick=False):
        limit.use("ana")
    with time_machine.travel(NOW + timedelta(seconds=15), tick=False):
        limit.use("bo")
    database.forget_ended((NOW + timedelta(seconds=30)).timestamp())
    assert LimitUse.objects.count() == 1
