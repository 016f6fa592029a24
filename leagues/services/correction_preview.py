"""What a change of results would do to the standings, computed before it is saved.

It is the computation of saving without the commit: the facts of a board are read, the change is
made in memory, and all of it is rated by the same code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

import numpy as np
from django.db.models import Max, QuerySet
from django.utils import timezone

from leagues import bridge
from leagues.domain.dirty_set import Mask, matches_reached_by, reached_matches
from leagues.domain.moved_places import Moves, Place, moved_between
from leagues.domain.ranking import ranking_rule, ranking_rule_of_day
from leagues.models import Board, Match
from leagues.services.tail_states import (
    MOST_CHANGED,
    Tail,
    can_start_late,
    earlier_facts,
    read_tail,
)
from leagues.services.tried_changes import TriedChange, boards_of_modes, names_of_players
from leagues.store.match_columns import Facts, is_behind, joined_facts, moment, read_facts
from leagues.store.placed import Placed, read_placed
from leagues.store.prepared import prepare
from ratings.system import Reach

MAX_MOVERS = 100
MAX_SHARE_LATE = 0.5
"""Of more of a board's matches the histories cost what they save."""
MAX_SHARE_REACHED = 0.3
"""Of more of a board's players the states are read more slowly than everything is rated."""
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Mover:
    """A player whose shown rating or rank would be another; None: not on the board, not ranked."""

    key: str
    name: str
    is_new: bool
    """Whether the change would create the player."""
    has_played: bool
    """Whether it was a match of this player's own, or the starting rating, that was changed."""
    before: float | None
    after: float | None
    rank_before: int | None
    rank_after: int | None


@dataclass(frozen=True, slots=True)
class BoardEffect:
    """What a change would do to one board."""

    board: str
    decimals: int
    is_behind: bool
    """Whether newer results are still being rated: they are part of what comes after."""
    rerated: int
    """How many matches, beside the changed ones, are rated again from other ratings."""
    movers_in_all: int
    ratings: int
    """How many shown ratings would be another."""
    ranks: int
    movers: tuple[Mover, ...]
    """Players of the changed matches first, then by how far they move; the first hundred."""
    refusal: str
    """Why the board would leave a changed match unrated."""


@dataclass(frozen=True, slots=True)
class ChangePreview:
    """What a change would do, board by board, on top of a revision of its season."""

    based_on: int
    boards: tuple[BoardEffect, ...]


@dataclass(frozen=True, slots=True)
class BoardPlan:
    """How much of a board has to be rated to preview a change."""

    board: Board
    is_behind: bool
    """Whether newer results are still being rated."""
    since: datetime | None
    """From this moment on, from the states before it; None: from the first match on."""
    matches: int

    @classmethod
    def of_all(cls, board: Board, *, is_behind: bool) -> BoardPlan:
        """A board that is rated from its first match on."""
        return cls(board, is_behind, None, board.rated_matches)


@dataclass(frozen=True, eq=False)
class FactsOfMode:
    """What the boards of a mode rate now and would rate, from the moment on that was planned."""

    now: Facts
    then: Facts
    seqs: tuple[int, ...]
    """The numbers of the changed matches."""

    def without_losses(self) -> FactsOfMode:
        """The same for boards that do not rate matches that were left."""
        now, then = self.now.without_losses(), self.then.without_losses()
        is_same = now is self.now and then is self.then
        return self if is_same else FactsOfMode(now, then, self.seqs)

    @cached_property
    def both(self) -> Facts:
        """All matches, the changed ones as they are and as they would be."""
        return joined_facts(self.now, self.then.only(set(self.seqs)))

    @cached_property
    def is_changed(self) -> Mask:
        return np.isin(self.both.seq, self.seqs)

    @cached_property
    def reached(self) -> Mask:
        """Which matches follow from the change, where only its players count."""
        return reached_matches(self.both, self.is_changed)


@dataclass(frozen=True, slots=True, eq=False)
class BoardFacts:
    """A board with what it shows, the facts that it rates now and those it would rate."""

    board: Board
    is_behind: bool
    placed: Placed
    """What is shown now."""
    matches: FactsOfMode
    tail: Tail | None
    """What of them the change reaches; None: everything is rated."""
    last_at: datetime | None
    """When the last match was played that the board would rate."""


def plan_boards(tried: TriedChange) -> list[BoardPlan]:
    """How the boards that rate what a change touches are previewed, in their order."""
    since = _first_moment(tried)
    later: dict[int, int] = {}
    return [
        _plan(board, since, tried, later)
        for board in boards_of_modes(season=tried.season_id, modes=sorted(tried.facts))
        if tried.only_boards is None or board.pk in tried.only_boards
    ]


