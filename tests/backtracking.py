"""How many steps a backtracking engine takes for a pattern, counted and not timed (S-15).

Walks the tree that `re` itself parses, in the order in which its engine tries things, and counts
each look at a character. `steepest_growth` looks for a text that makes a pattern slow.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

Then = Callable[[int], bool]

MAX_STEPS = 12_000
SHORT = 64
SUSPECT, STEEP = 2.2, 2.6
"""Twice the text may take so many times the steps; a quadratic pattern comes near four."""
ENDLESS = 32
"""A repeat of so many may as well have no end."""

_CANDIDATES = [*map(chr, range(0x180)), *"\u2013\u2028\u2212\u0301\u4e00\U0001f3f4\U000e0061"]
_CATEGORIES = {
    op.CATEGORY_DIGIT: r"\d",
    op.CATEGORY_NOT_DIGIT: r"\D",
    op.CATEGORY_SPACE: r"\s",
    op.CATEGORY_NOT_SPACE: r"\S",
    op.CATEGORY_WORD: r"\w",
    op.CATEGORY_NOT_WORD: r"\W",
}
_CHARACTERS = (op.LITERAL, op.NOT_LITERAL, op.ANY, op.IN)
_REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)


class TooManySteps(Exception):
    """The pattern is slow beyond counting."""


class Pattern:
    """A parsed pattern that counts its steps."""

    def __init__(self, pattern: str | bytes, flags: int = 0) -> None:
        if isinstance(pattern, bytes):
            pattern = pattern.decode("latin-1")
            flags |= re.ASCII
        self.tree = parser.parse(pattern, flags & ~re.DEBUG)
        self.flags = self.tree.state.flags
        self._accepts: dict[str, dict[str, bool]] = {}

    def steps(self, text: str, method: str) -> int:
        """Count the steps of `fullmatch`, `match`, `search` or walking all matches."""
        self.count = 0
        self.text = text
        self.groups: dict[int, tuple[int, int]] = {}
        start = 0
        while start <= len(text):
            end = self._from(start, method)
            if method in ("match", "fullmatch") or (end is not None and method == "search"):
                break
            start = start + 1 if end is None or end == start else end
        return self.count

    def _from(self, start: int, method: str) -> int | None:
        ends: list[int] = []

        def then(at: int) -> bool:
            if method == "fullmatch" and at < len(self.text):
                return False
            ends.append(at)
            return True

        return ends[0] if self._sequence(list(self.tree), 0, start, then) else None

    def _step(self) -> None:
        self.count += 1
        if self.count > MAX_STEPS:
            raise TooManySteps

    def _sequence(self, nodes: list[Any], index: int, at: int, then: Then) -> bool:
        if index == len(nodes):
            return then(at)
        kind, value = nodes[index]

        def go_on(end: int) -> bool:
            return self._sequence(nodes, index + 1, end, then)

        if kind in _CHARACTERS:
            return self._takes(nodes[index], at) and go_on(at + 1)
        if kind is op.AT:
            return self._is_at(value, at) and go_on(at)
        if kind is op.BRANCH:
            return any(self._sequence(list(one), 0, at, go_on) for one in value[1])
        if kind is op.SUBPATTERN:
            return self._group(value, at, go_on)
        if kind is op.ATOMIC_GROUP:
            return self._only_once(list(value), at, go_on)
        if kind in (op.ASSERT, op.ASSERT_NOT):
            return self._looks(value, at) is (kind is op.ASSERT) and go_on(at)
        if kind is op.GROUPREF:
            begin, end = self.groups.get(value, (0, 0))
            self._step()
            word = self.text[begin:end]
            return self.text.startswith(word, at) and go_on(at + len(word))
        if kind in _REPEATS:
            return self._repeat(kind, value, at, go_on)
        raise NotImplementedError(f"{kind} is not counted yet")

    def _group(self, value: Any, at: int, then: Then) -> bool:
        number, _on, _off, inner = value

        def close(end: int) -> bool:
            before = self.groups.get(number)
            if number is not None:
                self.groups[number] = (at, end)
            if then(end):
                return True
            if before is not None:
                self.groups[number] = before
            return False

        return self._sequence(list(inner), 0, at, close)

    def _only_once(self, nodes: list[Any], at: int, then: Then) -> bool:
        ends: list[int] = []
        found = self._sequence(nodes, 0, at, lambda end: ends.append(end) or True)
        return found and then(ends[0])

    def _looks(self, value: Any, at: int) -> bool:
        direction, inner = value
        if direction < 0:
            at -= inner.getwidth()[0]
        return at >= 0 and self._sequence(list(inner), 0, at, lambda _end: True)

    def _repeat(self, kind: Any, value: Any, at: int, then: Then) -> bool:
        least, most, inner = value
        nodes = list(inner)
        if kind is op.POSSESSIVE_REPEAT:
            greedy = (op.MAX_REPEAT, (least, most, inner))
            return self._only_once([greedy], at, then)
        if len(nodes) == 1 and nodes[0][0] in _CHARACTERS:
            return self._repeat_one(nodes[0], kind, (least, most), at, then)

        def again(done: int, here: int) -> bool:
            def more(end: int) -> bool:
                return (end > here or done < least) and again(done + 1, end)

            self._step()
            if done < least:
                return self._sequence(nodes, 0, here, more)
            if kind is op.MIN_REPEAT and then(here):
                return True
            if done < most and self._sequence(nodes, 0, here, more):
                return True
            return kind is op.MAX_REPEAT and then(here)

        return again(0, at)

    def _repeat_one(
        self, node: Any, kind: Any, bounds: tuple[int, int], at: int, then: Then
    ) -> bool:
        least, most = bounds
        end = at
        if kind is op.MIN_REPEAT:
            while end - at < most:
                if end - at >= least and then(end):
                    return True
                if not self._takes(node, end):
                    return False
                end += 1
            return then(end)
        while end - at < most and self._takes(node, end):
            end += 1
        while end - at >= least:
            self._step()
            if then(end):
                return True
            end -= 1
        return False

    def _takes(self, node: Any, at: int) -> bool:
        self._step()
        return at < len(self.text) and self.accepts(node, self.text[at])

    def accepts(self, node: Any, character: str) -> bool:
        """Tell whether one node takes one character."""
        known = self._accepts.setdefault(repr(node), {})
        if character not in known:
            kinds = {character}
            if self.flags & re.IGNORECASE:
                kinds |= {character.lower(), character.upper()}
            known[character] = any(self._accepts_as(node, one) for one in kinds)
        return known[character]

    def _accepts_as(self, node: Any, character: str) -> bool:
        kind, value = node
        code = ord(character[0])
        if kind is op.ANY:
            return bool(self.flags & re.DOTALL) or character != "\n"
        if kind is op.LITERAL:
            return code == value
        if kind is op.NOT_LITERAL:
            return code != value
        if kind is op.RANGE:
            return value[0] <= code <= value[1]
        if kind is op.CATEGORY:
            return re.match(_CATEGORIES[value], character, self.flags & re.ASCII) is not None
        is_negated = value[0][0] is op.NEGATE
        inside = any(self._accepts_as(one, character) for one in value[is_negated:])
        return inside != is_negated

    def _is_at(self, where: Any, at: int) -> bool:
        if where in (op.AT_BEGINNING, op.AT_BEGINNING_STRING):
            return at == 0
        if where is op.AT_END_STRING:
            return at == len(self.text)
        if where is op.AT_END:
            return self.text[at:] in ("", "\n")
        raise NotImplementedError(f"{where} is not counted yet")


def steepest_growth(
    pattern: str | bytes, flags: int = 0, method: str = "finditer"
) -> tuple[float, str]:
    """Return the worst growth of steps when a text doubles, and what was repeated in it."""
    counted = Pattern(pattern, flags)
    worst = (1.0, "")
    with _deep_calls():
        for parts in _hostile(counted):
            # A slow pattern shows early, so that most texts are tried at a sixth of the length.
            if _growth(counted, method, parts, SHORT // 6) > SUSPECT:
                lead, word, rest = parts
                growth = _growth(counted, method, parts, SHORT)
                worst = max(worst, (growth, f"{lead!r} + {word!r} * n + {rest!r}"))
    return worst


@contextmanager
def _deep_calls() -> Iterator[None]:
    """Let the walk call itself for each character of a text."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _growth(counted: Pattern, method: str, parts: tuple[str, str, str], times: int) -> float:
    lead, word, rest = parts
    try:
        short = counted.steps(lead + word * times + rest, method)
        return counted.steps(lead + word * 2 * times + rest, method) / short
    except TooManySteps:
        return float("inf")


