"""The log of a league: revisions of results and entries about settings in one line of time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast

from leagues.models import (
    AuditEntry,
    League,
    Match,
    MatchVersion,
    Participant,
    Player,
    Revision,
    Season,
)
from leagues.services.tokens import source_of

Place = tuple[datetime, int, int]
"""Where an entry stands: its instant, whether it is about results, and its key."""
FACTS, SETTINGS = "results", "settings"
_NAMES_OTHERS = (Revision.Kind.CORRECTION, Revision.Kind.MERGE)
"""Revisions that can take a player out of a match."""
_FACT, _SETTING = 1, 0
"""What of one instant stands first: the fact."""


@dataclass(frozen=True, slots=True)
class LogFilter:
    """What part of the log is asked for; read by a form."""

    kind: str = ""
    season: Season | None = None
    players: tuple[Player, ...] | None = None
    user: str = ""
    since: datetime | None = None
    until: datetime | None = None


def named_players(
    league: League, name: str, folded: str, *, only_public: bool
) -> tuple[Player, ...]:
    """The players that bear a name, another name or a key, listed or not.

    `only_public` leaves out the other names that not everyone can see.
    """
    other = Q(aliases__folded=folded)
    if only_public:
        other &= Q(aliases__is_public=True)
    players = league.players.filter(Q(key=name) | Q(folded=folded) | other).distinct()
    return tuple(players[:10])


def log_entries(
    league: League,
    filters: LogFilter,
    place: Place | None,
    at_most: int,
    *,
    with_settings: bool,
) -> list[Revision | AuditEntry]:
    """Entries of the log, the newest first, from a place on."""
    entries: list[Revision | AuditEntry] = []
    if _wants_facts(filters):
        entries += _before(_facts(league, filters), place, _FACT)[:at_most]
    if with_settings and _wants_settings(filters):
        entries += _before(_settings(league, filters), place, _SETTING)[:at_most]
    return sorted(entries, key=place_of, reverse=True)[:at_most]


def about_players(players: Sequence[Player]) -> Q:
    """Which revisions touch a result in which these players are, or ever were."""
    # Whom a correction or its undoing took out of a match stands in what the match said before.
    former = MatchVersion.objects.filter(
        Q(revision__kind__in=_NAMES_OTHERS)
        | Q(revision__reverts__kind__in=_NAMES_OTHERS)
        | Q(revision__reverts__reverts__kind__in=_NAMES_OTHERS),
        league__in={player.league_id for player in players},
    ).annotate(text=Cast("content", TextField()))
    named = Q(pk__in=())
    for player in players:
        named |= Q(text__contains=f'"player": "{player.key}"')
    theirs = Match.objects.filter(
        Q(pk__in=Participant.objects.filter(player__in=players).values("match"))
        | Q(pk__in=former.filter(named).values("match"))
    )
    replaced = MatchVersion.objects.filter(match__in=theirs.values("pk"))
    return Q(pk__in=theirs.values("revision")) | Q(pk__in=replaced.values("revision"))


def _wants_facts(filters: LogFilter) -> bool:
    return filters.kind in ("", FACTS) or filters.kind in Revision.Kind.values


def _wants_settings(filters: LogFilter) -> bool:
    return not _wants_facts(filters) or filters.kind == ""


def _facts(league: League, filters: LogFilter) -> QuerySet[Revision]:
    rows = league.revisions.filter(state=Revision.State.APPLIED).select_related("season", "author")
    if filters.kind in Revision.Kind.values:
        rows = rows.filter(kind=filters.kind)
    if filters.players is not None:
        rows = rows.filter(about_players(filters.players))
    if filters.user:
        rows = rows.filter(
            Q(author__username__iexact=filters.user)
            | Q(author=None, source=source_of(filters.user))
        )
    return _within(rows, filters)


def _settings(league: League, filters: LogFilter) -> QuerySet[AuditEntry]:
    rows = league.audit.select_related("actor", "season", "player")
    if filters.kind not in ("", SETTINGS):
        rows = rows.filter(action=filters.kind)
    if filters.players is not None:
        rows = rows.filter(player__in=filters.players)
    if filters.user:
        rows = rows.filter(actor__username__iexact=filters.user)
    return _within(rows, filters)


def _within(rows: QuerySet[Any], filters: LogFilter) -> QuerySet[Any]:
    if filters.season:
        rows = rows.filter(season=filters.season)
    if filters.since:
        rows = rows.filter(created_at__gte=filters.since)
    if filters.until:
        rows = rows.filter(created_at__lt=filters.until)
    return rows


def place_of(row: Revision | AuditEntry) -> Place:
    return row.created_at, _FACT if isinstance(row, Revision) else _SETTING, row.pk


def read_place(text: str) -> Place | None:
    """Read where a page begins; whatever is not one begins at the newest entry."""
    at, _bar, rest = text.partition("_")
    rank, _bar, pk = rest.partition("_")
    if rank not in ("0", "1") or not (pk.isascii() and pk.isdigit() and len(pk) < 19):
        return None
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        return None
    if moment.tzinfo is None or not 1800 < moment.year < 2200:
        return None
    return moment, int(rank), int(pk)


def _before(rows: QuerySet[Any], place: Place | None, rank: int) -> QuerySet[Any]:
    rows = rows.order_by("-created_at", "-pk")
    if place is None:
        return rows
    at, last_rank, last_pk = place
    if rank < last_rank:
        return rows.filter(created_at__lte=at)
    earlier = Q(created_at__lt=at)
    if rank == last_rank:
        earlier |= Q(created_at=at, pk__lt=last_pk)
    return rows.filter(earlier)
