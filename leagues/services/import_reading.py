"""Reading a results file from the league it goes into: what each row is, and what it would do.

Nothing here writes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date, datetime
from typing import Any, Literal

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues.domain.civil_days import day_of
from leagues.domain.score_rules import ANY_SCORE
from leagues.models import Match, Mode, Player, Revision, Season
from leagues.services.challenges import challenge_problems, has_challenges
from leagues.services.drafts import MatchDraft, MemberDraft, SideDraft, players_of
from leagues.services.entry_events import events_of_result
from leagues.services.entry_warnings import StoredResults, WarningKind, score_reasons
from leagues.services.errors import Problem, Refused
from leagues.services.import_notes import (
    again_note,
    contradiction_note,
    ladder_note,
    modes_note,
    score_note,
)
from leagues.services.rosters import Roster
from leagues.services.spellings import Spelling
from leagues.services.validation import problems_of
from ratings.files.columns import UNDATED, Layout, recognise
from ratings.files.dates import NO_DATE
from ratings.files.meanings import Meaning
from ratings.files.problems import BadRow
from ratings.files.results import Person, Result, content_key, read_results
from ratings.files.tables import UPLOAD_LIMITS, Limits, Table, open_table
from ratings.files.written_text import WRITTEN

MAX_ERRORS = 1000
SAMPLE_ROWS = 400
PROGRESS_ROWS = 500
MAX_READINGS = 200
MANY_ALIKE = 20
"""Bad rows with one reason in one column that are reported as one."""
MAX_VALUES = 5
CONTENT_ID = "row:"
"""How the id of a match begins that has none at its source, and is known by its content."""


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """How a file is to be read. `layout` is a `Layout` as JSON where the user corrected it.

    `new_mode` names a mode that is made when the file is written; until then the upload's own
    mode says nothing. `winners` says who is meant by a winner's name that is nobody's in its row:
    the identity of a player, by the folded name. `day` is that of results without a date, as ISO
    text; empty means that they are of the day of the import. `is_log` says that what is kept are
    the games of a server's log, which go where it says what was played unless `new_mode` names a
    mode.
    """

    dates: Literal["dmy", "mdy"] | None = None
    skip_bad: bool = False
    layout: str | None = None
    is_upload: bool = True
    new_mode: str = ""
    winners: Mapping[str, str] = field(default_factory=dict)
    day: str = ""
    is_log: bool = False

    @property
    def day_of_undated(self) -> date | None:
        return date.fromisoformat(self.day) if self.day else None


@dataclass(slots=True)
class ImportReport:
    """What a file holds, seen from the league it goes into."""

    imported: int = 0
    skipped: int = 0
    """Matches that were left out because of bad rows."""
    already_there: int = 0
    players_created: int = 0
    errors: list[BadRow] = field(default_factory=list)
    ignored_columns: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    new_names: list[str] = field(default_factory=list)
    unrated: int = 0
    first_at: datetime | None = None
    last_at: datetime | None = None
    layout: str = ""
    is_undated: bool = False
    """Whether some results have no date of their own."""
    readings: list[dict[str, Any]] = field(default_factory=list)
    """What the first lines of written results say; empty for tables."""

    @property
    def is_refused(self) -> bool:
        return bool(self.errors) and not self.skipped

    def as_dict(self) -> dict[str, Any]:
        """The report as plain data; at most a thousand errors are kept."""
        return {
            "imported": self.imported,
            "skipped": self.skipped,
            "already_there": self.already_there,
            "players_created": self.players_created,
            "errors": [asdict(error) for error in self.errors[:MAX_ERRORS]],
            "error_count": len(self.errors),
            "error_kinds": error_kinds(self.errors),
            "ignored_columns": self.ignored_columns,
            "notes": self.notes,
            "new_names": self.new_names[:MAX_ERRORS],
            "unrated": self.unrated,
            "first_at": self.first_at.isoformat() if self.first_at else None,
            "last_at": self.last_at.isoformat() if self.last_at else None,
            "is_undated": self.is_undated,
            "readings": self.readings,
        }


def error_kinds(errors: Sequence[BadRow]) -> list[dict[str, Any]]:
    """The kinds of bad rows that come so often that their column is likely misread."""
    kinds: dict[tuple[str, str], list[BadRow]] = {}
    for error in errors:
        kinds.setdefault((error.column, error.reason), []).append(error)
    return [
        {
            "column": column,
            "reason": reason,
            "count": len(rows),
            "values": list(dict.fromkeys(row.value for row in rows if row.value))[:MAX_VALUES],
            "lines": [row.line for row in rows[:MAX_VALUES]],
            "is_asked": any(row.choices for row in rows),
        }
        for (column, reason), rows in kinds.items()
        if column and len(rows) >= MANY_ALIKE
    ]


@dataclass(frozen=True, slots=True)
class Known:
    """A match of this source that is stored already."""

    match_id: int
    payload_hash: str
    was_undone: bool
    """Void since its import was undone; importing it again lets it count again."""


@dataclass(frozen=True, slots=True)
class Row:
    """A good row: the draft, and the stored match it is, if any."""

    line: int
    draft: MatchDraft
    content: str
    """The hash of what the row says, as the file says it."""
    known: Known | None
    is_repeat: bool
    """Whether an earlier row of the file has the same id and content."""
    mode: str
    """The mode that the file names, whatever it is imported into."""
    spellings: dict[str, Spelling]
    """Other names of the players."""

    @property
    def is_there(self) -> bool:
        return self.is_repeat or (self.known is not None and not self.known.was_undone)


def source_of(mode: Mode) -> str:
    """The name under which a mode's imported matches keep their ids apart."""
    return f"import.{mode.slug}"


