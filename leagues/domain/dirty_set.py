"""Which matches a change of results reaches.

The players of a changed match are dirty from it on. A later match without a dirty player is
unchanged, exactly; one with a dirty player is rated from other ratings and makes all its players
dirty.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from leagues.store.match_columns import Facts

Mask = NDArray[np.bool_]


def reached_matches(facts: Facts, changed: Mask) -> Mask:
    """Which matches are changed or follow from a change, where only its players count.

    Of a match that says something else than before, both versions are among the facts.
    """
    return _spread(facts, changed, set()) if changed.any() else changed.copy()


def matches_reached_by(facts: Facts, players: Iterable[int]) -> Mask:
    """Which matches follow from a change that made these players dirty before the first match."""
    return _spread(facts, np.zeros(len(facts), bool), set(players))


def _spread(facts: Facts, changed: Mask, dirty: set[int]) -> Mask:
    reached = changed.copy()
    first = 0 if dirty else int(np.argmax(changed))
    order = np.argsort(facts.match, kind="stable")
    start = int(np.searchsorted(facts.match, first, sorter=order))
    order = order[start:]
    players: list[int] = []
    current = first
    pairs = zip(facts.match[order].tolist(), facts.player_id[order].tolist(), strict=True)
    for match, player in (*pairs, (len(facts), 0)):
        if match != current:
            if reached[current] or not dirty.isdisjoint(players):
                reached[current] = True
                dirty.update(players)
            players = []
            current = match
        players.append(player)
    return reached
