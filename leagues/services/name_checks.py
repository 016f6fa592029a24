"""Whether a person may give a player a name: what it means already, and whom it is like."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _

from leagues import wording
from leagues.models import League, Player
from leagues.services.errors import Problem
from leagues.services.likeness import similar_players
from leagues.services.rosters import Roster, look_alike

LIKE_OTHERS: Final = "like_others"
"""The code of a problem: the name is like others, and nobody has said that it is another player."""


def name_problems(league: League, name: str, player: Player | None = None) -> list[Problem]:
    """Why no other player, or not this one, can have a name: it could not be told from another."""
    own = "" if player is None else player.key
    roster = Roster.of_names(league, names=[name])
    if others := [one.name for one in roster.meant_by(name=name) if one.key != own]:
        words = _("“%(name)s” already means %(player)s.")
        message = words % {"name": name, "player": wording.listing(others)}
        if others == [name]:
            message = _("Another player has this name.")
        return [Problem("name", "name_taken", message)]
    if same := [one for one in roster.twins_of(name) if one.key != own]:
        return [look_alike(name, same)]
    return []


def likeness_problems(league: League, name: str, player: Player | None = None) -> list[Problem]:
    """The question whether a name that is like others is another player’s, or this one’s."""
    like = similar_players(league, [name], knows_spellings=True)[name]
    own = "" if player is None else player.key
    names = [one.name for one in like if one.key != own]
    if not names:
        return []
    words = _("This name is like that of %(names)s: tick below if it is another player.")
    return [Problem("name", LIKE_OTHERS, words % {"names": wording.listing(names)})]
