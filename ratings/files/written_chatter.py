"""What people write around results and that says none: “Ergebnisse:”, “Round 2”, # a remark."""

from __future__ import annotations

import re
from typing import Final

from ratings.files.names import fold_kind
from ratings.files.problems import LineProblem
from ratings.files.written_words import (
    KnowsName,
    begins_with_name,
    ends_with_name,
    is_in_name,
    word_before,
)

_RESULTS: Final = frozenset(
    ("results", "result", "scores", "matches", "games", "ergebnisse", "ergebnis", "resultate",
     "spiele", "partien", "resultats", "resultat", "matchs", "resultados", "resultado", "partidas",
     "partidos", "risultati", "risultato", "partite", "uitslagen", "uitslag", "resultater",
     "kamper")
)  # fmt: skip
_ROUNDS: Final = frozenset(
    ("round", "matchday", "table", "group", "runde", "spieltag", "tisch", "gruppe", "manche",
     "journee", "groupe", "ronda", "jornada", "grupo", "turno", "giornata", "gruppo", "rodada",
     "ronde", "speelronde", "groep", "omgang", "tische", "tables", "spieler", "players")
)  # fmt: skip
_CROSSES: Final = ("\u274c", "\u274e", "\u2716", "\u2717", "\u2718", "\U0001f6ab")
_LINKS: Final = frozenset(
    ("from", "of", "for", "the", "here", "are", "our", "on", "von", "vom", "der", "die", "das",
     "hier", "sind", "unsere", "am", "de", "des", "du", "les", "le", "los", "las", "el", "di",
     "del", "dei", "da", "dos", "van", "fra", "fran", "och", "og", "und", "and")
)  # fmt: skip
_LEFT_OUT: Final = (
    "(?:omitted|weggelassen|ausgeschlossen|omitid[oa]s?|omess[oi]|omis|weggelaten|utelatt)"
)
_OF_MEDIA: Final = re.compile(
    rf"<[^<>]{{1,30}} {_LEFT_OUT}>|<attached: [^<>]{{1,60}}>"
    r"|(?:image|video|audio|sticker|gif|document|contact card|bild|foto|kontaktkarte"
    rf"|sprachnachricht|dokument|imagen|imagem|immagine|afbeelding|bilde|billede) {_LEFT_OUT}",
    re.IGNORECASE,
)
_DELETED: Final = frozenset(
    ("this message was deleted", "you deleted this message", "diese nachricht wurde geloscht",
     "du hast diese nachricht geloscht", "se elimino este mensaje", "ce message a ete supprime",
     "questo messaggio e stato eliminato", "dit bericht is verwijderd")
)  # fmt: skip
_EDITED: Final = re.compile(
    r" ?[\u200e\u200f]?<[^<>]{0,40}(?:edited|bearbeitet|editó|editado|modifié|modificato|bewerkt"
    r"|redigert)[^<>]{0,20}>$",
    re.IGNORECASE,
)
_REMARK: Final = re.compile(r"\s#\s")


def without_words_of_chat(line: str) -> str:
    """A message without what the chat itself says of it; nothing where it says no more.

    It says that a message was edited or deleted, or had a picture that was not kept.
    """
    line = _EDITED.sub("", line)
    is_of_chat = _OF_MEDIA.fullmatch(line) is not None or fold_kind(line.rstrip(".")) in _DELETED
    return "" if is_of_chat else line


def without_remark(line: str, knows: KnowsName | None = None) -> str:
    """A line without what stands behind a # by itself, unless a known name has it there."""
    for found in _REMARK.finditer(line):
        before, behind = line[: found.start()].split(), line[found.end() :].split()
        if not is_in_name([*before, "#", *behind], len(before), len(before) + 1, knows):
            return line[: found.start()]
    return line


def without_announcement(text: str) -> str:
    """What stands behind the words that announce results, as in “Ergebnisse vom 26.11.”."""
    words = text.split(" ")
    begin = 0
    while begin < len(words) and (fold_kind(words[begin]) in _RESULTS | _LINKS):
        begin += 1
    if not any(fold_kind(word) in _RESULTS for word in words[:begin]):
        return text
    return " ".join(words[begin:]).removeprefix("d'").removeprefix("d\u2019")


def is_chatter(line: str) -> bool:
    """Whether a line has only words around results, announces them with a colon, or asks."""
    if line.endswith("?") and not any(char.isdecimal() for char in line):
        return True
    text = line.removesuffix(":")
    words = [fold_kind(word.strip(".,!")) for word in text.split()]
    has_results = any(word in _RESULTS for word in words)
    if text != line and ("," in text or has_results):
        return ": " not in text
    return (has_results or any(word in _ROUNDS for word in words)) and all(
        word in _RESULTS or word in _ROUNDS or word in _LINKS or word.isdigit() or len(word) < 2
        for word in words
    )


def is_beside_results(word: str) -> bool:
    """Whether a word leads to a result or numbers it, as in “und nochmal 3:2” or “Tisch frei”."""
    folded = fold_kind(word.strip(".,:!"))
    return folded in _ROUNDS or bool(word_before([word, ""]))


def refuse_chatter(line: str, knows: KnowsName | None) -> None:
    """Raise LineProblem for a line that says no result, or one that is crossed out."""
    _refuse_crossed(line, knows)
    if is_chatter(line):
        raise LineProblem(
            "chatter", "This line says no result; delete it, or put # in front of it."
        )


def _refuse_crossed(line: str, knows: KnowsName | None) -> None:
    """Raise LineProblem for a line with a cross at an end, or with a stroke through it."""
    words = line.split(" ")
    is_crossed = (words[0].startswith(_CROSSES) and not begins_with_name(words, knows)) or (
        words[-1].rstrip("\ufe0f").endswith(_CROSSES) and not ends_with_name(words, knows)
    )
    is_struck = len(line) > 1 and line[0] == line[-1] == "~"
    if is_struck or is_crossed:
        raise LineProblem(
            "crossed",
            "This line is crossed out; delete it, or only the mark if the result counts.",
        )
