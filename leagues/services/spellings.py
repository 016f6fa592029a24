"""Other spellings of players' names: remembered from what people answered, or given by organizers.

Each is remembered or removed by an entry of the log, which the other one reverts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from leagues.models import AuditEntry, League, Player, PlayerAlias
from leagues.services.audit import append_all
from leagues.services.errors import Problem, Refused
from leagues.services.players import players_by_key
from leagues.services.rosters import Roster, look_alike
from ratings.files.names import NameProblem, clean_name, fold_name

REMEMBERED: Final = "player.spelling"
REMOVED: Final = "player.spelling_removed"
SHOWN: Final = "player.spelling_shown"
BATCH: Final = 500


class Spelling(NamedTuple):
    """Whom a name means, by the key of the player, and whether everyone can see it."""

    key: str
    is_public: bool = False


@transaction.atomic
def remember_spellings(
    *, league: League, spellings: Mapping[str, Spelling], actor: User | None, mark: str = ""
) -> list[PlayerAlias]:
    """Let names mean from now on the players of these keys.

    A name that somebody bears already, or that means somebody, stays as it is. `mark` names the
    revision with which they came, if any.
    """
    remembered = insert_spellings(league, spellings)
    entries = [
        spelling_entry(REMEMBERED, alias.player, alias, actor, mark=mark) for alias in remembered
    ]
    append_all(league, entries)
    return remembered


def insert_spellings(league: League, spellings: Mapping[str, Spelling]) -> list[PlayerAlias]:
    """The aliases that spellings bring, stored without their entries of the log.

    Called in a transaction, which writes those last: they take the last lock.
    """
    if not spellings:
        return []
    players = players_by_key(league, {one.key for one in spellings.values()})
    roster = Roster.of_names(league, names=spellings)
    rows: dict[str, PlayerAlias] = {}
    for name, (key, is_public) in spellings.items():
        player, folded = players.get(key), fold_name(name)
        if player is None or folded in rows or roster.meant_by(name=name):
            continue
        rows[folded] = PlayerAlias(
            league=league, player=player, name=name, folded=folded, is_public=is_public
        )
    # In one order by all, so that nobody waits for somebody who waits.
    aliases = [rows[folded] for folded in sorted(rows)]
    try:
        with transaction.atomic():
            PlayerAlias.objects.bulk_create(aliases, batch_size=BATCH)
    except IntegrityError:
        return [alias for alias in aliases if _insert_alone(alias)]
    return aliases


def _insert_alone(alias: PlayerAlias) -> bool:
    """Store an alias unless somebody has just taken its name; whether it is stored."""
    alias.pk = None
    values = {"player": alias.player, "name": alias.name, "is_public": alias.is_public}
    stored, is_new = PlayerAlias.objects.get_or_create(
        league=alias.league, folded=alias.folded, defaults=values
    )
    alias.pk = stored.pk
    return is_new


@transaction.atomic
def add_spelling(*, player: Player, name: str, is_public: bool, actor: User | None) -> None:
    """Let a name mean a player; Refused where it means somebody already, or looks as if it did."""
    try:
        name = clean_name(name)
    except NameProblem as problem:
        raise Refused([Problem("name", "name", str(problem))]) from problem
    league = player.league
    roster = Roster.of_names(league, names=[name])
    meant = roster.meant_by(name=name)
    others = [one for one in roster.twins_of(name) if one.key != player.key]
    if others and not meant:
        raise Refused([look_alike(name, others)])
    spellings = {name: Spelling(player.key, is_public)}
    if not meant and remember_spellings(league=league, spellings=spellings, actor=actor):
        return
    words = _("“%(name)s” already means %(player)s.")
    bearer = meant[0].name if meant else _("another player")
    message = words % {"name": name, "player": bearer}
    raise Refused([Problem("name", "name_taken", message)])


@transaction.atomic
def remove_spelling(*, player: Player, name: str, actor: User | None, mark: str = "") -> None:
    """Let a name mean a player no more; results that were entered under it stay the player's.

    `mark` names the revision with which that comes, if any.
    """
    alias = delete_spelling(player, name)
    append_all(player.league, [spelling_entry(REMOVED, player, alias, actor, mark=mark)])


def delete_spelling(player: Player, name: str) -> PlayerAlias:
    """The alias that a name was, removed without its entry of the log."""
    alias = _alias_of(player, name)
    PlayerAlias.objects.filter(pk=alias.pk).delete()
    return alias


@transaction.atomic
def show_spelling(*, player: Player, name: str, is_public: bool, actor: User | None) -> None:
    """Let everyone see another name of a player, or only those who enter results."""
    alias = _alias_of(player, name)
    if alias.is_public == is_public:
        return
    alias.is_public = is_public
    alias.save(update_fields=["is_public"])
    append_all(player.league, [spelling_entry(SHOWN, player, alias, actor)])


def _alias_of(player: Player, name: str) -> PlayerAlias:
    """The alias that means a player, be it that of a player who was merged into this one."""
    rows = PlayerAlias.objects.select_for_update(of=("self",)).select_related("player")
    alias = rows.filter(league=player.league_id, folded=fold_name(name)).first()
    if alias is None or alias.player.survivor() != player:
        message = _("“%(name)s” is not another name of %(player)s.")
        words = {"name": name, "player": player.name}
        raise Refused([Problem("name", "unknown_name", message % words)])
    return alias


def spelling_entry(
    action: str, player: Player, alias: PlayerAlias, actor: User | None, *, mark: str = ""
) -> AuditEntry:
    """The entry of the log, yet to be appended, for what happens to an alias."""
    said = {"name": alias.name, "is_public": alias.is_public}
    origin = {"revision": mark} if mark else {}
    return AuditEntry(
        league=player.league,
        actor=actor if actor is not None and actor.pk else None,
        action=action,
        subject=player.key,
        player=player,
        before=said if action == REMOVED else None,
        after=(origin or None) if action == REMOVED else said | origin,
    )
