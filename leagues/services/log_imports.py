"""Importing the logs of game servers: the games of several logs as one revision, all or nothing.

What is read of a log does not depend on the league, so the season is held only while the games are
compared with what is there and stored.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any, Final

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
from leagues.services.import_ids import Known, StoredIds
from leagues.services.leagues import ensure_boards, ensure_mode
from leagues.services.log_games import (
    LeftOut,
    LoggedGame,
    LoggedPlayer,
    counts_by_code,
)
from leagues.services.log_reading import LogContents
from leagues.services.matches import flip_matches, store_matches
from leagues.services.revisions import commit_to, lock_season, lock_seasons
from leagues.services.rosters import Roster
from leagues.services.same_games import count_same_results
from leagues.services.texts import clean_label, clean_text
from leagues.services.validation import date_problem, problems_of, season_problem

SOURCE: Final = "import-log"
NO_MODE: Final = "Games"
MODES: Final = {
    "ffa": "Free for all",
    "duel": "Duel",
    "tdm": "Team deathmatch",
    "ctf": "Capture the flag",
}
"""What the common words for what is played are called in a league; other words stay."""
TWICE: Final = "twice"
BY_SETTINGS: Final = frozenset(("draw", "score_negative"))
"""Why a game is left out that another setting of the league would let in."""
MAX_NEW_MODES: Final = 20
"""New modes that logs bring at once: each gets boards, and their seasons are held meanwhile."""


@dataclass(frozen=True, slots=True)
class GameOptions:
    """How games go into a league: `mode` is for all, `day` for those whose log has no date."""

    mode: str = ""
    day: date | None = None
    is_unrated: bool = False
    """Whether the games are kept as sessions alone, and no board rates them."""


@dataclass(slots=True)
class LogReport:
    """What importing logs did, or would do."""

    contents: LogContents
    imported: int = 0
    already_there: int = 0
    players_created: int = 0
    new_names: list[str] = field(default_factory=list)
    events_imported: int = 0
    same_results: int = 0
    """Games that say the same as another result, such as the same game in another log."""
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
            "same_results": self.same_results,
            "modes": self.modes,
            "left_out": counts_by_code(self.left_out),
            "events_left_out": counts_by_code(found.events_left_out),
            "problems": dict(found.problems),
            "revision": self.revision,
        }


class Plan:
    """The games of logs as drafts of a season, beside what is there.

    Raises Refused where the season takes no results, ValidationError for no name of a mode.
    """

    def __init__(
        self,
        season: Season,
        contents: LogContents,
        options: GameOptions,
        *,
        max_new_modes: int = MAX_NEW_MODES,
    ) -> None:
        self.season, self.league, self.options = season, season.league, options
        self.now = timezone.now()
        refuse([problem for problem in [season_problem(season, late=True)] if problem])
        self.one_mode = clean_label(options.mode) if options.mode else ""
        self.max_new_modes = max_new_modes
        self.modes = {mode.name.casefold(): mode for mode in self.league.modes.all()}
        self.new_modes: dict[str, str] = {}
        """The names of modes that the league does not have, by their folded names."""
        self.report = LogReport(contents, left_out=Counter(contents.left_out))
        self.drafts: dict[str, list[MatchDraft]] = {}
        """By the name of the mode."""
        self.revived: list[int] = []
        """Matches that an undone import brought, and that count again."""
        self.roster = _roster_of(self.league, contents.games)
        known = StoredIds(season, SOURCE).read(game.id for game in contents.games)
        seen: set[str] = set()
        for game in contents.games:
            self._take(game, known.get(game.id), is_repeat=game.id in seen)
            seen.add(game.id)
        self.report.players_created = len(self.roster.fresh)
        self.report.new_names = [player.name for player in self.roster.fresh]
        self.report.modes = {mode: len(drafts) for mode, drafts in self.drafts.items()}
        self.report.same_results = sum(
            count_same_results(drafts, season=season, mode=self.modes.get(mode.casefold()))
            for mode, drafts in self.drafts.items()
        )
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
        name = self.one_mode or MODES.get(game.mode) or _words_of(game.mode)
        existing = self.modes.get(name.casefold())
        if existing:
            return existing.name
        spelling = self.new_modes.setdefault(name.casefold(), name)
        if len(self.new_modes) > self.max_new_modes:
            del self.new_modes[name.casefold()]
            words = _("more than %(most)d new modes; name one for all games")
            raise Refused([Problem("mode", "new_modes", words % {"most": MAX_NEW_MODES})])
        return spelling

    def _draft(self, game: LoggedGame) -> MatchDraft:
        players = {
            one: self._player(one) for side in game.sides for one, _own_score in side.players
        }
        return MatchDraft(
            played_at=self._moment(game.started_at),
            kind=Match.Kind.UNRATED if self.options.is_unrated else Match.Kind.PLAYED,
            date_only=game.started_at is None,
            same_time_order=game.number,
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
        try:
            return started_at.astimezone(UTC)
        except OverflowError:
            raise Refused([date_problem()]) from None

    def _player(self, one: LoggedPlayer) -> Player:
        """Whom the log means: by the key where the game has ids, else by the name."""
        meant = self.roster.meant_by(name=one.name, key=one.key)
        if len(meant) > 1:
            words = _("several players are called “%(name)s”; merge them if they are one person")
            raise Refused([Problem("player", "name_shared", words % {"name": one.name})])
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


def check_logs(*, season: Season, contents: LogContents, options: GameOptions) -> LogReport:
    """What importing logs would do; nothing is written.

    Raises Refused, or ValidationError for the name of a mode, where `import_logs` would.
    """
    return Plan(season, contents, options).report


def import_logs(
    *, season: Season, contents: LogContents, options: GameOptions, author: User | None = None
) -> LogReport:
    """Store the games of logs that are not there yet as one revision, and let them be rated.

    Modes that the league does not have are added, and rate events.
    """
    plan = Plan(season, contents, options)
    if not plan.report.imported:
        return plan.report
    with transaction.atomic():
        lock_seasons(season.league_id)
        modes = {mode.name: mode for mode in _event_modes(season.league, plan.drafts)}
        held = lock_season(season.pk)
        held.league = season.league
        plan = Plan(held, contents, options, max_new_modes=0)
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


def _event_modes(league: League, names: Iterable[str]) -> Iterator[Mode]:
    for name in names:
        yield ensure_mode(league=league, name=name, rated_by=Mode.RatedBy.EVENTS)


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
        yield words % {"n": count, "why": reason.sentence}
    if BY_SETTINGS & {reason.code for reason in report.left_out}:
        yield _(
            "Whether scores can be negative and matches drawn is a setting of the league: games "
            "that it lets in can be imported afterwards, by the same log"
        )
    for reason, count in report.contents.events_left_out.items():
        words = ngettext("%(n)d event left out: %(why)s", "%(n)d events left out: %(why)s", count)
        yield words % {"n": count, "why": reason.sentence}
    for sentence, count in report.contents.problems.items():
        words = ngettext(
            "%(n)d line not understood: %(why)s", "%(n)d lines not understood: %(why)s", count
        )
        yield words % {"n": count, "why": sentence.rstrip(".")}
    if report.same_results:
        words = ngettext(
            "%(n)d game has the players, scores and time of another result. It will count twice",
            "%(n)d games have the players, scores and time of other results. They will count twice",
            report.same_results,
        )
        yield words % {"n": report.same_results}
    for mode in report.modes_by_results:
        words = _("“%(mode)s” rates results: its events are stored but do not count")
        yield words % {"mode": mode}
