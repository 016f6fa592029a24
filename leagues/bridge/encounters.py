"""How often each scored against each on a static board, and whom its core leaves out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from leagues.bridge.computing import rated_log
from leagues.bridge.systems import newest_system
from leagues.models import Board
from leagues.store.match_columns import Facts
from ratings.systems.static import Static


@dataclass(frozen=True, slots=True)
class EncounterCounts:
    """All that static strengths are computed from, by player id; weights of matches multiply it."""

    won: Mapping[tuple[int, int], float]
    """How often the first got the second; a result counts 1:0, a draw one half for each."""
    suicides: Mapping[int, float]
    core: tuple[int, ...]
    dropped: Mapping[int, int | None]
    """Whom the core leaves out, with the opponents that counted then; None: they met nobody."""


def count_encounters(board: Board, facts: Facts) -> EncounterCounts | None:
    """What a board of static strengths counts; None for other systems."""
    system = newest_system(board)
    if not isinstance(system, Static):
        return None
    log, people = rated_log(board, facts)
    ids = people.player_id.tolist()
    by_key = dict(zip(people.keys, ids, strict=True))
    found = system.encounters(log)
    pairs = found.won.tocoo()
    return EncounterCounts(
        won={
            (ids[one], ids[other]): count
            for one, other, count in zip(
                pairs.row.tolist(), pairs.col.tolist(), pairs.data.tolist(), strict=True
            )
            if count
        },
        suicides={ids[one]: count for one, count in enumerate(found.suicides.tolist()) if count},
        core=tuple(ids[one] for one in found.core.tolist()),
        dropped={by_key[one.key]: one.opponents for one in found.dropped},
    )
