"""What carrying over would give: the best players before and after, and everybody as bars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import wording
from leagues.services.carryover_preview import BoardPreview, CarriedPlayer


@dataclass(frozen=True, slots=True)
class Bar:
    """A step of the scale: how many stand there before and after, and widths in percent."""

    label: str
    before: str
    after: str
    before_width: str
    after_width: str


@dataclass(frozen=True, slots=True)
class CarriedRow:
    name: str
    before: str
    half_before: str
    after: str
    half_after: str
    change: str


@dataclass(frozen=True, slots=True)
class CarryoverTable:
    """One board; `rest` says how many players are not named, where some are not."""

    title: str
    caption: str
    has_ranges: bool
    rows: tuple[CarriedRow, ...]
    rest: str
    bars: tuple[Bar, ...]


def carryover_tables(previews: Sequence[BoardPreview]) -> tuple[CarryoverTable, ...]:
    """A table for each board that goes on from one of the season before."""
    return tuple(_table(preview) for preview in previews)


def _table(preview: BoardPreview) -> CarryoverTable:
    before, after = preview.before, preview.after
    most = max(*before.counts, *after.counts, 1)
    bars = []
    for index, (was, is_now) in enumerate(zip(before.counts, after.counts, strict=True)):
        low = before.low + index * before.step
        bars.append(
            Bar(
                label=_("%(low)s to %(high)s")
                % {"low": f"{low:g}", "high": f"{low + before.step:g}"},
                before=wording.count(was),
                after=wording.count(is_now),
                before_width=f"{100 * was / most:.1f}",
                after_width=f"{100 * is_now / most:.1f}",
            )
        )
    return CarryoverTable(
        title=preview.board.name,
        caption=_caption(preview),
        has_ranges=preview.half_before is not None,
        rows=tuple(_row(player, preview.decimals) for player in preview.best),
        rest=wording.more_players(preview.players - len(preview.best)),
        bars=tuple(bars),
    )


def _row(player: CarriedPlayer, decimals: int) -> CarriedRow:
    return CarriedRow(
        name=player.name,
        before=wording.number(player.before, decimals),
        half_before=wording.plus_minus(player.half_before, decimals),
        after=wording.number(player.after, decimals),
        half_after=wording.plus_minus(player.half_after, decimals),
        change=wording.change(player.before, player.after, decimals),
    )


def _caption(preview: BoardPreview) -> str:
    people = wording.players(preview.players)
    if preview.anchors:
        words = ngettext(
            "%(players)s; %(count)s anchor stays as it is",
            "%(players)s; %(count)s anchors stay as they are",
            preview.anchors,
        )
        return words % {"players": people, "count": wording.count(preview.anchors)}
    if preview.half_before is None or preview.half_after is None:
        return people
    return _("%(players)s; typical (median) uncertainty: %(before)s before, %(after)s after") % {
        "players": people,
        "before": wording.plus_minus(preview.half_before, preview.decimals),
        "after": wording.plus_minus(preview.half_after, preview.decimals),
    }
