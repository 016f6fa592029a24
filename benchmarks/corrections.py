"""What a correction costs before and after it is saved, as parts of a full replay of its boards.

All in one run, by processor time of this process and of the server's process that works for it: a
replay of every board, written and switched to; then, of a match in the first tenth, in the middle
and in the last tenth, a preview of turning its result round, and saving that until all boards are
rated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.costs import Cost, measured
from benchmarks.pages import installation
from benchmarks.report import Report, Row

if TYPE_CHECKING:
    from benchmarks.world import World
    from leagues.models import Match, Revision

CLUB, LARGE = 5_000, 300_000
"""Matches."""
MATCHES_PER_PLAYER = {CLUB: 25}
PLACES = {
    "first tenth": (0.01, 0.05, 0.09),
    "middle": (0.45, 0.5, 0.55),
    "last tenth": (0.9, 0.91, 0.93, 0.95, 0.97, 0.99),
}
"""Where in the season the matches stand that are corrected."""
REPLAYS = 3
MOST_OF_PREVIEW, MOST_OF_SAVING = 0.15, 0.3
"""Parts of a full replay, in the last tenth of the large league."""
MOST_REACHED = 0.1
"""Of more of the players than this a correction has no bar."""


def measure(report: Report, size: int | None = None) -> None:
    """Measure a club league and a large one."""
    with installation():
        from benchmarks.world import make_world
        from leagues.jobs.runner import drain

        for name, matches in (("club", CLUB), ("large", size or LARGE)):
            players = matches // MATCHES_PER_PLAYER.get(matches, 10)
            world = make_world(name, matches=matches, players=players)
            drain()
            _measure(report, f"{name}, {matches:,} matches", world, is_large=name == "large")


def _measure(report: Report, name: str, world: World, *, is_large: bool) -> None:
    full = median(_seconds(lambda: _replay(world)) for _ in range(REPLAYS))
    report.note(f"{name}: replay of all boards", full, "s")
    for words, places in PLACES.items():
        corrections = [_correct(world, place) for place in places]
        has_bar = is_large and words == "last tenth"
        few = [one for one in corrections if one.reached <= MOST_REACHED or not has_bar]
        most = max((one.reached for one in few), default=0.0)
        report.note(f"{name}, {words}: players reached at most", most, "")
        for what, bar in (("preview", MOST_OF_PREVIEW), ("saving", MOST_OF_SAVING)):
            title = f"{name}, {words}: {what}"
            costs = [getattr(one, what) for one in few]
            report.note(title, 1000 * median(costs), "ms")
            report.note(f"{title}, of a replay", median(costs) / full, "")
            if has_bar:
                dearest = max(costs) / full
                report.add(Row(f"{title}, the dearest, of a replay", dearest, "", bar, "at most"))


@dataclass(frozen=True, slots=True)
class CorrectionCost:
    """Processor seconds of a correction, and the part of the players that it reaches."""

    preview: float
    saving: float
    reached: float


def _correct(world: World, place: float) -> CorrectionCost:
    match, reached = _match_at(world, place), [1.0]
    preview = _seconds(lambda: reached.append(_preview(world, match)))
    return CorrectionCost(preview, _seconds(lambda: _save(world, match)), reached[-1])


def _seconds(work: Callable[[], object]) -> float:
    cost = Cost()
    with measured(cost):
        work()
    return cost.seconds


def _replay(world: World) -> None:
    from leagues.models import Board
    from leagues.services.ratings import enqueue_rating

    boards = Board.objects.filter(league=world.league)
    boards.update(rated_through_revision=0)
    for board in boards:
        enqueue_rating(board)
    _rate(world)


def _rate(world: World) -> None:
    """Let all boards catch up."""
    from leagues.jobs.queue import claim_job
    from leagues.jobs.runner import run_claim

    for board in world.season.boards.all():
        claim = claim_job(key=f"rate:{board.pk}")
        if claim is None or not run_claim(claim):
            raise SystemExit("The board was not rated.")


def _match_at(world: World, place: float) -> Match:
    """The match at a part of the season."""
    from leagues.models import Match

    matches = Match.objects.select_related("season__league")
    seq = 1 + int(place * matches.filter(season=world.season).count())
    return matches.get(season=world.season, seq=seq)


def _turn(match: Match) -> Revision | None:
    """Turn the result of a match round; a draw is won."""
    from leagues.services.matches import correct_match
    from leagues.services.stored_drafts import draft_of

    draft = draft_of(match)
    one, other = draft.sides
    turned = replace(draft, sides=(replace(one, rank=other.rank), replace(other, rank=one.rank)))
    if one.rank == other.rank:
        turned = replace(draft, sides=(one, replace(other, rank=2)))
    return correct_match(match=match, draft=turned, expected_version=match.version, author=None)


def _preview(world: World, match: Match) -> float:
    """Preview a correction; returns the part of the players whose ratings it reaches."""
    from leagues.services.correction_preview import plan_boards, preview_change, read_boards
    from leagues.services.tried_changes import try_change
    from leagues.store.snapshot import snapshot

    tried = try_change(world.season, lambda: _turn(match))
    if tried is None:
        raise SystemExit("The match says so already.")
    with snapshot():
        boards = read_boards(tried, plan_boards(tried))
        preview_change(tried, boards)
    first = boards[0]
    return 1.0 if first.tail is None else len(first.tail.players) / len(first.placed)


def _save(world: World, match: Match) -> None:
    # Who tried the change has changed what is in memory.
    match.refresh_from_db()
    _turn(match)
    _rate(world)
