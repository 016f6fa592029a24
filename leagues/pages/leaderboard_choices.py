"""What the filter of the leaderboard offers, and whom it hides."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import wording
from leagues.domain.civil_days import day_of
from leagues.models import Board
from leagues.pages.boards import Choice, league_address
from leagues.pages.leaderboard_rows import RowWriter
from leagues.pages.player_groups import group_choices
from leagues.pages.uncertainty import has_ranges
from leagues.selectors.standings import (
    Standings,
)
from leagues.selectors.standings_query import CERTAINTIES, PLAYING, StandingsQuery
from leagues.store.match_columns import Integers


@dataclass(frozen=True, slots=True)
class FilterForm:
    """The fields above a leaderboard, in texts and flags."""

    url: str
    season: str
    board: str
    listed: str
    """The list that is shown, if not that of the ranked."""
    certainties: tuple[Choice, ...]
    query: str
    groups: tuple[Choice, ...]
    """Empty where the league has no groups of players."""
    is_open: bool
    """Fields that are folded away say something."""
    sinces: tuple[Choice, ...]
    spans: tuple[Choice, ...]
    """Within how many days somebody must have played."""
    on: str
    today: str
    has_limits: bool
    has_ranges: bool
    most: str
    least: str

    @property
    def group_notes(self) -> tuple[str, ...]:
        """What the ranks of the group that is shown mean."""
        words = _("In brackets: the rank within “%(group)s”.")
        chosen = (one.label for one in self.groups if one.is_chosen and one.value)
        return tuple(words % {"group": label} for label in chosen)


def filter_form(
    writer: RowWriter,
    filters: StandingsQuery,
    certainties: tuple[Choice, ...],
    *,
    visited: date | None,
    now: datetime,
) -> FilterForm:
    """The form of a page; there is no choice of certainties where it would leave no one.

    Nor is there one of the day with which ranks are compared where the table has none.
    """
    board, words = writer.board, filters.parameters()
    today = day_of(now, board.league.zone)
    finds_anyone = filters.narrows or any(choice.count != "0" for choice in certainties[1:])
    return FilterForm(
        url=league_address(board.league),
        season=board.season.slug,
        board=board.slug,
        listed=words.get("list", ""),
        certainties=certainties if finds_anyone else (),
        query=filters.query,
        groups=group_choices(board.league, filters.group),
        is_open=bool(filters.on or filters.active or filters.group),
        sinces=_since_choices(filters, visited, filters.on or today) if writer.has_ranks else (),
        spans=_span_choices(board, filters),
        on=words.get("on", ""),
        today=today.isoformat(),
        has_limits=filters.most is not None or bool(filters.least),
        has_ranges=has_ranges(writer.standings),
        most=words.get("most", ""),
        least=words.get("least", ""),
    )


def certainty_choices(
    standings: Standings, filters: StandingsQuery, members: Integers | None
) -> tuple[Choice, ...]:
    """How many are how certain; no choices where a system cannot tell."""
    if not standings.shown_values.has_levels:
        return ()
    counts = standings.counts(filters, members)
    words = {"any": _("Any certainty"), "fairly": _("Fairly certain"), "sure": _("Certain")}
    return tuple(
        Choice(name, words[name], name == filters.sure, count=wording.count(counts[name]))
        for name in CERTAINTIES
    )


def _span_choices(board: Board, filters: StandingsQuery) -> tuple[Choice, ...]:
    limit = board.active_days
    spans = sorted({days for days in (7, 14, 30, 60, filters.active) if 0 < days < limit})
    choices = [(0, limit), *((days, days) for days in spans)]
    return tuple(
        Choice(
            str(value or ""),
            ngettext("%(days)d day", "%(days)d days", days) % {"days": days},
            value == filters.active,
        )
        for value, days in choices
    )


def _since_choices(
    filters: StandingsQuery, visited: date | None, today: date
) -> tuple[Choice, ...]:
    choices = [("night", _("the previous match day"))]
    if visited is not None and visited < today:
        day = wording.day(visited, today)
        choices.append(("visit", _("my last visit, %(day)s") % {"day": day}))
    choices += [
        ("7", _("7 days ago")),
        ("30", _("30 days ago")),
        ("season", _("the first day of the season")),
    ]
    return tuple(Choice(value, label, value == filters.since) for value, label in choices)


def hidden_sentence(standings: Standings, filters: StandingsQuery, members: Integers | None) -> str:
    """Whom the filter by certainty hides, in words."""
    if not filters.hides or filters.listed not in ("ranked", PLAYING):
        return ""
    count = _hidden_count(standings, filters, members)
    if not count:
        return ""
    if filters.least and filters.sure == "any" and filters.most is None:
        return ngettext(
            "%(players)s not shown: too few results.",
            "%(players)s not shown: too few results.",
            count,
        ) % {"players": wording.players(count)}
    words = (
        _("%(players)s not shown: too uncertain, or too few results.")
        if filters.least
        else _("%(players)s not shown: their ratings are less certain.")
    )
    return words % {"players": wording.players(count)}


def _hidden_count(standings: Standings, filters: StandingsQuery, members: Integers | None) -> int:
    """The number of those who played lately enough but are hidden for their certainty."""
    everyone = StandingsQuery(active=filters.active, listed=filters.listed)
    everybody = standings.select(everyone, members)
    shown = standings.select(replace(filters, query=""), members)
    return len(everybody) - len(shown)
