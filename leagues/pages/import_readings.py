"""What the lines of written results say, as the check of an import shows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from leagues import wording
from leagues.domain.civil_days import day_of
from leagues.domain.set_scores import sets_for_reading
from leagues.models import League, Match
from leagues.pages.matches import result_words, unstored_sides


@dataclass(frozen=True, slots=True)
class Reading:
    """A line as it was understood: who, how it ended, when."""

    line: str
    means: str
    tags: tuple[str, ...]
    day: str


def line_readings(report: Mapping[str, Any], league: League) -> Iterator[Reading]:
    """The readings that the report of a check has kept."""
    for kept in report.get("readings", ()):
        played_at = datetime.fromisoformat(kept["played_at"])
        yield Reading(
            line=wording.count(kept["line"]),
            means=result_words(unstored_sides(*zip(*kept["sides"], strict=True))),
            tags=tuple(_tags(kept, played_at, league)),
            day=wording.day(day_of(played_at, league.zone)),
        )


def _tags(kept: Mapping[str, Any], played_at: datetime, league: League) -> Iterator[str]:
    if sets := kept.get("sets"):
        yield sets_for_reading(sets)
    if kept["detail"]:
        yield kept["detail"]
    if kept["kind"] != Match.Kind.PLAYED:
        yield str(Match.Kind(kept["kind"]).label)
    if not kept["date_only"]:
        yield f"{played_at.astimezone(league.zone):%H:%M}"
    if kept["is_there"]:
        yield _("already recorded")
