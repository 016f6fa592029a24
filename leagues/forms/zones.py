"""Time zones by the words that people know: cities and countries."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources

from leagues.domain.civil_days import zone_names

MAX_LANGUAGES = 10
MOST_OF = "most of"
"""How the table of zones begins its note on the zone of nearly a whole country."""
COUNTRIES_BY_OTHER_NAMES = {
    **dict.fromkeys(
        ("uk", "united kingdom", "great britain", "britain", "england", "scotland", "wales"),
        "britain (uk)",
    ),
    "northern ireland": "britain (uk)",
    **dict.fromkeys(("usa", "us", "united states of america"), "united states"),
    "holland": "netherlands",
    "czechia": "czech republic",
}
"""What the table of countries calls those that people call by these names."""


@dataclass(frozen=True, slots=True)
class ZonePlace:
    """A zone, the city that it is named after, and its country."""

    name: str
    city: str
    country: str
    region: str
    note: str

    @property
    def label(self) -> str:
        return f"{self.city}, {self.country}" if self.country else self.city


@functools.cache
def zone_places() -> tuple[ZonePlace, ...]:
    """The zones to choose from: by continent, then by city."""
    countries = {row[0]: row[1] for row in _rows("iso3166.tab")}
    places = [
        ZonePlace(name, _city(name), countries.get(region, ""), region, "".join(note))
        for region, _where, name, *note in _rows("zone.tab")
        if name in zone_names()
    ]
    return (*sorted(places, key=lambda place: place.name), ZonePlace("UTC", "UTC", "", "", ""))


def find_zones(typed: str) -> list[str]:
    """The zones that somebody may mean: by name, city, city and country, or country."""
    words = _plain(typed)
    if typed in zone_names():
        return [typed]
    exact = [
        place.name for place in zone_places() if words in (_plain(place.label), _plain(place.city))
    ]
    former = [name for name in sorted(zone_names()) if _plain(_city(name)) == words]
    return exact or former or _zones_of_country(words)


def _zones_of_country(words: str) -> list[str]:
    """The zone of nearly the whole country, or all that it has."""
    country = COUNTRIES_BY_OTHER_NAMES.get(words, words)
    places = [place for place in zone_places() if _plain(place.country) == country]
    of_most = [place for place in places if place.note.startswith(MOST_OF)]
    return [place.name for place in of_most or places]


def suggested_zone(languages: str) -> ZonePlace | None:
    """The zone of the country that a browser's languages name, where one holds for most of it."""
    for region in _regions(languages):
        places = [place for place in zone_places() if place.region == region]
        chosen = places if len(places) == 1 else [p for p in places if p.note.startswith(MOST_OF)]
        if chosen:
            return chosen[0]
    return None


def _regions(languages: str) -> Iterator[str]:
    """The countries of a header Accept-Language: DE of “de-DE,de;q=0.9”."""
    for language in languages.split(",", MAX_LANGUAGES)[:MAX_LANGUAGES]:
        parts = language.partition(";")[0].strip().split("-")
        yield from (part.upper() for part in parts[1:] if len(part) == 2)


def _rows(table: str) -> Iterator[list[str]]:
    text = resources.files("tzdata.zoneinfo").joinpath(table).read_text(encoding="utf-8")
    return (line.split("\t") for line in text.splitlines() if not line.startswith("#"))


def _city(name: str) -> str:
    return name.rpartition("/")[2].replace("_", " ")


def _plain(words: str) -> str:
    return " ".join(words.casefold().split())
