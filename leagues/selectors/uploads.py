"""Files that somebody brought."""

from __future__ import annotations

from leagues.models import League, Upload
from leagues.services.imports import is_written


def uploads_to_settle(league: League, at_most: int) -> list[Upload]:
    """Those among the newest files of a league that were checked and not written yet."""
    uploads = league.uploads.filter(options__is_upload=True).defer("content")
    newest = uploads.select_related("revision").order_by("-pk")[:at_most]
    return [upload for upload in newest if upload.report is not None and not is_written(upload)]
