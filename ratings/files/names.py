"""Names of players: what may be stored, and when two names are the same name."""

from __future__ import annotations

import re
import unicodedata

NAME_LENGTH = 64

_FORMULA_GUARD = re.compile(r"'(?='*[=+\-@＝＋－＠])")
_TAG_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]{1,8}\U000e007f")
_EMOJI_JOINT = re.compile(
    "(?<=[\u2190-\u2bff\U0001f000-\U0001faff\ufe0f])\u200d(?=[\u2190-\u2bff\U0001f000-\U0001faff])"
)
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_BLANK_LOOKING = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_EMOJI_SELECTORS = frozenset("\ufe0e\ufe0f")
_MARKS_PER_LETTER = 2


class NameProblem(ValueError):
    """A text that cannot be a player's name; `reason` is a sentence."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def without_formula_guard(text: str) -> str:
    """Take away the one apostrophe that our own export puts before = + - @ (S-14)."""
    return text[1:] if text[:1] == "'" and _FORMULA_GUARD.match(text) else text


def clean_name(text: str) -> str:
    """Return the name as it is stored: NFC, trimmed, inner spaces collapsed (S-05).

    Raises NameProblem for a name nobody could read or tell apart: empty, longer than 64
    characters, with control, direction, invisible or private characters, or piled-up accents.
    """
    name = unicodedata.normalize("NFC", text.strip())
    if not (name.isascii() and name.isprintable()):
        _refuse_unreadable(name)
        name = unicodedata.normalize("NFC", name)
    name = " ".join(name.split())
    if not name:
        raise NameProblem("The name is empty.")
    if len(name) > NAME_LENGTH:
        raise NameProblem(f"The name is longer than {NAME_LENGTH} characters.")
    return name


def fold_name(text: str) -> str:
    """Return the identity of a name within a league: NFKC, case folded, spaces collapsed."""
    if text.isascii():
        return " ".join(text.casefold().split())
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(folded.split())


def _refuse_unreadable(name: str) -> None:
    plain = _EMOJI_JOINT.sub("", _TAG_FLAG.sub("\U0001f3f4", name))
    marks = 0
    visible = False
    for char in plain:
        category = unicodedata.category(char)
        if category in ("Mn", "Me") and char not in _EMOJI_SELECTORS:
            marks += 1
            if marks > _MARKS_PER_LETTER:
                raise NameProblem("The name has too many accents on one letter.")
        elif category[0] != "M":
            marks = 0
        _refuse_character(char, category)
        visible = visible or category[0] in "LNPS"
    if plain and not visible:
        raise NameProblem("The name has nothing to see in it.")


def _refuse_character(char: str, category: str) -> None:
    code = f"U+{ord(char):04X}"
    if category in ("Cc", "Zl", "Zp"):
        raise NameProblem(f"The name has a control character ({code}).")
    if char in _BIDI:
        raise NameProblem(f"The name changes the direction of writing ({code}).")
    if category == "Cf" or char in _BLANK_LOOKING:
        raise NameProblem(f"The name has an invisible character ({code}).")
    if category in ("Cs", "Co") or ord(char) & 0xFFFE == 0xFFFE or 0xFDD0 <= ord(char) <= 0xFDEF:
        raise NameProblem(f"The name has a character that means nothing outside ({code}).")
