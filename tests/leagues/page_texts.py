"""What a page says, without the markup that only its look needs."""

from __future__ import annotations

import re

UNBROKEN = re.compile(r'<span class="nw">(.*?)</span>')


def with_plain_scores(page: str) -> str:
    """A page whose scores stand among its words as they read."""
    return UNBROKEN.sub(r"\1", page)
