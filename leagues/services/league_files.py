"""A whole league as a file: what is in it, opened and checked before anything is written.

A zip with `league.json` (the settings, modes, seasons and boards), `players.json`, and the results
of each season and mode. `selectors/league_file.py` writes it.
"""

from __future__ import annotations

import json
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import IO, Any, Final, NamedTuple

from django.db import models
from django.utils.dateparse import parse_datetime

from leagues.models import League, Mode, Season
from leagues.models.checks import FIRST_INSTANT, LAST_INSTANT
from leagues.models.league import MAX_START_HOURS
from leagues.services.leagues import EDITABLE
from leagues.services.sealing import RULES
from ratings.parameters import figures

FORMAT: Final = 1
_USUAL_MODE: Final = Mode()
START_RULES: Final = {
    name: getattr(_USUAL_MODE, name) for name in ("start_hours", "released_by", "start_rungs")
}
"""What a mode says of started matches, with what is usual, which the file leaves out."""
LEAGUE, PLAYERS = "league.json", "players.json"
MOST_FILES: Final = 2000
MOST_BYTES: Final = 1024**3
MOST_TIMES_PACKED: Final = 500
"""No league is that many times as long as what it is packed into."""
PACKINGS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_DAMAGES: Final = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError),
    # A damaged table of contents leads before the file, or to what zipfile does not read.
    *(ValueError, OverflowError, RuntimeError),
)
NOT_INCLUDED: Final = (
    "accounts, members, invitations and API tokens",
    "the log, and who entered or changed what",
    "earlier versions of corrected results, and void results",
    "the keys of players who were merged into others, and which program sent a result",
    "rules that others replaced, and the dates on which seasons were sealed",
)
"""What a league that is imported does not have."""


class LeagueFileProblem(Exception):
    """The file is not a league, or cannot be read here; nothing was written."""


class StoredRules(NamedTuple):
    """The parameters of a board from a moment on; None: from the first match on."""

    since: datetime | None
    parameters: dict[str, Any]
    reason: str


@dataclass(frozen=True, slots=True)
class StoredBoard:
    """A board; `begins_with` are the parameters by which its starting ratings are read."""

    slug: str
    name: str
    mode: str
    system: str
    begins_with: dict[str, Any]
    rules: tuple[StoredRules, ...]
    random_start: tuple[str, ...]
    """The keys of the players whose starting ratings were drawn."""
    session: str
    """The game session whose order the rungs began in."""
    session_rungs: tuple[str, ...]
    """The keys of its players, from the top."""
    unlisted_players: tuple[str, ...]
    """The keys of those among them whose import was undone since."""
    decayed_until: datetime | None
    digest: str
    """Empty where it was not up to date when the file was written."""
    math: str


@dataclass(frozen=True, slots=True)
class StoredSeason:
    """A season; `results` counts those of each mode that has some."""

    slug: str
    name: str
    state: str
    starts_at: datetime | None
    ends_at: datetime | None
    stopped_at: datetime | None
    follows: str
    carryover: str
    share: float
    deviation: float | None
    sealed_rules: dict[str, Any]
    boards: tuple[StoredBoard, ...]
    results: dict[str, int]


@dataclass(frozen=True, slots=True)
class StoredMode:
    """Something that is played."""

    slug: str
    name: str
    rated_by: str
    played_by: str
    score_rule: str
    kinds: tuple[tuple[str, float], ...]
    start_rules: Mapping[str, Any]
    """What it says of started matches, by the names of `START_RULES`."""


@dataclass(frozen=True, slots=True)
class LeagueFile:
    """A league as its file has it; `players` is empty where it has none."""

    settings: dict[str, Any]
    modes: tuple[StoredMode, ...]
    seasons: tuple[StoredSeason, ...]
    players: bytes
    results: dict[tuple[str, str], bytes]
    """By season and mode."""


def results_path(season: str, mode: str) -> str:
    """Where the results of a season and mode are in the file."""
    return str(PurePosixPath("results", season, f"{mode}.json"))


def read_league_file(source: IO[bytes]) -> LeagueFile:
    """Open and check a league; raises LeagueFileProblem, in words."""
    try:
        with zipfile.ZipFile(source) as archive:
            contents = dict(_contents(archive, source.seek(0, 2)))
    except _DAMAGES as error:
        raise LeagueFileProblem(f"The file is damaged or is not a league: {error}") from error
    if LEAGUE not in contents:
        raise LeagueFileProblem(f"The file is not a league: it has no {LEAGUE}.")
    whole = _Fields(_parsed(LEAGUE, contents.pop(LEAGUE)), LEAGUE)
    number = whole.number("rungs_league", int)
    if number > FORMAT:
        raise LeagueFileProblem(
            f"The league has format {number}, but this release can only read formats up to "
            f"{FORMAT}. Import it with the release that wrote it, or a newer one."
        )
    if number < 1:
        raise LeagueFileProblem(f"{LEAGUE}: there is no format {number}.")
    settings = _settings(whole.fields("league"))
    modes = tuple(map(_mode, whole.rows("modes")))
    seasons = tuple(map(_season, whole.rows("seasons")))
    _check_references(modes, seasons)
    players = contents.pop(PLAYERS, None)
    if players is None:
        raise LeagueFileProblem(f"The file is incomplete: {PLAYERS} is missing.")
    results = {
        (season.slug, mode): _taken(contents, results_path(season.slug, mode))
        for season in seasons
        for mode in season.results
    }
    if contents:
        raise LeagueFileProblem(f"“{min(contents)[:80]}” does not belong to a league.")
    has_players = bool(_Fields(_parsed(PLAYERS, players), PLAYERS).rows("players"))
    return LeagueFile(settings, modes, seasons, players if has_players else b"", results)


