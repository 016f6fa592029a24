"""What the front page shows of the demo: a match, a correction, somebody with opponents to meet."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from leagues.domain.ranking import ranking_rule
from leagues.models import Board, League, Match, Revision, Standing
from leagues.selectors.board_selection import read_league_rows, select_board


@dataclass(frozen=True, slots=True)
class Example:
    """A match that was rated, and a player in the middle of the board with three opponents."""

    match: Match
    viewer: Standing
    opponents: tuple[Standing, ...]
    correction: Revision | None
    """The newest correction in the season, which moved ratings of old results."""


def demo_board(league: League) -> tuple[Board, str] | None:
    """The first board of the demo's present season, and the digest of what was read.

    None while it has rated nothing.
    """
    rows = read_league_rows(league)
    selection = select_board(league=league, read=rows)
    if selection is None or selection.board is None or not selection.board.rated_matches:
        return None
    return selection.board, rows.digest


def example_of(board: Board, now: datetime) -> Example | None:
    """The example that a board gives; None where fewer than three players are ranked."""
    rated = Match.objects.rated_on(board).filter(
        kind=Match.Kind.PLAYED, touched_in_revision__lte=board.rated_through_revision
    )
    match = rated.order_by("-played_at", "-same_time_order", "-seq").first()
    ranked = Standing.objects.current(board).ranked(ranking_rule(board, now)).best_first()
    places = list(ranked.values_list("pk", flat=True))
    if match is None or len(places) < 3:
        return None
    match.league, match.season = board.league, board.season
    middle = len(places) // 2
    chosen = ranked.filter(pk__in={places[0], places[middle - 1], places[middle], places[-1]})
    standings = {row.pk: row for row in chosen.select_related("player")}
    viewer = standings.pop(places[middle])
    corrections = Revision.objects.filter(season=board.season, kind=Revision.Kind.CORRECTION)
    correction = corrections.order_by("-number").first()
    return Example(match, viewer, tuple(standings.values()), correction)
