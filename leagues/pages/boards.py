"""Which season and board of a league is looked at, and what stands above it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import bridge, wording
from leagues.domain.civil_days import day_of
from leagues.models import Board, Job, League, Player, Season
from leagues.pages.integrity import IntegrityLine, integrity_line
from leagues.pages.ratings import shown_as
from leagues.selectors.board_selection import BoardSelection, Progress
from leagues.selectors.work import rating_job
from leagues.store.match_columns import is_behind


@dataclass(frozen=True, slots=True)
class Choice:
    """An entry of a select, a tab or a set of radio buttons."""

    value: str
    label: str
    is_chosen: bool
    url: str = ""
    count: str = ""


def league_address(league: League) -> str:
    """The address of a league's first page."""
    return _league(league.slug)


def board_address(board: Board) -> str:
    """The address of a board."""
    return f"{league_address(board.league)}?{_query(board.season.slug, board.slug)}"


def player_address(board: Board, key: str) -> str:
    """The address of a player's profile as of a board."""
    return f"{_profile(board.league.slug, key)}?{_query(board.season.slug, board.slug)}"


def night_address(season: Season, on: date) -> str:
    """The address of what was played on a day of a season, which comes with its league."""
    return reverse("leagues:played_night", args=[season.league.slug, season.slug, on.isoformat()])


def link_of_player(board: Board | None, player: Player) -> str:
    """The address of a player's profile; nothing without a board, or of one who is not listed.

    Whoever came with a night that was undone has a name in its void results and no page.
    """
    return player_address(board, player.key) if board and player.is_listed else ""


# A page has fifty of them, and to make one takes as long as to write a row.


@lru_cache(maxsize=1000)
def _league(slug: str) -> str:
    return reverse("leagues:board", args=[slug])


@lru_cache(maxsize=10_000)
def _profile(league: str, key: str) -> str:
    return reverse("leagues:player", args=[league, key])


@lru_cache(maxsize=1000)
def _query(season: str, board: str) -> str:
    return urlencode({"season": season, "board": board})


def board_tabs(
    look: BoardSelection, address: Callable[[Board], str] = board_address
) -> tuple[Choice, ...]:
    """The boards of a season as links to the same page as each of them sees it."""
    return tuple(
        Choice(board.slug, board.name, board == look.board, url=address(board))
        for board in look.boards
    )


def season_choices(look: BoardSelection) -> tuple[Choice, ...]:
    """The seasons of a league for a select; archived ones have to be known."""
    return tuple(
        Choice(season.slug, season.name, season == look.season)
        for season in look.seasons
        if season == look.season or season.state != Season.State.ARCHIVED
    )


@dataclass(frozen=True, slots=True)
class BoardHead:
    """The facts above a board."""

    title: str
    system: str
    results: str
    last_played: str
    last_night_url: str
    integrity: IntegrityLine
    problem: str
    refused: str
    shown_as: str


def board_head(
    *, board: Board, now: datetime, on: date | None = None, last_before: datetime | None = None
) -> BoardHead:
    """The head of a board: how much it rests on, and whether it was checked.

    Of a day in the past only `last_before`: when the last match up to it was.
    """
    zone = board.league.zone
    today = day_of(now, zone)
    info = bridge.system_info(board.system)
    several = board.season.name, board.mode.name
    last = last_night_url = ""
    last_at = last_before if on else board.last_at
    if last_at:
        last_on = day_of(last_at, zone)
        last = _("last played %(day)s") % {"day": wording.day(last_on, today)}
        board.season.league = board.league
        last_night_url = night_address(board.season, last_on)
    return BoardHead(
        title=", ".join(several),
        system=info.title,
        results="" if on else _rated_count(board.rated_matches),
        last_played=last,
        last_night_url=last_night_url,
        integrity=integrity_line(board, now),
        problem=board.problem,
        refused="" if on else _refusal_count(board.refused_matches),
        shown_as=shown_as(board),
    )


def _rated_count(count: int) -> str:
    words = ngettext("%(count)s result rated", "%(count)s results rated", count)
    return words % {"count": wording.count(count)}


def _refusal_count(count: int) -> str:
    if not count:
        return ""
    return ngettext(
        "%(count)s result could not be rated by this system",
        "%(count)s results could not be rated by this system",
        count,
    ) % {"count": wording.count(count)}


@dataclass(frozen=True, slots=True)
class Waiting:
    """Results that are stored and not rated yet, and how far their rating is."""

    done: str
    total: str
    part: str
    is_stopped: bool = False


def board_waiting(board: Board) -> Waiting | None:
    """How far the rating of new results is; None where all are rated."""
    return _waiting(board, rating_job(board)) if is_behind(board) else None


def selection_waiting(look: BoardSelection) -> Waiting | None:
    """How far the rating of new results is on the chosen board, from what was read with it."""
    board, job = look.board, look.reading.job
    if board is None or (job is None and board.state != Board.State.PAUSED):
        return None
    return (
        _waiting(board, job) if board.rated_through_revision < board.season.last_revision else None
    )


def _waiting(board: Board, job: Job | Progress | None) -> Waiting:
    if board.state == Board.State.PAUSED:
        return Waiting("", "", "", is_stopped=True)
    if job is None or not job.total:
        return Waiting("", "", "")
    return Waiting(
        done=wording.count(job.done),
        total=wording.count(job.total),
        part=f"{job.done / job.total:.3f}",
    )
