"""Checking what has changed on a board since its last check, without replaying all of it.

The histories hold the exact state before the first changed match. What follows from the changes is
rated again from there, as a correction is, and compared with what is stored. What no change reaches
is left to the check of the whole board, which is due every night.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.utils import timezone

from leagues import bridge
from leagues.models import Board, Match, Player
from leagues.services.batches import batches
from leagues.services.board_corrections import BoardCorrection, read_correction, rewriting_of
from leagues.services.history import Finding, check_matches
from leagues.services.integrity import (
    Difference,
    SegmentContent,
    board_differences,
    compared,
    history_differences,
    read_histories,
    standing_differences,
)
from leagues.services.ratings import enqueue_change_check, enqueue_verification
from leagues.services.tail_states import MOST_CHANGED, Tail, can_start_late
from leagues.store import segments
from leagues.store.match_columns import is_behind
from leagues.store.outages import is_outage
from leagues.store.snapshot import snapshot

MOST_PLAYERS = 20_000
"""Where a change reaches more of them, the whole board is checked."""


@dataclass(frozen=True, slots=True)
class ChangeReport:
    """What the check of a board's changes found."""

    board: Board
    matches: int = 0
    """How many have changed since its last check."""
    is_behind: bool = False
    differences: tuple[Difference, ...] = ()
    findings: tuple[Finding, ...] = ()
    """Where the changed matches are not what was recorded of them."""


def request_check(board: Board, *, is_new_generation: bool) -> None:
    """Queue the check of a board that has just been rated: of what has changed, if that tells."""
    if is_new_generation or not can_check_changes(board):
        enqueue_verification(board)
    else:
        enqueue_change_check(board)


def can_check_changes(board: Board) -> bool:
    """Whether the generation was found right, and only what matches reach can have changed since.

    What all players of a board share, such as the order of a ladder, no history tells of an earlier
    moment.
    """
    return (
        board.verified_through_revision is not None
        and not board.differences
        and not board.season.is_sealed
        and not board.board_state
        and can_start_late(board)
    )


def check_changes(board: Board) -> ChangeReport | None:
    """Compare what has changed on a board with what it was rated from; None: check all of it.

    That is where more than matches may have changed, where the changes reach too many, and where
    what is stored cannot be read or contradicts itself.
    """
    try:
        return _check_changes(board.pk)
    except Exception as error:
        if is_outage(error):
            raise
        # What no release writes can break the reading of any row; the whole check names it.
        return None


def _check_changes(board_id: int) -> ChangeReport | None:
    with snapshot():
        row_now = Board.objects.select_related("league", "season", "mode").filter(pk=board_id)
        board = row_now.first()
        if board is None or not can_check_changes(board):
            return None
        if is_behind(board):
            return ChangeReport(board, is_behind=True)
        after = board.verified_through_revision or 0
        changes = Match.objects.played_on(board).touched_after(after)
        rows = changes.values_list("pk", "seq")[: MOST_CHANGED + 1]
        places = [(match_id, seq or 0) for match_id, seq in rows]
        if not places:
            return ChangeReport(board)
        correction = read_correction(board, after=after, at_most=MOST_PLAYERS)
        if correction is None:
            return None
        tail = correction.tail
        keys = dict(Player.objects.filter(pk__in=tail.own_players).values_list("pk", "key"))
        findings = check_matches(board.season, places, keys)
        history = _read_histories(board, _first_segments(tail))
    differences = _replay_differences(board, correction, history, keys)
    if differences is None:
        return None
    return ChangeReport(board, len(places), False, tuple(differences), findings)


def _first_segments(tail: Tail) -> dict[int, int]:
    """The segment of each player's history in which the changes begin."""
    before = tail.before.standings
    return {
        player_id: before[player_id].games // segments.SIZE if player_id in before else 0
        for player_id in tail.players
    }


def _read_histories(
    board: Board, first: Mapping[int, int]
) -> dict[tuple[int, int], SegmentContent]:
    """What segments hold from the given numbers on, by player and number."""
    by_number: dict[int, list[int]] = defaultdict(list)
    for player_id, number in first.items():
        by_number[number].append(player_id)
    stored: dict[tuple[int, int], SegmentContent] = {}
    for number, player_ids in by_number.items():
        for batch in batches(player_ids, segments.NAMED_AT_ONCE):
            stored |= read_histories(board, number__gte=number, player_id__in=batch)
    return stored


def _replay_differences(
    board: Board,
    correction: BoardCorrection,
    history: dict[tuple[int, int], SegmentContent],
    keys: Mapping[int, str],
) -> list[Difference] | None:
    """Rate what follows from the changes, and compare; None where a match cannot be rated."""
    tail = correction.tail
    if tail.players <= set(tail.facts.player_id.tolist()):
        # Who does not play need not be read: on a board with starting ratings that is everyone.
        tail = replace(tail, before=replace(tail.before, is_everyone=False))
    computed = bridge.compute(board, tail.facts, before=tail.before)
    if computed.refused:
        return None
    people = zip(computed.people.player_id.tolist(), computed.people.keys, strict=True)
    names = {**keys, **dict(people)}
    rewriting = rewriting_of(board, tail, computed)
    standings = {player_id: compared(row) for player_id, row in tail.stored.items()}
    return [
        *standing_differences(standings, rewriting.standings, names, about=False),
        *history_differences(history, rewriting.segments, names, about=False),
        *board_differences(
            board, computed, rated=correction.matches, last_place=correction.last_place
        ),
    ]


def note_changes(report: ChangeReport) -> bool:
    """Write what was found to the board; False: it was checked or computed anew meanwhile."""
    board = report.board
    same = Board.objects.filter(
        pk=board.pk,
        generation=board.generation,
        verified_at=board.verified_at,
        verified_through_revision=board.verified_through_revision,
    )
    return bool(
        same.update(
            changes_verified_at=timezone.now(),
            verified_through_revision=board.season.last_revision,
            differences=len(report.differences),
        )
    )
