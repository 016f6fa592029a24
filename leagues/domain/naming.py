"""Who is meant by a name: one rule for forms, programs, files and addresses.

What is a key is decided by whoever asks: a program's key comes before names
(`services/rosters.py`), in an address a name comes before keys (`selectors/names.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from leagues.models import Player, PlayerAlias
from ratings.files.names import fold_name, normalized

_LATIN_LOOKS = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеѕіјорсухһԁԛԝӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧονϲϳօ",  # noqa: RUF001 - they look alike
    "ABESIJKMHOPCTYXaesijopcyxhdqwlABEZHIKMNOPTYXovcjo",
)
"""Cyrillic, Greek and Armenian letters that look as a Latin one does."""
_MARKS_OF_NO_LETTER = re.compile("(?:(?<=\\s)|^)[\u0300-\u036f]+")


def skeleton(name: str) -> str:
    """What is seen of a name: two names of one skeleton cannot be told apart on a page.

    Letters of other scripts are the Latin ones that look as they do, and accents without a letter
    are left out. Accents on letters are seen and stay.
    """
    if name.isascii():
        return fold_name(name)
    letters = normalized("NFKD", name).translate(_LATIN_LOOKS)
    return fold_name(_MARKS_OF_NO_LETTER.sub("", letters))


class NameIndex:
    """The listed players of a league by the names they bear, and by their other spellings.

    Other spellings are the aliases, and the names of those who were merged into a player.
    """

    def __init__(self, players: Iterable[Player] = (), aliases: Iterable[PlayerAlias] = ()) -> None:
        self._bearers: dict[str, list[Player]] = {}
        self._merged: dict[str, set[Player]] = {}
        self._aliases = {
            alias.folded: player
            for alias in aliases
            if (player := alias.player.survivor()).is_listed
        }
        for player in players:
            self.add(player)

    def add(self, player: Player) -> None:
        """Let a player be meant by the name from now on."""
        self._bearers.setdefault(player.folded, []).append(player)

    def add_merged(self, folded: str, player: Player) -> None:
        """Let a player be meant by the name of one who was merged into this one."""
        self._merged.setdefault(folded, set()).add(player)

    def remove(self, player: Player) -> None:
        """Let a player who was added be meant no more."""
        self._bearers[player.folded].remove(player)

    def meant_by(self, name: str) -> tuple[Player, ...]:
        """The players whom a name means: one, none known, or several by their keys.

        Whoever bears the name goes before whoever it is another spelling of. Of several bearers
        none is guessed: only a key tells them apart.
        """
        folded = fold_name(name)
        bearers = self._bearers.get(folded) or self._merged.get(folded)
        if bearers and len(bearers) == 1:
            return tuple(bearers)
        if bearers:
            return tuple(sorted(bearers, key=lambda player: player.key))
        alias = self._aliases.get(folded)
        return (alias,) if alias is not None else ()
