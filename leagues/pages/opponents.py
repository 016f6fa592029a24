"""Who is worth playing: opponents in the order of what a match against them promises.

B. Kreimeier's expected gain, E(1 - E), is the chance to improve times what it brings: highest
against one's equal. Of opponents who promise nearly the same, whom one has met least comes first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from leagues import bridge, wording
from leagues.bridge import Entrant, MatchupForecast, OutcomeEffect
from leagues.domain.civil_days import day_of
from leagues.models import Board, Player, Standing
from leagues.pages.ratings import Rating, rating
from leagues.pages.seats import format_change
from leagues.pages.sides import compare_address
from leagues.pages.tallies import TallyStyle
from leagues.pages.uncertainty import range_sentence
from leagues.selectors.meetings import Record, records
from leagues.selectors.standing_rows import nearest_to, standing_of

CANDIDATES = 40
"""So many are looked at above and below; further away nobody is worth more."""

MAX_OPPONENTS = 12
NEARLY = 0.05
"""Gains that differ by less are taken for the same."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """Somebody to play, and what a match would mean."""

    name: str
    url: str
    """Of the comparison with them."""
    rating: Rating
    gain: str
    gain_width: str
    expected: str
    quality: str
    win: str
    draw: str
    loss: str
    record: str
    last: str
    start: str


@dataclass(frozen=True, slots=True)
class OpponentsPage:
    name: str
    is_me: bool
    rows: tuple[Opponent, ...]
    has_chances: bool
    has_draws: bool
    has_starts: bool
    has_quality: bool
    """Whether quality says more than how even the chances are."""
    example: str
    range_sentence: str
    """Of what day the ranges and the matches are, if not of today."""


def opponents_address(board: Board, key: str = "") -> str:
    """The address of whom somebody should play."""
    words = {"season": board.season.slug, "board": board.slug}
    if key:
        words["player"] = key
    return f"{reverse('leagues:opponents', args=[board.league.slug])}?{urlencode(words)}"


def opponents_page(
    *, board: Board, player: Player, me: Player | None, moment: datetime, now: datetime
) -> OpponentsPage | None:
    """The opponents worth playing for one player; None while that one is not rated."""
    own = standing_of(board, player)
    if own is None:
        return None
    near = nearest_to(board, own, now, CANDIDATES)
    entrant = Entrant.of(player, own)
    rivals = [Entrant.of(row.player, row) for row in near]
    at = bridge.match_moment(board, now, own, *near)
    forecasts = bridge.chances_against(board, entrant, rivals, at)
    ids = [row.player_id for row in near]
    all_records = records(board, [player.pk], against=ids, is_dated=True) if near else {}
    order = sorted(
        range(len(near)),
        key=lambda index: _worth(
            forecasts[index],
            all_records.get((player.pk, near[index].player_id)),
            abs(near[index].place_value - own.place_value),
            index,
        ),
    )[:MAX_OPPONENTS]
    chosen = [near[index] for index in order]
    stakes = bridge.stakes_against(board, own, chosen, now)
    values = bridge.shown_now(board, chosen, moment)
    today = day_of(now, board.league.zone)
    starts = [bridge.even_handicap(board, [entrant], [rivals[index]], at) for index in order]
    rows = tuple(
        _row(board, own, standing, forecasts[index], stake, value, all_records, today, start)
        for standing, index, stake, value, start in zip(
            chosen, order, stakes, values, starts, strict=True
        )
    )
    return OpponentsPage(
        name=player.name,
        is_me=me is not None and me.pk == player.pk,
        rows=rows,
        has_chances=any(row.expected for row in rows),
        has_draws=any(row.draw for row in rows),
        has_starts=any(row.start for row in rows),
        has_quality=any(row.quality != row.gain for row in rows),
        example=_example(chosen, starts, player, me),
        range_sentence=range_sentence(board, now, has_stakes=True),
    )


def _worth(
    forecast: MatchupForecast | None, record: Record | None, distance: int, index: int
) -> tuple[float, int, int, int]:
    """The key by which opponents are ranked, best first; without a gain the nearest."""
    games = record.games if record else 0
    if forecast is None:
        return 0.0, distance, games, index
    return -round(forecast.gain / NEARLY) * NEARLY, 0, games, index


def _row(
    board: Board,
    own: Standing,
    standing: Standing,
    forecast: MatchupForecast | None,
    stake: OutcomeEffect | None,
    value: bridge.ShownValue,
    all_records: Mapping[tuple[int, int], Record],
    today: date,
    start: int | None,
) -> Opponent:
    style = TallyStyle.of_records(all_records.values())
    record = all_records.get((own.player_id, standing.player_id))
    zone = board.league.zone
    last = record.last_at if record else None
    return Opponent(
        name=standing.player.name,
        url=compare_address(board, [[own.player.key], [standing.player.key]]),
        rating=rating(value),
        gain=wording.percent(forecast.gain) if forecast else "",
        gain_width=f"{100 * forecast.gain:.4g}%" if forecast else "0%",
        expected=wording.percent(forecast.expected) if forecast else "",
        quality=wording.percent(forecast.quality) if forecast else "",
        win=format_change(board, stake.before, stake.won, stake.decimals) if stake else "",
        draw=_draw_stake(board, stake),
        loss=format_change(board, stake.before, stake.lost, stake.decimals) if stake else "",
        record=style.record(record) if record else "",
        last=wording.ago(day_of(last, zone), today) if last else "",
        start="" if start is None else wording.with_sign(start),
    )


def _draw_stake(board: Board, stake: OutcomeEffect | None) -> str:
    if stake is None or stake.drawn is None:
        return ""
    return format_change(board, stake.before, stake.drawn, stake.decimals)


def _example(
    chosen: Sequence[Standing], starts: Sequence[int | None], player: Player, me: Player | None
) -> str:
    """What a head start means, by the most uneven match that is shown."""
    known = [
        (abs(start), start, standing)
        for standing, start in zip(chosen, starts, strict=True)
        if start is not None
    ]
    if not known:
        return ""
    _most, start, standing = max(known, key=lambda row: row[0])
    own = _("you") if me is not None and me.pk == player.pk else player.name
    receiver = standing.player.name if start < 0 else own
    if not start:
        return ""
    return _(
        "With %(points)s extra points for %(receiver)s, a match between %(own)s and "
        "%(name)s would be even."
    ) % {
        "points": wording.number(abs(start)),
        "receiver": receiver,
        "own": own,
        "name": standing.player.name,
    }
