"""The names of columns in stored JSON, where a column has been renamed since.

Backups, imprints and former versions of matches were written with these words, and hashes and
digests cover some of them: they stay, whatever the column is called.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.db import models

SAME_TIME_ORDER: Final = "order_hint"
PLAYING_SHARE: Final = "share"
EVENTS: Final = "events"
SETS: Final = "sets"
STARTED: Final = "started"
HANDICAP: Final = "handicap"

_WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "leagues.season": {
        "carryover": "carry",
        "carryover_share": "carry_share",
        "carryover_deviation": "carry_deviation",
    },
    "leagues.match": {"same_time_order": SAME_TIME_ORDER, "touched_in_revision": "touched"},
    "leagues.participant": {"playing_share": PLAYING_SHARE},
    "leagues.board": {
        "rated_through_revision": "frontier",
        "verified_through_revision": "verified_frontier",
        "last_same_time_order": "last_hint",
        "decayed_until": "reckoned_until",
    },
}


def stored_word(model: type[models.Model], column: str) -> str:
    """The name that stored JSON has for a column."""
    return _WORDS.get(model._meta.label_lower, {}).get(column, column)
