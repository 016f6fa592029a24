"""The nights of a season, and what was played on each, for those who were there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from urllib.parse import urlencode

from django.urls import reverse

from leagues import wording
from leagues.domain.civil_days import day_of
from leagues.models import Board, Season
from leagues.pages.boards import board_address, league_address, night_address
from leagues.pages.matches import MatchRow, match_rows
from leagues.pages.night_report import NightReport, by_mode, report_of
from leagues.selectors.boards import boards_of
from leagues.selectors.matches import people_of
from leagues.selectors.nights import PlayedNight, newcomers_on, nights_of, played_night
from leagues.services.tried_changes import MAX_MATCHES


@dataclass(frozen=True, slots=True)
class NightRow:
    """A night of the list."""

    day: str
    url: str
    results: str


@dataclass(frozen=True, slots=True)
class NightsPage:
    rows: tuple[NightRow, ...]
    older_url: str


@dataclass(frozen=True, slots=True)
class ModeResults:
    """The results of one mode on a day."""

    mode: str
    """Its name, where several were played."""
    rows: tuple[MatchRow, ...]


@dataclass(frozen=True, slots=True)
class NightPage:
    """What was played on a day; without results there are no groups and no report."""

    title: str
    results: str
    players: str
    report: NightReport | None
    groups: tuple[ModeResults, ...]
    more: str
    """How many results are not shown."""
    previous_url: str
    previous_day: str
    following_url: str
    following_day: str
    standings_url: str
    is_of_past: bool
    """Whether these are the standings after this night, which later results have changed."""
    all_url: str
    """The list of the season's nights."""

    @property
    def has_times(self) -> bool:
        """Whether some results say when they were played."""
        return any(row.time for group in self.groups for row in group.rows)


def nights_page(season: Season, before: date | None) -> NightsPage:
    """The nights of a season, newest first."""
    nights = nights_of(season, before=before)
    older = nights.has_older_than
    words = {"season": season.slug, "before": older.isoformat()} if older else {}
    return NightsPage(
        rows=tuple(
            NightRow(
                _title(season, one.on), night_address(season, one.on), wording.results(one.results)
            )
            for one in nights.rows
        ),
        older_url=f"{nights_address(season)}?{urlencode(words)}" if older else "",
    )


def nights_address(season: Season) -> str:
    """The address of the list of nights."""
    return reverse("leagues:nights", args=[season.league.slug])


def night_page(season: Season, on: date, *, site: str, now: datetime) -> NightPage:
    """A night by its day; `site` is the address at which others reach the standings."""
    night = played_night(season, on, at_most=MAX_MATCHES)
    boards = _boards_of(season, night)
    board = boards[0] if boards else None
    today = day_of(now, season.league.zone)
    people = {row.player_id: row.player for match in night.matches for row in people_of(match)}
    report = None
    if night.matches:
        new = newcomers_on(season.league, on, people)
        # On the first night everyone is new.
        newcomers = [people[pk] for pk in sorted(new, key=lambda pk: people[pk].folded)]
        report = report_of(
            night.matches,
            newcomers=newcomers if len(new) < len(people) else (),
            site=site,
            now=now,
        )
    rows = match_rows(night.matches, league=season.league, season=season, boards=boards, now=now)
    modes = by_mode(night.matches)
    row_of = dict(zip((match.pk for match in night.matches), rows, strict=True))
    groups = tuple(
        ModeResults(
            mode.name if len(modes) > 1 else "",
            tuple(_with_times_once([row_of[match.pk] for match in matches])),
        )
        for mode, matches in modes.items()
    )
    hidden = night.count - len(night.matches)
    # Of a day on which the next night began there are no standings in between.
    until = on if night.following == night.last_day else night.last_day
    is_of_past = board is not None and _has_later(board, until)
    standings_url = report.standings_url if report else league_address(season.league)
    if board is not None:
        words = f"&{urlencode({'on': until.isoformat()})}" if is_of_past else ""
        standings_url = f"{board_address(board)}{words}"
    return NightPage(
        title=_title(season, on),
        results=wording.results(night.count),
        players=wording.players(len(people)),
        report=report,
        groups=groups,
        more=wording.results(hidden) if hidden else "",
        previous_url=night_address(season, night.previous) if night.previous else "",
        previous_day=wording.day(night.previous, today) if night.previous else "",
        following_url=night_address(season, night.following) if night.following else "",
        following_day=wording.day(night.following, today) if night.following else "",
        standings_url=standings_url,
        is_of_past=is_of_past,
        all_url=f"{nights_address(season)}?{urlencode({'season': season.slug})}",
    )


def _with_times_once(rows: Sequence[MatchRow]) -> Iterator[MatchRow]:
    """Yield rows in the order of play, a time only where it begins.

    Results without a time of their own have that of the one above them, after which they were
    played: it is not theirs.
    """
    for above, row in zip(("", *(row.time for row in rows)), rows, strict=False):
        yield replace(row, time="") if row.time == above else row


def _title(season: Season, on: date) -> str:
    league = season.league
    return wording.long_moment(league.midnight(on), league.zone, date_only=True)


def _has_later(board: Board, on: date) -> bool:
    """Whether a board has rated results of later days."""
    return board.last_at is not None and day_of(board.last_at, board.league.zone) > on


def _boards_of(season: Season, night: PlayedNight) -> list[Board]:
    """The boards of what was played, those of what was played most first."""
    games = Counter(match.mode_id for match in night.matches)
    boards = [board for board in boards_of(season) if board.mode_id in games]
    for board in boards:
        board.league, board.season = season.league, season
    return sorted(boards, key=lambda board: games[board.mode_id], reverse=True)
