"""How the time of everything that reads what strangers send grows with its length (S-15).

Texts are made as badly as is known for each reader. Four times the text may take four times the
time and what the machine disturbs; a reader that takes the square of it takes sixteen times.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import date
from itertools import pairwise

from benchmarks.report import Report, Row

LENGTH = 1 << 15
TIMES = 4
BAR = 8.0
REPEATS = 5
LEAST_SECONDS = 0.002

Reader = Callable[[str], object]


def measure(report: Report) -> None:
    """Measure each reader with its worst text, and report the worst of all texts."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["RUNGS_DATA"] = folder
        os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
        import django

        django.setup()
        for name, reader in readers().items():
            growth = max(_growth(reader, text) for text in hostile_texts())
            report.add(Row(f"{name}: time for {TIMES} times the text", growth, "×", BAR, "at most"))


def readers() -> dict[str, Reader]:
    """Return what reads texts of strangers; Django has to be set up."""
    from django.core.exceptions import ValidationError
    from django.http import QueryDict
    from rest_framework.exceptions import ParseError

    from leagues.api.parsers import parse_json
    from leagues.forms.places import read_places
    from leagues.pages.sides import typed_sides
    from leagues.services.texts import clean_text
    from leagues.services.tokens import find_token
    from leagues.store.search import plain_name
    from ratings.files.dates import Calendar, day_order
    from ratings.files.names import NameProblem, clean_name, fold_name
    from ratings.files.problems import CellProblem, FileProblem
    from ratings.files.scores import read_rank, result_word, split_score
    from ratings.files.tables import UPLOAD_LIMITS, open_table
    from ratings.files.vocabulary import header_words, suggested_meaning

    def sides(text: str) -> object:
        query = QueryDict(mutable=True)
        query["a"] = text
        return typed_sides(query)

    def table(text: str) -> object:
        # Cut into lines, for longer ones are refused at once.
        lines = "\n".join(text[at : at + 200] for at in range(0, len(text), 200))
        return list(open_table(lines.encode(), limits=UPLOAD_LIMITS).rows)

    calendar = Calendar(zone="UTC", order="dmy", today=date(2026, 11, 22))
    every: dict[str, Callable[[str], object]] = {
        "JSON": lambda text: parse_json(text.encode()),
        "JSON in an object": lambda text: parse_json(f'{{"a": [{text}]}}'.encode()),
        "token": find_token,
        "name": clean_name,
        "folded name": fold_name,
        "plain name": plain_name,
        "text": lambda text: clean_text(text, most=200),
        "sides of an address": sides,
        "lines of a result": lambda text: list(read_places(text)),
        "header": lambda text: suggested_meaning(header_words(text)),
        "score": split_score,
        "result": result_word,
        "rank": read_rank,
        "date": calendar.read,
        "order of days": lambda text: day_order([text]),
        "table": table,
    }
    refusals = (CellProblem, FileProblem, NameProblem, ParseError, ValidationError, ValueError)
    return {name: _forgiving(reader, refusals) for name, reader in every.items()}


def _forgiving(reader: Reader, refusals: tuple[type[Exception], ...]) -> Reader:
    def read(text: str) -> object:
        try:
            return reader(text)
        except refusals:
            return None

    return read


def hostile_texts() -> Iterator[Callable[[int], str]]:
    """Yield makers of texts of about so many characters."""
    words = (
        *('"', '\\"', '""', '"+', '"a+', '""+"', "[", "[],", '"":0,', "1", "1,", "0.1e", "-"),
        *(" ", "a ", " ,", "\t", "\n", "a\n", "=", "+", "a=b\n", ";", '";"', "1:1 ", "1-1,", " -"),
        *(
            "aA",
            "a1",
            "_",
            ".",
            "00:",
            "\u0301\u0316",
            "\u0f73",
            "\uff9e\u0334",
            "\ufdfa",
            "\U0001f3f4",
        ),
    )
    for word in words:
        for lead, rest in (("", ""), ('"', "x"), ("a", "\x01")):
            yield lambda length, parts=(lead, word, rest): (  # type: ignore[misc]
                parts[0] + parts[1] * (length // len(parts[1])) + parts[2]
            )
    # Marks of two classes, those that have to go to the front at the back.
    yield lambda length: "a" + "\u0301" * (length // 2) + "\u0316" * (length // 2)


def _growth(reader: Reader, text: Callable[[int], str]) -> float:
    lengths = (LENGTH, LENGTH * TIMES)
    short, long = (min(_time(reader, text(length)) for _ in range(2)) for length in lengths)
    if long < LEAST_SECONDS:
        return 1.0
    if long / short <= BAR:
        return long / short
    # Once more and longer, for the machine does other work too.
    taken = [min(_time(reader, text(length)) for _ in range(REPEATS)) for length in lengths]
    return max(after / before for before, after in pairwise(taken))


def _time(reader: Reader, text: str) -> float:
    began = time.process_time()
    reader(text)
    return time.process_time() - began
