"""Counting in Redis, for several processes; in the memory of each while Redis is away."""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Callable
from functools import cached_property

import redis
from django.conf import settings

from leagues.limits.counting import memory

logger = logging.getLogger(__name__)

ANSWER_SECONDS = 0.3
AWAY_SECONDS = 10.0

_TAKE = """
local now, step, reach = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local ends = math.max(now, tonumber(redis.call('GET', KEYS[1]) or '0')) + step
if ends > now + reach then
    return string.format('%.3f', ends - now - reach)
end
redis.call('SET', KEYS[1], string.format('%.3f', ends), 'PX', math.ceil((ends - now) * 1000))
return '0'
"""
_GIVE_BACK = """
local ends = tonumber(redis.call('GET', KEYS[1]) or '0') - tonumber(ARGV[1])
if ends > tonumber(ARGV[2]) then
    redis.call('SET', KEYS[1], string.format('%.3f', ends), 'KEEPTTL')
else
    redis.call('DEL', KEYS[1])
end
"""


class Redis:
    """Keys that Redis forgets by itself when they are over.

    A Redis that does not answer costs one request a moment; then each process counts by itself
    for a while. Limits are then as many times as wide as there are processes, and still limits.
    """

    def __init__(self) -> None:
        self._away_until = 0.0

    @cached_property
    def _client(self) -> redis.Redis:
        return redis.Redis.from_url(
            settings.REDIS_URL,
            socket_timeout=ANSWER_SECONDS,
            socket_connect_timeout=ANSWER_SECONDS,
        )

    def take(self, name: str, key: str, *, step: float, reach: float, now: float) -> float:
        """Count a use of a key; return the seconds until one is allowed where none is now."""

        def ask() -> float:
            words = (now, step, reach)
            return float(self._client.eval(_TAKE, 1, _hash(name, key), *words))

        wait = self._answer(ask)
        if wait is not None:
            return wait
        return memory.PLACE.take(name, key, step=step, reach=reach, now=now)

    def give_back(self, name: str, key: str, *, step: float, now: float) -> None:
        """Uncount a use."""

        def ask() -> float:
            self._client.eval(_GIVE_BACK, 1, _hash(name, key), step, now)
            return 0.0

        if self._answer(ask) is None:
            memory.PLACE.give_back(name, key, step=step, now=now)

    def _answer(self, ask: Callable[[], float]) -> float | None:
        if time.monotonic() < self._away_until:
            return None
        try:
            return ask()
        except redis.RedisError as error:
            self._away_until = time.monotonic() + AWAY_SECONDS
            logger.warning("Redis cannot count requests for limits: %s", type(error).__name__)
            return None


def _hash(name: str, key: str) -> str:
    return f"rungs:limit:{hashlib.sha256(f'{name} {key}'.encode()).hexdigest()[:40]}"


PLACE = Redis()
