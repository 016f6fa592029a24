"""Tracebacks in logs: which there are, and which a storm must not leave."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

START = "Traceback (most recent call last):"
NAME = re.compile(r"(?:\w+\.)*[A-Z]\w*(?:: |$)")
# What a library says of a server that was taken away; our own code says it in one line.
ALLOWED = re.compile(
    r"^(?:psycopg\.(?:OperationalError|errors\.\w+)|django\.db\.utils\.(?:Operational|Interface)Error"
    r"|redis\.exceptions\.\w+|kombu\.exceptions\.OperationalError|amqp\.\w+"
    r"|(?:ConnectionRefused|ConnectionReset|BrokenPipe|Timeout)Error|TimeoutError"
    r"|billiard\.exceptions\.WorkerLostError|SystemExit|KeyboardInterrupt)\b"
)


def tracebacks(lines: Iterable[str]) -> Counter[str]:
    """Count tracebacks by the line that names the exception.

    Several processes write to one log, so that other lines may stand in between.
    """
    found: Counter[str] = Counter()
    open_ones = 0
    for line in lines:
        if START in line:
            open_ones += 1
        elif open_ones and NAME.match(line):
            found[line.strip()[:200]] += 1
            open_ones -= 1
    return found


def unexpected(lines: Iterable[str]) -> Counter[str]:
    """Count the tracebacks that no fault of a storm explains."""
    counts = tracebacks(lines)
    return Counter({line: count for line, count in counts.items() if not ALLOWED.match(line)})
