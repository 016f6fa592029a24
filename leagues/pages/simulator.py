"""A simulation as a page shows it, one round at a time."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.core.cache import cache
from django.urls import reverse
from django.utils.translation import gettext as _

from leagues import bridge, charts, wording
from leagues.bridge import Simulation
from leagues.models import League


@dataclass(frozen=True, slots=True)
class StepLink:
    label: str
    url: str


@dataclass(frozen=True, slots=True)
class RoundRow:
    """One round in the table of all."""

    number: str
    url: str
    is_chosen: bool
    correlation: str
    squared_error: str
    rank_error: str


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """One player of the cloud."""

    true_rank: str
    skill: str
    rank: str
    value: str


@dataclass(frozen=True, slots=True)
class SimulationPage:
    """The state after one round, the way there, and links to the other rounds."""

    finding: str
    cloud: charts.Plots
    cloud_label: str
    course: charts.Plots
    course_label: str
    shown_as: str
    row: RoundRow
    rows: tuple[RoundRow, ...]
    players: tuple[PlayerRow, ...]
    steps: tuple[StepLink, ...]
    count: str


def simulation_page(
    *, league: League, system: tuple[str, Mapping[str, Any]], words: Mapping[str, str], round_: int
) -> SimulationPage:
    """A simulation after one of its rounds; `words` are its address parameters."""
    name, parameters = system
    course = _cached_simulation(name, parameters, words)
    last = len(course.rounds)
    chosen = min(max(round_, 1), last)
    now = course.rounds[chosen - 1]
    base = reverse("leagues:simulator", args=[league.slug])

    def address(number: int) -> str:
        return f"{base}?{urlencode({**words, 'round': number})}"

    rows = tuple(
        RoundRow(
            number=str(number),
            url=address(number),
            is_chosen=number == chosen,
            correlation=wording.number(row.correlation, 2),
            squared_error=wording.number(row.squared_error, 2),
            rank_error=wording.number(row.rank_error, 1),
        )
        for number, row in enumerate(course.rounds, start=1)
    )
    values = [value for row in course.rounds for value in row.values]
    title = bridge.system_info(name).title
    return SimulationPage(
        finding=_finding(title, chosen, now.correlation),
        cloud=charts.cloud_plots(
            list(zip(course.skills, now.values, strict=True)),
            low=min(values),
            high=max(values),
            is_low_best=course.is_low_best,
        ),
        cloud_label=_("True skill and %(value)s of each player after round %(round)d")
        % {"value": _(course.shown_as).lower(), "round": chosen},
        course=charts.course_plots([row.correlation for row in course.rounds], chosen=chosen),
        course_label=_("Correlation of ratings with true skills after each round"),
        shown_as=_(course.shown_as),
        row=rows[chosen - 1],
        rows=rows,
        players=_players(course, now.values),
        steps=_steps(chosen, last, address),
        count=_("Round %(round)d of %(rounds)d") % {"round": chosen, "rounds": last},
    )


def _cached_simulation(
    name: str, parameters: Mapping[str, Any], words: Mapping[str, str]
) -> Simulation:
    """A simulation, from the cache where somebody steps through its rounds."""
    cache_key = repr((name, sorted(parameters.items()), sorted(words.items())))
    key = f"simulated:{hashlib.sha256(cache_key.encode()).hexdigest()}"
    course: Simulation | None = cache.get(key)
    if course is None:
        course = bridge.run_simulation(
            name,
            parameters,
            players=int(words["players"]),
            is_skewed=words["skills"] == "skewed",
            pairing=words["pairing"],
            rounds=int(words["rounds"]),
            seed=int(words["seed"]),
        )
        cache.set(key, course)
    return course


def _finding(title: str, number: int, correlation: float) -> str:
    words = {
        "system": title,
        "round": number,
        "correlation": wording.number(correlation, 2),
    }
    if correlation >= 0.9:
        text = _(
            "After round %(round)d %(system)s knows the skills well: a correlation of "
            "%(correlation)s."
        )
    elif correlation >= 0.7:
        text = _(
            "After round %(round)d %(system)s has a good idea of the skills: a correlation of "
            "%(correlation)s."
        )
    elif correlation >= 0.4:
        text = _(
            "After round %(round)d %(system)s has a rough idea of the skills: a correlation of "
            "%(correlation)s."
        )
    else:
        text = _(
            "After round %(round)d %(system)s knows little of the skills: a correlation of "
            "%(correlation)s."
        )
    return text % words


def _players(course: Simulation, values: tuple[float, ...]) -> tuple[PlayerRow, ...]:
    by_skill = sorted(range(len(values)), key=lambda index: -course.skills[index])
    by_value = sorted(range(len(values)), key=lambda index: -values[index])
    rank = {index: place for place, index in enumerate(by_value, start=1)}
    sign = -1.0 if course.is_low_best else 1.0
    return tuple(
        PlayerRow(
            true_rank=str(place),
            skill=wording.with_sign(course.skills[index]),
            rank=str(rank[index]),
            value=wording.number(sign * values[index], course.decimals),
        )
        for place, index in enumerate(by_skill, start=1)
    )


def _steps(chosen: int, last: int, address: Any) -> tuple[StepLink, ...]:
    """Links to the first, the former, the next and the last round; empty at the ends."""
    wanted = (
        (_("First"), 1),
        (_("Back"), chosen - 1),
        (_("Next"), chosen + 1),
        (_("Last"), last),
    )
    return tuple(
        StepLink(label, address(number) if 1 <= number <= last and number != chosen else "")
        for label, number in wanted
    )
