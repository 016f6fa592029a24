"""A whole night of results: lines that are kept while they are typed, reviewed, entered at once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from leagues import access, wording
from leagues.access import Action
from leagues.domain.nights import evening_of
from leagues.domain.who_plays import EntryShape, shape_called
from leagues.forms.night import (
    FORMER_FIELD,
    LINES_FIELD,
    SheetForm,
    empty_values,
    sheet_values,
)
from leagues.forms.settings import new_mode_values
from leagues.limits.throttle import Limit
from leagues.models import League, NightSheet, Revision, Season
from leagues.pages.correction_preview import PreviewPage
from leagues.pages.line_modes import add_address, heading_group_rows, line_group_rows
from leagues.pages.night import evening_hint, night_page
from leagues.pages.presence import PresencePane, presence_pane, tapped_names
from leagues.pages.revisions import revision_address
from leagues.pages.settings import mode_added_notice
from leagues.pages.sheet_examples import PlayedShape, placeholder, what_lines_can_say
from leagues.pages.undoing import lines_back_notice, linked_refusal
from leagues.pages.unknown_headings import KnownHeadings
from leagues.selectors.board_selection import BoardSelection
from leagues.selectors.entry_shapes import sheet_shapes
from leagues.selectors.night_sheets import (
    NightNames,
    night_names,
    request_of_sheet,
    sheet_of,
    usual_scores,
)
from leagues.services.entered_again import SOURCE
from leagues.services.entry import Entered
from leagues.services.entry_drafts import Answers
from leagues.services.entry_warnings import NeedsConfirmation
from leagues.services.errors import Refused
from leagues.services.leagues import add_mode
from leagues.services.night_reading import SheetReading, read_sheet, with_refusals
from leagues.services.night_sheets import (
    PageState,
    SheetContent,
    SheetEntered,
    answer_lines,
    clean_answers,
    content_of,
    discard_sheet,
    enter_sheet,
    save_sheet,
)
from leagues.services.presence import arriving_names, clean_present
from leagues.services.sheet_headings import answer_key, keep_modes
from leagues.services.undone_lines import put_lines_back
from leagues.views.common import league_context, look_of, wants_fragment
from leagues.views.entry import answers_of, closed_notice, enterer_of
from leagues.views.limits import ENTRIES, limit_requests
from leagues.views.previews import preview_of, wants_preview
from ratings.files.names import fold_name

SHEETS = Limit("sheet", uses=240, seconds=60)
"""Somebody who types has the sheet saved at every pause."""

MAX_DIGITS = 10
"""Digits of the number of a change."""


@dataclass
class Desk:
    """Where somebody types a sheet, and what the page says of it beside its lines."""

    request: HttpRequest
    league: League
    look: BoardSelection
    author: User
    notices: dict[str, Any] = field(default_factory=dict)

    def season_of(self, content: SheetContent) -> Season | None:
        """The season of a sheet: that of the address, else the open one that holds its day."""
        if self.request.GET.get("season"):
            return self.look.season
        at = self.league.midnight(content.day)
        open_ones = (row for row in self.look.seasons if row.takes_results and row.holds(at))
        return next(open_ones, self.look.season)

    def read(self, content: SheetContent, season: Season) -> SheetReading:
        """What the lines mean to whoever enters them."""
        return read_sheet(
            content.text,
            season=season,
            mode=content.mode,
            day=content.day,
            answers=Answers(content.answers),
            enterer=enterer_of(self.request, self.league),
            present=content.present,
            line_modes=content.line_modes,
        )

    def content(self, form: SheetForm) -> SheetContent:
        """What a valid form has sent, with whoever arrives."""
        content = self._with_modes_kept(form)
        present = [*form.present()]
        if self.request.POST.get("do") == "last":
            present += night_names(self.league).last_night
        if typed := form.arrival():
            self.notices |= {"arrival": "", "arrival_problem": "", "has_arrived": True}
            try:
                present += arriving_names(self.league, typed)
            except Refused as refused:
                problem = refused.problems[0].message
                self.notices |= {"arrival": typed, "arrival_problem": problem}
        return replace(content, present=clean_present(present))

    def _with_modes_kept(self, form: SheetForm) -> SheetContent:
        """What a form has sent, its lines headed where another mode was chosen below them."""
        content = form.content(clean_answers(answers_of(self.request).chosen))
        before = form.former_mode or content.mode
        headed = keep_modes(content.text, before, content.mode, form.modes.values())
        if headed.above:
            self.notices |= {"above": headed.above, "kept_in": before.name}
        return replace(content, text=headed.text)

    def save(self, content: SheetContent, page: PageState) -> NightSheet:
        """Save what a page sent, and note where another one has saved since."""
        saved = save_sheet(league=self.league, author=self.author, content=content, page=page)
        if saved.is_merged:
            self.notices |= {"is_merged": True, "appended": saved.appended}
        return saved.sheet


@require_http_methods(["GET", "HEAD", "POST"])
@limit_requests(SHEETS, method="POST")
def night(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Show the sheet; save it, show what it would do, enter it or throw it away."""
    league = access.league(request, slug, Action.ENTER)
    author = access.signed_in(request)
    if author is None:
        raise PermissionDenied
    desk = Desk(request, league, look_of(request, league), author)
    if request.method != "POST":
        return _stored_page(desk)
    do = request.POST.get("do", "")
    if do == "again":
        return _put_back(request, desk)
    form = SheetForm(league, request.POST)
    if do == "discard":
        return _discard(request, desk, form)
    if not form.is_valid() or desk.look.season is None:
        desk.notices["is_unsaved"] = True
        return _page(desk, form, None, status=422)
    if (shape := shape_called(request.POST.get("add", ""))) is not None:
        return _add_mode(request, desk, form, shape)
    if do == "enter":
        return _enter(request, desk, form)
    if wants_preview(request):
        return _preview_part(desk, form)
    return _saved_page(desk, form, is_review=do == "check")


