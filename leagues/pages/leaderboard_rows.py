"""The rows of a leaderboard, as texts and flags: what a part of a page can show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from typing import NamedTuple

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from leagues import bridge, charts, wording
from leagues.bridge import OutcomeEffect, ShownValue
from leagues.domain.civil_days import day_of
from leagues.domain.ranking import least_games
from leagues.models import Board, Player, Standing
from leagues.pages.boards import player_address
from leagues.pages.pending_losses import pending_losses
from leagues.pages.ratings import Rating, ratings, rung_of, scale_of, shown_as
from leagues.pages.seats import format_rung_change, is_low_best
from leagues.pages.tallies import TallyStyle
from leagues.pages.uncertainty import has_ranges
from leagues.selectors.group_standings import ranks_within
from leagues.selectors.people import Roster
from leagues.selectors.standings import View
from leagues.selectors.standings_query import StandingsQuery
from leagues.selectors.starts import anchors_shown
from leagues.store.match_columns import moment

LONG_AWAY = 182
"""From so many days on a date says more than their number."""


@dataclass(frozen=True, slots=True)
class Change:
    """How many places somebody went up or down: words and a number."""

    words: str
    places: str
    is_same: bool = False
    is_new: bool = False
    """The player had no rank then."""
    is_up: bool = False


@dataclass(frozen=True, slots=True)
class AtStake:
    """What a match against somebody would do to the one who looks."""

    win: str
    draw: str
    loss: str


class BoardRow(NamedTuple):
    """A row, as a tuple: a page makes and reads some seventy of them."""

    rank: str
    is_shared: bool
    name: str
    url: str
    rating: Rating
    rung: charts.Rung | None
    likely: str
    results: str
    tally: str
    form: charts.Form | None
    last: str
    change: Change | None
    stake: AtStake | None
    missing: str
    """Why there is no rank."""
    is_me: bool
    pending: str = ""
    """What leaving the open match of the player costs."""
    group_rank: str = ""
    """The rank among the ranked of the group that is asked for."""
    has_left: bool = False
    """The player no longer plays here."""
    is_anchor: bool = False
    """The rating of the player stays, whatever the results."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Which columns a leaderboard has besides those that all have."""

    has_changes: bool
    has_ratings: bool
    has_ranges: bool
    has_scale: bool
    """Ranges are drawn, which takes a row with one."""
    has_levels: bool
    has_likely: bool
    has_stakes: bool
    has_group: bool = False
    """Ranks within a group stand beside those of the board."""


@dataclass(frozen=True, slots=True)
class ColumnHeads:
    """What stands above the columns, where it is not the same on all boards."""

    rating: str
    tally: str
    since: str
    """From when on the changes are, in words."""
    scale: str
    """The ends of the scale, in words."""
    ticks: tuple[charts.Tick, ...]
    is_low_best: bool
    has_draws: bool


