"""Importing a results file: all of it is written, or nothing.

The rows are staged in short transactions that no reader sees; one short transaction numbers them
and makes them count. A killed import is run again from its stored bytes and ends the same.
"""

from __future__ import annotations

import gzip
from dataclasses import asdict, replace
from typing import Any

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from leagues.jobs.faults import faultpoint
from leagues.jobs.queue import Claim, Postponed, enqueue
from leagues.models import Job, League, Match, Mode, Player, Revision, Season, Upload
from leagues.services.batches import batches
from leagues.services.errors import Problem, Refused
from leagues.services.import_reading import ImportOptions, Reading
from leagues.services.import_report import ImportReport
from leagues.services.leagues import ensure_mode
from leagues.services.listing import bring_back, list_brought
from leagues.services.log_uploads import import_log_upload
from leagues.services.matches import flip_matches
from leagues.services.merged_players import naming_merged
from leagues.services.player_changes import (
    PLAYERS_CHANGED,
    PlayerChange,
    changes_by,
    mark_of,
    write_changes,
)
from leagues.services.revisions import commit_to, lock_season, lock_seasons
from leagues.services.staging import Staging, give_up, unstage
from leagues.services.validation import season_problem
from ratings.files.problems import FileProblem
from ratings.files.unpacking import GZIP, ZIP

MOST_ASKED = 1000
"""Players who are read in one query."""
NUMBERED_AT_ONCE = 100_000
LONGEST_AS_IT_IS = 1_000_000
"""Bytes of a file that is kept unpacked."""
UNDER_WAY = (Job.State.QUEUED, Job.State.RUNNING)


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
        refusal = season_problem(upload.season, late=True) or _stale_check(upload, seen_check)
        if refusal:
            raise Refused([refusal])
        if options.new_mode and not options.is_log:
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
    """Keep the bytes and queue the import; returns the id of its job.

    A long text is kept packed: on its way a database takes several times as much memory as it has.
    """
    if len(content) > LONGEST_AS_IT_IS and not content.startswith((GZIP, ZIP)):
        content = gzip.compress(content, compresslevel=1)
    with transaction.atomic():
        upload = store_upload(
            season=season, mode=mode, name=name, content=content, options=options, author=author
        )
        return start_upload(upload=upload, options=options, author=author)


def upload_jobs(upload: Upload, *kinds: str) -> QuerySet[Job]:
    """The jobs that check or write a file, the newest first."""
    return Job.objects.filter(key__in=[f"{kind}:{upload.pk}" for kind in kinds]).order_by("-pk")


def is_written(upload: Upload) -> bool:
    """Whether the results of a file count; its bytes are gone then."""
    return upload.revision is not None and upload.revision.state == Revision.State.APPLIED


def locked_upload(upload: Upload) -> Upload:
    """Lock an upload and read it as it is stored, without its bytes."""
    stored = Upload.objects.select_related("league", "season__league", "mode", "revision")
    return stored.select_for_update(of=("self",), no_key=True).defer("content").get(pk=upload.pk)


def _stale_check(upload: Upload, seen: int | None) -> Problem | None:
    checking = upload_jobs(upload, "check").filter(state__in=UNDER_WAY)
    if seen is None or ((upload.report or {}).get("check") == seen and not checking.exists()):
        return None
    return Problem(
        "check", "stale", _("The file was checked again in the meantime. Look at the new preview.")
    )


def import_job(claim: Claim) -> dict[str, Any] | None:
    """Read a stored file, staging its rows on the way, and let them count if nothing is wrong."""
    upload = Upload.objects.select_related("season__league", "mode", "revision", "author").get(
        pk=claim.params["upload"]
    )
    _begin(claim, upload)
    abandon_imports(claim, upload.league.uploads.all())
    if upload.revision is not None:
        unstage(claim, upload.revision)
    options = ImportOptions(**upload.options)
    if options.is_log:
        return import_log_upload(claim, upload)
    content, upload.content = bytes(upload.content), b""
    reading = Reading(upload.season, upload.mode, upload.name, content, options)
    with Staging(claim, upload, reading) as staging:
        report = _read_and_stage(claim, upload, staging)
        if options.names is not None and _asks_otherwise(report, upload):
            report.is_waiting = True
        if report.is_refused or report.is_empty:
            return _end_without(claim, upload, staging, report)
        staging.write()
        staging.finish()
        claim.progress(report.imported, report.imported, "finish")
        faultpoint("before_import_commit")
        try:
            _make_count(claim, upload, staging, report)
        except Refused as refused:
            # The season was closed since the file was checked, for instance.
            problem = FileProblem(str(refused))
            return _end_without(claim, upload, staging, ImportReport(problem=problem))
    return None


def _asks_otherwise(report: ImportReport, upload: Upload) -> bool:
    """Whether something else is asked than in the check to which the importer agreed.

    Other names are, or results seem to be recorded that were not, or of another kind than the mode.
    """
    agreed = upload.report or {}
    if report.name_questions != agreed.get("name_questions", []):
        return True
    asked = {"doubts": report.doubts, "repeats": report.repeats}
    return any(words and words != agreed.get(name, []) for name, words in asked.items())


def _end_without(
    claim: Claim, upload: Upload, staging: Staging, report: ImportReport
) -> dict[str, Any]:
    """Leave nothing of an import that writes nothing but the new report of its file."""
    staging.throw_away()
    if upload.report is not None:
        upload.report |= report.as_dict() | {"check": claim.job.pk}
        upload.save(update_fields=["report"])
    return _empty_report(report)


