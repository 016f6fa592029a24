"""What ranks and pages of a board cost with as many players as there may ever be.

A rank is held against ZREVRANK of Redis on as many members, both from Python. The bar of a page is
five times a row by its primary key, each followed by writing the same fifty rows as the API does.
What they read is also compared without that: a page of a board from what was asked to the names of
its fifty rows, and one column of one row, past the models (as a model it takes two to seven times
as long). No name is known from an earlier page. All take turns in one run, by the clock, first
alone and then while another process appends results.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from statistics import median
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from benchmarks.pages import installation
from benchmarks.report import Report, Row, p99

if TYPE_CHECKING:
    from multiprocessing.synchronize import Event

    from benchmarks.world import World
    from leagues.models import Board
    from leagues.selectors.standings import Standings, View
    from leagues.selectors.standings_query import StandingsQuery

PLAYERS: Final = 1_000_000
TURNS: Final = 40
RANKS_A_TURN, PAGES_A_TURN, SLOW_A_TURN = 50, 5, 1
UPDATES_A_SECOND, APPENDS_A_SECOND = 500, 1
ACTIVE_DAYS: Final = 3650
BUSY_SECONDS: Final = 30.0
MAX_TIMES_RANK, MAX_TIMES_PAGE, MAX_TIMES_BUSY = 3.0, 5.0, 2.0
PAGES: Final = ("page", "filtered page", "page of the active")
KEY: Final = "row by key"
MAX_TIMES_READ: Final = {"postgresql": 8.0, "sqlite": 25.0}
"""Of what is read alone; fifty names take SQLite five times as long as a row by its key."""
MEMBERS: Final = "bench:ranks"
MEMBERS_AT_ONCE: Final = 10_000

Work = Callable[[], object]


@dataclass(slots=True)
class Waits:
    """Seconds of each call, by what was called."""

    seconds: dict[str, list[float]] = field(default_factory=dict)

    def time(self, name: str, work: Work) -> None:
        """Call once, and remember how long it took."""
        began = time.perf_counter()
        work()
        self.seconds.setdefault(name, []).append(time.perf_counter() - began)

    def typical(self, name: str) -> float:
        return median(self.seconds[name])


def measure(report: Report, size: int | None = None) -> None:
    """Measure a board of a million players, or of so many, alone and beside appends."""
    players = 2 * ((size or PLAYERS) // 2)
    with installation():
        began = time.monotonic()
        world = _made(players)
        report.note(f"league of {players:,} players, rated and prepared", _since(began), "s")
        redis = _filled_redis(report, players)
        looker = _Looker(world, redis)
        title = f"{players:,} players"
        looker.time_first(report, title)
        alone = looker.wait_in_turns()
        _report(report, title, alone)
        busy = _beside_appends(report, title, world, looker)
        _report_busy(report, title, busy)
        if redis is not None:
            redis.delete(MEMBERS)


def _made(players: int) -> World:
    """A league that ranks everyone by one system, after as many results as it has players."""
    from benchmarks.world import make_world
    from leagues.jobs.runner import drain
    from leagues.models import League

    world = make_world("ranks", players=players, matches=players)
    League.objects.filter(pk=world.league.pk).update(ranked_after=1, active_days=ACTIVE_DAYS)
    world.league.refresh_from_db()
    first, *others = world.season.boards.order_by("position", "pk")
    for board in others:
        board.delete()
    drain()
    first.refresh_from_db()
    if first.rated_matches != players:
        raise SystemExit("The board has not rated all results.")
    return world


def _filled_redis(report: Report, players: int) -> Any:
    """Redis with so many members in a set that is sorted; None where there is none."""
    url = os.environ.get("REDIS_URL", "")
    if not url:
        report.leave_out("a rank over ZREVRANK", "Needs --redis.")
        return None
    import redis

    client = redis.Redis.from_url(url)
    client.delete(MEMBERS)
    scores = np.random.default_rng(3).normal(1500, 200, players).tolist()
    for first in range(0, players, MEMBERS_AT_ONCE):
        some = scores[first : first + MEMBERS_AT_ONCE]
        client.zadd(MEMBERS, {str(first + number): score for number, score in enumerate(some)})
    return client


class _Looker:
    """Asks for ranks and pages of a board as pages, the API and searches do."""

    def __init__(self, world: World, redis: Any) -> None:
        self.world, self.redis = world, redis
        self.random = np.random.default_rng(4)
        players = world.league.players.order_by("pk")
        self.ids = np.array(players.values_list("pk", flat=True))

    def board(self) -> Board:
        """The board as a request reads it."""
        boards = self.world.season.boards.select_related("league", "season", "mode")
        return boards.get()

    def view(self, board: Board, filters: StandingsQuery) -> View:
        from django.utils import timezone

        from leagues.selectors.board_selection import BoardReading
        from leagues.selectors.standings import bring_up_to_date, view_of

        view = view_of(
            board,
            reading=BoardReading(),
            filters=filters,
            now=timezone.now(),
            may_be_former=True,
            may_be_held=True,
        )
        if view.stand_in is not None:
            # As the server does once a page is sent.
            self.late = lambda: bring_up_to_date(board.pk)
        return view

    late: Work | None = None
    """What is done after an answer."""

    def time_first(self, report: Report, title: str) -> None:
        """What the first page of a process takes, which reads and ranks everyone."""
        from leagues.selectors.standings_query import StandingsQuery

        began = time.monotonic()
        view = self.view(self.board(), StandingsQuery())
        report.note(f"{title}: first page of a process", _since(began), "s")
        standings = view.standings
        if standings is None or int(np.count_nonzero(standings.is_ranked)) != len(self.ids):
            raise SystemExit("Not everyone is ranked.")

    def wait_in_turns(self, seconds: float = 0.0) -> Waits:
        """Ask everything in turns, so often, or for so long where that is given."""
        waits = Waits()
        began, turns = time.monotonic(), 0
        while turns < 1 or (_since(began) < seconds if seconds else turns < TURNS):
            self._turn(waits)
            turns += 1
        return waits

    def _turn(self, waits: Waits) -> None:
        from leagues.selectors.standings_query import StandingsQuery

        board = self.board()
        if self.redis is not None:
            for member in self.random.integers(0, len(self.ids), RANKS_A_TURN).tolist():
                waits.time("ZREVRANK", partial(self.redis.zrevrank, MEMBERS, str(member)))
        standings = _standings_of(self.view(board, StandingsQuery()))
        for player in self._some(RANKS_A_TURN):
            waits.time("rank", partial(rank_in_words, standings, player))
        for player in self._some(RANKS_A_TURN):
            waits.time(KEY, partial(self._row_by_key, player))
        write = self._writing(self.view(board, StandingsQuery()))
        for _page in range(PAGES_A_TURN):
            waits.time(written(KEY), _both(partial(self._row_by_key, self._some(1)[0]), write))
            for name, filters in self._filters().items():
                for each in (name, written(name)):
                    page = partial(self._page, board, filters)
                    waits.time(each, page if each == name else _both(page, write))
                    self._settle_late()
        player = self._some(1)[0]
        waits.time("around me", partial(self._around, board, player))
        for _time in range(SLOW_A_TURN):
            player = self._some(1)[0]
            waits.time("rank by the database", partial(self._rank_by_database, board, player))
            waits.time("search", partial(self._page, board, self._search()))

    def _settle_late(self) -> None:
        late, self.late = self.late, None
        if late is not None:
            late()

    def _some(self, count: int) -> list[int]:
        chosen: list[int] = self.ids[self.random.integers(0, len(self.ids), count)].tolist()
        return chosen

    def _filters(self) -> dict[str, StandingsQuery]:
        from leagues.selectors.standings_query import StandingsQuery

        whole = StandingsQuery()
        return {
            "page": whole,
            "filtered page": replace(whole, sure="fairly", least=3),
            "page of the active": replace(whole, active=60, least=2),
        }

    def _search(self) -> StandingsQuery:
        from leagues.selectors.standings_query import StandingsQuery

        return StandingsQuery(query=f"{self.random.integers(0, len(self.ids)):06d}")

    def _row_by_key(self, player: int) -> Any:
        from django.db import connection

        with connection.cursor() as cursor:
            cursor.execute("SELECT name FROM leagues_player WHERE id = %s", [player])
            return cursor.fetchone()

    def _page(self, board: Board, filters: StandingsQuery) -> list[str]:
        """The fifty who follow a player anywhere on the board, with their names."""
        from leagues.selectors.people import Roster, Viewer
        from leagues.selectors.standings import PAGE_SIZE

        view = self.view(board, filters)
        standings = _standings_of(view)
        rows = standings.select(filters, view.matching_ids)
        if not len(rows):
            return []
        after = int(rows[self.random.integers(0, len(rows))])
        place, player = int(standings.table.place[after]), int(standings.table.player_id[after])
        first = standings.behind(rows, place, player)
        shown = rows[first : first + PAGE_SIZE].tolist()
        # Without a log nothing is kept of names that were read.
        names = Roster(board.league, Viewer(), view.people, log="")
        ids = standings.table.player_id[shown].tolist()
        names.read(ids)
        return [names.people[one].name for one in ids]

    def _writing(self, view: View) -> Work:
        """What writes fifty rows anywhere on the board as the API does, all of them at hand."""
        from rest_framework.renderers import JSONRenderer

        from leagues.api.shapes import RankedShape
        from leagues.api.views.boards import ranked_row
        from leagues.models import Player
        from leagues.selectors.standings import PAGE_SIZE

        standings = _standings_of(view)
        first = int(self.random.integers(0, max(1, len(standings) - PAGE_SIZE)))
        rows = range(first, min(first + PAGE_SIZE, len(standings)))
        ids = standings.table.player_id[rows].tolist()
        players = Player.objects.in_bulk(ids)
        values = [
            ranked_row(view, row, players[player], None, likely, is_anchor=False)
            for row, player, likely in zip(rows, ids, standings.likely(rows), strict=True)
        ]
        return lambda: JSONRenderer().render(RankedShape(values, many=True).data)

    def _around(self, board: Board, player: int) -> list[Any]:
        from django.utils import timezone

        from leagues.models import Player
        from leagues.selectors.standing_rows import nearest_to, standing_of

        own = standing_of(board, Player(pk=player, league_id=board.league_id))
        return nearest_to(board, own, timezone.now(), 5) if own else []

    def _rank_by_database(self, board: Board, player: int) -> int | None:
        from django.utils import timezone

        from leagues.models import Player
        from leagues.selectors.standing_rows import counted_rank, standing_of

        own = standing_of(board, Player(pk=player, league_id=board.league_id))
        return counted_rank(board, own, timezone.now()) if own else None


def written(name: str) -> str:
    """What a call is named that also writes fifty rows."""
    return f"{name}, written"


def _both(first: Work, second: Work) -> Work:
    return lambda: (first(), second())


def _standings_of(view: View) -> Standings:
    if view.standings is None:
        raise SystemExit("The standings are not prepared.")
    return view.standings


def rank_in_words(standings: Standings, player: int) -> tuple[int, bool, int]:
    """The rank of a player, whether others share it, and how many are ranked."""
    from leagues.selectors.standings_query import StandingsQuery

    row = standings.row_of(player)
    if row is None:
        raise SystemExit("Somebody has no standing.")
    ranked = len(standings.select(StandingsQuery(), None))
    return int(standings.rank[row]), standings.is_shared(row), ranked


def _beside_appends(report: Report, title: str, world: World, looker: _Looker) -> Waits:
    """Ask the same while another process appends so many results a second, if it can."""
    from django.db import connection

    connection.close()
    context = multiprocessing.get_context("fork")
    is_over, (ours, theirs) = context.Event(), context.Pipe()
    writer = context.Process(target=_append, args=(world, is_over, theirs))
    writer.start()
    began = time.monotonic()
    try:
        return looker.wait_in_turns(BUSY_SECONDS)
    finally:
        is_over.set()
        count = ours.recv()
        report.note(f"{title}: results appended and rated", count / _since(began), "1/s")
        writer.join()


def _append(world: World, is_over: Event, answer: Any) -> None:
    """Append results and rate them until it is over; answers how many."""
    from leagues.jobs.queue import claim_job
    from leagues.jobs.runner import run_claim
    from leagues.services.drafts import MatchDraft, MemberDraft, SideDraft
    from leagues.services.matches import record_matches

    random = np.random.default_rng(5)
    mode = world.league.modes.get()
    players = list(world.league.players.order_by("pk")[:10_000])
    at, count = world.days[1], 0
    while not is_over.is_set():
        began = time.monotonic()
        drafts = []
        for _number in range(UPDATES_A_SECOND // APPENDS_A_SECOND // 2):
            at += timedelta(milliseconds=10)
            pair = random.choice(len(players), 2, replace=False).tolist()
            sides = tuple(
                SideDraft(rank=rank, score=None, members=(MemberDraft(players[place]),))
                for rank, place in enumerate(pair, 1)
            )
            drafts.append(MatchDraft(played_at=at, sides=sides))
        record_matches(season=world.season, mode=mode, drafts=drafts)
        while claim := claim_job(only_ratings=True):
            run_claim(claim)
        count += len(drafts)
        is_over.wait(max(0.0, 1 / APPENDS_A_SECOND - _since(began)))
    from django.db import connection

    connection.close()
    answer.send(count)


def _report(report: Report, title: str, waits: Waits) -> None:
    for name, seconds in waits.seconds.items():
        report.note(f"{title}: {name}", 1e6 * median(seconds), "µs")
        report.note(f"{title}: {name}, p99", 1e6 * p99(seconds), "µs")
    if "ZREVRANK" in waits.seconds:
        times = waits.typical("rank") / waits.typical("ZREVRANK")
        report.add(Row(f"{title}: rank over ZREVRANK", times, "times", MAX_TIMES_RANK, "at most"))
        times = waits.typical("rank by the database") / waits.typical("ZREVRANK")
        report.note(f"{title}: rank by the database over ZREVRANK", times, "times")
    _report_pages(report, title, waits, 1.0)


def _report_busy(report: Report, title: str, busy: Waits) -> None:
    for name in busy.seconds:
        report.note(f"{title}: {name}, beside appends", 1e6 * busy.typical(name), "µs")
        report.note(f"{title}: {name}, beside appends, p99", 1e6 * p99(busy.seconds[name]), "µs")
    if "ZREVRANK" in busy.seconds:
        times = busy.typical("rank") / busy.typical("ZREVRANK")
        words = f"{title}: rank over ZREVRANK, beside appends"
        report.add(Row(words, times, "times", MAX_TIMES_BUSY * MAX_TIMES_RANK, "at most"))
    _report_pages(report, f"{title}, beside appends", busy, MAX_TIMES_BUSY)


def _report_pages(report: Report, title: str, waits: Waits, more: float) -> None:
    """Hold pages against a row by its key, with rows written and without; bars are `more` times."""
    from django.db import connection

    for name in PAGES:
        times = waits.typical(written(name)) / waits.typical(written(KEY))
        words = f"{title}: {name} over a row by its key, each with fifty rows written"
        report.add(Row(words, times, "times", more * MAX_TIMES_PAGE, "at most"))
        times = waits.typical(name) / waits.typical(KEY)
        words = f"{title}: {name} over a row by its key, reading alone"
        report.add(Row(words, times, "times", more * MAX_TIMES_READ[connection.vendor], "at most"))


def _since(began: float) -> float:
    return time.monotonic() - began
