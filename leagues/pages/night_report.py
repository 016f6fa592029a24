"""What a night of results did, for those who played it: climbers, upsets, a text for the chat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from itertools import groupby
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import wording
from leagues.addresses import is_local
from leagues.domain.civil_days import day_of
from leagues.models import Board, Match, Mode, Player, Revision, Season
from leagues.pages.boards import (
    board_address,
    league_address,
    night_address,
    player_address,
)
from leagues.pages.matches import (
    explained_address,
    finding,
    handicap_of,
    numbered_places,
    result_line,
    sets_of,
    sides_of,
    tag_of,
)
from leagues.pages.ratings import change_between
from leagues.pages.unrated import unrated_words
from leagues.selectors.boards import first_board_of
from leagues.selectors.names import newcomers_of
from leagues.selectors.night_effects import Climb, Gain, Surprise, night_effects
from leagues.selectors.nights import night_of
from leagues.selectors.revisions import live_matches_of
from leagues.services.tried_changes import MAX_MATCHES

MAX_ROWS: Final = 5
MAX_CHAT_LINES: Final = 40


@dataclass(frozen=True, slots=True)
class ReportRow:
    """A line of a list: what leads somewhere, what it reached, what it came from."""

    label: str
    url: str
    figure: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class ReportPart:
    """What the results of one mode did on the first board that rates them."""

    mode: str
    """Its name, where the night had several."""
    gains: tuple[ReportRow, ...]
    gains_note: str
    """That the standings have newer results as well."""
    climbs: tuple[ReportRow, ...]
    climbs_since: str
    upsets: tuple[ReportRow, ...]


@dataclass(frozen=True, slots=True)
class NightReport:
    """What the results of a revision did on the first boards that rate them.

    While they are being rated `is_waiting`; `is_stopped` where a board has stopped.
    """

    count: int
    standings_url: str
    night_url: str
    """The page of the night of the first of them."""
    is_waiting: bool = False
    is_stopped: bool = False
    unrated: str = ""
    """How many of them do not count."""
    parts: tuple[ReportPart, ...] = ()
    newcomers: tuple[ReportRow, ...] = ()
    chat: str = ""
    announcement: str = ""


def night_report(*, revision: Revision, site: str, now: datetime) -> NightReport | None:
    """The report of results that were entered; None of other revisions and of those undone.

    `site` is the address at which others reach the standings.
    """
    is_entry = revision.kind == Revision.Kind.ENTRY
    matches = live_matches_of(revision, MAX_MATCHES) if is_entry else []
    if not matches:
        return None
    for match in matches:
        match.league, match.season = revision.league, revision.season
    return report_of(matches, newcomers=newcomers_of(revision), site=site, now=now)


def report_of(
    matches: Sequence[Match], *, newcomers: Iterable[Player], site: str, now: datetime
) -> NightReport:
    """The report of results of a season, in the order of play, that count."""
    season = matches[0].season
    rated = [match for match in matches if match.is_rated]
    boards = _boards(season, matches)
    first = next(iter(boards.values()), None)
    report = NightReport(
        count=len(matches),
        unrated=_unrated([match for match in matches if not match.is_rated]),
        standings_url=board_address(first) if first else league_address(season.league),
        night_url=night_address(season, night_of(matches[0], season)),
    )
    behind = [one for one in rated if one.mode in boards and _is_behind(boards[one.mode], one)]
    if behind:
        is_stopped = any(boards[one.mode].state == Board.State.PAUSED for one in behind)
        return replace(report, is_waiting=not is_stopped, is_stopped=is_stopped)
    parts = tuple(_parts(boards, rated, now))
    report = replace(report, parts=parts, newcomers=_newcomers(newcomers, first))
    lists = [line for part in parts for line in _chat_lists(part)]
    # Nobody else can open an address of this computer alone.
    nights = night_of(matches[0], season), night_of(matches[-1], season)
    shared_url = report.night_url if nights[0] == nights[1] else report.standings_url
    where = [] if is_local(site) else [f"{site}{shared_url}"]
    blocks = (list(_chat_results(season, matches, nights)), lists, where)
    chat = [line for block in blocks if block for line in ("", *block)][1:]
    return replace(report, chat="\n".join(chat), announcement="; ".join(lists))


def _boards(season: Season, matches: Sequence[Match]) -> dict[Mode, Board]:
    """The first boards of the modes that were played, in the order of the league's modes."""
    boards = {mode: first_board_of(season, mode) for mode in by_mode(matches)}
    found = {mode: board for mode, board in boards.items() if board is not None}
    for board in found.values():
        board.league = season.league
    return found


def _is_behind(board: Board, match: Match) -> bool:
    return (match.touched_in_revision or 0) > board.rated_through_revision


def _parts(
    boards: Mapping[Mode, Board], rated: Sequence[Match], now: datetime
) -> Iterator[ReportPart]:
    """Yield what the results of each mode did that has a board."""
    of_mode = {mode: [one for one in rated if one.mode == mode] for mode in boards}
    for mode, board in boards.items():
        if of_mode[mode]:
            name = mode.name if len(boards) > 1 else ""
            yield _part(name, board, of_mode[mode], now)


