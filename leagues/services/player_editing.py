"""What organizers change of a player: the name, and the year of birth by which FIDE's K goes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from leagues import bridge
from leagues.models import AuditEntry, Board, League, Player, Standing
from leagues.services.audit import record_audit
from leagues.services.batches import batches
from leagues.services.errors import Problem, refuse
from leagues.services.leagues import restart_board
from leagues.services.name_checks import likeness_problems
from leagues.services.players import RENAMED, rename_player
from leagues.services.revisions import lock_seasons
from leagues.store.hashes import hash_player

BIRTH_YEAR_SET: Final = "player.birth_year"
FIRST_BIRTH_YEAR = 1800
BATCH = 500


@transaction.atomic
def edit_player(
    *,
    player: Player,
    name: str,
    birth_year: int | None,
    actor: User | None,
    shows_former: bool = False,
    is_another: bool = False,
) -> Player:
    """Give a player another name or year of birth; raises Refused, and then nothing is changed.

    Refused where the name is like others and `is_another` is not said. Boards whose ratings depend
    on ages are computed again. `shows_former` lets everyone see the former name.
    """
    is_another_year = player.birth_year != birth_year
    if is_another_year:
        # Locked before players, as by whoever enters a result; none is sealed from here on.
        lock_seasons(player.league_id)
    rows = Player.objects.select_for_update(of=("self",), no_key=True).select_related("league")
    player = rows.get(pk=player.pk)
    former = player.folded
    player = rename_player(player=player, name=name, actor=actor, shows_former=shows_former)
    if player.folded != former and not is_another:
        refuse(likeness_problems(player.league, player.name, player))
    if is_another_year and player.birth_year != birth_year:
        _set_birth_year(player, birth_year, actor)
    return player


@transaction.atomic
def take_back_name(*, player: Player, name: str, was: str, actor: User | None) -> Player:
    """Give a player the former name again: the one that was given by mistake means what it did.

    That is nobody, or the player, if it was another name of theirs before: so it is where a
    renaming was taken back that is brought back now. Refused where the player has another name than
    `was` by now, and where the former one has become another player's.
    """
    rows = Player.objects.select_for_update(of=("self",), no_key=True).select_related("league")
    player = rows.get(pk=player.pk)
    if player.name != was:
        words = _("%(player)s was renamed again. Undo that first.") % {"player": player.name}
        refuse([Problem("name", "changed_meanwhile", words)])
    renamed = AuditEntry.objects.filter(league=player.league_id, player=player, action=RENAMED)
    said = renamed.filter(before__name=name, after__name=was).order_by("number").last()
    is_public = None if said is None else (said.before or {}).get("is_public")
    return rename_player(
        player=player,
        name=name,
        actor=actor,
        shows_former=bool(is_public),
        keeps_former=is_public is not None,
    )


def _set_birth_year(player: Player, birth_year: int | None, actor: User | None) -> None:
    refuse(birth_year_problem(birth_year))
    refuse([_sealed(board) for board in boards_by_age([player]) if board.season.is_sealed])
    before = player.birth_year
    set_birth_years({player: birth_year})
    record_audit(
        league=player.league,
        actor=actor,
        action=BIRTH_YEAR_SET,
        subject=player.key,
        player=player,
        before={"birth_year": before},
        after={"birth_year": birth_year},
    )


def birth_year_problem(birth_year: int | None) -> list[Problem]:
    """Why nobody can be born in a year, if so."""
    if birth_year is None or FIRST_BIRTH_YEAR <= birth_year <= timezone.now().year:
        return []
    message = _("The year of birth must be from %(first)d to this year.")
    return [Problem("birth_year", "birth_year", message % {"first": FIRST_BIRTH_YEAR})]


def set_birth_years(years: Mapping[Player, int | None]) -> None:
    """Store years of birth, and let the boards that go by them be rated again.

    Called with the seasons of the league held, in the order of their keys.
    """
    for player, birth_year in years.items():
        player.birth_year = birth_year
        player.identity = hash_player(player.league_id, player.key, birth_year)
    Player.objects.bulk_update(years, ["birth_year", "identity"], batch_size=BATCH)
    for board in boards_by_age(years):
        restart_board(board)


def boards_by_age(players: Iterable[Player]) -> list[Board]:
    """The boards that rate any of some players by rules in which the age counts.

    A K policy holds from the first match on, so that the newest rules say it of all.
    """
    rated: set[int] = set()
    for batch in batches([player.pk for player in players], BATCH):
        rows = Standing.objects.filter(player__in=batch, generation=F("board__generation"))
        rated.update(rows.values_list("board", flat=True).distinct())
    boards = Board.objects.filter(pk__in=rated).select_related("league", "season")
    return [
        board for board in boards.order_by("pk") if bridge.newest_system(board).reads_birth_years
    ]


def players_with_sealed_years(league: League) -> frozenset[int]:
    """The players whose year of birth a sealed season was rated by, by id."""
    sealed = [
        board.pk
        for board in league.boards.select_related("season")
        if board.season.is_sealed and bridge.newest_system(board).reads_birth_years
    ]
    if not sealed:
        return frozenset()
    rows = Standing.objects.filter(board__in=sealed, generation=F("board__generation"))
    return frozenset(rows.values_list("player", flat=True))


def _sealed(board: Board) -> Problem:
    message = _(
        "The year of birth can’t be changed: “%(board)s” used it to rate “%(season)s”, which is "
        "sealed. A site admin can reopen the season."
    ) % {"season": board.season.name, "board": board.name}
    return Problem("birth_year", "sealed", message)
