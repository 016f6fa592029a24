"""Imports as the browser shows them: how far each is, what was understood, what it did."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import wording
from leagues.domain.civil_days import day_of
from leagues.models import Job, League, Revision, Upload
from leagues.pages.authors import author_label
from leagues.pages.boards import board_address, board_waiting
from leagues.pages.import_bad_rows import BadRows, bad_rows
from leagues.pages.import_check import EXAMPLE_LENGTH, Check, file_check, layout_of
from leagues.pages.revisions import revision_address, undo_words
from leagues.selectors.revisions import imports_of, undoing_of
from leagues.selectors.uploads import (
    boards_of_upload,
    newest_job,
    refresh_upload,
    unwritten_uploads,
)
from leagues.services.import_reading import ImportOptions
from leagues.services.imports import UNDER_WAY, is_written
from leagues.services.player_changes import PLAYERS_CHANGED
from ratings.files.click_tt import CLICK_TT
from ratings.files.exported import EXPORTED
from ratings.files.problems import shown
from ratings.files.startgg import STARTGG
from ratings.files.written_text import WRITTEN

MOST_LISTED = 10


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
class ImportOutcome:
    """What an import did."""

    title: str
    counts: tuple[tuple[str, str], ...]
    bad: BadRows | None
    revision_url: str
    undo_url: str
    undo_words: str
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
    result: ImportOutcome | None
    outcome: str
    announcement: str

    @property
    def is_under_way(self) -> bool:
        return self.progress is not None


def stage_of(upload: Upload) -> tuple[Stage, Job | None]:
    """The stage of an upload, and the newest of its jobs."""
    job = newest_job(upload)
    if job is not None and job.state not in UNDER_WAY:
        refresh_upload(upload)
    if is_written(upload):
        return (Stage.RATING if _rating(upload) else Stage.WRITTEN), job
    if job is not None and job.state in UNDER_WAY:
        return (Stage.WRITING if job.kind == "import" else Stage.CHECKING), job
    if upload.report is None or (job is not None and job.state == Job.State.FAILED):
        return Stage.FAILED, job
    return Stage.CHECKED, job


def import_rows(*, league: League, now: datetime) -> tuple[ImportRow, ...]:
    """The imports under way or waiting for a decision, then the last ones written."""
    uploads = unwritten_uploads(league, MOST_LISTED)
    today = day_of(now, league.zone)
    states = {
        Stage.CHECKING: _("being checked"),
        Stage.CHECKED: _("checked, not imported"),
        Stage.WRITING: _("being imported"),
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
                state=_("undone") if undone else _("imported"),
                results=wording.count(int(revision.summary.get("imported", 0))),
                who=author_label(revision.author, "import"),
                when=wording.moment(revision.created_at, league.zone, today),
            )
        )
    return tuple(rows)


def import_page(*, upload: Upload) -> ImportPage:
    """An upload as its page shows it now."""
    league = upload.league
    stage, job = stage_of(upload)
    check = file_check(upload) if stage in (Stage.CHECKED, Stage.FAILED) else None
    result = _import_outcome(upload) if stage in (Stage.RATING, Stage.WRITTEN) else None
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
        result=result,
        outcome=_outcome(stage, job),
        announcement=_announcement(check, result),
    )


def _announcement(check: Check | None, result: ImportOutcome | None) -> str:
    """The text that a page which changes by itself reads aloud."""
    if result is not None:
        return result.title
    if check is None:
        return ""
    new = (wording.results(check.new_results),) if check.counts else ()
    waiting = (
        (_("Some names are not clear."),)
        if check.name_questions and check.name_questions.open
        else ()
    )
    bad = (check.bad.title,) if check.bad else ()
    return ", ".join([*check.problems, *new, *bad, *waiting])


def _outcome(stage: Stage, job: Job | None) -> str:
    """Why nothing was written, where that is news."""
    if stage is Stage.FAILED:
        return _("The import has stopped. A site admin can see the reason.")
    if stage is Stage.CHECKED and job is not None and job.kind == "import":
        return _("Something has changed since the check; this is the new preview.")
    return ""


def _facts(upload: Upload) -> Iterator[str]:
    report = upload.report or {}
    if "rows" in report:
        yield ngettext("%(count)s row", "%(count)s rows", report["rows"]) % {
            "count": wording.count(report["rows"])
        }
    if "bytes" in report:
        yield ", ".join([*_sizes(report), *_writing_of(report)])
    options = ImportOptions(**upload.options)
    if options.is_log:
        yield _("log of a game server")
        yield upload.season.name
        return
    yield f"{options.new_mode or upload.mode.name}, {upload.season.name}"


def _sizes(report: Mapping[str, Any]) -> Iterator[str]:
    """How long a file is, and how long it was sent where it was compressed."""
    sent = report["bytes"]
    unpacked = report.get("unpacked_bytes", sent)
    yield _size(unpacked)
    if unpacked != sent:
        yield _("%(size)s as gzip") % {"size": _size(sent)}


def _size(count: int) -> str:
    if count < 1_000_000:
        return _("%(size)s kB") % {"size": max(1, round(count / 1000))}
    return _("%(size)s MB") % {"size": wording.number(count / 1_000_000, 1)}


def _writing_of(report: Mapping[str, Any]) -> Iterator[str]:
    """How a file is encoded, for the eyes of whoever sees wrong letters in it."""
    if report.get("packing") in ("xlsx", "ods"):
        yield report["packing"].upper()
        if report["sheets"] > 1:
            yield _("sheet “%(name)s”") % {"name": shown(report["sheet"], EXAMPLE_LENGTH)}
        return
    if report.get("packing") in (CLICK_TT, STARTGG, EXPORTED):
        yield report["packing"]
        return
    separators = {",": _("commas"), ";": _("semicolons"), "\t": _("tabs"), "|": _("bars")}
    if "separator" in report:
        is_written = report["packing"] == WRITTEN
        yield _("one result per line") if is_written else separators[report["separator"]]
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
        title = (
            ngettext("Importing %(count)s result", "Importing %(count)s results", total) % numbers
        )
    elif stage is Stage.WRITING and job is not None and job.stage == "finish":
        return Progress(_("Finishing the import"), "", "")
    elif stage is Stage.WRITING:
        return Progress(_("Checking once more before the import"), "", "")
    elif total:
        title = ngettext("Checking %(count)s row", "Checking %(count)s rows", total) % numbers
    else:
        return Progress(_("Checking the file"), "", "")
    left = job.seconds_left(timezone.now()) if job else None
    rest = [_("%(done)s done") % numbers, *([] if left is None else [wording.time_left(left)])]
    return Progress(title, ", ".join(rest), part)


def _rating(upload: Upload) -> Progress | None:
    """The progress of rating imported results; None where no board is behind."""
    for board in boards_of_upload(upload):
        waiting = board_waiting(board)
        if waiting is not None and not waiting.is_stopped:
            words = {"board": board.name, "done": waiting.done, "count": waiting.total}
            rest = _("%(done)s of %(count)s results") % words if waiting.total else ""
            return Progress(_("Rating on the board %(board)s") % words, rest, waiting.part)
    return None


def _were_left_out(count: int) -> str:
    return ngettext("%(count)s row was skipped", "%(count)s rows were skipped", count) % {
        "count": wording.count(count)
    }


def _games_left_out(count: int) -> str:
    return ngettext("%(count)s game was left out", "%(count)s games were left out", count) % {
        "count": wording.count(count)
    }


def _outcome_counts(summary: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What an import brought, then what it left out; without zeros."""
    for label, name in (
        (_("New results"), "imported"),
        (_("New players"), "players_created"),
        (_("Players with something new"), PLAYERS_CHANGED),
        (_("Already recorded"), "already_there"),
        (_("Skipped"), "skipped"),
    ):
        if count := int(summary.get(name, 0)):
            yield label, wording.count(count)


def _import_outcome(upload: Upload) -> ImportOutcome | None:
    revision = upload.revision
    if revision is None:
        return None
    league, season, summary = upload.league, upload.season, revision.summary
    imported, skipped = int(summary["imported"]), int(summary["skipped"])
    is_of_players = revision.kind == Revision.Kind.PLAYERS
    board = next(iter(boards_of_upload(upload)), None)
    is_log = ImportOptions(**upload.options).is_log
    left_out = _games_left_out(skipped) if is_log else _were_left_out(skipped)
    return ImportOutcome(
        title=_("Players imported")
        if is_of_players
        else ngettext("%(count)s result imported", "%(count)s results imported", imported)
        % {"count": wording.count(imported)},
        counts=tuple(_outcome_counts(summary)),
        bad=bad_rows(summary["errors"], skipped, layout_of(upload), left_out),
        revision_url=revision_address(league, season, revision.number),
        undo_url=reverse("leagues:undo", args=[league.slug, season.slug, revision.number]),
        undo_words=undo_words(revision, imported),
        board_url=board_address(board) if board else reverse("leagues:board", args=[league.slug]),
        is_undone=undoing_of(revision) is not None,
    )
