"""Players: finding them by what people call them, and making new ones."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from leagues.models import League, Player, PlayerAlias
from leagues.services.audit import record_audit
from leagues.services.errors import Problem, Refused
from ratings.files.names import NameProblem, clean_name, fold_name, normalized

KEY = re.compile(r"[A-Za-z0-9._:-]{1,128}\Z")
_PLAIN = re.compile(r"[a-z0-9]+(?: [a-z0-9]+)*\Z")


def key_of_name(name: str) -> str:
    """Return the key that a name alone gives, the same in every database.

    Names of plain letters, digits and single spaces map one to one; of all others a hash keeps
    apart what the shortening would make equal.
    """
    folded = fold_name(name)
    if _PLAIN.match(folded) and len(folded) <= 64:
        return folded.replace(" ", "-")
    letters = normalized("NFKD", folded).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^a-z0-9]+", "-", letters).strip("-")[:64]
    digest = hashlib.sha256(folded.encode()).hexdigest()[:8]
    return f"{slug}-{digest}" if slug else f"p-{digest}"


def find_player(*, league: League, name: str) -> Player | None:
    """Return the one listed player of this name or alias, if there is exactly one."""
    folded = fold_name(name)
    found = list(league.players.filter(folded=folded, is_listed=True)[:2])
    if len(found) == 1:
        return found[0]
    if not found:
        alias = (
            league.aliases.filter(folded=folded, player__is_listed=True)
            .select_related("player")
            .first()
        )
        if alias:
            return alias.player
    return None


@transaction.atomic
def ensure_player(
    *, league: League, name: str, key: str | None = None, birth_year: int | None = None
) -> Player:
    """Return the player of this key (or, without one, of this name), made if there is none."""
    if key is None:
        found = find_player(league=league, name=name)
        if found:
            return found
    player = new_player(league=league, name=name, key=key)
    player.birth_year = birth_year
    stored = Player.objects.filter(league=league, key=player.key).first()
    if stored is not None and key is None and stored.folded != player.folded:
        # Somebody was given this key, or bore this name once: the newcomer gets another one.
        player.key, stored = free_key(league, player.key), None
    if stored is None:
        try:
            with transaction.atomic():
                player.save()
            return player
        except IntegrityError:
            # Somebody else made the same player in this moment.
            stored = Player.objects.get(league=league, key=player.key)
    if not stored.is_listed:
        # Named by hand, so no undo of an import hides the player again.
        stored.is_listed, stored.revision = True, None
        stored.save(update_fields=["is_listed", "revision"])
    return stored


def free_key(league: League, key: str) -> str:
    """Return the key with the first number behind it that nobody has."""
    taken = set(league.players.filter(key__startswith=key).values_list("key", flat=True))
    number = 2
    while f"{key}-{number}" in taken:
        number += 1
    return f"{key}-{number}"


def new_player(*, league: League, name: str, key: str | None = None) -> Player:
    """Return an unsaved player, its name cleaned and its key checked or made."""
    try:
        name = clean_name(name)
    except NameProblem as problem:
        raise Refused([Problem("name", "name", str(problem))]) from problem
    if key is None:
        key = key_of_name(name)
    elif not KEY.match(key):
        raise Refused(
            [
                Problem(
                    "key",
                    "key",
                    _("A player id is 1 to 128 of A–Z, a–z, 0–9, dot, underscore, colon, hyphen."),
                )
            ]
        )
    return Player(league=league, name=name, folded=fold_name(name), key=key)


@transaction.atomic
def rename_player(*, player: Player, name: str, actor: User | None) -> Player:
    """Give a player another name; the former one stays an alias, no number moves."""
    before = player.name
    try:
        player.name = clean_name(name)
    except NameProblem as problem:
        raise Refused([Problem("name", "name", str(problem))]) from problem
    former = player.folded
    player.folded = fold_name(player.name)
    if before == player.name:
        return player
    if find_other(player):
        raise Refused([Problem("name", "name_taken", _("Another player has this name."))])
    player.save(update_fields=["name", "folded"])
    if former != player.folded:
        PlayerAlias.objects.get_or_create(
            league=player.league, folded=former, defaults={"player": player, "name": before}
        )
    record_audit(
        league=player.league,
        actor=actor,
        action="player.rename",
        subject=player.key,
        player=player,
        before={"name": before},
        after={"name": player.name},
    )
    return player


def find_other(player: Player) -> bool:
    """Tell whether somebody else in the league bears the player's name."""
    others = Player.objects.filter(
        league_id=player.league_id, folded=player.folded, is_listed=True
    ).exclude(pk=player.pk)
    return others.exists()


def players_by_key(league: League, keys: Iterable[str]) -> dict[str, Player]:
    """Return the players of these keys, listed or not."""
    return {player.key: player for player in league.players.filter(key__in=list(keys))}
