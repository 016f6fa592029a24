"""Importing a results file: check all of it, then write all of it or nothing.

The rows are staged in short transactions that no reader sees; one short transaction numbers them
and makes them count. A killed import is run again from its stored bytes and ends the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any, Literal

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues.faults import faultpoint
from leagues.jobs.queue import Claim, Postponed, enqueue
from leagues.models import (
    Job,
    League,
    Match,
    Mode,
    Participant,
    Player,
    Revision,
    Season,
    Upload,
)
from leagues.services.batches import batches, breathe
from leagues.services.drafts import MatchDraft, MemberDraft, SideDraft
from leagues.services.errors import Problem, Refused
from leagues.services.leagues import ensure_mode
from leagues.services.matches import (
    flip_matches,
    store_rows,
    unsaved_match,
)
from leagues.services.players import key_of_name, new_player
from leagues.services.revisions import commit_to
from leagues.services.validation import problems_of, season_problem
from ratings.files.columns import Layout, recognise
from ratings.files.names import fold_name
from ratings.files.problems import BadRow, FileProblem
from ratings.files.results import Person, Result, content_key, read_results
from ratings.files.tables import UPLOAD_LIMITS, Limits, Table, open_table

BATCH = 500
MOST_ERRORS_KEPT = 1000
SAMPLE_ROWS = 400
UNDER_WAY = (Job.State.QUEUED, Job.State.RUNNING)


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """How a file is to be read. `layout` is a `Layout` as JSON where the user corrected it.

    `new_mode` names a mode that is made when the file is written; until then the upload's own
    mode says nothing.
    """

    dates: Literal["dmy", "mdy"] | None = None
    skip_bad: bool = False
    layout: str | None = None
    is_upload: bool = True
    new_mode: str = ""


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

    @property
    def is_refused(self) -> bool:
        return bool(self.errors) and not self.skipped

    def as_dict(self) -> dict[str, Any]:
        """Return the report as plain data; at most a thousand errors are kept."""
        return {
            "imported": self.imported,
            "skipped": self.skipped,
            "already_there": self.already_there,
            "players_created": self.players_created,
            "errors": [asdict(error) for error in self.errors[:MOST_ERRORS_KEPT]],
            "error_count": len(self.errors),
            "ignored_columns": self.ignored_columns,
            "notes": self.notes,
            "new_names": self.new_names[:MOST_ERRORS_KEPT],
            "unrated": self.unrated,
            "first_at": self.first_at.isoformat() if self.first_at else None,
            "last_at": self.last_at.isoformat() if self.last_at else None,
        }


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

    @property
    def is_there(self) -> bool:
        return self.is_repeat or (self.known is not None and not self.known.was_undone)


def source_of(mode: Mode) -> str:
    """Return the name under which a mode's imported matches keep their ids apart."""
    return f"import.{mode.slug}"


def store_upload(
    *,
    season: Season,
    mode: Mode,
    name: str,
    content: bytes,
    options: ImportOptions,
    author: User | None = None,
) -> Upload:
    """Keep the bytes of a file; nothing is read and no job is queued."""
    return Upload.objects.create(
        league_id=season.league_id,
        season=season,
        mode=mode,
        name=name[:120],
        content=content,
        options=asdict(options),
        author=author if author is not None and author.pk else None,
    )


def start_upload(
    *,
    upload: Upload,
    options: ImportOptions,
    author: User | None = None,
    seen_check: int | None = None,
) -> int:
    """Queue the writing of a stored file and return the id of its job; asked twice, it is one.

    `seen_check` is the check that the author agreed to: Refused where there is another one.
    """
    with transaction.atomic():
        upload = locked_upload(upload)
        jobs = upload_jobs(upload, "import")
        if is_written(upload) or jobs.filter(state__in=UNDER_WAY).exists():
            return jobs.values_list("pk", flat=True)[0]
        refusal = season_problem(upload.season) or _stale_check(upload, seen_check)
        if refusal:
            raise Refused([refusal])
        if options.new_mode:
            upload.mode = ensure_mode(league=upload.league, name=options.new_mode)
            options = replace(options, new_mode="")
        upload.options = asdict(options)
        upload.author = author if author is not None and author.pk else None
        upload.save(update_fields=["mode", "options", "author"])
        return enqueue(
            "import",
            key=f"import:{upload.pk}",
            params={"upload": upload.pk},
            league_id=upload.league_id,
            author_id=upload.author_id,
        )


