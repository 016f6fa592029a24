"""What the results of a night did on one board: who gained, who climbed, what nobody expected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from leagues import bridge
from leagues.bridge import Series, ShownValue
from leagues.models import Board, Match, Player
from leagues.selectors.matches import people_of
from leagues.selectors.standings import standings_around
from leagues.store.standing_columns import day_began

UPSET = 1 / 3
"""The expected score below which a win is one; between there and a half it surprises nobody."""


@dataclass(frozen=True, slots=True)
class Gain:
    """A player's rating before the first and after the last of some results."""

    player: Player
    before: ShownValue
    after: ShownValue


@dataclass(frozen=True, slots=True)
class Climb:
    """A player's rank before the day of the first and after the day of the last result."""

    player: Player
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Surprise:
    """A result whose winners were clearly expected to lose, and their expected score."""

    match: Match
    expected: float


@dataclass(frozen=True, slots=True)
class NightEffects:
    """The most first; nobody who lost rating or places."""

    gains: tuple[Gain, ...]
    climbs: tuple[Climb, ...]
    surprises: tuple[Surprise, ...]
    compared_at: datetime
    """When the day of the first result began."""


def night_effects(board: Board, matches: Sequence[Match], now: datetime) -> NightEffects:
    """What matches of a board did, which were read with their players in the order of play."""
    players = {row.player_id: row.player for match in matches for row in people_of(match)}
    histories = bridge.read_series_of(board, sorted(players))
    gains = (
        []
        if bridge.is_fitted(board) or bridge.system_of(board).orders_only
        else _gains(histories, players, matches)
    )
    surprises = [one for match in matches if (one := _surprise(match, histories))]
    first_at, last_at = matches[0].played_at, matches[-1].played_at
    return NightEffects(
        gains=tuple(sorted(gains, key=lambda gain: gain.before.value - gain.after.value)),
        climbs=_climbs(board, players, first_at, last_at, now),
        surprises=tuple(sorted(surprises, key=lambda one: one.expected)),
        compared_at=day_began(board.league, first_at),
    )


def _gains(
    histories: Mapping[int, Series], players: Mapping[int, Player], matches: Sequence[Match]
) -> list[Gain]:
    """Who gained; players without a rating before are left out unless nobody had one.

    The first results of a newcomer move a rating far, whatever they are.
    """
    seqs = [match.seq or 0 for match in matches]
    gains: list[Gain] = []
    newcomers: list[Gain] = []
    for player_id, series in histories.items():
        indices = series.of_matches(seqs).values()
        if not indices:
            continue
        first = min(indices)
        gain = Gain(players[player_id], series.before(first), series.at(max(indices)))
        (gains if first else newcomers).append(gain)
    return [gain for gain in gains or newcomers if gain.after.value > gain.before.value]


def _climbs(
    board: Board,
    players: Mapping[int, Player],
    first_at: datetime,
    last_at: datetime,
    now: datetime,
) -> tuple[Climb, ...]:
    former, standings = standings_around(board, first_at, last_at, now)
    if former is None or standings is None:
        return ()
    climbs = []
    for player_id, player in players.items():
        rows = former.row_of(player_id), standings.row_of(player_id)
        if rows[0] is None or rows[1] is None:
            continue
        before, after = int(former.rank[rows[0]]), int(standings.rank[rows[1]])
        if before > after > 0:
            climbs.append(Climb(player, before, after))
    return tuple(sorted(climbs, key=lambda climb: (climb.after - climb.before, climb.after)))


def _surprise(match: Match, histories: Mapping[int, Series]) -> Surprise | None:
    people = people_of(match)
    winners = [row for row in people if row.rank == 1]
    is_won = len({row.side for row in people}) == 2 and len({row.side for row in winners}) == 1
    series = histories.get(winners[0].player_id) if is_won else None
    expected = series.expectations().get(match.seq or 0) if series else None
    return Surprise(match, expected) if expected is not None and expected < UPSET else None
