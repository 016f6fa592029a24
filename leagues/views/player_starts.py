"""The ratings with which a player begins, given by organizers, with a preview of what they move."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from leagues import access
from leagues.access import Action
from leagues.forms.fields import focus_first_error
from leagues.forms.starts import StartForm
from leagues.models import Board, Player
from leagues.pages.correction_preview import PreviewPage, nothing_to_preview, preview_page
from leagues.pages.log import UNDOES
from leagues.pages.starts import StartBoard, start_boards
from leagues.selectors.starts import boards_carried_to, boards_with_starts
from leagues.services.errors import Refused
from leagues.services.starts import preview_start, set_start, start_of
from leagues.views.common import league_context
from leagues.views.players import lead_on
from leagues.views.previews import wants_preview

INVALID = 422


@dataclass(slots=True)
class StartSection:
    """A board with its form; `is_chosen` is the one that was sent."""

    board: StartBoard
    form: StartForm
    is_chosen: bool = False
    preview: PreviewPage | None = None


@require_http_methods(["GET", "HEAD", "POST"])
def starts(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Let an organizer say with which rating a player begins on each board."""
    try:
        player = access.player(request, slug, key, Action.PLAYERS)
    except Http404:
        return lead_on(request, slug, key, Action.PLAYERS, to="leagues:player_starts")
    boards = boards_with_starts(player.league)
    sections = _sections(player, boards)
    if request.method != "POST":
        return _page(request, player, sections)
    board = _chosen(boards, request.POST.get("board", ""))
    section = sections[board.pk]
    section.is_chosen = True
    section.form = form = _form(section.board, request)
    if not form.is_valid():
        focus_first_error(form)
        return _page(request, player, sections, INVALID)
    try:
        if wants_preview(request):
            section.preview = _preview(request, player, board, form)
            return _page(request, player, sections)
        is_new = set_start(
            board=board,
            player=player,
            start=form.start(),
            was=form.former_start(),
            actor=access.signed_in(request),
        )
    except Refused as refused:
        form.add_problems(refused.problems, start_of(board, player))
        if section.board.obstacle:
            # Its form is not on the page any more.
            messages.error(request, str(refused))
        focus_first_error(form)
        return _page(request, player, sections, INVALID)
    words = _("The starting rating on “%(board)s” is as it was.")
    if is_new:
        done = _("Undone.") if UNDOES in request.POST else _("Saved.")
        follows = _(
            "The ratings of “%(board)s” are computed again; you can undo this in the changes."
        )
        words = f"{done} {follows}"
    messages.success(request, words % {"board": board.name})
    return redirect("leagues:player_starts", slug, key)


def _chosen(boards: list[Board], word: str) -> Board:
    for board in boards:
        if str(board.pk) == word:
            return board
    raise Http404


def _preview(request: HttpRequest, player: Player, board: Board, form: StartForm) -> PreviewPage:
    state = preview_start(
        board=board,
        player=player,
        start=form.start(),
        was=form.former_start(),
        actor=access.signed_in(request),
    )
    return nothing_to_preview() if state is None else preview_page(state)


def _sections(player: Player, boards: list[Board]) -> dict[int, StartSection]:
    carried = boards_carried_to(player, boards)
    return {
        shown.pk: StartSection(shown, _form(shown))
        for shown in start_boards(player, boards, carried)
    }


def _form(shown: StartBoard, request: HttpRequest | None = None) -> StartForm:
    form = StartForm(
        None if request is None else request.POST,
        board_id=shown.pk,
        stored=shown.start,
        has_deviation=shown.has_deviation,
        has_anchors=shown.has_anchors,
    )
    form.fields["rating"].help_text = shown.newcomers
    if shown.has_deviation:
        form.fields["deviation"].help_text = shown.deviation_note
    return form


def _page(
    request: HttpRequest, player: Player, sections: dict[int, StartSection], status: int = 200
) -> HttpResponse:
    context = {
        **league_context(request, player.league, "board"),
        "player": player,
        "sections": [one for one in sections.values() if not one.board.obstacle],
        "others": [one.board for one in sections.values() if one.board.obstacle],
        "back": reverse("leagues:player_edit", args=[player.league.slug, player.key]),
    }
    return render(request, "leagues/player_starts.html", context, status=status)