def _first_moment(tried: TriedChange) -> datetime | None:
    """When the first of the changed matches was played, before the change or after it."""
    moments = [at for (at,) in _moments(season=tried.season_id, seqs=list(tried.seqs))]
    moments += [moment(int(facts.at[0])) for facts in tried.facts.values() if len(facts)]
    return min(moments, default=None)


@prepare
def _moments(*, season: int, seqs: list[int]) -> QuerySet[Match, tuple[datetime]]:
    return Match.objects.filter(season=season, seq__in=seqs).order_by().values_list("played_at")


def _plan(
    board: Board, since: datetime | None, tried: TriedChange, later: dict[int, int]
) -> BoardPlan:
    """How a board is previewed; `later` keeps how many matches there are since then, by mode."""
    is_board_behind = is_behind(board)
    whole = BoardPlan.of_all(board, is_behind=is_board_behind)
    brings_losses = len(tried.facts[board.mode_id].starter_match) > 0
    if since is None or is_board_behind or not can_start_late(board):
        return whole
    if brings_losses and not bridge.forfeit_refusal(board):
        # A loss needs what stood at its start, which may be before what is changed.
        return whole
    if board.mode_id not in later:
        rated = Match.objects.rated_on(board)
        later[board.mode_id] = rated.filter(played_at__gte=since).count()
    matches = later[board.mode_id]
    if matches > MAX_SHARE_LATE * board.rated_matches:
        return whole
    return BoardPlan(board, is_board_behind, since, matches)


def read_boards(tried: TriedChange, plans: Iterable[BoardPlan]) -> list[BoardFacts]:
    """Boards with their facts before and after a change; to be called inside a snapshot."""
    known: dict[tuple[int, datetime | None], FactsOfMode] = {}

    def facts_of(board: Board, since: datetime | None) -> FactsOfMode:
        key = board.mode_id, since
        if key not in known:
            now = read_facts(board, since=since)
            rest = now.without(set(tried.seqs))
            then = joined_facts(rest, tried.facts[board.mode_id])
            known[key] = FactsOfMode(now, then, tuple(tried.seqs))
        return known[key].without_losses() if bridge.forfeit_refusal(board) else known[key]

    known_before: dict[tuple[int, datetime, tuple[int, ...]], Facts] = {}

    def read_earlier(board: Board, since: datetime, players: tuple[int, ...]) -> Facts:
        key = board.mode_id, since, players
        if key not in known_before:
            known_before[key] = earlier_facts(board, since, players)
        return known_before[key]

    found = []
    for plan in plans:
        board, since = plan.board, plan.since
        facts, placed = facts_of(board, since), read_placed(board)
        tail = None
        if since is not None:
            changed = _players_of(facts.now, tried) | _players_of(facts.then, tried)
            # A few players are read fast, whatever share of the board they are.
            most = MOST_CHANGED + int(MAX_SHARE_REACHED * len(placed))
            tail = read_tail(
                board, since, facts.then, changed, at_most=most, read_earlier=read_earlier
            )
            if tail is None:
                facts = facts_of(board, None)
        last_at = facts.then.last_at or _last_before(board, tried)
        found.append(BoardFacts(board, plan.is_behind, placed, facts, tail, last_at))
    return found


def _last_before(board: Board, tried: TriedChange) -> datetime | None:
    """When the last match was played beside the changed ones."""
    others = Match.objects.rated_on(board).exclude(seq__in=tried.seqs)
    last: datetime | None = others.aggregate(last=Max("played_at"))["last"]
    return last


def replay_change(
    facts: BoardFacts, tried: TriedChange, progress: Progress | None = None
) -> bridge.Computed:
    """A board as it would be rated after the change, or what the change reaches of it."""
    tail = facts.tail
    return bridge.compute(
        facts.board,
        facts.matches.then if tail is None else tail.facts,
        before=None if tail is None else tail.before,
        newcomers={key: number for number, (key, _name) in tried.newcomers.items()},
        starts=tried.starts.get(facts.board.pk),
        progress=progress,
    )


def _placed_after(facts: BoardFacts, computed: bridge.Computed) -> Placed:
    """Where everyone would stand."""
    columns = bridge.standing_columns(facts.board, facts.board.generation, computed)
    rated = Placed.of_columns(columns)
    return rated if facts.tail is None else facts.placed.replaced(facts.tail.players, rated)


