"""Standings of a group of players: who is in it, and the ranks within it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from leagues.domain.ranking import ranks_among
from leagues.models import League
from leagues.selectors.player_groups import members_of
from leagues.selectors.standings import Standings, View
from leagues.selectors.standings_query import StandingsQuery
from leagues.store.match_columns import Integers


def within_group(view: View, league: League, filters: StandingsQuery) -> View:
    """What is shown of a board to whoever asks for a group; no query without one."""
    if not filters.group:
        return view
    members = members_of(league, filters.group)
    found = view.matching_ids
    matching: Integers = members if found is None else np.intersect1d(found, members)
    return replace(view, matching_ids=matching, members=members)


def ranks_within(standings: Standings, members: Integers) -> dict[int, tuple[int, bool]]:
    """The rank of each ranked row among some players, and whether others share it."""
    rows = np.flatnonzero(standings.is_ranked & np.isin(standings.table.player_id, members))
    places = standings.table.place[rows]
    ranks = ranks_among(places, places).tolist()
    shared = Counter(ranks)
    return {row: (rank, shared[rank] > 1) for row, rank in zip(rows.tolist(), ranks, strict=True)}
