"""Who is listed: players brought by an import are, as long as a match of theirs counts."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Exists, OuterRef

from leagues.models import Match, Participant, Player, Season
from leagues.services.batches import batches

BATCH = 10_000


def list_players(*, season: Season, number: int, players: Iterable[int]) -> None:
    """List or unlist the players of the matches that a revision touched, and the ones named.

    Their rows are locked first, in order, and looked at afterwards: of two seasons that touch the
    same player at once, the second sees what the first has committed. Players made by hand stay
    listed.
    """
    touched = Participant.objects.filter(match__season=season, match__touched_in_revision=number)
    concerned = sorted({*players, *touched.values_list("player_id", flat=True).distinct()})
    for keys in batches(concerned, BATCH):
        brought = Player.objects.filter(pk__in=keys, revision__isnull=False).order_by("pk")
        held = list(brought.select_for_update(no_key=True).values_list("pk", flat=True))
        counting = Match.objects.live().filter(participants__player=OuterRef("pk"))
        rows = Player.objects.filter(pk__in=held)
        rows.filter(Exists(counting), is_listed=False).update(is_listed=True)
        rows.filter(~Exists(counting), is_listed=True).update(is_listed=False)