def preview_change(
    tried: TriedChange, boards: Sequence[BoardFacts], progress: Progress | None = None
) -> ChangePreview:
    """The effect of a tried change on boards."""
    total = sum(len(facts.matches.then) for facts in boards)
    done = 0
    rated = []
    for facts in boards:
        report = _from(progress, done, total)
        rated.append(_rate_board(facts, tried, report))
        done += len(facts.matches.then)
    listed = {player_id for one in rated for player_id, _before, _after in one.moves.listed}
    names = _names_of(sorted(listed), tried)
    return ChangePreview(tried.based_on, tuple(_effect(one, tried, names) for one in rated))


def _from(progress: Progress | None, first: int, total: int) -> Progress | None:
    if progress is None:
        return None
    return lambda done, _all: progress(min(first + done, total - 1), total)


@dataclass(frozen=True, slots=True, eq=False)
class _RatedBoard:
    """A board as the change would leave it."""

    facts: BoardFacts
    own: frozenset[int]
    """Whose matches, or starting ratings, would be changed."""
    moves: Moves
    refused: tuple[tuple[int, str], ...]


def _rate_board(facts: BoardFacts, tried: TriedChange, progress: Progress | None) -> _RatedBoard:
    board, now = facts.board, timezone.now()
    computed = replay_change(facts, tried, progress)
    own = _players_of(facts.matches.now, tried) | _players_of(facts.matches.then, tried)
    own |= set(tried.starts.get(board.pk, ()))
    moved = moved_between(
        (facts.placed, ranking_rule(board, now)),
        (_placed_after(facts, computed), ranking_rule_of_day(board, facts.last_at, now)),
        first=own,
        at_most=MAX_MOVERS,
    )
    return _RatedBoard(facts, frozenset(own), moved, computed.refused)


def _effect(
    rated: _RatedBoard, tried: TriedChange, names: Mapping[int, tuple[str, str]]
) -> BoardEffect:
    facts, moved = rated.facts, rated.moves
    board = facts.board
    return BoardEffect(
        board=board.slug,
        decimals=bridge.shown_decimals(board),
        is_behind=facts.is_behind,
        rerated=_rerated(facts, tried),
        movers_in_all=moved.players,
        ratings=moved.ratings,
        ranks=moved.ranks,
        movers=tuple(
            _mover(
                names[pk], before, after, is_new=pk in tried.newcomers, has_played=pk in rated.own
            )
            for pk, before, after in moved.listed
        ),
        refusal=next((reason for seq, reason in rated.refused if seq in tried.seqs), ""),
    )


def _mover(
    person: tuple[str, str],
    before: Place | None,
    after: Place | None,
    *,
    is_new: bool,
    has_played: bool,
) -> Mover:
    key, name = person
    return Mover(
        key=key,
        name=name,
        is_new=is_new,
        has_played=has_played,
        before=before.value if before else None,
        after=after.value if after else None,
        rank_before=before.rank if before else None,
        rank_after=after.rank if after else None,
    )


def _names_of(player_ids: Sequence[int], tried: TriedChange) -> dict[int, tuple[str, str]]:
    """Keys and names of players, those included whom the change would create."""
    rows = names_of_players(players=list(player_ids))
    return {**tried.newcomers, **{pk: (key, name) for pk, key, name in rows}}


def _players_of(facts: Facts, tried: TriedChange) -> set[int]:
    """The players of the changed matches."""
    return set(facts.player_id[np.isin(facts.seq, tried.seqs)[facts.match]].tolist())


def _rerated(board_facts: BoardFacts, tried: TriedChange) -> int:
    """How many matches beside the changed ones are rated from other ratings than before."""
    board, facts = board_facts.board, board_facts.matches
    if board.pk in tried.starts:
        dirty = tried.starts[board.pk]
        if bridge.newest_system(board).reach is Reach.BOARD:
            # An anchor moves the mean, with which others begin.
            return len(facts.is_changed)
        return int(np.count_nonzero(matches_reached_by(facts.now, dirty)))
    changed = facts.is_changed
    if not changed.any():
        return 0
    system = bridge.newest_system(board)
    if system.reach is Reach.PARTICIPANTS and system.period_days is None:
        reached = facts.reached
    else:
        # Who did not play may move too: everything after it counts, or everything there is.
        first = 0 if system.reach is Reach.BATCH else int(np.argmax(changed))
        reached = np.arange(len(changed)) >= first
    return int(np.count_nonzero(reached & ~changed))
