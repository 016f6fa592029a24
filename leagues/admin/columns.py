"""Columns of the lists in words that a secretary can read; times are those of the league."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from leagues import wording
from leagues.models import League, Season

Column = Callable[[Any], Any]


def renamed(field: str, title: Any, *, is_yes_or_no: bool = False) -> Column:
    """The column of a field under a title of its own."""

    @admin.display(description=title, ordering=field, boolean=is_yes_or_no)
    def column(row: Any) -> Any:
        value = getattr(row, field)
        return wording.number(value) if isinstance(value, float) else value

    column.__name__ = field
    return column


def moment(field: str, title: Any) -> Column:
    """The column of an instant: day and time of day in the zone of the row's league."""

    @admin.display(description=title, ordering=field)
    def column(row: Any) -> str:
        at: datetime | None = getattr(row, field)
        return wording.moment(at, zone_of(row)) if at else wording.NOTHING

    column.__name__ = field
    return column


def zone_of(row: Any) -> ZoneInfo:
    """The time zone of the league that a row belongs to; UTC for what belongs to none."""
    league = row if isinstance(row, League) else row.league
    return league.zone if league else ZoneInfo("UTC")


@admin.display(description=_("season"), ordering="season")
def season_name(row: Any) -> str:
    """The season of a row; its league has a column of its own."""
    return str(row.season.name)


@admin.display(description=_("first day"), ordering="starts_at")
def first_day(season: Season) -> str:
    """The first day of a season, in its league's zone."""
    return _day(season.first_day)


@admin.display(description=_("last day"), ordering="ends_at")
def last_day(season: Season) -> str:
    """The last day of a season, in its league's zone."""
    return _day(season.last_day)


def _day(on: date | None) -> str:
    return wording.day(on) if on else wording.NOTHING
