"""What a match of two sides needs beside its lines: half-times, and rounds that are taken back."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import Final

from ratings.gamelogs.building import SessionDraft

MAX_SWAPPING: Final = 500
"""Connections of a game of two sides: of more nobody is looked through at every change of sides."""


class SideSwitches:
    """The players who change sides in one moment."""

    def __init__(self) -> None:
        self._switches: Counter[tuple[str, str]] = Counter()
        self._at = 0.0

    def add(self, draft: SessionDraft, before: str, after: str) -> None:
        """Somebody goes from one side to another."""
        self._switches[before, after] += 1
        self._at = draft.now

    def settle(self, draft: SessionDraft) -> None:
        """Where both sides have swapped in a moment that is past, swap those who have left too."""
        if not self._switches or draft.now == self._at:
            return
        switches, self._switches = self._switches, Counter()
        pairs = list(switches)
        if len(pairs) != 2 or pairs[0] != pairs[1][::-1]:
            return
        if len(draft.clients) + len(draft.carried) > MAX_SWAPPING:
            return
        here = chain(draft.present.values(), draft.carried.values())
        if switches.total() * 2 <= sum(not client.is_spectating for client in here):
            return
        other = dict(pairs)
        for client in draft.clients:
            if client.until is not None:
                client.team = other.get(client.team, client.team)


class Rounds:
    """The rounds of a match: how many were played after each, and with which event each begins."""

    def __init__(self) -> None:
        self._begin: int | None = None
        self._won: list[tuple[int, int]] = []
        self.has_begun = False
        self.is_reloaded = False
        """Whether the match was set back and no round has been won since."""

    def begin(self, draft: SessionDraft) -> None:
        """A round begins here."""
        self._begin, self.has_begun = len(draft.events), True

    def win(self, draft: SessionDraft, total: int) -> None:
        """The round is won, as number `total`; one of that number before it was taken back."""
        begin = first = self._begin or 0
        if self.is_reloaded:
            while self._won and self._won[-1][0] >= total:
                first = self._won.pop()[1]
            del draft.events[first:begin]
        self._won.append((total, first))
        self._begin, self.has_begun, self.is_reloaded = None, True, False
