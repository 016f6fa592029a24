"""The record of who changed which setting.

Each entry is numbered in its log and carries the digest of the one before; `LogHead` knows the
newest. So none can be changed, removed or added unnoticed. The row of `LogHead` is the last lock
that a transaction takes: whoever records something holds the seasons it needs already.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from leagues.models import AuditEntry, League, LogHead, Player, PlayerGroup, Season
from leagues.store.hashes import hash_entry, micros, plain_json

ABOUT_PEOPLE: Final = ("account", "member", "player")
"""Entries about people: what they are called is covered by no digest, only their keys are."""
NAMES: Final = frozenset(
    (
        *("name", "username", "first_name", "last_name", "email", "start_source"),
        *PlayerGroup.Kind.values,
    )
)
"""Of what changed in such an entry, the values that no digest covers: they can be erased."""


@transaction.atomic
def record_audit(
    *,
    league: League | None,
    actor: User | None,
    action: str,
    subject: str = "",
    season: Season | None = None,
    player: Player | None = None,
    account: User | None = None,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> AuditEntry:
    """Append who did what, with the old and the new values; secrets never go in here.

    `season`, `player` and `account` are what it was about.
    """
    entry = AuditEntry(
        league=league,
        actor=actor if actor is not None and actor.pk else None,
        action=action,
        subject=subject[:200],
        season=season,
        player=player,
        person_key=str(account.pk) if account is not None else "",
        before=before,
        after=after,
    )
    append_all(league, [entry])
    return entry


@transaction.atomic
def append_all(league: League | None, entries: Sequence[AuditEntry]) -> None:
    """Append entries to the log of a league, or of the site, in their order."""
    if not entries:
        return
    scope = league.pk if league is not None else 0
    head, _ = LogHead.objects.select_for_update().get_or_create(scope=scope)
    for entry in entries:
        entry.created_at = timezone.now()
        entry.actor_key = entry.actor_id
        if entry.player is not None:
            entry.person_key = entry.player.key
        append_entry(entry, head)
    AuditEntry.objects.bulk_create(entries)
    head.save()


def log_of(scope: int) -> QuerySet[AuditEntry]:
    """The entries of the log of a league, or of the site's (0)."""
    return (
        AuditEntry.objects.filter(league=scope)
        if scope
        else AuditEntry.objects.filter(league__isnull=True)
    )


def append_entry(entry: AuditEntry, head: LogHead) -> None:
    """Give an entry the next place in its log."""
    head.entries += 1
    entry.number = head.entries
    entry.digest = head.digest = hash_entry(head.digest, said_by(entry))


def said_by(entry: AuditEntry) -> list[Any]:
    """What a log entry says, for its digest; nobody's name is part of it."""
    is_about_people = entry.action.partition(".")[0] in ABOUT_PEOPLE
    return [
        entry.number,
        entry.action,
        entry.actor_key,
        entry.season_id,
        entry.person_key,
        None if is_about_people else entry.subject,
        _nameless(entry.before, is_about_people),
        _nameless(entry.after, is_about_people),
        micros(entry.created_at),
    ]


def _nameless(values: dict[str, Any] | None, is_about_people: bool) -> Any:
    if values is None or not is_about_people:
        return plain_json(values)
    return plain_json({key: value for key, value in values.items() if key not in NAMES})