class RowWriter:
    """Turns rows of standings into strings."""

    def __init__(
        self,
        board: Board,
        view: View,
        filters: StandingsQuery,
        names: Roster,
        me: Player | None,
        *,
        now: datetime,
        hides: bool,
    ) -> None:
        assert view.standings is not None  # noqa: S101
        self.board, self.view = board, view
        self.standings, self.former = view.standings, view.former
        self.names, self.me, self.hides = names, me, hides
        self.zone = board.league.zone
        self.now, self.listed = now, filters.listed
        self.is_present = filters.on is None
        self.today = day_of(now, self.zone)
        self.on = filters.on or self.today
        self.mine = self.standings.row_of(me.pk) if me else None
        self.at_stake = (
            me is not None and not hides and filters.on is None and board.season.takes_results
        )
        self.is_low_best = self.at_stake and is_low_best(board)
        self.tally_style = TallyStyle.of_table(self.standings.table)
        self.drawn: dict[int, ShownValue] = {}
        self.rows_before: dict[int, int] = {}
        self.stakes: dict[int, OutcomeEffect | None] = {}
        self.pending: dict[int, str] = {}
        self.scale: charts.Scale | None = None
        self.is_careful = False
        self.group_ranks = _group_ranks(view)
        self.anchors = anchors_shown(board)
        self.language = get_language()

    def draw(self, rows: Sequence[int]) -> None:
        """Settle what rows share: the scale, where they were, what is at stake against each."""
        self.rows_before = self.view.rows_before(rows)
        values = self.standings.values(rows)
        self.drawn = dict(zip(rows, values, strict=True))
        if not self.hides:
            self.scale = scale_of(values)
            self.is_careful = any(
                value.low is not None and value.value < value.low for value in values
            )
        if not self.hides and self.is_present:
            self.pending = pending_losses(self.board, self.now)
        if self.at_stake and self.me is not None:
            own = self.me if self.mine is None else self.standings.standing(self.mine, self.me)
            others = [self._standing(row) for row in rows]
            stakes = bridge.stakes_against(self.board, own, others, self.now)
            self.stakes = dict(zip(rows, stakes, strict=True))

    @property
    def has_stakes(self) -> bool:
        return any(stake is not None for stake in self.stakes.values())

    @property
    def has_draws(self) -> bool:
        # By the rules of a ladder a draw moves nobody: a column of dashes would say no more.
        return not self.is_low_best and any(
            stake and stake.drawn is not None for stake in self.stakes.values()
        )

    @property
    def has_ranks(self) -> bool:
        """Whether places can have changed in the table."""
        return self.listed == "ranked" and bool(self.standings.is_ranked.any())

    @property
    def columns(self) -> Columns:
        return Columns(
            has_changes=self.has_ranks and self.former is not None,
            has_ratings=not self.hides,
            has_ranges=has_ranges(self.standings),
            has_scale=self.scale is not None,
            has_levels=self.standings.shown_values.has_levels,
            has_likely=bool(len(self.standings.lows)) and not self.hides,
            has_stakes=self.has_stakes,
            has_group=self.view.members is not None,
        )

    @property
    def column_heads(self) -> ColumnHeads:
        return ColumnHeads(
            rating=shown_as(self.board),
            tally=self.tally_style.heading,
            since=_since(self.board, self.view, self.on) if self.has_ranks else "",
            scale=self.scale.label if self.scale else "",
            ticks=self.scale.ticks if self.scale else (),
            is_low_best=bridge.system_of(self.board).lower_is_better,
            has_draws=self.has_draws,
        )

    def rows(self, rows: Sequence[int]) -> tuple[BoardRow, ...]:
        """Some rows in strings."""
        if not rows:
            return ()
        standings, table = self.standings, self.standings.table
        columns = (table.player_id, table.last_at, table.games, table.won, table.drawn, table.lost)
        numbers = zip(*(column[rows].tolist() for column in columns), strict=True)
        forms, ranks = table.form[rows].tolist(), standings.rank[rows].tolist()
        is_drawn = self.drawn.keys() >= set(rows)
        values = [self.drawn[row] for row in rows] if is_drawn else standings.values(rows)
        likely = standings.likely(rows)
        left = self.names.who_left(table.player_id[rows].tolist()) if self.is_present else ()
        written = []
        for row, form, rank, value, shown, places, (player_id, last_at, games, *tally) in zip(
            rows, forms, ranks, values, ratings(values), likely, numbers, strict=True
        ):
            player = self.names.people[player_id]
            played = day_of(moment(last_at), self.zone)
            written.append(
                BoardRow(
                    rank=str(rank) if rank else "",
                    is_shared=standings.is_shared(row),
                    name=player.name,
                    url=player_address(self.board, player.key),
                    rating=shown,
                    rung=rung_of(self.scale, value),
                    likely=wording.span(*map(str, places)) if places else "",
                    results=wording.count(games),
                    tally=self.tally_style.text(*tally),
                    form=charts.form(form.decode()),
                    last=self._last(played),
                    change=self._change(row),
                    stake=self._stake(row),
                    missing=self._missing(row, played),
                    is_me=self.me is not None and player_id == self.me.pk,
                    pending=self.pending.get(player_id, ""),
                    group_rank=self.group_ranks.get(row, ""),
                    has_left=player_id in left,
                    is_anchor=player_id in self.anchors,
                )
            )
        return tuple(written)

    def _last(self, played: date) -> str:
        """When somebody last played: on a former day nobody counts the days up to now."""
        if self.is_present:
            return wording.ago(played, self.today, self.language)
        return wording.day(played, self.today)

    def _standing(self, row: int) -> Standing:
        player = self.names.player(int(self.standings.table.player_id[row]))
        return self.standings.standing(row, player)

    def _change(self, row: int) -> Change | None:
        """The change of a rank; somebody new or long away had none."""
        if self.former is None or not self.standings.rank[row]:
            return None
        gained = self.view.change(row, self.rows_before.get(row))
        if gained is None:
            return _change(None, self._was_inactive(row), self.language)
        return _change(gained, False, self.language)

    def _was_inactive(self, row: int) -> bool:
        assert self.former is not None  # noqa: S101
        then = self.rows_before.get(row)
        if then is None or not self.former.is_inactive[then]:
            return False
        return int(self.former.table.games[then]) >= least_games(self.board)

    def _stake(self, row: int) -> AtStake | None:
        stake = self.stakes.get(row)
        if stake is None:
            return None
        before, digits = stake.before, stake.decimals
        if self.is_low_best:
            return AtStake(
                format_rung_change(before, stake.won), "", format_rung_change(before, stake.lost)
            )
        return AtStake(
            win=wording.change(before, stake.won, digits),
            draw="" if stake.drawn is None else wording.change(before, stake.drawn, digits),
            loss=wording.change(before, stake.lost, digits),
        )

    def _missing(self, row: int, played: date) -> str:
        if self.standings.rank[row]:
            return ""
        need = least_games(self.board) - int(self.standings.table.games[row])
        wants = _wants(need, self.language)
        if not self.standings.is_inactive[row]:
            return wants
        absent = _absent(played, (self.on - played).days, self.language)
        if need > 0:
            return f"{absent}; {wants}"
        return _("%(absent)s; returns with the next result") % {"absent": absent}