def _hostile(counted: Pattern) -> Iterator[tuple[str, str, str]]:
    """Yield what may come before a repeated word, the word, and what may spoil the match."""
    repeats = dict.fromkeys(_repeats(counted, list(counted.tree), ""))
    leaves = {repr(leaf): leaf for leaf in _leaves(counted.tree)}
    kinds, strange = _kinds(counted, leaves)
    endless = {repr(leaf): leaf for leaf in _leaves(counted.tree, is_endless=False)}
    pairs = map("".join, product(_kinds(counted, endless)[0], repeat=2))
    words = [*kinds, *pairs]
    for lead, example in {("", ""): None, **repeats}:
        for word in dict.fromkeys([*words, example] if example else words):
            for rest in ("", strange, *kinds[:1]):
                yield lead, word, rest


def _kinds(counted: Pattern, leaves: dict[str, Any]) -> tuple[list[str], str]:
    """Return one character of each kind that the leaves tell apart, and one that none takes."""
    by_signature: dict[tuple[bool, ...], str] = {}
    for character in _candidates(leaves.values()):
        signature = tuple(counted.accepts(leaf, character) for leaf in leaves.values())
        by_signature.setdefault(signature, character)
    kinds = [letter for signature, letter in by_signature.items() if any(signature)]
    return kinds, next((by_signature[s] for s in by_signature if not any(s)), "\x00")


