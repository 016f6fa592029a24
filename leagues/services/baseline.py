"""The first hashes of an installation that had none: after an upgrade, or an older backup.

What is stored then is taken for true, and an entry in each league's log says when that was. Which
leagues and seasons wait for it is written in the place of their digests, so that one that is
killed on the way goes on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from django.db import connection, models, transaction
from django.db.migrations.executor import MigrationExecutor

from leagues.models import AuditEntry, League, LogHead, Match, Player, Revision, Season
from leagues.services.audit import append_entry, log_of, record_audit
from leagues.services.batches import batches
from leagues.services.past import Unreadable, read_keys, read_matches
from leagues.services.revisions import said_by
from leagues.store import guards, imprints
from leagues.store.hashes import RevisionContent, hash_player, hash_revision

PENDING: Final = "pending"
BATCH: Final = 2000

Say = Callable[[str], object]


def _say_nothing(_words: str) -> None:
    """Report to nobody."""


def after_migrations(*, verbosity: int, plan: list[Any] | None = None, **options: Any) -> None:
    """Hash what a migration has left to be hashed; nothing where only some migrations ran."""
    if plan is None or not _has_all_tables():
        return
    stdout = options.get("stdout")
    lay_baseline(stdout.write if verbosity and stdout else _say_nothing)


def _has_all_tables() -> bool:
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes("leagues"))


def ask_for_baseline() -> None:
    """Mark everything that is stored as not hashed yet."""
    Season.objects.update(facts_digest=PENDING)
    scopes = [0, *League.objects.order_by("pk").values_list("pk", flat=True)]
    LogHead.objects.bulk_create(LogHead(scope=scope, digest=PENDING) for scope in scopes)


def lay_baseline(say: Say = _say_nothing) -> None:
    """Hash what waits for it; the guards stand aside meanwhile, as for a migration."""
    seasons = list(Season.objects.filter(facts_digest=PENDING).order_by("pk"))
    heads = list(LogHead.objects.filter(digest=PENDING).order_by("pk"))
    if not seasons and not heads:
        return
    guards.remove(connection)
    try:
        for season in seasons:
            with transaction.atomic():
                # Another process may have been quicker, or commit meanwhile.
                waiting = Season.objects.select_for_update(no_key=True).get(pk=season.pk)
                if waiting.facts_digest == PENDING:
                    _hash_season(waiting, say)
        for head in heads:
            with transaction.atomic():
                locked = LogHead.objects.select_for_update().get(pk=head.pk)
                if locked.digest == PENDING:
                    _hash_league(locked)
    finally:
        guards.install(connection)


def _hash_league(head: LogHead) -> None:
    _hash_log(head)
    league = League.objects.filter(pk=head.scope).first()
    if league is not None:
        _hash_players(league)
        imprints.imprint_all(league.pk)
        record_audit(league=league, actor=None, action="league.baseline")


def _hash_season(season: Season, say: Say) -> None:
    contents: defaultdict[int, RevisionContent] = defaultdict(RevisionContent)

    def hashes() -> Iterator[tuple[bytes, int]]:
        for count, match in enumerate(read_matches(season, read_keys(season.league_id)), 1):
            if isinstance(match, Unreadable):
                raise match.error
            match.add_to(contents)
            yield match.present_hash, match.row["pk"]
            if count % 50_000 == 0:
                say(f"{season}: {count} of {season.last_seq} results hashed")

    _set_column(Match, "content_hash", hashes())
    of_season = Revision.objects.filter(season=season, number__isnull=False)
    of_season.update(author_key=models.F("author_id"))
    season.facts_digest = ""

    def digests() -> Iterator[tuple[str, int]]:
        for revision in of_season.select_related("reverts").order_by("number"):
            content = contents.pop(revision.pk, None) or RevisionContent()
            season.facts_digest = hash_revision(season.facts_digest, said_by(revision), content)
            yield season.facts_digest, revision.pk

    _set_column(Revision, "digest", digests())
    season.save(update_fields=["facts_digest"])


def _hash_log(head: LogHead) -> None:
    head.entries, head.digest = 0, ""
    entries = log_of(head.scope).select_related("player")
    for batch in batches(entries.order_by("created_at", "pk").iterator(), BATCH):
        for entry in batch:
            entry.actor_key = entry.actor_id
            entry.person_key = entry.player.key if entry.player else ""
            append_entry(entry, head)
        AuditEntry.objects.bulk_update(
            batch, ["number", "actor_key", "person_key", "digest"], batch_size=200
        )
    head.save()


def _hash_players(league: League) -> None:
    rows = Player.objects.filter(league=league).values_list("pk", "key", "birth_year")
    _set_column(
        Player,
        "identity",
        [(hash_player(league.pk, key, year), pk) for pk, key, year in rows.iterator()],
    )


def _set_column(model: type[models.Model], column: str, values: Iterable[tuple[Any, int]]) -> None:
    """Write one column of many rows; each value comes with the key of its row."""
    table = connection.ops.quote_name(model._meta.db_table)
    sql = f"UPDATE {table} SET {column} = %s WHERE id = %s"  # noqa: S608
    for batch in batches(values, BATCH):
        with connection.cursor() as cursor:
            cursor.executemany(sql, batch)
