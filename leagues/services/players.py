"""Players: creating one by name, and giving one another name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from leagues.models import League, Player, PlayerAlias
from leagues.services.audit import record_audit
from leagues.services.errors import Problem, Refused, refuse
from leagues.services.name_checks import name_problems
from leagues.services.rosters import Roster, shared_name
from leagues.store.name_words import words_of
from ratings.files.names import NameProblem, clean_name, fold_name

RENAMED: Final = "player.rename"


def create_player(*, league: League, name: str, key: str | None = None) -> tuple[Player, bool]:
    """Find or create the player of this key or name; the flag is true for a new one.

    Refused where the key is that of somebody whom the name does not mean, and where several bear
    the name.
    """
    roster = _roster_of(league, name, key)
    stored = roster.by_key.get(key) if key is not None else None
    if stored is not None and stored not in roster.meant_by(name=name):
        raise Refused([Problem("key", "key_taken", _("Another player has this key."))])
    return _meant_or_new(roster, name, key)


def ensure_player(
    *, league: League, name: str, key: str | None = None, birth_year: int | None = None
) -> Player:
    """Find the player of this key (or, without one, of this name), or create it."""
    return _meant_or_new(_roster_of(league, name, key), name, key, birth_year)[0]


def _roster_of(league: League, name: str, key: str | None) -> Roster:
    return Roster.of_names(league, names=[name], keys=[] if key is None else [key])


def _meant_or_new(
    roster: Roster, name: str, key: str | None, birth_year: int | None = None
) -> tuple[Player, bool]:
    meant = roster.meant_by(name=name, key=key)
    if len(meant) > 1:
        raise Refused([shared_name(name, meant)])
    if meant:
        return meant[0], False
    player = roster.bring(name=name, key=key, birth_year=birth_year)
    try:
        with transaction.atomic():
            roster.store()
    except IntegrityError:
        # At this moment someone else created the same player, or one whose name gives this key.
        return _meant_or_new(_roster_of(roster.league, name, key), name, key, birth_year)
    return player, True


@transaction.atomic
def rename_player(
    *,
    player: Player,
    name: str,
    actor: User | None,
    shows_former: bool = False,
    keeps_former: bool = True,
) -> Player:
    """Give a player another name; the former one stays an alias, no number moves.

    Refused where the name is another player's, or looks the same as one. `shows_former` lets
    everyone see the former name, and without `keeps_former` it means nobody from now on. An alias
    that is the name again goes.
    """
    before = player.name
    try:
        player.name = clean_name(name)
    except NameProblem as problem:
        raise Refused([Problem("name", "name", str(problem))]) from problem
    former = player.folded
    player.folded, player.words = fold_name(player.name), words_of(player.name)
    if before == player.name:
        return player
    refuse(name_problems(player.league, player.name, player))
    player.save(update_fields=["name", "folded", "words"])
    taken_up: dict[str, bool] = {}
    aliases = player.aliases.filter(folded=player.folded)
    if former != player.folded and (alias := aliases.first()):
        # Where the renaming is taken back, it is an alias again.
        taken_up = {"is_public": alias.is_public}
        aliases.delete()
    if former != player.folded and keeps_former:
        alias, is_new = PlayerAlias.objects.get_or_create(
            league=player.league,
            folded=former,
            defaults={"player": player, "name": before, "is_public": shows_former},
        )
        if not is_new and alias.player_id == player.pk and alias.is_public != shows_former:
            alias.is_public = shows_former
            alias.save(update_fields=["is_public"])
    record_audit(
        league=player.league,
        actor=actor,
        action=RENAMED,
        subject=player.key,
        player=player,
        before={"name": before, **taken_up},
        after={"name": player.name, **taken_up},
    )
    return player


def players_by_key(league: League, keys: Iterable[str]) -> dict[str, Player]:
    """The players of these keys, listed or not."""
    return {player.key: player for player in league.players.filter(key__in=list(keys))}
