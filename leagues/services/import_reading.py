"""Reading a results file from the league it goes into: what each row is, and what it would do.

Nothing here writes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, Literal

from django.utils import timezone
from django.utils.translation import gettext as _

from leagues.domain.civil_days import day_of
from leagues.domain.leaving import players_who_left
from leagues.domain.score_rules import ANY_SCORE
from leagues.models import Match, Mode, Participant, Player, Revision, Season
from leagues.services.challenges import challenge_problems, has_challenges
from leagues.services.drafts import (
    MatchDraft,
    MemberDraft,
    SideDraft,
    StartDraft,
    players_of,
    with_members,
)
from leagues.services.entry_events import events_of_result
from leagues.services.entry_warnings import StoredResults, WarningKind, score_reasons
from leagues.services.errors import Refused
from leagues.services.import_notes import (
    again_note,
    contradiction_note,
    ladder_note,
    modes_note,
    score_note,
)
from leagues.services.import_report import MAX_ERRORS, ImportReport
from leagues.services.player_changes import changes_by
from leagues.services.player_facts import CollectedFacts
from leagues.services.player_reading import bad_row, collected_players, player_meant
from leagues.services.rosters import Roster
from leagues.services.validation import problems_of
from ratings.files.columns import UNDATED, Layout, recognise
from ratings.files.dates import NO_DATE
from ratings.files.matches import MatchStart
from ratings.files.meanings import Meaning
from ratings.files.problems import BadRow
from ratings.files.results import (
    Person,
    PlayerRow,
    Result,
    content_key,
    read_players,
    read_results,
)
from ratings.files.tables import UPLOAD_LIMITS, Limits, Table, open_table
from ratings.files.written_text import WRITTEN

Leaving = Participant.Leaving
SAMPLE_ROWS = 400
PROGRESS_ROWS = 500
MAX_READINGS = 200
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
    people: tuple[tuple[Person, Player], ...]
    """Whom the row means, where the file says more of players than their results."""

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
        left = players_who_left(season.league_id).values_list("pk", flat=True)
        self.facts = CollectedFacts(self.now, season.slug, frozenset(left))
        """What the rows say of players beside their results."""
        self.is_of_players = False
        """Whether the file has players and no results."""
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
            return bad_row(result.line, refused.problems[0])
        problems = problems_of(draft, season=self.season, now=self.now)
        if problems:
            return bad_row(result.line, problems[0])
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
            result.line, draft, content, known, is_repeat, result.mode, _people(result, draft)
        )

    def _draft(self, result: Result, external_id: str) -> MatchDraft:
        sides = tuple(
            SideDraft(
                rank=side.rank,
                score=side.score,
                members=tuple(
                    MemberDraft(
                        player_meant(person, self.roster), person.own_score, person.playing_share
                    )
                    for person in side.players
                ),
            )
            for side in result.sides
        )
        if result.start is not None:
            return self._start(result, result.start, sides, external_id)
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

    def _start(
        self, result: Result, start: MatchStart, sides: tuple[SideDraft, ...], external_id: str
    ) -> MatchDraft:
        """The draft of a start; what has become of it follows when it is stored."""
        released = frozenset(start.released)

        def with_leaving(member: MemberDraft) -> MemberDraft:
            is_released = member.player.key in released
            return replace(member, leaving=int(Leaving.RELEASED) if is_released else None)

        draft = MatchDraft(
            played_at=start.at,
            sides=sides,
            same_time_order=result.order,
            kind=Match.Kind.STARTED.value,
            weight=result.weight,
            external_id=external_id,
            start=StartDraft(start.at, start.deadline, start.rungs),
        )
        return with_members(draft, with_leaving)

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
        if layout.shape == "players":
            return self._check_players(table, layout, report, progress)
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
            for person, player in row.people:
                self.facts.take(person, player, row.line, row.draft.played_at)
            if table.compression == WRITTEN and len(report.readings) < MAX_READINGS:
                report.readings.append(_reading(row))
            if row.is_there:
                report.already_there += 1
            else:
                _count(report, row.draft)
                modes.add(row.mode)
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
        self._finish(report, bad_lines)
        return report

    def _check_players(
        self,
        table: Table,
        layout: Layout,
        report: ImportReport,
        progress: Callable[[int], None] | None,
    ) -> ImportReport:
        """Read a file that has players and no results."""
        self.is_of_players = True
        report.is_undated = False
        bad_lines: set[int] = set()
        for number, row in enumerate(self.player_rows(layout, table)):
            if isinstance(row, BadRow):
                report.errors.append(row)
                bad_lines.add(row.line)
            if progress and number % PROGRESS_ROWS == 0:
                progress(number)
        report.notes += self.facts.often_missing()
        self._finish(report, bad_lines)
        return report

    def player_rows(self, layout: Layout, table: Table) -> Iterator[PlayerRow | BadRow]:
        """Yield every player of a file without results, good or bad, collecting what it says."""
        rows = read_players(
            table,
            layout,
            zone=self.league.time_zone,
            dates=self.options.dates,
            today=self.today,
        )
        return collected_players(rows, layout, self.roster, self.facts)

    def _finish(self, report: ImportReport, bad_lines: Collection[int]) -> None:
        """Complete a report with whom the file brings, and what it changes of players."""
        brought = [*self.roster.fresh, *(self.roster.returning if self.is_of_players else ())]
        report.players_created = len(brought)
        report.new_names = [player.name for player in brought]
        changes = changes_by(self.facts, self.roster, self.season)
        report.notes += changes.notes
        report.player_changes = changes.as_dict(MAX_ERRORS)
        if self.options.skip_bad:
            report.skipped = len(bad_lines)

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


def _people(result: Result, draft: MatchDraft) -> tuple[tuple[Person, Player], ...]:
    """The players of a row of whom it says more than their result."""
    people = (person for side in result.sides for person in side.players)
    pairs = zip(people, players_of(draft), strict=True)
    return tuple((person, player) for person, player in pairs if person.is_described)


def _row_id(content: str, seen: dict[str, str]) -> str:
    """Name a row without an id by its content and its ordinal among equal rows."""
    ordinal = int(seen.get(content, "0")) + 1
    seen[content] = str(ordinal)
    return f"{CONTENT_ID}{content[:40]}:{ordinal}"


def stored_matches(season: Season, source: str) -> dict[str, Known]:
    """What files have brought so far, by the ids that matches have there.

    One that was moved to another season has its id no more: that stays with the void one.
    """
    undone = set(
        Revision.objects.filter(
            season=season, kind=Revision.Kind.REVERT, reverts__kind=Revision.Kind.IMPORT
        ).values_list("number", flat=True)
    )
    rows = (
        Match.objects.filter(league_id=season.league_id, source=source, external_id__isnull=False)
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
