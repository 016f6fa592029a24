"""The rows of an import on their way into the database, where nobody sees them yet.

They are written in short transactions, and thrown away by whoever finds them left behind.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from datetime import datetime
from functools import partial
from typing import Any, Final, NamedTuple, Self

import numpy as np
from django.db import connection, transaction
from django.utils import timezone

from leagues.jobs.faults import faultpoint
from leagues.jobs.queue import Claim
from leagues.models import (
    Match,
    MatchEvent,
    Mode,
    Participant,
    Player,
    Revision,
    Season,
    Upload,
)
from leagues.services.drafts import (
    MatchDraft,
    events_of,
    handicaps_of,
    leaving_of,
    players_of,
    sides_of,
)
from leagues.services.import_ids import source_of
from leagues.services.import_reading import Reading
from leagues.services.import_rows import Row
from leagues.services.match_rows import EVENT_COLUMNS, event_rows, fields_of
from leagues.services.rosters import add_identities
from leagues.store.bulk import (
    KeyStock,
    give_keys,
    insert_rows,
    prepare_to_stage,
    rows_of,
    unmap_file,
)
from leagues.store.column_writes import NULL_INSTANT, Column, insertion_of
from leagues.store.hashes import RevisionContent, hash_match, micros

BATCH: Final = {"sqlite": 256, "postgresql": 4000}
"""Matches written in one transaction. All other writers of SQLite wait for its 15 to 70
milliseconds; writers of PostgreSQL wait for none."""
MAX_BATCHES_UNDER_WAY: Final = {"sqlite": 15, "postgresql": 1}
"""Laid out or being written: reading goes on while SQLite clears its log."""
USUAL_SWITCH_SECONDS: Final = sys.getswitchinterval()
SWITCH_SECONDS: Final = 0.0001
"""How long the thread that writes waits for the one that reads, whenever the database has answered.

