"""Which season and board of a league is looked at, and which others there are."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from django.db.models import CharField, Exists, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Cast, Concat
from django.utils import timezone

from leagues.models import Board, Job, League, LogHead, Match, Mode, Season
from leagues.selectors.boards import usual_board
from leagues.store.memory import Memory
from leagues.store.prepared import Answer, prepare_answer, stored_row

MAX_BYTES, ROW_BYTES = 4 * 1024 * 1024, 8 * 1024
"""Of the rows that a process keeps to know their digest by, and what one of them takes."""
UNFINISHED = (Job.State.QUEUED, Job.State.RUNNING)
SEASON, BOARD, MODE = (
    [column.attname for column in model._meta.concrete_fields] for model in (Season, Board, Mode)
)
"""The columns of a model, its key first."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an unfinished job is."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class BoardReading:
    """What is read along with a board; the times only where they are asked for."""

    job: Progress | None = None
    """How far its rating is; None while no job has to rate anything."""
    last_before: datetime | None = None
    """When its last match before a moment was played."""
    first_at: datetime | None = None
    """When its first match was played."""
    log: str = ""
    """The digest of its league's log, which is another after each change by hand."""


@dataclass(frozen=True, slots=True)
class BoardSelection:
    """Which season and board of a league a page shows, and which others there are."""

    season: Season | None
    board: Board | None
    seasons: tuple[Season, ...]
    boards: tuple[Board, ...]
    everywhere: tuple[Board, ...] = ()
    """The boards of all seasons."""
    readings: Mapping[int, BoardReading] = field(default_factory=dict)
    """What was read along with each of these boards, by its key."""

    @property
    def reading(self) -> BoardReading:
        """What was read along with the chosen board."""
        return self.readings[self.board.pk] if self.board else BoardReading()


_digests: Memory[tuple[Sequence[Sequence[Any]], str]] = Memory(MAX_BYTES)


@dataclass(frozen=True)
class LeagueRows:
    """What a league's pages begin with."""

    league_id: int
    answer: Answer[Sequence[Any]]

    @cached_property
    def digest(self) -> str:
        """The digest of every column of every row, in whatever order they came.

        Pages of boards depend on it alone, but for searches: what they read besides changes with a
        revision or with the log, and the ends of both are in it. A visitor who has the page needs
        no more of the rows than this, so it is of what the database sent.
        """
        known = _digests.get(self.league_id)
        if known is not None and known[0] == self.answer.raw:
            return known[1]
        rows = "\n".join(sorted(map(repr, self.answer.raw))).encode()
        digest = hashlib.sha256(rows).hexdigest()
        # To compare rows with the last ones takes a tenth of what it takes to write them out.
        _digests.put(self.league_id, (self.answer.raw, digest), ROW_BYTES * len(self.answer.raw))
        return digest


def read_league_rows(league: League) -> LeagueRows:
    """The seasons of a league that are no drafts, each with each of its boards."""
    return LeagueRows(league.pk, _present_selection(league=league.pk))


