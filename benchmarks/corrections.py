"""What a correction costs before and after it is saved, as parts of a full replay of its boards.

Each is measured in one process and one run by processor time: a replay of every board, written and
switched to, then a preview of turning the first, the middle and a match of the last tenth round.
Saving replays in full today; the first tenth of that is what the replay itself measures.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.pages import installation
from benchmarks.report import Report, Row

if TYPE_CHECKING:
    from benchmarks.world import World

SIZES = {"club": (5_000, 200), "large": (300_000, 30_000)}
"""Matches and players."""
PLACES = {"first tenth": 0.0, "middle": 0.5, "last tenth": 0.95}
ROUNDS = 3
BAR = 0.15


def measure(report: Report) -> None:
    """Measure a club league and a large one."""
    with installation():
        from benchmarks.world import make_world
        from leagues.jobs.runner import drain

        for name, (matches, players) in SIZES.items():
            world = make_world(name, matches=matches, players=players)
            drain()
            _measure(report, name, world)


def _measure(report: Report, name: str, world: World) -> None:
    full = _seconds(lambda: _replay(world))
    report.note(f"{name}: replay of all boards", full, "s")
    for words, place in PLACES.items():
        parts = [_seconds(lambda at=place: _preview(world, at)) for _ in range(ROUNDS)]  # type: ignore[misc]
        taken = median(parts)
        title = f"{name}: preview in the {words}"
        report.note(title, 1000 * taken, "ms")
        if name == "large" and words == "last tenth":
            report.add(Row(f"{title}, of a replay", taken / full, "", BAR, "at most"))
        else:
            report.note(f"{title}, of a replay", taken / full, "")


def _seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _replay(world: World) -> None:
    from leagues.jobs.queue import claim_job
    from leagues.jobs.runner import run_claim
    from leagues.models import Board
    from leagues.services.ratings import enqueue_rating

    boards = Board.objects.filter(league=world.league)
    boards.update(rated_through_revision=0)
    for board in boards:
        enqueue_rating(board)
    for board in boards:
        claim = claim_job(key=f"rate:{board.pk}")
        if claim is None or not run_claim(claim):
            raise SystemExit("The board was not rated.")


def _preview(world: World, place: float) -> None:
    from leagues.models import Match
    from leagues.services.correction_preview import plan_boards, preview_change, read_boards
    from leagues.services.matches import correct_match
    from leagues.services.stored_drafts import draft_of
    from leagues.services.tried_changes import try_change
    from leagues.store.snapshot import snapshot

    seq = 1 + int(place * Match.objects.filter(season=world.season).count())
    match = Match.objects.select_related("season__league").get(season=world.season, seq=seq)
    draft = draft_of(match)
    one, other = draft.sides
    turned = replace(draft, sides=(replace(one, rank=other.rank), replace(other, rank=one.rank)))
    if one.rank == other.rank:
        turned = replace(draft, sides=(one, replace(other, rank=2)))
    tried = try_change(
        world.season,
        lambda: correct_match(match=match, draft=turned, expected_version=1, author=None),
    )
    if tried is None:
        raise SystemExit("The match says so already.")
    with snapshot():
        preview_change(tried, read_boards(tried, plan_boards(tried)))
