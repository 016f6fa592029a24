"""Boards: verifying, recalculating, trying other parameters and changing the rules."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from leagues import access, bridge, wording
from leagues.admin.base import Button, ReadOnlyAdmin, ReasonForm, StepsMixin, page_of
from leagues.admin.columns import moment, renamed, season_name
from leagues.admin.filters import LeagueFilter, chosen, yes_or_no
from leagues.admin.forms import ChangeRulesForm
from leagues.forms.trials import TrialForm
from leagues.models import Board, BoardRules, Standing, Trial
from leagues.pages.boards import board_address
from leagues.pages.changes import changes_between, sentence
from leagues.pages.openings import opening_title
from leagues.pages.trials import recent_trials
from leagues.pages.upkeep import board_work, describe_recalculation
from leagues.services.errors import Refused
from leagues.services.openings import offers_opening
from leagues.services.recalculation import recalculate_board
from leagues.services.rules import change_rules, preview_rules
from leagues.services.trials import start_trial
from leagues.services.upkeep import verify_now
from leagues.views.openings import answer_opening

MOST_VERIFIED = 200


def system_choices() -> list[tuple[str, str]]:
    """The rating systems for a filter."""
    return [(info.name, info.title) for info in bridge.systems()]


@admin.register(Board)
class BoardAdmin(StepsMixin, ReadOnlyAdmin):
    change_form_template = "admin/leagues/board.html"
    list_display = (
        "name",
        season_name,
        "title",
        "state",
        renamed("rated_matches", gettext_lazy("results rated")),
        moment("verified_at", gettext_lazy("last replayed")),
        renamed("differences", gettext_lazy("differences found")),
    )
    list_filter = (
        "state",
        chosen(gettext_lazy("rating system"), "system", system_choices),
        LeagueFilter,
    )
    list_select_related = ("season__league",)
    search_fields = ("name", "=league__slug")
    searched = gettext_lazy("Searches the names of boards and the address of the league.")
    fields = (
        "season",
        "mode",
        "name",
        "title",
        "rules_now",
        "state",
        ("rated", "refused"),
        "reached",
        ("computed", "replayed"),
        "seal",
    )
    readonly_fields = ("title", "rules_now", "rated", "refused", "reached", "computed", "replayed")
    actions = ("verify_selected",)
    steps = (
        ("recalculate/", "recalculate"),
        ("verify/", "verify"),
        ("try/", "try_parameters"),
        ("rules/", "rules"),
        ("start/", "opening"),
    )

    def view_on_site(self, obj: Board) -> str:
        return board_address(obj)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Board]:
        return super().get_queryset(request).select_related("league", "season", "mode")

    @admin.display(description=gettext_lazy("rating system"))
    def title(self, board: Board) -> str:
        """The name of the rating system."""
        return bridge.system_info(board.system).title

    @admin.display(description=gettext_lazy("rated"))
    def rated(self, board: Board) -> str:
        """How many results its ratings rest on."""
        return wording.results(board.rated_matches)

    @admin.display(description=gettext_lazy("cannot be rated"))
    def refused(self, board: Board) -> str:
        """How many results its system has no rating for."""
        return wording.results(board.refused_matches)

    @admin.display(description=gettext_lazy("computation"))
    def reached(self, board: Board) -> str:
        """Which computation is shown, and up to which entry of the season it goes."""
        words = _("number %(generation)s, up to change %(rated_through_revision)s of the season")
        return words % {
            "generation": wording.count(board.generation),
            "rated_through_revision": wording.count(board.rated_through_revision),
        }

    @admin.display(description=gettext_lazy("last computed"))
    def computed(self, board: Board) -> str:
        """When its ratings changed last."""
        at = board.computed_at
        return wording.moment(at, board.league.zone) if at else wording.NOTHING

    @admin.display(description=gettext_lazy("last replayed"))
    def replayed(self, board: Board) -> str:
        """When replays of all, and of changes since, were compared with what is stored."""
        if board.verified_at is None:
            return _("never")
        words = _("%(moment)s, differences: %(count)s")
        if board.changes_verified_at is not None:
            words = _("%(moment)s, changes since then %(changes)s, differences: %(count)s")
        zone, last = board.league.zone, board.changes_verified_at or board.verified_at
        return words % {
            "moment": wording.moment(board.verified_at, zone),
            "changes": wording.moment(last, zone),
            "count": wording.count(board.differences),
        }

    @admin.display(description=gettext_lazy("parameters"))
    def rules_now(self, board: Board) -> str:
        """The parameters in words, a line each."""
        told = {"system": board.system, "parameters": board.parameters}
        changes = changes_between(None, told, board.league.zone, most=len(board.parameters) + 1)
        lines = ((sentence(change),) for change in changes[1:])
        return format_html("<ul>{}</ul>", format_html_join("", "<li>{}</li>", lines))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show the board with the work on it and what can be done."""
        context = extra_context or {}
        board = self.get_object(request, object_id)
        if board is not None:
            work = board_work(board, now=timezone.now())
            context |= {
                "buttons": self._buttons(board),
                "work": work,
                "recalculated": describe_recalculation(board),
                "trials": recent_trials(board, timezone.now()),
                "is_moving": any(row.is_under_way for row in work),
            }
        return super().change_view(request, object_id, form_url, context)

    def _buttons(self, board: Board) -> list[Button]:
        buttons = [Button(_("Verify by a replay"), self.url_of("verify", board))]
        if not board.season.is_sealed:
            buttons += [
                Button(_("Recalculate"), self.url_of("recalculate", board)),
                Button(_("Change the rules"), self.url_of("rules", board)),
            ]
        if offers_opening(board):
            buttons.append(Button(opening_title(board), self.url_of("opening", board)))
        buttons.append(Button(_("Try other parameters"), self.url_of("try_parameters", board)))
        return buttons

    def recalculate(self, request: HttpRequest, board: Board) -> HttpResponse:
        """Ask, then compute the board from its first match."""
        form = ReasonForm(request.POST if request.method == "POST" else None)
        problems: list[str] = []
        if request.method == "POST" and form.is_valid():
            try:
                recalculate_board(
                    board=board, actor=access.signed_in(request), reason=form.cleaned_data["reason"]
                )
            except Refused as refusal:
                problems = [problem.message for problem in refusal.problems]
            else:
                messages.success(
                    request,
                    _("The board is being recalculated. This page will show when it is done."),
                )
                return HttpResponseRedirect(page_of(board))
        return self.confirm(
            request,
            board,
            title=_("Recalculate: %(board)s") % {"board": board.name},
            button=_("Recalculate"),
            lines=[
                _("Every rating is computed again from the first match, in the background."),
                _("The current standings stay visible until the new ones are complete."),
                _("Afterwards, this board’s page will list the players whose rank has changed."),
            ],
            problems=problems,
            form=form,
        )

    def verify(self, request: HttpRequest, board: Board) -> HttpResponse:
        """Ask, then compare what is stored with a replay."""
        if request.method == "POST":
            verify_now(board=board)
            messages.success(
                request, _("The board is being verified. This page will show what was found.")
            )
            return HttpResponseRedirect(page_of(board))
        return self.confirm(
            request,
            board,
            title=_("Verify by a replay: %(board)s") % {"board": board.name},
            button=_("Verify by a replay"),
            lines=[_("Every match is replayed and compared with what is stored; nothing changes.")],
        )

    def try_parameters(self, request: HttpRequest, board: Board) -> HttpResponse:
        """Compute beside the board what other parameters would have made of it."""
        form = TrialForm(board, request.POST if request.method == "POST" else None)
        if form.is_bound and form.is_valid():
            try:
                start_trial(
                    board=board,
                    parameters=form.parameters,
                    effective_at=form.effective_at,
                    actor=access.signed_in(request),
                )
            except ValidationError as error:
                form.refuse(error)
            else:
                messages.success(
                    request,
                    _(
                        "The parameters are being tried. This page will show what they would "
                        "change."
                    ),
                )
                return HttpResponseRedirect(page_of(board))
        return self.confirm(
            request,
            board,
            title=_("Try other parameters: %(board)s") % {"board": board.name},
            button=_("Try them"),
            lines=[_("The season is replayed on a copy of the board; nothing changes.")],
            form=form,
        )

    def rules(self, request: HttpRequest, board: Board) -> HttpResponse:
        """Change a board's parameters, from a day or from the first match on."""
        form = ChangeRulesForm(board, request.POST if request.method == "POST" else None)
        problems: list[str] = []
        if form.is_bound and form.is_valid():
            tries, actor = "preview" in request.POST, access.signed_in(request)
            try:
                if tries:
                    preview_rules(
                        board,
                        parameters=form.parameters,
                        effective_at=form.effective_at,
                        actor=actor,
                    )
                else:
                    reason = form.cleaned_data["reason"]
                    change_rules(
                        board,
                        parameters=form.parameters,
                        effective_at=form.effective_at,
                        actor=actor,
                        reason=reason,
                    )
            except ValidationError as error:
                form.refuse(error)
            except Refused as refusal:
                problems = [problem.message for problem in refusal.problems]
            else:
                messages.success(
                    request,
                    _("These rules are being tried. This page will show what they would change.")
                    if tries
                    else _("The rules were changed. The board is being rated with them."),
                )
                return HttpResponseRedirect(page_of(board))
        return self.confirm(
            request,
            board,
            title=_("Change the rules: %(board)s") % {"board": board.name},
            button=_("Change the rules"),
            lines=[
                _("The rules page still lists the old rules, with who changed them and why."),
                _("“Try them first” shows on the board’s page what would change."),
            ],
            problems=problems,
            form=form,
            preview_button=_("Try them first"),
        )

    def opening(self, request: HttpRequest, board: Board) -> HttpResponse:
        """Show what the players can begin with together; let them, or undo it."""
        page = answer_opening(request, board)
        if page.announcement:
            messages.success(request, page.announcement)
            return HttpResponseRedirect(page_of(board))
        return self.confirm(
            request,
            board,
            title=f"{page.title}: {board.name}",
            button=page.button,
            lines=page.lines,
            problems=[problem.message for problem in page.problems],
            form=page.form if page.is_possible else None,
            preview_button=page.preview_button,
            is_possible=page.is_possible,
            template="admin/leagues/opening.html",
            table=page.table,
        )

    @admin.action(description=gettext_lazy("Verify the selected boards"))
    def verify_selected(self, request: HttpRequest, queryset: QuerySet[Board]) -> None:
        """Queue a check of each."""
        chosen_boards = list(queryset[:MOST_VERIFIED])
        for board in chosen_boards:
            verify_now(board=board)
        words = ngettext(
            "%(count)d board is being verified.",
            "%(count)d boards are being verified.",
            len(chosen_boards),
        )
        messages.success(request, words % {"count": len(chosen_boards)})


