"""The words that people write between two sides, in several languages, and what they say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from ratings.files.names import fold_kind
from ratings.files.problems import LineProblem, shown
from ratings.files.written_day_words import DAYS_AGO, HERE

KnowsName = Callable[[str], bool]
Places = tuple[int, ...]

FIRST_WON: Final = (1, 2)
SECOND_WON: Final = (2, 1)
DRAWN: Final = (1, 1)

_AGAINST: Final = (
    "v", "v.", "vs", "vs.", "versus", "against",
    "gegen", "contra", "contre", "contro", "tegen", "mot", "mod",
)  # fmt: skip
_WON: Final = (
    "beat", "beats", "defeated", "defeats", "def", "def.", "bt", "bt.", "d.", "won against",
    "won vs", "won over", "wins against", "wins vs", "wins over", "win against",
    "schlägt", "schlaegt", "schlug", "schlagen", "besiegt", "besiegte", "besiegen",
    "gewinnt gegen", "gewann gegen", "gewinnen gegen", "gewannen gegen", "siegt gegen",
    "siegte gegen", "siegen gegen",
    "gana a", "gana contra", "ganó a", "ganó contra", "ganan a", "ganan contra", "ganaron a",
    "ganaron contra", "vence a", "venció a", "vencen a", "derrota a", "derrotó a", "derrotan a",
    "bat", "battent", "a battu", "ont battu", "gagne contre", "gagnent contre", "a gagné contre",
    "ont gagné contre",
    "batte", "battono", "ha battuto", "hanno battuto", "vince contro", "vincono contro",
    "ha vinto contro", "hanno vinto contro",
    "ganha de", "ganhou de", "ganham de", "venceu", "derrotou",
    "verslaat", "versloeg", "verslaan", "wint van", "won van", "winnen van", "wint tegen",
    "slår", "slo", "slog", "vinner mot", "vinner over", "vant mot", "vant over", "vinder over",
    "vandt over", "vann mot", "vann över",
)  # fmt: skip
_LOST: Final = (
    "lost to", "lost against", "lost vs", "loses to", "loses against", "loses vs", "lose to",
    "lose against",
    "verliert gegen", "verlor gegen", "verlieren gegen", "verloren gegen", "unterliegt",
    "unterlag",
    *(f"{verb} {link}" for verb in ("pierde", "perdió", "pierden", "perdieron")
      for link in ("contra", "con", "ante")),
    "perd contre", "perdent contre", "a perdu contre", "ont perdu contre",
    "perde contro", "perde con", "perdono contro", "ha perso contro", "ha perso con",
    "hanno perso contro",
    "perde para", "perdeu para", "perdem para",
    "verliest van", "verloor van", "verliezen van", "verliest tegen",
    "taper mot", "taper for", "tapte mot", "tapte for", "taber til", "tabte til",
    "förlorar mot", "förlorade mot",
    "beaten by", "was beaten by", "defeated by", "was defeated by",
    *(f"{verb}{won} von" for verb in ("", "wird ", "wurde ", "werden ", "wurden ")
      for won in ("besiegt", "geschlagen")),
    *(f"{verb}{won} par" for verb in ("", "est ", "a été ") for won in ("battu", "battue")),
    *(f"{won} por" for won in ("derrotado", "derrotada", "vencido", "vencida")),
    "battuto da", "battuta da", "verslagen door",
)  # fmt: skip
_DREW: Final = (
    "drew with", "drew against", "draws with", "draw with", "tied with", "ties with",
    "unentschieden gegen", "remis gegen", "spielt unentschieden gegen",
    "spielte unentschieden gegen", "spielen unentschieden gegen",
    "empata con", "empató con", "empatan con", "empata com", "empatou com",
    "fait match nul contre", "pareggia con", "ha pareggiato con", "speelt gelijk tegen",
    "uavgjort mot", "spiller uavgjort mot", "oavgjort mot", "spelar oavgjort mot",
)  # fmt: skip


def _folded(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(map(fold_kind, words))


_BETWEEN: Final[dict[tuple[str, ...], Places | None]] = {
    _folded(phrase.split()): places
    for phrases, places in (
        (_AGAINST, None),
        (_WON, FIRST_WON),
        (_LOST, SECOND_WON),
        (_DREW, DRAWN),
    )
    for phrase in phrases
}
"""The words of each phrase, without case and accents, and what it says of the result."""
_MOST_WORDS: Final = max(map(len, _BETWEEN))
_VERBS: Final = frozenset(
    map(
        fold_kind,
        (
            "beats", "defeats", "defeated", "wins", "won", "loses", "lost", "drew",
            "schlägt", "schlaegt", "schlug", "besiegt", "besiegte", "gewinnt", "gewann", "gewonnen",
            "siegt", "siegte", "verliert", "verlor", "verloren", "unterliegt", "unterlag",
            "gana", "ganó", "vence", "venció", "derrota", "derrotó", "pierde", "perdió", "empata",
            "gagne", "gagné", "perd", "perdu", "battu", "battuto", "vinto", "perso", "pareggia",
            "ganha", "ganhou", "perdeu", "venceu", "wint", "verliest", "verloor", "verslaat",
            "versloeg", "vinner", "vant", "tapte", "taper", "taber", "tabte", "förlorar",
            "förlorade",
        ),
    )
)  # fmt: skip
"""Words that say who won, or that somebody did."""
_BEFORE_NAMES: Final = frozenset(
    map(
        fold_kind,
        (
            "final", "finale", "semifinal", "halbfinale", "viertelfinale", "achtelfinale",
            "halve", "demi-finale", "semifinale", "rückspiel", "hinspiel", "spiel", "match",
            "game", "partie", "and", "then", "later", "again", "rematch",
            "und", "dann", "danach", "später", "wieder", "noch",
            "nochmal", "revanche", "test", "puis", "ensuite", "encore", "luego", "después", "poi",
            "dopo", "daarna", "senere", "frau", "fr", "herr", "hr", "mr", "mrs", "ms", "mme", "sr",
            "sra",
        ),
    )
) | (DAYS_AGO.keys() - {HERE})  # fmt: skip
"""Words that people write before the first name; alone each may be a name."""
_MAX_NAME_WORDS: Final = 5


class Between(NamedTuple):
    """Where the words between two sides begin and end, and what they say of the result."""

    begin: int
    end: int
    places: Places | None


def is_between(word: str) -> bool:
    """Whether a word alone stands between two sides."""
    return (fold_kind(word),) in _BETWEEN


def begins_with_name(words: Sequence[str], knows: KnowsName | None) -> bool:
    """Whether the first words are a known name."""
    ends = range(1, min(len(words), _MAX_NAME_WORDS) + 1)
    return knows is not None and any(knows(" ".join(words[:end])) for end in ends)


def ends_with_name(words: Sequence[str], knows: KnowsName | None, *, least: int = 1) -> bool:
    """Whether the last words, `least` of them or more, are a known name."""
    begins = range(max(0, len(words) - _MAX_NAME_WORDS), len(words) - least + 1)
    return knows is not None and any(knows(" ".join(words[begin:])) for begin in begins)


def between_sides(words: Sequence[str], knows: KnowsName | None) -> list[Between]:
    """The phrases of a line that stand between words, the longest at each place.

    What is a part of a known name is none, nor is what + joins to a player.
    """
    return list(_phrases(words, knows))


def _phrases(words: Sequence[str], knows: KnowsName | None) -> Iterator[Between]:
    folded = _folded(words)
    at = 1
    while at < len(words) - 1:
        for end in range(min(at + _MOST_WORDS, len(words) - 1), at, -1):
            phrase = folded[at:end]
            is_joined = words[at - 1][-1] in "+&" or words[end][0] in "+&"
            if phrase in _BETWEEN and not is_joined and not is_in_name(words, at, end, knows):
                yield Between(at, end, _BETWEEN[phrase])
                at = end
                break
        at += 1


def is_in_name(words: Sequence[str], begin: int, end: int, knows: KnowsName | None) -> bool:
    """Whether a known name has these words and others of the line beside them."""
    if knows is None:
        return False
    return any(
        knows(" ".join(words[first:last]))
        for first in range(max(0, end - _MAX_NAME_WORDS), begin + 1)
        for last in range(end, min(len(words), first + _MAX_NAME_WORDS) + 1)
        if last - first > end - begin
    )


def word_before(words: Sequence[str]) -> str:
    """The first of several words where it is rather none of a name: Finale Ana, 2x Ana."""
    first = words[0]
    is_count = first[:-1].isdecimal() and first[-1:] in "xX×"
    is_said = fold_kind(first.rstrip(":,.")) in _BEFORE_NAMES
    return first if len(words) > 1 and (is_count or is_said) else ""


def refuse_word_before(words: Sequence[str]) -> None:
    """Raise LineProblem where the first of several words is rather none of a name."""
    if before := word_before(words):
        is_day = fold_kind(before.rstrip(":,.")) in DAYS_AGO
        do = "put a colon behind it if it is the day, or delete it" if is_day else "delete it"
        raise LineProblem(
            "word_before",
            f"“{shown(before)}” stands before a name; {do}. If it belongs to the name, add the "
            "player first.",
        )


def has_verb(words: Sequence[str]) -> bool:
    """Whether words of no known name are rather a part of a sentence, such as “Eva gewinnt”.

    A verb counts in small letters: with a capital it may be a name, as Won is.
    """
    is_said = any(word.islower() and fold_kind(word) in _VERBS for word in words)
    return is_said or bool(between_sides(words, None))
