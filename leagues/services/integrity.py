"""Is what is stored what a replay gives? Digests of boards, leagues and everything."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter

import numpy as np
from django.db.models import QuerySet
from django.utils import timezone
from numpy.typing import NDArray

from leagues import bridge
from leagues.bridge.openings import lots_that_differ
from leagues.models import Board, League, RatingSegment, Standing
from leagues.services.batches import batches
from leagues.store import segments
from leagues.store.hashes import plain_json
from leagues.store.match_columns import Facts, is_behind, read_facts
from leagues.store.outages import is_outage
from leagues.store.snapshot import snapshot
from leagues.store.standing_rows import StandingRow

MOST_DIFFERENCES = 1000
MAX_REPORTS = 200
NEAR = 1e-9
"""How far numbers computed under another mathematical library may lie apart (reliability I-01)."""
DIGEST_BATCH = 200

_COMPARED = tuple(
    field.attname
    for field in Standing._meta.concrete_fields
    if field.name not in {"id", "league", "board", "generation", "player"}
)


compared = attrgetter(*_COMPARED)
"""What is compared of a standing, as an instance or a row."""

SegmentContent = tuple[int, bytes, bytes]
"""How many points a segment holds, and the bytes of them and of what was expected."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One stored value that a replay does not give."""

    player: str
    what: str
    stored: str
    replayed: str


@dataclass(frozen=True, slots=True)
class BoardReport:
    """What the check of one board found."""

    board: Board
    rated_through_revision: int
    is_behind: bool
    other_math: bool
    matches: int
    differences: tuple[Difference, ...]


def check_board(board: Board) -> BoardReport:
    """Replay a board from nothing and compare every standing and every point of every history."""
    try:
        return _check_board(board)
    except Exception as error:
        if is_outage(error):
            raise
        # What no release writes can break the reading of any row.
        unreadable = Difference("", "what is stored", "cannot be read", repr(error)[:MAX_REPORTS])
        return BoardReport(board, board.rated_through_revision, False, False, 0, (unreadable,))


def _check_board(board: Board) -> BoardReport:
    with snapshot():
        row_now = (
            Board.objects.select_related("league", "season", "mode").filter(pk=board.pk).first()
        )
        if row_now is None:
            missing = Difference("", "league, season or mode", "missing", "there")
            return BoardReport(board, board.rated_through_revision, False, False, 0, (missing,))
        board = row_now
        rated_through_revision = board.season.last_revision
        if is_behind(board) and not board.season.is_sealed:
            return BoardReport(board, board.rated_through_revision, True, False, 0, ())
        facts = bridge.rated_facts(board, read_facts(board))
        stored, history = _read_standings(board), read_histories(board)
        lots = [
            Difference(key, "random start", str(was), str(drawn))
            for key, was, drawn in lots_that_differ(board)
        ]
    other_math = has_other_math(board)
    try:
        matches, differences = _replay_differences(board, facts, stored, history, about=other_math)
        differences += [*lots, *_seal_differences(board)]
    except Exception as error:
        # Facts that were forged past every check can break a replay anywhere.
        matches, differences = 0, [Difference("", "replay", "fails", repr(error))]
    return BoardReport(
        board,
        rated_through_revision,
        False,
        other_math,
        matches,
        tuple(differences[:MOST_DIFFERENCES]),
    )


def _read_standings(board: Board) -> dict[int, tuple[object, ...]]:
    """What standings hold in the compared columns, by player: instances take ten times as long."""
    rows = Standing.objects.current(board).values_list("player_id", *_COMPARED)
    return {player_id: tuple(map(_plain, values)) for player_id, *values in rows.iterator()}


def read_histories(board: Board, **which: object) -> dict[tuple[int, int], SegmentContent]:
    """What segments hold, by player and number: all of a board, or those that are asked for."""
    rows = RatingSegment.objects.filter(board=board, generation=board.generation, **which)
    columns = rows.values_list("player_id", "number", "count", "data", "expected")
    return {
        (player_id, number): (count, bytes(data), bytes(expected))
        for player_id, number, count, data, expected in columns.iterator()
    }


def has_other_math(board: Board) -> bool:
    """Whether a board was computed where, or when, last bits came out otherwise than here."""
    return bool(board.generation) and board.math_fingerprint != bridge.math_fingerprint(
        board.system
    )


