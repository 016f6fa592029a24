"""A step of a season, shown and taken: what its settings and the admin do alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django import forms
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest
from django.utils import timezone

from leagues import access
from leagues.accounts.confirmation import is_confirmed, password_form
from leagues.forms.season_steps import STEPS, SeasonStep, offered_steps
from leagues.forms.settings import add_errors
from leagues.models import Season
from leagues.pages.carryover import CarryoverTable
from leagues.pages.seasons import StepChoice
from leagues.services.errors import Refused
from leagues.services.seasons import DryRun


@dataclass(slots=True)
class StepPage:
    """What the page of a step shows; once it is taken, the season that it led to."""

    step: SeasonStep
    run: DryRun
    form: forms.Form
    again: forms.Form | None
    problems: Sequence[str]
    tables: Sequence[CarryoverTable] | None = None
    season: Season | None = None

    @property
    def button(self) -> str:
        return str(self.step.button or self.step.label)

    @property
    def status(self) -> int:
        """422 where something was sent that is refused."""
        is_refused = self.problems or self.form.errors or (self.again and self.again.errors)
        return 422 if self.form.is_bound and is_refused else 200


def step_choices(
    request: HttpRequest, season: Season, address: Callable[[str], str]
) -> tuple[StepChoice, ...]:
    """The buttons of the steps that somebody may take now; `address` gives the page of each."""
    rights = access.rights(access.principal_of(request), season.league)
    return tuple(
        StepChoice(str(step.label), address(step.name), not index and step.is_way_on(season))
        for index, step in enumerate(offered_steps(season, rights))
    )


def answer_step(request: HttpRequest, season: Season, name: str) -> StepPage:
    """Show what a step will do; a POST takes it, if it is possible and nothing is missing."""
    step = STEPS.get(name)
    if step is None:
        raise Http404
    if not access.is_allowed(access.principal_of(request), step.right, season.league):
        raise PermissionDenied
    now = timezone.now()
    data = request.POST if request.method == "POST" else None
    run = step.dry_run(season, now)
    again = password_form(request) if step.requires_password else None
    form = step.form(season, data)
    page = StepPage(step, run, form, again, run.problems)
    if data is None or not (run.is_possible and form.is_valid()):
        return page
    if not is_confirmed(request, again):
        return page
    try:
        if step.preview_button and "preview" in data:
            page.tables = step.preview(season, form)
        else:
            page.season = step.take(season, form, actor=access.signed_in(request), now=now)
    except Refused as refusal:
        page.problems = [problem.message for problem in refusal.problems]
    except ValidationError as error:
        add_errors(form, error)
    return page
