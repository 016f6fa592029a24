"""Importing the logs of game servers: the games of several logs as one revision, all or nothing.

What is read of a log does not depend on the league, so the season is held only while the games are
compared with what is there and stored.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, BinaryIO, Final

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues.models import League, Match, Mode, Player, Revision, Season
from leagues.services.batches import batches
from leagues.services.drafts import EventDraft, MatchDraft, MemberDraft, SideDraft
from leagues.services.errors import Problem, Refused, refuse
from leagues.services.import_reading import Known, stored_matches
from leagues.services.leagues import ensure_boards, ensure_mode
from leagues.services.log_games import LeftOut, LoggedGame, LoggedPlayer, game_of, key_of
from leagues.services.matches import flip_matches, store_matches
from leagues.services.revisions import commit_to, lock_season, lock_seasons
from leagues.services.rosters import Roster, shared_name
from leagues.services.texts import clean_label, clean_text
from leagues.services.validation import problems_of, season_problem
from ratings.gamelogs.reading import HEAD, read_sessions, recognise
from ratings.gamelogs.sessions import GameSession, LogFormat, Problems

SOURCE: Final = "import-log"
FORMATS: Final = tuple(log_format.value for log_format in LogFormat)
NO_MODE: Final = "Games"
MODES: Final = {
    "ffa": "Free for all",
    "duel": "Duel",
    "tdm": "Team deathmatch",
    "ctf": "Capture the flag",
}
"""What the common words for what is played are called in a league; other words stay."""
TWICE: Final = "twice"


class LogProblem(Exception):
    """A log that cannot be read at all; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class LogOptions:
    """How logs are read: `mode` is for all games, `day` for those of which the log has no date."""

    mode: str = ""
    day: date | None = None
    log_format: str = ""
    with_bots: bool = False
    with_broken_off: bool = False


@dataclass(slots=True)
class LogContents:
    """What logs hold, whatever the league they go into."""

    files: list[tuple[str, str]] = field(default_factory=list)
    """Names and formats."""
    sessions: int = 0
    players: set[str] = field(default_factory=set)
    events: Counter[str] = field(default_factory=Counter)
    games: list[LoggedGame] = field(default_factory=list)
    left_out: Counter[LeftOut] = field(default_factory=Counter)
    events_left_out: Counter[LeftOut] = field(default_factory=Counter)
    problems: Counter[str] = field(default_factory=Counter)
    """Lines that were not understood, by reason."""


@dataclass(slots=True)
class LogReport:
    """What importing logs did, or would do."""

    contents: LogContents
    imported: int = 0
    already_there: int = 0
    players_created: int = 0
    new_names: list[str] = field(default_factory=list)
    events_imported: int = 0
    left_out: Counter[LeftOut] = field(default_factory=Counter)
    modes: dict[str, int] = field(default_factory=dict)
    """How many games are imported into each mode."""
    modes_by_results: list[str] = field(default_factory=list)
    """The modes among them that rate results only."""
    revision: int | None = None

    def as_dict(self) -> dict[str, Any]:
        """The report as plain data."""
        found = self.contents
        return {
            "files": [{"name": name, "format": log_format} for name, log_format in found.files],
            "games": found.sessions,
            "players": len(found.players),
            "events": dict(sorted(found.events.items())),
            "imported": self.imported,
            "already_there": self.already_there,
            "players_created": self.players_created,
            "events_imported": self.events_imported,
            "modes": self.modes,
            "left_out": {reason.code: count for reason, count in self.left_out.items()},
            "events_left_out": {
                reason.code: count for reason, count in found.events_left_out.items()
            },
            "problems": dict(found.problems),
            "revision": self.revision,
        }


def read_logs(files: Sequence[Path], options: LogOptions) -> LogContents:
    """Read logs; raises LogProblem, with the name of the file, for what is none."""
    contents = LogContents()
    for path in files:
        try:
            with path.open("rb") as stream:
                read_log_into(contents, path.name, stream, options)
        except OSError as error:
            words = _("%(file)s cannot be read: %(reason)s")
            raise LogProblem(words % {"file": path.name, "reason": error.strerror}) from error
        except LogProblem as problem:
            raise LogProblem(f"{path.name}: {problem}") from problem
    return contents


def read_log_into(contents: LogContents, name: str, stream: BinaryIO, options: LogOptions) -> None:
    """Add what a log holds to contents; raises LogProblem for what is none."""
    log_format = _format_of(stream.read(HEAD), options)
    stream.seek(0)
    problems = Problems()
    _take(contents, read_sessions(stream, log_format, problems), options)
    contents.files.append((name, log_format.value))
    contents.problems.update(problems.by_reason)


