"""The results of a season as files that the import reads back: CSV, JSON and a workbook.

A row for each player of each result, oldest first. Void results are left out. Events are in JSON
only: those of one match can be longer than a cell of a table. Starts of matches, which cost ratings
if they were left, have a column of their own where there are some.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db.models import QuerySet

from leagues.models import Match, MatchEvent, Mode, Participant, Season
from leagues.selectors.json_files import json_lines
from leagues.selectors.player_columns import PlayerColumns, cells
from leagues.selectors.spreadsheets import csv_lines
from leagues.selectors.workbooks import workbook
from leagues.services.import_ids import CONTENT_ID
from ratings.files.event_cells import COLUMN as EVENTS_COLUMN
from ratings.files.handicap_cells import COLUMN as HANDICAP_COLUMN
from ratings.files.match_start_cells import COLUMN as START_COLUMN

STORED = {
    "match": "match__seq",
    "played_at": "match__played_at",
    "same_time_order": "match__same_time_order",
    "mode": "match__mode__name",
    "kind": "match__kind",
    "weight": "match__weight",
    "external_id": "match__external_id",
    "side": "side",
    "rank": "rank",
    "score": "score",
    HANDICAP_COLUMN: "handicap",
    "player": "player__name",
    "player_key": "player__key",
    "own_score": "own_score",
    "playing_share": "playing_share",
    "set_list": "match__sets",
    "details": "match__detail",
}
"""The columns, and where their values are stored."""
EVENT = {
    "kind": "kind",
    "player": "player__key",
    "opponent": "opponent__key",
    "points": "points",
    "milliseconds": "milliseconds",
}
"""What is said of an event in JSON, and where it is stored."""
TEAM = "player_team"
"""What the column of teams is called, which are not the sides of a match."""
ORDER = ("match__played_at", "match__same_time_order", "match__seq", "side", "player__key")
CHUNK = 2000


class ResultFile:
    """The results of a season, of all modes or of one; `is_private` adds what organizers know."""

    def __init__(self, season: Season, mode: Mode | None = None, *, is_private: bool) -> None:
        self.season, self.mode = season, mode
        self._columns = PlayerColumns(
            season.league, is_private=is_private, team=TEAM, seasons=season
        )
        self._external_ids: dict[str, int] = {}

    @cached_property
    def _starts(self) -> dict[int, list[dict[str, Any]]]:
        """What is said of the starts of matches, by their number."""
        live = Match.objects.starts().filter(season=self.season)
        if self.mode is not None:
            live = live.filter(mode=self.mode)
        released = defaultdict(list)
        let_go = Participant.objects.filter(
            match__in=live.values("pk"), leaving=Participant.Leaving.RELEASED
        )
        for seq, key in let_go.values_list("match__seq", "player__key"):
            released[seq].append(key)
        return {
            seq: [
                {
                    "at": at.isoformat(),
                    "deadline": deadline.isoformat(),
                    "rungs": rungs,
                    "released": sorted(released[seq]),
                }
            ]
            for seq, at, deadline, rungs in live.values_list(
                "seq", "started_at", "deadline_at", "rungs_lost"
            )
            if seq and at and deadline
        }

    @property
    def head(self) -> tuple[str, ...]:
        start = (START_COLUMN,) if self._starts else ()
        return (*STORED, *self._columns.head, *start)

    def csv(self) -> Iterator[str]:
        """The lines of a table."""
        return csv_lines(self.head, map(cells, self._rows()))

    def workbook(self) -> Iterator[bytes]:
        """The bytes of an XLSX file."""
        return workbook(self.head, map(cells, self._rows()))

    def json(self) -> Iterator[str]:
        """The lines of one object."""
        season = self.season
        head = {"league": season.league.slug, "season": season.slug, "state": season.state}
        return json_lines(head, self._with_events(self._rows()))

    def _with_events(self, rows: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """The rows with the events of each match in its first one, if any match has some."""
        columns = self._events().values_list(*EVENT.values(), "match__seq")
        matches = groupby(columns.iterator(CHUNK), itemgetter(len(EVENT)))
        seq, happened = next(matches, (None, iter(())))
        if seq is None:
            yield from rows
            return
        for row in rows:
            row[EVENTS_COLUMN] = None
            if row["match"] == seq:
                row[EVENTS_COLUMN] = [dict(zip(EVENT, event, strict=False)) for event in happened]
                seq, happened = next(matches, (None, iter(())))
            yield row

    def _events(self) -> QuerySet[MatchEvent]:
        live = MatchEvent.objects.filter(match__season=self.season, match__status="live")
        if self.mode is not None:
            live = live.filter(match__mode=self.mode)
        return live.order_by(*ORDER[:3], "position")

    def _rows(self) -> Iterator[dict[str, Any]]:
        fields = (*STORED.values(), "match__date_only", "player", "player__birth_year")
        told = None
        for values in self._participants().values_list(*fields).iterator(CHUNK):
            row = dict(zip(STORED, values, strict=False))
            is_day, player, birth_year = values[len(STORED) :]
            row["played_at"] = self._moment(row["played_at"], is_day=is_day)
            row["external_id"] = self._external_id(row["external_id"], row["match"])
            row["side"] += 1
            row |= self._columns.values(player, birth_year)
            if self._starts:
                seq = row["match"]
                row[START_COLUMN] = self._starts.get(seq) if seq != told else None
                row["kind"] = "unrated" if seq in self._starts else row["kind"]
                told = seq
            yield row

    def _participants(self) -> QuerySet[Participant]:
        live = Participant.objects.filter(match__season=self.season, match__status="live")
        if self.mode is not None:
            live = live.filter(match__mode=self.mode)
        return live.order_by(*ORDER)

    def _moment(self, played_at: datetime, *, is_day: bool) -> str:
        local = played_at.astimezone(self.season.league.zone)
        if is_day:
            return local.date().isoformat()
        offset = local.utcoffset()
        # Zones of former times differ by seconds, which no file can say.
        return (local if offset and not offset.seconds % 60 else played_at).isoformat()

    def _external_id(self, external_id: str | None, seq: int) -> str | None:
        """The id at the source; not one of another result before it, from another source."""
        if external_id is None or external_id.startswith(CONTENT_ID):
            return None
        is_first = self._external_ids.setdefault(external_id, seq) == seq
        return external_id if is_first else None