def _contents(archive: zipfile.ZipFile, size: int) -> Iterator[tuple[str, bytes]]:
    """The files of an archive, after what they say of their lengths has been looked at."""
    infos = archive.infolist()
    length = sum(info.file_size for info in infos)
    if len(infos) > MOST_FILES or length > min(MOST_BYTES, size * MOST_TIMES_PACKED):
        raise LeagueFileProblem("The file is too long to be a league.")
    if len({info.filename for info in infos}) < len(infos):
        raise LeagueFileProblem("The file is damaged: two parts have the same name.")
    for info in infos:
        if info.flag_bits & 1 or info.compress_type not in PACKINGS:
            raise LeagueFileProblem("The file is encrypted or packed in a way that is not read.")
        # No more than it says is unpacked, and a part that says less than it holds is damaged.
        yield info.filename, archive.read(info)


def _taken(contents: dict[str, bytes], path: str) -> bytes:
    if path not in contents:
        raise LeagueFileProblem(f"The file is incomplete: {path} is missing.")
    return contents.pop(path)


def _parsed(path: str, content: bytes) -> Any:
    try:
        return json.loads(content, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise LeagueFileProblem(f"{path} is damaged: {str(error)[:200]}") from error


def _refuse_constant(word: str) -> float:
    raise ValueError(f"{word} is no number")


class _Fields:
    """The fields of an object in the file, each of its type; `path` says where it is."""

    def __init__(self, row: Any, path: str) -> None:
        self.path = path
        if not isinstance(row, dict):
            raise LeagueFileProblem(f"{path} must be an object.")
        self._row: Mapping[str, Any] = row

    def problem(self, name: str, reason: str) -> LeagueFileProblem:
        return LeagueFileProblem(f"{self.path}, {name}: {reason}.")

    def value(self, name: str, kind: type, words: str) -> Any:
        value = self._row.get(name)
        # True and False are whole numbers to Python.
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise self.problem(name, f"must be {words}")
        return value

    def text(self, name: str, *, most: int = 4096, least: int = 0) -> str:
        text: str = self.value(name, str, "text")
        if not least <= len(text) <= most or "\0" in text or not _is_unicode(text):
            raise self.problem(name, f"must be text of {least} to {most} characters")
        return text

    def one_of(self, name: str, choices: Any) -> str:
        text = self.text(name)
        if text not in choices:
            raise self.problem(name, f"must be one of {', '.join(choices)}")
        return text

    def number(self, name: str, kind: type = float, *, least: float = 0, most: float = 1e9) -> Any:
        value: Any = self._row.get(name)
        is_number = isinstance(value, int | kind) and not isinstance(value, bool)
        if not is_number or not least <= value <= most:
            raise self.problem(name, f"must be a number from {figures(least)} to {figures(most)}")
        return kind(value)

    def moment(self, name: str) -> datetime | None:
        if self._row.get(name) is None:
            return None
        try:
            at = parse_datetime(self.text(name))
        except ValueError:
            at = None
        if at is None or at.tzinfo is None:
            raise self.problem(name, "must be a moment with an offset, such as 2026-11-26T18:00Z")
        if not FIRST_INSTANT <= at < LAST_INSTANT:
            raise self.problem(name, "must be in the years 1800 to 2199")
        return at.astimezone(UTC)

    def fields(self, name: str) -> _Fields:
        return _Fields(self._row.get(name), f"{self.path}, {name}")

    def object(self, name: str) -> dict[str, Any]:
        row: dict[str, Any] = self.value(name, dict, "an object")
        return row

    def rows(self, name: str) -> list[_Fields]:
        rows = self.value(name, list, "a list")
        return [_Fields(row, f"{self.path}, {name} {number}") for number, row in enumerate(rows, 1)]

    def texts(self, name: str) -> tuple[str, ...]:
        listed = self.value(name, list, "a list")
        texts = _Fields({str(number): one for number, one in enumerate(listed, 1)}, self.path)
        return tuple(texts.text(str(number), least=1) for number in range(1, len(listed) + 1))

    def is_null(self, name: str) -> bool:
        return self._row.get(name) is None


def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _settings(said: _Fields) -> dict[str, Any]:
    readers: dict[type, Callable[[str], Any]] = {
        models.BooleanField: lambda name: said.value(name, bool, "true or false"),
        models.PositiveSmallIntegerField: lambda name: said.number(name, int),
        models.PositiveIntegerField: lambda name: said.number(name, int),
    }
    return {
        name: readers.get(type(League._meta.get_field(name)), said.text)(name) for name in EDITABLE
    }


def _mode(said: _Fields) -> StoredMode:
    kinds = [(row.text("name"), row.number("weight")) for row in said.rows("kinds")]
    return StoredMode(
        said.text("slug", least=1),
        said.text("name"),
        said.one_of("rated_by", Mode.RatedBy.values),
        # Files from before there was a choice have none.
        Mode.PlayedBy.ANYONE
        if said.is_null("played_by")
        else said.one_of("played_by", Mode.PlayedBy.values),
        said.text("score_rule"),
        tuple(kinds),
        _start_rules(said),
    )


def _start_rules(said: _Fields) -> dict[str, Any]:
    """What a mode says of started matches; what it does not say is as usual."""
    rules: dict[str, Any] = dict(START_RULES)
    if not said.is_null("start_hours"):
        rules["start_hours"] = said.number("start_hours", int, least=1, most=MAX_START_HOURS)
    if not said.is_null("released_by"):
        rules["released_by"] = said.one_of("released_by", Mode.ReleasedBy.values)
    if not said.is_null("start_rungs"):
        rules["start_rungs"] = said.number("start_rungs", int, most=1000)
    return rules


def _season(said: _Fields) -> StoredSeason:
    carried = said.fields("carryover")
    sealed: dict[str, Any] = {}
    if not said.is_null("sealed_rules"):
        rules = said.fields("sealed_rules")
        sealed = {
            "walkovers": rules.one_of("walkovers", League.Walkovers.values),
            "ranked_after": rules.number("ranked_after", int, most=1000),
            "active_days": rules.number("active_days", int, least=1, most=3660),
        }
    counts = said.fields("results")
    return StoredSeason(
        slug=said.text("slug", least=1),
        name=said.text("name"),
        state=said.one_of("state", Season.State.values),
        starts_at=said.moment("starts_at"),
        ends_at=said.moment("ends_at"),
        stopped_at=said.moment("stopped_at"),
        follows="" if said.is_null("follows") else said.text("follows"),
        carryover=carried.one_of("kind", Season.Carryover.values),
        share=carried.number("share", most=1),
        deviation=None if carried.is_null("deviation") else carried.number("deviation", most=1),
        sealed_rules={f"sealed_{rule}": sealed[rule] for rule in RULES} if sealed else {},
        boards=tuple(map(_board, said.rows("boards"))),
        results={mode: counts.number(mode, int, least=1) for mode in said.object("results")},
    )


def _board(said: _Fields) -> StoredBoard:
    rules = tuple(
        StoredRules(row.moment("since"), row.object("parameters"), row.text("reason"))
        for row in said.rows("rules")
    )
    if not rules:
        raise said.problem("rules", "must not be empty")
    begins_with = said.object("begins_with")
    session = None if said.is_null("session_rungs") else said.fields("session_rungs")
    return StoredBoard(
        slug=said.text("slug", least=1),
        name=said.text("name"),
        mode=said.text("mode"),
        system=said.text("system"),
        begins_with=begins_with or rules[0].parameters,
        rules=rules,
        random_start=() if said.is_null("random_start") else said.texts("random_start"),
        unlisted_players=said.texts("unlisted_players")
        if not said.is_null("unlisted_players")
        else (),
        session=session.text("session") if session else "",
        session_rungs=session.texts("players") if session else (),
        decayed_until=said.moment("decayed_until"),
        digest=said.text("digest", most=64),
        math=said.text("math", most=64),
    )


def _check_references(modes: tuple[StoredMode, ...], seasons: tuple[StoredSeason, ...]) -> None:
    """Refuse names that mean nothing here, or two things."""
    known = {mode.slug for mode in modes}
    if len(known) < len(modes) or len({mode.name.casefold() for mode in modes}) < len(modes):
        raise LeagueFileProblem(f"{LEAGUE}: two modes have the same name or address.")
    before: set[str] = set()
    for season in seasons:
        where = f"{LEAGUE}, season “{season.slug[:40]}”"
        if season.slug in before:
            raise LeagueFileProblem(f"{where}: two seasons have this address.")
        if season.follows and season.follows not in before:
            raise LeagueFileProblem(f"{where}: the season that it follows is not before it.")
        if season.carryover != Season.Carryover.FRESH and not (season.follows and season.starts_at):
            raise LeagueFileProblem(
                f"{where}: it carries ratings over, and needs a first day and a season before it."
            )
        if season.carryover != Season.Carryover.FRESH and any(
            board.random_start or board.session_rungs for board in season.boards
        ):
            raise LeagueFileProblem(
                f"{where}: it carries ratings over, and others were drawn or chosen."
            )
        for mode in (*season.results, *(board.mode for board in season.boards)):
            if mode not in known:
                raise LeagueFileProblem(f"{where}: there is no mode “{mode[:40]}”.")
        if season.state == Season.State.DRAFT and season.results:
            raise LeagueFileProblem(f"{where}: a draft has no results.")
        before.add(season.slug)
    if not any(season.state != Season.State.DRAFT for season in seasons):
        raise LeagueFileProblem(f"{LEAGUE}: no season has been opened yet.")
