"""Import a results file into a league."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError, CommandParser, OutputWrapper
from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import ngettext

from leagues import wording
from leagues.jobs.memory import settle_memory
from leagues.jobs.runner import drain
from leagues.management.installed import InstalledCommand
from leagues.models import Board, Job, League, Mode, Season
from leagues.services.errors import Refused
from leagues.services.import_reading import ImportOptions, check_file
from leagues.services.import_report import ImportReport, summary_in_words
from leagues.services.imports import start_import
from leagues.services.leagues import (
    DEFAULT_MODE,
    create_league,
    current_season,
    ensure_mode,
)
from leagues.services.player_changes import PLAYERS_CHANGED
from leagues.store.match_columns import is_behind
from ratings.files.problems import BadRow, FileProblem

WAIT_SECONDS = 0.2
PROGRESS_SECONDS = 1.0
OPTION_OF = {"slug": "--league", "name": "--name", "time_zone": "--zone", "mode": "--mode"}
NO_KEY = 0
"""No database gives it to a row."""


class Command(InstalledCommand):
    help = (
        "Import matches from a CSV or TSV file (also gzipped, XLSX, ODS). Either all rows are "
        "imported or none. A file with bad rows is refused, unless --skip-bad leaves them out. "
        "The command returns when the boards have been rated."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file", metavar="FILE", help="the file to import, or - for standard input"
        )
        parser.add_argument("--league", metavar="SLUG", required=True)
        parser.add_argument(
            "--create", action="store_true", help="create the league if it does not exist"
        )
        parser.add_argument("--name", help="the name of the new league")
        parser.add_argument(
            "--zone",
            help="the time zone of the new league, such as Europe/Oslo (default: UTC)",
        )
        parser.add_argument(
            "--mode",
            metavar="NAME",
            help="what is played, such as Doubles; added if the league does not have it",
        )
        parser.add_argument(
            "--dates",
            choices=("dmy", "mdy"),
            help="how to read dates such as 03/04/2026: day or month first",
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="only report what would be imported"
        )
        parser.add_argument("--skip-bad", action="store_true", help="leave bad rows out")
        parser.add_argument("--json", action="store_true", help="print the summary as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        content = _read(options["file"])
        name = Path(options["file"]).name
        reading = ImportOptions(
            dates=options["dates"], skip_bad=options["skip_bad"], is_upload=False
        )
        if options["dry_run"] or not self._is_there(options):
            report = self._try(name, content, reading, options)
            if options["dry_run"] or report.is_refused:
                self._print(report.as_dict(), report.errors, options)
                raise SystemExit(1 if report.is_refused else 0)
        season, mode = self._place(options)
        try:
            job_id = start_import(
                season=season, mode=mode, name=name, content=content, options=reading
            )
        except Refused as refused:
            raise CommandError(str(refused)) from refused
        result = self._import(job_id)
        if result["problems"]:
            where = f"line {result['line']}: " if result["line"] else ""
            raise CommandError(where + " ".join(result["problems"]))
        errors = [BadRow(**error) for error in result["errors"]]
        if result["error_count"] > len(errors):
            errors = self._check(season, mode, name, content, reading).errors
        self._print(result, errors, options)
        if result["refused"]:
            raise SystemExit(1)

    def _is_there(self, options: dict[str, Any]) -> bool:
        """Whether the league and the mode need not be made."""
        league = League.objects.filter(slug=options["league"]).first()
        return league is not None and (
            not options["mode"] or league.modes.filter(name__iexact=options["mode"]).exists()
        )

    def _try(
        self, name: str, content: bytes, reading: ImportOptions, options: dict[str, Any]
    ) -> ImportReport:
        """Check the file against the league, one that would be made included; leave no trace."""
        place = self._place if self._is_there(options) else self._imagined_place
        return self._check(*place(options), name, content, reading)

    def _imagined_place(self, options: dict[str, Any]) -> tuple[Season, Mode]:
        """The league and the mode as they would be made, without keys that others could get.

        Nobody waits for the check, as a transaction around it would have everybody who writes.
        """
        is_new = not League.objects.filter(slug=options["league"]).exists()
        with transaction.atomic():
            season, mode = self._place(options)
            league = season.league
            transaction.set_rollback(True)
        mode.pk = NO_KEY
        if is_new:
            league.pk = season.pk = NO_KEY
            season.league = mode.league = league
        return season, mode

    def _place(self, options: dict[str, Any]) -> tuple[Season, Mode]:
        league = self._league(options)
        season = current_season(league, timezone.now())
        if season is None:
            raise CommandError(f"The league “{league.slug}” has no season.")
        return season, self._mode(league, options["mode"])

    def _league(self, options: dict[str, Any]) -> League:
        slug = options["league"]
        league = League.objects.filter(slug=slug).first()
        if league is not None:
            return league
        if not options["create"]:
            raise CommandError(f"There is no league “{slug}”. Use --create to create it.")
        try:
            chosen = {"mode": options["mode"], "time_zone": options["zone"]}
            return create_league(
                name=options["name"] or slug.replace("-", " ").capitalize(),
                slug=slug,
                **{setting: value for setting, value in chosen.items() if value},
            )
        except ValidationError as error:
            raise _refusal(error) from error

    def _mode(self, league: League, name: str | None) -> Mode:
        if name:
            try:
                return ensure_mode(league=league, name=name)
            except ValidationError as error:
                raise _refusal(error) from error
        return league.modes.first() or ensure_mode(league=league, name=DEFAULT_MODE)

    def _check(
        self, season: Season, mode: Mode, name: str, content: bytes, options: ImportOptions
    ) -> ImportReport:
        try:
            return check_file(season=season, mode=mode, name=name, content=content, options=options)
        except FileProblem as problem:
            raise CommandError(str(problem)) from problem

    def _import(self, job_id: int) -> dict[str, Any]:
        """Run the queue, or wait for whoever runs it, until the import and its boards are done.

        What waits behind them, such as checks, is for others to run.
        """
        settle_memory()
        with progress_on_terminal(job_id, self.stderr):
            while not _is_over(job_id):
                drain(should_stop=lambda: _is_over(job_id))
                if not _is_over(job_id):
                    time.sleep(WAIT_SECONDS)
        job = Job.objects.get(pk=job_id)
        if job.state == Job.State.FAILED:
            raise CommandError(f"The import failed:\n{job.error}")
        result: dict[str, Any] = job.result or {}
        return result

    def _print(
        self,
        report: dict[str, Any],
        errors: list[BadRow],
        options: dict[str, Any],
    ) -> None:
        if options["json"]:
            keys = ("imported", "skipped", "already_there", "players_created")
            summary = {key: report[key] for key in keys}
            summary["errors"] = [
                {
                    "line": error.line,
                    "column": error.column,
                    "value": error.value,
                    "reason": error.reason,
                }
                for error in errors
            ]
            self.stdout.write(json.dumps(summary, ensure_ascii=False))
            return
        for error in errors:
            where = f"line {error.line}" + (f", {error.column}" if error.column else "")
            value = f" “{error.value}”" if error.value else ""
            self.stdout.write(f"{where}:{value} {error.reason}")
        if report["ignored_columns"]:
            self.stdout.write("Ignored columns: " + ", ".join(report["ignored_columns"]))
        for note in report["notes"]:
            self.stdout.write(note)
        words = summary_in_words(
            ImportReport(
                **{
                    key: report[key]
                    for key in ("imported", "skipped", "already_there", "players_created")
                },
                player_changes={PLAYERS_CHANGED: report.get(PLAYERS_CHANGED, 0)},
            )
        )
        if errors and not report["skipped"]:
            rows = ngettext("%(n)d bad row", "%(n)d bad rows", report["error_count"])
            self.stdout.write(
                f"Refused: {rows % {'n': report['error_count']}}. Nothing was imported. Use "
                "--skip-bad to leave bad rows out."
            )
        else:
            self.stdout.write(("Dry run: " if options["dry_run"] else "Done: ") + words + ".")


def _read(file: str) -> bytes:
    if file == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise CommandError(f"The file cannot be read: {error.strerror}") from error


def _refusal(error: ValidationError) -> CommandError:
    """Name the options that were refused, and why."""
    return CommandError(
        "; ".join(
            f"{OPTION_OF.get(field, field)}: {message}"
            for field, messages in error.message_dict.items()
            for message in messages
        )
    )


def _is_over(job_id: int) -> bool:
    """Whether an import has failed, or is done and rated."""
    job = Job.objects.get(pk=job_id)
    return job.state == Job.State.FAILED or (job.state == Job.State.DONE and not _is_behind(job))


def _is_behind(job: Job) -> bool:
    ready = Board.objects.filter(league=job.league, state=Board.State.READY)
    return any(is_behind(board) for board in ready)


@contextmanager
def progress_on_terminal(job_id: int, to: OutputWrapper) -> Iterator[None]:
    """Let a thread tell a terminal, each second, how far the import is."""
    if not to.isatty():
        yield
        return
    stop = threading.Event()

    def write_progress() -> None:
        while not stop.wait(PROGRESS_SECONDS):
            for job in Job.objects.filter(pk=job_id, total__gt=0):
                to.write(f"\r\x1b[K{_progress_of(job)}", ending="")
                to.flush()
        to.write("\r\x1b[K", ending="")
        connection.close()

    thread = threading.Thread(target=write_progress, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _progress_of(job: Job) -> str:
    """How far a job is, in a line."""
    seconds = job.seconds_left(timezone.now())
    left = "" if seconds is None else f", {wording.time_left(seconds)}"
    return f"{job.done:,} of {job.total:,} rows{left}"
