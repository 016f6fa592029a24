"""Players' names as games write them, made fit to be stored."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from ratings.files.names import NameProblem, clean_name, readable_name

NAMELESS: Final = "unnamed player"
"""What a player is called of whose name nothing readable is left."""

MAX_RAW: Final = 512
"""Characters of a name that are looked at."""

_COLOURS = re.compile(r"\^[0-9A-Za-z]")
_XONOTIC_CODES = re.compile(r"\^(?:\^|[0-9]|x[0-9A-Fa-f]{3})")
_TOKEN = re.compile(r"[A-Za-z0-9_./+-]{1,64}", re.ASCII)

_QUAKE = [chr(code) if 32 <= code < 127 else "" for code in range(128)]
"""What Quake's characters say in letters: digits, brackets and dots in gold, lines and signs."""
for _first, _letters in ((0x10, "[]0123456789"), (0x05, "."), (0x0E, ".."), (0x1C, ".<=>")):
    _QUAKE[_first : _first + len(_letters)] = _letters


def plain_name(text: str) -> str:
    """A name without colour codes: trimmed, readable, 64 characters at most, never empty."""
    return _plain(text[:MAX_RAW])


def quake_name(text: str) -> str:
    """A name of the Quake 3 family, where ^ and a letter or digit change the colour."""
    return plain_name(_COLOURS.sub("", text) if "^" in text else text)


def xonotic_name(text: str) -> str:
    """A name of Xonotic, whose font repeats Quake's characters in a private place."""
    text = _XONOTIC_CODES.sub(lambda code: "^" if code[0] == "^^" else "", text)
    return plain_name(
        "".join(_QUAKE[ord(char) & 0x7F] if "\ue000" <= char <= "\ue0ff" else char for char in text)
    )


def quakeworld_name(text: str) -> str:
    """A name in Quake's 256 characters, in letters; half of them are a brown alphabet."""
    return plain_name(
        "".join(_QUAKE[ord(char) & 0x7F] if char <= "\xff" else char for char in text)
    )


@lru_cache(maxsize=4096)
def _plain(text: str) -> str:
    try:
        return clean_name(text)
    except NameProblem:
        return readable_name(text) or NAMELESS


def token(text: str) -> str:
    """A word of the game itself, such as a weapon or a map; empty where it is anything else."""
    return text if _TOKEN.fullmatch(text) else ""
