"""Who was who: connections of a session put together to players.

A connection has a name and perhaps an id. An id tells people apart unless it stands for nobody in
particular, or two of different names had it at once; else the name at the end does.
"""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Final

from ratings.files.names import fold_name

MAX_NAMES: Final = 32
"""Names of a connection that are kept; of more, the first ones and the last."""

MAX_SHARED_IDS: Final = 10_000
"""Ids of several people that are remembered for the rest of a log."""

_ID = re.compile(r"[A-Za-z0-9._:@+/#|\[\]-]{1,64}", re.ASCII)
_ADDRESS = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}|\[?[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){3}")
"""How a network address begins, which some mods write in place of an id; none is ever kept."""

_OF_NOBODY: Final = frozenset(
    {"bot", "console", "steam_id_pending", "steam_id_lan", "valve_id_lan", "valve_id_pending"}
    | {"hltv", "unknown", "none", "noguid", "unauthed", "world"}
)


@dataclass(slots=True, eq=False)
class Connection:
    """One connection: whoever holds a slot of the server from joining to leaving."""

    since: float
    first_line: int
    id: str = ""
    names: list[str] = field(default_factory=list)
    team: str = ""
    is_bot: bool = False
    is_spectating: bool = False
    has_played: bool = False
    until: float | None = None
    last_line: int | None = None
    seen_line: int | None = None
    """The last line that names the player, where leaving may go unwritten."""
    slot: Hashable = None
    is_beyond_limit: bool = False
    """Whether the session has as many connections as it may: what this one does is left out."""

    def rename(self, name: str) -> None:
        """Add a name, if it is another than the present one."""
        if self.names and self.names[-1] == name:
            return
        if len(self.names) >= MAX_NAMES:
            self.names.pop()
        self.names.append(name)

    def renewed(self, since: float, line: int) -> Connection:
        """The same connection in the session that begins now."""
        client = Connection(since, line, self.id, self.names[-1:], self.team, self.is_bot)
        client.slot = self.slot
        client.is_spectating = self.is_spectating
        client.has_played = bool(self.names) and not self.is_spectating
        return client


def usable_id(text: str) -> str:
    """The id, or nothing where it stands for nobody in particular."""
    if not _ID.fullmatch(text) or text.lower() in _OF_NOBODY or _ADDRESS.match(text):
        return ""
    # An account's number is the last one of STEAM_x:y:z and [U:1:z]; noughts are no number.
    return text if text.rpartition(":")[2].strip("0-]") else ""


def grouped(
    clients: Sequence[Connection], shared_ids: set[str]
) -> list[tuple[str | None, list[Connection]]]:
    """The clients of each player with the player's identity, in order of appearance.

    `shared_ids` remembers the ids that several had at once, for the rest of the log.
    """
    by_id: dict[str, list[Connection]] = {}
    for client in clients:
        if client.id and not client.is_bot:
            by_id.setdefault(client.id, []).append(client)
    if len(shared_ids) < MAX_SHARED_IDS:
        shared_ids |= {key for key, group in by_id.items() if _is_shared(group)}
    groups: dict[str, list[Connection]] = {}
    for client in clients:
        groups.setdefault(_key(client, shared_ids), []).append(client)
    players: list[tuple[str | None, list[Connection]]] = []
    for key, group in groups.items():
        if key.startswith("id:") or not _overlap(group):
            players.append((key, group))
        else:
            players += [(None, [client]) for client in group]
    return sorted(players, key=lambda player: player[1][0].first_line)


def _key(client: Connection, shared_ids: set[str]) -> str:
    if client.is_bot:
        return f"bot:{fold_name(client.names[-1])}"
    if client.id and client.id not in shared_ids:
        return f"id:{client.id}"
    return f"name:{fold_name(client.names[-1])}"


def _is_shared(group: list[Connection]) -> bool:
    """Whether two of different names were there at once.

    One name twice is a connection that hangs while its player is back already.
    """
    longest = group[0]
    for client in group[1:]:
        if client.first_line < (longest.seen_line or _end(longest)):
            names = {fold_name(name) for name in longest.names}
            if names.isdisjoint(fold_name(name) for name in client.names):
                return True
        longest = max(longest, client, key=_end)
    return False


def _overlap(group: list[Connection]) -> bool:
    longest = group[0]
    for client in group[1:]:
        if client.first_line < _end(longest):
            return True
        longest = max(longest, client, key=_end)
    return False


def _end(client: Connection) -> float:
    return math.inf if client.last_line is None else client.last_line