Of Python's own 5 ms an import of 300,000 rows lost a second of 16.
"""


class _Batch(NamedTuple):
    """Some rows with the hashes of what is stored of them, and who is new among their players."""

    rows: list[Row]
    hashes: list[bytes]
    recorded_at: datetime
    fresh: list[Player]
    revision: Revision


class Staging:
    """The rows of one import, staged a batch at a time: by a thread, while others are read."""

    def __init__(self, claim: Claim, upload: Upload, reading: Reading) -> None:
        self.claim, self.upload, self.reading = claim, upload, reading
        self.revived: list[int] = []
        """Matches that an undone import brought, and that count again."""
        self.content = RevisionContent()
        """What is staged, for the digest of the revision."""
        self.players: set[int] = set()
        """Whose matches are staged."""
        self._waiting: list[Row] = []
        self._stored_players = 0
        """How many of the new players of the roster are stored."""
        self._batch = BATCH[connection.vendor]
        self._match_keys, self._player_keys = KeyStock(Match), KeyStock(Player)
        self._writer: ThreadPoolExecutor | None = None
        self._under_way: deque[Future[None]] = deque()
        self._is_given_up = False
        """Whether nothing more is to be written."""

    def __enter__(self) -> Self:
        # In a caller's transaction another connection would see nothing.
        if not connection.in_atomic_block:
            unmap_file()
            self._writer = ThreadPoolExecutor(1, "staging")
            self._under_way.append(self._writer.submit(self._in_turn, prepare_to_stage))
            sys.setswitchinterval(SWITCH_SECONDS)
        return self

    def __exit__(self, *_: object) -> None:
        writer, self._writer = self._writer, None
        if writer is None:
            return
        sys.setswitchinterval(USUAL_SWITCH_SECONDS)
        self._is_given_up = True
        writer.submit(_close_own_connection)
        writer.shutdown()
        if connection.vendor == "sqlite":
            # It is opened as usual by whoever needs it next.
            connection.close()

    @property
    def revision(self) -> Revision:
        kind = Revision.Kind.PLAYERS if self.reading.is_of_players else Revision.Kind.IMPORT
        return self.upload.revision or _staged_revision(self.claim, self.upload, kind)

    def take(self, row: Row) -> None:
        """Stage one row, together with those before it once there are enough."""
        if row.known is not None:
            self.revived.append(row.known.match_id)
            return
        self._waiting.append(row)
        if len(self._waiting) == self._batch:
            self.write()

    def write(self) -> None:
        """Begin to stage what waits, and who is new, once what was staged before is there."""
        rows, self._waiting = self._waiting, []
        recorded_at = timezone.now()
        hashes = self._hashes_of(rows, recorded_at)
        fresh = self.reading.roster.fresh[self._stored_players :]
        self._stored_players += len(fresh)
        batch = _Batch(rows, hashes, recorded_at, fresh, self.revision)
        if self._writer is None:
            self._store(batch, self._steps_of(batch))
        else:
            # While those before are still written.
            steps = self._steps_of(batch)
            self._wait_until_at_most(MAX_BATCHES_UNDER_WAY[connection.vendor] - 1)
            store = partial(self._store, batch, steps)
            self._under_way.append(self._writer.submit(self._in_turn, store))

    def finish(self) -> None:
        """Wait until all is there that was begun."""
        self._wait_until_at_most(0)

    def _wait_until_at_most(self, count: int) -> None:
        while len(self._under_way) > count:
            self._under_way.popleft().result()

    def _in_turn(self, work: Callable[[], None]) -> None:
        """Do some work of the thread that writes, unless something before it failed."""
        if self._is_given_up:
            return
        try:
            work()
        except BaseException:
            self._is_given_up = True
            raise

    def _hashes_of(self, rows: list[Row], recorded_at: datetime) -> list[bytes]:
        common = {
            "league_id": self.reading.season.league_id,
            "mode_id": self.reading.mode.pk,
            "recorded_at": recorded_at,
        }
        return [_hash_of(row, common) for row in rows]

    def _steps_of(self, batch: _Batch) -> list[Callable[[], None]]:
        """What inserts a batch, in one transaction of any thread: none shares a row with it."""
        season, mode = self.reading.season, self.reading.mode
        return [
            *_player_steps(batch, self._player_keys),
            *_match_steps(batch, self._match_keys, season=season, mode=mode),
        ]

    def _store(self, batch: _Batch, steps: Sequence[Callable[[], None]]) -> None:
        """Insert a batch, on the connection of the thread that writes."""
        with transaction.atomic():
            if connection.vendor == "sqlite":
                # Nobody else can write now; foreign keys are looked up at the commit.
                self.claim.fence()
                _run(steps)
            else:
                _run(steps)
                # Last of all, foreign keys included: whoever reports progress waits for it.
                connection.check_constraints()
                self.claim.fence()
        self._note(batch)

    def _note(self, batch: _Batch) -> None:
        """Note what is staged now."""
        for content_hash in batch.hashes:
            self.content.add_match(content_hash)
        self.players.update([player.id for row in batch.rows for player in players_of(row.draft)])
        faultpoint("import_batch")

    def throw_away(self) -> None:
        """Leave nothing of it behind."""
        self._is_given_up = True
        wait(self._under_way)
        self._under_way.clear()
        if self.upload.revision is not None:
            unstage(self.claim, self.upload.revision)
            give_up(self.upload.revision)


def _run(steps: Sequence[Callable[[], None]]) -> None:
    for step in steps:
        step()


def _close_own_connection() -> None:
    """Close the connection of the thread that runs this, which no other thread may close."""
    connection.close()


def _staged_revision(claim: Claim, upload: Upload, kind: str) -> Revision:
    with transaction.atomic():
        claim.fence()
        upload.revision = Revision.objects.create(
            league_id=upload.league_id,
            season=upload.season,
            kind=kind,
            state=Revision.State.STAGED,
            source=source_of(upload.mode),
            author=upload.author,
        )
        upload.save(update_fields=["revision"])
    return upload.revision


def unstage(claim: Claim, revision: Revision) -> None:
    """Throw away what an import left that did not end; nobody has seen it."""
    staged = Match.objects.filter(revision=revision, status=Match.Status.STAGED)
    while keys := list(staged.values_list("pk", flat=True)[: BATCH[connection.vendor]]):
        with transaction.atomic():
            claim.fence()
            Participant.objects.filter(match__in=keys).delete()
            Match.objects.filter(pk__in=keys).delete()
    with transaction.atomic():
        claim.fence()
        revision.players.filter(participations__isnull=True).delete()


def give_up(revision: Revision) -> None:
    """Close a revision that was never applied; who was named by hand meanwhile stays."""
    with transaction.atomic():
        revision.players.update(revision=None)
        Upload.objects.filter(revision=revision).update(revision=None)
        Revision.objects.filter(pk=revision.pk).update(state=Revision.State.ABANDONED)


def _player_steps(batch: _Batch, stock: KeyStock) -> Iterator[Callable[[], None]]:
    """Yield what inserts the new players, who are listed once the import counts."""
    if not batch.fresh:
        return
    for player in batch.fresh:
        player.revision_id, player.is_listed = batch.revision.pk, False
        # Nobody asks for the league of these again, and it takes 18 MB of 100,000.
        del player._state.fields_cache
    add_identities(batch.fresh)
    give_keys(batch.fresh, stock.take(len(batch.fresh)))
    yield partial(insert_rows, Player, *rows_of(Player, batch.fresh))


def _match_steps(
    batch: _Batch, stock: KeyStock, *, season: Season, mode: Mode
) -> list[Callable[[], None]]:
    """What inserts matches that nobody sees yet."""
    drafts = [row.draft for row in batch.rows]
    if not drafts:
        return []
    keys = stock.take(len(drafts))
    columns: dict[str, Column] = {
        "id": np.array(keys),
        "league_id": season.league_id,
        "mode_id": mode.pk,
        **_columns_of(drafts),
        "season_id": season.pk,
        "seq": None,
        "status": Match.Status.STAGED.value,
        "source": [row.source for row in batch.rows],
        "payload_hash": [row.content for row in batch.rows],
        "content_hash": np.frombuffer(b"".join(batch.hashes), np.uint8).reshape(len(drafts), -1),
        "version": 1,
        "revision_id": batch.revision.pk,
        "touched_in_revision": None,
        "entered_by_id": batch.revision.author_id,
        "recorded_at": micros(batch.recorded_at),
    }
    return [
        insertion_of(Match, columns, len(drafts)).laid_out().run,
        partial(faultpoint, "after_insert_match"),
        *_part_steps(season.league_id, keys, drafts),
    ]


def _hash_of(row: Row, common: dict[str, Any]) -> bytes:
    """The hash of the match that a row becomes, with what all matches of its import have alike."""
    draft = row.draft
    fields = fields_of(draft)
    fields.update(common, payload_hash=row.content, source=row.source)
    return hash_match(
        fields,
        sides_of(draft),
        events_of(draft),
        leaving_of(draft),
        handicaps_of(draft),
    )


def _columns_of(drafts: Sequence[MatchDraft]) -> dict[str, Column]:
    """What drafts say themselves."""
    return {
        "played_at": np.array([micros(draft.played_at) for draft in drafts]),
        "date_only": np.array([draft.date_only for draft in drafts]),
        "same_time_order": np.array([draft.same_time_order for draft in drafts]),
        "kind": [draft.kind for draft in drafts],
        "weight": np.array([draft.weight for draft in drafts]),
        "detail": [draft.detail for draft in drafts],
        "sets": [draft.sets for draft in drafts],
        "external_id": [draft.external_id for draft in drafts],
        **_start_columns_of(drafts),
    }


def _start_columns_of(drafts: Sequence[MatchDraft]) -> dict[str, Column]:
    """What drafts say of their starts; most files have none."""
    starts = [draft.start for draft in drafts]
    if not any(starts):
        return {"started_at": None, "deadline_at": None, "rungs_lost": 0}
    return {
        "started_at": np.array([micros(one.at) if one else NULL_INSTANT for one in starts]),
        "deadline_at": np.array([micros(one.deadline) if one else NULL_INSTANT for one in starts]),
        "rungs_lost": np.array([one.rungs if one else 0 for one in starts]),
    }


def _part_steps(
    league_id: int, keys: Sequence[int], drafts: Sequence[MatchDraft]
) -> Iterator[Callable[[], None]]:
    """Yield what inserts the participants and the events of staged matches."""
    rows = [
        (
            key,
            member.player.id,
            number,
            side.rank,
            side.score,
            side.handicap,
            member.own_score,
            member.playing_share,
            member.leaving,
        )
        for key, draft in zip(keys, drafts, strict=True)
        for number, side in enumerate(draft.sides)
        for member in side.members
    ]
    match, player, side, rank, score, handicap, own_score, share, leaving = zip(*rows, strict=True)
    columns: dict[str, Column] = {
        "league_id": league_id,
        "match_id": np.array(match),
        "player_id": np.array(player),
        "side": np.array(side),
        "rank": np.array(rank),
        "score": score,
        "handicap": np.array(handicap),
        "own_score": own_score,
        "playing_share": np.array(share, dtype=np.float64),
        "leaving": leaving,
    }
    yield insertion_of(Participant, columns, len(rows)).laid_out().run
    if any(draft.events for draft in drafts):
        happened = [
            row
            for key, draft in zip(keys, drafts, strict=True)
            for row in event_rows(league_id, key, draft)
        ]
        yield partial(insert_rows, MatchEvent, EVENT_COLUMNS, happened)
