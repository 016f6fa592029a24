"""Names that may be one name, misspelt: a letter off, other accents, another order of words."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator

from leagues.models import League
from leagues.services.errors import Candidate
from leagues.store.search import plain_name
from ratings.files.names import fold_name

SHORTEST = 5
"""Letters a name needs before one of them may be wrong: Ana and Ann are two people."""

MOST_SIMILAR = 3
MOST_COMPARED = 5000
LEAST_LIKENESS = 0.7
_WORD = re.compile(r"[^\W\d_]+|\d+")


def similar_names(names: Iterable[str], others: Iterable[str]) -> dict[str, list[str]]:
    """For each of `names` those of `others` that read almost alike, where there are any.

    Names meet in buckets, so that ten thousand of them take no longer than their letters.
    """
    buckets: dict[str, list[str]] = {}
    for other in others:
        for trace in _traces(other):
            buckets.setdefault(trace, []).append(other)
    similar: dict[str, list[str]] = {}
    for name in names:
        alike = {other for trace in _traces(name) for other in buckets.get(trace, ())}
        alike = {other for other in alike if fold_name(other) != fold_name(name)}
        if alike:
            similar[name] = sorted(alike)[:MOST_SIMILAR]
    return similar


def _traces(name: str) -> Iterator[str]:
    """Yield the letters of a name, and what is left of them without each one.

    Two names that are one letter apart share a trace. Numbers and initials must agree: with them
    people tell teams and namesakes apart.
    """
    words = _WORD.findall(plain_name(name))
    exact = " ".join(sorted(word for word in words if len(word) == 1 or word.isdecimal()))
    letters = "".join(sorted(word for word in words if len(word) > 1 and word.isalpha()))
    if letters:
        yield f"{exact} {letters}"
    if len(letters) >= SHORTEST:
        for index in range(len(letters)):
            yield f"{exact} {letters[:index]}{letters[index + 1 :]}"


def similar_players(league: League, names: Iterable[str]) -> dict[str, tuple[Candidate, ...]]:
    """Up to three players for each name that may have been meant."""
    names = list(names)
    if not names:
        return {}
    rows = list(
        league.players.listed()
        .order_by("folded", "key")
        .values_list("folded", "key", "name")[:MOST_COMPARED]
    )
    by_folded = {folded: Candidate(key, name) for folded, key, name in rows}
    return {
        name: tuple(
            by_folded[near]
            for near in difflib.get_close_matches(
                fold_name(name), by_folded, n=MOST_SIMILAR, cutoff=LEAST_LIKENESS
            )
        )
        for name in names
    }
