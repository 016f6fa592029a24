"""The life of a season: each step is told in words before it is taken, by the season's services."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from leagues import access, wording
from leagues.admin.base import ReadOnlyAdmin, StepsMixin, page_of
from leagues.admin.columns import first_day, last_day, renamed
from leagues.admin.filters import LeagueFilter
from leagues.models import Season
from leagues.pages.dashboard import state_marks
from leagues.pages.seasons import sealing_progress
from leagues.pages.settings import season_days
from leagues.services.errors import Refused
from leagues.services.seasons import Step, dry_run, take_step
from leagues.views.season_steps import answer_step, step_choices

MOST_ARCHIVED = 100

FORMER_STEPS = {"days": "days", "carry": "carry", "carry/undo": "uncarry", "next": "next"}
"""Addresses that pages of steps once had below their season, and the names of the steps."""


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
    steps = (("step/<slug:name>/", "step"),)

    def view_on_site(self, obj: Season) -> str:
        return f"{reverse('leagues:board', args=[obj.league.slug])}?season={obj.slug}"

    @admin.display(description=gettext_lazy("days, in the league’s time zone"))
    def days(self, season: Season) -> str:
        """The first and the last day."""
        return season_days(season)

    @admin.display(description=gettext_lazy("results"))
    def results(self, season: Season) -> str:
        """How many results were ever entered."""
        return wording.results(season.last_seq)

    @admin.display(description=gettext_lazy("starting ratings"))
    def brought(self, season: Season) -> str:
        """What was carried over, in words."""
        told = season.get_carryover_display()
        if season.carryover != Season.Carryover.SOFT:
            return told
        words = _(
            "%(told)s: ratings moved %(share)s towards a newcomer’s, uncertainty raised to at "
            "least %(deviation)s of a newcomer’s"
        )
        return words % {
            "told": told,
            "share": wording.percent(season.carryover_share),
            "deviation": wording.percent(season.carryover_deviation or 0.0),
        }

    @admin.display(description=gettext_lazy("seal"))
    def seal(self, season: Season) -> str:
        """When it was sealed, with the digest of its standings."""
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
            context |= {
                "states": state_marks(season),
                "buttons": step_choices(request, season, partial(self._step_address, season)),
                "sealing": sealing_progress(season),
                "boards": [
                    (board, page_of(board)) for board in season.boards.select_related("mode")
                ],
            }
        return super().change_view(request, object_id, form_url, context)

    def get_urls(self) -> list[URLPattern]:
        """With the addresses that pages of steps once had; links to them still lead there."""
        view = self.admin_site.admin_view(self._of_row(self.former_step))
        former = [
            path(
                f"<slug:object_id>/{address}/",
                view,
                {"name": name},
                f"leagues_season_former_{name}",
            )
            for address, name in FORMER_STEPS.items()
        ]
        return former + super().get_urls()

    def former_step(self, request: HttpRequest, season: Season, *, name: str) -> HttpResponse:
        """Lead from a step's former address to its present one."""
        return HttpResponseRedirect(self._step_address(season, name))

    def _step_address(self, season: Season, name: str) -> str:
        return self.url_of("step", season, name=name)

    def step(self, request: HttpRequest, season: Season, *, name: str) -> HttpResponse:
        """Show what a step will do; take it."""
        page = answer_step(request, season, name)
        if page.season is not None:
            messages.success(request, page.step.announcement(page.season))
            return HttpResponseRedirect(page_of(page.season))
        return self.confirm(
            request,
            season,
            title=f"{page.step.label}: {season.name}",
            button=page.button,
            lines=page.run.lines,
            problems=page.problems,
            form=page.form,
            again=page.again,
            preview_button=str(page.step.preview_button),
            is_possible=page.run.is_possible,
            states=state_marks(season) if page.step.leads_on else (),
            tables=page.tables,
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
                take_step(season, Step.ARCHIVE, actor=access.signed_in(request), now=now)
            except Refused as refusal:
                messages.error(request, str(refusal))
            else:
                words = {"season": season.name}
                messages.success(request, _("“%(season)s” is archived.") % words)
        return None
