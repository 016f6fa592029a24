"""Parts of pages that are written once, however many pages show them.

After a change most rows of a leaderboard are what they were, and its head and its legend say the
same to everybody.
"""

from __future__ import annotations

from typing import Any

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe
from django.utils.translation import get_language

from leagues.store.memory import Memory

MAX_BYTES = 4 * 1024 * 1024
"""Some two thousand rows."""

register = template.Library()
_parts: Memory[str] = Memory(MAX_BYTES)


@register.simple_tag
def render_part(name: str, **values: Any) -> str:
    """A template of these values, which is all that it sees; written once for equal ones.

    With a value that is personal it is written anew, and nothing is kept of it.
    """
    if any(getattr(value, "is_personal", False) for value in values.values()):
        return render_to_string(name, values)
    key = (name, get_language(), *values.items())
    text = _parts.get(key)
    if text is None:
        text = render_to_string(name, values)
        _parts.put(key, text, 2 * len(text))
    return mark_safe(text)  # noqa: S308 - a template has written it