def check_file(
    *, season: Season, mode: Mode, name: str, content: bytes, options: ImportOptions
) -> ImportReport:
    """Report what importing a file would do; write nothing. Raises FileProblem for other files."""
    return Reading(season, mode, name, content, options).check()


def open_file(
    name: str, content: bytes, options: ImportOptions, *, today: date
) -> tuple[Table, Layout]:
    """Open a file and say what its columns mean."""
    limits = UPLOAD_LIMITS if options.is_upload else Limits()
    table = open_table(content, name=name, limits=limits, today=today)
    if options.layout is not None:
        return table, Layout.from_json(options.layout)
    return table, recognise(table.header, table.sample(SAMPLE_ROWS))


def _meant_by(person: Person, roster: Roster) -> Player:
    """The player whom a row means, new or known; a name that several bear needs an id (Refused)."""
    meant = roster.meant_by(name=person.name, key=person.key)
    if len(meant) > 1:
        words = _(
            "Several players are called %(name)s. Add an id column to the file to tell them apart."
        )
        raise Refused([Problem("player", "name_shared", words % {"name": person.name})])
    if meant:
        return meant[0]
    return roster.bring(name=person.name, key=person.key, birth_year=person.birth_year)


class Reading:
    """One file on its way into one season and mode."""

    def __init__(
        self, season: Season, mode: Mode, name: str, content: bytes, options: ImportOptions
    ) -> None:
        self.season, self.mode, self.options = season, mode, options
        self.name, self.content = name, content
        self.league = season.league
        self.now = timezone.now()
        self.today = day_of(self.now, self.league.zone)
        self.roster = Roster.of_league(self.league)
        self.known = stored_matches(season, source_of(mode))
        self.spellings: dict[str, Spelling] = {}
        """Other names of players in the rows to be written."""
        self.others = StoredResults.of_others(season, mode, source_of(mode), self.now)
        # A mode that comes with the file has no rule yet.
        self.score_rule = ANY_SCORE if options.new_mode else mode.rule_of_scores
        self.weights = {} if options.new_mode else {one.name: one.weight for one in mode.weights}
        self.doubtful: dict[WarningKind, list[int]] = defaultdict(list)
        """The lines of scores that may be mistakes."""
        self.first_reasons: dict[WarningKind, str] = {}

    def rows(self, layout: Layout, table: Table) -> Iterator[Row | BadRow]:
        """Yield every match of the file, good or bad, in the order of the file."""
        seen: dict[str, str] = {}
        results = read_results(
            table,
            layout,
            zone=self.league.time_zone,
            dates=self.options.dates,
            today=self.today,
            winners=self.options.winners,
            day=self.options.day_of_undated,
            weights=self.weights,
        )
        for result in results:
            if isinstance(result, BadRow):
                yield result
                continue
            fresh = len(self.roster.fresh)
            row = self._row(result, seen)
            if isinstance(row, BadRow):
                self.roster.forget(fresh)
            yield row

    def _row(self, result: Result, seen: dict[str, str]) -> Row | BadRow:
        content = content_key(result)
        external_id = result.external_id or _row_id(content, seen)
        is_repeat = seen.get(external_id) == content
        if external_id in seen and not is_repeat:
            words = _("Another row has the same id.")
            return BadRow(result.line, "id", external_id, words, code="id_twice")
        seen[external_id] = content
        try:
            draft = self._draft(result, external_id)
        except Refused as refused:
            return _bad(result.line, refused.problems[0])
        problems = problems_of(draft, season=self.season, now=self.now)
        if problems:
            return _bad(result.line, problems[0])
        known = self.known.get(external_id)
        if known is not None and known.payload_hash != content:
            return BadRow(
                result.line,
                "id",
                external_id,
                _("A different result with this id is already stored."),
                code="id_reused",
            )
        return Row(
            result.line, draft, content, known, is_repeat, result.mode, _spellings(result, draft)
        )

    def _draft(self, result: Result, external_id: str) -> MatchDraft:
        sides = tuple(
            SideDraft(
                rank=side.rank,
                score=side.score,
                members=tuple(
                    MemberDraft(
                        _meant_by(person, self.roster), person.own_score, person.playing_share
                    )
                    for person in side.players
                ),
            )
            for side in result.sides
        )
        return MatchDraft(
            played_at=result.played,
            sides=sides,
            events=events_of_result(result, sides),
            date_only=result.date_only,
            same_time_order=result.order,
            kind=result.kind,
            weight=result.weight,
            detail=result.detail,
            sets=result.sets if len(result.sides) == 2 else "",
            external_id=external_id,
        )

    def check(
        self,
        progress: Callable[[int], None] | None = None,
        take: Callable[[Row], None] | None = None,
    ) -> ImportReport:
        """Read the whole file once and report on it, as if it were written now.

        `take` gets each match to be written, until a bad row stands against writing any.
        """
        table, layout = open_file(self.name, self.content, self.options, today=self.today)
        report = ImportReport(
            ignored_columns=list(layout.ignored),
            notes=[note for note in layout.notes if note != UNDATED or not self.options.day],
            layout=layout.to_json(),
            is_undated=not layout.where(Meaning.DATE) or bool(self.options.day),
        )
        # The others say what they are.
        if table.encoding == "cp1252":
            words = _(
                "The file is not in UTF-8, so it was read as Western European (Windows-1252). "
                "If names look wrong, save the file as UTF-8 and try again."
            )
            report.notes.append(words)
        bad_lines: set[int] = set()
        fresh: list[Row] = []
        modes: set[str] = set()
        is_held = has_challenges(self.season, self.mode)
        for number, row in enumerate(self.rows(layout, table)):
            if isinstance(row, BadRow):
                report.errors.append(row)
                report.is_undated |= row.reason == NO_DATE
                bad_lines.add(row.line)
                continue
            if table.compression == WRITTEN and len(report.readings) < MAX_READINGS:
                report.readings.append(_reading(row))
            if row.is_there:
                report.already_there += 1
            else:
                _count(report, row.draft)
                modes.add(row.mode)
                self.spellings |= row.spellings
                for kind, reason in score_reasons(row.draft, self.score_rule):
                    self.doubtful[kind].append(row.line)
                    self.first_reasons.setdefault(kind, reason)
                if is_held or self.others.find(row.draft):
                    fresh.append(row)
                if take and (self.options.skip_bad or not report.errors):
                    take(row)
            if progress and number % PROGRESS_ROWS == 0:
                progress(number)
        report.notes += self._notes(fresh, modes)
        report.players_created = len(self.roster.fresh)
        report.new_names = [player.name for player in self.roster.fresh]
        if self.options.skip_bad:
            report.skipped = len(bad_lines)
        return report

    def _notes(self, rows: Sequence[Row], modes: Collection[str]) -> Iterator[str]:
        """The warnings and refusals that new rows would meet if a person entered them."""
        yield from again_note([row.line for row in rows if self.others.find(row.draft)])
        problems = challenge_problems(
            [row.draft for row in rows], season=self.season, mode=self.mode
        )
        yield from ladder_note(
            sorted({rows[problem.index or 0].line for problem in problems}),
            problems[0].message if problems else "",
        )
        for kind, note in (
            (WarningKind.IMPOSSIBLE_SCORE, score_note),
            (WarningKind.CONTRADICTION, contradiction_note),
        ):
            yield from note(self.doubtful[kind], self.first_reasons.get(kind, ""))
        yield from modes_note(modes)


