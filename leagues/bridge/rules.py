"""Rating by rules that change: which hold when, and a log rated by several one after the other.

What absence adds to an uncertainty is worked out when a player is next met or looked at, by the
rules of that moment. What absence takes from a rating, it takes by the rules under which it
happened: where others follow, the periods before are ended for good.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise
from typing import Any

import numpy as np
from django.db.models import Q
from django.utils.translation import gettext as _

from leagues.bridge.expectations import board_entries_of
from leagues.bridge.systems import describe_system, newest_system, system_with
from leagues.domain.civil_days import day_number, start_of_day_number
from leagues.models import Board, BoardRules, League
from leagues.models.checks import FIRST_INSTANT
from leagues.store.match_columns import Facts, micros
from ratings.engine import Progress
from ratings.log import DAY, Floats, Integers, MatchLog
from ratings.parameters import ParameterError
from ratings.system import IndirectChanges, Reach, Replay, State, System


@dataclass(frozen=True, slots=True)
class Span:
    """A system, and from when on a board is rated by it; None: from the first match on."""

    since: datetime | None
    system: System


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """The part of a log that one system rated."""

    system: System
    replay: Replay


@dataclass(frozen=True, slots=True, eq=False)
class Rating:
    """A whole log rated, as if by one system, and the pieces that it was rated in."""

    replay: Replay
    board_entries: IndirectChanges
    pieces: tuple[Piece, ...]


def spans_of(board: Board) -> tuple[Span, ...]:
    """The rules by which a board is to be rated one after the other, oldest first."""
    newest = Span(board.rules_since, newest_system(board))
    if board.rules_since is None:
        return (newest,)
    rows = BoardRules.objects.filter(
        Q(effective_at__isnull=True) | Q(effective_at__lt=board.rules_since),
        board_id=board.pk,
        is_replaced=False,
    )
    older = sorted(
        rows.values_list("effective_at", "parameters"),
        key=lambda row: row[0] or FIRST_INSTANT,
    )
    if not older:
        # Other rules are tried on a copy of a board whose own have never changed.
        stored = Board.objects.values_list("parameters", flat=True).get(pk=board.pk)
        older = [(None, stored)]
    return _merge(
        [*(Span(at, system_with(board.system, parameters)) for at, parameters in older), newest]
    )


def spans_from(spans: Sequence[Span], facts: Facts) -> Sequence[Span]:
    """The rules that hold from the first of some facts on.

    Where the others ended is in the states that these facts begin with.
    """
    ended = [
        number
        for number, span in enumerate(spans)
        if span.since is not None and len(facts) and micros(span.since) <= int(facts.at[0])
    ]
    return spans[ended[-1] if ended else 0 :]


def rated_spans(board: Board) -> tuple[Span, ...]:
    """The rules by which what a board shows was rated, oldest first.

    Of a board that shows nothing yet those by which it is to be rated.
    """
    if not board.rated_rules:
        return spans_of(board)
    return _merge(
        Span(since and datetime.fromisoformat(since), system_with(board.system, parameters))
        for since, parameters in board.rated_rules
    )


def are_rules_pending(board: Board) -> bool:
    """Whether a board still shows what was rated by other rules than its newest."""
    current, newest = rated_spans(board), spans_of(board)
    return [(span.since, span.system.parameters) for span in current] != [
        (span.since, span.system.parameters) for span in newest
    ]


def rules_at_start(
    board: Board, computed_by: Sequence[Span]
) -> list[tuple[str | None, dict[str, Any]]]:
    """Rules as `Board.rated_rules` keeps them."""
    names = [description.name for description in describe_system(board.system)]
    return [
        (
            span.since.isoformat() if span.since else None,
            {name: getattr(span.system.parameters, name) for name in names},
        )
        for span in computed_by
    ]


def _merge(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Leave out rules that are as the ones before: changed and changed back, never changed."""
    merged: list[Span] = []
    for span in spans:
        if not merged or merged[-1].system.parameters != span.system.parameters:
            merged.append(span)
    return tuple(merged)


def system_at(board: Board, at: datetime) -> System:
    """The system that rated a board's matches of that time."""
    spans = rated_spans(board)
    return [span for span in spans if span.since is None or span.since <= at][-1].system


