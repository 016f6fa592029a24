"""Uploaded logs: read when they are sent, then checked and imported as any uploaded file is."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues.domain.civil_days import day_of
from leagues.jobs.queue import Claim
from leagues.models import Match, Revision, Upload
from leagues.models.match import MatchEventKind
from leagues.services.errors import Refused
from leagues.services.import_reading import ImportOptions
from leagues.services.import_report import ImportReport
from leagues.services.log_imports import GameOptions, LogReport, check_logs, import_logs, lines_of
from leagues.services.log_packing import pack_contents, unpack_contents
from leagues.services.log_reading import LogContents, LogOptions, read_log_into
from ratings.gamelogs.sessions import GameEventKind

LOG_BYTES = 10 * 1024 * 1024
"""Logs are read while they are sent; larger ones are for the command line."""


def packed_log(name: str, content: bytes, options: LogOptions) -> bytes:
    """What is kept of an uploaded log: its games; neither chat nor addresses.

    Raises LogProblem for what cannot be read.
    """
    contents = LogContents()
    read_log_into(contents, name, io.BytesIO(content), options, most_bytes=LOG_BYTES)
    return pack_contents(contents)


def check_log_upload(upload: Upload) -> dict[str, Any]:
    """What importing an uploaded log would do, as its report."""
    options = _options(upload)
    facts: dict[str, Any] = {"problems": [], "asks_dates": False}
    try:
        contents = unpack_contents(bytes(upload.content))
        report = check_logs(season=upload.season, contents=contents, options=options)
    except (Refused, ValidationError) as error:
        return facts | {"problems": _words_of(error)}
    return facts | _as_import(report, options).as_dict()


def import_log_upload(claim: Claim, upload: Upload) -> dict[str, Any] | None:
    """Store the games of an uploaded log and end the job with it, all in one transaction.

    What the job found where nothing was stored; the upload has another report then.
    """
    contents, options = LogContents(), _options(upload)
    try:
        contents = unpack_contents(bytes(upload.content))
        with transaction.atomic():
            claim.fence()
            report = import_logs(
                season=upload.season, contents=contents, options=options, author=upload.author
            )
            if report.revision is not None:
                found = _as_import(report, options).as_dict()
                _end(claim, upload, found, report.revision)
                return None
    except (Refused, ValidationError):
        report = LogReport(contents)
    checked = check_log_upload(upload) | {"check": claim.job.pk}
    Upload.objects.filter(pk=upload.pk).update(report=checked)
    is_refused = bool(checked["problems"])
    return _as_import(report, options).as_dict() | {"refused": is_refused, "revision": None}


def _end(claim: Claim, upload: Upload, found: dict[str, Any], number: int) -> None:
    revision = Revision.objects.get(season=upload.season_id, number=number)
    upload.revision, upload.content = revision, b""
    brought = Match.objects.filter(season=upload.season_id, touched_in_revision=number)
    # The pages of the import lead to what was played first.
    upload.mode = brought.earliest("seq").mode
    upload.save(update_fields=["revision", "content", "mode"])
    claim.finish(found | {"refused": False, "revision": number})


def _options(upload: Upload) -> GameOptions:
    options = ImportOptions(**upload.options)
    today = day_of(timezone.now(), upload.season.league.zone)
    return GameOptions(
        mode=options.new_mode,
        day=options.day_of_undated or today,
        is_unrated=options.is_unrated,
    )


def _as_import(report: LogReport, options: GameOptions) -> ImportReport:
    """The report of a log as that of a file."""
    undated = any(game.started_at is None for game in report.contents.games)
    return ImportReport(
        imported=report.imported,
        already_there=report.already_there,
        players_created=report.players_created,
        notes=list(_notes(report)),
        new_names=report.new_names,
        unrated=report.imported if options.is_unrated else 0,
        is_undated=undated,
    )


def _notes(report: LogReport) -> Iterator[str]:
    """Yield what a log holds, where it goes, and what is left out."""
    found = report.contents
    games = ngettext("%(n)d game", "%(n)d games", found.sessions) % {"n": found.sessions}
    total = found.events.total()
    events = ngettext("%(n)d event", "%(n)d events", total) % {"n": total}
    yield _("The log has %(games)s with %(events)s.") % {"games": games, "events": events}
    if found.events:
        yield _("Events by kind: %(kinds)s.") % {"kinds": ", ".join(_kinds_of(found.events))}
    for mode, count in report.modes.items():
        yield _("%(mode)s: %(count)d") % {"mode": mode, "count": count}
    yield from lines_of(report)


def _kinds_of(events: Counter[str]) -> Iterator[str]:
    """Yield how many events there are of each kind, the most frequent first."""
    labels = dict(MatchEventKind.choices) | {
        GameEventKind.ROUND_WON: _("round won"),
        GameEventKind.OWN: _("of the game’s own"),
    }
    for kind, count in events.most_common():
        yield _("%(kind)s (%(count)d)") % {"kind": labels[kind], "count": count}


def _words_of(error: Refused | ValidationError) -> list[str]:
    return list(error.messages) if isinstance(error, ValidationError) else [str(error)]
