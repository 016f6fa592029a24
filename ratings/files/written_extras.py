"""What people write at a name that is no part of it: its place, a count, a bracket, “etc.”."""

from __future__ import annotations

import re
from typing import Final

from ratings.files.names import fold_kind
from ratings.files.problems import LineProblem, shown
from ratings.files.written_words import KnowsName

_PLACE_BEFORE: Final = re.compile(r"(\d{1,2}(?:[.)]|st|nd|rd|th|er|º|ª)) (.+)", re.ASCII)
_PLACE_BEHIND: Final = re.compile(r"\d{1,2}(?:st|nd|rd|th|º|ª|\.)|#\d{1,2}", re.ASCII)
_COUNT: Final = re.compile(r"\d{1,3}[xX×]|[xX×]\d{1,3}", re.ASCII)
_BRACKET: Final = re.compile(r"[(\[][^()\[\]]*[)\]]?$")
_WINNERS: Final = frozenset(
    ("winner", "won", "win", "first", "sieger", "siegerin", "gewinner", "gewonnen", "vainqueur",
     "gagnant", "ganador", "ganadora", "vincitore", "vincitrice", "vencedor", "winnaar", "vinner",
     "vinder", "vinnare", "champion")
)  # fmt: skip
_AND_SO_ON: Final = frozenset(("etc", "usw", "osv", "enz", "ecc", "...", "\u2026"))
_AGAIN: Final = frozenset(
    ("again", "nochmal", "wieder", "encore", "otra", "ancora", "opnieuw", "igjen", "igen")
)
_WRITERS: Final = frozenset(
    ("i", "me", "we", "us", "ich", "mich", "wir", "uns", "moi", "nous", "ik", "mij", "jeg", "meg")
)
"""Words for whoever writes; short ones of other languages, such as Yo and Eu, are names, too."""
_ARROWS: Final = "→➔➜➞⇒⟶"


def without_arrow(text: str) -> str:
    """A text without the arrow at its end that leads to the score."""
    return text.rstrip(_ARROWS + " ")


def refuse_extras(name: str, knows: KnowsName | None) -> None:
    """Raise LineProblem for a name, which no player has, with something else at it."""
    words = name.split(" ")
    if fold_kind(words[-1].rstrip(".")) in _AND_SO_ON or words[-1] in _AND_SO_ON:
        raise _extra(words[-1], "is no name")
    if len(words) > 1 and fold_kind(words[-1]) in _AGAIN:
        raise _extra(words[-1])
    if fold_kind(name) in _WRITERS:
        raise LineProblem(
            "writer",
            f"“{shown(name, 30)}” does not tell who played; write the name. If a player has this "
            "name, add the player first.",
        )
    found = _PLACE_BEFORE.fullmatch(name)
    if found and (" " not in found[2] or (knows is not None and knows(found[2]))):
        raise _place(found[1])
    if len(words) > 1 and _PLACE_BEHIND.fullmatch(words[-1]):
        raise _place(words[-1])
    if len(words) > 1 and _COUNT.fullmatch(words[-1]):
        raise _extra(words[-1])
    if any(arrow in name for arrow in _ARROWS):
        raise _extra(next(arrow for arrow in _ARROWS if arrow in name))
    bracket = _BRACKET.search(name)
    if bracket is not None and bracket.start() and fold_kind(bracket[0].strip("()[]")) in _WINNERS:
        raise _winner(bracket[0])
    # Without the names of a league nothing tells “Max (jun.)” from “Max (late)”.
    is_of_words = bracket is not None and any(map(str.isalpha, bracket[0]))
    if knows is not None and bracket is not None and bracket.start() and is_of_words:
        raise _extra(bracket[0])


def _place(text: str) -> LineProblem:
    """A place at a name, which must not be deleted where the names stand in another order."""
    return LineProblem(
        "place",
        f"“{shown(text, 30)}” at a name is not read as its place; write the names best first, like "
        "Ana > Bo > Cy, without it. If it belongs to the name, add the player first.",
    )


def _winner(text: str) -> LineProblem:
    return LineProblem(
        "place",
        f"“{shown(text, 30)}” at a name is not read; write the names best first, like Ana > Bo, or "
        "the score behind two names, without it.",
    )


def _extra(text: str, reason: str = "stands behind a name") -> LineProblem:
    return LineProblem(
        "word_behind",
        f"“{shown(text, 30)}” {reason}; delete it. If it belongs to the name, add the player "
        "first.",
    )
