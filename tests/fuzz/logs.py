"""Mutated logs, read as an upload is: whatever the lines are, they end as games or are counted."""

from __future__ import annotations

import io
import json
import random
import re
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from leagues.services.log_packing import pack_contents, unpack_contents
from leagues.services.log_reading import LogContents, LogOptions, read_log_into
from ratings.gamelogs.reading import read_sessions
from ratings.gamelogs.sessions import LogFormat, Problems
from tests.ratings.gamelogs.seeds import SEEDS, check

FORMATS: Final = tuple(log_format.value for log_format in LogFormat)
LINES_A_LOG: Final = 400
LONG_LINE: Final = 70_000
UNTOUCHED: Final = 0.3
"""The part of the lines that stays as it was, so that games begin and end."""
UNTOUCHED_DOCUMENT: Final = 0.8
"""That of a log that is one document: whatever breaks a line breaks all of it."""
VALUE: Final = re.compile(r'(?<=: )("[^"]*"|-?[0-9.]+|true|false|null)')
JSON: Final = (LogFormat.QUAKEWORLD.value, LogFormat.JSON_LINES.value)
ODD: Final = (
    *("\0", "\u202e", "\u2066", "\ufeff", "\u200d", "\u0301" * 40, "\ud800", "\udcff", "\ue041"),
    *("\\", ";", ":", "::", "<", ">", '"', "'", "\t", " ", "", "|", "^1", "^x", "^xF00", "%s"),
    *("-1", "0", "64", "1022", "99999999999", "1e999", "NaN", "null", "true", "[", "{", "}", "]"),
    *("<script>", "</bdi>", "&amp;", "{{ x }}", "'; --", " killed ", " by ", "<world>", "BOT"),
    *("9999999:59", "999999999.9", "12/31/9999", "01/01/0001", "[ffffffff]", "0001-01-01"),
)


@dataclass(slots=True)
class Outcome:
    """What became of the mutated logs of one format."""

    log_format: str
    lines: int = 0
    logs: int = 0
    games: int = 0
    bad_lines: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    """Processor seconds of the slowest log."""
    broken: list[str] = field(default_factory=list)
    """Where logs are kept on which something broke."""

    def __str__(self) -> str:
        words = (
            f"{self.log_format}: {self.lines:,} mutated lines in {self.logs:,} logs, "
            f"{self.games:,} games, {self.bad_lines:,} lines not understood, "
            f"{self.seconds:.1f} s, slowest log {1000 * self.slowest:.0f} ms"
        )
        return "\n".join([words, *(f"BROKEN: {path}" for path in self.broken)])


def fuzz(
    log_format: str, *, lines: int, seed: int, then: Callable[[bytes], None] | None = None
) -> Outcome:
    """Read mutated logs of a format until so many lines were mutated; `then` is given each."""
    outcome = Outcome(log_format)
    for data, mutated in mutated_logs(log_format, seed):
        begin = time.process_time()
        try:
            outcome.bad_lines += _read(data, log_format)
            outcome.games += _take(data, log_format)
            if then is not None:
                then(data)
        except Exception:
            outcome.broken.append(_keep(data, log_format))
            traceback.print_exc()
        spent = time.process_time() - begin
        outcome.logs += 1
        outcome.lines += mutated
        outcome.seconds += spent
        outcome.slowest = max(outcome.slowest, spent)
        if outcome.lines >= lines:
            break
    return outcome


def _read(data: bytes, log_format: str) -> int:
    """Check every session; returns how many lines were not understood."""
    problems = Problems()
    for session in read_sessions(io.BytesIO(data), LogFormat(log_format), problems):
        check(session)
    return problems.total


def _take(data: bytes, log_format: str) -> int:
    """Do with a log what an upload does; returns how many games it holds."""
    contents = LogContents()
    options = LogOptions(log_format=log_format, with_bots=True, with_broken_off=True)
    read_log_into(contents, "fuzz.log", io.BytesIO(data), options)
    if unpack_contents(pack_contents(contents)) != contents:
        raise AssertionError("what is kept of the log is not what was read")
    return len(contents.games)


def _keep(data: bytes, log_format: str) -> str:
    with tempfile.NamedTemporaryFile(
        prefix=f"fuzz-{log_format}-", suffix=".log", delete=False
    ) as file:
        file.write(data)
    return str(Path(file.name))


def mutated_logs(log_format: str, seed: int) -> Iterator[tuple[bytes, int]]:
    """Yield logs of a format without end, and how many lines of each were mutated."""
    rng = random.Random(f"{log_format}:{seed}")
    others = [row for text in SEEDS.values() for row in text.split("\n") if row]
    own = SEEDS[LogFormat(log_format)].split("\n")
    untouched = UNTOUCHED_DOCUMENT if log_format == LogFormat.QUAKEWORLD else UNTOUCHED
    while True:
        rows, mutated = [], 0
        while len(rows) < LINES_A_LOG:
            for row in own:
                if rng.random() < untouched:
                    rows.append(row)
                    continue
                mutated += 1
                if log_format in JSON and rng.random() < 0.7:
                    rows.append(_with_other_values(rng, row))
                else:
                    rows += _mutated(rng, row, own, others)
            if log_format == LogFormat.QUAKEWORLD:
                break
        data = "\n".join(rows).encode("utf-8", "surrogatepass")
        yield _with_odd_bytes(rng, data), mutated


def _mutated(rng: random.Random, row: str, own: list[str], others: list[str]) -> list[str]:
    """What stands in place of a line: none, one or several."""
    match rng.randrange(12):
        case 0:
            return []
        case 1:
            return [row] * rng.randint(2, 4)
        case 2:
            return [rng.choice(own)]
        case 3:
            return [rng.choice(others)]
        case 4:
            other = rng.choice(own)
            return [row[: rng.randint(0, len(row))] + other[rng.randint(0, len(other)) :]]
        case 5 if rng.random() < 0.02:
            at = rng.randint(0, len(row))
            return [row[:at] + rng.choice(ODD) * LONG_LINE + row[at:]]
        case _:
            for _edit in range(rng.randint(1, 4)):
                at = rng.randint(0, len(row))
                row = row[:at] + rng.choice(ODD) + row[at + rng.choice((0, 0, 1, 3, 12)) :]
            return [row]


def _with_other_values(rng: random.Random, row: str) -> str:
    """A line that is JSON as before and says something else."""

    def other(found: re.Match[str]) -> str:
        if rng.random() < 0.5:
            return found[0]
        value = rng.choice((-1, 0, 1e9, 2**63, -0.5, True, None, [], {}, [[1]], {"a": 1}, *ODD))
        return json.dumps(value)

    return VALUE.sub(other, row)


def _with_odd_bytes(rng: random.Random, data: bytes) -> bytes:
    """Data that in one log of three is cut off, or has bytes that are no text."""
    chance = rng.random()
    if chance < 0.15:
        return data[: rng.randint(0, len(data))]
    if chance < 0.3:
        content = bytearray(data)
        for _byte in range(rng.randint(1, 20)):
            content[rng.randrange(len(content))] = rng.randrange(256)
        return bytes(content)
    return data
