"""What the players of a board begin with together, and where it comes from."""

from __future__ import annotations

from typing import Any

from leagues.bridge.openings import OpeningValue, opening_values
from leagues.domain.openings import has_opening, has_session_rungs, random_start
from leagues.models import AuditEntry, Board, Player, StartingState
from leagues.services.openings import PLACED


def opening_value(board: Board, player: Player) -> OpeningValue | None:
    """What a player of a board began with, if it counts; no query where nothing was chosen."""
    if not has_opening(board):
        return None
    return opening_values(board, [player.pk]).get(player.pk)


def named_values(board: Board, *, most: int) -> tuple[list[tuple[Player, OpeningValue]], int]:
    """What players of a board began with, by name, for `most` of them; and how many there are.

    No query where nothing was chosen.
    """
    if not has_opening(board):
        return [], 0
    begun = StartingState.objects.filter(board=board, rating__isnull=True)
    players = Player.objects.filter(pk__in=begun.values("player")).order_by("folded", "key")
    count = players.count()
    named = list(players[:most])
    values = opening_values(board, [player.pk for player in named])
    return [(player, values[player.pk]) for player in named], count


def session_name(board: Board) -> str:
    """The game session whose order the rungs of a board began in, as the log has it."""
    if not has_session_rungs(board):
        return ""
    entries = AuditEntry.objects.filter(
        league=board.league_id, season=board.season_id, action=PLACED, after__board=board.slug
    )
    last = entries.order_by("-number").first()
    return str(((last and last.after) or {}).get("game_session", ""))


def stored_opening(board: Board) -> dict[str, Any]:
    """What the file of a whole league says of it; nothing where nothing was chosen."""
    if not has_opening(board):
        return {}
    rows = StartingState.objects.carried_over().filter(board=board)
    # Of an import that was undone since: no list of players has them, but they are drawn.
    gone = sorted(rows.filter(player__is_listed=False).values_list("player__key", flat=True))
    unlisted = {"unlisted_players": gone} if gone else {}
    if random_start(board) is not None:
        return {"random_start": sorted(rows.values_list("player__key", flat=True)), **unlisted}
    keys = dict(rows.values_list("player_id", "player__key"))
    rungs = {player_id: value.rating for player_id, value in opening_values(board).items()}
    order = [keys[player_id] for player_id in sorted(rungs, key=rungs.__getitem__)]
    return {"session_rungs": {"session": session_name(board), "players": order}, **unlisted}
