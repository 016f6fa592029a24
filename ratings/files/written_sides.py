"""The sides of a written match: what divides them, and the players on each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, NoReturn

from ratings.files.emoji import has_emoji, without_emoji
from ratings.files.names import PARTICLES, NameProblem, clean_name, fold_name, without_accents
from ratings.files.problems import LineProblem, shown
from ratings.files.scores import SCORE_LIMIT, is_score_text
from ratings.files.written_chatter import is_beside_results
from ratings.files.written_endings import has_marks
from ratings.files.written_extras import refuse_extras, without_arrow
from ratings.files.written_handicaps import divided_by_handicap, without_handicap
from ratings.files.written_labels import refuse_unknown_label
from ratings.files.written_words import (
    SECOND_WON,
    KnowsName,
    Places,
    between_sides,
    has_verb,
    is_between,
    refuse_word_before,
    word_before,
)

_JOINT = re.compile(r"[+&]")
_MOST_CUTS: Final = 40
"""Places where a line is divided for known names: four names of ten words have fewer."""
_SLASHED = re.compile(r"[^\W\d_][\w.\u2019'-]*(?:/[^\W\d_][\w.\u2019'-]*)+")
"""Words of names that a slash joins; others with one are addresses and paths."""
_PLACE_MARK = re.compile(r"[,>]")
_LARGE_SCORE = re.compile(r"\d+[-:\u2012-\u2014\u2212]\d+", re.ASCII)
"""What looks like a score and has too many digits for one."""
_DASH = re.compile(r"[-\u2012-\u2014\u2212]")
_SPACED_DASH = re.compile(r" [-\u2012-\u2014\u2212] ")


_AND: Final = frozenset(("and", "und", "et", "og", "och"))
_AND_OR_NAME: Final = frozenset(("y", "e", "en"))


class Sides(NamedTuple):
    """The names on each side, and their places where the marks between them say them."""

    names: tuple[tuple[str, ...], ...]
    places: Places | None
    is_list: bool = False
    """Whether commas divide them, as places of a free-for-all."""
    handicaps: tuple[int, ...] = ()
    """What each side was given, where any was."""


def known_names(names: Iterable[str]) -> KnowsName:
    """A test whether a name is one of these, whatever its case and accents."""
    folds = {_fold(name) for name in names}
    return lambda name: _fold(name) in folds


def _fold(name: str) -> str:
    return without_accents(fold_name(name))


def stands_between(word: str) -> bool:
    """Whether the word ends in what divides or joins names, so that a name has to follow."""
    return word[-1] in "<>=+&-\u2013\u2014" or is_between(word)


def read_sides(text: str, knows: KnowsName | None) -> Sides:
    """Read the names of a line, whose words stand apart by one space each.

    A slash joins the players of a side as + does, unless the line can be read with it in a name.
    Emoji around names are no part of them, unless they are of a known name or all of one.
    """
    text = without_arrow(text)
    if not has_emoji(text):
        return _read_joined(text, knows)
    bare = " ".join(filter(None, map(without_emoji, text.split(" "))))
    try:
        whole = _read_joined(text, knows)
    except LineProblem:
        return _read_joined(bare, knows)
    if knows is not None and any(
        has_emoji(name) and knows(name) for side in whole.names for name in side
    ):
        return whole
    try:
        return _read_joined(bare, knows)
    except LineProblem:
        return whole


def _read_joined(text: str, knows: KnowsName | None) -> Sides:
    try:
        return _read_sides(text, knows)
    except LineProblem as problem:
        tight = text.replace(" / ", "/")
        slashed = [word for word in tight.split() if "/" in word]
        if not slashed or not all(map(_SLASHED.fullmatch, slashed)):
            raise
        try:
            return _read_sides(tight.replace("/", "+"), knows)
        except LineProblem as joined:
            raise (joined if joined.code == "player_twice" else problem) from None


def _read_sides(text: str, knows: KnowsName | None) -> Sides:
    text = _with_dash_for_colon(text, knows)
    refuse_unknown_label(text)
    parts, places = _divided(text, knows)
    parts = parts or divided_by_handicap(text, knows) or [text]
    bare = [without_handicap(part, knows) for part in parts]
    names = [_members(part) for part, _points in bare]
    handicaps = [points for _part, points in bare]
    if len(parts) == 1:
        # What stands behind all names belongs to the last one.
        names = _undivided(bare[0][0], knows)
        handicaps = [0, *handicaps]
    if len(names) < 2:
        names = _tightly_dashed(bare[0][0], knows)
    given = tuple(handicaps) if any(handicaps) else ()
    return Sides(_checked(names, knows), places, "," in text, given)


def refuse_score_within(before: Sequence[str], behind: Sequence[str]) -> NoReturn:
    """Raise LineProblem for words around a score, of which those before it are not one side.

    Of “Ana Bo 3-1 well played” nothing tells that the last words are no name.
    """
    refuse_unknown_label(" ".join(before))
    refuse_word_before(before)
    if any(name.endswith(",") for name in before):
        raise LineProblem(
            "comma",
            f"“{shown(' '.join(before))}” has a comma, which no name has on a line; write the "
            "first name before the surname, and + between the players of one side.",
        )
    raise LineProblem(
        "score_within",
        f"“{shown(' '.join(behind), 30)}” behind the score is not understood. Write one match per "
        "line, with the score behind both names; words such as friendly, wo and ret may follow, "
        "other words behind a #.",
    )


def _with_dash_for_colon(text: str, knows: KnowsName | None) -> str:
    """A text with a dash in place of the only mark between two sides: “Ana : Bo”.

    Words behind it that may be two names are rather a match, and those before it its label.
    """
    one, colon, other = text.partition(" : ")
    if not colon or ": " in other or word_before([one, ""]):
        return text
    dashed = f"{one} - {other}"
    if has_marks(text) or len(_SPACED_DASH.split(dashed)) > 2 or _worded(text, knows)[0]:
        return text
    if is_one_side(other, knows) or _are_alike(one, other, knows):
        return dashed
    return text


def _are_alike(one: str, other: str, knows: KnowsName | None) -> bool:
    """Whether two texts are names of as many words, the second not of two who are known."""
    words = other.split(" ")
    cuts = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
    is_of_two = knows is not None and any(_all_known([cut], knows) for cut in cuts)
    return len(words) == len(one.split(" ")) and not is_of_two


def _tightly_dashed(text: str, knows: KnowsName | None) -> list[list[str]]:
    """The sides of one word such as “Anna-Bernd”, where that can only be two known names."""
    cuts = [(text[: dash.start()], text[dash.end() :]) for dash in _DASH.finditer(text)]
    is_name = knows is not None and knows(text)
    known = [cut for cut in cuts if knows is not None and _all_known([cut], knows)]
    if len(known) == 1 and not is_name:
        return [[name] for name in known[0]]
    if not is_name and any(one and other for one, other in cuts):
        raise _tight_dash()
    raise LineProblem("sides", "The line names one side; a match has two or more.")


def _tight_dash() -> LineProblem:
    return LineProblem("dash", "Put spaces around the dash between two names, as in Ana - Bo.")


def _divided(text: str, knows: KnowsName | None) -> tuple[list[str] | None, Places | None]:
    """Cut the text at the marks or words between sides; None where it has none."""
    if "<" in text:
        parts = text.split("<")
        if len(parts) > 2 or _PLACE_MARK.search(text) or "=" in text:
            raise _many_marks()
        return parts, SECOND_WON
    if "=" in text or _PLACE_MARK.search(text):
        return _ranked(text)
    parts = _SPACED_DASH.split(text)
    if len(parts) > 2:
        raise _many_marks()
    return (parts, None) if len(parts) == 2 else _worded(text, knows)


def _ranked(text: str) -> tuple[list[str], Places]:
    parts: list[str] = []
    places: list[int] = []
    for group in _PLACE_MARK.split(text):
        tied = group.split("=")
        places += [len(parts) + 1] * len(tied)
        parts += tied
    return parts, tuple(places)


def _worded(text: str, knows: KnowsName | None) -> tuple[list[str] | None, Places | None]:
    words = text.split(" ")
    found = between_sides(words, knows)
    if not found:
        return None, None
    if len(found) > 1:
        raise _many_marks()
    begin, end, places = found[0]
    return [" ".join(words[:begin]), " ".join(words[end:])], places


def _many_marks() -> LineProblem:
    return LineProblem(
        "marks", "The line can be divided into sides in more than one way; put one > or < in it."
    )


def _undivided(text: str, knows: KnowsName | None) -> list[list[str]]:
    """Find where the second side begins, from known names or from the number of words."""
    chunks = [part.split() for part in _JOINT.split(text)]
    if len(chunks) == 1 and len(chunks[0]) < 2:
        return chunks
    cuts = [(chunk, at) for chunk, words in enumerate(chunks) for at in range(1, len(words))]
    if knows is not None and len(cuts) <= _MOST_CUTS:
        known = [sides for cut in cuts if _all_known(sides := _cut(chunks, *cut), knows)]
        if len(known) > 1:
            raise LineProblem(
                "ambiguous",
                "These words can be divided into known names in more than one way; "
                "put > between the names.",
            )
        if known:
            return known[0]
        whole = [chunk for chunk, words in enumerate(chunks) if knows(" ".join(words))]
        half_known = [
            sides
            for cut in cuts
            if cut[0] not in whole and _half_known(sides := _cut(chunks, *cut), knows)
        ]
        if len(half_known) == 1 and not _has_lone_verb(half_known[0], knows):
            return half_known[0]
    sizes = [len(words) for words in chunks]
    for length in (1, 2):
        if sorted(sizes) == [length] * (len(sizes) - 1) + [2 * length]:
            sides = _cut(chunks, sizes.index(2 * length), length)
            if _may_be_sentence(sides, knows):
                break
            return sides
    _refuse_numbers([word for words in chunks for word in words if not word.isdigit()])
    raise LineProblem(
        "undivided", "It is not clear where the second name begins; put > or - between the names."
    )


def _may_be_sentence(sides: Sequence[Sequence[str]], knows: KnowsName | None) -> bool:
    """Whether words that would be divided by their number may be a sentence.

    In “Eva putzt den Franz” a small word stands beside a capital one, and in “eva putzt den franz”
    the line is between two players.
    """
    names = [name.split(" ") for side in sides for name in side]
    if is_beside_results(names[0][0]) and not (knows is not None and knows(" ".join(names[0]))):
        return True
    if len(names[0]) == 1:
        return _has_lone_verb(sides, knows)
    for words in names:
        starts = [word[0] for word in words if word not in PARTICLES]
        if words[0] in PARTICLES or len({one.islower() for one in starts if one.isalpha()}) > 1:
            return True
    return knows is not None and knows(names[0][0]) and knows(names[-1][-1])


def _has_lone_verb(sides: Sequence[Sequence[str]], knows: KnowsName | None) -> bool:
    """Whether a verb would be a player, as in “Eva gewinnt 3:1”."""
    names = (name for side in sides for name in side)
    return any(has_verb([name]) for name in names if knows is None or not knows(name))


def _cut(chunks: Sequence[Sequence[str]], chunk: int, at: int) -> list[list[str]]:
    """Divide what + joins within one of the chunks, before one of its words."""
    names = [" ".join(words) for words in chunks]
    left, right = " ".join(chunks[chunk][:at]), " ".join(chunks[chunk][at:])
    return [[*names[:chunk], left], [right, *names[chunk + 1 :]]]


def _all_known(sides: Iterable[Sequence[str]], knows: KnowsName) -> bool:
    return all(knows(name) for side in sides for name in side)


def _half_known(sides: Sequence[Sequence[str]], knows: KnowsName) -> bool:
    """Whether one side is of known names and the other of single words, such as first names."""
    one, other = ([knows(name) for name in side] for side in sides)
    words = [" " not in name for name in (*sides[0], *sides[1])]
    mixed = zip((*one, *other), words, strict=True)
    return (all(one) or all(other)) and all(known or single for known, single in mixed)


def _members(part: str) -> list[str]:
    return [name.strip() for name in _JOINT.split(part)]


def is_one_side(text: str, knows: KnowsName | None) -> bool:
    """Whether all these words belong to one side: one word a player, or players who are known."""
    members = _members(without_handicap(text, knows)[0])
    is_known = knows is not None and _all_known([members], knows)
    return is_known or not any(" " in name for name in members)


def _checked(
    sides: Sequence[Sequence[str]], knows: KnowsName | None
) -> tuple[tuple[str, ...], ...]:
    checked = tuple(tuple(_checked_name(name, knows) for name in side) for side in sides)
    names = [name for side in checked for name in side]
    folds = [fold_name(name) for name in names]
    for name, fold in zip(names, folds, strict=True):
        if folds.count(fold) > 1:
            raise LineProblem("player_twice", f"“{shown(name)}” is in this match twice.")
    return checked


def _checked_name(text: str, knows: KnowsName | None) -> str:
    try:
        name = clean_name(text)
    except NameProblem as problem:
        raise LineProblem("name", problem.reason) from None
    if knows is not None and knows(name):
        return name
    name = without_emoji(name) or name
    words = name.split(" ")
    if len(words) > 1 and has_verb(words):
        raise LineProblem(
            "verb",
            f"“{shown(name)}” has a word that says who won; put > or - between two names. If it is "
            "a name, add the player first.",
        )
    refuse_word_before(words)
    refuse_extras(name, knows)
    _refuse_numbers(words if len(words) == 1 else [word for word in words if not word.isdigit()])
    if _DASH.match(name) and not _DASH.match(name[-1]):
        raise _tight_dash()
    if "/" in name or _joins(words, knows):
        raise LineProblem("joint", "Put + between the players of one side.")
    if any(mark in f" {name} " for mark in (";", "|", " * ", " - ", " \u2013 ", " \u2014 ")):
        raise LineProblem(
            "mark",
            f"“{shown(name)}” cannot be a name here: it has ; or | or * or a dash. Names have no "
            "comma, and + joins the players of one side.",
        )
    return name


def _joins(words: Sequence[str], knows: KnowsName | None) -> bool:
    """Whether words are two players with an “and” between them.

    The “y” of “Ortega y Gasset” is one only beside a player.
    """
    for at, word in enumerate(words[1:-1], start=1):
        if word.casefold() in _AND:
            return True
        halves = " ".join(words[:at]), " ".join(words[at + 1 :])
        if word in _AND_OR_NAME and knows is not None and any(map(knows, halves)):
            return True
    return False


def _refuse_numbers(words: Sequence[str]) -> None:
    """Raise LineProblem for what has digits but no letters: scores, dates and times.

    Numbers of clubs, as of “1. FC Köln”, stand before another word.
    """
    for at, word in enumerate(words):
        has_digits = any(char.isdigit() for char in word)
        is_ordinal = word[:-1].isdigit() and word[-1] == "." and at + 1 < len(words)
        if not has_digits or is_ordinal or any(char.isalpha() for char in word):
            continue
        if is_score_text(word):
            raise LineProblem(
                "score_within", "Write one match per line, with the score behind both names."
            )
        if _LARGE_SCORE.fullmatch(word):
            words = f"A score must be a whole number of at most {SCORE_LIMIT}."
            raise LineProblem("score_range", words)
        raise LineProblem("score", f"“{shown(word)}” is neither a name nor a score such as 3-1.")
