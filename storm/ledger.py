"""What clients were told, against what is stored: every acknowledged result exactly once.

Knows no network and no database. Each result carries a mark of its own, by which it is found.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

Said = Literal["sent", "acknowledged", "refused"]
Facts = dict[str, object]


@dataclass(slots=True)
class Entry:
    """One result: what the server said of it, and what must be stored of it by now.

    `tried` are changes that were sent and not acknowledged: each may have happened or not.
    """

    said: Said = "sent"
    facts: Facts = field(default_factory=dict)
    tried: list[Facts] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Stored:
    """A result as the API tells it at the end."""

    season: str
    seq: int
    mark: str
    facts: Mapping[str, object]


class Ledger:
    """The acknowledged results of all writers, by league and mark."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._entries: dict[tuple[str, str], Entry] = {}

    def send(self, league: str, mark: str, **facts: object) -> None:
        """Note a result before it is sent for the first time."""
        with self._lock:
            self._entries[league, mark] = Entry(facts=facts)

    def acknowledge(self, league: str, *marks: str) -> None:
        """Note that the server took results: from now on each must be there once."""
        with self._lock:
            for mark in marks:
                self._entries[league, mark].said = "acknowledged"

    def refuse(self, league: str, *marks: str) -> None:
        """Note that the server refused results: none of them may be there."""
        with self._lock:
            for mark in marks:
                self._entries[league, mark].said = "refused"

    def try_change(self, league: str, mark: str, **facts: object) -> None:
        """Note a change before it is sent."""
        with self._lock:
            self._entries[league, mark].tried.append(facts)

    def settle_change(self, league: str, mark: str, **facts: object) -> None:
        """Note that the server acknowledged a change, and with it all that came before."""
        with self._lock:
            entry = self._entries[league, mark]
            entry.facts |= facts
            entry.tried.clear()

    @property
    def leagues(self) -> list[str]:
        """The leagues that anything was sent to."""
        with self._lock:
            return sorted({league for league, _mark in self._entries})

    def counts(self) -> dict[str, int]:
        """How many results the server took, refused, or never answered for."""
        with self._lock:
            said = [entry.said for entry in self._entries.values()]
        return {word: said.count(word) for word in ("acknowledged", "refused", "sent")}

    def judge(self, league: str, stored: Iterable[Stored]) -> list[str]:
        """Say what is wrong with the stored results of a league, a sentence each."""
        found: dict[str, list[Stored]] = {}
        seqs: dict[str, list[int]] = {}
        for row in stored:
            found.setdefault(row.mark, []).append(row)
            seqs.setdefault(row.season, []).append(row.seq)
        with self._lock:
            entries = {mark: row for (where, mark), row in self._entries.items() if where == league}
        problems = [f"{league}: {mark} was never sent" for mark in found if mark not in entries]
        for mark, entry in entries.items():
            problems += (f"{league}: {mark} {what}" for what in _wrong(entry, found.get(mark, [])))
        for season, numbers in seqs.items():
            if sorted(numbers) != list(range(1, len(numbers) + 1)):
                problems.append(f"{league}: the numbers of {season} have a gap or a double")
        return problems


def _wrong(entry: Entry, rows: list[Stored]) -> Iterable[str]:
    if len(rows) > 1:
        yield f"is stored {len(rows)} times"
    if entry.said == "acknowledged" and not rows:
        yield "was acknowledged and is lost"
    if entry.said == "refused" and rows:
        yield "was refused and is stored"
    for row in rows:
        states = _possible(entry)
        if not any(_agrees(row.facts, state) for state in states):
            yield f"should be one of {states} and is {dict(row.facts)}"


def _possible(entry: Entry) -> list[Facts]:
    """Every state in which the changes that were never answered can have left a result."""
    states = [entry.facts]
    for change in entry.tried:
        states += [state | change for state in states]
    return states


def _agrees(row: Mapping[str, object], state: Facts) -> bool:
    return all(row.get(name) == value for name, value in state.items())
