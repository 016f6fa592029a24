"""Standings of a group of players: who is in it, and the ranks within it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date, datetime

import numpy as np

from leagues.domain.civil_days import day_of
from leagues.domain.ranking import ranks_among
from leagues.models import League
from leagues.selectors.player_groups import classes_of_league, members_of, members_of_class
from leagues.selectors.standings import Standings, View
from leagues.selectors.standings_query import AGE, StandingsQuery
from leagues.store.match_columns import Integers


def within_group(view: View, league: League, filters: StandingsQuery, now: datetime) -> View:
    """What is shown of a board to whoever asks for a group; no query without one.

    Who belongs to an age class is asked of the year of the board's day: the one that is shown, or
    the last one with results where the board rests.
    """
    if not filters.group:
        return view
    kind, _colon, word = filters.group.partition(":")
    if kind == AGE:
        last_day = view.standings.uncertainty_day if view.standings else None
        members = _of_age(league, word, last_day or filters.on or day_of(now, league.zone))
    else:
        members = members_of(league, filters.group)
    found = view.matching_ids
    matching: Integers = members if found is None else np.intersect1d(found, members)
    return replace(view, matching_ids=matching, members=members)


def _of_age(league: League, word: str, day: date) -> Integers:
    """Who belongs to an age class on a day; nobody where the league does not have it.

    So that nobody learns more of a player's age than the classes say which organizers chose; over
    several years these can say the year of birth.
    """
    classes = {one.word: one for one in classes_of_league(league)}
    if word not in classes:
        return np.array([], np.int64)
    return members_of_class(league, classes[word], day.year)


def is_group_of(league: League, word: str) -> bool:
    """Whether an address names a group that a league can have: of ages those that it has set."""
    kind, _colon, name = word.partition(":")
    return bool(word) and (kind != AGE or name in {one.word for one in classes_of_league(league)})


def ranks_within(standings: Standings, members: Integers) -> dict[int, tuple[int, bool]]:
    """The rank of each ranked row among some players, and whether others share it."""
    rows = np.flatnonzero(standings.is_ranked & np.isin(standings.table.player_id, members))
    places = standings.table.place[rows]
    ranks = ranks_among(places, places).tolist()
    shared = Counter(ranks)
    return {row: (rank, shared[rank] > 1) for row, rank in zip(rows.tolist(), ranks, strict=True)}