def select_board(
    *,
    league: League,
    season: str = "",
    board: str = "",
    until: datetime | None = None,
    with_first: bool = False,
    read: LeagueRows | None = None,
) -> BoardSelection | None:
    """The season and board that addresses choose; None where they name one that is not there.

    One query, which can tell when each board's last match before a moment was, and its first; none
    where its rows have been read.
    """
    seasons: dict[int, Season] = {}
    boards: dict[int, list[Board]] = {}
    readings: dict[int, BoardReading] = {}
    rows: Sequence[Sequence[Any]]
    if until is None and not with_first:
        extra: Sequence[str] = EXTRA
        rows = (read or read_league_rows(league)).answer.rows
    else:
        wanted = _extra(league.pk) | _extra_moments(league, until=until, with_first=with_first)
        extra = [*wanted]
        rows = list(_selection(league.pk, wanted))
    for row in rows:
        row_season, row_board = _season_of(row), _board_of(row)
        row_season.league = league
        known_season = seasons.setdefault(row_season.pk, row_season)
        if row_board is not None:
            row_board.league, row_board.season = league, known_season
            boards.setdefault(row_season.pk, []).append(row_board)
            values = dict(zip(extra, row[-len(extra) :], strict=True))
            readings[row_board.pk] = _reading_of(values)
            row_board.has_open_matches = values["has_open"]
    now = timezone.now()
    ordered = sorted(seasons.values(), key=lambda row: row.turn(now), reverse=True)
    chosen = next((row for row in ordered if row.slug == season or not season), None)
    if chosen is None:
        return None if season else BoardSelection(None, None, (), ())
    here = tuple(
        sorted(
            boards.get(chosen.pk, ()),
            key=lambda row: (row.mode.position, row.mode_id, row.position, row.pk),
        )
    )
    chosen_board = next((row for row in here if row.slug == board), None)
    if not board:
        chosen_board = usual_board(here)
    if board and chosen_board is None:
        return None
    everywhere = tuple(row_board for season in ordered for row_board in boards.get(season.pk, ()))
    return BoardSelection(chosen, chosen_board, tuple(ordered), here, everywhere, readings)


def _extra(league: int) -> dict[str, Subquery | Exists]:
    """What is read along with each board."""
    jobs = Job.objects.filter(
        key=Concat(
            Value("rate:"),
            Cast(OuterRef("boards__pk"), CharField()),
            output_field=CharField(),
        ),
        state__in=UNFINISHED,
    ).order_by("-state")
    # One row, as long as a log may be: a file of players makes an entry for each of them.
    heads = LogHead.objects.filter(scope=league)
    return {
        "log": Subquery(heads.values("digest")),
        "job_done": Subquery(jobs.values("done")[:1]),
        "job_total": Subquery(jobs.values("total")[:1]),
        "has_open": Exists(
            Match.objects.started().filter(season=OuterRef("pk"), mode=OuterRef("boards__mode"))
        ),
    }


EXTRA = ("log", "job_done", "job_total", "has_open")


def _extra_moments(
    league: League, *, until: datetime | None, with_first: bool
) -> dict[str, Subquery | Exists]:
    """The times that are read along with each board where they are asked for."""
    rated = Match.objects.rated_as_sealed(league, OuterRef("sealed_walkovers"))
    matches = rated.filter(season=OuterRef("pk"), mode=OuterRef("boards__mode"))
    extra: dict[str, Subquery | Exists] = {}
    if until is not None:
        before = matches.filter(played_at__lt=until).order_by("-played_at")
        extra["last_before"] = Subquery(before.values("played_at")[:1])
    if with_first:
        extra["first_at"] = Subquery(matches.order_by("played_at").values("played_at")[:1])
    return extra


def _selection(league: int, extra: Mapping[str, Subquery | Exists]) -> QuerySet[Any, Any]:
    """The seasons of a league that are no drafts, each with each of its boards."""
    return (
        Season.objects.filter(league=league)
        .exclude(state=Season.State.DRAFT)
        .annotate(**extra)
        .order_by()
        .values_list(
            *SEASON,
            *(f"boards__{name}" for name in BOARD),
            *(f"boards__mode__{name}" for name in MODE),
            *extra,
        )
    )


@prepare_answer
def _present_selection(*, league: int) -> QuerySet[Any, Any]:
    return _selection(league, _extra(league))


def _season_of(row: Sequence[Any]) -> Season:
    return stored_row(Season, SEASON, row)


def _board_of(row: Sequence[Any]) -> Board | None:
    """The board of a row with its mode; None where a season has no board."""
    values = row[len(SEASON) :]
    if values[0] is None:
        return None
    board = stored_row(Board, BOARD, values)
    board.mode = stored_row(Mode, MODE, values[len(BOARD) :])
    return board


def _reading_of(values: Mapping[str, Any]) -> BoardReading:
    total = values["job_total"]
    return BoardReading(
        job=None if total is None else Progress(values["job_done"] or 0, total),
        last_before=values.get("last_before"),
        first_at=values.get("first_at"),
        log=values["log"] or "",
    )
