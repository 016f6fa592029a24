"""What carrying over would give: for each board its best players before and after, and all of them
as a histogram. Nothing is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from leagues import bridge
from leagues.bridge.carryover import Carryover
from leagues.bridge.systems import newest_system
from leagues.models import Board, Player, Season
from leagues.services.carryover import carryovers, check_carryover, reset_of
from leagues.services.starts import anchors_of
from leagues.store.snapshot import snapshot

BARS = 20
"""Of a histogram, at most."""
STEPS = (1.0, 2.0, 2.5, 5.0)
MOST_NAMED = 30
"""Players of a board who are named; the histogram holds everybody."""


@dataclass(frozen=True, slots=True)
class Histogram:
    """How many players have a rating in each of equally wide steps."""

    low: float
    step: float
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CarriedPlayer:
    """What one player is shown with before and after; the halves of ranges, where there are."""

    name: str
    before: float
    after: float
    half_before: float | None
    half_after: float | None


@dataclass(frozen=True, slots=True)
class BoardPreview:
    """What a board would begin with, before and after the carry-over; both on one scale."""

    board: Board
    former: Board
    players: int
    best: tuple[CarriedPlayer, ...]
    before: Histogram
    after: Histogram
    half_before: float | None
    """Half of the middle one of all ranges, where the system has ranges."""
    half_after: float | None
    decimals: int
    anchors: int
    """The anchors that go on as such, who are not among the players."""


def preview_carryover(
    season: Season, *, carryover: str, share: float = 0.0, deviation: float | None = None
) -> tuple[BoardPreview, ...]:
    """The outcome of carrying over into `season`, board by board."""
    with snapshot():
        season = Season.objects.select_related("league", "follows").get(pk=season.pk)
        check_carryover(season, carryover, share, deviation)
        return tuple(
            _preview(board, former, result)
            for board, former, result in carryovers(season, reset_of(carryover, share, deviation))
        )


def _preview(board: Board, former: Board, result: Carryover) -> BoardPreview:
    values = [*result.before.tolist(), *result.after.tolist()]
    most = max(values, default=0.0)
    low, step = _scale(min(values, default=0.0), most)
    bars = int((most - low) // step) + 1
    return BoardPreview(
        board=board,
        former=former,
        players=len(result.player_id),
        best=_best(board, result),
        before=_histogram(result.before.tolist(), low, step, bars),
        after=_histogram(result.after.tolist(), low, step, bars),
        half_before=_median(result.halves_before),
        half_after=_median(result.halves_after),
        decimals=result.decimals,
        anchors=len(anchors_of(former)) if bridge.has_anchors(board) else 0,
    )


def _best(board: Board, result: Carryover) -> tuple[CarriedPlayer, ...]:
    """The best players of the former board, by what they are shown with there."""
    sign = 1.0 if newest_system(board).lower_is_better else -1.0
    order = np.argsort(sign * result.before, kind="stable")[:MOST_NAMED].tolist()
    names = Player.objects.in_bulk(result.player_id[order].tolist())
    before, after = result.halves_before, result.halves_after
    return tuple(
        CarriedPlayer(
            name=names[int(result.player_id[row])].name,
            before=float(result.before[row]),
            after=float(result.after[row]),
            half_before=None if before is None else float(before[row]),
            half_after=None if after is None else float(after[row]),
        )
        for row in order
    )


def _median(halves: np.ndarray | None) -> float | None:
    return None if halves is None or not len(halves) else float(np.median(halves))


def _scale(least: float, most: float) -> tuple[float, float]:
    """The first edge and the width of round steps, at most `BARS` of them."""
    unit = 10.0**-6
    while True:
        for factor in STEPS:
            step = factor * unit
            low = least // step * step
            if most < low + BARS * step:
                return low, step
        unit *= 10.0


def _histogram(values: Sequence[float], low: float, step: float, bars: int) -> Histogram:
    counts = [0] * bars
    for value in values:
        counts[min(max(int((value - low) // step), 0), bars - 1)] += 1
    return Histogram(low, step, tuple(counts))
