"""Night sheets: saved while they are typed, entered as one revision, discarded."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, Final
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from leagues.domain.civil_days import day_of
from leagues.domain.who_plays import EntryShape
from leagues.models import League, Mode, NightSheet, RequestKey, Revision, Season
from leagues.services.entered_again import SOURCE, note_entered_again
from leagues.services.entry import Entered, Enterer, RequestName, enter_results
from leagues.services.entry_drafts import NEW
from leagues.services.errors import Problem, Refused
from leagues.services.likeness import all_short_for
from leagues.services.line_modes import LineModes
from leagues.services.night_reading import MAX_KNOWN, SheetReading
from leagues.services.presence import clean_present
from leagues.services.rosters import KEY, spellings
from leagues.services.sheet_headings import heading, headings_of
from leagues.services.sheet_meanings import Place
from leagues.services.sheet_merging import lines_left, merged_lines
from leagues.services.short_names import remember_with
from leagues.services.spellings import Spelling
from ratings.files.names import NameProblem, clean_name, fold_name
from ratings.files.written_sides import known_names

MAX_LETTERS: Final = 40_000
MAX_ANSWERS: Final = 1000


@dataclass(frozen=True, slots=True)
class SheetContent:
    """What a page has of a sheet: its lines, their mode and day, whom names mean, who is there.

    `line_modes` are the addresses of other modes, by the shapes of the lines recorded in them.
    """

    mode: Mode
    day: date
    text: str
    answers: Mapping[str, str]
    present: tuple[str, ...] = ()
    line_modes: Mapping[str, str] = field(default_factory=dict)

    @property
    def fingerprint(self) -> str:
        """A hash by which what was checked is recognised when it is entered."""
        said: list[Any] = [self.mode.slug, self.day.isoformat(), self.text]
        said.append(sorted(self.answers.items()))
        if self.present:
            # Who is there decides whom a short name means.
            said.append(sorted(map(fold_name, self.present)))
        if self.line_modes:
            said.append({"line_modes": sorted(self.line_modes.items())})
        return hashlib.sha256(json.dumps(said).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class PageState:
    """The page that saves: which version it began with, and who it is."""

    version: int
    writer: str
    key: UUID | None = None


class SheetEntered(Exception):
    """The lines of a page were entered already, under the key that it sends."""


@dataclass(frozen=True, slots=True)
class SavedSheet:
    """A saved sheet, and how many lines of the page went below lines saved elsewhere."""

    sheet: NightSheet
    appended: int = 0
    is_merged: bool = False


def content_of(sheet: NightSheet) -> SheetContent:
    """What is stored of a sheet, as a page has it."""
    return SheetContent(
        sheet.mode, sheet.day, sheet.text, sheet.answers, tuple(sheet.present), sheet.line_modes
    )


def clean_answers(answers: Mapping[str, str]) -> dict[str, str]:
    """The answers about names that can be one, by folded name; the newest where there are many."""
    cleaned = {}
    for name, answer in answers.items():
        try:
            folded = fold_name(clean_name(name))
        except NameProblem:
            continue
        if answer == NEW or KEY.match(answer):
            cleaned[folded] = answer
    return dict(list(cleaned.items())[-MAX_ANSWERS:])


@transaction.atomic
def save_sheet(
    *, league: League, author: User, content: SheetContent, page: PageState
) -> SavedSheet:
    """Store what a page has; holds the sheet meanwhile.

    Where another page has saved since, its lines stay and those of this page that are not among
    them go below. Raises SheetEntered for the page of a sheet that was entered, Refused where the
    lines of two pages cannot be one sheet.
    """
    sheet, is_new = NightSheet.objects.select_for_update().get_or_create(
        league=league,
        author=author,
        defaults={**_columns(content), "writer": page.writer, "key": page.key or uuid4()},
    )
    # Only now that the sheet is held is it known whether it was entered meanwhile.
    if _is_entered(league, page.key):
        raise SheetEntered
    if is_new:
        return SavedSheet(sheet)
    if _is_entered(league, sheet.key):
        sheet.key = uuid4()
    is_stale = sheet.version != page.version and sheet.writer != page.writer
    saved = SavedSheet(sheet)
    if is_stale:
        content, appended = _merge(content_of(sheet), content, league)
        saved = SavedSheet(sheet, appended, is_merged=True)
    if not content.text.strip():
        sheet.origins = []
    if any(getattr(sheet, name) != value for name, value in _columns(content).items()):
        for name, value in _columns(content).items():
            setattr(sheet, name, value)
        sheet.version += 1
        sheet.updated_at = timezone.now()
    sheet.writer = page.writer
    sheet.save()
    return saved


def _is_entered(league: League, key: UUID | None) -> bool:
    return (
        key is not None
        and RequestKey.objects.filter(league=league, source=SOURCE, key=str(key)).exists()
    )


def _columns(content: SheetContent) -> dict[str, Any]:
    return {
        "mode": content.mode,
        "day": content.day,
        "text": content.text,
        "answers": dict(content.answers),
        "present": list(content.present),
        "line_modes": dict(content.line_modes),
    }


def _merge(stored: SheetContent, mine: SheetContent, league: League) -> tuple[SheetContent, int]:
    """The stored lines with those of mine that are not among them below, each on its own day.

    The mode is mine: the page that sends it goes on in it, and lines of another one are headed.
    """
    line_modes = {**mine.line_modes, **stored.line_modes}
    # Lines of another mode are headed by its name.
    texts = [stored.text, mine.text, heading(stored.mode) if stored.mode != mine.mode else ""]
    headings = headings_of("\n".join(texts), league, line_modes)
    text, appended = merged_lines(
        stored.text,
        Place(stored.day, stored.mode),
        mine.text,
        Place(mine.day, mine.mode),
        today=day_of(timezone.now(), league.zone),
        knows=known_names(spellings(league, MAX_KNOWN)),
        match_kinds=LineModes(mine.mode, line_modes).kind_names([stored.mode, *headings.modes]),
        headings=headings,
    )
    if len(text) > MAX_LETTERS:
        words = _(
            "With the lines of another page this sheet would be too long. Enter those first; your "
            "lines are not saved."
        )
        raise Refused([Problem("text", "too_long", words)])
    merged = replace(
        stored,
        mode=mine.mode,
        text=text,
        answers={**mine.answers, **stored.answers},
        present=clean_present([*stored.present, *mine.present]),
        line_modes=line_modes,
    )
    return merged, appended


@transaction.atomic
def answer_lines(*, league: League, author: User, shape: EntryShape, mode: Mode) -> None:
    """Record the lines of a shape in a mode from now on, where somebody has a sheet.

    The version stays: nothing was typed meanwhile that another page could lack.
    """
    sheet = NightSheet.objects.select_for_update().filter(league=league, author=author).first()
    if sheet is not None:
        sheet.line_modes = {**sheet.line_modes, shape.value: mode.slug}
        sheet.save(update_fields=["line_modes"])


@transaction.atomic
def enter_sheet(
    *,
    season: Season,
    content: SheetContent,
    reading: SheetReading,
    enterer: Enterer,
    confirmed: Collection[str],
    key: UUID,
    version: int,
) -> Entered:
    """Enter all matches of a sheet as one revision, under its key once, and forget the sheet.

    Of a sheet that has another version by now the lines are kept that were not entered. Spellings
    that were answered for are remembered until the revision is undone, unless a name is short for
    somebody: whom it means may be another one on another night. Raises what `enter_results` raises.
    """
    entered = enter_results(
        season=season,
        mode=content.mode,
        entries=[line.entry for line in reading.matches if line.entry],
        enterer=enterer,
        kind=Revision.Kind.ENTRY,
        answers=reading.answers,
        confirmed=[*confirmed, *reading.accepted],
        request=RequestName(str(key), content.fingerprint),
    )
    spellings_answered = {
        name.name: Spelling(name.answer)
        for name in reading.questions
        if not name.is_shared
        and not all_short_for(name.name, name.candidates)
        and name.answer not in ("", NEW)
    }
    remember_with(entered.revision, spellings_answered, enterer.author)
    sheets = NightSheet.objects.select_for_update()
    sheet = sheets.filter(league=season.league, author=enterer.author, key=key).first()
    if sheet is not None:
        noted = note_entered_again(season.league, sheet.origins, entered.revision)
        # What was put back since this was checked is on the sheet still.
        sheet.origins = [origin for origin in sheet.origins if origin not in noted]
        _take_away(sheet, content, version)
    return entered


def _take_away(sheet: NightSheet, entered: SheetContent, version: int) -> None:
    """Forget what was entered of a sheet: all of it, unless another page has saved since."""
    left = "" if sheet.version == version else _lines_left(content_of(sheet), entered, sheet.league)
    if not left:
        sheet.delete()
        return
    sheet.key, sheet.text = uuid4(), left
    sheet.save(update_fields=["key", "text", "origins"])


def _lines_left(newer: SheetContent, entered: SheetContent, league: League) -> str:
    """The lines of a sheet that are not among those entered; all, where it has another mode."""
    if newer.mode != entered.mode:
        return newer.text
    above = f"@{entered.day.isoformat()}\n" if newer.day != entered.day else ""
    texts = (newer.text, entered.text)
    headings = headings_of("\n".join(texts), league, newer.line_modes)
    return lines_left(
        above + entered.text,
        newer.text,
        Place(newer.day, newer.mode),
        today=day_of(timezone.now(), league.zone),
        knows=known_names(spellings(league, MAX_KNOWN)),
        match_kinds=LineModes(newer.mode, newer.line_modes).kind_names(headings.modes),
        headings=headings,
    )


@transaction.atomic
def discard_sheet(*, league: League, author: User, page: PageState) -> bool:
    """Forget what somebody typed and did not enter; False where another page has saved since."""
    sheet = NightSheet.objects.select_for_update().filter(league=league, author=author).first()
    if sheet is None:
        return True
    if sheet.version != page.version and sheet.writer != page.writer:
        return False
    sheet.delete()
    return True
