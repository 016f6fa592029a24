"""Values out of JSON that anybody may have written."""

from __future__ import annotations

import json
import math
from typing import Any, Final

MAX_NUMBER: Final = 1e9


def json_object(text: str) -> dict[str, Any] | None:
    """The object that a text is in JSON; None where it is anything else."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def text_of(value: object) -> str:
    """The value where it is text or a whole number, else nothing."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MAX_NUMBER:
        return str(value)
    return value if isinstance(value, str) else ""


def number_of(value: object) -> float | None:
    """The value where it is a number of a reasonable size."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return float(value) if abs(value) <= MAX_NUMBER else None


def integer_of(value: object) -> int | None:
    """The value where it is a whole number of a reasonable size."""
    number = number_of(value)
    return int(number) if number is not None and number.is_integer() else None
