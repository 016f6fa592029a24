"""How matches are read for those who show them."""

from __future__ import annotations

from django.db.models import Prefetch

from leagues.models import Participant

PLAYERS_BY_RANK = Prefetch(
    "participants",
    Participant.objects.select_related("player").order_by("rank", "side", "player__key"),
)
"""How matches are read wherever their players are shown: best side first."""