def _replay_differences(
    board: Board,
    facts: Facts,
    stored: dict[int, tuple[object, ...]],
    history: dict[tuple[int, int], SegmentContent],
    *,
    about: bool,
) -> tuple[int, list[Difference]]:
    """Replay facts; returns how many matches that were, and where the stored rows differ."""
    computed = bridge.compute(board, facts)
    names = dict(zip(computed.people.player_id.tolist(), computed.people.keys, strict=True))
    replayed = bridge.standing_rows(board, board.generation, computed)
    points = bridge.points_of(computed)
    return len(computed.log), [
        *standing_differences(stored, replayed, names, about=about),
        *history_differences(history, _segment_rows(board, points), names, about=about),
        *board_differences(
            board,
            computed,
            rated=len(computed.log),
            last_place=facts.last_place,
        ),
    ]


def standing_differences(
    stored: dict[int, tuple[object, ...]],
    replayed: Iterable[StandingRow],
    names: dict[int, str],
    *,
    about: bool,
) -> list[Difference]:
    """Compare what standings hold in the compared columns, by player, with computed rows."""
    differences = []
    left = dict(stored)
    for row in replayed:
        name = names[row.player_id]
        standing = left.pop(row.player_id, None)
        if standing is None:
            differences.append(Difference(name, "standing", "missing", "there"))
            continue
        values = compared(row)
        if standing == values:
            continue
        for column, was, now in zip(_COMPARED, standing, values, strict=True):
            if was != now and not (about and _is_near(was, now)):
                differences.append(Difference(name, column, _show(was), _show(now)))
    differences.extend(
        Difference(f"player {player_id}", "standing", "there", "missing") for player_id in left
    )
    return differences


def history_differences(
    stored: dict[tuple[int, int], SegmentContent],
    rows: Iterable[segments.SegmentRow],
    names: dict[int, str],
    *,
    about: bool,
) -> list[Difference]:
    """Compare what segments hold, by player and number, with computed ones."""
    differences = []
    left = dict(stored)
    for row in rows:
        segment = left.pop((row.player_id, row.number), None)
        replayed = row.count, row.data, row.expected
        name, what = names[row.player_id], f"history {row.number}"
        if segment is None:
            differences.append(Difference(name, what, "missing", "there"))
        elif segment != replayed and not (about and _is_near_history(segment, replayed)):
            differences.append(Difference(name, what, "differs", ""))
    differences.extend(
        Difference(f"player {player_id}", f"history {number}", "there", "missing")
        for player_id, number in left
    )
    return differences


def _segment_rows(board: Board, points: segments.PlayerPoints) -> Iterator[segments.SegmentRow]:
    """Yield the segments that some points are packed into."""
    for part in points.parts():
        yield from segments.pack(part).rows(board, board.generation)


def board_differences(
    board: Board,
    computed: bridge.Computed,
    *,
    rated: int,
    last_place: tuple[datetime, int, int] | None,
) -> list[Difference]:
    """Compare what a board says of itself with what it has rated, and where that ends."""
    if not board.generation:
        return []
    shared_state = bridge.shared_board_state(computed)
    last_at, *last = last_place or (None, None, None)
    return [
        Difference("", what, str(was), str(now))
        for what, was, now in (
            ("rated matches", board.rated_matches, rated),
            ("refused matches", board.refused_matches, len(computed.refused)),
            ("board state", bytes(board.board_state).hex(), shared_state.hex()),
            ("last result", board.last_at, last_at),
            ("last place", [board.last_same_time_order, board.last_seq], last),
            (
                "rated_through_revision",
                board.rated_through_revision,
                min(board.rated_through_revision, board.season.last_revision),
            ),
        )
        if was != now
    ] + _rules_differences(board, computed)


def _rules_differences(board: Board, computed: bridge.Computed) -> list[Difference]:
    """Compare the rules that a board says it was rated by, but for parameters that came later."""
    stored, replayed = plain_json(board.rated_rules), plain_json(computed.rules)
    try:
        agree = all(
            since == now_since and parameters.items() <= now_parameters.items()
            for (since, parameters), (now_since, now_parameters) in zip(
                stored, replayed, strict=True
            )
        )
    except (AttributeError, TypeError, ValueError):
        agree = False
    return [] if agree else [Difference("", "rated rules", str(stored), str(replayed))]


