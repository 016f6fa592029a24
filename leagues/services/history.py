"""Is what was said still what is stored? Hashes of matches, revisions, settings and logs compared.

A replay finds what was changed in ratings. This finds what was changed in the facts and settings
that a replay starts from, and in the record of who changed them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from django.db.models import Exists, OuterRef
from django.utils import timezone

from leagues.models import (
    AuditEntry,
    Imprint,
    League,
    LedgerEntry,
    LogHead,
    Match,
    MatchEvent,
    MatchVersion,
    Participant,
    Player,
    Revision,
    Season,
)
from leagues.services import audit
from leagues.services.audit import log_of
from leagues.services.integrity import joined_digest
from leagues.services.merged_players import recorded_merges
from leagues.services.past import (
    PastMatch,
    Unreadable,
    read_keys,
    read_matches,
    read_places,
)
from leagues.services.revisions import said_by
from leagues.store import imprints
from leagues.store.hashes import RevisionContent, hash_entry, hash_player, hash_revision
from leagues.store.outages import is_outage
from leagues.store.snapshot import snapshot

MAX_FINDINGS: Final = 1000
MAX_REPORTS: Final = 200


@dataclass(frozen=True, slots=True)
class Finding:
    """One row that is not what was recorded of it."""

    table: str
    row: str
    what: str
    stored: str = ""
    recorded: str = ""


@dataclass(frozen=True, slots=True)
class LeagueReport:
    """What the check of a league's record found; `None` stands for the site."""

    league: League | None
    settings: tuple[Finding, ...]
    """In its log, its players and its settings."""
    seasons: dict[Season, tuple[Finding, ...]]

    @property
    def differences(self) -> int:
        return len(self.settings) + sum(len(findings) for findings in self.seasons.values())


def check_league(league_id: int) -> LeagueReport:
    """Compare what a league's seasons, settings and log hold with the hashes of them."""
    with snapshot():
        slug, name = League.objects.values_list("slug", "name").get(pk=league_id)
        league = League(pk=league_id, slug=slug, name=name)
        keys = read_keys(league_id)
        slugs = Season.objects.filter(league_id=league_id).order_by("pk").values_list("pk", "slug")
        seasons = dict(_check_season(pk, slug, keys) for pk, slug in slugs)
        settings = _read_out("leagues_auditentry", f"of {slug}", _log_findings(league_id))
        settings += _read_out("leagues_player", f"of {slug}", _player_findings(league_id))
        settings += _read_out("leagues_imprint", f"of {slug}", _imprint_findings(league_id))
        settings += _read_out("leagues_league", slug, _orphans(league_id))
        return LeagueReport(league, settings, seasons)


def _check_season(pk: int, slug: str, keys: dict[int, str]) -> tuple[Season, tuple[Finding, ...]]:
    season = Season(pk=pk, slug=slug)
    return season, _read_out("leagues_season", slug, _season_findings(pk, keys))


def check_site() -> LeagueReport:
    """Compare the log of the site with its hashes, and look for rows that belong to nothing."""
    with snapshot():
        return LeagueReport(None, _read_out("leagues_auditentry", "site", _site_findings()), {})


def note_league(report: LeagueReport) -> None:
    """Write what was found to the seasons and the league, for their pages to say."""
    if report.league is None:
        return
    now = timezone.now()
    League.objects.filter(pk=report.league.pk).update(
        checked_at=now, differences=len(report.settings)
    )
    for season, findings in report.seasons.items():
        Season.objects.filter(pk=season.pk).update(checked_at=now, differences=len(findings))


def _read_out(table: str, row: object, findings: Iterator[Finding]) -> tuple[Finding, ...]:
    """The first findings; what no release writes can break any reading, and ends them."""
    all_findings: list[Finding] = []
    try:
        all_findings.extend(islice(findings, MAX_FINDINGS))
    except Exception as error:
        if is_outage(error):
            raise
        all_findings.append(_unreadable(table, row, error))
    return tuple(all_findings)


def _unreadable(table: str, row: object, error: Exception) -> Finding:
    return Finding(table, str(row), "cannot be read", stored=repr(error)[:MAX_REPORTS])


def check_matches(
    season: Season, places: Sequence[tuple[int, int]], keys: Mapping[int, str]
) -> tuple[Finding, ...]:
    """Compare some matches of a season, by id and seq, with their hashes; inside a snapshot."""
    matches = read_places(places, keys)
    readable = [match for match in matches if isinstance(match, PastMatch)]
    said_in = {match.row["revision_id"] for match in readable}
    said_in |= {version["revision_id"] for match in readable for version in match.versions}
    revisions = Revision.objects.filter(season_id=season.pk, number__isnull=False).in_bulk(said_in)
    return tuple(finding for match in matches for finding in _findings_of(season, match, revisions))


def _findings_of(
    season: Season, match: PastMatch | Unreadable, revisions: Mapping[int, Revision]
) -> tuple[Finding, ...]:
    name = f"{match.pk} (result {match.seq})"
    if isinstance(match, Unreadable):
        return (_unreadable("leagues_match", name, match.error),)
    return _read_out("leagues_match", name, _match_findings(season, match, revisions))