@admin.register(BoardRules)
class BoardRulesAdmin(ReadOnlyAdmin):
    list_display = (
        "board",
        "number",
        moment("effective_at", gettext_lazy("in force from")),
        renamed("is_replaced", gettext_lazy("replaced"), is_yes_or_no=True),
        "author",
        moment("created_at", gettext_lazy("made")),
    )
    list_filter = (yes_or_no("is_replaced", gettext_lazy("replaced")), LeagueFilter)
    list_select_related = ("board", "league", "author")
    search_fields = ("=league__slug", "reason")
    searched = gettext_lazy("Searches the address of the league and the reasons.")
    ordering = ("-pk",)


@admin.register(Trial)
class TrialAdmin(ReadOnlyAdmin):
    list_display = (
        season_name,
        "kind",
        "board",
        "author",
        moment("created_at", gettext_lazy("asked for")),
        moment("finished_at", gettext_lazy("finished")),
    )
    list_filter = ("kind", LeagueFilter)
    list_select_related = ("season__league", "league", "board", "author")
    search_fields = ("=league__slug",)
    searched = gettext_lazy("Searches the address of the league.")
    ordering = ("-pk",)


@admin.register(Standing)
class StandingAdmin(ReadOnlyAdmin):
    list_display = (
        "player",
        "board",
        renamed("generation", gettext_lazy("computation")),
        renamed("shown", gettext_lazy("rating")),
        renamed("games", gettext_lazy("results")),
        moment("last_played_at", gettext_lazy("last played")),
    )
    list_filter = (LeagueFilter,)
    list_select_related = ("player", "board", "league")
    search_fields = ("=league__slug", "=player__key")
    searched = gettext_lazy("Searches the address of the league and the id of a player.")
    sortable_by = ()
    ordering = ("-pk",)
    exclude = ("state",)
