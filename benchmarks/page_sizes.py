"""What a leaderboard's page costs as its league grows, in time of one thread.

The league is in this process, and pages are asked for as the shipped server asks: what it does
once a page is sent is done, and not counted to the page. The floor is a view that does only the
query of fifty rows. The kinds of pages take turns; each figure is the median of them.
"""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from statistics import median
from typing import TYPE_CHECKING, Any

from benchmarks.pages import installation
from benchmarks.report import Report, Row
from benchmarks.visits import CACHED, FIRST, NOT_MODIFIED, UNCACHED

if TYPE_CHECKING:
    from leagues.models import League

SIZES = (1_000, 10_000, 100_000, 1_000_000)
ROUNDS, FIRSTS = 25, 5


def measure(report: Report, size: int | None = None) -> None:
    """Measure leagues of as many players as matches, each in tens of the one before."""
    with installation():
        from django.conf import settings

        settings.ROOT_URLCONF = "benchmarks.floor.urls"
        for matches in [each for each in SIZES if each <= (size or SIZES[-1])]:
            _measure_league(report, matches)


def _measure_league(report: Report, matches: int) -> None:
    from benchmarks.world import make_world
    from leagues.jobs.runner import drain

    league = make_world(f"of-{matches}", players=matches, matches=matches).league
    drain()
    visitor, name = _Visitor(league), f"{matches:,} matches and players"
    kinds = _rounds(visitor)
    kinds |= {"first after a result": [], "first after midnight": []}
    others: list[float] = []
    for _ in range(FIRSTS):
        visitor.send_result()
        drain()
        kinds["first after a result"].append(visitor.seconds(visitor.board))
        others += [visitor.seconds(visitor.other()) for _ in range(3)]
    for days in range(1, FIRSTS + 1):
        with _days_later(days):
            kinds["first after midnight"].append(visitor.seconds(visitor.board))
            others += [visitor.seconds(visitor.other()) for _ in range(3)]
    typical = {kind: median(times) for kind, times in kinds.items()}
    for kind, seconds in typical.items():
        report.note(f"{name}: {kind}", 1000 * seconds, "ms")

    floor, full = typical["floor"], typical["uncached"]
    for kind, speed, unit, bar in (
        ("cached", floor / typical["cached"], "× floor's speed", CACHED),
        ("uncached", floor / full, "× floor's speed", UNCACHED),
        ("304", full / typical["304"], "× full page's speed", NOT_MODIFIED),
    ):
        report.add(Row(f"{name}: {kind}", speed, unit, bar, "at least"))
    for kind in ("first after a result", "first after midnight"):
        ratio = typical[kind] / median(others)
        report.add(Row(f"{name}: {kind}", ratio, "× any other", FIRST, "at most"))


def _rounds(visitor: _Visitor) -> dict[str, list[float]]:
    """The seconds of each kind of page, in turns."""
    etag = visitor.etag(visitor.board)
    kinds: dict[str, Callable[[], float]] = {
        "floor": lambda: visitor.seconds(f"/floor/{visitor.league.slug}/"),
        "304": lambda: visitor.seconds(visitor.board, etag),
        "cached": lambda: visitor.seconds(visitor.board),
        "uncached": lambda: visitor.seconds(visitor.other()),
    }
    times: dict[str, list[float]] = {kind: [] for kind in kinds}
    for number in range(ROUNDS + 1):
        for kind, run in kinds.items():
            seconds = run()
            if number:
                times[kind].append(seconds)
    return times


class _Visitor:
    """Somebody without cookies, and a program that sends results."""

    def __init__(self, league: League) -> None:
        from django.test import Client

        from leagues.services.tokens import create_token

        self.league, self.board = league, f"/l/{league.slug}/"
        self.numbers = itertools.count()
        self.client = Client()
        token = create_token(league=league, name="bench", scope="results", actor=None)[1]
        self.authorization = {"Authorization": f"Bearer {token}"}
        self.players = list(league.players.order_by("key").values_list("key", flat=True)[:2])

    def other(self) -> str:
        """An address that nobody has asked for."""
        return f"{self.board}?nothing={next(self.numbers)}"

    def etag(self, address: str) -> str:
        return str(self.client.get(address)["ETag"])

    def seconds(self, address: str, etag: str = "") -> float:
        """How long a page takes, without what is done after it."""
        from django.conf import settings

        from leagues.views.common import AFTER_ANSWER

        afterwards: list[Callable[[], object]] = []
        headers = {"Accept-Encoding": "gzip"} | ({"If-None-Match": etag} if etag else {})
        extra: dict[str, Any] = {AFTER_ANSWER: afterwards.append}
        clock = time.process_time if settings.IS_SQLITE else time.perf_counter
        self.client.cookies.clear()
        began = clock()
        answer = self.client.get(address, headers=headers, **extra)
        taken = clock() - began
        if answer.status_code != (304 if etag else 200):
            raise SystemExit(f"{address} was answered {answer.status_code}.")
        for task in afterwards:
            task()
        return taken

    def send_result(self) -> None:
        """Send the result of a duel that was played just now."""
        sides = [
            {"rank": rank, "players": [{"key": key}]} for rank, key in enumerate(self.players, 1)
        ]
        body = json.dumps({"played_at": datetime.now(UTC).isoformat(), "sides": sides})
        address = f"/api/v1/leagues/{self.league.slug}/matches/"
        answer = self.client.post(address, body, "application/json", headers=self.authorization)
        if answer.status_code != 201:
            raise SystemExit(
                f"A result was answered {answer.status_code}: {answer.content[:300]!r}"
            )


@contextmanager
def _days_later(days: int) -> Iterator[None]:
    """Let this process be so many days ahead."""
    from django.utils import timezone

    now = timezone.now
    timezone.now = lambda: now() + timedelta(days=days)
    try:
        yield
    finally:
        timezone.now = now
