"""Sentences for people use plain words: the phrases that the glossary retired do not come back."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MARKED = {"_", "gettext", "gettext_lazy", "ngettext", "ngettext_lazy", "pgettext"}
REFUSING = {"BackupProblem", "CommandError", "ImproperlyConfigured", "RowProblem", "_refuse"}
PRINTING = {"error", "exception", "say", "warn", "warning", "write"}
NAMED = {"description", "help", "help_text", "verbose_name"}
ASSIGNED = {"help", "words"}
DESCRIBED = re.compile(r"\w+(Body|Shape)$|(get|patch|post|put)$")
TRANSLATED = re.compile(r"\{% translate ([\"'])(.*?)\1")
BLOCKS = re.compile(r"\{% blocktranslate[^%]*%\}(.*?)\{% endblocktranslate %\}", re.DOTALL)

GAP = "…"

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
    r"\bas (it|they) (was|were) written\b": "unchanged",
    r"\bmore memory than there is\b": "not enough memory",
    r"\bdoes not answer\b": "is not responding",
    r"\bnames? no (format|server)s?\b": "is not set, or does not name",
    r"\b(has|have) to be given\b": "must not be empty",
    r"\b(cannot|could not) be made\b": "cannot be created",
    r"\bof equal time\b": "played at the same time",
    r"\bfrom which day\b|\bup to when\b|\bfrom when on\b": "the first day, or the time from which",
    r"\b(would be|have|is) another( one| rank)?\b[.;]": "changes, or is different",
    r"\bmay be meant\b": "may refer to",
    r"\bstill means? this\b": "refers to",
    r"(^|[.,;] )say (what|who)\b": "choose what",
    r"\bin one call\b": "in one request",
    r"\bstands? (on both|twice|more than once)\b|\bmay stand\b": "is used twice, is not allowed",
    r"\btake that file\b|\bspoilt\b": "use that file, garbled",
    r"(?<!there )\bis no (count|date|id|instant|json|key|list|number|object|row|text)": "is not",
    r"(?<!there )\bis no (column|match|valid|whole|year)": "is not a",
    r"\bfrom how many\b|^up to which\b": "the number after which, the largest",
    r"\bless far than\b": "less than",
    r"\b(took|takes) no part\b": "did not take part, did not use",
    r"\bknows no (such|limit|uncertainty)\b|\bgoes by the number\b": "has no, depends on",
    r"\brating of nothing\b": "a rating of 0",
    r"\bchange places\b": "swap places",
    r"\b(do|does|did) not settle\b": "did not converge",
    r"\bin the clear\b": "unencrypted",
}


def sentences() -> Iterator[tuple[str, str]]:
    """Every sentence for people, with its place; of the library, every text."""
    for path in sorted((ROOT / "templates").rglob("*.*")):
        text = path.read_text(encoding="utf-8")
        for found in TRANSLATED.finditer(text):
            yield str(path.relative_to(ROOT)), found[2]
        for block in BLOCKS.finditer(text):
            yield str(path.relative_to(ROOT)), " ".join(block[1].split())
    scripts = [ROOT / "dev.py", ROOT / "manage.py"]
    for package in ("leagues", "config"):
        scripts += sorted((ROOT / package).rglob("*.py"))
    for path in scripts:
        place = str(path.relative_to(ROOT))
        if "/migrations/" not in place:
            yield from ((f"{place}:{line}", text) for line, text in _spoken(path))
    for path in sorted((ROOT / "ratings").rglob("*.py")):
        place = str(path.relative_to(ROOT))
        yield from ((f"{place}:{line}", text) for line, text in _written(path))


def _spoken(path: Path) -> Iterator[tuple[int, str]]:
    """What a module says to people: marked texts, refusals, help, logs, the API's docstrings."""
    is_api = "api" in path.parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in MARKED | REFUSING | PRINTING:
                yield from _texts(node.args)
            yield from _texts(word.value for word in node.keywords if word.arg in NAMED)
        elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") in ASSIGNED:
            yield from _texts([node.value])
        elif is_api and isinstance(node, ast.ClassDef | ast.FunctionDef):
            words = ast.get_docstring(node) if DESCRIBED.match(node.name) else None
            yield node.lineno, words or ""


def _texts(nodes: Iterable[ast.expr]) -> Iterator[tuple[int, str]]:
    for node in nodes:
        words = _joined(node)
        if words != GAP:
            yield node.lineno, words


def _written(path: Path) -> Iterator[tuple[int, str]]:
    """The library's texts of more than one word, without its docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    silent = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            silent.update(id(part) for part in ast.walk(node) if part is not node)
        elif not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        if id(node) not in silent and " " in (text := _joined(node)).strip():
            yield node.lineno, text


def _joined(node: ast.expr) -> str:
    """The text of a constant or an f-string, with its gaps."""
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    return "".join(str(part.value) if isinstance(part, ast.Constant) else GAP for part in parts)


@cache
def all_sentences() -> tuple[tuple[str, str], ...]:
    """All of them, read once by the worker that has these tests."""
    return tuple(sentences())


def test_there_are_sentences() -> None:
    assert len(all_sentences()) > 2000


@pytest.mark.parametrize(("phrase", "better"), RETIRED.items())
def test_no_sentence_has_a_retired_phrase(phrase: str, better: str) -> None:
    pattern = re.compile(phrase, re.IGNORECASE)
    assert [row for row in all_sentences() if pattern.search(row[1])] == [], f"better: {better}"
