"""What undoes the log entries about players who left or came back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from leagues.models import AuditEntry, League
from leagues.services.leaving import LEFT, RETURNED


def leaving_undoing(
    entries: Sequence[AuditEntry], league: League
) -> Mapping[int, Mapping[str, str]]:
    """What undoes entries about players who left or came back, by id: as long as they hold."""
    said = [entry for entry in entries if entry.action in (LEFT, RETURNED) and entry.player]
    if not said:
        return {}
    players = league.players.listed().filter(key__in={entry.subject for entry in said})
    now = dict(players.values_list("key", "left_at"))
    undoing = {}
    for entry in said:
        before, after = ((words or {}).get("left_at") for words in (entry.before, entry.after))
        moment = now.get(entry.subject)
        left_at = moment.isoformat() if moment else None
        if entry.subject in now and left_at == after:
            undoing[entry.pk] = {"left_at": before or "", "was": after or ""}
    return undoing