def _discard(request: HttpRequest, desk: Desk, form: SheetForm) -> HttpResponse:
    """Throw a sheet away, unless it has lines by now that the page had not."""
    if discard_sheet(league=desk.league, author=desk.author, page=form.page()):
        messages.info(request, _("The sheet was discarded."))
    else:
        words = _("Not discarded: lines were saved from elsewhere meanwhile. Look at them first.")
        messages.warning(request, words)
    return HttpResponseRedirect(request.get_full_path())


def _put_back(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Put the lines of an undone entry on the sheet, and show it."""
    season, _mark, number = request.POST.get("change", "").partition("/")
    is_number = number.isascii() and number.isdigit() and len(number) < MAX_DIGITS
    if "\x00" in season or not is_number:
        raise Http404
    revision = access.revision(request, desk.league.slug, season, int(number), Action.UNDO)
    enterer = enterer_of(request, desk.league)
    try:
        lines = put_lines_back(revision=revision, enterer=enterer, author=desk.author)
    except Refused as refused:
        for problem in refused.problems:
            messages.error(request, linked_refusal(problem, desk.league))
    else:
        messages.info(request, lines_back_notice(lines))
    return HttpResponseRedirect(request.get_full_path())


def _stored_page(desk: Desk) -> HttpResponse:
    """The page of the sheet that is stored, or of an empty one."""
    stored = sheet_of(desk.league, desk.author)
    if stored is not None:
        return _page_of(desk, stored, str(uuid4()))
    mode = desk.look.board.mode if desk.look.board else desk.league.modes.all()[0]
    day = evening_of(timezone.now(), desk.league.zone)
    return _page(desk, SheetForm(desk.league, initial=empty_values(mode, day)), None)


def _saved_page(desk: Desk, form: SheetForm, *, is_review: bool) -> HttpResponse:
    """Save what was sent and show it.

    A sheet that was entered is not saved again unless somebody presses a button.
    """
    page = form.page()
    known = request_of_sheet(desk.league, SOURCE, page.key)
    if known is not None:
        desk.notices["entered_url"] = _address_of(desk, known.revision)
        if wants_fragment(desk.request):
            desk.notices["is_unsaved"] = True
            return _page(desk, form, desk.content(form))
        page = replace(page, key=None)
    try:
        stored = desk.save(desk.content(form), page)
    except SheetEntered:
        return _saved_page(desk, form, is_review=is_review)
    except Refused as refused:
        return _unsaved_page(desk, form, refused)
    return _page_of(desk, stored, page.writer, is_review=is_review)


def _add_mode(request: HttpRequest, desk: Desk, form: SheetForm, shape: EntryShape) -> HttpResponse:
    """Add what lines of a shape need, in which they are recorded from then on.

    The sheet is saved first; where the usual name is taken, somebody has to give another one.
    """
    league = access.league(request, desk.league.slug, Action.SETTINGS)
    page = _saved_page(desk, form, is_review=False)
    if "sheet" not in desk.notices:
        return page
    # Without a free name it is refused as an empty one is.
    values = {"name": "", **new_mode_values(league, shape)}
    try:
        mode = add_mode(league=league, actor=desk.author, **values)
    except ValidationError:
        return redirect(add_address(shape, league))
    answer_lines(league=league, author=desk.author, shape=shape, mode=mode)
    messages.success(request, mode_added_notice(mode, league))
    return redirect(request.get_full_path())


def _unsaved_page(desk: Desk, form: SheetForm, refused: Refused) -> HttpResponse:
    """The page as it was sent, with why it cannot be saved."""
    desk.notices |= {"is_unsaved": True, "refused": refused.problems}
    status = 200 if wants_fragment(desk.request) else 422
    return _page(desk, form, desk.content(form), status=status)


@limit_requests(ENTRIES, method="POST")
def _enter(request: HttpRequest, desk: Desk, form: SheetForm) -> HttpResponse:
    """Enter what was reviewed; what came in between is reviewed first."""
    page, content = form.page(), desk.content(form)
    known = request_of_sheet(desk.league, SOURCE, page.key)
    if known is not None and known.payload_hash == content.fingerprint:
        return HttpResponseRedirect(_address_of(desk, known.revision))
    if known is not None:
        return _saved_page(desk, form, is_review=True)
    try:
        stored = desk.save(content, page)
    except SheetEntered:
        return _saved_page(desk, form, is_review=True)
    except Refused as refused:
        return _unsaved_page(desk, form, refused)
    content = content_of(stored)
    season = desk.season_of(content)
    reading = desk.read(content, season) if season else None
    is_reviewed = request.POST.get("checked") == content.fingerprint
    if season and reading and reading.can_be_entered and is_reviewed:
        try:
            entered = _enter_read(desk, stored, season, reading, confirmed=_ticked(request))
            return HttpResponseRedirect(_address_of(desk, entered.revision))
        except NeedsConfirmation:
            desk.notices["must_confirm"] = True
        except Refused:
            # The review says it at the lines it is about.
            desk.notices["is_changed"] = True
    else:
        desk.notices["is_changed"] = True
    return _page_of(desk, stored, page.writer, is_review=True, status=422)


def _ticked(request: HttpRequest) -> list[str]:
    """The codes that were confirmed; one tick may have several."""
    return " ".join(request.POST.getlist("settled")).split()


def _enter_read(
    desk: Desk,
    sheet: NightSheet,
    season: Season,
    reading: SheetReading,
    *,
    confirmed: Collection[str],
) -> Entered:
    return enter_sheet(
        season=season,
        content=content_of(sheet),
        reading=reading,
        enterer=enterer_of(desk.request, desk.league),
        confirmed=confirmed,
        key=sheet.key,
        version=sheet.version,
    )


def _address_of(desk: Desk, revision: Revision) -> str:
    return revision_address(desk.league, revision.season, revision.number)


def _preview_part(desk: Desk, form: SheetForm) -> HttpResponse:
    """How far the preview is of a sheet that was saved."""
    stored = sheet_of(desk.league, desk.author)
    season = stored and desk.season_of(content_of(stored))
    context: dict[str, Any] = {"form": form}
    if stored and season:
        reading = desk.read(content_of(stored), season)
        context["preview"], _reading = _preview(desk, stored, season, reading)
    return render(desk.request, "leagues/night.html#preview", context)


def _preview(
    desk: Desk, sheet: NightSheet, season: Season, reading: SheetReading
) -> tuple[PreviewPage | None, SheetReading]:
    """What entering a sheet would do, or the sheet with what would be refused."""
    codes = [warning.code for warning in reading.warnings]

    def change() -> Revision:
        return _enter_read(desk, sheet, season, reading, confirmed=codes).revision

    try:
        return preview_of(desk.request, season, change, matches=len(reading.matches)), reading
    except NeedsConfirmation:
        # Somebody else entered one of the results just now: the next check asks about it.
        return None, reading
    except Refused as refused:
        return None, with_refusals(reading, refused.problems)


def _page_of(
    desk: Desk, sheet: NightSheet, writer: str, *, is_review: bool = False, status: int = 200
) -> HttpResponse:
    """The page of a stored sheet, with what it would do where that is asked."""
    form = SheetForm(desk.league, initial=sheet_values(sheet, writer))
    desk.notices |= {
        "sheet": sheet,
        "is_review": is_review,
        "saved_at": wording.clock(sheet.updated_at.astimezone(desk.league.zone)),
    }
    return _page(desk, form, content_of(sheet), status=status)


def _page(
    desk: Desk, form: SheetForm, content: SheetContent | None, *, status: int = 200
) -> HttpResponse:
    request, season = desk.request, desk.look.season
    is_part = wants_fragment(request)
    day = form["day"]
    day.help_text = evening_hint(day.value(), desk.league.zone, timezone.now())
    context: dict[str, Any] = {
        "form": form,
        "answered": list(clean_answers(answers_of(request).chosen).items()),
        "other_line_modes": _line_fields(form.line_modes()),
    }
    present = content.present if content else form.present()
    if content is not None and (season := desk.season_of(content)):
        context |= _read_context(desk, form, content, season)
    if not is_part:
        names = night_names(desk.league)
        on_lines = context["page"].known_names if "page" in context else ()
        context |= {
            **league_context(request, desk.league, "enter"),
            **closed_notice(request, desk.league, desk.look, "leagues:night"),
            "names": tuple(dict.fromkeys([*present, *on_lines, *names.to_complete])),
            "tapped": tapped_names(present, names, on_lines),
            **_words_of_mode(desk, form),
            "pane": _pane(desk, present, names),
        }
    elif desk.notices.get("is_merged") or desk.notices.get("has_arrived"):
        pane = _pane(desk, present, night_names(desk.league))
        context |= {"pane": pane, "swaps_chips": True}
    if is_part and request.POST.get(FORMER_FIELD) != form["mode"].value():
        context |= {**_words_of_mode(desk, form), "has_other_mode": True}
    context |= {"league": desk.league, "season": season, **desk.notices}
    part = "#readings" if is_part else ""
    return render(request, f"leagues/night.html{part}", context, status=status)


def _words_of_mode(desk: Desk, form: SheetForm) -> dict[str, Any]:
    """The scores to tap and the lines to learn from, in the mode that is chosen."""
    chosen = form.chosen_mode
    shapes = [
        PlayedShape(shape, form.rule_for(shape)) for shape in sheet_shapes(desk.league, chosen)
    ]
    return {
        "scores": usual_scores(desk.league, form.score_rule),
        "pairs": form.tapped_pairs,
        "placeholder": placeholder(shapes),
        "examples": what_lines_can_say(
            shapes,
            has_draws=desk.league.draws_allowed,
            kinds=form.kinds,
            other_mode=next((mode for mode in form.modes.values() if mode != chosen), None),
        ),
    }


def _pane(desk: Desk, present: Sequence[str], names: NightNames) -> PresencePane:
    """Who is there, open where that was just changed by a button."""
    return replace(
        presence_pane(present, names),
        arrival=desk.notices.get("arrival", ""),
        problem=desk.notices.get("arrival_problem", ""),
        is_open=desk.request.POST.get("do") in ("arrive", "last"),
    )


def _read_context(
    desk: Desk, form: SheetForm, content: SheetContent, season: Season
) -> dict[str, Any]:
    reading = desk.read(content, season)
    context: dict[str, Any] = {"checked": content.fingerprint}
    sheet = desk.notices.get("sheet")
    if sheet and desk.notices["is_review"] and reading.can_be_entered:
        context["preview"], reading = _preview(desk, sheet, season, reading)
    asked = {fold_name(name.name) for name in reading.questions}
    context["answered"] = [pair for pair in content.answers.items() if pair[0] not in asked]
    ticked = _ticked(desk.request)
    asked = {group.shape.value for group in reading.groups}
    asked |= {answer_key(group.name) for group in reading.heading_groups}
    others = {key: slug for key, slug in content.line_modes.items() if key not in asked}
    context["other_line_modes"] = _line_fields(others)
    may_add = access.is_allowed(access.principal_of(desk.request), Action.SETTINGS, desk.league)
    names = [mode.name for mode in form.modes.values()]
    groups = [
        *heading_group_rows(reading.heading_groups),
        *line_group_rows(reading.groups, content.mode, names=names, may_add=may_add),
    ]
    context["line_groups"] = sorted(groups, key=lambda row: row.line)
    known = KnownHeadings(desk.league, content.mode, [*form.modes.values()], may_add)
    page = night_page(reading, season, timezone.now(), ticked, known=known)
    return context | {"page": page}


def _line_fields(line_modes: Mapping[str, str]) -> list[tuple[str, str]]:
    """What was chosen for lines of some shapes, as hidden fields that keep it."""
    return [(f"{LINES_FIELD}{shape}", slug) for shape, slug in line_modes.items()]
