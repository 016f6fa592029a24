"""Rating facts: from rows to a log, and from what comes out to rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from leagues.bridge.display import storable, storable_ends
from leagues.bridge.expectations import expected_of
from leagues.bridge.leaving import rated_facts
from leagues.bridge.rules import (
    Piece,
    Span,
    in_units,
    rate_spans,
    refusals,
    rules_at_start,
    spans_from,
    spans_of,
)
from leagues.bridge.starting import is_shared, starting_board, starting_states
from leagues.bridge.systems import board_state, newest_system
from leagues.domain.civil_days import day_number
from leagues.domain.event_kinds import is_own_kind, own_word
from leagues.models import Board, MatchEvent, Standing
from leagues.store import segments
from leagues.store.match_columns import (
    NOBODY,
    Facts,
    People,
    distinct,
    micros,
    moment,
    read_people,
)
from leagues.store.standing_rows import StandingColumns, StandingRow, read_standings
from ratings.arranging import stable_order, starts_of
from ratings.boardwide import BoardWide
from ratings.log import EventKind, Events, Forfeit, MatchLog
from ratings.system import IndirectChanges, Replay, State, System
from ratings.tally import FORM, NEVER_PLAYED, Tally, tally

EVENT_KINDS: Final[Mapping[str, EventKind]] = {
    MatchEvent.Kind.FRAG: EventKind.FRAG,
    MatchEvent.Kind.TEAM_KILL: EventKind.TEAM_KILL,
    MatchEvent.Kind.SUICIDE: EventKind.SUICIDE,
    # Who dies by the world alone has nobody else to blame.
    MatchEvent.Kind.WORLD_DEATH: EventKind.SUICIDE,
    MatchEvent.Kind.CAPTURE: EventKind.CAPTURE,
    MatchEvent.Kind.DAMAGE: EventKind.DAMAGE,
    MatchEvent.Kind.ASSIST: EventKind.ASSIST,
    MatchEvent.Kind.FLAG_TAKEN: EventKind.FLAG_TAKEN,
    MatchEvent.Kind.FLAG_RETURNED: EventKind.FLAG_RETURNED,
}
"""What systems take each kind of stored events for."""


def kind_and_word(kind: str) -> tuple[EventKind, str]:
    """What systems take events of a stored kind for, and its word if it is a game's own."""
    return (EventKind.OWN, own_word(kind)) if is_own_kind(kind) else (EVENT_KINDS[kind], "")


def log_kinds(kinds: NDArray[np.int64], words: Sequence[str]) -> dict[str, Any]:
    """Kinds of events, as `event_kinds` numbers them, as those of a log."""
    numbers = [
        *(EVENT_KINDS[kind] for kind in MatchEvent.Kind.values),
        *(len(EventKind) + place for place in range(len(words))),
    ]
    return {
        "kind": np.array(numbers, dtype=np.int64)[kinds],
        "own_words": [own_word(kind) for kind in words],
    }


@dataclass(frozen=True, eq=False)
class Computed:
    """A log rated: who was in it, what came out, and what the system could not rate."""

    log: MatchLog
    people: People
    seq: NDArray[np.int64]
    """Of each match of the log."""
    replay: Replay
    board_entries: IndirectChanges
    """Who was not on the board before, and what they joined with, where that depends on when."""
    tally: Tally
    refused: tuple[tuple[int, str], ...]
    """Seq and reason of each match that was left out."""
    pieces: tuple[Piece, ...]
    """The parts of the log that were rated by the same rules; one unless they have changed."""
    rules: list[tuple[str | None, dict[str, Any]]]
    """Which rules these were, as the board keeps them."""

    @property
    def system(self) -> System:
        """The system that rated last, by which what came out is read."""
        return self.pieces[-1].system

    @cached_property
    def expected(self) -> NDArray[np.float64]:
        """Of each participant of the log: the score expected of his side, NaN where nothing was.

        Histories hold it; a preview, which writes none, does without.
        """
        return np.concatenate([expected_of(piece.system, piece.replay) for piece in self.pieces])


@dataclass(frozen=True, slots=True)
class Before:
    """What stood on a board before matches that are appended to it."""

    standings: Mapping[int, StandingRow]
    """By player."""
    is_everyone: bool
    """Whether these are all of the board, and not only those who play."""
    board: State | None = None
    """What the board shared then; None: what it shares now."""


