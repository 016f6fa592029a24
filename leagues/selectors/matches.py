"""Matches with their players, and the results of a season part by part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet, prefetch_related_objects

from leagues.models import Board, League, Match, MatchEvent, Participant, Season
from leagues.models.player import name_condition

PLAYERS_BY_RANK = Prefetch(
    "participants",
    Participant.objects.select_related("player").order_by("rank", "side", "player__key"),
)
"""How matches are read wherever their players are shown: best side first."""
MOST_LOOKED_UP = 500
"""The matches of so many players are looked up by player."""


@dataclass(frozen=True, slots=True)
class ResultsPart:
    """Results of a season, newest first, and whether there are others around them."""

    matches: Sequence[Match]
    has_newer: bool
    has_older: bool


def with_players(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Matches read with their players, in one more query."""
    return matches.prefetch_related(PLAYERS_BY_RANK)


def read_people(match: Match) -> None:
    """Read the players of one match along with it."""
    prefetch_related_objects([match], PLAYERS_BY_RANK)


def read_parts(match: Match) -> None:
    """Read the players and the events of one match along with it."""
    read_people(match)
    events_of(match)


def events_of(match: Match) -> tuple[MatchEvent, ...]:
    """The events of a match that was read by `access.match`, in their order."""
    if not getattr(match, "has_events", True):
        return ()
    in_order = MatchEvent.objects.order_by("position")
    prefetch_related_objects([match], Prefetch("events", in_order))
    return tuple(match.events.all())


def people_of(match: Match) -> list[Participant]:
    """Who took part in a match that was read with its players, best side first."""
    return list(match.participants.all())


def numbered_match(season: Season, number: int) -> Match | None:
    """A match of a season by its number, with its players, as it is stored now."""
    matches = season.matches.exclude(status=Match.Status.STAGED).select_related("revision")
    return with_players(matches).filter(seq=number).first()


def last_matches(board: Board, at_most: int) -> list[Match]:
    """The last matches of a kind that a board rates, with their players, newest first."""
    matches = Match.objects.rated_on(board).results()
    last = list(with_players(matches).order_by("-played_at", "-same_time_order", "-seq")[:at_most])
    for match in last:
        match.league, match.season, match.mode = board.league, board.season, board.mode
    return last


def results_part(season: Season, *, named: str, before: str, after: str, size: int) -> ResultsPart:
    """Results of a season, newest first: before or after one by its number, or the newest.

    Of players whose names have the letters `named`, where there are any.
    """
    rows: QuerySet[Match] = Match.objects.filter(season=season).listed()
    rows = rows.exclude(status=Match.Status.STAGED)
    if named:
        rows = rows.filter(_with_player_names(named, season.league))
    newest_first = ("-played_at", "-same_time_order", "-seq")
    rows = with_players(rows)
    edge = _edge(rows, before)
    if edge:
        later = rows.filter(_later(edge)).order_by("played_at", "same_time_order", "seq")
        page = list(later[: size + 1])
        if page:
            return ResultsPart(page[size - 1 :: -1], len(page) > size, True)
    edge = _edge(rows, after)
    if edge:
        page = list(rows.filter(_earlier(edge)).order_by(*newest_first)[: size + 1])
        if page:
            return ResultsPart(page[:size], True, len(page) > size)
    # Without an edge, or with one that nothing lies beyond, the newest.
    page = list(rows.order_by(*newest_first)[: size + 1])
    return ResultsPart(page[:size], False, len(page) > size)


def _with_player_names(query: str, league: League) -> Q:
    """What is true of the matches of players whose names have these letters."""
    players = league.players.filter(name_condition(league, query))
    named = players.order_by().values_list("pk", flat=True)
    few = list(named[: MOST_LOOKED_UP + 1])
    played = Participant.objects.all()
    if len(few) <= MOST_LOOKED_UP:
        return Q(pk__in=played.filter(player__in=few).values("match"))
    # So many have played lately too: whoever goes through the newest matches soon has a page.
    is_named = name_condition(league, query, "player__")
    return Q(Exists(played.filter(is_named, match=OuterRef("pk"))))


def _edge(rows: QuerySet[Match], seq: str) -> Match | None:
    if not (seq.isascii() and seq.isdigit() and len(seq) < 19):
        return None
    return rows.prefetch_related(None).filter(seq=int(seq)).first()


def _earlier(edge: Match) -> Q:
    at = Q(played_at=edge.played_at)
    hint = Q(same_time_order=edge.same_time_order)
    return (
        Q(played_at__lt=edge.played_at)
        | at & Q(same_time_order__lt=edge.same_time_order)
        | at & hint & Q(seq__lt=edge.seq)
    )


def _later(edge: Match) -> Q:
    at = Q(played_at=edge.played_at)
    hint = Q(same_time_order=edge.same_time_order)
    return (
        Q(played_at__gt=edge.played_at)
        | at & Q(same_time_order__gt=edge.same_time_order)
        | at & hint & Q(seq__gt=edge.seq)
    )
