"""Years of birth that a file does not change."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import ngettext

from leagues.models import League, Player
from leagues.services.player_editing import birth_year_problem, players_with_sealed_years


class BirthYears:
    """Years of birth that stay: a sealed season was rated by them, or the new ones cannot be."""

    def __init__(self, league: League) -> None:
        self._sealed = players_with_sealed_years(league)
        self._count = 0
        self._impossible = 0
        self._reason = ""

    def are_sealed(self, player: Player) -> bool:
        """Whether the year of a player stays; counted for the note."""
        is_sealed = player.pk in self._sealed
        self._count += is_sealed
        return is_sealed

    def is_impossible(self, year: int) -> bool:
        """Whether nobody can be born in a year; counted for the note."""
        problems = birth_year_problem(year)
        self._impossible += len(problems)
        self._reason = problems[0].message if problems else self._reason
        return bool(problems)

    def notes(self) -> Iterator[str]:
        """Yield in words how many years stay as they are, and why."""
        if self._impossible:
            words = ngettext(
                "%(count)d year of birth is left out. %(reason)s",
                "%(count)d years of birth are left out. %(reason)s",
                self._impossible,
            )
            yield words % {"count": self._impossible, "reason": self._reason}
        if self._count:
            words = ngettext(
                "The year of birth of %(count)d player stays as it is: a sealed season was rated "
                "by it.",
                "The years of birth of %(count)d players stay as they are: a sealed season was "
                "rated by them.",
                self._count,
            )
            yield words % {"count": self._count}