def read_before(board: Board, facts: Facts) -> Before:
    """Read what matches that follow all that a board has rated go on from.

    That is the standings of those who play, and of everyone where others move too.
    """
    system = newest_system(board)
    state = board_state(board)
    is_everyone = (
        isinstance(system, BoardWide)
        and state is not None
        and system.moves_bystanders(int(facts.day[-1]), state)
    )
    players = None if is_everyone else np.unique(facts.player_id).tolist()
    return Before(read_standings(board, players), is_everyone)


def compute(
    board: Board,
    facts: Facts,
    *,
    before: Before | None = None,
    newcomers: Mapping[str, int] | None = None,
    starts: Mapping[int, bytes] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Computed:
    """Rate facts by the rules of their time: all from the start, or from what stood before them.

    The start is what players brought to the board, for everyone else nothing; `starts` stand in for
    what is stored of it. `newcomers` are the numbers, by key, of players in the facts who are not
    stored yet.
    """
    facts = rated_facts(board, facts)
    all_spans = spans_of(board)
    spans = all_spans if before is None else spans_from(all_spans, facts)
    standings, carried, others = _origins(board, facts, before, all_spans, starts)
    people = _people(board, facts, others, newcomers or {})
    log = in_units(spans, _log(facts, people))
    refused = tuple((int(facts.seq[index]), reason) for index, reason in refusals(spans, log))
    if refused:
        facts = facts.without({seq for seq, _ in refused})
        people = _people(board, facts, others, newcomers or {})
        log = in_units(spans, _log(facts, people))
    known = [standings.get(player_id) for player_id in people.player_id.tolist()]
    system = all_spans[0].system
    rating = rate_spans(
        spans,
        log,
        board.league,
        start=_states_before(system, people, known, carried),
        board=starting_board(board, system=system, changes=starts)
        if before is None
        else before.board or board_state(board),
        until=board.decayed_until,
        progress=progress,
    )
    return Computed(
        log=log,
        people=people,
        seq=facts.seq,
        replay=rating.replay,
        board_entries=rating.board_entries,
        tally=tally(log, _tally_before(known)),
        refused=refused,
        pieces=rating.pieces,
        rules=rules_at_start(board, all_spans),
    )


def rated_log(board: Board, facts: Facts) -> tuple[MatchLog, People]:
    """Facts as the log that a board rates from its first match on, without what it refuses."""
    facts = rated_facts(board, facts)
    spans = spans_of(board)
    people = _people(board, facts, [], {})
    log = in_units(spans, _log(facts, people))
    refused = {int(facts.seq[index]) for index, _reason in refusals(spans, log)}
    if not refused:
        return log, people
    facts = facts.without(refused)
    people = _people(board, facts, [], {})
    return in_units(spans, _log(facts, people)), people


def _origins(
    board: Board,
    facts: Facts,
    before: Before | None,
    spans: Sequence[Span],
    starts: Mapping[int, bytes] | None,
) -> tuple[Mapping[int, StandingRow], dict[int, State], list[int]]:
    """What a computation begins with: standings, other states, and who takes part besides."""
    first, last = spans[0].system, spans[-1].system
    if before is None:
        carried = starting_states(board, None, system=first, changes=starts)
        return {}, carried, list(carried) if is_shared(last) else []
    players = None if before.is_everyone else set(facts.player_id.tolist())
    carried = starting_states(board, players, system=first)
    if is_shared(last):
        # Who has not played yet may have been moved by others.
        unplayed = [player_id for player_id in carried if player_id not in before.standings]
        carried |= segments.last_states(board, unplayed)
    others = [*before.standings, *carried] if before.is_everyone else []
    return before.standings, carried, others


def points_of(computed: Computed) -> segments.PlayerPoints:
    """The points that a computation adds to each player's history."""
    log, others, board_entries = (
        computed.log,
        computed.replay.indirect_changes,
        computed.board_entries,
    )
    match, player = log.match_of(), log.player
    points = segments.Points(
        computed.seq[match], log.at[match], computed.replay.after, computed.expected
    )
    alone = len(others.player) + len(board_entries.player)
    if alone:
        player = np.concatenate([player, others.player, board_entries.player])
        # An indirect change stands behind the match before it, and before the match after it.
        place = np.concatenate([2 * match + 1, 2 * others.match, 2 * board_entries.match])
        points = segments.Points(
            np.concatenate([points.seq, np.zeros(alone, np.int64)]),
            np.concatenate([points.at, others.at, board_entries.at]),
            np.concatenate([points.state, others.state, board_entries.state]),
            np.concatenate([points.expected, np.full(alone, np.nan)]),
        )
    order = np.lexsort((place, player)) if alone else stable_order(player)
    counts = np.bincount(player, minlength=len(log.keys))
    present = np.flatnonzero(counts)
    return segments.PlayerPoints(
        computed.people.player_id[present], starts_of(counts[present]), points, order
    )


def shared_board_state(computed: Computed) -> bytes:
    """The board's own state after a computation, as the board keeps it."""
    return segments.pack_state(np.array(computed.replay.board or ()))


def standings_of(board: Board, generation: int, computed: Computed) -> list[Standing]:
    """The unsaved standings of everyone in a computation whom the system places."""
    return [Standing(**row._asdict()) for row in standing_rows(board, generation, computed)]


def standing_rows(board: Board, generation: int, computed: Computed) -> list[StandingRow]:
    """The standings of everyone in a computation whom the system places, as rows."""
    return standing_columns(board, generation, computed).rows()


def standing_columns(board: Board, generation: int, computed: Computed) -> StandingColumns:
    """The standings of everyone in a computation whom the system places, as columns."""
    system = computed.system
    final, counts = computed.replay.final, computed.tally
    values = system.display_many(final, board=computed.replay.board, **_as_of(board, system))
    fairly_sure, sure = system.certain_until_many(final, counts.games)
    # Who brought a rating and has not played yet stands nowhere.
    placed = np.flatnonzero(~np.isnan(values.value) & (counts.games > 0))
    shown = storable(values.value[placed])
    places = np.rint(shown * 10.0**values.decimals).astype(np.int64)
    return StandingColumns(
        league_id=board.league_id,
        board_id=board.pk,
        generation=generation,
        player_id=computed.people.player_id[placed],
        state=segments.packed_states(final[placed]),
        shown=shown,
        place_value=-places if system.lower_is_better else places,
        low=storable(values.low[placed]),
        high=storable(values.high[placed]),
        games=counts.games[placed],
        won=counts.won[placed],
        drawn=counts.drawn[placed],
        lost=counts.lost[placed],
        form=np.array(counts.form, f"S{FORM}")[placed],
        streak=counts.streak[placed],
        last_played_at=counts.last_at[placed],
        fairly_sure_until=storable_ends(fairly_sure[placed]),
        sure_until=storable_ends(sure[placed]),
    )


def changed_standings(board: Board, before: Before, computed: Computed) -> list[StandingRow]:
    """The standings that matches appended to a board have changed or brought."""
    return [
        row
        for row in standing_rows(board, board.generation, computed)
        if row != before.standings.get(row.player_id)
    ]


def count_results(board: Board, facts: Facts) -> dict[int, StandingRow]:
    """What some matches count for their players, as standings that know no rating."""
    facts = rated_facts(board, facts)
    people = _people(board, facts, (), {})
    counts = tally(_log(facts, people))
    rows = zip(
        people.player_id.tolist(),
        counts.games.tolist(),
        counts.won.tolist(),
        counts.drawn.tolist(),
        counts.lost.tolist(),
        counts.form,
        counts.streak.tolist(),
        map(moment, counts.last_at.tolist()),
        strict=True,
    )
    return {
        player_id: StandingRow(
            league_id=board.league_id,
            board_id=board.pk,
            generation=board.generation,
            player_id=player_id,
            state=b"",
            shown=0.0,
            place_value=0,
            low=None,
            high=None,
            games=games,
            won=won,
            drawn=drawn,
            lost=lost,
            form=form,
            streak=streak,
            last_played_at=last_played_at,
            fairly_sure_until=None,
            sure_until=None,
        )
        for player_id, games, won, drawn, lost, form, streak, last_played_at in rows
    }


def _as_of(board: Board, system: System) -> dict[str, int]:
    """The moment as of which standings are ordered, where absence moves them."""
    if system.period_days is None or board.decayed_until is None:
        return {}
    return {
        "at": micros(board.decayed_until),
        "day": day_number(board.decayed_until, board.league.zone),
    }


def _log(facts: Facts, people: People) -> MatchLog:
    """Facts as a log; handicaps are in points of Elo's scale."""
    log, _order = MatchLog.build(
        keys=people.keys,
        at=facts.at,
        match=facts.match,
        side=_sides(facts),
        rank=facts.rank - 1,
        player=people.positions(facts.player_id),
        day=facts.day,
        weight=facts.weight,
        score=facts.score,
        handicap=_handicaps(facts),
        share=facts.share,
        birth_year=people.birth_year,
        events=_events(facts, people),
        forfeits=_forfeits(facts, people),
    )
    return log


def _sides(facts: Facts) -> NDArray[np.int64]:
    """The side of each participant; those who left a match are one, whichever they were on."""
    if not len(facts.starter_match):
        return facts.side
    return np.where(np.isin(facts.match, facts.starter_match), 0, facts.side)


def _handicaps(facts: Facts) -> NDArray[np.int64] | None:
    """What each participant's side was given; None without any, and of who left see `_forfeits`."""
    if not facts.handicap.any():
        return None
    return np.where(np.isin(facts.match, facts.starter_match), 0, facts.handicap)


def _forfeits(facts: Facts, people: People) -> dict[int, Forfeit]:
    """The started matches that were left, as a log takes them."""
    if not len(facts.starter_match):
        return {}
    players = people.positions(facts.starter_id)
    forfeits = {}
    for match in np.unique(facts.starter_match).tolist():
        rows = np.flatnonzero(facts.starter_match == match)
        one, other = (rows[facts.starter_side[rows] == side] for side in (0, 1))
        forfeits[match] = Forfeit(
            at=int(facts.starter_at[rows[0]]),
            day=int(facts.starter_day[rows[0]]),
            sides=(tuple(sorted(players[one].tolist())), tuple(sorted(players[other].tolist()))),
            handicaps=(
                float(facts.starter_handicap[one[0]]),
                float(facts.starter_handicap[other[0]]),
            ),
            rungs=int(facts.starter_rungs[rows[0]]),
        )
    return forfeits


def _events(facts: Facts, people: People) -> Events | None:
    """The events of facts as a log takes them; None where there are none."""
    if not len(facts.event_match):
        return None
    somebody = facts.event_opponent != NOBODY
    target = np.full(len(somebody), -1, dtype=np.int64)
    target[somebody] = people.positions(facts.event_opponent[somebody])
    return Events(
        match=facts.event_match,
        actor=people.positions(facts.event_player),
        target=target,
        value=facts.event_points,
        **log_kinds(facts.event_kind, facts.event_words),
    )


def _people(
    board: Board, facts: Facts, others: Sequence[int], newcomers: Mapping[str, int]
) -> People:
    """Read who is in the facts, and who takes part without a match."""
    present = np.concatenate([facts.everyone, np.array(others, dtype=np.int64)])
    return read_people(board.league_id, distinct(present)).joined_by(newcomers)


def _states_before(
    system: System,
    people: People,
    standings: Sequence[StandingRow | None],
    carried: Mapping[int, State],
) -> NDArray[np.float64]:
    start = np.full((len(standings), len(system.columns)), np.nan)
    for index, player_id in enumerate(people.player_id.tolist()):
        standing = standings[index]
        if standing is not None:
            start[index] = np.frombuffer(standing.state, "<f8")
        elif player_id in carried:
            start[index] = carried[player_id]
    return start


def _tally_before(standings: Sequence[StandingRow | None]) -> Tally:
    def column(name: str) -> NDArray[np.int64]:
        return np.array(
            [0 if standing is None else getattr(standing, name) for standing in standings],
            dtype=np.int64,
        )

    return Tally(
        games=column("games"),
        won=column("won"),
        drawn=column("drawn"),
        lost=column("lost"),
        form=tuple("" if standing is None else standing.form for standing in standings),
        streak=column("streak"),
        last_at=np.array(
            [
                NEVER_PLAYED if standing is None else micros(standing.last_played_at)
                for standing in standings
            ],
            dtype=np.int64,
        ),
    )
