"""Lists of places that write each place beside its name, in whatever order they have the names.

“2. Raj, 1. Tom, 3. Sue” is “Tom > Raj > Sue”, and so is the same with medals. What stands beside
the names decides, never their order alone: places that only some have must agree with it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from ratings.files.problems import LineProblem
from ratings.files.written_places import LEAST_PLACES, are_places, with_colons
from ratings.files.written_words import KnowsName

_MEDALS: Final = {"\U0001f947": 1, "\U0001f948": 2, "\U0001f949": 3}
_CROWN: Final = re.compile("[\U0001f451\U0001f3c6]\ufe0f?")
_MEDAL: Final = re.compile("([\U0001f947-\U0001f949]|[1-9]\ufe0f?\u20e3)\ufe0f?")
"""A medal, or a number in a box, which people write as one."""
_NUMBERED: Final = re.compile(r"(?:^|[,;]? )(\d{1,2})(?:[.)]|st|nd|rd|th|er|º|ª) ", re.ASCII)
_BARE: Final = re.compile(r"(\d{1,2}) ([^\W\d_].*)")
_DASHES: Final = frozenset("-\u2013\u2014:")
_MARKS: Final = re.compile(r"[,>=<]")


class _Part(NamedTuple):
    """A side without the place beside it, and that place."""

    place: int | None
    names: str


def with_places_in_order(words: list[str], knows: KnowsName | None) -> list[str]:
    """The words of names with the best place first, where each has one. Raises LineProblem."""
    text = " ".join(words).rstrip(" ,;")
    texts = [part.strip() for part in _MARKS.split(text)]
    known = [part for part in texts if knows is not None and knows(part)]
    if known == texts or any(map(_MEDAL.search, known)):
        return words
    if _MEDAL.search(text):
        return _with_medals(text, words)
    if len(texts) >= LEAST_PLACES and any(map(_CROWN.search, texts[1:])):
        raise LineProblem(
            "crown",
            "A crown stands at a name that is not the first; write the names of a free-for-all "
            "best first, without it.",
        )
    parts = _numbered(text)
    places = sorted(part.place for part in parts if part.place)
    is_sorted = len(parts) >= LEAST_PLACES and are_places(places)
    return _in_order(parts) if is_sorted else words


def _numbered(text: str) -> list[_Part]:
    """The sides of a list that numbers them all; none of another."""
    nothing, *found = _NUMBERED.split(text)
    if found and not nothing:
        places, names = found[::2], found[1::2]
        is_list = not any(_MARKS.search(name) for name in names)
        parts = [_Part(int(one), name) for one, name in zip(places, names, strict=True)]
        return parts if is_list and all(names) else []
    numbers = [_BARE.match(part.strip()) for part in text.split(",")]
    is_list = all(numbers) and not _MARKS.search(text.replace(",", ""))
    return [_Part(int(one[1]), one[2]) for one in numbers if one] if is_list else []


def _with_medals(text: str, words: list[str]) -> list[str]:
    """The words of a list with medals, best first; another line keeps its own."""
    texts = _MARKS.split(text) if _MARKS.search(text) else _divided_by_medals(text)
    if len(texts) < 2:
        return words
    parts = [_without_medal(part) for part in texts]
    marks = set(_MARKS.findall(text))
    if all(part.place for part in parts) and marks <= {","} and len(parts) >= LEAST_PLACES:
        if not are_places(sorted(part.place for part in parts if part.place)):
            raise _unclear()
        return _in_order(parts)
    by_marks = _places_by_marks(text)
    if len(by_marks) == len(parts) and any(
        part.place not in (None, place) for part, place in zip(parts, by_marks, strict=True)
    ):
        raise _unclear()
    return words


def refuse_other_signs(
    line: str, words: Sequence[str], sides: Sequence[Sequence[str]], places: Sequence[int]
) -> None:
    """Raise LineProblem for two sides whose medals, or whose one sign, say the other winner.

    `words` are those of the names. Between two names without a mark, and behind the score, one sign
    is of neither; a known name may have it in itself.
    """
    if len(places) != 2:
        return
    medals = [_place_of(found) for found in _MEDAL.findall(line)]
    if len(medals) == 2 and (medals[0] < medals[1]) != (places[0] < places[1]):
        raise _unclear()
    text = " ".join(words)
    signs = [*_CROWN.finditer(text), *_MEDAL.finditer(text)]
    if len(signs) != 1 or any(signs[0][0] in name for side in sides for name in side):
        return
    place = 1 if _CROWN.fullmatch(signs[0][0]) else _place_of(signs[0][1])
    before, behind = text[: signs[0].start()].rstrip(), text[signs[0].end() :].lstrip()
    is_first = not before or behind[:1] in _DASHES
    is_second = not behind or (bool(before) and before[-1] in _DASHES)
    is_decided = places[0] != places[1] and place <= len(places)
    if is_decided and is_first != is_second and places[is_second] != place:
        raise LineProblem(
            "sign",
            f"“{signs[0][0]}” does not stand at the side that the score says; correct the score, "
            "or delete the sign.",
        )


def _place_of(medal: str) -> int:
    return _MEDALS.get(medal) or int(medal[0])


def _places_by_marks(text: str) -> list[int]:
    """The places of sides as the marks between them say."""
    marks = _MARKS.findall(text)
    if marks == ["<"]:
        return [2, 1]
    places = [1]
    for position, mark in enumerate(marks, start=2):
        places.append(places[-1] if mark == "=" else position)
    return places


def _divided_by_medals(text: str) -> list[str]:
    """A text whose names have medals and nothing else between them, cut into these names."""
    medals = list(_MEDAL.finditer(text))
    if medals[0].start() == 0:
        cuts = [one.start() for one in medals]
    elif medals[-1].end() == len(text):
        cuts = [0, *(one.end() for one in medals[:-1])]
    else:
        return [text]
    return [text[begin:end] for begin, end in pairwise([*cuts, len(text)])]


def _without_medal(text: str) -> _Part:
    found = _MEDAL.findall(text)
    if len(found) > 1:
        raise _unclear()
    place = _place_of(found[0]) if found else None
    return _Part(place, " ".join(_MEDAL.sub(" ", text).split()).replace(" :", ":"))


def _in_order(parts: list[_Part]) -> list[str]:
    ordered = sorted(parts, key=lambda part: part.place or 0)
    text = ordered[0].names
    for one, other in pairwise(ordered):
        text += f" {'=' if one.place == other.place else '>'} {other.names}"
    return with_colons(text).split(" ")


def _unclear() -> LineProblem:
    return LineProblem(
        "places",
        "The places beside the names and the order of the names do not agree; write the names "
        "best first, like Ana > Bo > Cy, and delete the places.",
    )
