"""What needs somebody: for the organizers of a league, and for the site's admin.

One selection stands behind both: the league's dashboard asks it about one league, the front page
of the admin about all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import wording
from leagues.access import Action
from leagues.models import Board, Job, League, Season, Upload
from leagues.pages.boards import board_address
from leagues.pages.integrity import integrity_line
from leagues.pages.log import LogRow, log_page
from leagues.pages.seasons import StepChoice, season_results, season_steps
from leagues.pages.settings import season_days
from leagues.pages.work import WorkRow, work_rows
from leagues.selectors.boards import boards_behind, boards_of, troubled_boards
from leagues.selectors.log import FACTS, LogFilter
from leagues.selectors.seasons import (
    closing_seasons,
    coming_season,
    newest_draft,
    overdue_seasons,
    sealing_problems,
    void_results,
)
from leagues.selectors.uploads import uploads_to_settle
from leagues.selectors.work import all_stopped_jobs, pressing_jobs_of

MOST_LISTED = 20
MOST_REVISIONS = 8
MOST_UPLOADS = 10

Subject: TypeAlias = Board | Season | Job | Upload
Address: TypeAlias = Callable[[Subject], str]


@dataclass(frozen=True, slots=True)
class Concern:
    """Something that somebody should look at; `url` is where it can be put right."""

    text: str
    why: str
    league: str
    url: str


@dataclass(frozen=True, slots=True)
class StateMark:
    """One of the states of a season, in their order."""

    label: str
    is_present: bool
    is_past: bool


@dataclass(frozen=True, slots=True)
class SeasonCard:
    """A season and what can be done with it."""

    name: str
    url: str
    results: str
    days: str
    states: tuple[StateMark, ...]
    steps: tuple[StepChoice, ...]


@dataclass(frozen=True, slots=True)
class BoardLine:
    name: str
    url: str
    results: str
    state: str
    verified: str


@dataclass(frozen=True, slots=True)
class Dashboard:
    season: SeasonCard | None
    concerns: tuple[Concern, ...]
    next_url: str
    next_word: str
    boards: tuple[BoardLine, ...]
    work: tuple[WorkRow, ...]
    revisions: tuple[LogRow, ...]

    @property
    def is_moving(self) -> bool:
        """Whether something goes on, so that the page is asked for again."""
        return any(row.is_under_way for row in self.work)


def dashboard(
    *, league: League, season: Season | None, rights: Set[Action], now: datetime
) -> Dashboard:
    """The state of a league for its organizers."""
    boards = boards_of(season)
    behind = boards_behind(boards)
    jobs = pressing_jobs_of(league, MOST_LISTED)
    page = log_page(
        league=league,
        filters=LogFilter(kind=FACTS),
        address_words={},
        rights=rights,
        now=now,
        most=MOST_REVISIONS,
    )
    concerns = (
        *_board_concerns(league, _league_address),
        *_season_concerns(league, now, _league_address),
        *_no_season_concern(league, season),
        *_upload_concerns(league),
    )
    url, word = _what_next(league, season)
    return Dashboard(
        season=_card(season, league, rights) if season else None,
        concerns=concerns,
        next_url=url,
        next_word=word,
        boards=tuple(_board_line(board, board.pk in behind, league, now) for board in boards),
        work=work_rows(jobs, zone=league.zone, now=now),
        revisions=page.rows,
    )


def site_concerns(*, now: datetime, address: Address) -> tuple[Concern, ...]:
    """The matters for a site admin, in all leagues; at most twenty of a kind."""
    return (
        *_job_concerns(now, address),
        *_board_concerns(None, address),
        *_season_concerns(None, now, address),
    )


def state_marks(season: Season) -> tuple[StateMark, ...]:
    """The states of a season in their order, as a strip shows them."""
    states = list(Season.State)
    present = states.index(Season.State(season.state))
    return tuple(
        StateMark(str(state.label), index == present, index < present)
        for index, state in enumerate(states)
    )


def _card(season: Season, league: League, rights: Set[Action]) -> SeasonCard:
    return SeasonCard(
        name=season.name,
        url=f"{reverse('leagues:board', args=[league.slug])}?season={season.slug}",
        results=season_results(season, void_results([season]).get(season.pk, 0)),
        days=season_days(season),
        states=state_marks(season),
        steps=season_steps(season, rights),
    )


def _board_line(board: Board, is_behind: bool, league: League, now: datetime) -> BoardLine:
    board.league = league
    if board.state == Board.State.PAUSED:
        state = _("stopped: %(problem)s") % {"problem": board.problem}
    elif is_behind:
        state = _("new results are being rated")
    else:
        state = _("everything is rated")
    verified = integrity_line(board, now).text or _("not checked yet")
    return BoardLine(
        board.name, board_address(board), wording.results(board.rated_matches), state, verified
    )


def _differences(board: Board) -> str:
    return ngettext(
        "a replay finds %(count)s difference",
        "a replay finds %(count)s differences",
        board.differences,
    ) % {"count": wording.count(board.differences)}


def _job_concerns(now: datetime, address: Address) -> Iterator[Concern]:
    stopped = all_stopped_jobs(MOST_LISTED)
    for job, row in zip(stopped, work_rows(stopped, zone=ZoneInfo("UTC"), now=now), strict=True):
        yield Concern(
            _("Stopped: %(work)s") % {"work": row.title},
            row.error,
            job.league.name if job.league else "",
            address(job),
        )


def _board_concerns(league: League | None, address: Address) -> Iterator[Concern]:
    for board in troubled_boards(league, MOST_LISTED):
        words = {"board": board.name, "season": board.season.name}
        if board.state == Board.State.PAUSED:
            text = _("The board “%(board)s” of %(season)s has stopped") % words
            yield Concern(text, board.problem, board.league.name, address(board))
        else:
            text = _("The board “%(board)s” of %(season)s differs from a replay") % words
            yield Concern(text, _differences(board), board.league.name, address(board))


def _season_concerns(league: League | None, now: datetime, address: Address) -> Iterator[Concern]:
    for season in overdue_seasons(league, now, MOST_LISTED):
        yield Concern(
            _("“%(season)s” is past its last day and still open") % {"season": season.name},
            _("Dates: %(days)s. Stop accepting results, then seal the standings.")
            % {"days": season_days(season)},
            season.league.name,
            address(season),
        )
    closing = list(closing_seasons(league, MOST_LISTED))
    problems = sealing_problems(closing)
    for season in closing:
        yield Concern(
            _("“%(season)s” is closing and not sealed") % {"season": season.name},
            _why_unsealed(problems.get(season.pk, "")),
            season.league.name,
            address(season),
        )


def _why_unsealed(problem: str) -> str:
    if not problem:
        return _("Resolve what is open, then seal the standings.")
    return _("When sealing was last tried: %(problem)s") % {"problem": problem}


def _no_season_concern(league: League, season: Season | None) -> Iterator[Concern]:
    """That no result can be entered: the present season is over, or there is none."""
    if season is not None and season.state not in (Season.State.CLOSED, Season.State.ARCHIVED):
        return
    title, leads_to = _("No season is open"), season
    if (coming := coming_season(league)) is not None:
        title, leads_to = _("No season takes the results of today"), coming
        words = {"season": coming.name, "days": season_days(coming)}
        why = _("“%(season)s” is open. Its days: %(days)s.") % words
    elif (draft := newest_draft(league)) is not None:
        leads_to = draft
        why = _("Open “%(season)s” to enter results.") % {"season": draft.name}
    else:
        why = _("Results cannot be entered until you create the next season.")
    yield Concern(title, why, league.name, _season_address(league, leads_to))


def _season_address(league: League, season: Season | None) -> str:
    """Where a season is settled, and from the last one the next is created; without any, all."""
    if season is None:
        return reverse("leagues:settings_seasons", args=[league.slug])
    return reverse("leagues:settings_season", args=[league.slug, season.slug])


def _upload_concerns(league: League) -> Iterator[Concern]:
    for upload in uploads_to_settle(league, MOST_UPLOADS):
        unclear = len((upload.report or {}).get("similar", {}))
        why = _("Import it, or discard it.")
        if unclear:
            why = ngettext(
                "%(count)d new name looks like an existing player: choose who it is.",
                "%(count)d new names look like existing players: choose who they are.",
                unclear,
            ) % {"count": unclear}
        yield Concern(
            _("“%(name)s” was checked but not imported") % {"name": upload.name},
            why,
            league.name,
            _league_address(upload),
        )


def _league_address(subject: Subject) -> str:
    slug = subject.league.slug if subject.league else ""
    if isinstance(subject, Upload):
        return reverse("leagues:import_upload", args=[slug, subject.pk])
    if isinstance(subject, Board):
        return board_address(subject)
    if isinstance(subject, Season):
        return reverse("leagues:settings_season", args=[slug, subject.slug])
    return reverse("leagues:settings_seasons", args=[slug])


def _what_next(league: League, season: Season | None) -> tuple[str, str]:
    """The one thing to do next, where nothing else is wrong."""
    if season is None:
        return reverse("leagues:settings_seasons", args=[league.slug]), _("Create a season")
    if not season.last_seq and season.takes_results:
        return reverse("leagues:import", args=[league.slug]), _("Bring your results")
    if season.takes_results:
        return reverse("leagues:enter", args=[league.slug]), _("Enter a result")
    address = reverse("leagues:settings_season", args=[league.slug, season.slug])
    return address, _("Go to the season")
