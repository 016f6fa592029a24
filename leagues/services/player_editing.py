"""What organizers change of a player: the name, and the year of birth by which FIDE's K goes."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from leagues import bridge
from leagues.models import Board, Player, Standing
from leagues.services.audit import record_audit
from leagues.services.errors import Problem, refuse
from leagues.services.leagues import restart_board
from leagues.services.players import rename_player
from leagues.services.revisions import lock_seasons
from leagues.store.hashes import hash_player

FIRST_BIRTH_YEAR = 1800


@transaction.atomic
def edit_player(
    *,
    player: Player,
    name: str,
    birth_year: int | None,
    actor: User | None,
    shows_former: bool = False,
) -> Player:
    """Give a player another name or year of birth; raises Refused, and then nothing is changed.

    Boards whose ratings depend on ages are computed again. `shows_former` lets everyone see the
    former name.
    """
    is_another_year = player.birth_year != birth_year
    if is_another_year:
        # Locked before players, as by whoever enters a result; none is sealed from here on.
        lock_seasons(player.league_id)
    rows = Player.objects.select_for_update(of=("self",), no_key=True).select_related("league")
    player = rename_player(
        player=rows.get(pk=player.pk), name=name, actor=actor, shows_former=shows_former
    )
    if is_another_year and player.birth_year != birth_year:
        _set_birth_year(player, birth_year, actor)
    return player


def _set_birth_year(player: Player, birth_year: int | None, actor: User | None) -> None:
    if birth_year is not None and not FIRST_BIRTH_YEAR <= birth_year <= timezone.now().year:
        message = _("The year of birth must be from %(first)d to this year.")
        refuse([Problem("birth_year", "birth_year", message % {"first": FIRST_BIRTH_YEAR})])
    boards = boards_by_age(player)
    refuse([_sealed(board) for board in boards if board.season.is_sealed])
    before = player.birth_year
    player.birth_year = birth_year
    player.identity = hash_player(player.league_id, player.key, birth_year)
    player.save(update_fields=["birth_year", "identity"])
    record_audit(
        league=player.league,
        actor=actor,
        action="player.birth_year",
        subject=player.key,
        player=player,
        before={"birth_year": before},
        after={"birth_year": birth_year},
    )
    for board in boards:
        restart_board(board)


def boards_by_age(player: Player) -> list[Board]:
    """The boards that rate a player by rules in which the age counts.

    A K policy holds from the first match on, so that the newest rules say it of all.
    """
    rated = Standing.objects.filter(player=player, generation=F("board__generation"))
    boards = Board.objects.filter(pk__in=rated.values("board")).select_related("league", "season")
    return [
        board for board in boards.order_by("pk") if bridge.newest_system(board).reads_birth_years
    ]


def _sealed(board: Board) -> Problem:
    message = _(
        "The year of birth can’t be changed: “%(board)s” used it to rate “%(season)s”, which is "
        "sealed. A site admin can reopen the season."
    ) % {"season": board.season.name, "board": board.name}
    return Problem("birth_year", "sealed", message)