def start_import(
    *,
    season: Season,
    mode: Mode,
    name: str,
    content: bytes,
    options: ImportOptions,
    author: User | None = None,
) -> int:
    """Keep the bytes and queue the import; returns the id of its job."""
    with transaction.atomic():
        upload = store_upload(
            season=season, mode=mode, name=name, content=content, options=options, author=author
        )
        return start_upload(upload=upload, options=options, author=author)


def upload_jobs(upload: Upload, *kinds: str) -> QuerySet[Job]:
    """Return the jobs that check or write a file, the newest first."""
    return Job.objects.filter(key__in=[f"{kind}:{upload.pk}" for kind in kinds]).order_by("-pk")


def is_written(upload: Upload) -> bool:
    """Tell whether the results of a file count; its bytes are gone then."""
    return upload.revision is not None and upload.revision.state == Revision.State.APPLIED


def locked_upload(upload: Upload) -> Upload:
    """Return the upload as it is stored, without its bytes, and keep others from changing it."""
    stored = Upload.objects.select_related("league", "season__league", "mode", "revision")
    return stored.select_for_update(of=("self",), no_key=True).defer("content").get(pk=upload.pk)


def _stale_check(upload: Upload, seen: int | None) -> Problem | None:
    checking = upload_jobs(upload, "check").filter(state__in=UNDER_WAY)
    if seen is None or ((upload.report or {}).get("check") == seen and not checking.exists()):
        return None
    return Problem(
        "check", "stale", _("The file was checked again in the meantime. Look once more.")
    )


def check_file(
    *, season: Season, mode: Mode, name: str, content: bytes, options: ImportOptions
) -> ImportReport:
    """Say what importing a file would do; writes nothing. Raises FileProblem for no such file."""
    return Reading(season, mode, name, content, options).check()


def open_file(name: str, content: bytes, options: ImportOptions) -> tuple[Table, Layout]:
    """Open a file and say what its columns mean."""
    table = open_table(content, name=name, limits=UPLOAD_LIMITS if options.is_upload else Limits())
    if options.layout is not None:
        return table, Layout.from_json(options.layout)
    return table, recognise(table.header, table.sample(SAMPLE_ROWS))


class Roster:
    """The players of a league by key and by name, and the new ones a file brings."""

    def __init__(self, league: League) -> None:
        self.league = league
        self.by_key: dict[str, Player] = {}
        self.by_name: dict[str, list[Player]] = {}
        for player in league.players.all():
            self._add(player)
        for alias in league.aliases.select_related("player"):
            self.by_name.setdefault(alias.folded, [alias.player])
        self.fresh: list[Player] = []

    def _add(self, player: Player) -> None:
        self.by_key[player.key] = player
        self.by_name.setdefault(player.folded, []).append(player)

    def find(self, person: Person) -> Player:
        """Return who is meant, new or known; a name that two bear needs an id (Refused)."""
        if person.key is not None:
            return self.by_key.get(person.key) or self._new(person)
        named = self.by_name.get(fold_name(person.name), [])
        found = [player for player in named if player.is_listed or player.pk is None]
        plain = next((player for player in named if player.key == key_of_name(person.name)), None)
        if len(found) > 1 and plain is None:
            raise Refused(
                [
                    Problem(
                        "player",
                        "name_shared",
                        _("Several players are called %(name)s; the file needs an id column.")
                        % {"name": person.name},
                    )
                ]
            )
        if len(found) == 1:
            return found[0]
        return plain or self._new(person)

    def _free_key(self, key: str) -> str:
        number = 2
        while f"{key}-{number}" in self.by_key:
            number += 1
        return f"{key}-{number}"

    def _new(self, person: Person) -> Player:
        player = new_player(league=self.league, name=person.name, key=person.key)
        if player.key in self.by_key:
            player.key = self._free_key(player.key)
        player.is_listed = False
        self._add(player)
        self.fresh.append(player)
        return player


