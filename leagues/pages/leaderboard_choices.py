"""What the filter of the leaderboard offers, and whom it hides."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import wording
from leagues.models import Board
from leagues.pages.boards import Choice
from leagues.selectors.standings import (
    Standings,
)
from leagues.selectors.standings_query import CERTAINTIES, StandingsQuery


def certainty_choices(counts: dict[str, int], filters: StandingsQuery) -> tuple[Choice, ...]:
    words = {"any": _("Any certainty"), "fairly": _("Fairly certain"), "sure": _("Certain")}
    return tuple(
        Choice(name, words[name], name == filters.sure, count=wording.count(counts[name]))
        for name in CERTAINTIES
    )


def span_choices(board: Board, filters: StandingsQuery) -> tuple[Choice, ...]:
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


def since_choices(filters: StandingsQuery, visited: date | None, today: date) -> tuple[Choice, ...]:
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


def hidden_count(standings: Standings, filters: StandingsQuery) -> int:
    """The number of those who played lately enough but are hidden for their certainty."""
    everybody = standings.select(StandingsQuery(active=filters.active), None)
    return len(everybody) - len(standings.select(replace(filters, query="", listed="ranked"), None))


def hidden_sentence(count: int, filters: StandingsQuery) -> str:
    """Whom the filter by certainty hides, in words."""
    if not count or not filters.hides or filters.listed != "ranked":
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
