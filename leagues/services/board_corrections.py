"""Changes of older results whose boards are not replayed: only those whom they reach are rewritten.

What is stored afterwards is what a full replay would have stored, to the last bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from leagues import bridge
from leagues.models import Board, Match, MatchVersion, Participant, Player, RatingSegment, Standing
from leagues.services.board_tails import has_derivable_state, moves_everyone
from leagues.services.drafts import sides_of_content
from leagues.services.tail_states import (
    MOST_CHANGED,
    Tail,
    can_start_late,
    last_place_before,
    read_tail,
    tail_standings,
)
from leagues.store import segments
from leagues.store.match_columns import read_facts
from leagues.store.standing_rows import StandingRow

MAX_SHARE_LATE = 0.3
"""A change before more of a board's matches reaches nearly everybody: it is not even looked at."""
MAX_SHARE_REACHED = 0.6
"""Of more of a board's players a full replay, which writes all of them anew, is cheaper."""


@dataclass(frozen=True, slots=True, eq=False)
class BoardCorrection:
    """What is to be rated again of a board, and what it has rated then."""

    since: datetime
    tail: Tail
    matches: int
    last_place: tuple[datetime, int, int]
    """The place of the last match."""


@dataclass(frozen=True, slots=True, eq=False)
class Rewriting:
    """The rows that a correction changes."""

    segments: list[segments.SegmentRow]
    standings: list[StandingRow]
    """Of all whom it reaches and who stand on the board."""
    changed_standings: list[StandingRow]
    gone: list[int]
    """Players who have no match left."""
    shorter: dict[int, int]
    """Players whose history takes fewer segments, by how many."""


def read_correction(board: Board, *, after: int, at_most: int) -> BoardCorrection | None:
    """What the changes after a revision ask of a board; to be called inside a snapshot.

    None where a full replay is to answer it: where the whole board shares something that nothing
    says of an earlier moment (accounts), or where the change reaches so many that a replay is
    cheaper.
    """
    if not can_start_late(board) or (board.board_state and not has_derivable_state(board)):
        return None
    change = _read_change(board, after)
    if change is None:
        return None
    since, players = change
    rated = Match.objects.rated_on(board)
    matches, late = rated.count(), rated.filter(played_at__gte=since).count()
    if late > MAX_SHARE_LATE * matches:
        return None
    later, most = bridge.rated_facts(board, read_facts(board, since=since)), at_most
    if not moves_everyone(board):
        everyone = Standing.objects.current(board).count()
        most = min(at_most, int(MAX_SHARE_REACHED * everyone))
    tail = read_tail(board, since, later, players, at_most=most)
    last_place = later.last_place or last_place_before(board, since)
    if tail is None or last_place is None:
        return None
    return BoardCorrection(since, tail, matches, last_place)


def _read_change(board: Board, after: int) -> tuple[datetime, set[int]] | None:
    """When the first of the changed matches was or is played, and who played or plays in them.

    None for more matches than are corrected, where former players cannot be told, and on a ladder
    where a loss by leaving was taken back: it had moved others, whom no match names.
    """
    touched = Match.objects.played_on(board).touched_after(after)
    if bridge.newest_system(board).orders_only and touched.ever_lost().exists():
        return None
    rows = dict(touched.values_list("pk", "played_at")[: MOST_CHANGED + 1])
    if len(rows) > MOST_CHANGED:
        return None
    moments = list(rows.values())
    keys: set[str] = set()
    players = Participant.objects.filter(match__in=rows).values_list("player_id", flat=True)
    versions = MatchVersion.objects.filter(match__in=rows, revision__number__gt=after)
    for content in versions.values_list("content", flat=True):
        if "sides" in content:
            moments.append(datetime.fromisoformat(content["played_at"]))
            sides = sides_of_content(content)
            keys.update(key for _rank, _score, members in sides for key, *_shares in members)
    former = Player.objects.filter(league=board.league_id, key__in=keys)
    former_ids = list(former.values_list("pk", flat=True))
    if len(former_ids) < len(keys):
        return None
    return min(moments), {*players, *former_ids}


def rewriting_of(board: Board, tail: Tail, computed: bridge.Computed) -> Rewriting:
    """The rows in which what was rated of a tail differs from what is stored."""
    standings = tail_standings(board, tail, computed)
    games = {row.player_id: row.games for row in standings}
    points = bridge.points_of(computed).by_player()
    parts: dict[int, list[segments.Points]] = {}
    numbers: dict[int, int] = {}
    shorter: dict[int, int] = {}
    for player_id in sorted(tail.players):
        history, own = tail.histories.get(player_id), points.get(player_id)
        if own is None and history is not None and history.is_over:
            continue
        numbers[player_id] = tail.counts.get(player_id, 0) // segments.SIZE
        found = (tail.points_before(player_id), own)
        parts[player_id] = [part for part in found if part is not None]
        count = numbers[player_id] + segments.count_of(sum(map(len, parts[player_id])))
        if count < tail.segment_counts.get(player_id, 0):
            shorter[player_id] = count
    rows = segments.rows_of(board, parts, len(computed.system.columns), numbers)
    return Rewriting(
        [row for row in rows if not tail.has_stored(row)],
        standings,
        [row for row in standings if row != tail.stored.get(row.player_id)],
        sorted(tail.stored.keys() - games.keys()),
        shorter,
    )


def delete_ends(board: Board, rewriting: Rewriting) -> None:
    """Throw away the standings and segments that a correction leaves nothing for."""
    ends = Q()
    for player_id, count in rewriting.shorter.items():
        ends |= Q(player=player_id, number__gte=count)
    if rewriting.shorter:
        RatingSegment.objects.filter(ends, board=board, generation=board.generation).delete()
    if rewriting.gone:
        Standing.objects.current(board).filter(player_id__in=rewriting.gone).delete()
