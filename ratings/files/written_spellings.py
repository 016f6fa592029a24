"""Spellings of a result that people use, as the ones that the language of lines has."""

from __future__ import annotations

import re
from typing import Final

from ratings.files.names import fold_kind
from ratings.files.problems import LineProblem
from ratings.files.written_losers_points import with_whole_sets
from ratings.files.written_words import KnowsName, begins_with_name, ends_with_name

_DASHES: Final = "-\u2012\u2013\u2014\u2212"
_SCORE: Final = re.compile(r"\d{1,6}[-:\u2012-\u2014\u2212]\d{1,6}[,;]?", re.ASCII)
_NIL: Final = re.compile(
    r"(?<=\d)(?: ?[-:\u2012-\u2014\u2212] ?| (?:zu|to|à|a|til) )(?:nil|null|zero)(?=[ .!]|$)",
    re.IGNORECASE,
)
_HALVES: Final = re.compile(
    r" \d{1,3}[.,]\d{1,2} ?[-:\u2012-\u2014\u2212] ?\d"
    r"|\d[-:\u2012-\u2014\u2212]\d{1,3}[.,]5(?= |$)",
    re.ASCII,
)
_TAG: Final = re.compile(r"(?<=\d); ?([^();\d]{1,60})\)$")
"""What stands behind the sets in their brackets, as in “(11-8, 11-6; not rated)”."""
_NOT_RATED: Final = re.compile(
    r"(?<=[ (])(?:not rated|nicht gewertet|ohne wertung|non compté|sin puntuar)(?=\)?$)",
    re.IGNORECASE,
)
_DRAWN_HALVES: Final = re.compile(r"(?<= )(½|1/2|0[.,]5) ?[-:\u2012-\u2014\u2212] ?\1(?= |$)")
"""How chess writes a draw; half a point beside whole ones is a share of more games."""
_SAME_SIDES: Final = re.compile(
    r"(?:(?<=^)|(?<=\d ))(?:the )?(?:same(?: (?:again|pair|pair again|two|two again|players))?"
    r"|again|gleiche (?:paarung|partie)|(?:noch ?mal )?(?:die ?gleichen|die ?selben)|noch ?mal|idem"
    r"|dito|ditto|les mêmes|los mismos|gli stessi|de samme):?(?= [<>=]| \(?\d)",
    re.IGNORECASE,
)
"""Words for the two above, before how their match ended."""
_FRIENDLY_LEAD: Final = frozenset(
    ("friendly", "freundschaftsspiel", "amical", "amistoso", "amichevole", "vriendschappelijk")
)
_HAS: Final = ("hat", "haben")
_OF_GERMAN: Final = {"geschlagen": ">", "besiegt": ">", "gewonnen": ">", "verloren": "<"}
_AGAINST_SOMEBODY: Final = ("gewonnen", "verloren")


def with_usual_spelling(line: str, knows: KnowsName | None) -> str:
    """A line with its names and score as the language has them. Raises LineProblem."""
    if not begins_with_name(line.split(" "), knows):
        line = with_same_sides_marked(_with_friendly_behind(line))
    line = with_whole_sets(_DRAWN_HALVES.sub("draw", line))
    if _HALVES.search(line):
        raise LineProblem(
            "score",
            "A score has whole numbers; write one with halves doubled, as 21-6 for 10.5-3.",
        )
    line = _NOT_RATED.sub("unrated", _TAG.sub(r") (\1)", _NIL.sub("-0", line)))
    words = _with_loose_dashes(line.split(" "), knows)
    words = _with_scores_joined(words, knows)
    return " ".join(_without_participle(words, knows))


def with_same_sides_marked(line: str) -> str:
    """A line with a quotation mark in place of words such as “same again”."""
    return _SAME_SIDES.sub('"', line, count=1)


def _with_friendly_behind(line: str) -> str:
    """A line that begins with the word for a friendly match, with it at the end."""
    word, _, rest = line.partition(" ")
    if fold_kind(word.removesuffix(":")) not in _FRIENDLY_LEAD or not rest:
        return line
    return f"{rest} unrated"


def _with_loose_dashes(words: list[str], knows: KnowsName | None) -> list[str]:
    """Words with a dash between two names that touches one of them by itself: Ana -Bo."""
    found: list[str] = []
    for at, word in enumerate(words):
        is_name = ends_with_name(words[: at + 1], knows) or begins_with_name(words[at:], knows)
        begins, ends = word[:1] in _DASHES, word[-1:] in _DASHES
        if len(word) < 2 or begins == ends or is_name:
            found.append(word)
        elif begins and at and word[1].isalpha() and words[at - 1][-1:].isalnum():
            found += ["-", word[1:]]
        elif ends and word[-2].isalpha() and "".join(words[at + 1 : at + 2])[:1].isalpha():
            found += [word[:-1], "-"]
        else:
            found.append(word)
    return found


def _with_scores_joined(words: list[str], knows: KnowsName | None) -> list[str]:
    """Words with one score for “Ana 3 Bo 1”, where both names are known without the numbers."""
    at = next((at for at, word in enumerate(words) if at and word.isdecimal()), 0)
    one, other = " ".join(words[:at]), " ".join(words[at + 1 : -1])
    if knows is None or not words[-1].isdecimal() or not (knows(one) and knows(other)):
        return words
    if any(knows(" ".join(part)) for part in (words[: at + 1], words[at + 1 :])):
        return words
    return [*words[:at], "-", *words[at + 1 : -1], f"{words[at]}-{words[-1]}"]


def _without_participle(words: list[str], knows: KnowsName | None) -> list[str]:
    """Words of “Ana hat Bo 3:1 geschlagen” with a mark in place of the German verb."""
    said = words[-1].rstrip(".!").lower()
    at = next((at for at, word in enumerate(words) if at and word.lower() in _HAS), 0)
    if said not in _OF_GERMAN or not at or ends_with_name(words, knows):
        return words
    scores = [word for word in words[at:-1] if _SCORE.fullmatch(word)]
    others = [word for word in words[at + 1 : -1] if not _SCORE.fullmatch(word)]
    is_against = others[:1] == ["gegen"]
    if is_against != (said in _AGAINST_SOMEBODY):
        return words
    return [*words[:at], _OF_GERMAN[said], *others[is_against:], *scores]
