"""The life of a season: each step is told in words before it is taken, by the season's services."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from leagues import wording
from leagues.accounts.confirmation import is_confirmed, password_form
from leagues.admin.base import Button, ReadOnlyAdmin, StepsMixin, page_of
from leagues.admin.columns import first_day, last_day, renamed
from leagues.admin.filters import LeagueFilter
from leagues.forms.seasons import (
    CarryoverForm,
    NextSeasonForm,
    SeasonForm,
    StepForm,
    told_in_days,
    told_in_percent,
)
from leagues.forms.settings import add_errors
from leagues.models import Season
from leagues.pages.carryover import carryover_tables
from leagues.pages.dashboard import state_marks
from leagues.pages.settings import season_days
from leagues.services.carryover import next_bounds, next_name
from leagues.services.errors import Refused
from leagues.services.season_settings import season_changed, season_days_lines, update_season
from leagues.services.seasons import (
    REQUIRES_PASSWORD,
    Step,
    carry_over,
    dry_run,
    next_steps,
    preview_carryover,
    sealing_of,
    start_next_season,
    take_step,
    undo_carryover,
)

MOST_ARCHIVED = 100


@admin.register(Season)
class SeasonAdmin(StepsMixin, ReadOnlyAdmin):
    change_form_template = "admin/leagues/season.html"
    list_display = (
        "name",
        "league",
        "state",
        first_day,
        last_day,
        renamed("last_seq", gettext_lazy("results entered")),
    )
    list_filter = ("state", LeagueFilter)
    list_select_related = ("league",)
    search_fields = ("name", "=league__slug")
    searched = gettext_lazy("Searches the names of seasons and the address of the league.")
    actions = ("archive",)
    fields = (
        "league",
        "name",
        "state",
        "days",
        "results",
        "follows",
        "brought",
        "seal",
    )
    readonly_fields = ("days", "results", "brought", "seal")
    steps = (
        ("step/<slug:name>/", "step"),
        ("days/", "change_days"),
        ("carry/", "carry"),
        ("carry/undo/", "uncarry"),
        ("next/", "next"),
    )

    def view_on_site(self, obj: Season) -> str:
        return f"{reverse('leagues:board', args=[obj.league.slug])}?season={obj.slug}"

    @admin.display(description=gettext_lazy("days, in the league’s time zone"))
    def days(self, season: Season) -> str:
        """Return the first and the last day."""
        return season_days(season)

    @admin.display(description=gettext_lazy("results"))
    def results(self, season: Season) -> str:
        """Return how many results were ever entered."""
        return wording.results(season.last_seq)

    @admin.display(description=gettext_lazy("what players bring"))
    def brought(self, season: Season) -> str:
        """Return what was carried over, in words."""
        told = season.get_carry_display()
        if season.carry != Season.Carry.SOFT:
            return told
        words = _("%(told)s: drawn by %(share)s, doubt raised to %(deviation)s of a newcomer’s")
        return words % {
            "told": told,
            "share": wording.percent(season.carry_share),
            "deviation": wording.percent(season.carry_deviation or 0.0),
        }

    @admin.display(description=gettext_lazy("seal"))
    def seal(self, season: Season) -> str:
        """Return when it was sealed, with the digest of its standings."""
        if season.sealed_at is None:
            return _("not sealed")
        return f"{wording.moment(season.sealed_at, season.league.zone)}, {season.sealed_digest}"

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show the season with its state and the steps that lead on."""
        context = extra_context or {}
        season = self.get_object(request, object_id)
        if season is not None:
            sealing = sealing_of(season) if season.state == Season.State.CLOSING else None
            is_moving = sealing is not None and sealing.is_under_way
            context |= {
                "states": state_marks(season),
                "buttons": [] if is_moving else self._buttons(season),
                "sealing": sealing,
                "is_moving": is_moving,
                "boards": [
                    (board, page_of(board)) for board in season.boards.select_related("mode")
                ],
            }
        return super().change_view(request, object_id, form_url, context)

    def _buttons(self, season: Season) -> list[Button]:
        buttons = [
            Button(str(step.label), self.url_of("step", season, name=step.value), is_next=not index)
            for index, step in enumerate(next_steps(season))
        ]
        if season.follows_id and not season.last_seq and not season.is_sealed:
            buttons.append(Button(_("Carry ratings over"), self.url_of("carry", season)))
            if season.carry != Season.Carry.FRESH:
                buttons.append(Button(_("Undo the carry-over"), self.url_of("uncarry", season)))
        buttons.append(Button(_("Start the next season"), self.url_of("next", season)))
        buttons.append(Button(_("Change name and days"), self.url_of("change_days", season)))
        return buttons

    def step(self, request: HttpRequest, season: Season, *, name: str) -> HttpResponse:
        """Tell what a step will do; take it."""
        if name not in Step.values:
            raise Http404
        step, now = Step(name), timezone.now()
        again = password_form(request) if step in REQUIRES_PASSWORD else None
        form = StepForm(
            season,
            request.POST if request.method == "POST" else None,
            why=step.needs_reason,
            named=step in REQUIRES_PASSWORD,
        )
        run = dry_run(season, step, now)
        problems = list(run.problems)
        if form.is_bound and form.is_valid() and is_confirmed(request, again):
            try:
                taken = take_step(
                    season,
                    step,
                    actor=request.user,
                    now=now,
                    reason=form.cleaned_data.get("reason", ""),
                )
            except Refused as refusal:
                problems = [problem.message for problem in refusal.problems]
            else:
                messages.success(request, self._taken(taken, step))
                return HttpResponseRedirect(page_of(season))
        return self.confirm(
            request,
            season,
            title=_("%(step)s: %(season)s") % {"step": step.label, "season": season.name},
            button=str(step.label),
            lines=run.lines,
            problems=problems,
            form=form,
            again=again,
            is_possible=run.is_possible,
            states=state_marks(season),
        )

    def _taken(self, season: Season, step: Step) -> str:
        if step is Step.SEAL:
            return _("The standings are being sealed. This page says when that is done.")
        return _("“%(season)s” is %(state)s now.") % {
            "season": season.name,
            "state": season.get_state_display(),
        }

    def change_days(self, request: HttpRequest, season: Season) -> HttpResponse:
        """Change what the season is called, and its first and last day."""
        league = season.league
        form = SeasonForm(
            request.POST or None,
            initial=told_in_days(league, season.name, season.starts_at, season.ends_at),
        )
        if form.is_bound and form.is_valid():
            try:
                changed = update_season(
                    season, **form.words(league), actor=request.user, now=timezone.now()
                )
            except ValidationError as error:
                add_errors(form, error)
            else:
                messages.success(request, " ".join(season_changed(changed)))
                return HttpResponseRedirect(page_of(changed))
        return self.confirm(
            request,
            season,
            title=_("Change name and days: %(season)s") % {"season": season.name},
            button=_("Change"),
            lines=season_days_lines(season),
            form=form,
        )

    def carry(self, request: HttpRequest, season: Season) -> HttpResponse:
        """Choose what is carried over, look at it, and do it."""
        form = CarryoverForm(request.POST or None, initial=told_in_percent(season))
        problems: list[str] = []
        tables: Any = ()
        if form.is_bound and form.is_valid():
            try:
                if "preview" not in request.POST:
                    carry_over(season, **form.carryover, actor=request.user, now=timezone.now())
                    messages.success(request, _("What is carried over is written down."))
                    return HttpResponseRedirect(page_of(season))
                tables = carryover_tables(preview_carryover(season, **form.carryover))
            except Refused as refusal:
                problems = [problem.message for problem in refusal.problems]
        return self.confirm(
            request,
            season,
            title=_("Carry ratings over: %(season)s") % {"season": season.name},
            button=_("Carry over"),
            lines=self._carry_lines(season),
            problems=problems,
            form=form,
            preview_button=_("Show before and after"),
            tables=tables,
        )

    def _carry_lines(self, season: Season) -> list[str]:
        lines = [_("Until the first result this can be done otherwise, or undone.")]
        if season.follows:
            former = {"season": season.follows.name}
            lines.insert(0, _("Players begin with what they had in “%(season)s”.") % former)
        return lines

    def uncarry(self, request: HttpRequest, season: Season) -> HttpResponse:
        """Ask, then let everyone start anew."""
        problems: list[str] = []
        if request.method == "POST":
            try:
                undo_carryover(season, actor=request.user, now=timezone.now())
            except Refused as refusal:
                problems = [problem.message for problem in refusal.problems]
            else:
                messages.success(request, _("Everyone starts anew."))
                return HttpResponseRedirect(page_of(season))
        return self.confirm(
            request,
            season,
            title=_("Undo the carry-over: %(season)s") % {"season": season.name},
            button=_("Undo the carry-over"),
            lines=[_("Everyone starts anew, with a newcomer’s rating.")],
            problems=problems,
        )

    def next(self, request: HttpRequest, season: Season) -> HttpResponse:
        """Make the season after this one, as a draft."""
        initial = told_in_days(season.league, next_name(season), *next_bounds(season))
        form = NextSeasonForm(request.POST or None, initial=initial)
        problems: list[str] = []
        if form.is_bound and form.is_valid():
            try:
                following = start_next_season(
                    season,
                    name=form.cleaned_data["name"],
                    days=form.days(season.league),
                    **form.carryover,
                    actor=request.user,
                    now=timezone.now(),
                )
            except Refused as refusal:
                problems = [problem.message for problem in refusal.problems]
            except ValidationError as error:
                add_errors(form, error)
            else:
                words = {"season": following.name}
                messages.success(request, _("“%(season)s” is made, as a draft.") % words)
                return HttpResponseRedirect(page_of(following))
        return self.confirm(
            request,
            season,
            title=_("Start the next season: after %(season)s") % {"season": season.name},
            button=_("Make the next season"),
            lines=[
                _("It gets the same boards with the same rules, and is a draft until you open it."),
                _("What players bring can be looked at and changed until its first result."),
            ],
            problems=problems,
            form=form,
        )

    @admin.action(description=gettext_lazy("Archive the selected seasons"))
    def archive(self, request: HttpRequest, queryset: QuerySet[Season]) -> HttpResponse | None:
        """Archive seasons that are closed; the others say why not."""
        chosen = list(queryset.select_related("league")[:MOST_ARCHIVED])
        now = timezone.now()
        runs = [(season, dry_run(season, Step.ARCHIVE, now)) for season in chosen]
        problems = [problem for _season, run in runs for problem in run.problems]
        if "confirmed" not in request.POST or problems:
            return self.confirm(
                request,
                None,
                title=_("Archive the selected seasons"),
                button=_("Archive"),
                lines=[str(season) for season, run in runs if run.is_possible],
                problems=problems,
                is_possible=not problems,
                action="archive",
                selected=[season.pk for season in chosen],
            )
        for season in chosen:
            try:
                take_step(season, Step.ARCHIVE, actor=request.user, now=now)
            except Refused as refusal:
                messages.error(request, str(refusal))
            else:
                words = {"season": season.name}
                messages.success(request, _("“%(season)s” is archived.") % words)
        return None
