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
    dirty, nothing = set(players), np.zeros(len(facts), bool)
    return _spread(facts, nothing, dirty) if dirty else nothing


def _spread(facts: Facts, changed: Mask, dirty: set[int]) -> Mask:
    first = 0 if dirty else int(np.argmax(changed))
    order = np.argsort(facts.match, kind="stable")
    order = order[int(np.searchsorted(facts.match, first, sorter=order)) :]
    matches, begins = np.unique(facts.match[order], return_index=True)
    ends = [*begins[1:].tolist(), len(order)][: len(begins)]
    members = facts.player_id[order].tolist()
    clean = set(members) - dirty
    reached: list[bool] = []
    for is_changed, begin, end in zip(
        changed[matches].tolist(), begins.tolist(), ends, strict=True
    ):
        if not clean:
            break
        players = members[begin:end]
        is_reached = is_changed or not clean.issuperset(players)
        if is_reached:
            clean.difference_update(players)
        reached.append(is_reached)
    mask = changed.copy()
    # Once nobody is clean any more, every match is reached.
    mask[matches] = True
    mask[matches[: len(reached)]] = reached
    return mask