class Reading:
    """One file on its way into one season and mode."""

    def __init__(
        self, season: Season, mode: Mode, name: str, content: bytes, options: ImportOptions
    ) -> None:
        self.season, self.mode, self.options = season, mode, options
        self.name, self.content = name, content
        self.league = season.league
        self.now = timezone.now()
        self.roster = Roster(self.league)
        self.known = _known_matches(season, source_of(mode))

    def rows(self, layout: Layout, table: Table) -> Iterator[Row | BadRow]:
        """Yield every match of the file, good or bad, in the order of the file."""
        seen: dict[str, str] = {}
        results = read_results(
            table,
            layout,
            zone=self.league.time_zone,
            dates=self.options.dates,
            today=self.now.astimezone(self.league.zone).date(),
        )
        for result in results:
            yield result if isinstance(result, BadRow) else self._row(result, seen)

    def _row(self, result: Result, seen: dict[str, str]) -> Row | BadRow:
        content = content_key(result)
        external_id = result.external_id or _row_id(content, seen)
        is_repeat = seen.get(external_id) == content
        if external_id in seen and not is_repeat:
            return BadRow(result.line, "id", external_id, _("Another row has the same id."))
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
                _("A result with this id is stored already and says something else."),
            )
        return Row(result.line, draft, content, known, is_repeat)

    def _draft(self, result: Result, external_id: str) -> MatchDraft:
        return MatchDraft(
            played_at=result.played,
            sides=tuple(
                SideDraft(
                    rank=side.rank,
                    score=side.score,
                    members=tuple(
                        MemberDraft(self.roster.find(person), own_score=person.own_score)
                        for person in side.players
                    ),
                )
                for side in result.sides
            ),
            date_only=result.date_only,
            order_hint=result.order,
            kind=result.kind,
            weight=result.weight,
            detail=result.detail,
            external_id=external_id,
        )

    def check(self, progress: Callable[[int], None] | None = None) -> ImportReport:
        """Read the whole file and report on it, as if it were written now."""
        table, layout = open_file(self.name, self.content, self.options)
        report = ImportReport(
            ignored_columns=list(layout.ignored),
            notes=list(layout.notes),
            layout=layout.to_json(),
        )
        bad_lines: set[int] = set()
        for number, row in enumerate(self.rows(layout, table)):
            if isinstance(row, BadRow):
                report.errors.append(row)
                bad_lines.add(row.line)
            elif row.is_there:
                report.already_there += 1
            else:
                _count(report, row.draft)
            if progress and number % 1000 == 0:
                progress(number)
        report.players_created = len(self.roster.fresh)
        report.new_names = [player.name for player in self.roster.fresh]
        if self.options.skip_bad:
            report.skipped = len(bad_lines)
        return report


def import_job(claim: Claim) -> dict[str, Any] | None:
    """Check a stored file and, if nothing stands against it, write it."""
    upload = Upload.objects.select_related("season__league", "mode", "revision", "author").get(
        pk=claim.params["upload"]
    )
    options = ImportOptions(**upload.options)
    content = bytes(upload.content)
    _wait_for_others(claim, upload)
    abandon_imports(claim, upload.league.uploads.all())
    if upload.revision is not None:
        _unstage(claim, upload.revision)
    reading = Reading(upload.season, upload.mode, upload.name, content, options)
    try:
        report = reading.check(lambda done: claim.progress(done, 0, "check"))
    except FileProblem as problem:
        return _nothing_written(
            ImportReport(
                errors=[BadRow(problem.line, problem.column, problem.value, problem.reason)]
            )
        )
    if report.is_refused or not report.imported:
        if upload.report is not None:
            upload.report |= report.as_dict() | {"check": claim.job.pk}
            upload.save(update_fields=["report"])
        return _nothing_written(report)
    _write(
        claim, upload, Reading(upload.season, upload.mode, upload.name, content, options), report
    )
    return None


