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
from leagues.models import Mode, Season
from leagues.services.challenges import challenge_problems, has_challenges
from leagues.services.drafts import MatchDraft, MemberDraft, SideDraft
from leagues.services.entry_events import events_of_result
from leagues.services.entry_warnings import StoredResults, WarningKind, score_reasons, side_reasons
from leagues.services.errors import Refused
from leagues.services.import_ids import Known, SeenRows, StoredIds, source_of, source_within
from leagues.services.import_names import ImportNames
from leagues.services.import_notes import (
    AGAIN,
    CONTRADICTION,
    LADDER,
    NOT_UTF8,
    SCORE,
    UNEVEN,
    WRONG_MODE,
    lines_note,
    modes_note,
)
from leagues.services.import_pairs import with_pairs
from leagues.services.import_repeats import RepeatedRows
from leagues.services.import_report import CONSENTS, MAX_ERRORS, ImportReport, missing_consents
from leagues.services.import_rows import (
    NamedResult,
    Row,
    named_result,
    parts_of,
    people_of,
    reading_of,
)
from leagues.services.import_starts import start_draft
from leagues.services.mode_fit import ModeFit
from leagues.services.player_changes import changes_by
from leagues.services.player_facts import CollectedFacts
from leagues.services.player_reading import (
    bad_row,
    collected_players,
    player_meant,
    unknown_player,
)
from leagues.services.rosters import Roster
from leagues.services.stored_contents import StoredContents
from leagues.services.validation import DraftChecks
from ratings.files.columns import UNDATED, Layout, recognise
from ratings.files.dates import NO_DATE
from ratings.files.meanings import Meaning
from ratings.files.problems import BadRow
from ratings.files.reading import MOST_PEOPLE
from ratings.files.results import (
    Person,
    PlayerRow,
    Result,
    read_players,
    read_results,
)
from ratings.files.tables import UPLOAD_LIMITS, Limits, Table, open_table
from ratings.files.tables import Row as TableRow
from ratings.files.written_text import WRITTEN

