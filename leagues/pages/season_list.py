"""The seasons of a league, as its list shows them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from leagues import wording
from leagues.models import Board, League, Season
from leagues.pages.boards import player_address
from leagues.pages.season_page import season_address
from leagues.pages.settings import season_days
from leagues.selectors.board_selection import BoardSelection
from leagues.selectors.standing_rows import leaders


@dataclass(frozen=True, slots=True)
class SeasonRow:
    name: str
    url: str
    days: str
    state: str
    results: str
    """As its page counts them: those that its first board was to rate."""
    first: str
    """Who leads or has won it, by its first board."""
    first_url: str
    is_sealed: bool


@dataclass(frozen=True, slots=True)
class SeasonList:
    rows: tuple[SeasonRow, ...]
    archived_rows: tuple[SeasonRow, ...]


def season_list(*, look: BoardSelection, league: League, now: datetime) -> SeasonList:
    """The seasons of a league, the newest first; archived ones apart."""
    firsts: dict[int, Board] = {}
    for board in sorted(
        look.everywhere, key=lambda row: (row.mode.position, row.mode_id, row.position, row.pk)
    ):
        firsts.setdefault(board.season_id, board)
    first = leaders(firsts.values(), now)
    rows: dict[bool, list[SeasonRow]] = {False: [], True: []}
    for season in look.seasons:
        season.league = league
        board_of = firsts.get(season.pk)
        leader = first.get(board_of.pk) if board_of else None
        player = leader.player if leader else None
        results = board_of.rated_matches + board_of.refused_matches if board_of else 0
        rows[season.state == Season.State.ARCHIVED].append(
            SeasonRow(
                name=season.name,
                url=season_address(season),
                days=season_days(season),
                state=season.get_state_display(),
                results=wording.count(results),
                first=player.name if player else "",
                first_url=player_address(board_of, player.key) if board_of and player else "",
                is_sealed=season.is_sealed,
            )
        )
    return SeasonList(tuple(rows[False]), tuple(rows[True]))
