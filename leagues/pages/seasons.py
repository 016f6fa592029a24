"""Seasons for those who see to them: the steps that lead on, and how sealing goes."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from leagues import wording
from leagues.access import Action
from leagues.models import Season
from leagues.services.sealing import sealing_of
from leagues.services.seasons import next_steps


@dataclass(frozen=True, slots=True)
class StepChoice:
    label: str
    url: str
    is_next: bool


@dataclass(frozen=True, slots=True)
class SealingProgress:
    """How far sealing is, or why it ended without a seal."""

    is_under_way: bool
    words: str
    part: str


def season_results(season: Season, void: int) -> str:
    """How many results of a season count, and how many are void."""
    counting = wording.results(season.last_seq - void)
    if not void:
        return counting
    return _("%(results)s, %(void)s void") % {"results": counting, "void": wording.count(void)}


def season_steps(season: Season, rights: Set[Action]) -> tuple[StepChoice, ...]:
    """The steps somebody may take next."""
    steps = [step for step in next_steps(season) if step.right in rights]
    return tuple(
        StepChoice(str(step.label), step_address(season, step.value), index == 0)
        for index, step in enumerate(steps)
    )


def keeping_step(season: Season) -> StepChoice:
    """The step that makes a season after another one, whose ratings it can keep."""
    words = (
        _("To keep the ratings of “%(season)s”, start the season after it.")
        if season.is_sealed
        else _("To keep the ratings of “%(season)s”, seal it and start the season after it.")
    )
    url = (
        step_address(season, "next")
        if season.is_sealed
        else reverse("leagues:settings_season", args=[season.league.slug, season.slug])
    )
    return StepChoice(words % {"season": season.name}, url, False)


def step_address(season: Season, step: str) -> str:
    """The page that says what a step does, and takes it."""
    return reverse("leagues:settings_season_step", args=[season.league.slug, season.slug, step])


def sealing_progress(season: Season) -> SealingProgress | None:
    """The progress of sealing a season; None where there is nothing to say."""
    if season.state != Season.State.CLOSING:
        return None
    sealing = sealing_of(season)
    if sealing is None:
        return None
    if not sealing.is_under_way:
        return SealingProgress(False, sealing.problem, "") if sealing.problem else None
    if not sealing.total:
        return SealingProgress(True, _("Waiting until every result is rated."), "")
    words = _("%(done)s of %(all)s boards replayed and compared.") % {
        "done": wording.count(sealing.done),
        "all": wording.count(sealing.total - 1),
    }
    return SealingProgress(True, words, f"{sealing.done / sealing.total:.3f}")
