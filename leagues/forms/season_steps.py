"""What can be done with a season: one definition of each step for its settings and the admin.

A step says when it is offered, which right it takes, what it asks, what it will do, and which
service does it. Both interfaces list the steps, and show and take them, from here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from datetime import datetime
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from leagues.access import Action
from leagues.forms.seasons import (
    CarryoverForm,
    NextSeasonForm,
    SeasonForm,
    StepForm,
    told_in_days,
    told_in_percent,
)
from leagues.models import Season
from leagues.pages.carryover import CarryoverTable, carryover_tables
from leagues.services.carryover import (
    carry_over,
    carryover_obstacle,
    is_last,
    next_bounds,
    next_name,
    start_next_season,
    undo_carryover,
    undo_obstacle,
)
from leagues.services.carryover_preview import preview_carryover
from leagues.services.season_settings import (
    describe_season_change,
    season_days_lines,
    update_season,
)
from leagues.services.seasons import (
    REQUIRES_PASSWORD,
    DryRun,
    Step,
    dry_run,
    next_steps,
    sealing_of,
    take_step,
)

Data = Mapping[str, Any] | None
_ANNOUNCEMENTS = {
    Step.OPEN: gettext_lazy("“%(season)s” is open. Results can now be entered."),
    Step.CLOSE: gettext_lazy("“%(season)s” is closing. Only organizers can enter results now."),
    Step.RESUME: gettext_lazy("“%(season)s” accepts results again."),
    Step.REOPEN: gettext_lazy("“%(season)s” is reopened for corrections."),
    Step.ARCHIVE: gettext_lazy("“%(season)s” is archived."),
    Step.UNARCHIVE: gettext_lazy("“%(season)s” is restored from the archive."),
}


class SeasonStep:
    """A step, with what most of them have in common."""

    name: str
    label: str | Promise
    button: str | Promise = ""
    """What the button says that takes it, where that is not its label."""
    preview_button: str | Promise = ""
    """What the button says that computes what the step would give, where it can be computed."""
    right = Action.SETTINGS
    requires_password = False
    leads_on = False
    """Whether it takes a season to the next state of its life."""

    def is_offered(self, season: Season) -> bool:
        return True

    def is_way_on(self, season: Season) -> bool:
        """Whether it is what mostly comes next, if it is the first of those offered."""
        return self.leads_on

    def unsealed_former(self, season: Season) -> Season | None:
        """The season that ratings would be carried over from, while it is not sealed yet."""
        return None

    def form(self, season: Season, data: Data) -> forms.Form:
        """The form of what the step asks."""
        return forms.Form(data)

    def dry_run(self, season: Season, now: datetime) -> DryRun:
        """What the step will do, in sentences, and why it cannot be taken."""
        raise NotImplementedError

    def preview(self, season: Season, form: Any) -> Sequence[CarryoverTable]:
        """What the step would give with what was typed, as tables."""
        return ()

    def take(self, season: Season, form: Any, *, actor: User, now: datetime) -> Season:
        """Take the step by its service; returns the season to go on with."""
        raise NotImplementedError

    def announcement(self, season: Season) -> str:
        """What has happened, told of the season that `take` returned."""
        raise NotImplementedError


class StateStep(SeasonStep):
    """A step from one state of a season's life to another."""

    leads_on = True

    def __init__(self, step: Step) -> None:
        self.step = step
        self.name, self.label, self.right = step.value, step.label, step.right
        self.requires_password = step in REQUIRES_PASSWORD

    def is_offered(self, season: Season) -> bool:
        return self.step in next_steps(season)

    def form(self, season: Season, data: Data) -> StepForm:
        return StepForm(season, data, why=self.step.needs_reason, named=self.requires_password)

    def dry_run(self, season: Season, now: datetime) -> DryRun:
        return dry_run(season, self.step, now)

    def take(self, season: Season, form: StepForm, *, actor: User, now: datetime) -> Season:
        reason = form.cleaned_data.get("reason", "")
        return take_step(season, self.step, actor=actor, now=now, reason=reason)

    def announcement(self, season: Season) -> str:
        if self.step is Step.SEAL:
            return _("The standings are being sealed. This page updates when that is done.")
        return str(_ANNOUNCEMENTS[self.step]) % {"season": season.name}


