"""JSON files with many rows, which are written one by one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any


def json_lines(
    head: Mapping[str, Any], rows: Iterable[Mapping[str, Any]], *, name: str = "results"
) -> Iterator[str]:
    """Yield the lines of one object: what `head` says, and the rows under their name."""
    yield f'{json.dumps(head, ensure_ascii=False)[:-1]}, "{name}": ['
    for number, row in enumerate(rows):
        yield f"{',' if number else ''}\n{json.dumps(row, ensure_ascii=False)}"
    yield "\n]}\n"