def is_log(content: bytes) -> bool:
    """Whether some bytes are a game log of a known format."""
    return recognise(content[:HEAD]) is not None


def _format_of(head: bytes, options: LogOptions) -> LogFormat:
    if options.log_format:
        return LogFormat(options.log_format)
    log_format = recognise(head)
    if log_format is None:
        raise LogProblem(_("This is not a game log of a known format."))
    return log_format


def _take(contents: LogContents, sessions: Iterable[GameSession], options: LogOptions) -> None:
    for place, session in enumerate(sessions):
        contents.sessions += 1
        contents.events.update(event.kind.value for event in session.events)
        contents.players.update(
            key_of(session, player) or player.identity or player.name
            for player in session.players
            if not player.is_spectator
        )
        game = game_of(
            session,
            place,
            with_bots=options.with_bots,
            with_broken_off=options.with_broken_off,
        )
        if isinstance(game, LeftOut):
            contents.left_out[game] += 1
            continue
        contents.games.append(game)
        contents.events_left_out.update(game.events_left_out)


class Plan:
    """The games of logs as drafts of a season, beside what is there.

    Raises Refused where the season takes no results, ValidationError for no name of a mode.
    """

    def __init__(self, season: Season, contents: LogContents, options: LogOptions) -> None:
        self.season, self.league, self.options = season, season.league, options
        self.now = timezone.now()
        refuse([problem for problem in [season_problem(season, late=True)] if problem])
        if options.mode:
            clean_label(options.mode)
        self.modes = {mode.name.casefold(): mode for mode in self.league.modes.all()}
        self.report = LogReport(contents, left_out=Counter(contents.left_out))
        self.drafts: dict[str, list[MatchDraft]] = {}
        """By the name of the mode."""
        self.revived: list[int] = []
        """Matches that an undone import brought, and that count again."""
        self.roster = _roster_of(self.league, contents.games)
        known = stored_matches(season, SOURCE)
        seen: set[str] = set()
        for game in contents.games:
            self._take(game, known.get(game.id), is_repeat=game.id in seen)
            seen.add(game.id)
        self.report.players_created = len(self.roster.fresh)
        self.report.new_names = [player.name for player in self.roster.fresh]
        self.report.modes = {mode: len(drafts) for mode, drafts in self.drafts.items()}
        names = {mode.name for mode in self.modes.values() if not mode.rates_events}
        self.report.modes_by_results = [mode for mode in self.drafts if mode in names]

    def _take(self, game: LoggedGame, known: Known | None, *, is_repeat: bool) -> None:
        report = self.report
        if is_repeat:
            report.left_out[LeftOut(TWICE, _("there twice"))] += 1
            return
        if known is not None:
            if known.was_undone:
                self.revived.append(known.match_id)
                report.imported += 1
            else:
                report.already_there += 1
            return
        fresh = len(self.roster.fresh)
        try:
            draft, mode = self._draft(game), self._mode(game)
            problems = problems_of(draft, season=self.season, now=self.now)
        except Refused as refused:
            problems = list(refused.problems)
        if problems:
            self.roster.forget(fresh)
            report.left_out[LeftOut(problems[0].code, problems[0].message)] += 1
            return
        self.drafts.setdefault(mode, []).append(draft)
        report.imported += 1
        report.events_imported += len(draft.events)

    def _mode(self, game: LoggedGame) -> str:
        """The name of the mode that a game goes into, as the league writes it."""
        name = self.options.mode or MODES.get(game.mode) or _words_of(game.mode)
        existing = self.modes.get(name.casefold())
        return existing.name if existing else name

    def _draft(self, game: LoggedGame) -> MatchDraft:
        players = {
            one: self._player(one) for side in game.sides for one, _own_score in side.players
        }
        return MatchDraft(
            played_at=self._moment(game.started_at),
            date_only=game.started_at is None,
            same_time_order=game.place,
            detail=_detail(game.map),
            external_id=game.id,
            sides=tuple(
                SideDraft(
                    rank=side.rank,
                    score=side.score,
                    members=tuple(MemberDraft(players[one], own) for one, own in side.players),
                )
                for side in game.sides
            ),
            events=tuple(
                EventDraft(
                    kind=event.kind,
                    player=players[event.player],
                    opponent=None if event.opponent is None else players[event.opponent],
                    points=event.points,
                    milliseconds=event.milliseconds,
                )
                for event in game.events
            ),
        )

    def _moment(self, started_at: datetime | None) -> datetime:
        """When a game began; a server's local time is taken for that of the league."""
        if started_at is None:
            if self.options.day is None:
                words = _("the log has no date; say which day it is of")
                raise Refused([Problem("played_at", "no_date", words)])
            return self.league.midnight(self.options.day)
        if started_at.tzinfo is None:
            started_at = started_at.replace(tzinfo=self.league.zone)
        return started_at.astimezone(UTC)

    def _player(self, one: LoggedPlayer) -> Player:
        """Whom the log means: by the key where the game has ids, else by the name."""
        meant = self.roster.meant_by(name=one.name, key=one.key)
        if len(meant) > 1:
            raise Refused([shared_name(one.name, meant)])
        return meant[0] if meant else self.roster.bring(name=one.name, key=one.key)