def _spellings(result: Result, draft: MatchDraft) -> dict[str, Spelling]:
    people = (person for side in result.sides for person in side.players)
    return {
        name: Spelling(player.key, is_public)
        for person, player in zip(people, players_of(draft), strict=True)
        for names, is_public in ((person.aliases, True), (person.private_aliases, False))
        for name in names
    }


def _row_id(content: str, seen: dict[str, str]) -> str:
    """Name a row without an id by its content and its ordinal among equal rows."""
    ordinal = int(seen.get(content, "0")) + 1
    seen[content] = str(ordinal)
    return f"{CONTENT_ID}{content[:40]}:{ordinal}"


def stored_matches(season: Season, source: str) -> dict[str, Known]:
    """What files have brought so far, by the ids that matches have there."""
    undone = set(
        Revision.objects.filter(
            season=season, kind=Revision.Kind.REVERT, reverts__kind=Revision.Kind.IMPORT
        ).values_list("number", flat=True)
    )
    rows = (
        Match.objects.filter(league_id=season.league_id, source=source)
        .exclude(status=Match.Status.STAGED)
        .values_list(
            "external_id", "pk", "payload_hash", "status", "touched_in_revision", "season_id"
        )
    )
    return {
        str(external_id): Known(
            pk,
            stored_hash,
            status == Match.Status.VOID
            and season_id == season.pk
            and touched_in_revision in undone,
        )
        for external_id, pk, stored_hash, status, touched_in_revision, season_id in rows.iterator()
    }