def _part(mode: str, board: Board, matches: Sequence[Match], now: datetime) -> ReportPart:
    effects = night_effects(board, matches, now)
    gains = [gain for gain in effects.gains if _shows(gain)]
    before = wording.day(day_of(effects.compared_at, board.league.zone))
    return ReportPart(
        mode=mode,
        gains=tuple(_gain(gain, board) for gain in gains[:MAX_ROWS]),
        gains_note=_(
            "These are the ratings right after these results. Newer results, which are recorded "
            "already, have changed them since."
        )
        if board.last_at and board.last_at > matches[-1].played_at
        else "",
        climbs=tuple(_climb(climb, board) for climb in effects.climbs[:MAX_ROWS]),
        climbs_since=_("Compared with the standings before %(day)s.") % {"day": before},
        upsets=tuple(_upset(one, board) for one in effects.surprises[:MAX_ROWS]),
    )


def _unrated(matches: Sequence[Match]) -> str:
    reasons = ((match.status, match.kind) for match in matches)
    left_out = unrated_words(reasons, is_behind=False)
    return _("Not rated: %(results)s.") % {"results": left_out} if left_out else ""


def _newcomers(players: Iterable[Player], board: Board | None) -> tuple[ReportRow, ...]:
    return tuple(
        ReportRow(player.name, player_address(board, player.key) if board else "")
        for player in players
    )


def _shows(gain: Gain) -> bool:
    """Whether a gain is one in the numbers that are shown, too."""
    shown = (wording.number(at.value, gain.after.decimals) for at in (gain.before, gain.after))
    return len(set(shown)) == 2


def _gain(gain: Gain, board: Board) -> ReportRow:
    decimals = gain.after.decimals
    words = {
        "before": wording.number(gain.before.value, decimals),
        "after": wording.number(gain.after.value, decimals),
    }
    return ReportRow(
        gain.player.name,
        player_address(board, gain.player.key),
        change_between(gain.before, gain.after),
        _("%(before)s to %(after)s") % words,
    )


def _climb(climb: Climb, board: Board) -> ReportRow:
    places = climb.before - climb.after
    words = ngettext("%(count)s place", "%(count)s places", places)
    ranks = {"before": wording.ordinal(climb.before), "after": wording.ordinal(climb.after)}
    return ReportRow(
        climb.player.name,
        player_address(board, climb.player.key),
        words % {"count": wording.count(places)},
        _("%(before)s to %(after)s") % ranks,
    )


def _upset(surprise: Surprise, board: Board) -> ReportRow:
    match = surprise.match
    sides = sides_of(match, None)
    points = [side.points for side in sides if side.points is not None]
    score = wording.tally(*points) if len(points) == len(sides) else ""
    words = _("expected in %(share)s of 100") % {"share": wording.of_hundred(surprise.expected)}
    return ReportRow(finding(sides), explained_address(match, board), score, words)


def by_mode(matches: Sequence[Match]) -> dict[Mode, list[Match]]:
    """The matches of each mode that was played, in the order of the league's modes."""
    modes = sorted({match.mode for match in matches}, key=lambda mode: (mode.position, mode.pk))
    return {mode: [match for match in matches if match.mode == mode] for mode in modes}


def _chat_results(
    season: Season, matches: Sequence[Match], nights: tuple[date, date]
) -> Iterator[str]:
    """Yield the results, below the name of what was played where that was several things.

    The text begins with the first and the last of the `nights`; of several, each has its own day.
    """
    league = season.league
    yield f"{wording.isolated(league.name)}, {wording.span(*map(wording.day, nights))}"
    shown = matches[:MAX_CHAT_LINES]
    for night, of_night in groupby(shown, key=lambda match: night_of(match, season)):
        if nights[0] != nights[1]:
            yield from ("", f"{wording.day(night)}:")
        yield from _chat_night(season, list(of_night), has_modes=len(by_mode(shown)) > 1)
    hidden = len(matches) - MAX_CHAT_LINES
    if hidden > 0:
        words = ngettext("and %(count)s more result", "and %(count)s more results", hidden)
        yield words % {"count": wording.count(hidden)}


def _chat_night(season: Season, matches: Sequence[Match], *, has_modes: bool) -> Iterator[str]:
    """Yield the results of one night, with the names of what was played where `has_modes`."""
    for mode, of_mode in by_mode(matches).items():
        if has_modes:
            yield f"{mode.name}:"
        for match in of_mode:
            sides = sides_of(match, None)
            line = numbered_places(sides) if len(sides) > 2 else result_line(match)
            tags = sets_of(match, sides), handicap_of(sides), tag_of(match, season.league, season)
            beside = "; ".join(filter(None, tags))
            yield f"{line} ({beside})" if beside else line


def _chat_lists(part: ReportPart) -> Iterator[str]:
    lead = f"{part.mode}: " if part.mode else ""
    if part.gains:
        names = ", ".join(f"{wording.isolated(row.label)} {row.figure}" for row in part.gains)
        yield lead + _("Most rating gained: %(names)s") % {"names": names}
    if part.climbs:
        names = ", ".join(f"{wording.isolated(row.label)} ({row.detail})" for row in part.climbs)
        yield lead + _("Most places gained: %(names)s") % {"names": names}
    if part.upsets:
        results = ", ".join(f"{row.label} ({row.detail})" for row in part.upsets)
        yield lead + _("Upsets: %(results)s") % {"results": results}
