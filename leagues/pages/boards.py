"""Which season and board of a league is looked at, and what stands above it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from urllib.parse import urlencode

from django.db.models import CharField, Count, OuterRef, Q, Subquery, Value
from django.db.models.functions import Cast, Coalesce, Concat, NullIf
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import bridge, wording
from leagues.models import AuditEntry, Board, Job, League, Match, Mode, Season
from leagues.pages.integrity import IntegrityLine, integrity_line
from leagues.pages.ratings import shown_as
from leagues.store.match_columns import ALWAYS_RATED, is_behind

BEST_FIRST = ("-place_value", "player__key")
"""Equal places in the order of keys: whoever came to the league first is not the better one."""

UNFINISHED = (Job.State.QUEUED, Job.State.RUNNING)


@dataclass(frozen=True, slots=True)
class Choice:
    """An entry of a select, a tab or a set of radio buttons."""

    value: str
    label: str
    is_chosen: bool
    url: str = ""
    count: str = ""


@dataclass(frozen=True, slots=True)
class Look:
    """Which season and board of a league a page shows, and which others there are."""

    season: Season | None
    board: Board | None
    seasons: tuple[Season, ...]
    boards: tuple[Board, ...]
    everywhere: tuple[Board, ...] = ()
    """The boards of all seasons."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an unfinished job is."""

    done: int
    total: int


def league_look(
    *,
    league: League,
    season: str = "",
    board: str = "",
    until: datetime | None = None,
    with_first: bool = False,
) -> Look | None:
    """Return what addresses choose; None where they name something that is not there.

    One query, which brings along how much has been changed in the league by hand
    (`Board.changes`), and can tell when each board's last match before a moment was
    (`Board.last_before`), and its first (`Board.first_at`).
    """
    seasons: dict[int, Season] = {}
    boards: dict[int, list[Board]] = {}
    for found, held in _seasons_and_boards(league, until=until, with_first=with_first):
        kept = seasons.setdefault(found.pk, found)
        if held is not None:
            held.league, held.season = league, kept
            boards.setdefault(found.pk, []).append(held)
    now = timezone.now()
    ordered = sorted(seasons.values(), key=lambda row: row.turn(now), reverse=True)
    chosen = next((row for row in ordered if row.slug == season or not season), None)
    if chosen is None:
        return None if season else Look(None, None, (), ())
    here = tuple(
        sorted(
            boards.get(chosen.pk, ()),
            key=lambda row: (row.mode.position, row.mode_id, row.position, row.pk),
        )
    )
    shown = next((row for row in here if row.slug == board or not board), None)
    if board and shown is None:
        return None
    everywhere = tuple(held for season in ordered for held in boards.get(season.pk, ()))
    return Look(chosen, shown, tuple(ordered), here, everywhere)


def _seasons_and_boards(
    league: League, *, until: datetime | None, with_first: bool
) -> list[tuple[Season, Board | None]]:
    """Read the seasons of a league that are no drafts, each with each of its boards."""
    # What `rated_kinds` says of each season.
    sealed = NullIf(OuterRef("sealed_walkovers"), Value(""), output_field=CharField())
    matches = Match.objects.alias(walkovers=Coalesce(sealed, Value(league.walkovers))).filter(
        Q(kind__in=ALWAYS_RATED) | Q(kind=Match.Kind.WALKOVER, walkovers=League.Walkovers.WIN),
        season=OuterRef("pk"),
        mode=OuterRef("boards__mode"),
        status=Match.Status.LIVE,
    )
    jobs = Job.objects.filter(
        key=Concat(
            Value("rate:"),
            Cast(OuterRef("boards__pk"), CharField()),
            output_field=CharField(),
        ),
        state__in=UNFINISHED,
    ).order_by("-state")
    # Counted, as the newest need not be the last that was committed; made by hand, they are few.
    changes = AuditEntry.objects.filter(league=league).order_by().values("league")
    extra = {
        "changes": Subquery(changes.annotate(count=Count("pk")).values("count")),
        "job_done": Subquery(jobs.values("done")[:1]),
        "job_total": Subquery(jobs.values("total")[:1]),
    }
    if until is not None:
        before = matches.filter(played_at__lt=until).order_by("-played_at")
        extra["last_before"] = Subquery(before.values("played_at")[:1])
    if with_first:
        extra["first_at"] = Subquery(matches.order_by("played_at").values("played_at")[:1])
    columns = {model: _columns(model) for model in (Season, Board, Mode)}
    ends = len(columns[Season]), len(columns[Season]) + len(columns[Board])
    rows = (
        Season.objects.filter(league=league)
        .exclude(state=Season.State.DRAFT)
        .annotate(**extra)
        .order_by()
        .values_list(
            *columns[Season],
            *(f"boards__{name}" for name in columns[Board]),
            *(f"boards__mode__{name}" for name in columns[Mode]),
            *extra,
        )
    )
    found = []
    for row in rows:
        season = Season.from_db(rows.db, columns[Season], row[: ends[0]])
        season.league = league
        board = None
        if row[ends[0]] is not None:
            board = Board.from_db(rows.db, columns[Board], row[ends[0] : ends[1]])
            board.mode = Mode.from_db(rows.db, columns[Mode], row[ends[1] : -len(extra)])
            told = dict(zip(extra, row[-len(extra) :], strict=True))
            total = told.pop("job_total")
            done = told.pop("job_done") or 0
            told["job"] = None if total is None else Progress(done, total)
            for name, value in told.items():
                setattr(board, name, value)
        found.append((season, board))
    return found


