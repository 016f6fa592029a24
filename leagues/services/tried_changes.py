"""Changes of results that are tried and taken back, so that what they would do can be computed.

A change is tried by the very call that saves it, in a transaction that is rolled back: what is
refused when it is saved is refused here too, in the same words. The season is held for as long as
saving it holds it, and no longer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from leagues.models import Board, Match, Player, Revision, Season
from leagues.models.match import OWN_EVENT
from leagues.services.errors import Problem, Refused
from leagues.services.revisions import lock_season, lock_seasons
from leagues.store.match_columns import NOBODY, Facts, read_facts
from leagues.store.prepared import prepare

MAX_MATCHES = 500
_FRACTIONS = ("weight", "score", "share", "event_points")
"""Columns of facts that are no whole numbers."""
WORDS = "event_words"
"""What is no column of numbers."""


@dataclass(frozen=True, slots=True, eq=False)
class TriedChange:
    """The matches that a change would touch, as they would be after it; nothing of it is stored."""

    season_id: int
    based_on: int
    """The revision of the season that the change would follow."""
    seqs: tuple[int, ...]
    """Of all matches it touches, whether they would count or not."""
    facts: Mapping[int, Facts]
    """By mode: the matches of these that would count."""
    newcomers: Mapping[int, tuple[str, str]]
    """Key and name, by a number that nobody has, of the players it would create."""
    starts: Mapping[int, Mapping[int, bytes]] = field(default_factory=dict)
    """By board and player: what the player would bring, as it would be stored; empty: nothing."""

    @property
    def only_boards(self) -> Collection[int] | None:
        """The boards it reaches, where these are not all of its modes."""
        return self.starts or None


def matches_of_undo(revision: Revision) -> int:
    """How many matches an undo touches: as many as what it undoes."""
    return int(revision.summary.get("matches", 0))


def _require_few(matches: int) -> None:
    if matches > MAX_MATCHES:
        words = _("A change of more than %(most)d results cannot be previewed.")
        raise Refused([Problem("matches", "too_many", words % {"most": MAX_MATCHES})])


def try_change(
    season: Season,
    change: Callable[[], Revision | None],
    *,
    matches: int = 1,
    is_league_wide: bool = False,
) -> TriedChange | None:
    """Try a change and take it back; None where it would change nothing in this season.

    A change that `is_league_wide` locks all seasons of the league, and is tried for what it does in
    this one.

    Raises what `change` raises, and Refused where it touches more matches than can be previewed:
    before it is tried where `matches`, of which it is known that it touches them, are too many.
    """
    _require_few(matches)
    with transaction.atomic():
        if is_league_wide:
            lock_seasons(season.league_id)
        based_on = lock_season(season.pk).last_revision
        revision = change()
        tried = None if revision is None else _read_touched(season.pk, based_on)
        transaction.set_rollback(True)
    return None if tried is None else _numbered(season.league_id, *tried)


def _read_touched(season_id: int, based_on: int) -> tuple[TriedChange, dict[int, tuple[str, str]]]:
    """What was touched since a revision, and its players, in the transaction that touched it."""
    rows = _touched(season=season_id, based_on=based_on)
    _require_few(len(rows))
    boards = boards_of_modes(season=season_id, modes=sorted({mode_id for _seq, mode_id in rows}))
    facts = {
        board.mode_id: read_facts(board, after_revision=based_on)
        for board in {board.mode_id: board for board in boards}.values()
    }
    player_ids = {pk for columns in facts.values() for pk in columns.everyone.tolist()}
    people = {pk: (key, name) for pk, key, name in names_of_players(players=sorted(player_ids))}
    seqs = tuple(sorted(seq for seq, _mode_id in rows if seq is not None))
    return TriedChange(season_id, based_on, seqs, facts, {}), people


@prepare
def _touched(*, season: int, based_on: int) -> QuerySet[Match, tuple[int | None, int]]:
    touched = Match.objects.in_any_mode(season).touched_after(based_on).order_by()
    return touched.values_list("seq", "mode_id")[: MAX_MATCHES + 1]


@prepare
def boards_of_modes(*, season: int, modes: list[int]) -> QuerySet[Board, Board]:
    """The boards of a season that rate some modes, in their order, with all that they belong to."""
    boards = Board.objects.select_related("league", "season", "mode")
    return boards.filter(season=season, mode__pk__in=modes)


@prepare
def names_of_players(*, players: list[int]) -> QuerySet[Player, tuple[int, str, str]]:
    """Numbers, keys and names of players."""
    return Player.objects.filter(pk__in=players).order_by().values_list("pk", "key", "name")


@prepare
def _numbers_of_keys(*, league: int, keys: list[str]) -> QuerySet[Player, tuple[str, int]]:
    players = Player.objects.filter(league=league, key__in=keys).order_by()
    return players.values_list("key", "pk")


@prepare
def _ids_of_matches(*, season: int, seqs: list[int]) -> QuerySet[Match, tuple[int | None, int]]:
    return Match.objects.filter(season=season, seq__in=seqs).order_by().values_list("seq", "pk")


def _numbered(
    league_id: int, tried: TriedChange, people: Mapping[int, tuple[str, str]]
) -> TriedChange:
    """Number anew whom and what the change created: nobody stored is meant, and the same change
    has the same numbers when it is tried again.
    """
    keys = [key for key, _name in people.values()]
    stored = dict(_numbers_of_keys(league=league_id, keys=keys))
    created = sorted(pk for pk, (key, _name) in people.items() if key not in stored)
    numbers = {pk: stored[key] for pk, (key, _name) in people.items() if key in stored}
    numbers |= {pk: -place for place, pk in enumerate(created, start=1)}
    ids = dict(_ids_of_matches(season=tried.season_id, seqs=list(tried.seqs)))
    facts = {
        mode_id: replace(
            columns,
            player_id=_array(numbers[pk] for pk in columns.player_id.tolist()),
            starter_id=_array(numbers[pk] for pk in columns.starter_id.tolist()),
            match_id=_array(ids.get(seq, -seq) for seq in columns.seq.tolist()),
            event_player=_array(numbers[pk] for pk in columns.event_player.tolist()),
            event_opponent=_array(
                numbers.get(pk, NOBODY) for pk in columns.event_opponent.tolist()
            ),
        )
        for mode_id, columns in tried.facts.items()
    }
    newcomers = {numbers[pk]: people[pk] for pk in created}
    return replace(tried, facts=facts, newcomers=newcomers)


def _array(numbers: Iterable[int]) -> np.ndarray[Any, Any]:
    return np.array(list(numbers), np.int64)


def change_as_json(tried: TriedChange) -> dict[str, Any]:
    """A tried change as a job keeps it."""
    return {
        "season": tried.season_id,
        "based_on": tried.based_on,
        "seqs": list(tried.seqs),
        "facts": [
            [
                mode_id,
                {name: _plain(values) for name, values in _columns(columns)}
                | {WORDS: list(columns.event_words)},
            ]
            for mode_id, columns in sorted(tried.facts.items())
        ],
        "newcomers": [[number, *person] for number, person in sorted(tried.newcomers.items())],
        "starts": [
            [board_id, player_id, state.hex()]
            for board_id, states in sorted(tried.starts.items())
            for player_id, state in sorted(states.items())
        ],
    }


def change_from_json(stored: Mapping[str, Any]) -> TriedChange:
    """The tried change that a job keeps."""
    starts: dict[int, dict[int, bytes]] = {}
    # A job of the release before knows of none.
    for board_id, player_id, state in stored.get("starts", ()):
        starts.setdefault(board_id, {})[player_id] = bytes.fromhex(state)
    return TriedChange(
        season_id=stored["season"],
        based_on=stored["based_on"],
        seqs=tuple(stored["seqs"]),
        facts={mode_id: _facts(columns) for mode_id, columns in stored["facts"]},
        newcomers={number: (key, name) for number, key, name in stored["newcomers"]},
        starts=starts,
    )


def _columns(facts: Facts) -> list[tuple[str, np.ndarray[Any, Any]]]:
    names = [column.name for column in fields(facts) if column.name != WORDS]
    return [(name, getattr(facts, name)) for name in names]


def _plain(values: np.ndarray[Any, Any]) -> list[Any]:
    """A column as JSON has it: a score that was not kept is NaN, which databases refuse there."""
    return [None if np.isnan(value) else value for value in values.tolist()]


def _facts(stored: Mapping[str, list[Any]]) -> Facts:
    columns: dict[str, Any] = {
        name: np.array(values, np.float64 if name in _FRACTIONS else np.int64)
        for name, values in stored.items()
        if name != WORDS
    }
    # A job of a release before knows of no handicaps, and one kind for all of the game's own.
    columns.setdefault("handicap", np.zeros(len(columns["side"]), np.int64))
    columns.setdefault("starter_handicap", np.zeros(len(columns["starter_side"]), np.int64))
    return Facts(**columns, event_words=tuple(stored.get(WORDS, [f"{OWN_EVENT}event"])))
