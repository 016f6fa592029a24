"""Scores in the lines of a page."""

from __future__ import annotations

import re

from django import template
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe

TAG_OR_SCORE = re.compile(r"<[^<>]*>|([0-9]{1,3}[–:-][0-9]{1,3}(?:\([0-9]{1,3}\))?,?)")

register = template.Library()


@register.filter
def unbroken_scores(text: str) -> SafeString:
    """A text as markup in which no score is broken between two lines.

    Signs that join its numbers would do so too, and come along where a reader copies the text. What
    is markup already stays as it is, such as the moment of a result.
    """
    marked = TAG_OR_SCORE.sub(_unbroken, conditional_escape(text))
    return mark_safe(marked)  # noqa: S308 - what comes in is escaped


def _unbroken(part: re.Match[str]) -> str:
    return f'<span class="nw">{part[1]}</span>' if part[1] else part[0]
