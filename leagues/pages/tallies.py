"""How what somebody has won and lost is written: as the matches of a board are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from leagues import wording
from leagues.selectors.meetings import Record
from leagues.store.standing_columns import StandingTable

LOSERS_IN_FREE_FOR_ALLS = 2
"""In duels, of teams too, about one loses for each who wins; of three sides two do."""


@dataclass(frozen=True, slots=True)
class TallyStyle:
    """Draws are shown where there are any; free-for-alls count who came first."""

    has_draws: bool
    counts_firsts: bool = False

    @classmethod
    def of_table(cls, table: StandingTable) -> TallyStyle:
        """The style that fits all of a board's results."""
        won, lost = int(table.won.sum()), int(table.lost.sum())
        is_of_many = won > 0 and lost >= LOSERS_IN_FREE_FOR_ALLS * won
        return cls(bool(table.drawn.any()), is_of_many)

    @classmethod
    def of_records(cls, records: Iterable[Record]) -> TallyStyle:
        """The style that fits what some players did against each other."""
        return cls(any(record.drawn for record in records))

    @property
    def heading(self) -> str:
        if self.counts_firsts:
            return _("Firsts")
        return _("W–D–L") if self.has_draws else _("W–L")

    @property
    def legend(self) -> str:
        if self.counts_firsts:
            return _("came first")
        return _("won, drawn, lost") if self.has_draws else _("won, lost")

    def record(self, record: Record) -> str:
        """What one player did against another."""
        return self.text(record.won, record.drawn, record.lost)

    def text(self, won: int, drawn: int, lost: int) -> str:
        """One player's numbers; of free-for-alls a shared first place is a draw."""
        if self.counts_firsts:
            return _("%(firsts)s of %(all)s") % {
                "firsts": wording.count(won + drawn),
                "all": wording.count(won + drawn + lost),
            }
        return wording.tally(won, drawn, lost) if self.has_draws else wording.tally(won, lost)
