"""Sides compared: how a match between them would end, what is at stake, and what was before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from leagues import bridge, charts, wording
from leagues.bridge import MatchForecast
from leagues.domain.civil_days import day_of
from leagues.models import Board, Player, Standing
from leagues.pages.chances import LEAN, LEAST_DRAW, Chances, chances_of
from leagues.pages.duels import Chart, HeadToHead, Rivals, chart_of, head_to_head, rivals_of
from leagues.pages.forecasts import EvenMatch, even_match, predict_match
from leagues.pages.placing import PlacedSide, place_labels, placed_sides
from leagues.pages.ratings import scale_of, shown_as
from leagues.pages.seats import (
    MatchPlayer,
    format_change,
    is_me_alone,
    match_players,
    side_name,
    within,
)
from leagues.pages.sides import compare_address
from leagues.pages.tallies import TallyStyle
from leagues.pages.uncertainty import range_sentence
from leagues.selectors.meetings import Record, records, sum_records
from leagues.selectors.standing_rows import default_sides, standings_on

MOST_LINES = 6
"""Of so many players ratings are drawn over time, and common opponents told."""

PROBABLE = 0.75
NEARLY_SURE = 0.975
"""From which chance on somebody is said to be stronger probably, and almost certainly."""


@dataclass(frozen=True, slots=True)
class StakeRow:
    """One outcome of a match of two players: the chance of it, and what each would have."""

    label: str
    chance: str
    cells: tuple[StakeCell, ...]


@dataclass(frozen=True, slots=True)
class StakeCell:
    change: str
    after: str


@dataclass(frozen=True, slots=True)
class OutcomeRow:
    """One player of teams or of several sides: what each outcome would change."""

    name: str
    url: str
    is_me: bool
    before: str
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OtherView:
    """The same match as another board of the season sees it."""

    name: str
    url: str
    win: str
    draw: str
    loss: str
    win_change: str
    loss_change: str
    note: str


@dataclass(frozen=True, slots=True)
class CrossRow:
    number: int
    name: str
    url: str
    is_me: bool
    cells: tuple[str, ...]
    total: str


@dataclass(frozen=True, slots=True)
class ComparePage:
    """Two sides or more, compared."""

    title: str
    sides: tuple[tuple[MatchPlayer, ...], ...]
    names: tuple[str, ...]
    first: str
    """The first side within a sentence."""
    first_member: str
    """Of a team the player whose changes other boards tell."""
    scale: charts.Scale | None
    lede: str
    range_sentence: str
    """Of what day the ranges and the match are, if not of today."""
    chances: Chances | None
    place_chances: tuple[PlacedSide, ...]
    place_labels: tuple[str, ...]
    refusal: str
    quality: str
    even: EvenMatch | None
    """With what handicap the match of two sides would be even."""
    stakes: tuple[StakeRow, ...]
    outcome_labels: tuple[str, ...]
    outcome_stakes: tuple[OutcomeRow, ...]
    stakes_note: str
    others: tuple[OtherView, ...]
    duel: HeadToHead | None
    rivals: Rivals | None
    chart: Chart | None
    cross: tuple[CrossRow, ...]
    shown_as: str
    has_draws: bool
    is_pair: bool
    """Two sides."""
    is_duel: bool
    """Two players."""

    @property
    def seats(self) -> tuple[MatchPlayer, ...]:
        return tuple(seat for side in self.sides for seat in side)


def compare_page(
    *,
    board: Board,
    boards: Sequence[Board],
    sides: Sequence[Sequence[Player]],
    me: Player | None,
    moment: datetime,
    now: datetime,
) -> ComparePage:
    """Compare sides as a board sees them, and in short as the season's other boards do.

    Ratings are shown as of `moment`, the match is imagined now, or then while the board rests.
    """
    everyone = [player for side in sides for player in side]
    same_mode = [row for row in boards if row.mode_id == board.mode_id]
    standings = standings_on(everyone, same_mode)
    seats = match_players(board, sides, standings, me, moment)
    every_seat = [seat for side in seats for seat in side]
    names = tuple(side_name(side) for side in seats)
    rows = list(standings.values())
    forecast = predict_match(board, sides, standings, now)
    is_pair, is_duel = len(sides) == 2, len(everyone) == len(sides) == 2
    ids = [player.pk for player in everyone]
    is_small = len(everyone) <= MOST_LINES
    all_records = records(board, ids, against=None if is_small else ids) if rows else {}
    rated = [seat.player.pk for seat in every_seat if is_small and seat.is_rated]
    pasts = bridge.read_series_of(board, rated)
    today = day_of(now, board.league.zone)
    others = tuple(_other(row, sides, standings, now) for row in same_mode if row.pk != board.pk)
    return ComparePage(
        title=_title(names),
        sides=seats,
        names=names,
        first=within(seats[0]),
        first_member=within(seats[0][:1]) if len(seats[0]) > 1 else "",
        scale=scale_of([seat.value for seat in every_seat]),
        lede=_lede(*every_seat) if is_duel else "",
        range_sentence=range_sentence(board, now, has_stakes=True),
        chances=chances_of(forecast, seats) if is_pair else None,
        place_chances=() if is_pair else _place_chances(forecast, seats, names),
        place_labels=place_labels(len(sides)),
        refusal=forecast.refusal,
        quality=_quality(forecast),
        even=even_match(board, sides, names, standings, now) if is_pair else None,
        stakes=_stakes(board, forecast, seats) if is_duel else (),
        outcome_labels=_outcome_labels(forecast) if is_pair else place_labels(len(sides)),
        outcome_stakes=() if is_duel else _outcome_stakes(board, forecast, seats),
        stakes_note=_stakes_note(board),
        others=others,
        duel=head_to_head(board, seats, pasts, today) if is_pair else None,
        rivals=rivals_of(board, every_seat, all_records) if is_small else None,
        chart=chart_of(board, every_seat, pasts, standings, moment),
        cross=_cross(every_seat, all_records) if len(everyone) > 2 else (),
        shown_as=shown_as(board),
        has_draws=any(other.draw for other in others),
        is_pair=is_pair,
        is_duel=is_duel,
    )


def _place_chances(
    forecast: MatchForecast, seats: Sequence[Sequence[MatchPlayer]], names: Sequence[str]
) -> tuple[PlacedSide, ...]:
    is_mine = [any(seat.is_me for seat in side) for side in seats]
    return placed_sides(names, is_mine, forecast.places, forecast.spans)


def opponent_of(
    board: Board, player: Player, me: Player | None, now: datetime
) -> list[list[Player]]:
    """The player to compare with one who stands alone: the viewer, else who is next."""
    if me is not None and me.pk != player.pk:
        return [[me], [player]]
    return default_sides(board, player, now)


def _title(names: Sequence[str]) -> str:
    if len(names) > 2:
        return wording.listing(names)
    has_team = any(" + " in name for name in names)
    text = _("%(one)s against %(other)s") if has_team else _("%(one)s and %(other)s")
    return text % {"one": names[0], "other": names[1]}


def _lede(one: MatchPlayer, other: MatchPlayer) -> str:
    """Who is stronger, and how certain that is."""
    stronger = bridge.stronger(one.value, other.value)
    if stronger is None or not (one.is_rated and other.is_rated):
        return ""
    leader = one if stronger.chance >= 0.5 else other
    chance = max(stronger.chance, 1.0 - stronger.chance)
    return f"{_stronger_sentence(leader, chance)} {_overlap(stronger.common, chance)}"


def _stronger_sentence(leader: MatchPlayer, chance: float) -> str:
    """How sure it is that somebody is stronger; in words, beside the chances of one match."""
    if chance >= NEARLY_SURE:
        text = (
            _("You are almost certainly the stronger player.")
            if leader.is_me
            else _("%(name)s is almost certainly the stronger player.")
        )
    elif chance >= PROBABLE:
        text = (
            _("You are probably the stronger player.")
            if leader.is_me
            else _("%(name)s is probably the stronger player.")
        )
    else:
        text = (
            _("You may be the stronger player.")
            if leader.is_me
            else _("%(name)s may be the stronger player.")
        )
    return text % {"name": leader.name}


def _overlap(common: float, chance: float) -> str:
    """What two ranges have in common, as a part of the narrower one."""
    if chance < LEAN:
        return _("That says almost nothing.")
    if common > 0.8:
        return _("That is far from certain: the ranges overlap almost entirely.")
    if common > 0.3:
        return _("That is not certain: the ranges overlap.")
    if common > 0.0:
        return _("The ranges hardly overlap.")
    return _("The ranges do not overlap.")


def _quality(forecast: MatchForecast) -> str:
    if forecast.quality is None:
        return ""
    return _("Match quality: %(share)s; a match between equals has %(most)s.") % {
        "share": wording.percent(forecast.quality),
        "most": wording.percent(1.0),
    }


def _stakes(
    board: Board, forecast: MatchForecast, seats: Sequence[Sequence[MatchPlayer]]
) -> tuple[StakeRow, ...]:
    shares = (forecast.win or 0.0, forecast.draw or 0.0, forecast.loss or 0.0)
    percents = wording.percents(shares) if forecast.win is not None else ("", "", "")
    chances = dict(zip(((0, 1), (0, 0), (1, 0)), percents, strict=True))
    rows = []
    for outcome in _seen_outcomes(forecast):
        cells = [
            StakeCell(
                change=format_change(board, before.value, after, before.decimals),
                after=wording.number(after, before.decimals),
            )
            for befores, afters in zip(forecast.before, outcome.after, strict=True)
            for before, after in zip(befores, afters, strict=True)
        ]
        rows.append(
            StakeRow(
                label=_if(outcome.ranks, seats),
                chance=chances.get((outcome.ranks[0], outcome.ranks[1]), ""),
                cells=tuple(cells),
            )
        )
    return tuple(rows)


def _if(ranks: Sequence[int], seats: Sequence[Sequence[MatchPlayer]]) -> str:
    if ranks[0] == ranks[1]:
        return _("Draw")
    side = seats[0] if ranks[0] < ranks[1] else seats[1]
    if is_me_alone(side):
        return _("You win")
    if len(side) == 1:
        return _("%(name)s wins") % {"name": side[0].name}
    return _("%(names)s win") % {"names": side_name(side)}


def _seen_outcomes(forecast: MatchForecast) -> list[bridge.Outcome]:
    """The outcomes of a match of two sides; draws only where they happen."""
    is_told = forecast.win is None or _has_draws(forecast)
    return [row for row in forecast.outcomes if is_told or row.ranks[0] != row.ranks[1]]


def _outcome_labels(forecast: MatchForecast) -> tuple[str, ...]:
    has_draw = any(row.ranks[0] == row.ranks[1] for row in _seen_outcomes(forecast))
    return (_("Win"), *([_("Draw")] if has_draw else []), _("Loss"))


def _outcome_stakes(
    board: Board, forecast: MatchForecast, seats: Sequence[Sequence[MatchPlayer]]
) -> tuple[OutcomeRow, ...]:
    """The effects of each outcome on everybody, the best one for the player first."""
    if not forecast.outcomes:
        return ()
    rows = []
    for index, side in enumerate(seats):
        if len(seats) == 2:
            # Told from the first side's win to its loss, which is the other one's win.
            outcomes = _seen_outcomes(forecast)[:: -1 if index else 1]
        else:
            outcomes = [row for row in forecast.outcomes if row.side == index]
            outcomes.sort(key=lambda row: row.place)
        for member, seat in enumerate(side):
            before = forecast.before[index][member]
            rows.append(
                OutcomeRow(
                    name=seat.name,
                    url=seat.url,
                    is_me=seat.is_me,
                    before=wording.number(before.value, before.decimals),
                    changes=tuple(
                        format_change(
                            board, before.value, outcome.after[index][member], before.decimals
                        )
                        for outcome in outcomes
                    ),
                )
            )
    return tuple(rows)


def _stakes_note(board: Board) -> str:
    """What the imagined match is taken for, where that makes a difference."""
    if getattr(bridge.system_of(board), "uses_scores", False):
        return _(
            "This board also counts the score; these changes assume a match entered without one."
        )
    return ""


def _other(
    board: Board,
    sides: Sequence[Sequence[Player]],
    standings: Mapping[tuple[int, int], Standing],
    now: datetime,
) -> OtherView:
    forecast = predict_match(board, sides, standings, now)
    first = forecast.before[0][0] if forecast.before and forecast.before[0] else None
    by_ranks = {outcome.ranks: outcome for outcome in forecast.outcomes if outcome.side == 0}
    best = {outcome.place: outcome for outcome in by_ranks.values() if len(set(outcome.ranks)) > 1}
    last = len(sides) - 1

    def change(place: int) -> str:
        if first is None or place not in best:
            return ""
        return format_change(board, first.value, best[place].after[0][0], first.decimals)

    win, draw, loss = _predicted_for_first(forecast)
    return OtherView(
        name=board.name,
        url=compare_address(board, [[player.key for player in side] for side in sides]),
        win=win,
        draw=draw if _has_draws(forecast) else "",
        loss=loss,
        win_change=change(0),
        loss_change=change(last),
        note=forecast.refusal,
    )


def _has_draws(forecast: MatchForecast) -> bool:
    return forecast.draw is not None and forecast.draw >= LEAST_DRAW


def _predicted_for_first(forecast: MatchForecast) -> tuple[str, str, str]:
    """The chances of the first side to win, draw and lose; of several, to be first, last."""
    if forecast.win is not None and forecast.loss is not None:
        won, drawn, lost = wording.percents((forecast.win, forecast.draw or 0.0, forecast.loss))
        return won, drawn, lost
    if not forecast.places:
        return "", "", ""
    places = wording.percents(forecast.places[0])
    return places[0], "", places[-1]


def _cross(
    seats: Sequence[MatchPlayer], all_records: Mapping[tuple[int, int], Record]
) -> tuple[CrossRow, ...]:
    """Everybody against everybody, read along the row."""
    style = TallyStyle.of_records(all_records.values())

    def cell(one: MatchPlayer, other: MatchPlayer) -> str:
        if one is other:
            return ""
        record = all_records.get((one.player.pk, other.player.pk))
        return style.record(record) if record else wording.NOTHING

    ids = [seat.player.pk for seat in seats]
    return tuple(
        CrossRow(
            number=number,
            name=seat.name,
            url=seat.url,
            is_me=seat.is_me,
            cells=tuple(cell(seat, other) for other in seats),
            total=_total(
                [
                    all_records[seat.player.pk, other]
                    for other in ids
                    if (seat.player.pk, other) in all_records
                ],
                style,
            ),
        )
        for number, seat in enumerate(seats, start=1)
    )


def _total(rows: Sequence[Record], style: TallyStyle) -> str:
    return style.record(sum_records(rows)) if rows else wording.NOTHING