def _reading(row: Row) -> dict[str, Any]:
    """What a line says, as plain data."""
    draft = row.draft
    return {
        "line": row.line,
        "sides": [
            [side.rank, side.score, [member.player.name for member in side.members]]
            for side in draft.sides
        ],
        "kind": draft.kind,
        "detail": draft.detail,
        "sets": draft.sets,
        "played_at": draft.played_at.isoformat(),
        "date_only": draft.date_only,
        "is_there": row.is_there,
    }


def _count(report: ImportReport, draft: MatchDraft) -> None:
    report.imported += 1
    if draft.kind in (Match.Kind.UNRATED, Match.Kind.WALKOVER):
        report.unrated += 1
    report.first_at = min(report.first_at or draft.played_at, draft.played_at)
    report.last_at = max(report.last_at or draft.played_at, draft.played_at)


def _bad(line: int, problem: Problem) -> BadRow:
    return BadRow(line, problem.field, "", str(problem.message), code=problem.code)


def summary_in_words(report: ImportReport) -> str:
    """What an import did, or would do, in one sentence."""
    parts = [
        ngettext("%(n)d new result", "%(n)d new results", report.imported) % {"n": report.imported},
        _("%(n)d already here") % {"n": report.already_there},
        ngettext("%(n)d new player", "%(n)d new players", report.players_created)
        % {"n": report.players_created},
    ]
    if report.skipped:
        parts.append(_("%(n)d left out") % {"n": report.skipped})
    return ", ".join(parts)
