"""Who is listed: players brought by an import are, as long as a match of theirs counts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from django.db.models import Exists, OuterRef, QuerySet

from leagues.models import Match, Participant, Player, Season
from leagues.services.batches import batches
from leagues.store.prepared import prepare, prepare_update

BATCH = 10_000
COUNTS: Final = Exists(Match.objects.live().filter(participants__player=OuterRef("pk")))
"""Whether any match of a player counts."""


def list_players(*, season: Season, touched_in: int | None, players: Iterable[int]) -> None:
    """List or unlist some players, and those of the matches that a revision touched.

    Their rows are locked first, in order, and looked at afterwards: of two seasons that touch the
    same player at once, the second sees what the first has committed. Players made by hand stay
    listed.
    """
    concerned = set(players)
    if touched_in is not None:
        rows = _touched_players(season=season.pk, number=touched_in)
        concerned.update(player for (player,) in rows)
    for keys in batches(sorted(concerned), BATCH):
        held = {key for (key,) in _hold_brought(players=keys)}
        if held:
            _list_counting(players=sorted(held))
            _unlist_others(players=sorted(held))


@prepare
def _touched_players(*, season: int, number: int) -> QuerySet[Participant, tuple[int]]:
    rows = Participant.objects.filter(match__season=season, match__touched_in_revision=number)
    return rows.values_list("player_id").distinct()


@prepare
def _hold_brought(*, players: list[int]) -> QuerySet[Player, tuple[int]]:
    brought = Player.objects.filter(pk__in=players, revision__isnull=False).order_by("pk")
    return brought.select_for_update(no_key=True).values_list("pk")


@prepare_update
def _list_counting(*, players: list[int]) -> tuple[QuerySet[Player], dict[str, Any]]:
    rows = Player.objects.filter(COUNTS, pk__in=players, is_listed=False)
    return rows, {"is_listed": True}


@prepare_update
def _unlist_others(*, players: list[int]) -> tuple[QuerySet[Player], dict[str, Any]]:
    rows = Player.objects.filter(~COUNTS, pk__in=players, is_listed=True)
    return rows, {"is_listed": False}
