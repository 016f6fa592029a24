"""What was reported: matches and revisions."""

from __future__ import annotations

from django.contrib import admin, messages
from django.db.models import Prefetch, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from leagues import access, wording
from leagues.admin.base import ReadOnlyAdmin, ReasonForm, StepsMixin
from leagues.admin.columns import moment, renamed, season_name, zone_of
from leagues.admin.filters import LeagueFilter, days, typed
from leagues.domain.civil_days import day_of
from leagues.models import LedgerEntry, Match, MatchVersion, Participant, Revision
from leagues.selectors.names import bearers
from leagues.services.errors import Refused
from leagues.services.upkeep import MOST_VOIDED, void_matches

MOST_NAMED = 4
MOST_DIGITS = 18
"""A number of so many digits fits its column, whichever they are."""


@admin.register(Match)
class MatchAdmin(StepsMixin, ReadOnlyAdmin):
    list_display = (
        renamed("seq", gettext_lazy("number")),
        "players",
        "played",
        "status",
        "kind",
        season_name,
        renamed("mode", gettext_lazy("what was played")),
        renamed("source", gettext_lazy("entered via")),
    )
    list_filter = (
        "status",
        "kind",
        LeagueFilter,
        typed(gettext_lazy("address of the season"), "of", lambda word: Q(season__slug=word)),
        typed(
            gettext_lazy("id of a player"),
            "player",
            lambda word: Q(
                pk__in=Participant.objects.filter(player__key=word).values("match"),
            ),
        ),
        typed(
            gettext_lazy("account that entered it"),
            "by",
            lambda word: Q(entered_by__username=word),
        ),
        *days("played_at"),
    )
    # Read behind the page's matches: joined, SQLite begins with them and sorts all matches.
    list_select_related = ()
    search_fields = ("=external_id",)
    searched = gettext_lazy(
        "Searches the names of players, the number of a match, and its external id. To find a "
        "season or a day, use the filters."
    )
    sortable_by = ()
    ordering = ("-pk",)
    actions = ("void_selected",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        names = Participant.objects.select_related("player").order_by("rank", "side", "player__key")
        return (
            super()
            .get_queryset(request)
            .prefetch_related(Prefetch("participants", names), "season__league", "league", "mode")
        )

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Match], search_term: str
    ) -> tuple[QuerySet[Match], bool]:
        """Find the matches of whoever bears the name, not of each word of it."""
        typed_words = search_term.strip()
        if not typed_words:
            return queryset, False
        found = Q(external_id=typed_words)
        of_named = Participant.objects.filter(player__in=bearers(typed_words))
        found |= Q(pk__in=of_named.values("match"))
        if typed_words.isascii() and typed_words.isdecimal() and len(typed_words) <= MOST_DIGITS:
            found |= Q(seq=int(typed_words))
        return queryset.filter(found), False

    def view_on_site(self, obj: Match) -> str | None:
        if obj.seq is None:
            return None
        return reverse("leagues:match", args=[obj.season.league.slug, obj.season.slug, obj.seq])

    @admin.display(description=gettext_lazy("players, best first"))
    def players(self, match: Match) -> str:
        """Who played, the first few."""
        names = [row.player.name for row in match.participants.all()]
        more = [_("and %(count)d more") % {"count": len(names) - MOST_NAMED}]
        return ", ".join(names[:MOST_NAMED] + (more if len(names) > MOST_NAMED else []))

    @admin.display(description=gettext_lazy("played"))
    def played(self, match: Match) -> str:
        """The day, and the time of day where it is known."""
        zone = zone_of(match)
        if match.date_only:
            return wording.day(day_of(match.played_at, zone))
        return wording.moment(match.played_at, zone)

    @admin.action(description=gettext_lazy("Void the selected results"))
    def void_selected(self, request: HttpRequest, queryset: QuerySet[Match]) -> HttpResponse | None:
        """Ask why, then take the results out of the ratings as one revision."""
        chosen = list(
            queryset.select_related("season__league").order_by("season", "seq")[: MOST_VOIDED + 1]
        )
        confirmed = "confirmed" in request.POST
        form = ReasonForm(request.POST if confirmed else None, required=True)
        problems: list[str] = []
        if confirmed and form.is_valid() and chosen:
            try:
                revision = void_matches(
                    season=chosen[0].season,
                    matches=[match.pk for match in chosen],
                    author=access.signed_in(request),
                    reason=form.cleaned_data["reason"],
                )
            except Refused as refusal:
                problems = [problem.message for problem in refusal.problems]
            else:
                messages.success(request, self._voided(revision))
                return None
        count = len(chosen)
        return self.confirm(
            request,
            None,
            title=_("Void the selected results"),
            button=ngettext("Void %(count)d result", "Void %(count)d results", count)
            % {"count": count},
            lines=[
                _("They will no longer count, but stay visible. The boards will be rated again."),
                _("All of them are voided as one change, so you can undo it in one step."),
                *self._named(chosen),
            ],
            problems=problems,
            form=form,
            action="void_selected",
            selected=[match.pk for match in chosen],
        )

    def _named(self, chosen: list[Match]) -> list[str]:
        seasons: dict[str, int] = {}
        for match in chosen:
            seasons[str(match.season)] = seasons.get(str(match.season), 0) + 1
        return [
            ngettext("%(season)s: %(count)d result", "%(season)s: %(count)d results", count)
            % {"season": season, "count": count}
            for season, count in seasons.items()
        ]

    def _voided(self, revision: Revision | None) -> str:
        if revision is None:
            return _("They were already void.")
        count = int(revision.summary.get("matches", 0))
        return ngettext(
            "%(count)d result was voided by change %(number)d.",
            "%(count)d results were voided by change %(number)d.",
            count,
        ) % {"count": count, "number": revision.number}