def _read_and_stage(claim: Claim, upload: Upload, staging: Staging) -> ImportReport:
    """Read the file to its end, staging its rows on the way as long as none is bad."""
    agreed = int((upload.report or {}).get("imported", 0))

    def report_progress(done: int, rows: int) -> None:
        total = agreed or rows
        claim.progress(min(done, total) if total else done, total, "write")

    try:
        return staging.reading.check(report_progress, staging.take)
    except FileProblem as problem:
        return ImportReport(problem=problem)


def _begin(claim: Claim, upload: Upload) -> None:
    """Let imports into one league run one after the other, the first one first.

    One that was put back waits for a later one that has begun. Whether one has is said by its
    stage, and asked under a lock on the league: of two that begin at once, one sees the other.
    """
    running = Job.objects.filter(kind="import", league_id=upload.league_id, state=Job.State.RUNNING)
    others = running.exclude(pk=claim.job.pk)
    with transaction.atomic():
        League.objects.select_for_update(no_key=True).get(pk=upload.league_id)
        if others.filter(Q(pk__lt=claim.job.pk) | Q(stage__gt="")).exists():
            raise Postponed
        claim.progress(0, 0, "write")


def _empty_report(report: ImportReport) -> dict[str, Any]:
    report.players_created = 0
    if report.is_refused:
        report.imported = 0
    return report.as_dict() | {"refused": report.is_refused, "revision": None}


def abandon_imports(claim: Claim, uploads: QuerySet[Upload]) -> None:
    """Throw away the staged rows of imports that no job will finish any more."""
    left = uploads.filter(revision__state=Revision.State.STAGED).select_related("revision")
    for upload in left.defer("content"):
        under_way = upload_jobs(upload, "import").filter(state__in=UNDER_WAY)
        if upload.revision is None or under_way.exists():
            continue
        unstage(claim, upload.revision)
        give_up(upload.revision)


def _make_count(claim: Claim, upload: Upload, staging: Staging, report: ImportReport) -> None:
    revision, revived = staging.revision, staging.revived
    reading, author = staging.reading, upload.author
    with transaction.atomic():
        claim.fence()
        if reading.facts.reach_seasons:
            lock_seasons(upload.league_id)
        with commit_to(
            lock_season(upload.season_id),
            kind=revision.kind,
            author=author,
            source=revision.source,
            revision=revision,
            late=True,
        ) as commit:
            _wait_for_merges(revision)
            changes = _changes(reading)
            commit.content = staging.content
            staged = Match.objects.filter(revision=revision, status=Match.Status.STAGED).count()
            if staged + len(revived) != report.imported:
                raise RuntimeError(f"{staged} matches are staged, not {report.imported}")
            seqs = commit.next_seqs(staged)
            _number(revision, seqs.start, commit.number)
            if staged:
                commit.touch_many(upload.mode_id, staged, counting=staging.players)
            for batch in batches(revived, 10_000):
                flip_matches(commit, Match.objects.filter(pk__in=batch), Match.Status.LIVE)
            revision.summary |= {"file": upload.name, **_summary(report)}
            if changes:
                revision.summary[PLAYERS_CHANGED] = len(changes)
        upload.content = b""
        upload.save(update_fields=["content"])
        mark = mark_of(upload.season, commit.number)
        write_changes(upload.league, changes, mark=mark, actor=author)
        if reading.is_of_players:
            bring_back(reading.roster.returning, revision)
            list_brought(revision, is_listed=True)
        claim.finish(report.as_dict() | {"refused": False, "revision": commit.number})
    faultpoint("after_import_commit")


def _changes(reading: Reading) -> tuple[PlayerChange, ...]:
    """What the file changes of players as they are now; again later where one was merged since."""
    keys = [facts.player.pk for facts in reading.facts]
    now: dict[int, Player] = {}
    for batch in batches(keys, MOST_ASKED):
        now |= {player.pk: player for player in Player.objects.filter(pk__in=batch)}
    for facts in reading.facts:
        facts.player = now[facts.player.pk]
        if facts.player.merged_into_id is not None:
            raise Postponed
    return changes_by(reading.facts, reading.roster, reading.season).rows


def _wait_for_merges(revision: Revision) -> None:
    """Read the file again later where one of its players was merged into another meanwhile."""
    staged = Match.objects.filter(revision=revision, status=Match.Status.STAGED)
    if naming_merged(staged, revision.league_id).exists():
        raise Postponed


def _number(revision: Revision, first_seq: int, number: int) -> None:
    """Give the staged matches their places, in the order of the file.

    So many in one statement that SQLite, which keeps the new rows of one in memory, takes 30 MB.
    """
    matches = Match._meta.db_table
    staged = f"FROM {matches} WHERE revision_id = %s AND status = %s"
    ours = (revision.pk, Match.Status.STAGED.value)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT min(id), max(id), count(*) FROM (SELECT id, "  # noqa: S608
            f"(row_number() OVER (ORDER BY id) - 1) / %s AS part {staged}) AS numbered "
            "GROUP BY part ORDER BY part",
            [NUMBERED_AT_ONCE, *ours],
        )
        # What has its place already is not passed again.
        for first, last, count in cursor.fetchall():
            cursor.execute(
                f"UPDATE {matches} SET seq = numbered.place + %s, status = %s, "  # noqa: S608
                "touched_in_revision = %s "
                "FROM (SELECT id AS staged_id, row_number() OVER (ORDER BY id) - 1 AS place "
                f"{staged} AND id BETWEEN %s AND %s) AS numbered "
                f"WHERE {matches}.id = numbered.staged_id AND {matches}.id BETWEEN %s AND %s",
                [first_seq, Match.Status.LIVE.value, number, *ours, first, last, first, last],
            )
            first_seq += count


def _summary(report: ImportReport) -> dict[str, Any]:
    summary = report.as_dict()
    return {
        name: summary[name]
        for name in ("imported", "skipped", "already_there", "players_created", "errors")
    }