SAMPLE_ROWS = 400
PROGRESS_ROWS = 500
Progress = Callable[[int, int], None]
"""Is told how many rows were read, of about how many; 0 where that is unknown."""
MAX_READINGS = 200
MOST_SCORES = 10_000
_DOUBTS = {
    WarningKind.IMPOSSIBLE_SCORE: SCORE,
    WarningKind.CONTRADICTION: CONTRADICTION,
    WarningKind.UNEVEN_SIDES: UNEVEN,
    WarningKind.WRONG_MODE: WRONG_MODE,
}
"""What a row may be by itself, and the words of it."""


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """How a file is to be read. `layout` is a `Layout` as JSON where the user corrected it.

    `new_mode` names a mode that is made when the file is written; until then the upload's own
    mode says nothing. `winners` says who is meant by a winner's name that is nobody's in its row:
    the identity of a player, by the folded name. `day` is that of results without a date, as ISO
    text; empty means that they are of the day of the import. `is_log` says that what is kept are
    the games of a server's log, which go where it says what was played unless `new_mode` names a
    mode; `is_unrated` that no board rates them. `names` says whom names mean that no player bears,
    by folded name: a player's key, or what `services/import_names.py` has beside; None where nobody
    is asked and each is a new player's.
    `others_are_new` takes the names without an answer so, `is_right_mode` results with other sides
    than the mode is for, `may_repeat` results that say the same as recorded ones or as others of
    the file.
    """

    dates: Literal["dmy", "mdy"] | None = None
    skip_bad: bool = False
    layout: str | None = None
    is_upload: bool = True
    new_mode: str = ""
    winners: Mapping[str, str] = field(default_factory=dict)
    day: str = ""
    is_log: bool = False
    is_unrated: bool = False
    names: Mapping[str, str] | None = None
    others_are_new: bool = False
    is_right_mode: bool = False
    may_repeat: bool = False

    @property
    def day_of_undated(self) -> date | None:
        return date.fromisoformat(self.day) if self.day else None

    def reads_otherwise(self, other: ImportOptions) -> bool:
        """Whether a file says something else by these options than by others.

        What somebody only agrees to changes nothing that a file says.
        """
        return replace(self, **{name: getattr(other, name) for name in CONSENTS}) != other


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
        source = source_of(mode)
        self.sources = source, source_within(season, source)
        self.names = None if options.names is None else ImportNames(self.league, options.names)
        self.stored = StoredIds(season, source)
        self.contents = StoredContents(season, mode, self.roster)
        left = players_who_left(season.league_id).values_list("pk", flat=True)
        self.facts = CollectedFacts(self.now, season.slug, frozenset(left))
        """What the rows say of players beside their results."""
        self.checks = DraftChecks(season, self.now)
        self._members: dict[int, tuple[Person, MemberDraft]] = {}
        self._named_members: dict[int, tuple[Person, MemberDraft]] = {}
        """Who is meant by whom the reader of the file keeps: with a key, and by name alone."""
        self.rows_read = 0
        """How many rows of the file `check` has read so far."""
        self.is_of_players = False
        """Whether the file has players and no results."""
        self.others = StoredResults.of_others(season, mode, self.sources)
        # A mode that comes with the file has no rule yet.
        self.score_rule = ANY_SCORE if options.new_mode else mode.rule_of_scores
        self.fit = None if options.new_mode else ModeFit(mode)
        self.weights = {} if options.new_mode else {one.name: one.weight for one in mode.weights}
        self._reasons: dict[tuple[Any, ...], list[tuple[WarningKind, str]]] = {}
        self.doubtful: dict[WarningKind, list[int]] = defaultdict(list)
        """The lines of what may be mistakes."""
        self.first_reasons: dict[WarningKind, str] = {}

    def rows(self, layout: Layout, table: Table) -> Iterator[Row | BadRow]:
        """Yield every match of the file, good or bad, in the order of the file."""
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
        seen = SeenRows()
        for some in parts_of(results):
            rows = [row if isinstance(row, BadRow) else named_result(row, seen) for row in some]
            named = with_pairs(rows, self.roster, self.names)
            good = [row for row in named if not isinstance(row, BadRow)]
            known = self.stored.read([row.id for row in good])
            if not self.contents.is_empty:
                looked_for = ((row, known.get(row.id)) for row in good)
                self.contents.read(
                    [row.as_new(one) for row, one in looked_for if not row.is_there(one)]
                )
            for one in named:
                if isinstance(one, BadRow):
                    yield one
                    continue
                fresh = len(self.roster.fresh)
                row = self._row(one, known.get(one.id))
                if isinstance(row, BadRow):
                    self._forget_players(fresh)
                yield row

    def _row(self, named: NamedResult, known: Known | None) -> Row | BadRow:
        result, external_id, content = named.result, named.id, named.content
        source, source_here = self.sources
        if known is not None and known.is_elsewhere:
            known, source = None, source_here
        if named.is_repeat is False:
            words = _("Another row has the same id.")
            return BadRow(result.line, "id", external_id, words, code="id_twice")
        if self.names is not None:
            result = self.names.without_nobody(result, self.roster)
            for side, stays in zip(named.result.sides, result.sides, strict=True):
                if not stays.players:
                    nobody = ", ".join(person.name for person in side.players)
                    words = _("No one is left on this side of the match.")
                    return BadRow(result.line, "", nobody, words, code="empty_side")
        is_stored = named.is_stored(known)
        try:
            member = self._stored_member if is_stored else self._member
            draft = self._draft(result, external_id, member)
        except Refused as refused:
            return bad_row(result.line, refused.problems[0])
        known, is_stored = self._known_by_content(named, draft, known)
        if known is None or known.was_undone or not is_stored:
            problems = self.checks.problems_of(draft)
            if problems:
                return bad_row(result.line, problems[0])
        if known is not None and not is_stored:
            return BadRow(
                result.line,
                "id",
                external_id,
                _("A different result with this id is already stored."),
                code="id_reused",
            )
        is_repeat, people = bool(named.is_repeat), people_of(result, draft)
        number = bool(result.external_id or result.number)
        return Row(
            result.line, draft, content, known, source, is_repeat, result.mode, people, number
        )

    def _known_by_content(
        self, named: NamedResult, draft: MatchDraft, known: Known | None
    ) -> tuple[Known | None, bool]:
        """The stored match of a row, by its id or else what it says, and whether they agree."""
        if known is None and self.contents.is_empty:
            return None, False
        is_stored = named.is_stored(known)
        if known is not None and is_stored and not known.was_undone:
            self.contents.take(known.match_id)
            return known, True
        match_id = self.contents.find(draft, named.as_new(known))
        if match_id is None:
            return known, is_stored
        if known is not None and known.match_id == match_id:
            return known, True
        return Known(match_id, named.content, was_undone=False, is_elsewhere=False), True

    def _draft(
        self, result: Result, external_id: str, member: Callable[[Person, int], MemberDraft]
    ) -> MatchDraft:
        # Of lists, because a million rows would begin a generator each.
        sides = tuple(
            [
                SideDraft(
                    side.rank,
                    tuple([member(one, result.line) for one in side.players]),
                    side.score,
                    side.handicap,
                )
                for side in result.sides
            ]
        )
        if result.start is not None:
            return start_draft(result, result.start, sides, external_id)
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

    def _member(self, person: Person, line: int) -> MemberDraft:
        """Who is meant by a person of the file, who mostly comes again and means the same."""
        known = self._members.get(id(person)) or self._named_members.get(id(person))
        if known is not None and known[0] is person:
            return known[1]
        roster = self.roster
        count = len(roster.fresh) + len(roster.returning)
        player = player_meant(person, line, roster, self.names)
        member = MemberDraft(player, person.own_score, person.playing_share)
        if person.key is not None and len(roster.fresh) + len(roster.returning) > count:
            # A name may mean two from now on.
            self._named_members.clear()
        members = self._named_members if person.key is None else self._members
        if len(members) >= MOST_PEOPLE:
            members.clear()
        members[id(person)] = person, member
        return member

    def _stored_member(self, person: Person, _line: int) -> MemberDraft:
        """Who is meant in a match that is stored already: it has its players and brings no others.

        Some may have another name by now, or share theirs.
        """
        meant = self.roster.meant_by(name=person.name, key=person.key)
        player = meant[0] if len(meant) == 1 else unknown_player(person, self.league)
        return MemberDraft(player, person.own_score, person.playing_share)

    def _score_reasons(self, draft: MatchDraft) -> list[tuple[WarningKind, str]]:
        """Why a score may be a mistake: most scores of a file come again."""
        sides = tuple([(side.rank, side.score) for side in draft.sides])
        score = (draft.kind, draft.detail, draft.sets, sides)
        reasons = self._reasons.get(score)
        if reasons is None:
            if len(self._reasons) >= MOST_SCORES:
                self._reasons.clear()
            reasons = self._reasons[score] = [*score_reasons(draft, self.score_rule)]
        return reasons

    def _note_doubts(self, row: Row) -> None:
        """Note what may be a mistake in a row by itself."""
        reasons = [*self._score_reasons(row.draft)]
        if self.fit is not None:
            reasons += side_reasons(row.draft, self.fit)
        for kind, reason in reasons:
            self.doubtful[kind].append(row.line)
            self.first_reasons.setdefault(kind, reason)

    def _forget_players(self, count: int) -> None:
        """Keep the first new players only: the row that brought the others is left out."""
        if len(self.roster.fresh) > count:
            self.roster.forget(count)
            self._members.clear()
            self._named_members.clear()

    def check(
        self,
        progress: Progress | None = None,
        take: Callable[[Row], None] | None = None,
        opened: tuple[Table, Layout] | None = None,
    ) -> ImportReport:
        """Read the whole file once and report on it, as if it were written now.

        `take` gets each match to be written, until a bad row stands against writing any. `opened`
        is the file where it has been opened already.
        """
        table, layout = opened or open_file(self.name, self.content, self.options, today=self.today)
        table.rows = self._counted(table.rows)
        report = ImportReport(
            ignored_columns=list(layout.ignored),
            notes=[note for note in layout.notes if note != UNDATED or not self.options.day],
            layout=layout.to_json(),
            is_undated=not layout.where(Meaning.DATE) or bool(self.options.day),
        )
        # The others say what they are.
        if table.encoding == "cp1252":
            report.notes.append(str(NOT_UTF8))
        if layout.shape == "players":
            return self._check_players(table, layout, report, progress)
        bad_lines: set[int] = set()
        fresh: list[Row] = []
        modes: set[str] = set()
        repeated = RepeatedRows()
        is_held = has_challenges(self.season, self.mode)
        for number, row in enumerate(self.rows(layout, table)):
            if isinstance(row, BadRow):
                report.errors.append(row)
                report.is_undated |= row.reason == NO_DATE
                bad_lines.add(row.line)
                continue
            repeated.take(row)
            for person, player in row.people:
                self.facts.take(person, player, row.line, row.draft.played_at)
            if table.compression == WRITTEN and len(report.readings) < MAX_READINGS:
                report.readings.append(reading_of(row))
            if row.is_there:
                report.already_there += 1
            else:
                report.count(row.draft)
                modes.add(row.mode)
                self._note_doubts(row)
                if is_held or self.others.find(row.draft):
                    fresh.append(row)
                if take and (self.options.skip_bad or not report.errors):
                    take(row)
            if progress and number % PROGRESS_ROWS == 0:
                progress(self.rows_read, table.expected_rows)
        again = [row.line for row in fresh if self.others.find(row.draft)]
        repeats = [*lines_note(AGAIN, again), *repeated.notes()]
        report.notes += [*repeats, *self._notes(fresh, modes)]
        if self.options.names is not None:
            report.doubts += self._doubts(WarningKind.WRONG_MODE)
            report.repeats += repeats
        self._finish(report, bad_lines)
        return report

    def _check_players(
        self,
        table: Table,
        layout: Layout,
        report: ImportReport,
        progress: Progress | None,
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
                progress(self.rows_read, table.expected_rows)
        report.notes += self.facts.often_missing()
        self._finish(report, bad_lines)
        return report

    def _counted(self, rows: Iterator[TableRow]) -> Iterator[TableRow]:
        for row in rows:
            self.rows_read += 1
            yield row

    def player_rows(self, layout: Layout, table: Table) -> Iterator[PlayerRow | BadRow]:
        """Yield every player of a file without results, good or bad, collecting what it says."""
        rows = read_players(
            table,
            layout,
            zone=self.league.time_zone,
            dates=self.options.dates,
            today=self.today,
        )
        return collected_players(rows, layout, self.roster, self.names, self.facts)

    def _finish(self, report: ImportReport, bad_lines: Collection[int]) -> None:
        """Complete a report with whom the file brings, and what it changes of players."""
        brought = [*self.roster.fresh, *(self.roster.returning if self.is_of_players else ())]
        report.players_created = len(brought)
        report.new_names = [player.name for player in brought]
        if self.names is not None:
            report.take_questions(self.names.questions(self.roster))
            missing = missing_consents(report.as_dict(), self.options)
            report.is_waiting = not missing <= {"skip_bad"}
            for name, line, player in self.names.spellings(self.roster):
                self.facts.add_spelling(player, name, line)
        changes = changes_by(self.facts, self.roster, self.season)
        report.notes += changes.notes
        report.player_changes = changes.as_dict(MAX_ERRORS)
        if self.options.skip_bad:
            report.skipped = len(bad_lines)

    def _notes(self, rows: Sequence[Row], modes: Collection[str]) -> Iterator[str]:
        """The other warnings and refusals that new rows would meet if a person entered them."""
        problems = challenge_problems(
            [row.draft for row in rows], season=self.season, mode=self.mode
        )
        lines = sorted({rows[problem.index or 0].line for problem in problems})
        yield from lines_note(LADDER, lines, reason=problems[0].message if problems else "")
        for kind in _DOUBTS:
            yield from self._doubts(kind)
        yield from modes_note(modes)

    def _doubts(self, kind: WarningKind) -> Iterator[str]:
        """The sentence about the rows that may be one kind of mistake, if any may."""
        reason = self.first_reasons.get(kind, "")
        lines = self.doubtful[kind]
        yield from lines_note(_DOUBTS[kind], lines, reason=reason, mode=self.mode.name)
