"""Files that somebody brought in a browser, and how far they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from leagues.models import Board, Job, League, Season, Upload
from leagues.services.imports import is_written, upload_jobs
from leagues.services.player_changes import PLAYERS_CHANGED

_UPLOADS = Upload.objects.select_related("mode", "revision")
_JOB_COLUMNS = ("options", "report", "mode", "revision")
"""What jobs write to an upload."""


def open_seasons(league: League) -> list[Season]:
    """The seasons that take results, the newest first."""
    return [season for season in league.seasons.all() if season.takes_late_results]


def league_upload(league: League, number: int) -> Upload | None:
    """A file that was uploaded to this league in a browser, without its bytes."""
    uploads = league.uploads.select_related("season", "mode", "revision", "author")
    upload = uploads.defer("content").filter(pk=number, options__is_upload=True).first()
    if upload is not None:
        upload.league = upload.season.league = league
    return upload


def uploads_to_settle(league: League, at_most: int) -> list[Upload]:
    """Those among the newest files of a league that were checked and wait for a decision."""
    uploads = unwritten_uploads(league, at_most)
    return [row for row in uploads if row.report is not None and _asks_for_more(row.report)]


def _asks_for_more(report: Mapping[str, Any]) -> bool:
    """Whether a checked file has something to import, or to correct first."""
    changes = ("imported", "players_created", PLAYERS_CHANGED)
    questions = ("problems", "asks_dates", "error_count")
    return any(report.get(name) for name in (*changes, *questions))


def unwritten_uploads(league: League, at_most: int) -> list[Upload]:
    """Those among the newest files of a league that are not written yet."""
    uploads = league.uploads.filter(options__is_upload=True).defer("content")
    newest = uploads.select_related("season", "mode", "revision", "author").order_by("-pk")
    return [upload for upload in newest[:at_most] if not is_written(upload)]


def newest_job(upload: Upload) -> Job | None:
    """The newest of a file's jobs, while it is kept."""
    return upload_jobs(upload, "check", "import").first()


def refresh_upload(upload: Upload) -> None:
    """Read again what comes with a job's end, which may be after the upload was read."""
    if not is_written(upload):
        upload.refresh_from_db(fields=_JOB_COLUMNS, from_queryset=_UPLOADS)


def boards_of_upload(upload: Upload) -> list[Board]:
    """The boards that rate a file's results, in their order."""
    boards = list(upload.season.boards.filter(mode=upload.mode).select_related("mode"))
    for board in boards:
        board.league, board.season = upload.league, upload.season
    return boards
