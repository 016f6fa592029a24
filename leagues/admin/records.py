"""What was done: jobs and the audit of settings."""

from __future__ import annotations

from django.contrib import admin, messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from leagues import access
from leagues.admin.base import ReadOnlyAdmin
from leagues.admin.columns import moment, renamed
from leagues.admin.filters import LeagueFilter, chosen, days, typed
from leagues.models import AuditEntry, Job
from leagues.pages.changes import ACTIONS, action_name, changes_between, sentence
from leagues.pages.work import SENTENCES, job_title
from leagues.services.upkeep import retry_jobs

MOST_RETRIED = 500


def kind_choices() -> list[tuple[str, str]]:
    """The kinds of work for a filter."""
    return [(kind, kind.replace("_", " ")) for kind in sorted(SENTENCES)]


def action_choices() -> list[tuple[str, str]]:
    """What can be recorded for a filter."""
    return [(action, str(words)) for action, words in sorted(ACTIONS.items())]


@admin.register(Job)
class JobAdmin(ReadOnlyAdmin):
    list_display = (
        renamed("pk", gettext_lazy("number")),
        "kind",
        "league",
        "key",
        "state",
        "stage",
        renamed("attempts", gettext_lazy("tries")),
        moment("created_at", gettext_lazy("asked for")),
        moment("finished_at", gettext_lazy("finished")),
    )
    list_filter = (
        "state",
        chosen(gettext_lazy("kind"), "kind", kind_choices),
        LeagueFilter,
        *days("created_at"),
    )
    list_select_related = ("league",)
    search_fields = ("=key",)
    searched = gettext_lazy("Searches the key.")
    sortable_by = ()
    ordering = ("-pk",)
    actions = ("retry",)
    fields = (
        "what",
        ("kind", "key", "league"),
        ("state", "stage"),
        ("done", "total"),
        ("attempts", "requests", "author"),
        ("created_at", "started_at", "finished_at", "run_after"),
        "why",
        "params",
        "result",
    )
    readonly_fields = ("what", "why")

    @admin.display(description=gettext_lazy("what it does"))
    def what(self, job: Job) -> str:
        """The job in words."""
        return job_title(job)

    @admin.display(description=gettext_lazy("why it stopped"))
    def why(self, job: Job) -> str:
        """The trace of the error, its lines kept."""
        return format_html('<pre class="wrap-text">{}</pre>', job.error) if job.error else "–"

    @admin.action(description=gettext_lazy("Try the selected failed jobs again"))
    def retry(self, request: HttpRequest, queryset: QuerySet[Job]) -> None:
        """Queue those that failed once more."""
        failed = queryset.filter(state=Job.State.FAILED).select_related("league")
        queued = retry_jobs(jobs=failed[:MOST_RETRIED], actor=access.signed_in(request))
        if queued:
            words = ngettext(
                "%(count)d job will be retried.", "%(count)d jobs will be retried.", queued
            )
            messages.success(request, words % {"count": queued})
        else:
            messages.warning(request, _("None of the selected jobs has failed."))


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin):
    list_display = (
        moment("created_at", gettext_lazy("when")),
        "league",
        renamed("actor", gettext_lazy("account")),
        "what",
        "subject",
        "first_change",
    )
    list_filter = (
        chosen(gettext_lazy("what was done"), "action", action_choices),
        LeagueFilter,
        typed(gettext_lazy("account"), "by", lambda word: Q(actor__username=word)),
        typed(gettext_lazy("id of a player"), "player", lambda word: Q(player__key=word)),
        *days("created_at"),
    )
    list_select_related = ("league", "actor")
    search_fields = ("subject",)
    searched = gettext_lazy("Searches the subjects.")
    sortable_by = ()
    ordering = ("-pk",)
    fields = (
        "what",
        ("league", "season", "player"),
        "subject",
        "actor",
        "created_at",
        "changes",
    )
    readonly_fields = ("what", "changes")

    @admin.display(description=gettext_lazy("what was done"))
    def what(self, entry: AuditEntry) -> str:
        """The action in words."""
        return action_name(entry.action)

    @admin.display(description=gettext_lazy("from and to"))
    def first_change(self, entry: AuditEntry) -> str:
        """The first change in a line."""
        said = self._sentences(entry)
        return said[0] + (" …" if len(said) > 1 else "") if said else "–"

    @admin.display(description=gettext_lazy("from and to"))
    def changes(self, entry: AuditEntry) -> str:
        """Every change, a line each."""
        lines = ((line,) for line in self._sentences(entry))
        return format_html("<ul>{}</ul>", format_html_join("", "<li>{}</li>", lines))

    def _sentences(self, entry: AuditEntry) -> list[str]:
        zone = entry.league.zone if entry.league else timezone.get_default_timezone()
        return [sentence(change) for change in changes_between(entry.before, entry.after, zone)]