@admin.register(Participant)
class ParticipantAdmin(ReadOnlyAdmin):
    list_display = (
        renamed("match_id", gettext_lazy("id of the match")),
        "player",
        "side",
        "rank",
        "score",
    )
    list_filter = (LeagueFilter,)
    list_select_related = ("player",)
    search_fields = ("=match__pk", "=player__key")
    searched = gettext_lazy("Searches the id of a match and the id of a player.")
    sortable_by = ()
    ordering = ("-pk",)


@admin.register(MatchVersion)
class MatchVersionAdmin(ReadOnlyAdmin):
    list_display = (renamed("match_id", gettext_lazy("id of the match")), "version", "revision")
    list_filter = (LeagueFilter,)
    list_select_related = ("revision",)
    search_fields = ("=match__pk",)
    searched = gettext_lazy("Searches the id of a match.")
    sortable_by = ()
    ordering = ("-pk",)


@admin.register(Revision)
class RevisionAdmin(ReadOnlyAdmin):
    list_display = (
        "number",
        season_name,
        "kind",
        "state",
        "author",
        renamed("source", gettext_lazy("entered via")),
        "reason",
        moment("created_at", gettext_lazy("made")),
    )
    list_filter = (
        "kind",
        "state",
        LeagueFilter,
        typed(gettext_lazy("account"), "by", lambda word: Q(author__username=word)),
        *days("created_at"),
    )
    list_select_related = ("season__league", "league", "author")
    search_fields = ("reason",)
    searched = gettext_lazy("Searches the reasons.")
    sortable_by = ()
    ordering = ("-pk",)

    def view_on_site(self, obj: Revision) -> str | None:
        if obj.number is None:
            return None
        season = obj.season
        return reverse("leagues:revision", args=[season.league.slug, season.slug, obj.number])


@admin.register(LedgerEntry)
class LedgerEntryAdmin(ReadOnlyAdmin):
    list_display = (
        renamed("seq", gettext_lazy("number")),
        season_name,
        "kind",
        moment("effective_at", gettext_lazy("in force from")),
    )
    list_filter = (LeagueFilter,)
    list_select_related = ("season__league", "league")
    search_fields = ("=league__slug",)
    searched = gettext_lazy("Searches the address of the league.")
    sortable_by = ()
