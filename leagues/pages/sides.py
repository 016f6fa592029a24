"""The sides of an imagined match, as an address names them: a=Ana+Bo, b=Cy+Di."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import wording
from leagues.models import Board, Player
from leagues.selectors.names import players_by_name
from leagues.services.likeness import short_for, similar_players

LETTERS = "abcdefgh"
MOST_MEMBERS = 8
MOST_GUESSED = 4
LONGEST = 128
_PART = re.compile(r'\s*(?:"([^"]*(?:""[^"]*)*)"\s*(?=\+|$)|([^+]+))')
"""A name of a side: between quotes, where those of the name stand twice, or without a plus sign."""


class AddressWords(Protocol):
    """The parameters of an address, where each may stand several times."""

    def getlist(self, name: str) -> list[str]: ...


Address = Callable[[Board, Sequence[Sequence[str]]], str]


@dataclass(frozen=True, slots=True)
class Guessed:
    """Somebody who may have been meant, and the address that says so."""

    name: str
    url: str


@dataclass(frozen=True, slots=True)
class NameProblem:
    text: str
    guesses: tuple[Guessed, ...] = ()


@dataclass(frozen=True, slots=True)
class Lines:
    """What was typed for each side, who was found, and what is wrong with it."""

    texts: tuple[str, ...]
    sides: tuple[tuple[Player, ...], ...]
    problems: tuple[NameProblem, ...]


def compare_address(board: Board, sides: Sequence[Sequence[str]]) -> str:
    """The address that compares sides, each named by the keys or names of its members."""
    words = {"season": board.season.slug, "board": board.slug}
    for letter, side in zip(LETTERS, sides, strict=False):
        words[letter] = join_names(side)
    return f"{reverse('leagues:compare', args=[board.league.slug])}?{urlencode(words)}"


def join_names(names: Iterable[str]) -> str:
    """The names of a side as they are typed."""
    return " + ".join(_quote(name) if "+" in name or name[:1] == '"' else name for name in names)


def _quote(name: str) -> str:
    return '"{}"'.format(name.replace('"', '""'))


def typed_sides(words: AddressWords) -> list[list[str]]:
    """The names of each side of an address, cleaned; empty sides are left out."""
    return [names for letter in LETTERS if (names := typed_side(words, letter))]


def typed_side(words: AddressWords, letter: str) -> list[str]:
    """The names of one side of an address, cleaned."""
    text = "+".join(words.getlist(letter)[:MOST_MEMBERS]).replace("\x00", "")
    names = [
        (quoted.replace('""', '"') or plain).strip()[:LONGEST]
        for quoted, plain in _PART.findall(text)
    ]
    return [name for name in names if name]


def read_sides(
    board: Board,
    typed: Sequence[Sequence[str]],
    *,
    only_public: bool,
    address: Address = compare_address,
) -> Lines:
    """Find the players of sides by name, other spelling or key.

    `only_public` leaves out the spellings that not everyone can see. `address` gives a guess its
    link: from the sides with what was probably meant.
    """
    league = board.league
    every = [name for side in typed for name in side]
    by_name, shared = players_by_name(league, every, only_public=only_public)
    problems = []

    def guess_of(name: str, key: str, texts: str) -> Guessed:
        sides = [[key if word == name else word for word in side] for side in typed]
        return Guessed(texts, address(board, sides))

    unknown = [name for name in dict.fromkeys(every) if name not in by_name]
    strange = [name for name in unknown if name not in shared]
    # Each guess reads all names of the league, and anybody may ask for them.
    is_guessed = all(len(side) <= MOST_MEMBERS for side in typed)
    guesses = similar_players(league, strange[:MOST_GUESSED] if is_guessed else [])
    short = {name: one.key for name, found in guesses.items() if (one := short_for(name, found))}
    by_key, _shared = players_by_name(league, list(short.values()), only_public=True)
    by_name = {**by_name, **{name: by_key[key] for name, key in short.items() if key in by_key}}
    for name in (name for name in unknown if name not in by_name):
        if name in shared:
            text = _("Several players are called %(name)s. Who is it?") % {"name": name}
            others = tuple(
                guess_of(name, row.key, f"{row.name} ({row.key})") for row in shared[name]
            )
        else:
            text = _("No player is called %(name)s.") % {"name": name}
            others = tuple(guess_of(name, guess.key, guess.name) for guess in guesses.get(name, ()))
        problems.append(NameProblem(text, others))
    sides = tuple(tuple(by_name[name] for name in side if name in by_name) for side in typed)
    problems += _wrong(typed, sides)
    texts = tuple(
        join_names(by_name[name].name if name in by_name else name for name in side)
        for side in typed
    )
    return Lines(texts, sides, tuple(problems))


def _wrong(typed: Sequence[Sequence[str]], sides: Sequence[Sequence[Player]]) -> list[NameProblem]:
    problems = []
    seen: dict[int, Player] = {}
    twice: dict[int, Player] = {}
    for player in (player for side in sides for player in side):
        (twice if player.pk in seen else seen)[player.pk] = player
    if twice:
        names = wording.listing(player.name for player in twice.values())
        problems.append(
            NameProblem(_("A player can only play once in a match: %(names)s.") % {"names": names})
        )
    if any(len(side) > MOST_MEMBERS for side in typed):
        words = ngettext(
            "A side has at most %(most)d player here.",
            "A side has at most %(most)d players here.",
            MOST_MEMBERS,
        )
        problems.append(NameProblem(words % {"most": MOST_MEMBERS}))
    return problems