def _season_findings(season_id: int, keys: dict[int, str]) -> Iterator[Finding]:
    season = Season.objects.get(pk=season_id)
    revisions = {
        revision.pk: revision
        for revision in Revision.objects.filter(
            season_id=season.pk, number__isnull=False
        ).select_related("reverts")
    }
    contents: defaultdict[int, RevisionContent] = defaultdict(RevisionContent)
    seq = 0
    for match in read_matches(season, keys):
        number = match.seq
        yield from _missing("leagues_match", "result", seq, number)
        seq = number
        yield from _findings_of(season, match, revisions)
        if isinstance(match, Unreadable):
            continue
        try:
            match.add_to(contents)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            yield _unreadable("leagues_match", f"{match.pk} (result {number})", error)
    yield from _missing("leagues_match", "result", seq, season.last_seq + 1)
    if seq != season.last_seq:
        yield _season_finding(season, "last_seq", season.last_seq, seq)
    yield from _revision_findings(season, revisions, contents)
    for key in LedgerEntry._base_manager.filter(season_id=season.pk).values_list("pk"):
        yield Finding(LedgerEntry._meta.db_table, str(key[0]), "belongs to no revision")
    yield from _seal_findings(season)


def _missing(table: str, word: str, before: int, number: int) -> Iterator[Finding]:
    """Yield the numbers between two that follow one another, the first of a long gap only."""
    for absent in islice(range(before + 1, number), 20):
        yield Finding(table, "", f"{word} {absent} is missing")


def _match_findings(
    season: Season, match: PastMatch, revisions: Mapping[int, Revision]
) -> Iterator[Finding]:
    row = match.row
    name = f"{match.pk} (result {match.seq})"

    def differs(what: str, stored: object, recorded: object) -> Finding:
        return Finding("leagues_match", name, what, str(stored), str(recorded))

    if bytes(row["content_hash"]) != match.present_hash:
        yield differs("content", match.present_hash.hex(), bytes(row["content_hash"]).hex())
    for what, stored in (
        ("sides", sorted({participant["side"] for participant in match.participants})),
        ("events", [event["position"] for event in match.events]),
    ):
        if stored != list(range(len(stored))):
            yield differs(what, stored, list(range(len(stored))))
    yield from _league_findings(season, match)
    numbers = [version["version"] for version in match.versions]
    # The number of the present version may be anything here: it makes no list.
    if numbers != list(range(1, len(numbers) + 1)) or len(numbers) != row["version"] - 1:
        present = f"current version {row['version']}"
        yield Finding("leagues_matchversion", f"of match {name}", "versions", str(numbers), present)
    first = revisions.get(row["revision_id"])
    last = revisions.get(match.versions[-1]["revision_id"]) if match.versions else first
    if first is None or last is None:
        yield differs("revision", row["revision_id"], "a revision of its season")
        return
    if row["touched_in_revision"] != last.number:
        yield differs("touched_in_revision", row["touched_in_revision"], last.number)
    if (status := _expected_status(match)) and row["status"] != status:
        yield differs("status", row["status"], status)
    if row["entered_by_id"] not in (None, first.author_key):
        yield differs("entered_by", row["entered_by_id"], first.author_key)


def _league_findings(season: Season, match: PastMatch) -> Iterator[Finding]:
    for table, others in (
        ("leagues_participant", match.participants),
        ("leagues_matchevent", match.events),
        ("leagues_matchversion", match.versions),
    ):
        for other in others:
            if other["league_id"] != season.league_id:
                known = str(other["league_id"]), str(season.league_id)
                yield Finding(table, str(other["id"]), "league", *known)


def _expected_status(match: PastMatch) -> str:
    """Whether a match counts, as its last version says; empty where that was another content."""
    if not match.versions:
        return Match.Status.LIVE.value
    last = match.versions[-1]["content"]
    if "sides" in last:
        return ""
    was_live = last.get("status") == Match.Status.LIVE.value
    return Match.Status.VOID.value if was_live else Match.Status.LIVE.value


def _revision_findings(
    season: Season, revisions: dict[int, Revision], contents: dict[int, RevisionContent]
) -> Iterator[Finding]:
    table = Revision._meta.db_table
    number, digest = 0, ""
    for revision in sorted(revisions.values(), key=lambda row: row.number or 0):
        stored = revision.number or 0
        yield from _missing(table, f"revision of {season.slug}", number, stored)
        number = stored
        name = f"{revision.pk} (revision {stored} of {season.slug})"
        computed = hash_revision(
            digest, said_by(revision), contents.get(revision.pk, RevisionContent())
        )
        if computed != revision.digest:
            yield Finding(table, name, "digest", computed, revision.digest)
        if revision.author_id not in (None, revision.author_key):
            yield Finding(table, name, "author", str(revision.author_id), str(revision.author_key))
        if revision.league_id != season.league_id:
            yield Finding(table, name, "league", str(revision.league_id), str(season.league_id))
        digest = revision.digest
    if number != season.last_revision:
        yield from _missing(table, f"revision of {season.slug}", number, season.last_revision + 1)
        yield _season_finding(season, "last_revision", season.last_revision, number)
    if digest != season.facts_digest:
        yield _season_finding(season, "facts_digest", season.facts_digest, digest)