def _candidates(leaves: Any) -> list[str]:
    ends: list[str] = []
    for leaf in leaves:
        for kind, value in [leaf] if leaf[0] is not op.IN else leaf[1]:
            if kind in (op.LITERAL, op.NOT_LITERAL):
                ends.append(chr(value))
            elif kind is op.RANGE:
                ends += map(chr, value)
    # Letters that can be read come first, so that what is found can be told.
    return ["a", "1", " ", *ends, *_CANDIDATES]


def _leaves(nodes: Any, *, is_endless: bool = True) -> Iterator[Any]:
    """Yield the nodes that take one character; else only those that an endless repeat holds."""
    for kind, value in nodes:
        if kind in _CHARACTERS and is_endless:
            yield kind, value
        repeats = kind in _REPEATS and value[1] >= ENDLESS
        for inner in _inside(kind, value):
            yield from _leaves(inner, is_endless=is_endless or repeats)


def _inside(kind: Any, value: Any) -> list[Any]:
    if kind is op.BRANCH:
        return list(value[1])
    if kind is op.SUBPATTERN:
        return [value[3]]
    if kind in _REPEATS:
        return [value[2]]
    if kind in (op.ASSERT, op.ASSERT_NOT):
        return [value[1]]
    return [value] if kind is op.ATOMIC_GROUP else []


def _repeats(counted: Pattern, nodes: list[Any], lead: str) -> Iterator[tuple[str, str]]:
    """Yield a text that leads to each repeat of the tree, and one that its inside takes."""
    for kind, value in nodes:
        if kind in _REPEATS:
            yield lead, _example(counted, value[2])
        for inner in _inside(kind, value):
            yield from _repeats(counted, list(inner), lead)
        lead += _example(counted, [(kind, value)])


def _example(counted: Pattern, nodes: Any) -> str:
    text = ""
    for kind, value in nodes:
        if kind in _CHARACTERS:
            takes = (
                one for one in _candidates([(kind, value)]) if counted.accepts((kind, value), one)
            )
            text += next(takes, "")
        elif kind in _REPEATS:
            text += _example(counted, value[2]) * min(value[0], 4)
        elif kind not in (op.ASSERT, op.ASSERT_NOT):
            text += "".join(_example(counted, inner) for inner in _inside(kind, value)[:1])
    return text