def _wait_for_others(claim: Claim, upload: Upload) -> None:
    """Let imports into one league run one after the other, the first one first."""
    others = Job.objects.filter(
        kind="import", league_id=upload.league_id, state=Job.State.RUNNING, pk__lt=claim.job.pk
    )
    if others.exists():
        raise Postponed


def _nothing_written(report: ImportReport) -> dict[str, Any]:
    report.players_created = 0
    if report.is_refused:
        report.imported = 0
    return report.as_dict() | {"refused": report.is_refused, "revision": None}


def _write(claim: Claim, upload: Upload, reading: Reading, report: ImportReport) -> None:
    revision = upload.revision or _staged_revision(claim, upload)
    table, layout = open_file(upload.name, reading.content, reading.options)
    revived: list[int] = []
    total, staged = report.imported, 0
    for batch in batches(_good_rows(reading, layout, table), BATCH):
        fresh = [row for row in batch if row.known is None and not row.is_repeat]
        revived.extend(
            row.known.match_id for row in batch if row.known is not None and not row.is_there
        )
        _stage(claim, reading, revision, fresh)
        staged += len(batch)
        faultpoint("import_batch")
        claim.progress(min(staged, total), total, "write")
        breathe()
    faultpoint("before_import_commit")
    _make_count(claim, upload, revision, revived, report)


def _good_rows(reading: Reading, layout: Layout, table: Table) -> Iterator[Row]:
    return (row for row in reading.rows(layout, table) if isinstance(row, Row))


def _staged_revision(claim: Claim, upload: Upload) -> Revision:
    with transaction.atomic():
        claim.fence()
        upload.revision = Revision.objects.create(
            league_id=upload.league_id,
            season=upload.season,
            kind=Revision.Kind.IMPORT,
            state=Revision.State.STAGED,
            source=source_of(upload.mode),
            author=upload.author,
        )
        upload.save(update_fields=["revision"])
    return upload.revision


def _unstage(claim: Claim, revision: Revision) -> None:
    """Throw away what an import left that did not end; nobody has seen it."""
    staged = Match.objects.filter(revision=revision, status=Match.Status.STAGED)
    while keys := list(staged.values_list("pk", flat=True)[:BATCH]):
        with transaction.atomic():
            claim.fence()
            Participant.objects.filter(match__in=keys).delete()
            Match.objects.filter(pk__in=keys).delete()
        breathe()
    with transaction.atomic():
        claim.fence()
        revision.players.filter(participations__isnull=True).delete()


def abandon_imports(claim: Claim, uploads: QuerySet[Upload]) -> None:
    """Throw away the staged rows of imports that no job will finish any more."""
    left = uploads.filter(revision__state=Revision.State.STAGED).select_related("revision")
    for upload in left.defer("content"):
        under_way = upload_jobs(upload, "import").filter(state__in=UNDER_WAY)
        if upload.revision is None or under_way.exists():
            continue
        _unstage(claim, upload.revision)
        upload.revision.players.update(revision=None)
        Revision.objects.filter(pk=upload.revision.pk).update(state=Revision.State.ABANDONED)


def _stage(claim: Claim, reading: Reading, revision: Revision, rows: list[Row]) -> None:
    with transaction.atomic():
        claim.fence()
        fresh = [player for player in reading.roster.fresh if player.pk is None]
        for player in fresh:
            player.revision = revision
        Player.objects.bulk_create(fresh)
        store_rows(
            [
                unsaved_match(
                    row.draft,
                    season=reading.season,
                    mode=reading.mode,
                    source=source_of(reading.mode),
                    revision=revision,
                    content=row.content,
                )
                for row in rows
            ],
            [row.draft for row in rows],
            status=Match.Status.STAGED,
            author_id=revision.author_id,
        )


