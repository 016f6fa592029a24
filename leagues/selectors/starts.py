"""The starting ratings that organizers gave: whose, on which boards, and what undoes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from leagues.models import AuditEntry, Board, League, Player, StartingState
from leagues.services.starts import (
    STARTED,
    Start,
    anchors_of,
    can_change_starts,
    given_start,
    start_from,
)


def boards_with_starts(league: League) -> list[Board]:
    """The boards of a league whose seasons are not closed yet, the newest season first."""
    boards = league.boards.select_related("season", "mode")
    rows = [board for board in boards if can_change_starts(board.season)]
    for board in rows:
        board.league = league
    return sorted(rows, key=lambda board: -board.season_id)


def given_starts(board: Board) -> list[tuple[Player, Start]]:
    """Who was given a start on a board, by name; no query where nobody brought anything."""
    if not board.start_parameters:
        return []
    rows = StartingState.objects.from_elsewhere().filter(board=board, player__is_listed=True)
    listed = rows.select_related("player").order_by("player__folded", "player__key")
    return [(row.player, start) for row in listed if (start := given_start(row))]


def anchors_shown(board: Board) -> frozenset[int]:
    """The players whose rating stays on a board; no query where it has no anchors."""
    return frozenset(anchors_of(board)) if board.start_parameters else frozenset()


def starts_of(player: Player, boards: Iterable[Board]) -> dict[int, Start]:
    """The starts that a player was given, by board; no query where nobody brought anything."""
    concerned = [board.pk for board in boards if board.start_parameters]
    if not concerned:
        return {}
    rows = StartingState.objects.from_elsewhere().filter(player=player, board__in=concerned)
    return {row.board_id: start for row in rows if (start := given_start(row))}


def boards_carried_to(player: Player, boards: Iterable[Board]) -> set[int]:
    """The boards to which a rating of a player was carried over, whatever was given since."""
    rows = StartingState.objects.filter(player=player, board__in=list(boards))
    return set(rows.carried_over().values_list("board", flat=True))


def starts_undoing(
    entries: Sequence[AuditEntry], league: League
) -> Mapping[int, Mapping[str, str]]:
    """What undoes entries about starts, by the id of the entry: as long as they hold."""
    said = [
        entry
        for entry in entries
        if entry.action == STARTED and entry.player and entry.player.is_listed and entry.season
    ]
    if not said:
        return {}
    boards = {(board.season_id, board.slug): board for board in boards_with_starts(league)}
    rows = StartingState.objects.filter(
        board__in=list(boards.values()), player__in=[entry.player_id for entry in said]
    )
    now = {(row.board_id, row.player_id): given_start(row) for row in rows}
    undoing = {}
    for entry in said:
        before, after = entry.before or {}, entry.after or {}
        board = boards.get((entry.season_id or 0, str(after.get("board"))))
        if board is None:
            continue
        start = now.get((board.pk, entry.player_id or 0))
        if start == start_from(after):
            undoing[entry.pk] = {
                "board": str(board.pk),
                **_words_of(before),
                **{f"was_{name}": word for name, word in _words_of(after).items()},
            }
    return undoing


def _words_of(entry: Mapping[str, object]) -> dict[str, str]:
    """What a form sends for a start of the log."""
    values = {name: entry.get(f"start_{name}", "") for name in ("rating", "deviation", "source")}
    return {name: str(value) for name, value in values.items()}
