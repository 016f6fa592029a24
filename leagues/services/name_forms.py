"""Whether one written name may be another: its parts in another order, cut short, or mistyped."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence

from leagues.domain.naming import skeleton
from leagues.store.search import plain_name

SHORTEST = 5
"""Letters a name needs before one of them may be wrong: Ana and Ann are two people."""
LEAST_PART_LIKENESS = 0.8
SHORTEST_MISTYPED = 4
"""Letters that a first name needs before it is taken for another one's: Ole is not Ola."""
SHORTEST_PART = 3
"""Letters that a part of a name needs to be looked for in a league of very many players."""
_SPELLINGS_OF_SOUNDS = (
    *(("ks", "x"), ("chs", "x"), ("ph", "f"), ("ck", "k"), ("c", "k"), ("y", "i")),
    *((f"{vowel}e", vowel) for vowel in "aou"),
)
_DOUBLED = re.compile(r"([^\W\d_])\1+")
_VOWELS = frozenset("aeiouy")
WORD = re.compile(r"[^\W\d_]+|\d+")


def parts_of(name: str) -> tuple[str, ...]:
    """The words of a name as one sees them, without accents."""
    return tuple(WORD.findall(plain_name(skeleton(name))))


def sound_of(parts: Iterable[str]) -> str:
    """How a name is spoken, roughly and in any order: Maks is Max; empty for one too short to say.

    An umlaut may be written without its dots or with an e: Juerg is Jürg.
    """
    sound = _DOUBLED.sub(r"\1", " ".join(sorted(parts)))
    for spelling, one in _SPELLINGS_OF_SOUNDS:
        sound = sound.replace(spelling, one)
    return sound if len(sound) >= SHORTEST_PART else ""


def numbers_in(parts: Iterable[str]) -> list[str]:
    return [part for part in parts if part.isdecimal()]


def words_in(parts: Iterable[str]) -> list[str]:
    return [part for part in parts if not part.isdecimal()]


def size_of(parts: Sequence[str]) -> tuple[int, int]:
    """How long a name is, in words and then in letters."""
    return len(parts), sum(map(len, parts))


def initials_of(parts: Sequence[str]) -> str:
    return "".join(part[0] for part in parts) if len(parts) > 1 else ""


def has_initial(name: str) -> bool:
    """Whether a word of a name is one letter: that of O'Brien is none."""
    return any(len(word.strip(".")) == 1 for word in re.split(r"[\s.]", name) if word)


def is_form_of(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether every part of the shorter name is one of the longer, an initial standing for it.

    Ana, Ana R. and Ruiz, Ana are forms of Ana Ruiz; Ana Diaz is somebody else.
    """
    shorter, longer = sorted((one, other), key=len)
    rest = list(longer)
    has_whole_part = False
    for part in sorted(shorter, key=len, reverse=True):
        match = next((own for own in rest if own == part), None)
        if match is None:
            match = next((own for own in rest if _is_initial(part, own)), None)
        else:
            has_whole_part = has_whole_part or len(part) > 1
        if match is None:
            return False
        rest.remove(match)
    return has_whole_part


def is_turned(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two names are one in another order."""
    return sorted(one) == sorted(other) and one != other


def is_part(words: Sequence[str], all_words: Sequence[str]) -> bool:
    """Whether a name is some words of another, or its beginning but for hyphens and spaces."""
    letters = "".join(words)
    if not letters:
        return False
    is_beginning = len(letters) >= SHORTEST and "".join(all_words).startswith(letters)
    return is_beginning or set(words) < set(all_words)


def are_initials(name: str, own: Sequence[str]) -> bool:
    """Whether a name is written as initials, and has another's in their order: MH, m. h., mh.

    Small letters with a vowel among them are rather a name, as Bo is.
    """
    parts = parts_of(name)
    letters = "".join(parts)
    is_apart = len(parts) == len(letters)
    is_written_so = is_apart or name.isupper() or _VOWELS.isdisjoint(letters)
    return is_written_so and letters != "" and letters == initials_of(own)


def stands_behind_word(parts: Sequence[str], own: Sequence[str]) -> bool:
    """Whether a name ends in the first of another, as “then Dan” in that of Dan Weiss.

    A number behind the first name is such a word, too. The same parts in another order, or a name
    of initials and itself, are one name.
    """
    if sorted(parts) == sorted(own):
        return False
    words = words_in(parts)
    if len(parts) < 2 or not words or words_in(own) != list(own):
        return False
    return words[-1:] == list(own[:1]) and (len(words) > 1 or words != list(own))


def is_part_mistyped(parts: Sequence[str], own: Sequence[str]) -> bool:
    """Whether the only part of a name reads almost like one of several others: sirri, Siri Moe."""
    if len(parts) != 1 or len(own) < 2:
        return False
    (part,) = parts
    if any(_is_slip(part, other) or _is_begun(part, other) for other in own):
        return True
    is_long = len(part) >= SHORTEST_MISTYPED
    return is_long and bool(difflib.get_close_matches(part, own, n=1, cutoff=LEAST_PART_LIKENESS))


def is_short_slip(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two names of a word each are a slip apart, or are spoken alike: Mia, Miaa."""
    if len(one) != 1 or len(other) != 1:
        return False
    is_slip = _is_slip(one[0], other[0]) or _is_slip(other[0], one[0])
    return is_slip or sound_of(one) == sound_of(other) != ""


def _is_begun(one: str, other: str) -> bool:
    """Whether a word is the beginning of another: Car of Carol."""
    return len(one) >= SHORTEST_PART and other.startswith(one)


def _is_slip(one: str, other: str) -> bool:
    """Whether a word has two neighbours of another's letters swapped, or one letter too few.

    Mrak and Mrk may be Mark, however short they are.
    """
    if len(one) < SHORTEST_PART or not 0 <= len(other) - len(one) <= 1:
        return False
    pairs = enumerate(zip(one, other, strict=False))
    at = next((at for at, (own, letter) in pairs if own != letter), len(one))
    if len(one) < len(other):
        return one[at:] == other[at + 1 :]
    swapped = one[at + 1 : at + 2] + one[at : at + 1] + one[at + 2 :]
    return one != other and swapped == other[at:]


def _is_initial(one: str, other: str) -> bool:
    return min(len(one), len(other)) == 1 and one[0] == other[0]