def _group_ranks(view: View) -> dict[int, str]:
    if view.members is None or view.standings is None:
        return {}
    ranks = ranks_within(view.standings, view.members)
    return {row: f"{rank}{'=' if is_shared else ''}" for row, (rank, is_shared) in ranks.items()}


# Rows say the same again and again, and each word has to be looked up.


@lru_cache(maxsize=1000)
def _change(gained: int | None, is_back: bool, language: str | None) -> Change:  # noqa: ARG001 - of the words
    """So many places up or down; None for who had no place, or is back after an absence."""
    if gained is None:
        word = _("back") if is_back else _("new")
        return Change(word, word, is_new=True)
    if gained == 0:
        return Change(_("no change"), wording.NOTHING, is_same=True)
    return Change(_("up") if gained > 0 else _("down"), str(abs(gained)), is_up=gained > 0)


@lru_cache(maxsize=1000)
def _absent(since: date, days: int, language: str | None) -> str:  # noqa: ARG001 - of the words
    """That somebody has not played for so many days, since a day."""
    if days > LONG_AWAY:
        return _("no match since %(day)s") % {"day": wording.day(since)}
    words = ngettext("no match for %(days)d day", "no match for %(days)d days", days)
    return words % {"days": days}


@lru_cache(maxsize=1000)
def _wants(need: int, language: str | None) -> str:  # noqa: ARG001 - of the words
    words = ngettext(
        "%(count)d more result to be ranked", "%(count)d more results to be ranked", need
    )
    return words % {"count": need}


def _since(board: Board, view: View, today: date) -> str:
    """The day at whose end the former standings were so: of their last result."""
    if view.compared_at is None:
        return ""
    if view.former is not None and len(view.former):
        last = int(view.former.table.last_at.max())
        return wording.day(day_of(moment(last), board.league.zone), today)
    return ""
