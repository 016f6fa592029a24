"""What the players of a board begin with together: what its settings and the admin do alike."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django import forms
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.translation import gettext as _

from leagues import access, wording
from leagues.bridge.openings import has_rungs
from leagues.domain.openings import has_opening
from leagues.forms.openings import RandomStartForm, SessionForm, UndoForm
from leagues.models import Board
from leagues.pages.openings import (
    OpeningTable,
    opening_lines,
    opening_table,
    opening_title,
    random_start_lines,
    session_lines,
)
from leagues.pages.session_choices import SessionChoice, session_choices
from leagues.services.errors import Problem, Refused
from leagues.services.openings import (
    OpeningPreview,
    opening_problems,
    preview_random_start,
    preview_session_rungs,
    start_in_order,
    start_randomly,
    undo_opening,
    undo_problems,
)

PROPOSED_SEEDS = 10_000
INVALID = 422


@dataclass(slots=True)
class OpeningPage:
    """What the page shows; `announcement` is what has been done, once it is."""

    title: str
    lines: tuple[str, ...]
    form: forms.Form
    problems: Sequence[Problem]
    button: str
    preview_button: str = ""
    """What the button says that shows another preview."""
    is_possible: bool = True
    table: OpeningTable | None = None
    announcement: str = ""
    status: int = 200


class _Drawing:
    """Ratings that a seed draws."""

    def __init__(self, board: Board) -> None:
        self.board = board

    def form(self, data: Mapping[str, str] | None) -> forms.Form:
        return RandomStartForm(data, initial={"seed": secrets.randbelow(PROPOSED_SEEDS)})

    def previewed(self, form: forms.Form) -> tuple[OpeningPreview, forms.Form]:
        """What would be drawn, and the form that draws just that."""
        seed = form.cleaned_data["seed"]
        preview = preview_random_start(self.board, seed)
        return preview, RandomStartForm(initial={"seed": seed, "seen": preview.fingerprint})

    def take(self, form: forms.Form, actor: User | None) -> int:
        return start_randomly(board=self.board, actor=actor, **form.cleaned_data)


class _Placing:
    """Rungs in the order of a game session."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.sessions = session_choices(board.league)

    def form(self, data: Mapping[str, str] | None) -> forms.Form:
        return SessionForm(data, choices=self._choices())

    def previewed(self, form: forms.Form) -> tuple[OpeningPreview, forms.Form]:
        """Who would be placed where, and the form that places just these."""
        chosen = self._chosen(form)
        preview = preview_session_rungs(self.board, chosen.order())
        initial = {"session": chosen.value, "seen": preview.fingerprint}
        return preview, SessionForm(choices=self._choices(), initial=initial)

    def take(self, form: forms.Form, actor: User | None) -> int:
        chosen = self._chosen(form)
        return start_in_order(
            board=self.board,
            keys=[player.key for player in chosen.order()],
            session=chosen.name,
            seen=form.cleaned_data["seen"],
            actor=actor,
        )

    def _choices(self) -> list[tuple[str, str]]:
        return [(one.value, one.label) for one in self.sessions]

    def _chosen(self, form: forms.Form) -> SessionChoice:
        return next(one for one in self.sessions if one.value == form.cleaned_data["session"])


def answer_opening(request: HttpRequest, board: Board) -> OpeningPage:
    """Show what can be chosen for a board, or undone; a POST previews it, and then does it."""
    data = request.POST if request.method == "POST" else None
    if has_opening(board) if data is None else "undo" in data:
        page = _answer_undo(board, data, access.signed_in(request))
    else:
        page = _answer_choice(board, data, access.signed_in(request))
    if data is not None and (page.problems or page.form.errors):
        page.status = INVALID
    return page


def _answer_undo(board: Board, data: Mapping[str, str] | None, actor: User | None) -> OpeningPage:
    problems = list(undo_problems(board))
    page = OpeningPage(
        title=opening_title(board),
        lines=() if problems else opening_lines(board),
        form=UndoForm({"undo": "on"}),
        problems=problems,
        button=_("Undo the rungs") if has_rungs(board) else _("Undo the random start"),
        is_possible=not problems,
    )
    if data is None or problems:
        return page
    try:
        undo_opening(board=board, actor=actor)
    except Refused as refused:
        page.problems = refused.problems
    else:
        page.announcement = _("Everyone begins as a newcomer.")
    return page


def _answer_choice(board: Board, data: Mapping[str, str] | None, actor: User | None) -> OpeningPage:
    problems = list(opening_problems(board))
    is_ladder = has_rungs(board)
    way = _Placing(board) if is_ladder else _Drawing(board)
    page = OpeningPage(
        title=opening_title(board),
        lines=() if problems else session_lines() if is_ladder else random_start_lines(board),
        form=way.form(data),
        problems=problems,
        button=_("Show who gets what"),
        is_possible=not problems,
    )
    if data is None or not page.form.is_valid():
        return page
    if problems and not page.form.cleaned_data["seen"]:
        # What is confirmed twice was done the first time, which is for the service to say.
        return page
    try:
        _take(page, way, data, actor)
        if not page.announcement:
            preview, page.form = way.previewed(page.form)
            page.table = opening_table(board, preview)
            page.button = _("Place them so") if is_ladder else _("Draw these ratings")
            page.preview_button = _("Show another session") if is_ladder else _("Show another seed")
    except Refused as refused:
        page.problems = refused.problems
    return page


def _take(
    page: OpeningPage, way: _Drawing | _Placing, data: Mapping[str, str], actor: User | None
) -> None:
    """Do what a preview has shown, if one has and no other one is wanted."""
    if not page.form.cleaned_data["seen"] or "preview" in data:
        return
    try:
        count = way.take(page.form, actor)
    except Refused as refused:
        page.problems = refused.problems
    else:
        words = _("Starting ratings saved for %(players)s.")
        page.announcement = words % {"players": wording.players(count)}
