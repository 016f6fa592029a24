"""Adding a player by hand: name, year of birth, groups and a starting rating in one step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction

from leagues.models import Board, League, Player
from leagues.services.audit import record_audit
from leagues.services.errors import refuse
from leagues.services.name_checks import likeness_problems, name_problems
from leagues.services.player_editing import birth_year_problem
from leagues.services.player_groups import set_groups
from leagues.services.players import ensure_player
from leagues.services.revisions import lock_season
from leagues.services.rosters import new_player
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

    Refused where the name means or looks like somebody's already, or is like others and
    `is_another` is not said.
    Holds the season of a board that the player begins on, as all that writes facts does.
    """
    name = new_player(league=league, name=wish.name).name
    if wish.start is not None:
        lock_season(wish.start[0].season_id)
    refuse(name_problems(league, name))
    if not wish.is_another:
        refuse(likeness_problems(league, name))
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
