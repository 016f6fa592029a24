"""Who is listed: players brought by an import are, as long as a match of theirs counts.

A file of players brings them without any match: undoing it takes off the list who has none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Final

from django.db.models import Exists, OuterRef, QuerySet

from leagues.models import Match, Participant, Player, Revision, Season
from leagues.services.batches import batches
from leagues.store.prepared import prepare, prepare_update

BATCH = 1000
"""Players in one statement: to make one for ten times as many takes two seconds."""
COUNTS: Final = Exists(Match.objects.live().filter(participants__player=OuterRef("pk")))
"""Whether any match of a player counts."""
MAX_ASKED = 100
"""Of more players all that counts is read at once. PostgreSQL knows nothing yet of the rows of an
import, and may look for each player through all matches."""


def list_players(
    *,
    season: Season,
    touched_in: int | None,
    players: Iterable[int],
    counting: Collection[int] = (),
) -> None:
    """List or unlist some players, and those of the matches that a revision touched.

    Of those `counting` it is known that a match of theirs counts.

    Their rows are locked first, in order, and looked at afterwards: of two seasons that touch the
    same player at once, the second sees what the first has committed. Players made by hand stay
    listed.
    """
    concerned = set(players)
    if touched_in is not None:
        rows = _touched_players(season=season.pk, number=touched_in)
        concerned.update(player for (player,) in rows)
    for keys in batches(sorted(concerned), BATCH):
        held = sorted(key for (key,) in _hold_brought(players=keys))
        if not held:
            continue
        others = [key for key in held if key not in counting]
        read = _with_a_match if len(others) <= MAX_ASKED else _of_all_matches
        idle = set(others) - {key for (key,) in read(players=others)}
        _set_listed(players=[key for key in held if key not in idle], is_listed=True)
        _set_listed(players=sorted(idle), is_listed=False)


@prepare
def _touched_players(*, season: int, number: int) -> QuerySet[Participant, tuple[int]]:
    touched = Match.objects.in_any_mode(season).filter(touched_in_revision=number)
    rows = Participant.objects.filter(match__in=touched)
    return rows.values_list("player_id").distinct()


@prepare
def _hold_brought(*, players: list[int]) -> QuerySet[Player, tuple[int]]:
    # Whoever was merged stays off the lists, also while a second season still has results.
    brought = Player.objects.filter(
        pk__in=players, revision__isnull=False, merged_into__isnull=True
    ).order_by("pk")
    return brought.select_for_update(no_key=True).values_list("pk")


@prepare
def _with_a_match(*, players: list[int]) -> QuerySet[Player, tuple[int]]:
    return Player.objects.filter(COUNTS, pk__in=players).values_list("pk")


def _of_all_matches(*, players: list[int]) -> QuerySet[Participant, tuple[int]]:
    rows = Participant.objects.filter(player__in=players, match__status=Match.Status.LIVE)
    return rows.values_list("player_id").distinct()


def _set_listed(*, players: list[int], is_listed: bool) -> None:
    if players:
        (_list if is_listed else _unlist)(players=players)


@prepare_update
def _list(*, players: list[int]) -> tuple[QuerySet[Player], dict[str, Any]]:
    return Player.objects.filter(pk__in=players, is_listed=False), {"is_listed": True}


@prepare_update
def _unlist(*, players: list[int]) -> tuple[QuerySet[Player], dict[str, Any]]:
    brought = Player.objects.exclude(revision__kind=Revision.Kind.PLAYERS)
    return brought.filter(pk__in=players, is_listed=True), {"is_listed": False}


def list_brought(revision: Revision, *, is_listed: bool) -> None:
    """List the players whom a file of players brought; or take off who has no match that counts."""
    rows = Player.objects.filter(revision=revision, merged_into__isnull=True)
    held = rows.order_by("pk").select_for_update(no_key=True).values_list("pk", flat=True)
    for keys in batches(list(held), BATCH):
        counting = {key for (key,) in _of_all_matches(players=keys)}
        concerned = keys if is_listed else [key for key in keys if key not in counting]
        Player.objects.filter(pk__in=concerned).update(is_listed=is_listed)


def bring_back(players: Iterable[Player], revision: Revision) -> None:
    """Let players who were taken off the list be those whom a file of players brought."""
    keys = [player.pk for player in players]
    Player.objects.filter(pk__in=keys, is_listed=False).update(revision=revision)
