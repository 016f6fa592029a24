"""What the lines of written results say, as the check of an import shows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from leagues import wording
from leagues.domain.civil_days import day_of
from leagues.models import League, Match
from leagues.pages.matches import Named, Side, result_words


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
            means=result_words(_sides(kept["sides"])),
            tags=tuple(_tags(kept, played_at, league)),
            day=wording.day(day_of(played_at, league.zone)),
        )


def _sides(kept: list[tuple[int, int | None, list[str]]]) -> list[Side]:
    places = [place for place, _score, _names in kept]
    sides = [
        Side(
            number=number,
            members=tuple(Named(name) for name in names),
            points=score,
            score="",
            place=str(place),
            is_first=place == 1,
            is_tied=places.count(place) > 1,
        )
        for number, (place, score, names) in enumerate(kept)
    ]
    return sorted(sides, key=lambda side: int(side.place))


def _tags(kept: Mapping[str, Any], played_at: datetime, league: League) -> Iterator[str]:
    if kept["detail"]:
        yield kept["detail"]
    if kept["kind"] != Match.Kind.PLAYED:
        yield str(Match.Kind(kept["kind"]).label)
    if not kept["date_only"]:
        yield f"{played_at.astimezone(league.zone):%H:%M}"
    if kept["is_there"]:
        yield _("already recorded")
