"""Names of players: what may be stored, and when two names are the same name."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

NAME_LENGTH = 64
_OF_GENERATIONS = frozenset(("jr", "jnr", "jun", "sr", "snr", "sen"))
PARTICLES = frozenset(
    ("af", "al", "bin", "da", "de", "del", "den", "der", "di", "dos", "du", "el", "la", "le", "of")
) | {"ten", "ter", "van", "von", "y"}
"""Words that stay small within a name."""

_NOBODY = frozenset(
    ("besuch", "bye", "freilos", "gast", "gjest", "guest", "invitado", "invité", "n.a.", "n.n.")
) | {
    *("n/a", "no one", "nobody", "ospite", "spielfrei", "tba", "tbd", "unbekannt", "unknown"),
    *("visitor", "void", "xxx"),
}
"""Words, case folded, that people write where no player is, or none they know."""

_FORMULA = tuple("=+-@\t\r\n\0＝＋－＠")
_FORMULA_GUARD = re.compile(r"'(?='*[=+\-@＝＋－＠])")
_TAG_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]{1,8}\U000e007f")
_EMOJI = "\u2190-\u2bff\U0001f000-\U0001faff"
_EMOJI_JOINT = re.compile(f"(?<=[{_EMOJI}\ufe0f])\u200d(?=[{_EMOJI}])")
_SIGNS_AS_EMOJI = "\xa9\xae\u203c\u2049\u2122\u2139\u3030\u303d\u3297\u3299"
_HIDDEN_SELECTOR = re.compile(
    "[\u180b-\u180d\u180f\ufe00-\ufe0d\U000e0100-\U000e01ef]"
    f"|(?<![{_EMOJI}{_SIGNS_AS_EMOJI}0-9#*])[\ufe0e\ufe0f]|(?<=[0-9#*])[\ufe0e\ufe0f](?!\u20e3)"
)
"""Variation selectors where they change nothing one sees: not behind an emoji or on a keycap."""
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_UNREAD = "\N{REPLACEMENT CHARACTER}"
"""What stands for bytes that are no text in the encoding they came in."""
_BLANK_LOOKING = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_EMOJI_SELECTORS = frozenset("\ufe0e\ufe0f")
_MARKS_PER_LETTER = 2
_MARKS_IN_A_ROW = 30
_JOINER = "\u034f"
_MARKS_OF_NO_CLASS = frozenset("\u0f73\u0f75\u0f81\uff9e\uff9f")
"""Characters that only their decomposition shows to be marks."""


class NameProblem(ValueError):
    """A text that cannot be a player's name; `reason` is a sentence."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def normalized(form: Literal["NFC", "NFKC", "NFKD"], text: str) -> str:
    """Return a normal form, in time that grows with the text and not with its square.

    Marks on one letter are put in order, and the usual means takes the square of their number:
    a minute for 60,000. So they are broken up as Unicode's Stream-Safe Text Format says
    (UAX #15): behind 30 in a row stands a joiner, which no name and no text may have.
    """
    if len(text) > _MARKS_IN_A_ROW and not text.isascii():
        text = _stream_safe(text)
    return unicodedata.normalize(form, text)


def _stream_safe(text: str) -> str:
    parts: list[str] = []
    row = begin = 0
    for index, char in enumerate(text):
        if not unicodedata.combining(char) and char not in _MARKS_OF_NO_CLASS:
            row = 0
        elif row == _MARKS_IN_A_ROW:
            parts += (text[begin:index], _JOINER)
            begin, row = index, 1
        else:
            row += 1
    return "".join((*parts, text[begin:]))


def without_formula_guard(text: str) -> str:
    """Take away the one apostrophe that our own export puts before = + - @ (S-14)."""
    return text[1:] if text[:1] == "'" and _FORMULA_GUARD.match(text) else text


def with_formula_guard(text: str) -> str:
    """Put an apostrophe before what a spreadsheet would compute, so that reading gives it back."""
    return f"'{text}" if text.lstrip("'").startswith(_FORMULA) else text


