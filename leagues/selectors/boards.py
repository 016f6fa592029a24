"""Boards: which there are, what they have not seen yet, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from leagues.models import Board, League, Match, Mode, Season


def boards_of(season: Season | None) -> QuerySet[Board]:
    """A season's boards in their order, with season and mode; none without a season."""
    return Board.objects.filter(season=season).select_related("season", "mode")


def first_board_of(season: Season, mode: Mode) -> Board | None:
    """The first of a season's boards that rate a mode."""
    return boards_of(season).filter(mode=mode).first()


def modes_of(league: League) -> list[tuple[Mode, int]]:
    """What is played in a league, in its order, with how many boards rate each."""
    return [
        (mode, mode.board_count)
        for mode in league.modes.annotate(board_count=Count("boards")).order_by("position", "pk")
    ]


def plays_in_teams(league: League) -> bool:
    """Whether the league has a mode for two teams."""
    return league.modes.filter(played_by=Mode.PlayedBy.TWO_TEAMS).exists()


def boards_behind(boards: QuerySet[Board]) -> set[int]:
    """The boards that have not seen everything yet, by one query."""
    touched = Match.objects.filter(
        season=OuterRef("season"),
        mode=OuterRef("mode"),
        touched_in_revision__gt=OuterRef("rated_through_revision"),
    )
    return set(boards.filter(Exists(touched)).values_list("pk", flat=True))


def troubled_boards(league: League | None, at_most: int) -> QuerySet[Board]:
    """Boards of a league, or of all, that have stopped or differ from a replay; newest first."""
    boards = league.boards.all() if league else Board.objects.all()
    troubled = boards.filter(Q(state=Board.State.PAUSED) | Q(differences__gt=0))
    return troubled.select_related("league", "season", "mode").order_by("-pk")[:at_most]


def usual_board(boards: Sequence[Board]) -> Board | None:
    """The board of a season that is shown where none is chosen, of all in their order.

    The first one of what has rated results, for a league may have been set up for more than it
    plays; of a season without any the first.
    """
    played = {board.mode_id for board in boards if board.rated_matches}
    first = next(iter(boards), None)
    return next((board for board in boards if board.mode_id in played), first)


def usual_boards(seasons: Iterable[Season]) -> dict[int, Board]:
    """The board of each season that is shown where none is chosen, by the season's key."""
    known = {season.pk: season for season in seasons}
    boards: dict[int, list[Board]] = {}
    for board in Board.objects.filter(season__in=known):
        board.season = known[board.season_id]
        board.league = board.season.league
        boards.setdefault(board.season_id, []).append(board)
    usual = {pk: usual_board(of_season) for pk, of_season in boards.items()}
    return {pk: board for pk, board in usual.items() if board is not None}
