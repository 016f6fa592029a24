"""The places of a match as somebody types them: a line for each, the best first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from leagues.forms.fields import read_handicap, read_score
from leagues.services.drafts import MatchDraft
from ratings.files.names import NameProblem, clean_name

_PART = re.compile(r'"[^"]*"|[^"=+]+|[=+]')
_HANDICAP = re.compile(r"[+\-\u2212]\d+", re.ASCII)


@dataclass(frozen=True, slots=True)
class TypedSide:
    """A side in words, with its rank (1 best, equal for a tie).

    Without a handicap nobody was asked for one.
    """

    rank: int
    names: tuple[str, ...]
    score: int | None
    handicap: int | None = None


def clean_player(text: str) -> str:
    """A name as somebody typed it, as it may be stored."""
    try:
        return clean_name(text)
    except NameProblem as problem:
        raise ValidationError(str(problem), code="name") from problem


def read_places(text: str) -> Iterator[TypedSide]:
    """Read lines of places; whoever comes after a tie counts everyone before."""
    rank = 1
    for line in text.splitlines():
        if not line.strip():
            continue
        names, score = _scored(line)
        tied = list(_split(names))
        for side, handicap in tied:
            yield TypedSide(rank, side, score, handicap)
        rank += len(tied)


def _scored(line: str) -> tuple[str, int | None]:
    """Split a line at its first colon that is not within double quotes."""
    is_quoted = False
    has_quotes = line.count('"') % 2 == 0
    for position, character in enumerate(line):
        if character == '"':
            is_quoted = has_quotes and not is_quoted
        elif character == ":" and not is_quoted:
            points = line[position + 1 :]
            if any(sign in points for sign in ":=+"):
                words = _(
                    "“%(line)s”: enter points once, at the end of the line, as in “Bo = Cy: 24”."
                )
                raise ValidationError(words, "score", {"line": line.strip()})
            return line[:position], read_score(points)
    return line, None


def _split(text: str) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield the names and the handicap of each side of a line, divided by =, and names by +.

    Not within double quotes. A handicap is a word of a sign and digits behind the names.
    """
    sides = [""]
    for part in _PART.findall(text):
        if part == "=":
            sides.append("")
        else:
            sides[-1] += part
    for side in sides:
        members, handicap = _without_handicap(side)
        names: list[list[str]] = [[]]
        for part in _PART.findall(members):
            if part == "+":
                names.append([])
            else:
                names[-1].append(part.strip('"'))
        yield (
            tuple(clean_player("".join(parts)) for parts in names),
            read_handicap(handicap) if handicap else 0,
        )


def _without_handicap(text: str) -> tuple[str, str]:
    """A side without the handicap behind its names, and that as it was typed; empty without one."""
    words = text.rsplit(maxsplit=1)
    if len(words) < 2 or not _HANDICAP.fullmatch(words[1]):
        return text, ""
    return words[0], words[1]


def written_places(draft: MatchDraft) -> str:
    """The lines that `read_places` would read as these sides."""
    return write_places(
        [
            TypedSide(
                side.rank,
                tuple(member.player.name for member in side.members),
                side.score,
                side.handicap,
            )
            for side in draft.sides
        ]
    )


def write_places(sides: Sequence[TypedSide]) -> str:
    """The lines that `read_places` would read as these sides."""
    lines = []
    for rank in sorted({side.rank for side in sides}):
        groups: dict[int | None, list[str]] = {}
        for side in sides:
            if side.rank == rank:
                groups.setdefault(side.score, []).append(_written(side))
        for score, names_of in groups.items():
            lines.append(" = ".join(names_of) + ("" if score is None else f": {score}"))
    return "\n".join(lines)


def _written(side: TypedSide) -> str:
    names = " + ".join(map(quoted, side.names))
    return f"{names} {side.handicap:+d}" if side.handicap else names


def quoted(name: str) -> str:
    """A name as a line of places has it, in double quotes where it has a sign of theirs."""
    return f'"{name}"' if re.search(r"[=+:]", name) or _without_handicap(name)[1] else name