def _columns(model: type[Season | Board | Mode]) -> list[str]:
    """Return the columns of a model, its key first."""
    return [field.attname for field in model._meta.concrete_fields]


def boards_of(season: Season) -> tuple[Board, ...]:
    """Return the boards of a season that was read with its league."""
    boards = tuple(season.boards.select_related("mode"))
    for board in boards:
        board.league, board.season = season.league, season
    return boards


def board_address(board: Board) -> str:
    """Return the address of a board."""
    base = reverse("leagues:board", args=[board.league.slug])
    return f"{base}?{urlencode({'season': board.season.slug, 'board': board.slug})}"


def player_address(board: Board, key: str) -> str:
    """Return the address of a player's profile as of a board."""
    base = reverse("leagues:player", args=[board.league.slug, key])
    return f"{base}?{urlencode({'season': board.season.slug, 'board': board.slug})}"


def board_tabs(look: Look, address: Callable[[Board], str] = board_address) -> tuple[Choice, ...]:
    """Return the boards of a season as links to the same page as each of them sees it."""
    return tuple(
        Choice(board.slug, board.name, board == look.board, url=address(board))
        for board in look.boards
    )


def season_choices(look: Look) -> tuple[Choice, ...]:
    """Return the seasons of a league for a select; archived ones have to be known."""
    return tuple(
        Choice(season.slug, season.name, season == look.season)
        for season in look.seasons
        if season == look.season or season.state != Season.State.ARCHIVED
    )


@dataclass(frozen=True, slots=True)
class BoardHead:
    """The facts above a board."""

    title: str
    system: str
    results: str
    last_played: str
    integrity: IntegrityLine
    problem: str
    refused: str
    shown_as: str
    is_low_best: bool


def board_head(*, board: Board, now: datetime, on: date | None = None) -> BoardHead:
    """Return what stands above a board: how much it rests on, and whether it was checked.

    Of a day in the past only when the last match up to it was; the look has read that.
    """
    zone = board.league.zone
    today = now.astimezone(zone).date()
    info = bridge.system_info(board.system)
    several = board.season.name, board.mode.name
    last = ""
    last_at = getattr(board, "last_before", None) if on else board.last_at
    if last_at:
        last = _("last played %(day)s") % {
            "day": wording.day(last_at.astimezone(zone).date(), today)
        }
    return BoardHead(
        title=", ".join(several),
        system=info.title,
        results="" if on else wording.results(board.rated_matches),
        last_played=last,
        integrity=integrity_line(board, now),
        problem=board.problem,
        refused="" if on else _refused(board.refused_matches),
        shown_as=shown_as(board),
        is_low_best=bridge.system_of(board).lower_is_better,
    )


def _refused(count: int) -> str:
    if not count:
        return ""
    return ngettext(
        "%(count)s result could not be rated by this system",
        "%(count)s results could not be rated by this system",
        count,
    ) % {"count": wording.count(count)}


@dataclass(frozen=True, slots=True)
class Waiting:
    """Results that are stored and not rated yet, and how far their rating is."""

    done: str
    total: str
    part: str
    is_stopped: bool = False


def board_waiting(board: Board) -> Waiting | None:
    """Return how far the rating of new results is; None where all are rated.

    A board of `league_look` brought its job along; of any other one the database is asked.
    """
    job: Any
    if hasattr(board, "job"):
        job = board.job
        is_waiting = job is not None or board.state == Board.State.PAUSED
        behind = is_waiting and board.frontier < board.season.last_revision
    else:
        behind = is_behind(board)
        jobs = Job.objects.filter(key=f"rate:{board.pk}").order_by("-pk")
        job = jobs.first() if behind else None
    if not behind:
        return None
    if board.state == Board.State.PAUSED:
        return Waiting("", "", "", is_stopped=True)
    if job is None or not job.total:
        return Waiting("", "", "")
    return Waiting(
        done=wording.count(job.done),
        total=wording.count(job.total),
        part=f"{job.done / job.total:.3f}",
    )
