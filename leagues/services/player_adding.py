"""Adding a player by hand: name, year of birth, groups and a starting rating in one step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from leagues import wording
from leagues.models import Board, League, Player
from leagues.services.audit import record_audit
from leagues.services.errors import Problem, refuse
from leagues.services.likeness import like_others
from leagues.services.player_editing import birth_year_problem
from leagues.services.player_groups import set_groups
from leagues.services.players import ensure_player
from leagues.services.revisions import lock_season
from leagues.services.rosters import Roster, new_player
from leagues.services.starts import Start, set_start

ADDED: Final = "player.add"


@dataclass(frozen=True, slots=True)
class NewPlayer:
    """What is said of a player to be added; `start` is that on a board."""

    name: str
    birth_year: int | None = None
    groups: Mapping[str, str] | None = None
    start: tuple[Board, Start] | None = None
    is_another: bool = False
    """Whether the name is known to be like others."""


@transaction.atomic
def add_player(*, league: League, wish: NewPlayer, actor: User | None) -> Player:
    """Add a player; raises Refused, and then nothing is stored.

    Refused where the name means somebody already, or is like others and `is_another` is not said.
    Holds the season of a board that the player begins on, as all that writes facts does.
    """
    name = new_player(league=league, name=wish.name).name
    if wish.start is not None:
        lock_season(wish.start[0].season_id)
    _refuse_known(league, name, is_another=wish.is_another)
    refuse(birth_year_problem(wish.birth_year))
    player = ensure_player(league=league, name=name, birth_year=wish.birth_year)
    record_audit(
        league=league,
        actor=actor,
        action=ADDED,
        subject=player.key,
        player=player,
        after={"name": player.name, "birth_year": wish.birth_year},
    )
    set_groups(player=player, groups=wish.groups or {}, actor=actor)
    if wish.start is not None:
        board, start = wish.start
        set_start(board=board, player=player, start=start, actor=actor, was=None)
    return player


def _refuse_known(league: League, name: str, *, is_another: bool) -> None:
    meant = Roster.of_names(league, names=[name]).meant_by(name=name)
    if meant:
        words = _("“%(name)s” already means %(player)s.")
        names = wording.listing([player.name for player in meant])
        refuse([Problem("name", "name_taken", words % {"name": name, "player": names})])
    if not is_another:
        refuse(like_others(league, name))
