"""Imports as the browser shows them: how far each is, what was understood, what it did."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import wording
from leagues.models import Job, League, Upload
from leagues.pages.boards import Choice, board_address, board_waiting
from leagues.pages.meanings import MeaningGroup, meaning_groups, reading_of
from leagues.pages.revisions import author_label, revision_address
from leagues.selectors.revisions import imports_of, undoing_of
from leagues.selectors.uploads import (
    boards_of_upload,
    newest_job,
    read_what_jobs_left,
    unwritten_uploads,
)
from leagues.services.import_reading import ImportOptions
from leagues.services.imports import UNDER_WAY, is_written
from ratings.files.columns import Column, Layout
from ratings.files.meanings import Meaning
from ratings.files.problems import shown

MOST_LISTED = 10
MOST_BAD_ROWS = 100
FEW_BAD_ROWS = 12
MOST_NAMES = 50
MOST_COLUMNS = 150
"""Columns whose meaning can be changed; what lies beyond says nothing in any file we know."""
FEW_UNUSED = 6
EXAMPLE_LENGTH = 24


class Stage(StrEnum):
    """How far an upload is."""

    CHECKING = "checking"
    CHECKED = "checked"
    WRITING = "writing"
    RATING = "rating"
    WRITTEN = "written"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class ImportRow:
    """One import in the list, of the browser or of the command line."""

    name: str
    url: str
    state: str
    results: str
    who: str
    when: str


@dataclass(frozen=True, slots=True)
class Progress:
    """Work under way, in words and for a bar; `part` is empty where nobody knows how much it is."""

    title: str
    rest: str
    part: str


@dataclass(frozen=True, slots=True)
class ColumnRow:
    field: str
    header: str
    example: str
    meaning: str
    reading: str


@dataclass(frozen=True, slots=True)
class BadRowShown:
    line: str
    column: str
    value: str
    reason: str


@dataclass(frozen=True, slots=True)
class BadRows:
    """Rows that are no matches: those shown at once, those behind them, and how many more."""

    title: str
    rows: tuple[BadRowShown, ...]
    folded: tuple[BadRowShown, ...]
    folded_title: str
    more: str


@dataclass(frozen=True, slots=True)
class NewName:
    name: str
    similar: str


@dataclass(frozen=True, slots=True)
class Check:
    """What was understood of a file, and what writing it would do."""

    number: int
    problems: tuple[str, ...]
    notes: tuple[str, ...]
    columns: tuple[ColumnRow, ...]
    unused: tuple[ColumnRow, ...]
    unused_title: str
    more_columns: str
    meanings: tuple[MeaningGroup, ...]
    date_example: str
    dates: tuple[Choice, ...]
    counts: tuple[tuple[str, str], ...]
    imported: int
    write: str
    bad: BadRows | None
    leave_out: str
    names: tuple[NewName, ...]
    names_title: str
    more_names: str
    nothing_new: str


@dataclass(frozen=True, slots=True)
class Written:
    """What an import did."""

    title: str
    counts: tuple[tuple[str, str], ...]
    bad: BadRows | None
    revision_url: str
    undo_url: str
    board_url: str
    is_undone: bool


@dataclass(frozen=True, slots=True)
class ImportPage:
    """An upload at one of its stages; what does not belong to the stage is None."""

    number: int
    name: str
    stage: Stage
    step: int
    url: str
    state_url: str
    facts: tuple[str, ...]
    progress: Progress | None
    check: Check | None
    written: Written | None
    outcome: str
    said: str

    @property
    def is_under_way(self) -> bool:
        return self.progress is not None


def layout_of(upload: Upload) -> Layout | None:
    """Return what the check took the columns for; None where there is no table."""
    stored = (upload.report or {}).get("layout")
    return Layout.from_json(stored) if stored else None


def stage_of(upload: Upload) -> tuple[Stage, Job | None]:
    """Return how far an upload is, and the newest of its jobs."""
    job = newest_job(upload)
    if job is not None and job.state not in UNDER_WAY:
        read_what_jobs_left(upload)
    if is_written(upload):
        return (Stage.RATING if _rating(upload) else Stage.WRITTEN), job
    if job is not None and job.state in UNDER_WAY:
        return (Stage.WRITING if job.kind == "import" else Stage.CHECKING), job
    if upload.report is None or (job is not None and job.state == Job.State.FAILED):
        return Stage.FAILED, job
    return Stage.CHECKED, job


def import_rows(*, league: League, now: datetime) -> tuple[ImportRow, ...]:
    """Return the imports under way or waiting for a decision, then the last ones written."""
    uploads = unwritten_uploads(league, MOST_LISTED)
    today = now.astimezone(league.zone).date()
    states = {
        Stage.CHECKING: _("being checked"),
        Stage.CHECKED: _("checked, not written"),
        Stage.WRITING: _("being written"),
        Stage.FAILED: _("stopped"),
    }
    rows = [
        ImportRow(
            name=upload.name,
            url=reverse("leagues:import_upload", args=[league.slug, upload.pk]),
            state=states[stage_of(upload)[0]],
            results="",
            who=author_label(upload.author, "browser"),
            when=wording.moment(upload.created_at, league.zone, today),
        )
        for upload in uploads
    ]
    for revision in imports_of(league, MOST_LISTED):
        undone = getattr(revision, "reverted_by", None) is not None
        rows.append(
            ImportRow(
                name=str(revision.summary.get("file", "")) or _("a file"),
                url=revision_address(league, revision.season, revision.number),
                state=_("undone") if undone else _("written"),
                results=wording.count(int(revision.summary.get("imported", 0))),
                who=author_label(revision.author, "import"),
                when=wording.moment(revision.created_at, league.zone, today),
            )
        )
    return tuple(rows)


def import_page(*, upload: Upload) -> ImportPage:
    """Return an upload as its page shows it now."""
    league = upload.league
    stage, job = stage_of(upload)
    check = _check(upload) if stage in (Stage.CHECKED, Stage.FAILED) else None
    written = _written(upload) if stage in (Stage.RATING, Stage.WRITTEN) else None
    words = [league.slug, upload.pk]
    return ImportPage(
        number=upload.pk,
        name=upload.name,
        stage=stage,
        step=2 if stage in (Stage.CHECKING, Stage.CHECKED) else 3,
        url=reverse("leagues:import_upload", args=words),
        state_url=f"{reverse('leagues:import_state', args=words)}?was={stage.value}",
        facts=tuple(_facts(upload)),
        progress=_progress(upload, stage, job),
        check=check,
        written=written,
        outcome=_outcome(stage, job),
        said=_said(check, written),
    )


def _said(check: Check | None, written: Written | None) -> str:
    """Return what a page that changes by itself says aloud."""
    if written is not None:
        return written.title
    if check is None:
        return ""
    new = (wording.results(check.imported),) if check.counts else ()
    return ", ".join([*check.problems, *new, *([check.bad.title] if check.bad else [])])


def _outcome(stage: Stage, job: Job | None) -> str:
    """Say why nothing was written, where that is news."""
    if stage is Stage.FAILED:
        return _("The work on this file has stopped. The reason is kept for the site’s admin.")
    if stage is Stage.CHECKED and job is not None and job.kind == "import":
        return _("Something has changed since the check; this is how the file reads now.")
    return ""


def _facts(upload: Upload) -> Iterator[str]:
    report = upload.report or {}
    if "rows" in report:
        yield ngettext("%(count)s row", "%(count)s rows", report["rows"]) % {
            "count": wording.count(report["rows"])
        }
    if "bytes" in report:
        yield ", ".join([_size(report["bytes"]), *_writing_of(report)])
    mode = ImportOptions(**upload.options).new_mode or upload.mode.name
    yield f"{mode}, {upload.season.name}"


def _size(count: int) -> str:
    if count < 1_000_000:
        return _("%(size)s kB") % {"size": max(1, round(count / 1000))}
    return _("%(size)s MB") % {"size": wording.number(count / 1_000_000, 1)}


def _writing_of(report: Mapping[str, Any]) -> Iterator[str]:
    """Say how a file is written down, for the eyes of whoever sees wrong letters in it."""
    if report.get("packing") in ("xlsx", "ods"):
        yield report["packing"].upper()
        if report["sheets"] > 1:
            yield _("sheet “%(name)s”") % {"name": shown(report["sheet"], EXAMPLE_LENGTH)}
        return
    separators = {",": _("commas"), ";": _("semicolons"), "\t": _("tabs"), "|": _("bars")}
    if "separator" in report:
        yield separators[report["separator"]]
        yield {"cp1252": "Windows-1252"}.get(report["encoding"], report["encoding"].upper())


def _progress(upload: Upload, stage: Stage, job: Job | None) -> Progress | None:
    if stage is Stage.RATING:
        return _rating(upload)
    if stage not in (Stage.CHECKING, Stage.WRITING):
        return None
    done, total = (job.done, job.total) if job else (0, 0)
    part = f"{done / total:.3f}" if total else ""
    numbers = {"count": wording.count(total), "done": wording.count(done)}
    if stage is Stage.WRITING and job is not None and job.stage == "write" and total:
        title = ngettext("Writing %(count)s result", "Writing %(count)s results", total) % numbers
    elif stage is Stage.WRITING:
        return Progress(_("Checking once more before anything is written"), "", "")
    elif total:
        title = ngettext("Checking %(count)s row", "Checking %(count)s rows", total) % numbers
    else:
        return Progress(_("Checking the file"), "", "")
    return Progress(title, _("%(done)s done") % numbers, part)


def _rating(upload: Upload) -> Progress | None:
    """Return how far the rating of written results is; None where no board is behind."""
    for board in boards_of_upload(upload):
        waiting = board_waiting(board)
        if waiting is not None and not waiting.is_stopped:
            words = {"board": board.name, "done": waiting.done, "count": waiting.total}
            rest = _("%(done)s of %(count)s results") % words if waiting.total else ""
            return Progress(_("Rating on the board %(board)s") % words, rest, waiting.part)
    return None


def _check(upload: Upload) -> Check | None:
    report = upload.report
    if report is None:
        return None
    options = ImportOptions(**upload.options)
    layout = layout_of(upload)
    columns = [_column(column, layout, options) for column in layout.columns] if layout else []
    unused = [row for row in columns if row.meaning == Meaning.IGNORE]
    used = [row for row in columns if row.meaning != Meaning.IGNORE]
    if len(unused) <= FEW_UNUSED:
        used, unused = columns, []
    offered = unused[: MOST_COLUMNS - len(used)]
    imported, errors = report.get("imported", 0), report.get("errors", ())
    bad = report.get("error_count", 0)
    names = _new_names(report)
    return Check(
        number=report["check"],
        problems=tuple(_problems(report)),
        notes=tuple(report.get("notes", ())),
        columns=tuple(used),
        unused=tuple(offered),
        unused_title=_columns_left_out(len(unused)) if unused else "",
        more_columns=_and_more(len(unused) - len(offered)),
        meanings=meaning_groups(),
        date_example=_date_example(layout),
        dates=_date_orders(layout, options),
        counts=tuple(_counts(report, upload.league)) if "imported" in report else (),
        imported=imported,
        write=ngettext("Write %(count)s result", "Write %(count)s results", imported)
        % {"count": wording.count(imported)},
        bad=_bad_rows(errors, bad, layout, _cannot_be_read(bad)),
        leave_out=ngettext("Leave this row out", "Leave these %(count)s rows out", bad)
        % {"count": wording.count(bad)},
        names=tuple(names[:MOST_NAMES]),
        names_title=ngettext("%(count)s new player", "%(count)s new players", len(names))
        % {"count": wording.count(report.get("players_created", 0))},
        more_names=_and_more(report.get("players_created", 0) - MOST_NAMES),
        nothing_new=_("Every result in this file is here already.")
        if report.get("already_there") and not imported and not bad
        else "",
    )


def _column(column: Column, layout: Layout, options: ImportOptions) -> ColumnRow:
    note = column.note
    if column.meaning is Meaning.DATE and layout.asks_dates:
        answers = {"dmy": _("read with the day first"), "mdy": _("read with the month first")}
        note = answers.get(options.dates or "", "")
    example = column.facts.examples[0] if column.facts.examples else ""
    return ColumnRow(
        field=f"column_{column.index}",
        header=shown(column.header, EXAMPLE_LENGTH),
        example=shown(example, EXAMPLE_LENGTH),
        meaning=column.meaning.value,
        reading=reading_of(column.meaning, note, is_wide=layout.shape == "wide"),
    )


def _problems(report: Mapping[str, Any]) -> Iterator[str]:
    for problem in report["problems"]:
        if report.get("line"):
            yield _("Line %(line)d: %(reason)s") % {"line": report["line"], "reason": problem}
        else:
            yield problem


def _columns_left_out(count: int) -> str:
    return ngettext(
        "%(count)s column says nothing about a match",
        "%(count)s columns say nothing about a match",
        count,
    ) % {"count": wording.count(count)}


def _cannot_be_read(count: int) -> str:
    return ngettext("%(count)s row cannot be read", "%(count)s rows cannot be read", count) % {
        "count": wording.count(count)
    }


def _were_left_out(count: int) -> str:
    return ngettext("%(count)s row was left out", "%(count)s rows were left out", count) % {
        "count": wording.count(count)
    }


def _and_more(count: int) -> str:
    return _("and %(count)s more") % {"count": wording.count(count)} if count > 0 else ""


def _date_example(layout: Layout | None) -> str:
    dated = next(
        (column for column in (layout.columns if layout else ()) if column.meaning == Meaning.DATE),
        None,
    )
    return shown(dated.facts.examples[0], EXAMPLE_LENGTH) if dated and dated.facts.examples else ""


def _date_orders(layout: Layout | None, options: ImportOptions) -> tuple[Choice, ...]:
    """Return the two ways to read dates that do not tell by themselves."""
    if layout is None or not layout.asks_dates:
        return ()
    return (
        Choice("dmy", _("Day first: 03/04 is 3 April"), options.dates == "dmy"),
        Choice("mdy", _("Month first: 03/04 is 4 March"), options.dates == "mdy"),
    )


def _counts(report: Mapping[str, Any], league: League) -> Iterator[tuple[str, str]]:
    yield _("New results"), wording.count(report["imported"])
    if report["unrated"]:
        yield _("of them stored, not rated"), wording.count(report["unrated"])
    yield _("Already here, skipped"), wording.count(report["already_there"])
    if report["error_count"]:
        yield _("Cannot be read"), wording.count(report["error_count"])
    yield _("New players"), wording.count(report["players_created"])
    if report["first_at"] and report["last_at"]:
        first, last = (
            wording.day(datetime.fromisoformat(report[end]).astimezone(league.zone).date())
            for end in ("first_at", "last_at")
        )
        yield _("Oldest, newest"), first if first == last else f"{first}, {last}"


def _bad_rows(
    errors: Sequence[Mapping[str, Any]], count: int, layout: Layout | None, title: str
) -> BadRows | None:
    """Return the first hundred of the bad rows; `count` is how many there are."""
    if not count:
        return None
    headers = {column.header for column in layout.columns} if layout else set()
    rows = tuple(
        BadRowShown(
            line=wording.count(error["line"]) if error["line"] else "",
            column=error["column"] if error["column"] in headers else "",
            value=error["value"],
            reason=error["reason"],
        )
        for error in errors[:MOST_BAD_ROWS]
    )
    at_once = len(rows) if len(rows) < 2 * FEW_BAD_ROWS else FEW_BAD_ROWS
    folded = len(rows) - at_once
    return BadRows(
        title=title,
        rows=rows[:at_once],
        folded=rows[at_once:],
        folded_title=ngettext("%(count)s more row", "%(count)s more rows", folded)
        % {"count": wording.count(folded)},
        more=_and_more(count - len(rows)),
    )


def _new_names(report: Mapping[str, Any]) -> list[NewName]:
    """Return the names of players to be made, those that look like another one first."""
    similar = report.get("similar", {})
    names = [
        NewName(name, wording.listing(similar[name]) if name in similar else "")
        for name in report.get("new_names", ())
    ]
    return sorted(names, key=lambda row: not row.similar)


def _written(upload: Upload) -> Written | None:
    revision = upload.revision
    if revision is None:
        return None
    league, season, summary = upload.league, upload.season, revision.summary
    imported, skipped = int(summary["imported"]), int(summary["skipped"])
    board = next(iter(boards_of_upload(upload)), None)
    return Written(
        title=ngettext("%(count)s result is written", "%(count)s results are written", imported)
        % {"count": wording.count(imported)},
        counts=(
            (_("New results"), wording.count(imported)),
            (_("Were here already"), wording.count(int(summary["already_there"]))),
            (_("Left out"), wording.count(skipped)),
            (_("New players"), wording.count(int(summary["players_created"]))),
        ),
        bad=_bad_rows(summary["errors"], skipped, layout_of(upload), _were_left_out(skipped)),
        revision_url=revision_address(league, season, revision.number),
        undo_url=reverse("leagues:undo", args=[league.slug, season.slug, revision.number]),
        board_url=board_address(board) if board else reverse("leagues:board", args=[league.slug]),
        is_undone=undoing_of(revision) is not None,
    )
