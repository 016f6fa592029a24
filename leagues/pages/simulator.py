"""A simulation as a page shows it, one round at a time, alone or beside another system's."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from django.core.cache import cache
from django.urls import reverse
from django.utils.translation import gettext as _

from leagues import bridge, charts, wording
from leagues.bridge import SimulatedSystem, Simulation
from leagues.models import League

KNOWN: Final = 0.8
"""The correlation from which on a system counts as having found out who is good."""


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
    other: str
    """The correlation of the system beside it."""
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
    faster: str
    """Which of two systems learns faster; empty for one."""
    names: tuple[str, ...]
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
    *,
    league: League,
    systems: Sequence[SimulatedSystem],
    words: Mapping[str, str],
    round_: int,
) -> SimulationPage:
    """A simulation after one of its rounds; `words` are its address parameters."""
    courses = [_cached_simulation(one, words) for one in systems]
    names = _names(systems)
    course = courses[0]
    last = len(course.rounds)
    chosen = min(max(round_, 1), last)
    now = course.rounds[chosen - 1]
    base = reverse("leagues:simulator", args=[league.slug])

    def address(number: int) -> str:
        return f"{base}?{urlencode({**words, 'round': number})}"

    rows = _rounds(courses, chosen, address)
    values = [value for row in course.rounds for value in row.values]
    return SimulationPage(
        finding=_finding(names[0], chosen, now.correlation),
        faster=_faster(names, courses) if len(courses) > 1 else "",
        names=names,
        cloud=charts.cloud_plots(
            list(zip(course.skills, now.values, strict=True)),
            low=min(values),
            high=max(values),
            is_low_best=course.is_low_best,
        ),
        cloud_label=_("True skill and %(value)s of each player after round %(round)d")
        % {"value": _(course.shown_as).lower(), "round": chosen},
        course=charts.course_plots(
            [
                (name, [row.correlation for row in one.rounds])
                for name, one in zip(names, courses, strict=True)
            ],
            chosen=chosen,
        ),
        course_label=_("Correlation of ratings with true skills after each round"),
        shown_as=_(course.shown_as),
        row=rows[chosen - 1],
        rows=rows,
        players=_players(course, now.values),
        steps=_steps(chosen, last, address),
        count=_("Round %(round)d of %(rounds)d") % {"round": chosen, "rounds": last},
    )


def _names(systems: Sequence[SimulatedSystem]) -> tuple[str, ...]:
    """What the systems are called: two boards of one system by their own names."""
    titles = tuple(str(bridge.system_info(one.system).title) for one in systems)
    return titles if len(set(titles)) == len(titles) else tuple(one.title for one in systems)


def _rounds(
    courses: Sequence[Simulation], chosen: int, address: Callable[[int], str]
) -> tuple[RoundRow, ...]:
    others = courses[-1].rounds
    return tuple(
        RoundRow(
            number=str(number),
            url=address(number),
            is_chosen=number == chosen,
            correlation=wording.number(row.correlation, 2),
            other=wording.number(others[number - 1].correlation, 2),
            squared_error=wording.number(row.squared_error, 2),
            rank_error=wording.number(row.rank_error, 1),
        )
        for number, row in enumerate(courses[0].rounds, start=1)
    )


def _cached_simulation(chosen: SimulatedSystem, words: Mapping[str, str]) -> Simulation:
    """A simulation, from the cache where somebody steps through its rounds."""
    asked = {name: words[name] for name in ("players", "skills", "pairing", "rounds", "seed")}
    parameters = sorted(chosen.parameters.items())
    cache_key = repr((chosen.system, parameters, sorted(asked.items())))
    key = f"simulated:{hashlib.sha256(cache_key.encode()).hexdigest()}"
    course: Simulation | None = cache.get(key)
    if course is None:
        course = bridge.run_simulation(
            chosen,
            players=int(asked["players"]),
            is_skewed=asked["skills"] == "skewed",
            pairing=asked["pairing"],
            rounds=int(asked["rounds"]),
            seed=int(asked["seed"]),
        )
        cache.set(key, course)
    return course


def _faster(names: Sequence[str], courses: Sequence[Simulation]) -> str:
    """Which of two systems comes near the skills in fewer rounds."""
    known = [_known_after(course) for course in courses]
    ends = [wording.number(course.rounds[-1].correlation, 2) for course in courses]
    words = {
        "target": wording.number(KNOWN, 1),
        "one": names[0],
        "other": names[1],
        "one_after": known[0],
        "other_after": known[1],
        "one_end": ends[0],
        "other_end": ends[1],
        "rounds": len(courses[0].rounds),
    }
    first, second = known
    if first is None and second is None:
        text = _(
            "Neither reaches a correlation of %(target)s in %(rounds)d rounds: at the end, "
            "%(one)s has %(one_end)s and %(other)s has %(other_end)s."
        )
    elif second is None:
        text = _(
            "%(one)s learns faster: it reaches a correlation of %(target)s after round "
            "%(one_after)d, while %(other)s does not reach it in %(rounds)d rounds."
        )
    elif first is None:
        text = _(
            "%(other)s learns faster: it reaches a correlation of %(target)s after round "
            "%(other_after)d, while %(one)s does not reach it in %(rounds)d rounds."
        )
    elif abs(first - second) <= 1:
        text = _(
            "Both learn about equally fast: they reach a correlation of %(target)s after round "
            "%(one_after)d (%(one)s) and round %(other_after)d (%(other)s)."
        )
    elif first < second:
        text = _(
            "%(one)s learns faster: it reaches a correlation of %(target)s after round "
            "%(one_after)d, %(other)s after round %(other_after)d."
        )
    else:
        text = _(
            "%(other)s learns faster: it reaches a correlation of %(target)s after round "
            "%(other_after)d, %(one)s after round %(one_after)d."
        )
    return text % words


def _known_after(course: Simulation) -> int | None:
    """The first round from which on the correlation stays at `KNOWN` or above; None if never."""
    below = [number for number, row in enumerate(course.rounds, start=1) if row.correlation < KNOWN]
    after = max(below, default=0) + 1
    return after if after <= len(course.rounds) else None


def _finding(title: str, number: int, correlation: float) -> str:
    words = {
        "system": title,
        "round": number,
        "correlation": wording.number(correlation, 2),
    }
    if correlation >= 0.9:
        text = _(
            "After round %(round)d, %(system)s knows the skills well: the correlation is "
            "%(correlation)s."
        )
    elif correlation >= 0.7:
        text = _(
            "After round %(round)d, %(system)s has a good idea of the skills: the "
            "correlation is %(correlation)s."
        )
    elif correlation >= 0.4:
        text = _(
            "After round %(round)d, %(system)s has a rough idea of the skills: the "
            "correlation is %(correlation)s."
        )
    else:
        text = _(
            "After round %(round)d, %(system)s knows little about the skills: the "
            "correlation is %(correlation)s."
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


def _steps(chosen: int, last: int, address: Callable[[int], str]) -> tuple[StepLink, ...]:
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