def _roster_of(league: League, games: Iterable[LoggedGame]) -> Roster:
    people = {one for game in games for side in game.sides for one, _own_score in side.players}
    return Roster.of_names(
        league,
        names=[one.name for one in people if one.key is None],
        keys=[one.key for one in people if one.key is not None],
    )


def _words_of(mode: str) -> str:
    """What a game calls what is played, as a name."""
    words = " ".join(re.split(r"[^\w+]+", mode)).strip()
    try:
        return clean_label(words[:1].upper() + words[1:40])
    except ValidationError:
        return NO_MODE


def _detail(text: str) -> str:
    """The map, where it can be shown."""
    try:
        return clean_text(text, most=64)
    except ValidationError:
        return ""


def check_logs(*, season: Season, contents: LogContents, options: LogOptions) -> LogReport:
    """What importing logs would do; nothing is written.

    Raises Refused, or ValidationError for the name of a mode, where `import_logs` would.
    """
    return Plan(season, contents, options).report


def import_logs(
    *, season: Season, contents: LogContents, options: LogOptions, author: User | None = None
) -> LogReport:
    """Store the games of logs that are not there yet as one revision, and let them be rated.

    Modes that the league does not have are added, and rate events.
    """
    plan = Plan(season, contents, options)
    if not plan.report.imported:
        return plan.report
    with transaction.atomic():
        lock_seasons(season.league_id)
        modes = {name: _event_mode(season.league, name) for name in plan.drafts}
        held = lock_season(season.pk)
        held.league = season.league
        plan = Plan(held, contents, options)
        if not plan.report.imported:
            transaction.set_rollback(True)
            return plan.report
        plan.roster.store()
        with commit_to(
            held, kind=Revision.Kind.IMPORT, author=author, source=SOURCE, late=True
        ) as commit:
            for name, drafts in plan.drafts.items():
                ensure_boards(season=held, mode=modes[name])
                store_matches(commit, modes[name], drafts, SOURCE, author)
            for part in batches(plan.revived, 10_000):
                flip_matches(commit, Match.objects.filter(pk__in=part), Match.Status.LIVE)
            commit.revision.summary |= _summary(plan.report)
        newcomers = [player.pk for player in (*plan.roster.fresh, *plan.roster.returning)]
        # So whoever undoes the import is rid of its players too.
        Player.objects.filter(pk__in=newcomers).update(revision=commit.revision)
        plan.report.revision = commit.number
    return plan.report


def _event_mode(league: League, name: str) -> Mode:
    return ensure_mode(league=league, name=name, rated_by=Mode.RatedBy.EVENTS)


def _summary(report: LogReport) -> dict[str, Any]:
    names = ", ".join(name for name, _format in report.contents.files)
    return {
        "file": names[:120],
        "imported": report.imported,
        "skipped": report.left_out.total(),
        "already_there": report.already_there,
        "players_created": report.players_created,
        "errors": [],
    }


def lines_of(report: LogReport) -> Iterator[str]:
    """Yield what was left out and why, in words."""
    for reason, count in report.left_out.items():
        words = ngettext("%(n)d game left out: %(why)s", "%(n)d games left out: %(why)s", count)
        yield words % {"n": count, "why": str(reason.words).rstrip(".")}
    for reason, count in report.contents.events_left_out.items():
        words = ngettext("%(n)d event left out: %(why)s", "%(n)d events left out: %(why)s", count)
        yield words % {"n": count, "why": reason.words}
    for sentence, count in report.contents.problems.items():
        words = ngettext(
            "%(n)d line not understood: %(why)s", "%(n)d lines not understood: %(why)s", count
        )
        yield words % {"n": count, "why": sentence.rstrip(".")}
    for mode in report.modes_by_results:
        words = _("“%(mode)s” rates results: its events are stored but do not count")
        yield words % {"mode": mode}
