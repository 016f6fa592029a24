"""What a storm does to an installation: each fault ends with everything allowed to run again."""

from __future__ import annotations

import random
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass

import psycopg
import redis

from storm.processes import kinds, send
from storm.site import LEASE_SECONDS, Site
from storm.tally import Tally

FELT = ("supervisor", "web server", "web process")
"""Whose end a visitor may notice; all others work behind the answers."""
SLOW_SOCKETS = 64
SLOW_SECONDS = 12.0


@dataclass(frozen=True, slots=True)
class Fault:
    """One kind of fault; while it `is_felt`, requests may break or wait."""

    name: str
    strike: Callable[[Site, random.Random], None]
    is_felt: bool = True


def kill(kind: str) -> Fault:
    """Kill one process of a kind, without a warning."""

    def strike(site: Site, chance: random.Random) -> None:
        pids = kinds(site.mark).get(kind)
        if pids:
            send(chance.choice(pids), signal.SIGKILL)

    return Fault(f"kill {kind}", strike, is_felt=kind in FELT)


def pause(kind: str) -> Fault:
    """Stop a process for longer than it may hold what it works on, then let it go on."""

    def strike(site: Site, chance: random.Random) -> None:
        pids = kinds(site.mark).get(kind)
        if not pids:
            return
        pid = chance.choice(pids)
        send(pid, signal.SIGSTOP)
        time.sleep(LEASE_SECONDS + chance.uniform(1, 3))
        send(pid, signal.SIGCONT)

    return Fault(f"pause {kind}", strike, is_felt=kind in FELT)


def send_slowly(site: Site, chance: random.Random) -> None:
    """Hold many sockets open, each with half a head or a body that does not come."""
    heads = [
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
        b"POST /account/sign-in/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90\r\n\r\nuser",
    ]
    with ExitStack() as stack:
        opened = []
        for number in range(SLOW_SOCKETS):
            with suppress(OSError):
                one = socket.create_connection(("127.0.0.1", site.port), timeout=2)
                opened.append(stack.enter_context(one))
                one.sendall(heads[number % len(heads)])
        ends = time.monotonic() + SLOW_SECONDS
        while time.monotonic() < ends:
            time.sleep(1)
            for one in opened:
                with suppress(OSError):
                    one.sendall(b"a")


def _restart_postgres(site: Site, chance: random.Random) -> None:
    _stop_postgres_for(site, 0)


def _stop_postgres(site: Site, chance: random.Random) -> None:
    _stop_postgres_for(site, chance.uniform(2, 6))


def _stop_postgres_for(site: Site, seconds: float) -> None:
    if site.own_postgres is not None:
        site.own_postgres.stop()
        time.sleep(seconds)
        site.own_postgres.start()


def _terminate_backends(site: Site, chance: random.Random) -> None:
    with suppress(psycopg.Error):
        site.terminate_backends()


def _restart_redis(site: Site, chance: random.Random) -> None:
    _stop_redis_for(site, 0)


def _stop_redis(site: Site, chance: random.Random) -> None:
    _stop_redis_for(site, chance.uniform(2, 6))


def _stop_redis_for(site: Site, seconds: float) -> None:
    if site.own_redis is not None:
        site.own_redis.stop()
        time.sleep(seconds)
        site.own_redis.start()


def _silence_redis(site: Site, chance: random.Random) -> None:
    if site.own_redis is not None:
        site.own_redis.signal(signal.SIGSTOP)
        time.sleep(chance.uniform(3, 8))
        site.own_redis.signal(signal.SIGCONT)


def _flush_redis(site: Site, chance: random.Random) -> None:
    with suppress(redis.RedisError), redis.Redis.from_url(site.redis_url) as broker:
        broker.flushdb()


def _fill_redis(site: Site, chance: random.Random) -> None:
    with suppress(redis.RedisError), redis.Redis.from_url(site.redis_url) as broker:
        broker.config_set("maxmemory-policy", "noeviction")
        broker.config_set("maxmemory", "1mb")
        time.sleep(chance.uniform(2, 5))
        broker.config_set("maxmemory", "0")


def faults_for(site: Site) -> list[Fault]:
    """Every fault that can strike this installation."""
    found = [
        *(kill(kind) for kind in ("web server", "web process", "runner", "supervisor")),
        *(pause(kind) for kind in ("web process", "runner")),
        Fault("slow sockets", send_slowly, is_felt=False),
    ]
    if site.redis:
        found += [kill(kind) for kind in ("worker", "worker child", "beat")]
        found += [pause("worker child"), Fault("flush Redis", _flush_redis, is_felt=False)]
    if site.own_redis:
        found += [
            Fault("restart Redis", _restart_redis, is_felt=False),
            Fault("stop Redis", _stop_redis, is_felt=False),
            Fault("silence Redis", _silence_redis, is_felt=False),
            Fault("fill Redis", _fill_redis, is_felt=False),
        ]
    if site.postgres:
        found.append(Fault("terminate backends", _terminate_backends, is_felt=False))
    if site.own_postgres:
        found += [
            Fault("restart PostgreSQL", _restart_postgres),
            Fault("stop PostgreSQL", _stop_postgres),
        ]
    return found


def strike_until(
    site: Site, tally: Tally, chance: random.Random, over: threading.Event, *, pauses: float
) -> None:
    """Let faults strike, every kind as often, until the storm is over; seeded in their order."""
    for fault in _endlessly(faults_for(site), chance):
        if over.wait(chance.uniform(0.5, 1.5) * pauses):
            return
        with tally.fault(fault.name, is_felt=fault.is_felt):
            fault.strike(site, chance)


def _endlessly(faults: list[Fault], chance: random.Random) -> Iterator[Fault]:
    while True:
        yield from chance.sample(faults, len(faults))
