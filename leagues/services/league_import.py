"""A new league from a file of one: built by the services that people use, in the order of its life.

Everything is checked before anything is written. Then the seasons are filled oldest first, each
in the state `closing`, in which no clock moves it; where the file says so they are sealed and
carried over, and at the end each gets the state that it has in the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from leagues import bridge
from leagues.bridge.openings import has_random_start, has_rungs
from leagues.domain.named_weights import NamedWeight
from leagues.domain.score_rules import UnreadableRule, read_rule
from leagues.models import Board, Job, League, Mode, Season
from leagues.services.carryover import carry_over
from leagues.services.errors import Refused
from leagues.services.import_reading import ImportOptions, check_file
from leagues.services.imports import start_import
from leagues.services.inactivity_sweep import decay_as_recorded
from leagues.services.integrity import board_digest
from leagues.services.league_files import (
    PLAYERS,
    LeagueFile,
    LeagueFileProblem,
    StoredBoard,
    StoredMode,
    StoredSeason,
    results_path,
)
from leagues.services.leagues import (
    add_board,
    create_empty_league,
    create_season,
    ensure_mode,
    update_league,
)
from leagues.services.modes import change_named_weights, change_start_rules
from leagues.services.openings import start_in_order, start_randomly
from leagues.services.rosters import add_unlisted_players
from leagues.services.rules import change_rules
from leagues.services.sealing import sealing_of
from leagues.services.season_settings import update_season
from leagues.services.seasons import Step, take_step
from leagues.store.snapshot import snapshot
from ratings.files.columns import ONLY_PLAYERS
from ratings.files.problems import FileProblem

REASON: Final = "As in the imported league."
State = Season.State
_NO_KEY: Final = 0
"""No database gives it to a row."""
_MOST_NAMED: Final = 5
_FROM_CLOSING: Final = {State.OPEN: (Step.RESUME,)}
_FROM_SEALED: Final = {
    State.ARCHIVED: (Step.ARCHIVE,),
    State.CLOSING: (Step.REOPEN,),
    State.OPEN: (Step.REOPEN, Step.RESUME),
}
"""The steps to the state that a season has in the file."""


class ImportStopped(Exception):
    """What was checked could not be written to the end; the league is there, and incomplete."""


class BoardOutcome(NamedTuple):
    """Whether a board has the ratings that the file says; without a digest it does not say."""

    season: str
    board: str
    expected: str
    digest: str
    other_math: bool

    @property
    def differs(self) -> bool:
        return self.expected not in ("", self.digest)


@dataclass(slots=True)
class _Built:
    """A league with its modes and seasons, by their addresses."""

    league: League
    modes: dict[str, Mode]
    seasons: dict[str, Season]


class LeagueImport:
    """One league on its way in; `settle` runs the queue, or waits, until the league is rated."""

    def __init__(self, file: LeagueFile, *, slug: str, settle: Callable[[League], None]) -> None:
        self.file, self._settle = file, settle
        self.settings = file.settings | ({"slug": slug} if slug else {})
        self.notes: list[str] = []
        self.outcomes: list[BoardOutcome] = []

    def check(self) -> None:
        """Raise LeagueFileProblem where the file cannot be imported; nothing is written."""
        with transaction.atomic(), _refusing():
            built = self._build()
            for said in self.file.seasons:
                self._change_rules(built.seasons[said.slug], said)
                self._set_days(built.seasons[said.slug], said)
            transaction.set_rollback(True)
        # Without keys that others could get meanwhile.
        built.league.pk = _NO_KEY
        for season in built.seasons.values():
            season.pk, season.league = _NO_KEY, built.league
        for mode in built.modes.values():
            mode.pk, mode.league = _NO_KEY, built.league
        for path, content, season, mode in self._tables(built):
            self._check_table(path, content, season, mode)

    def write(self) -> League:
        """Write what was checked; raises ImportStopped where that ends half-way.

        Until it is whole, only those who may see everything see the league.
        """
        with transaction.atomic(), _refusing():
            built = self._build()
        try:
            self._settle(built.league)
            for path, content, season, mode in self._tables(built, only_players=True):
                self._import(path, content, season, mode)
            for said in self.file.seasons:
                self._fill(built, said)
            for said in self.file.seasons:
                self._end(built, said)
            self._settle(built.league)
            changes = {"visibility": self.settings["visibility"]}
            return update_league(league=built.league, changes=changes, actor=None)
        except ImportStopped:
            raise
        except Exception as error:
            # Part of it is stored: what fails from here on is no reason to leave the user a trace.
            raise ImportStopped(_words(error)) from error

    def _build(self) -> _Built:
        """The league without players and results: its seasons first, whose boards are the file's.

        A season that takes something over has its first day from the beginning. The others get
        their days after the results, of which some may lie outside.
        """
        private = {"visibility": League.Visibility.PRIVATE}
        league = create_empty_league(**self.settings | private)
        seasons: dict[str, Season] = {}
        for said in self.file.seasons:
            seasons[said.slug] = create_season(
                league=league,
                name=said.name,
                slug=said.slug,
                starts_at=said.starts_at if said.carryover != Season.Carryover.FRESH else None,
                state=State.DRAFT,
                follows=seasons.get(said.follows),
            )
        modes = {said.slug: _add_mode(league, said) for said in self.file.modes}
        for said in self.file.seasons:
            season = seasons[said.slug]
            for board in said.boards:
                self._add_board(season, modes[board.mode], board)
            if said.state != State.DRAFT:
                take_step(season, Step.OPEN, actor=None, now=timezone.now())
                seasons[said.slug] = _close(season, said)
        return _Built(league, modes, seasons)

    def _add_board(self, season: Season, mode: Mode, said: StoredBoard) -> None:
        for rules in said.rules:
            bridge.checked_parameters(said.system, rules.parameters)
        board = add_board(
            season=season,
            mode=mode,
            system=said.system,
            name=said.name,
            slug=said.slug,
            parameters=said.begins_with,
        )
        if said.random_start and not has_random_start(board):
            raise LeagueFileProblem(
                f"Board “{said.slug[:40]}”: ratings of {said.system} are not drawn at random."
            )
        if said.session_rungs and not has_rungs(board):
            raise LeagueFileProblem(f"Board “{said.slug[:40]}”: {said.system} has no rungs.")

    def _tables(
        self, built: _Built, *, only_players: bool = False
    ) -> Iterator[tuple[str, bytes, Season, Mode]]:
        """The players and the results, each with where they go."""
        if self.file.players and built.modes:
            first = next(one for one in self.file.seasons if one.state != State.DRAFT)
            mode = next(iter(built.modes.values()))
            yield PLAYERS, self.file.players, built.seasons[first.slug], mode
        for (season, name), content in self.file.results.items():
            if not only_players:
                yield (
                    results_path(season, name),
                    content,
                    built.seasons[season],
                    built.modes[name],
                )

    def _check_table(self, path: str, content: bytes, season: Season, mode: Mode) -> None:
        try:
            report = check_file(
                season=season, mode=mode, name=path, content=content, options=_OPTIONS
            )
        except FileProblem as problem:
            raise LeagueFileProblem(f"{path}: {problem}") from problem
        if report.errors:
            reasons = [
                f"line {error.line}{f', {error.column}' if error.column else ''}: {error.reason}"
                for error in report.errors[:_MOST_NAMED]
            ]
            count = len(report.errors)
            raise LeagueFileProblem(f"{path}: bad rows ({count}). {' '.join(reasons)}")
        counted = self.file.results.get((season.slug, mode.slug)) is content
        if counted and report.imported != self._count(season, mode):
            raise LeagueFileProblem(
                f"{path}: {report.imported} results, not {self._count(season, mode)}."
            )

    def _count(self, season: Season, mode: Mode) -> int:
        said = next(one for one in self.file.seasons if one.slug == season.slug)
        return said.results[mode.slug]

    def _import(self, path: str, content: bytes, season: Season, mode: Mode) -> None:
        number = start_import(
            season=season, mode=mode, name=path, content=content, options=_OPTIONS
        )
        self._settle(season.league)
        job = Job.objects.get(pk=number)
        report = job.result or {}
        if job.state != Job.State.DONE or report.get("refused"):
            reasons = [*report.get("problems", ())]
            reasons += [error["reason"] for error in report.get("errors", ())[:_MOST_NAMED]]
            raise ImportStopped(f"{path}: {' '.join(reasons) or job.error}")
        notes = (note for note in report.get("notes", ()) if note != ONLY_PLAYERS)
        self.notes += [f"{path}: {note}" for note in notes]

    def _fill(self, built: _Built, said: StoredSeason) -> None:
        """Give a season all that it has, and compare its ratings."""
        season = Season.objects.select_related("league").get(pk=built.seasons[said.slug].pk)
        if said.carryover != Season.Carryover.FRESH:
            carry_over(
                season,
                carryover=said.carryover,
                share=said.share,
                deviation=said.deviation,
                takes_anchors=False,
                actor=None,
            )
        for board in said.boards:
            self._open(season, board)
        self._change_rules(season, said)
        if said.sealed_rules:
            Season.objects.filter(pk=season.pk).update(**said.sealed_rules)
        for name in said.results:
            content = self.file.results[said.slug, name]
            self._import(results_path(said.slug, name), content, season, built.modes[name])
        self._set_days(season, said)
        boards = {board.slug: board for board in season.boards.all()}
        for board in said.boards:
            decay_as_recorded(boards[board.slug], board.decayed_until)
        self._settle(built.league)
        self._compare(season, said)
        if self._is_to_be_sealed(said):
            self._seal(season)

    def _open(self, season: Season, said: StoredBoard) -> None:
        """Let the players of a board begin as they did, by the rules that it begins with."""
        board = season.boards.get(slug=said.slug)
        add_unlisted_players(season.league, said.unlisted_players)
        if said.random_start:
            seed = board.parameters["seed"]
            start_randomly(board=board, seed=seed, keys=said.random_start, actor=None)
        elif said.session_rungs:
            start_in_order(board=board, keys=said.session_rungs, session=said.session, actor=None)

    def _change_rules(self, season: Season, said: StoredSeason) -> None:
        """Let the rules follow each other as they did; only an open season takes others."""
        boards = {board.slug: board for board in season.boards.all()}
        changes = [
            (boards[board.slug], rules)
            for board in said.boards
            for rules in board.rules
            if rules.since is not None or not _are_alike(boards[board.slug], rules.parameters)
        ]
        if not changes:
            return
        with transaction.atomic():
            if said.state != State.DRAFT:
                take_step(season, Step.RESUME, actor=None, now=timezone.now())
            for board, rules in changes:
                change_rules(
                    board,
                    parameters=rules.parameters,
                    effective_at=rules.since,
                    actor=None,
                    reason=rules.reason,
                )
            if said.state != State.DRAFT:
                _close(season, said)

    def _set_days(self, season: Season, said: StoredSeason) -> None:
        days = {"starts_at": said.starts_at, "ends_at": said.ends_at}
        update_season(season, name=said.name, **days, actor=None, now=timezone.now())

    def _compare(self, season: Season, said: StoredSeason) -> None:
        with snapshot():
            boards = season.boards.select_related("league", "season", "mode")
            by_slug = {board.slug: board for board in boards}
            for stored in said.boards:
                board = by_slug[stored.slug]
                outcome = BoardOutcome(
                    said.slug,
                    stored.slug,
                    stored.digest,
                    board_digest(board),
                    stored.math not in ("", board.math_fingerprint),
                )
                self.outcomes.append(outcome)

    def _is_to_be_sealed(self, said: StoredSeason) -> bool:
        """Whether it is sealed, or was when another season took over its ratings."""
        return said.state in (State.CLOSED, State.ARCHIVED) or any(
            one.follows == said.slug and one.carryover != Season.Carryover.FRESH
            for one in self.file.seasons
        )

    def _seal(self, season: Season) -> None:
        take_step(season, Step.SEAL, actor=None, now=timezone.now())
        self._settle(season.league)
        season.refresh_from_db()
        if not season.is_sealed:
            sealing = sealing_of(season)
            raise ImportStopped(
                f"The season “{season.name}” could not be sealed. {sealing and sealing.problem}"
            )

    def _end(self, built: _Built, said: StoredSeason) -> None:
        """Give a season the state that it has in the file."""
        ways = _FROM_SEALED if self._is_to_be_sealed(said) else _FROM_CLOSING
        for step in ways.get(State(said.state), ()) if said.state != State.DRAFT else ():
            season = built.seasons[said.slug]
            take_step(season, step, actor=None, now=timezone.now(), reason=REASON)


_OPTIONS: Final = ImportOptions(is_upload=False)


def _add_mode(league: League, said: StoredMode) -> Mode:
    mode = ensure_mode(
        league=league,
        name=said.name,
        slug=said.slug,
        rated_by=said.rated_by,
        played_by=said.played_by,
        score_rule=read_rule(said.score_rule),
    )
    weights = [NamedWeight(*kind) for kind in said.kinds]
    mode = change_named_weights(mode=mode, weights=weights, actor=None)
    return change_start_rules(mode=mode, actor=None, **said.start_rules)


def _close(season: Season, said: StoredSeason) -> Season:
    return take_step(season, Step.CLOSE, actor=None, now=said.stopped_at or timezone.now())


def _are_alike(board: Board, parameters: dict[str, Any]) -> bool:
    stored = bridge.full_parameters(board.system, board.parameters)
    return bool(bridge.checked_parameters(board.system, parameters) == stored)


@contextmanager
def _refusing() -> Iterator[None]:
    """The refusals of services as problems of the file."""
    try:
        yield
    except (ValidationError, Refused, UnreadableRule) as error:
        raise LeagueFileProblem(_words(error)) from error


def _words(error: Exception) -> str:
    """Why something was refused, with the field where one is named."""
    if isinstance(error, UnreadableRule):
        return f"“{str(error)[:80]}” is not a score rule."
    if isinstance(error, Refused):
        return str(error)
    if not isinstance(error, ValidationError):
        return f"{error!r}."
    if not hasattr(error, "error_dict"):
        return " ".join(error.messages)
    return "; ".join(
        f"{field}: {' '.join(messages)}" for field, messages in error.message_dict.items()
    )
