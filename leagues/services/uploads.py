"""Uploaded files before they are written: what they are, what they hold, what is wrong in them."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import asdict
from datetime import date
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from leagues.domain.civil_days import day_of
from leagues.jobs.queue import Claim, enqueue
from leagues.models import Mode, Upload
from leagues.services.errors import Problem, Refused
from leagues.services.import_reading import ImportOptions, Reading, open_file
from leagues.services.import_report import missing_consents
from leagues.services.imports import UNDER_WAY, is_written, locked_upload, upload_jobs
from leagues.services.likeness import similar_names
from leagues.services.log_uploads import check_log_upload
from ratings.files.columns import Layout
from ratings.files.names import fold_name
from ratings.files.problems import BadRow, FileProblem
from ratings.files.sheets import workbook_kind
from ratings.files.tables import UPLOAD_LIMITS, Table, open_table
from ratings.files.unpacking import ZIP, unpacked_size

UPLOAD_BYTES = UPLOAD_LIMITS.unpacked_bytes
PASTE_BYTES = 5 * 1024 * 1024


def refuse_unreadable(*, name: str, content: bytes, today: date) -> None:
    """Raise FileProblem where the bytes are no table at all.

    The cells of a workbook are left to the check: they are unpacked by a process of their own.
    """
    if content.startswith(ZIP) and workbook_kind(io.BytesIO(content)) in ("xlsx", "ods"):
        return
    open_table(content, name=name, limits=UPLOAD_LIMITS, today=today)


def check_upload(*, upload: Upload, options: ImportOptions) -> None:
    """Queue a check of how the file reads with these options; not while it is being written."""
    with transaction.atomic():
        upload = locked_upload(upload)
        writing = upload_jobs(upload, "import").filter(state__in=UNDER_WAY)
        if is_written(upload) or writing.exists():
            return
        upload.options = asdict(options)
        upload.save(update_fields=["options"])
        enqueue(
            "check",
            key=f"check:{upload.pk}",
            params={"upload": upload.pk},
            league_id=upload.league_id,
            author_id=upload.author_id,
        )


def discard_upload(*, upload: Upload) -> None:
    """Forget a file that was checked and not imported; uploading it again brings it back."""
    with transaction.atomic():
        upload = locked_upload(upload)
        if is_written(upload):
            raise Refused([_imported()])
        if upload_jobs(upload, "check", "import").filter(state__in=UNDER_WAY).exists():
            raise Refused([_under_way()])
        upload.delete()


def _imported() -> Problem:
    return Problem("upload", "imported", _("This file was imported. Undo the import instead."))


def _under_way() -> Problem:
    return Problem(
        "upload", "under_way", _("This file is still being read. Wait until it is done.")
    )


def check_job(claim: Claim) -> None:
    """Read a stored file and keep the report on it with the file."""
    upload = Upload.objects.select_related("season__league", "mode").get(pk=claim.params["upload"])
    report = _report_on(upload, claim) | {"check": claim.job.pk}
    with transaction.atomic():
        claim.fence()
        Upload.objects.filter(pk=upload.pk).update(report=report)
        claim.finish()


def _report_on(upload: Upload, claim: Claim) -> dict[str, Any]:
    """The file's facts and, where its columns are understood, what writing it would do.

    `problems` are sentences that stand against the file as a whole; `asks_dates` is a question.
    """
    content = bytes(upload.content)
    options = ImportOptions(**upload.options)
    if options.is_log:
        return check_log_upload(upload)
    report: dict[str, Any] = {"bytes": len(content), "problems": [], "asks_dates": False}
    try:
        report["unpacked_bytes"] = unpacked_size(content, UPLOAD_LIMITS.unpacked_bytes)
        today = day_of(timezone.now(), upload.season.league.zone)
        table, layout = open_file(upload.name, content, options, today=today)
        report |= _facts_of(table, layout)
        report["problems"] = list(layout.problems)
        report["asks_dates"] = layout.asks_dates and options.dates is None
        if report["problems"] or report["asks_dates"]:
            report["rows"] = sum(1 for _row in table.rows) + len(table.bad_lines)
            return report
        reading = _reading_of(upload, options, content)
        checked = reading.check(
            lambda done, rows: claim.progress(min(done, rows or done), rows, "check"),
            opened=(table, layout),
        )
        report["rows"] = reading.rows_read + len(table.bad_lines)
    except FileProblem as problem:
        report["problems"] = [problem.reason]
        report["line"] = problem.line
        return report
    names = [player.name for player in reading.roster.by_key.values()]
    report["similar"] = similar_names(checked.new_names, names)
    return report | checked.as_dict()


def _facts_of(table: Table, layout: Layout) -> dict[str, Any]:
    return {
        "layout": layout.to_json(),
        "separator": table.delimiter,
        "encoding": table.encoding,
        "packing": table.compression,
        "sheet": table.sheet,
        "sheets": len(table.sheets),
    }


def _reading_of(upload: Upload, options: ImportOptions, content: bytes) -> Reading:
    mode = Mode(name=options.new_mode) if options.new_mode else upload.mode
    return Reading(upload.season, mode, upload.name, content, options)


def answered_names(upload: Upload) -> dict[str, str]:
    """Whom the names mean that a check asked about, as it stands, by folded name."""
    questions = (upload.report or {}).get("name_questions", ())
    return {fold_name(one["name"]): one["answer"] for one in questions}


def missing_consent(upload: Upload, options: ImportOptions) -> set[str]:
    """The options that somebody has to agree to before a file is written, as it was checked."""
    return missing_consents(upload.report or {}, options)


def bad_rows(upload: Upload) -> Iterator[BadRow]:
    """Yield every bad row of a stored file, read again: a report keeps a thousand at most.

    What makes the whole file unreadable comes last, as a row of its own.
    """
    options = ImportOptions(**upload.options)
    if options.is_log:
        return
    content = bytes(upload.content)
    reading = _reading_of(upload, options, content)
    try:
        table, layout = open_file(upload.name, content, options, today=reading.today)
        read = reading.player_rows if layout.shape == "players" else reading.rows
        yield from (row for row in read(layout, table) if isinstance(row, BadRow))
    except FileProblem as problem:
        yield BadRow(problem.line, problem.column, problem.value, problem.reason)