def _seal_differences(board: Board) -> list[Difference]:
    """Compare what a sealed board shows with its seal; sealed, it does not change meanwhile."""
    if not board.season.is_sealed:
        return []
    digest = board_digest(board)
    differences = (
        [Difference("", "seal", board.seal or "none", digest)] if board.seal != digest else []
    )
    if is_behind(board):
        differences.append(
            Difference(
                "",
                "rated_through_revision",
                str(board.rated_through_revision),
                str(board.season.last_revision),
            )
        )
    return differences


def note_report(report: BoardReport) -> None:
    """Write what was found to the board, if it still shows the generation that was checked.

    What it has rated meanwhile comes after the revision up to which it is checked.
    """
    board = report.board
    Board.objects.filter(pk=board.pk, generation=board.generation).update(
        verified_at=timezone.now(),
        verified_through_revision=report.rated_through_revision,
        verified_matches=report.matches,
        changes_verified_at=None,
        differences=len(report.differences),
    )


def _is_near_history(one: SegmentContent, other: SegmentContent) -> bool:
    """Whether two segments are of the same matches, with nearly the same numbers."""
    sizes = [(count, len(data), len(expected)) for count, data, expected in (one, other)]
    if sizes[0] != sizes[1]:
        return False
    was, now = (segments.unpack(data, count, expected) for count, data, expected in (one, other))
    return (
        np.array_equal(was.seq, now.seq)
        and np.array_equal(was.at, now.at)
        and _are_near(was.state, now.state)
        and _are_near(was.expected, now.expected)
    )


def _is_near(was: object, now: object) -> bool:
    """Whether two stored values are numbers, or rows of them, that only differ by rounding."""
    if isinstance(was, bytes) and isinstance(now, bytes):
        is_whole = len(was) == len(now) and len(was) % 8 == 0
        return is_whole and _are_near(np.frombuffer(was, "<f8"), np.frombuffer(now, "<f8"))
    if isinstance(was, float) and isinstance(now, float):
        return _are_near(np.array(was), np.array(now))
    return False


def _are_near(was: NDArray[np.float64], now: NDArray[np.float64]) -> bool:
    return bool(np.allclose(was, now, rtol=NEAR, atol=NEAR, equal_nan=True))


def _plain(value: object) -> object:
    return bytes(value) if isinstance(value, memoryview | bytearray) else value


def _show(value: object) -> str:
    return value.hex() if isinstance(value, bytes) else repr(value)


def board_digest(board: Board) -> str:
    """The SHA-256 of a board's published state, the same on every database.

    Players by key; for each the exact state, the counters, the place and every point of the
    history (instant and state: a match's seq tells the order of entry, which means nothing).
    """
    columns = len(bridge.system_of(board).columns)
    standings = Standing.objects.current(board)
    rows = sorted(
        standings.select_related("player").defer("player__folded"), key=lambda row: row.player.key
    )
    digest = hashlib.sha256()
    _add(digest, bytes(board.board_state))
    for batch in batches(rows, DIGEST_BATCH):
        past = segments.read_points(board, [row.player_id for row in batch], columns)
        for row in batch:
            points = past[row.player_id]
            counters = (row.place_value, row.games, row.won, row.drawn, row.lost, row.streak)
            _add(digest, row.player.key.encode())
            _add(digest, bytes(row.state))
            _add(digest, struct.pack("<6q", *counters))
            _add(digest, row.form.encode())
            _add(digest, points.at.astype("<i8").tobytes())
            _add(digest, points.state.astype("<f8").tobytes())
    return digest.hexdigest()


def _add(digest: hashlib._Hash, part: bytes) -> None:
    digest.update(struct.pack("<q", len(part)) + part)


def joined_digest(digests: Mapping[Board, str]) -> str:
    """The one digest of a season whose boards, read with their modes, have these."""
    return _digest_of_lines(
        f"{board.mode.slug}/{board.system}/{board.slug} {digest}"
        for board, digest in digests.items()
    )


def league_digest(league: League) -> str:
    """One digest for all boards of a league."""
    return _digest_of_lines(
        f"{board.season.slug}/{board.mode.slug}/{board.system}/{board.slug} {board_digest(board)}"
        for board in _boards(league.boards.all())
    )


def site_digest() -> str:
    """One digest for all leagues."""
    return _digest_of_lines(
        f"{league.slug} {league_digest(league)}" for league in League.objects.order_by("slug")
    )


def _boards(boards: QuerySet[Board]) -> QuerySet[Board]:
    return boards.select_related("season", "mode")


def _digest_of_lines(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()