def rules_obstacle(name: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """Why these parameters cannot follow those within a season; nothing where they can."""
    old, new = system_with(name, before), system_with(name, after)
    if old.reach is Reach.BATCH:
        words = _(
            "%(system)s rates all results of a season together, so its rules can only be changed "
            "for the whole season. Leave the date empty."
        )
        return words % {"system": old.title}
    if _state_shape(old) == _state_shape(new):
        return ""
    labels = [
        description.label
        for description in describe_system(name)
        if before.get(description.name) != after.get(description.name)
        and _depends(name, before, after, description.name)
    ]
    words = _("“%(rules)s” can only be changed for the whole season. Leave the date empty.")
    return words % {"rules": "”, “".join(labels)}


def _depends(name: str, before: Mapping[str, Any], after: Mapping[str, Any], rule: str) -> bool:
    """Whether this rule has a part in what the states after differ in from those before."""
    undone = {**after, rule: before.get(rule)}
    try:
        return _state_shape(system_with(name, undone)) != _state_shape(system_with(name, after))
    except ParameterError:
        # It does not go without the other changes.
        return True


def _state_shape(system: System) -> tuple[Any, ...]:
    """The columns of stored states, and the length of periods they name."""
    names_period = "period" in system.columns
    length = getattr(system.parameters, "period_days", None) if names_period else None
    return system.columns, getattr(system, "board_columns", ()), length


def refusals(spans: Sequence[Span], log: MatchLog) -> list[tuple[int, str]]:
    """Name the matches that the rules of their time cannot rate, with the reason."""
    return [
        (first + match, reason)
        for span, first, last in _cut(spans, log)
        for match, reason in span.system.refusals(log.part(first, last))
    ]


def in_units(spans: Sequence[Span], log: MatchLog) -> MatchLog:
    """A log with handicaps in points of Elo's scale, as one in the units of its rules.

    Those of matches that were left in the units of the rules of their start.
    """
    if not log.handicap.any() and not any(any(left.handicaps) for left in log.forfeits.values()):
        return log
    units = np.ones(len(log))
    forfeits = dict(log.forfeits)
    for span, first, last in _cut(spans, log):
        unit = span.system.handicap_unit
        units[first:last] = unit
        for match, left in log.forfeits.items():
            if first <= left.place < last:
                one, other = left.handicaps
                forfeits[match] = replace(left, handicaps=(one * unit, other * unit))
    return replace(log, handicap=log.handicap * units[log.match_of_side()], forfeits=forfeits)


def rate_spans(
    spans: Sequence[Span],
    log: MatchLog,
    league: League,
    *,
    start: Floats,
    board: State | None,
    until: datetime | None,
    progress: Progress | None,
) -> Rating:
    """Rate each match by the rules of its time, and apply inactivity up to a moment."""
    pieces: list[Piece] = []
    following = [span.since for span in spans[1:]]
    stand_ins: dict[int, tuple[State, ...]] = {}
    for (span, first, last), next_since in zip(_cut(spans, log), [*following, None], strict=True):
        system = span.system
        replay = system.replay(
            log if len(spans) == 1 else log.part(first, last, stand_ins),
            start=start,
            board=board,
            progress=_progress_from(progress, first, len(log)),
        )
        if next_since is not None:
            replay = system.apply_decay(replay, day_number(next_since, league.zone), for_good=True)
        elif until is not None:
            replay = system.apply_decay(replay, day_number(until, league.zone))
        if system.period_days is not None:
            others = replay.indirect_changes
            replay = replace(
                replay, indirect_changes=replace(others, at=_midnights(others.at, league))
            )
        stand_ins |= {first + match: stood for match, stood in replay.stand_ins.items()}
        pieces.append(Piece(system, replay))
        start, board = replay.final, replay.board
    if len(pieces) == 1:
        system, replay = pieces[0].system, pieces[0].replay
        return Rating(replay, board_entries_of(system, replay), tuple(pieces))
    return _join_pieces(pieces, log)


def _join_pieces(pieces: Sequence[Piece], log: MatchLog) -> Rating:
    """Join pieces that follow each other."""
    replays = [piece.replay for piece in pieces]
    offsets = np.cumsum([0, *(len(replay.log) for replay in replays[:-1])]).tolist()
    start = replays[0].start.copy()
    for earlier, replay in pairwise(replays):
        # Who had not played before begins by the rules under which he does.
        unseen = np.isnan(earlier.final).all(axis=1)
        start[unseen] = replay.start[unseen]
    board_entries = [board_entries_of(piece.system, piece.replay) for piece in pieces]
    last = replays[-1]
    return Rating(
        replay=Replay(
            after=np.concatenate([replay.after for replay in replays]),
            final=last.final,
            board=last.board,
            indirect_changes=_one_after_another(
                [replay.indirect_changes for replay in replays], offsets
            ),
            log=log,
            start=start,
        ),
        board_entries=_one_after_another(board_entries, offsets),
        pieces=tuple(pieces),
    )


def _one_after_another(parts: Sequence[IndirectChanges], offsets: Sequence[int]) -> IndirectChanges:
    return IndirectChanges.joined(
        [
            replace(part, match=part.match + offset)
            for part, offset in zip(parts, offsets, strict=True)
        ]
    )


def _cut(spans: Sequence[Span], log: MatchLog) -> Iterator[tuple[Span, int, int]]:
    """Yield each span with the first and the end of its matches; it may have none."""
    ends = [
        int(np.searchsorted(log.at, micros(span.since))) if span.since else 0 for span in spans[1:]
    ]
    return zip(spans, [0, *ends], [*ends, len(log)], strict=True)


def _progress_from(progress: Progress | None, first: int, total: int) -> Progress | None:
    if progress is None:
        return None
    report = progress

    def report_part(done: int, _all: int) -> None:
        report(first + done, total)

    return report_part


def _midnights(days: Integers, league: League) -> Integers:
    """The starts of days in a league that are given as they begin in UTC."""
    distinct, which = np.unique(days // DAY, return_inverse=True)
    begin = [micros(start_of_day_number(day, league.zone)) for day in distinct.tolist()]
    midnights: Integers = np.array(begin, dtype=np.int64)[which]
    return midnights