class CarryoverStep(SeasonStep):
    """Choosing what players bring from the season before."""

    name = "carry"
    label = gettext_lazy("Carry ratings over")
    button = gettext_lazy("Carry over")
    preview_button = gettext_lazy("Show before and after")

    def is_offered(self, season: Season) -> bool:
        return not carryover_obstacle(season)

    def unsealed_former(self, season: Season) -> Season | None:
        return season.follows if season.follows and not season.follows.is_sealed else None

    def form(self, season: Season, data: Data) -> CarryoverForm:
        initial = told_in_percent(season)
        if self.unsealed_former(season):
            initial.setdefault("carry", Season.Carryover.FRESH)
        return CarryoverForm(data, initial=initial)

    def dry_run(self, season: Season, now: datetime) -> DryRun:
        if obstacle := carryover_obstacle(season):
            return DryRun((), (obstacle,))
        former = {"season": season.follows.name if season.follows else ""}
        lines = (
            _("Players start with the ratings they had in “%(season)s”.") % former,
            _("You can change or undo this until the first result."),
        )
        return DryRun(lines, ())

    def preview(self, season: Season, form: CarryoverForm) -> Sequence[CarryoverTable]:
        return carryover_tables(preview_carryover(season, **form.carryover))

    def take(self, season: Season, form: CarryoverForm, *, actor: User, now: datetime) -> Season:
        return carry_over(season, **form.carryover, actor=actor)

    def announcement(self, season: Season) -> str:
        return _("Starting ratings saved.")


class UndoCarryoverStep(SeasonStep):
    """Letting everyone begin like a newcomer after all."""

    name = "uncarry"
    label = gettext_lazy("Undo the carry-over")

    def is_offered(self, season: Season) -> bool:
        return not undo_obstacle(season)

    def dry_run(self, season: Season, now: datetime) -> DryRun:
        if obstacle := undo_obstacle(season):
            return DryRun((), (obstacle,))
        return DryRun((_("Everyone starts with a newcomer’s rating. All players stay."),), ())

    def take(self, season: Season, form: forms.Form, *, actor: User, now: datetime) -> Season:
        return undo_carryover(season, actor=actor)

    def announcement(self, season: Season) -> str:
        return _("Everyone starts with a newcomer’s rating.")


class NextSeasonStep(SeasonStep):
    """Making the season after one, as a draft with the same boards."""

    name = "next"
    label = gettext_lazy("Start the next season")
    button = gettext_lazy("Create the next season")

    def is_offered(self, season: Season) -> bool:
        # A season that has only just been created needs no next one.
        return bool(season.last_seq) or season.state not in (Season.State.DRAFT, Season.State.OPEN)

    def is_way_on(self, season: Season) -> bool:
        return season.state == Season.State.CLOSED and is_last(season)

    def unsealed_former(self, season: Season) -> Season | None:
        return None if season.is_sealed else season

    def form(self, season: Season, data: Data) -> NextSeasonForm:
        initial = told_in_days(season.league, next_name(season), *next_bounds(season))
        if not (season.is_sealed and season.last_seq):
            # There is nothing that could be kept yet.
            initial["carry"] = Season.Carryover.FRESH
        return NextSeasonForm(data, initial=initial)

    def dry_run(self, season: Season, now: datetime) -> DryRun:
        lines = (
            _(
                "It will have the same boards with the same rules, and will be a draft until "
                "you open it."
            ),
            _("You can view and change the starting ratings until its first result."),
        )
        return DryRun(lines, ())

    def take(self, season: Season, form: NextSeasonForm, *, actor: User, now: datetime) -> Season:
        return start_next_season(
            season,
            name=form.cleaned_data["name"],
            days=form.days(season.league),
            **form.carryover,
            actor=actor,
        )

    def announcement(self, season: Season) -> str:
        return _("“%(season)s” was created as a draft.") % {"season": season.name}


class DaysStep(SeasonStep):
    """Changing what a season is called, and its first and last day."""

    name = "days"
    label = gettext_lazy("Change name and days")
    button = gettext_lazy("Change")

    def form(self, season: Season, data: Data) -> SeasonForm:
        initial = told_in_days(season.league, season.name, season.starts_at, season.ends_at)
        return SeasonForm(data, initial=initial)

    def dry_run(self, season: Season, now: datetime) -> DryRun:
        return DryRun(season_days_lines(season), ())

    def take(self, season: Season, form: SeasonForm, *, actor: User, now: datetime) -> Season:
        return update_season(season, **form.words(season.league), actor=actor, now=now)

    def announcement(self, season: Season) -> str:
        return " ".join(describe_season_change(season))


STEPS: Mapping[str, SeasonStep] = {
    step.name: step
    for step in (
        *(StateStep(step) for step in Step),
        CarryoverStep(),
        UndoCarryoverStep(),
        NextSeasonStep(),
        DaysStep(),
    )
}


def offered_steps(season: Season, rights: Set[Action]) -> tuple[SeasonStep, ...]:
    """The steps somebody may take now, the way on first; none while a season is being sealed."""
    sealing = sealing_of(season) if season.state == Season.State.CLOSING else None
    if sealing is not None and sealing.is_under_way:
        return ()
    leading = [STEPS[step.value] for step in next_steps(season)]
    others = [step for step in STEPS.values() if not step.leads_on and step.is_offered(season)]
    offered = [step for step in (*leading, *others) if step.right in rights]
    # Before a season is archived, the one after it is made.
    return tuple(sorted(offered, key=lambda step: step.leads_on or not step.is_way_on(season)))
