"""Which season and board of a league is looked at, and which others there are."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import CharField, Count, OuterRef, Q, Subquery, Value
from django.db.models.functions import Cast, Coalesce, Concat, NullIf
from django.utils import timezone

from leagues.models import AuditEntry, Board, Job, League, Match, Mode, Season
from leagues.store.match_columns import ALWAYS_RATED

UNFINISHED = (Job.State.QUEUED, Job.State.RUNNING)


@dataclass(frozen=True, slots=True)
class BoardSelection:
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


def select_board(
    *,
    league: League,
    season: str = "",
    board: str = "",
    until: datetime | None = None,
    with_first: bool = False,
) -> BoardSelection | None:
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
        return None if season else BoardSelection(None, None, (), ())
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
    return BoardSelection(chosen, shown, tuple(ordered), here, everywhere)


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
