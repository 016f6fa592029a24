"""Emoji that people put around words, and the words without them."""

from __future__ import annotations

import unicodedata
from typing import Final

_JOINTS: Final = frozenset("\u200d\ufe0e\ufe0f")
_SKIN_TONES: Final = frozenset(map(chr, range(0x1F3FB, 0x1F400)))


def without_emoji(text: str) -> str:
    """The text without the emoji and spaces at its ends; empty where there is nothing else."""
    text = without_emoji_behind(text)
    begin = next((at for at, char in enumerate(text) if not _is_part(char)), 0)
    return text[begin:]


def without_emoji_behind(text: str) -> str:
    """The text without the emoji and spaces at its end; empty where there is nothing else."""
    end = len(text)
    while end and _is_part(text[end - 1]):
        end -= 1
    return text[:end]


def has_emoji(text: str) -> bool:
    """Whether a text has an emoji."""
    return not text.isascii() and any(_is_emoji(char) for char in text)


def _is_part(char: str) -> bool:
    return char.isspace() or char in _JOINTS or _is_emoji(char)


def _is_emoji(char: str) -> bool:
    return char in _SKIN_TONES or unicodedata.category(char) == "So"
