"""What some work costs: processor time of this process and of the database's that works for it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(slots=True)
class Cost:
    """Processor seconds, and how many statements were sent."""

    seconds: float = 0.0
    statements: int = 0


@contextmanager
def measured(cost: Cost) -> Iterator[None]:
    """Add up what the work inside costs."""
    from django.db import connection

    def count(execute: Any, sql: Any, params: Any, many: Any, context: Any) -> Any:
        cost.statements += 1
        return execute(sql, params, many, context)

    began = processor_seconds()
    with connection.execute_wrapper(count):
        yield
    cost.seconds += processor_seconds() - began


def processor_seconds() -> float:
    """The processor time until now of this process, and of the server's that works for it."""
    return time.process_time() + _server_seconds()


def _server_seconds() -> float:
    """The processor time of the server's process that works for this one, if it is here."""
    from django.db import connection

    if connection.vendor == "sqlite":
        return 0.0
    connection.ensure_connection()
    path = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat")
    return int(path.read_text().split()[0]) / 1e9 if path.exists() else 0.0