def _seal_findings(season: Season) -> Iterator[Finding]:
    """Compare the seal of a season with those of its boards, which their own checks compare."""
    if not season.is_sealed:
        return
    boards = season.boards.select_related("mode").order_by("pk")
    expected = joined_digest({board: board.seal for board in boards})
    if season.sealed_digest != expected:
        yield _season_finding(season, "seal", season.sealed_digest or "none", expected)
    sealings = AuditEntry.objects.filter(season_id=season.pk, action="season.seal")
    digests = [(entry or {}).get("digest") for entry in sealings.values_list("after", flat=True)]
    if season.sealed_digest not in digests:
        yield _season_finding(season, "seal without a log entry", "there", "missing")


def _season_finding(season: Season, what: str, stored: object, recorded: object) -> Finding:
    name = f"{season.pk} ({season.slug})"
    return Finding("leagues_season", name, what, str(stored), str(recorded))


def _player_findings(league_id: int) -> Iterator[Finding]:
    players = Player.objects.filter(league_id=league_id).order_by("pk")
    for pk, key, year, identity in players.values_list(
        "pk", "key", "birth_year", "identity"
    ).iterator():
        if hash_player(league_id, key, year) != identity:
            yield Finding("leagues_player", f"{pk} ({key})", "key or year of birth")
    recorded = recorded_merges(league_id)
    stored = dict(players.filter(merged_into__isnull=False).values_list("key", "merged_into__key"))
    for key in sorted(recorded.keys() | stored.keys()):
        if stored.get(key) != recorded.get(key):
            what = str(stored.get(key)), str(recorded.get(key))
            yield Finding("leagues_player", key, "merged into", *what)


def _imprint_findings(league_id: int) -> Iterator[Finding]:
    for row, imprint, column, stored, recorded in imprints.compare(league_id):
        if row is not None and imprint is None:
            yield Finding(row._meta.db_table, str(row.pk), "was not recorded")
        elif row is None and imprint is not None:
            yield Finding(imprint.table, str(imprint.row), "was deleted")
        elif row is not None:
            yield Finding(row._meta.db_table, str(row.pk), column, repr(stored), repr(recorded))


def _orphans(league_id: int) -> Iterator[Finding]:
    """Yield rows about matches that are not there."""
    for model in (Participant, MatchVersion, MatchEvent):
        rows = model._base_manager.filter(
            ~Exists(Match.objects.filter(pk=OuterRef("match_id"))), league_id=league_id
        )
        for key, match in rows.values_list("pk", "match_id")[:MAX_FINDINGS]:
            yield Finding(
                model._meta.db_table, str(key), f"belongs to match {match}, which is missing"
            )


def _site_findings() -> Iterator[Finding]:
    yield from _log_findings(0)
    leagues = League.objects.values("pk")
    for imprint in Imprint.objects.exclude(league_id__in=leagues).order_by("pk"):
        yield Finding(imprint.table, str(imprint.row), "was deleted")
    for head in LogHead.objects.exclude(scope=0).exclude(scope__in=leagues):
        yield Finding(LogHead._meta.db_table, str(head.scope), "belongs to no league")


def _log_findings(scope: int) -> Iterator[Finding]:
    table = AuditEntry._meta.db_table
    head = LogHead.objects.filter(scope=scope).first() or LogHead(scope=scope)
    entries = log_of(scope).select_related("player")
    if scope and not entries.exists():
        # Each league has an entry since it was made, or since entries were counted.
        yield Finding(table, "", "the log is empty")
    number, digest = 0, ""
    for entry in entries.order_by("number", "pk").iterator(chunk_size=1000):
        if entry.number is None:
            yield Finding(table, str(entry.pk), "was not recorded")
            continue
        yield from _missing(table, "log entry", number, entry.number)
        number = entry.number
        name = f"{entry.pk} (log entry {number})"
        computed = hash_entry(digest, audit.said_by(entry))
        if computed != entry.digest:
            yield Finding(table, name, "digest", computed, entry.digest)
        if entry.actor_id not in (None, entry.actor_key):
            yield Finding(table, name, "actor", str(entry.actor_id), str(entry.actor_key))
        if entry.player is not None and entry.player.key != entry.person_key:
            yield Finding(table, name, "player", entry.player.key, entry.person_key)
        digest = entry.digest
    if number < head.entries:
        yield from _missing(table, "log entry", number, head.entries + 1)
    if (number, digest) != (head.entries, head.digest):
        stored, recorded = f"{number} {digest}", f"{head.entries} {head.digest}"
        yield Finding(LogHead._meta.db_table, str(scope), "end of the log", stored, recorded)
