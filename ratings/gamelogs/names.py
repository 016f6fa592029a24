"""Players' names as games write them, made fit to be stored."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from ratings.files.names import NameProblem, clean_name, readable_name

NAMELESS: Final = "unnamed player"
"""What a player is called of whose name nothing readable is left."""

_COLOURS = re.compile(r"\^[0-9A-Za-z]")
_TOKEN = re.compile(r"[A-Za-z0-9_./+-]{1,64}", re.ASCII)


@lru_cache(maxsize=4096)
def plain_name(text: str) -> str:
    """A name without colour codes: trimmed, readable, 64 characters at most, never empty."""
    try:
        return clean_name(text)
    except NameProblem:
        return readable_name(text) or NAMELESS


@lru_cache(maxsize=4096)
def quake_name(text: str) -> str:
    """A name of the Quake 3 family, where ^ and a letter or digit change the colour."""
    return plain_name(_COLOURS.sub("", text) if "^" in text else text)


def token(text: str) -> str:
    """A word of the game itself, such as a weapon or a map; empty where it is anything else."""
    return text if _TOKEN.fullmatch(text) else ""
