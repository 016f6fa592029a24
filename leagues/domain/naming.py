"""Who is meant by a name: one rule for forms, programs, files and addresses.

What is a key is decided by whoever asks: a program's key comes before names
(`services/rosters.py`), in an address a name comes before keys (`selectors/names.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from leagues.models import Player, PlayerAlias
from ratings.files.names import fold_name, normalized

_LATIN_LOOKS = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеѕіјорсухһԁԛԝӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧονϲϳօ",  # noqa: RUF001 - they look alike
    "ABESIJKMHOPCTYXaesijopcyxhdqwlABEZHIKMNOPTYXovcjo",
)
"""Cyrillic, Greek and Armenian letters that look as a Latin one does."""
_EMOJI_SELECTORS = "[\ufe0e\ufe0f]"
"""What asks for an emoji in colour, or as text: names are shown in one way whichever they say."""
_MARKS_OF_NO_LETTER = re.compile("(?:(?<=\\s)|^)[\u0300-\u036f]+")
_SCRIPTS = (*range(0x370, 0x590), *range(0x1F00, 0x2000), *range(0xA640, 0xA6A0))
"""Greek, Cyrillic and Armenian letters, with accents and without."""


def skeleton(name: str) -> str:
    """What is seen of a name: two names of one skeleton cannot be told apart on a page.

    Letters of other scripts are the Latin ones that look as they do, and accents without a letter
    are left out, as are the selectors of emoji. Accents on letters are seen and stay.
    """
    if name.isascii():
        return fold_name(name)
    name = re.sub(_EMOJI_SELECTORS, "", name)
    letters = normalized("NFKD", name).translate(_LATIN_LOOKS)
    return fold_name(_MARKS_OF_NO_LETTER.sub("", letters))


def _other_letters() -> str:
    """The case folded letters that `skeleton` takes for others, as capitals or small."""
    letters = (chr(code) for code in _SCRIPTS if chr(code).isalpha())
    folded = {fold_name(one) for one in letters if skeleton(one) != fold_name(one)}
    return "".join(sorted(one for one in folded if len(one) == 1))


SEEN_OTHERWISE: Final = f"[{_other_letters()}]|(^| )[\u0300-\u036f]|{_EMOJI_SELECTORS}"
"""A regular expression that folded names have whose skeleton is another one, also in a database."""
_SEEN_OTHERWISE = re.compile(SEEN_OTHERWISE)


def seen_as(name: str, folded: str) -> str:
    """The skeleton of a name that is folded already, which most names are themselves."""
    return skeleton(name) if _SEEN_OTHERWISE.search(folded) else folded


class NameIndex:
    """The listed players of a league by the names they bear, and by their other spellings.

    Other spellings are the aliases, and the names of those who were merged into a player.
    """

    def __init__(self, players: Iterable[Player] = (), aliases: Iterable[PlayerAlias] = ()) -> None:
        self._bearers: dict[str, list[Player]] = {}
        self._merged: dict[str, set[Player]] = {}
        self._by_look: dict[str, list[Player]] | None = None
        """Players by the skeleton of their names, where that is another one than the name."""
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
        if self._by_look is not None:
            self._add_look(self._by_look, player)

    @staticmethod
    def _add_look(by_look: dict[str, list[Player]], player: Player) -> None:
        seen = seen_as(player.name, player.folded)
        if seen != player.folded:
            by_look.setdefault(seen, []).append(player)

    def add_merged(self, folded: str, player: Player) -> None:
        """Let a player be meant by the name of one who was merged into this one."""
        self._merged.setdefault(folded, set()).add(player)

    def remove(self, player: Player) -> None:
        """Let a player who was added be meant no more."""
        self._bearers[player.folded].remove(player)
        if self._by_look is not None:
            seen = seen_as(player.name, player.folded)
            if seen != player.folded:
                self._by_look[seen].remove(player)

    def twins_of(self, name: str) -> tuple[Player, ...]:
        """The players whose names look the same as a name, but are other characters."""
        if self._by_look is None:
            self._by_look = {}
            for bearers in self._bearers.values():
                for player in bearers:
                    self._add_look(self._by_look, player)
        folded = fold_name(name)
        seen = seen_as(name, folded)
        alike = [*self._by_look.get(seen, ())]
        if seen != folded:
            alike += self._bearers.get(seen, ())
        return tuple(player for player in alike if player.folded != folded)

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
