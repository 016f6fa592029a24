"""What a page says, without the markup that only its look needs."""

from __future__ import annotations

import html
import re

from django.http import HttpResponse

UNBROKEN = re.compile(r'<span class="nw">(.*?)</span>')


def with_plain_scores(page: str) -> str:
    """A page whose scores stand among its words as they read."""
    return UNBROKEN.sub(r"\1", page)


def words_of(page: HttpResponse | str) -> str:
    """The words of a page or of a part of it, a space apart."""
    text = page if isinstance(page, str) else page.content.decode()
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).split())
