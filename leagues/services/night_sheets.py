"""Night sheets: saved while they are typed, entered as one revision, discarded."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from leagues.domain.civil_days import day_of
from leagues.models import League, Mode, NightSheet, Revision, Season
from leagues.services.entry import Entered, Enterer, RequestName, enter_results
from leagues.services.entry_drafts import NEW
from leagues.services.night_reading import SheetReading
from leagues.services.rosters import KEY
from leagues.services.spellings import Spelling, remember_spellings
from ratings.files.names import NameProblem, clean_name, fold_name
from ratings.files.problems import LineProblem
from ratings.files.written import read_line

MAX_ANSWERS: Final = 200


@dataclass(frozen=True, slots=True)
class SheetContent:
    """What a page has of a sheet: its lines, their mode and day, whom names mean."""

    mode: Mode
    day: date
    text: str
    answers: Mapping[str, str]

    @property
    def fingerprint(self) -> str:
        """A hash by which what was checked is recognised when it is entered."""
        said = [self.mode.slug, self.day.isoformat(), self.text, sorted(self.answers.items())]
        return hashlib.sha256(json.dumps(said).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class PageState:
    """The page that saves: which version it began with, and who it is."""

    version: int
    writer: str
    key: UUID | None = None


@dataclass(frozen=True, slots=True)
class SavedSheet:
    """A saved sheet, and how many lines of the page went below lines saved elsewhere."""

    sheet: NightSheet
    appended: int = 0
    is_merged: bool = False


def content_of(sheet: NightSheet) -> SheetContent:
    """What is stored of a sheet, as a page has it."""
    return SheetContent(sheet.mode, sheet.day, sheet.text, sheet.answers)


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
    them go below.
    """
    sheet, is_new = NightSheet.objects.select_for_update().get_or_create(
        league=league,
        author=author,
        defaults={**_columns(content), "writer": page.writer, "key": page.key or uuid4()},
    )
    if is_new:
        return SavedSheet(sheet)
    is_stale = sheet.version != page.version and sheet.writer != page.writer
    saved = SavedSheet(sheet)
    if is_stale:
        content, appended = _merge(content_of(sheet), content, day_of(timezone.now(), league.zone))
        saved = SavedSheet(sheet, appended, is_merged=True)
    if any(getattr(sheet, name) != value for name, value in _columns(content).items()):
        for name, value in _columns(content).items():
            setattr(sheet, name, value)
        sheet.version += 1
        sheet.updated_at = timezone.now()
    sheet.writer = page.writer
    sheet.save()
    return saved


def _columns(content: SheetContent) -> dict[str, Any]:
    return {
        "mode": content.mode,
        "day": content.day,
        "text": content.text,
        "answers": dict(content.answers),
    }


def _merge(stored: SheetContent, mine: SheetContent, today: date) -> tuple[SheetContent, int]:
    """The stored lines with those of mine that are not among them below, each on its own day."""
    there = Counter(line.strip() for line in stored.text.split("\n"))
    missing = []
    for line, on in _dated_lines(mine, today):
        bare = line.strip()
        if there[bare]:
            there[bare] -= 1
        elif bare:
            missing.append((line, on))
    *_lines, (_last, at) = _dated_lines(stored, today)
    added: list[str] = []
    for line, on in missing:
        if on != at:
            added.append(f"@{on.isoformat()}")
            at = on
        added.append(line)
    above = [stored.text.rstrip("\n")] if stored.text.strip() else []
    text = "\n".join([*above, *added]) if added else stored.text
    answers = {**mine.answers, **stored.answers}
    return replace(stored, text=text, answers=answers), len(missing)


def _dated_lines(content: SheetContent, today: date) -> Iterator[tuple[str, date]]:
    """Yield each line with the day that holds for it; a line that says a day has that one."""
    day = content.day
    for line in content.text.split("\n"):
        try:
            read = read_line(line, today=today)
        except LineProblem:
            read = None
        if isinstance(read, date):
            day = read
        yield line, day


def discard_sheet(*, league: League, author: User) -> None:
    """Forget what somebody typed and did not enter."""
    NightSheet.objects.filter(league=league, author=author).delete()


@transaction.atomic
def enter_sheet(
    *,
    season: Season,
    mode: Mode,
    reading: SheetReading,
    enterer: Enterer,
    confirmed: Collection[str],
    key: UUID,
    fingerprint: str,
    version: int,
) -> Entered:
    """Enter all matches of a sheet as one revision, under its key once, and forget the sheet.

    A sheet that has another version by now has lines that were not entered: it is kept. Spellings
    that were answered for are remembered, unless a name is short for one player only: with a
    second one it has to be asked. Raises what `enter_results` raises.
    """
    entered = enter_results(
        season=season,
        mode=mode,
        entries=[line.entry for line in reading.matches if line.entry],
        enterer=enterer,
        kind=Revision.Kind.ENTRY,
        answers=reading.answers,
        confirmed=confirmed,
        request=RequestName(str(key), fingerprint),
    )
    remember_spellings(
        league=season.league,
        spellings={
            name.name: Spelling(name.answer)
            for name in reading.questions
            if not name.is_shared and not name.is_short and name.answer not in ("", NEW)
        },
        actor=enterer.author,
    )
    sheets = NightSheet.objects.select_for_update()
    sheet = sheets.filter(league=season.league, author=enterer.author, key=key).first()
    if sheet is not None and sheet.version == version:
        sheet.delete()
    elif sheet is not None:
        sheet.key = uuid4()
        sheet.save(update_fields=["key"])
    return entered
