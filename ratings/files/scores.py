"""Scores, results and flags as results files write them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal

from ratings.files.problems import CellProblem
from ratings.files.walkover_words import ABSENCE_WORDS, WALKOVER_WORDS

SCORE_LIMIT = 999_999
FEW_WORDS: Final = 256
"""Columns of flags and of results say the same few words in every row, which are read once."""
_SCORE_LENGTH = 200
Kind = Literal["played", "walkover", "retirement", "unrated"]

_INTEGER = re.compile(r"([+\-\u2212]?)0*(\d{1,6})(?:\.0+)?", re.ASCII)
_LARGE = re.compile(r"[+\-\u2212]?\d{7,}", re.ASCII)
_PAIR = re.compile(r"(\d{1,6})\s?[:\-\u2012-\u2014\u2212/]\s?(\d{1,6})", re.ASCII)
_SET = re.compile(
    r"\[?(\d{1,3})\s?[:\-\u2012-\u2014\u2212/]\s?(\d{1,3})(?::00)?\]?"
    r"(?:\s?(?:\((\d{1,3})(?:-(\d{1,3}))?\)|\[(\d{1,3})\]))?",
    re.ASCII,
)
_SET_SEPARATOR = re.compile(r"\s*[,;]\s*|\s+(?![:\-\u2012-\u2014\u2212/(]|\[\d{1,3}\])", re.ASCII)
_SPACED_DASH = re.compile(r"(?<!\s)\s+[:\-\u2012-\u2014\u2212]\s*|[:\-\u2012-\u2014\u2212]\s+")

_FLAGS: Final[dict[str, Kind]] = {
    **dict.fromkeys(
        ("", "0", "0.0", "no", "n", "false", "played", "completed", "complete", "finished", "ok",
         "noscore", "no score", "unk", "unknown", "-", "none", "normal", "rated"),
        "played",
    ),
    **dict.fromkeys(
        (*WALKOVER_WORDS, *ABSENCE_WORDS, "dq", "disqualified", "bye",
         "1", "1.0", "yes", "y", "true"),
        "walkover",
    ),
    **dict.fromkeys(
        ("ret", "ret.", "retired", "retirement", "def", "def.", "default", "defaulted", "aufgabe"),
        "retirement",
    ),
    **dict.fromkeys(
        ("abn", "abd", "abandoned", "aborted", "unrated", "friendly", "casual", "exhibition",
         "freundschaftsspiel", "test"),
        "unrated",
    ),
}  # fmt: skip
_NOT_PLAYED = frozenset(
    ("cancelled", "canceled", "postponed", "scheduled", "open", "pending", "upcoming", "live")
)
_TRUE = frozenset(("1", "1.0", "true", "yes", "y", "t", "rated", "x", "*", "ja", "j"))
_FALSE = frozenset(("", "0", "0.0", "false", "no", "n", "f", "unrated", "casual", "nein", "-"))

NOT_FINISHED: Final = 10**6
"""The rank of who did not finish, which no number of six digits is."""
_NOT_FINISHED = frozenset(
    ("dnf", "did not finish", "dnq", "otl", "abd", "abandon", "ret", "retired", "dsq", "dq")
)
_NOT_STARTED = frozenset(("dns", "did not start", "np", "absent"))
DRAW_WORDS = frozenset(
    ("draw", "d", "drawn", "tie", "tied", "x", "=", "½", "½-½", "1/2-1/2", "0.5-0.5", "0.5",
     "1/2", "remis", "unentschieden", "uavgjort", "empate", "nul", "pareggio", "gelijk",
     "jigo", "none")
)  # fmt: skip
FIRST_WORDS = frozenset(
    ("1", "white", "w", "home", "h", "1-0", "win", "won", "first", "left", "player1", "player 1",
     "p1", "team1", "team 1", "weiss", "weiß", "heim", "victory", "gewonnen", "sieg", "vant",
     "vunnet", "gagné", "victoire", "ganado", "victoria", "vinto", "vittoria", "vann",
     "vandt")
)  # fmt: skip
SECOND_WORDS = frozenset(
    ("2", "black", "b", "away", "a", "0-1", "loss", "lost", "l", "lose", "second", "right",
     "player2", "player 2", "p2", "team2", "team 2", "schwarz", "gast", "defeat", "verloren",
     "niederlage", "tapte", "tapt", "perdu", "défaite", "perdido", "derrota", "perso", "sconfitta",
     "förlorade", "tabte")
)  # fmt: skip
HALVES = frozenset(("½", "½-½", "1/2-1/2", "0.5-0.5", "0.5", "1/2"))
"""Draws in half points, which no score is written in."""
_COLOUR_MARGIN = re.compile(r"([bw])\+.*")


def read_integer(text: str) -> int:
    """Read a whole number of at most six digits; "7.0" is 7, as spreadsheets write it."""
    if text.isascii() and text.isdigit() and len(text) <= 6:
        return int(text)
    match = _INTEGER.fullmatch(text.strip())
    if match is None:
        is_large = _LARGE.fullmatch(text.strip()) is not None
        raise CellProblem(
            f"A score must be a whole number of at most {SCORE_LIMIT}.",
            text,
            code="score_range" if is_large else "score",
        )
    return -int(match[2]) if match[1] in ("-", "\u2212") else int(match[2])


def is_integer(text: str) -> bool:
    """Say whether a cell is a whole number we accept as a score."""
    return _INTEGER.fullmatch(text.strip()) is not None


def is_score_text(text: str) -> bool:
    """Say whether a cell holds the scores of both sides: 7:4, or sets such as 6-4 3-6 6-1."""
    sets, _ = split_score(text)
    return bool(sets)


@lru_cache(FEW_WORDS)
def read_flag(text: str) -> Kind:
    """Read how a match ended from a flag cell such as W/O, RET or dq."""
    word = text.strip().casefold()
    if word in _NOT_PLAYED:
        raise CellProblem("This match has not been played.", text)
    try:
        return _FLAGS[word]
    except KeyError:
        raise CellProblem(
            "Unknown flag; use words such as W/O or RET.", text, code="kind"
        ) from None


@lru_cache(FEW_WORDS)
def read_remark(text: str) -> Kind:
    """Read how a match ended from a comment; text that is no flag says nothing."""
    word = text.strip().casefold()
    return "played" if word.isdigit() or word in _TRUE else _FLAGS.get(word, "played")


def is_flag(text: str) -> bool:
    """Say whether a cell holds a flag we know."""
    word = text.strip().casefold()
    return word in _FLAGS or word in _NOT_PLAYED


@lru_cache(FEW_WORDS)
def read_truth(text: str) -> bool:
    """Read a yes-or-no cell."""
    word = text.strip().casefold()
    if word in _TRUE:
        return True
    if word in _FALSE:
        return False
    raise CellProblem("This must be yes or no (1 or 0).", text)


def is_set_list(text: str) -> bool:
    """Say whether a cell lists the scores of several sets."""
    return len(split_score(text)[0]) > 1


def split_score(text: str) -> tuple[list[tuple[int, int]], Kind | None]:
    """Split a score cell into pairs of numbers and the flag among them, if there is one.

    A cell that is anything else gives no pairs and no flag.
    """
    text = text.strip()
    if len(text) > _SCORE_LENGTH:
        return [], None
    if match := _PAIR.fullmatch(text):
        return [(int(match[1]), int(match[2]))], None
    word = text.casefold()
    if word in _FLAGS and not word.isdigit():
        return [], _FLAGS[word]
    pairs: list[tuple[int, int]] = []
    flag: Kind | None = None
    if _SPACED_DASH.search(text):
        text = _SPACED_DASH.sub(lambda dash: dash[0].strip(), text)
    for token in _SET_SEPARATOR.split(text):
        if match := _SET.fullmatch(token):
            pairs.append((int(match[1]), int(match[2])))
        elif token and not token.isdigit() and token.casefold() in _FLAGS:
            flag = _FLAGS[token.casefold()]
        elif token:
            return [], None
    return pairs, flag


def split_sets(text: str) -> tuple[str, str]:
    """Split a list of sets into one form, such as “6-4 6-7(5)”, and the words beside the sets.

    In brackets are the points of the loser of a tie-break.
    """
    sets, words = [], []
    for token in _SET_SEPARATOR.split(_SPACED_DASH.sub(lambda dash: dash[0].strip(), text.strip())):
        if match := _SET.fullmatch(token):
            points = [int(number) for number in match.groups()[2:] if number]
            tie_break = f"({min(points)})" if points else ""
            sets.append(f"{int(match[1])}-{int(match[2])}{tie_break}")
        elif token:
            words.append(token)
    return " ".join(sets), " ".join(words)


def sets_won(pairs: list[tuple[int, int]]) -> tuple[int, int]:
    """Return how many sets each side has won."""
    first = second = 0
    for mine, theirs in pairs:
        first += mine > theirs
        second += theirs > mine
    return first, second


@lru_cache(FEW_WORDS)
def result_word(text: str) -> int | None:
    """Read a word for the result: 0 a draw, 1 the first side, 2 the second; None if no word."""
    word = _plain_word(text)
    if match := _COLOUR_MARGIN.fullmatch(word):
        return 1 if match[1] == "w" else 2
    if word in DRAW_WORDS or is_half(text):
        return 0
    if word in FIRST_WORDS:
        return 1
    if word in SECOND_WORDS:
        return 2
    return None


def is_half(text: str) -> bool:
    """Tell whether a cell says half a point: ½, 1/2-1/2, 0,5:0,5."""
    return _plain_word(text).replace("0,5", "0.5").replace(":", "-") in HALVES


def _plain_word(text: str) -> str:
    return text.strip().casefold().replace("–", "-").replace(" - ", "-")


def read_rank(text: str) -> int:
    """Read a place such as 1, 1., 1st, =2 or T3; who did not finish is behind everybody."""
    if text.strip().casefold().rstrip(".") in _NOT_FINISHED:
        return NOT_FINISHED
    if text.strip().casefold().rstrip(".") in _NOT_STARTED:
        raise CellProblem("This player did not start; remove the row.", text)
    match = re.fullmatch(
        r"[=tT#]?\s?(\d{1,6})(?:\.0+|\.|st|nd|rd|th|e|er|º)?\s?=?", text.strip(), re.ASCII
    )
    if match is None or int(match[1]) == 0:
        raise CellProblem("A rank must be a whole number from 1, or DNF.", text, code="ranks")
    return int(match[1])