def _row_id(content: str, seen: dict[str, str]) -> str:
    """Name a row without an id by its content and its ordinal among equal rows."""
    ordinal = int(seen.get(content, "0")) + 1
    seen[content] = str(ordinal)
    return f"row:{content[:40]}:{ordinal}"


def _make_count(
    claim: Claim, upload: Upload, revision: Revision, revived: list[int], report: ImportReport
) -> None:
    with transaction.atomic():
        claim.fence()
        with commit_to(
            upload.season,
            kind=revision.kind,
            author=upload.author,
            source=revision.source,
            revision=revision,
        ) as commit:
            staged = Match.objects.filter(revision=revision, status=Match.Status.STAGED).count()
            if staged + len(revived) != report.imported:
                raise RuntimeError(f"{staged} matches are staged, not {report.imported}")
            seqs = commit.next_seqs(staged)
            _number(revision, seqs.start, commit.number)
            if staged:
                commit.touch(upload.mode_id, staged)
            for batch in batches(revived, 10_000):
                flip_matches(commit, Match.objects.filter(pk__in=batch), Match.Status.LIVE)
            revision.summary |= {"file": upload.name, **_summary(report)}
        upload.content = b""
        upload.save(update_fields=["content"])
        claim.finish(report.as_dict() | {"refused": False, "revision": commit.number})
    faultpoint("after_import_commit")


def _number(revision: Revision, first_seq: int, number: int) -> None:
    """Give the staged matches their places, in the order of the file, in one statement."""
    matches = Match._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE {matches} SET seq = numbered.place + %s, status = %s, touched = %s "  # noqa: S608
            "FROM (SELECT id AS staged_id, row_number() OVER (ORDER BY id) - 1 AS place "
            f"FROM {matches} WHERE revision_id = %s AND status = %s) AS numbered "
            f"WHERE {matches}.id = numbered.staged_id",
            [first_seq, Match.Status.LIVE, number, revision.pk, Match.Status.STAGED],
        )


def _summary(report: ImportReport) -> dict[str, Any]:
    kept = report.as_dict()
    return {
        name: kept[name]
        for name in ("imported", "skipped", "already_there", "players_created", "errors")
    }


def _known_matches(season: Season, source: str) -> dict[str, Known]:
    undone = set(
        Revision.objects.filter(
            season=season, kind=Revision.Kind.REVERT, reverts__kind=Revision.Kind.IMPORT
        ).values_list("number", flat=True)
    )
    rows = (
        Match.objects.filter(league_id=season.league_id, source=source)
        .exclude(status=Match.Status.STAGED)
        .values_list("external_id", "pk", "payload_hash", "status", "touched", "season_id")
    )
    return {
        str(external_id): Known(
            pk,
            stored_hash,
            status == Match.Status.VOID and season_id == season.pk and touched in undone,
        )
        for external_id, pk, stored_hash, status, touched, season_id in rows.iterator()
    }


def _count(report: ImportReport, draft: MatchDraft) -> None:
    report.imported += 1
    if draft.kind in (Match.Kind.UNRATED, Match.Kind.WALKOVER):
        report.unrated += 1
    report.first_at = min(report.first_at or draft.played_at, draft.played_at)
    report.last_at = max(report.last_at or draft.played_at, draft.played_at)


def _bad(line: int, problem: Problem) -> BadRow:
    return BadRow(line, problem.field, "", str(problem.message))


def summary_in_words(report: ImportReport) -> str:
    """Say in one sentence what an import did, or would do."""
    parts = [
        ngettext("%(n)d new result", "%(n)d new results", report.imported) % {"n": report.imported},
        _("%(n)d already there") % {"n": report.already_there},
        ngettext("%(n)d new player", "%(n)d new players", report.players_created)
        % {"n": report.players_created},
    ]
    if report.skipped:
        parts.append(_("%(n)d left out") % {"n": report.skipped})
    return ", ".join(parts)
