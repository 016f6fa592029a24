"""Kinds of events: those that all games can have, and those of a game's own as `own:goal`."""

from __future__ import annotations

import re
from typing import Final

from leagues.models.match import OWN_EVENT, MatchEventKind

BETWEEN_TWO: Final = frozenset(
    kind.value
    for kind in (
        MatchEventKind.FRAG,
        MatchEventKind.TEAM_KILL,
        MatchEventKind.DAMAGE,
        MatchEventKind.ASSIST,
    )
)
"""Kinds of events that somebody does to somebody else; those of a game's own can have an opponent,
all others have none."""
KINDS_IN_WORDS: Final = f"{', '.join(MatchEventKind.values)}; or own: and a word of the game."
_OWN: Final = re.compile(r"own:[a-z0-9][a-z0-9-]{0,27}", re.ASCII)


def is_event_kind(kind: str) -> bool:
    """Whether events can be of a kind."""
    return kind in MatchEventKind.values or _OWN.fullmatch(kind) is not None


def is_own_kind(kind: str) -> bool:
    """Whether a kind is one of a game's own."""
    return kind.startswith(OWN_EVENT)


def own_word(kind: str) -> str:
    """The game's word for a kind of its own."""
    return kind.removeprefix(OWN_EVENT)


def has_fitting_opponent(kind: str, *, has_opponent: bool) -> bool:
    """Whether an event of a kind has an opponent where it needs one, and none where it cannot."""
    return is_own_kind(kind) or has_opponent == (kind in BETWEEN_TWO)