def clean_name(text: str) -> str:
    """Return the name as it is stored: NFC, trimmed, inner spaces collapsed (S-05).

    Raises NameProblem for a name nobody could read or tell apart: empty, longer than 64
    characters, with control, direction, invisible or private characters, or piled-up accents.
    """
    name = normalized("NFC", text.strip())
    if not (name.isascii() and name.isprintable()):
        _refuse_unreadable(name)
        name = normalized("NFC", name)
    name = " ".join(name.split())
    if not name:
        raise NameProblem("The name is empty.")
    if len(name) > NAME_LENGTH:
        raise NameProblem(f"The name is longer than {NAME_LENGTH} characters.")
    return name


def readable_name(text: str) -> str:
    """What is left of a name without the characters that no name may have; perhaps nothing.

    For names that games took as they came, where refusing one would lose a match.
    """
    parts: list[str] = []
    marks = 0
    for char in _HIDDEN_SELECTOR.sub("", normalized("NFC", text)):
        is_mark = unicodedata.category(char) in ("Mn", "Me")
        marks = marks + 1 if is_mark else 0
        if marks <= _MARKS_PER_LETTER and (char.isspace() or is_mark or _is_readable(char)):
            parts.append(" " if char.isspace() else char)
    name = normalized("NFC", " ".join("".join(parts).split())[:NAME_LENGTH].strip())
    try:
        return clean_name(name)
    except NameProblem:
        return ""


def looks_like_name(name: str) -> bool:
    """Whether a name that nobody has is written as names are, in small letters or with capitals.

    “Bea by” is rather a slip, and “bye” or an emoji alone may be nobody.
    """
    words = [word for word in name.split() if word not in PARTICLES and word[0].isalpha()]
    first, *others = words or [""]
    # Capitals may stand within, as in d'Arc and eSports.
    is_mixed = first[:1].isupper() and any(
        word.islower() and word.rstrip(".") not in _OF_GENERATIONS for word in others
    )
    return not (is_mixed or stands_for_nobody(name))


def stands_for_nobody(name: str) -> bool:
    """Whether a name may be written where nobody played: VOID, Guest 2, a question mark alone."""
    word = fold_name(name).strip("()[]<>*_- 0123456789")
    return word in _NOBODY or not any(map(str.isalnum, name))


def fold_name(text: str) -> str:
    """Return the identity of a name within a league: NFKC, case folded, spaces collapsed."""
    if text.isascii():
        return " ".join(text.casefold().split())
    folded = normalized("NFKC", normalized("NFKC", text).casefold())
    return " ".join(folded.split())


def without_accents(text: str) -> str:
    """The text with its letters taken apart and their marks left out."""
    return "".join(char for char in normalized("NFKD", text) if not unicodedata.combining(char))


def fold_kind(text: str) -> str:
    """The identity of the name of a kind of match within a mode, with accents or without."""
    return without_accents(fold_name(text))


def _refuse_unreadable(name: str) -> None:
    if hidden := _HIDDEN_SELECTOR.search(name):
        raise NameProblem(f"The name has an invisible character (U+{ord(hidden[0]):04X}).")
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
        raise NameProblem("The name has no visible characters.")


def _is_readable(char: str) -> bool:
    try:
        _refuse_character(char, unicodedata.category(char))
    except NameProblem:
        return False
    return True


def _refuse_character(char: str, category: str) -> None:
    code = f"U+{ord(char):04X}"
    if char == _UNREAD:
        raise NameProblem(f"The name has a character that could not be read ({code}).")
    if category in ("Cc", "Zl", "Zp"):
        raise NameProblem(f"The name has a control character ({code}).")
    if char in _BIDI:
        raise NameProblem(f"The name changes the direction of writing ({code}).")
    if category == "Cf" or char in _BLANK_LOOKING:
        raise NameProblem(f"The name has an invisible character ({code}).")
    if category in ("Cs", "Co") or ord(char) & 0xFFFE == 0xFFFE or 0xFDD0 <= ord(char) <= 0xFDEF:
        raise NameProblem(f"The name has a character without a standard meaning ({code}).")
