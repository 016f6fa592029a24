"""Sentences for people use plain words: the phrases that the glossary retired do not come back."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MARKED = {"_", "gettext", "gettext_lazy", "ngettext", "ngettext_lazy", "pgettext", "CommandError"}
TRANSLATED = re.compile(r"\{% translate ([\"'])(.*?)\1")
BLOCKS = re.compile(r"\{% blocktranslate[^%]*%\}(.*?)\{% endblocktranslate %\}", re.DOTALL)

RETIRED = {
    r"\bdoubts?\b": "uncertainty",
    r"\bunsure\b": "uncertain",
    r"\b(un|not )?settled\b": "certain, or decided",
    r"\b(fairly|how|less|more) sure\b|\bsurer\b": "certain",
    r"\breckon": "counted, or apply",
    r"\banew\b": "again",
    r"\bwhoever\b": "players who",
    r"\bsome(body|body’s)\b": "someone, or a player",
    r"\bnobody\b": "no one, or no player",
    r"\beverybody\b": "everyone, or each player",
    r"\bis (called|named) so\b": "has this name",
    r"\bwho is meant\b": "who is it",
    r"\bsay who is meant\b": "choose who it is",
    r"\bmade (when|on the way)\b": "added when",
    r"\bthat is no (day|date)\b": "invalid date",
    r"\bdo no harm\b|\bsay nothing about\b": "are ignored",
    r"\bbelong together\b": "match",
    r"\bwaits for you\b": "was checked but not imported",
    r"\bit was so\b|\bcould have been\b": "what happened, other possible outcomes",
    r"\bto take home\b|\bto remember\b": "downloads, highlights",
    r"\bsee to (the|this)\b": "manage",
    r"\blooked through\b": "analysed",
    r"\bfinds out\b|\btell(s)? the truth\b": "predicts",
    r"\bare (made|written) when\b": "will be added when",
    r"\bstands? near\b": "has a similar rating",
    r"\bcome(s)? by (itself|themselves)\b": "appears here",
    r"\b(rated|starts?|begins?) anew\b": "again",
    r"\bthe own\b": "your own, or their own",
    r"\bis over\b": "has expired, or has ended",
    r"^(make|made) |\bmake the (league|season|account|token|board)\b": "create, or add",
    r"\btake home\b": "download",
    r"\bbrought (from|along)\b": "carried over",
    r"^who met\b": "match",
    r"\bwhom it moved\b": "ratings that changed",
    r"\bhas its luck\b": "depends on luck",
    r"\bcareful number\b": "cautious rating",
    r"\b(starts?|begins?) again$": "fresh start",
    r"\b(player|participant) a row\b": "per row",
    r"\bsay why\b": "give a reason",
    r"\b(stop|take)(ping|ing)? (taking )?results\b": "accept results",
    r"\bare expected\.$": "a player is expected to score",
    r"\bformer season\b|\bpresent (rules|ones|year)\b": "previous season, current rules",
    r"; its \w+ stay( as they are)?\.$": "can’t be changed",
    r"^(perhaps|which|nothing here|why|what):?\??$": "did you mean, or what is chosen",
}


def sentences() -> Iterator[tuple[str, str]]:
    """Every sentence for people, with its place."""
    for path in sorted((ROOT / "templates").rglob("*.*")):
        text = path.read_text(encoding="utf-8")
        for found in TRANSLATED.finditer(text):
            yield str(path.relative_to(ROOT)), found[2]
        for block in BLOCKS.finditer(text):
            yield str(path.relative_to(ROOT)), " ".join(block[1].split())
    for package in ("leagues", "config"):
        for path in sorted((ROOT / package).rglob("*.py")):
            place = str(path.relative_to(ROOT))
            if "/migrations/" not in place:
                yield from ((f"{place}:{line}", text) for line, text in _marked(path))


def _marked(path: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        if name in MARKED:
            for argument in node.args[:2]:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield argument.lineno, argument.value


SENTENCES = tuple(sentences())


def test_there_are_sentences() -> None:
    assert len(SENTENCES) > 2000


@pytest.mark.parametrize(("phrase", "better"), RETIRED.items())
def test_no_sentence_has_a_retired_phrase(phrase: str, better: str) -> None:
    pattern = re.compile(phrase, re.IGNORECASE)
    assert [row for row in SENTENCES if pattern.search(row[1])] == [], f"better: {better}"
