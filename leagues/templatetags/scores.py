"""Scores in the lines of a page."""

from __future__ import annotations

import re
from html import escape

from django import template
from django.utils.safestring import SafeString, mark_safe

SCORE = re.compile(r"[0-9]{1,3}[–:-][0-9]{1,3}(?:\([0-9]{1,3}\))?,?")

register = template.Library()


@register.filter
def unbroken_scores(text: str) -> SafeString:
    """A text as markup in which no score is broken between two lines.

    Signs that join its numbers would do so too, and come along where a reader copies the text.
    """
    marked = SCORE.sub(r'<span class="nw">\g<0></span>', escape(text))
    return mark_safe(marked)  # noqa: S308 - what comes in is escaped
