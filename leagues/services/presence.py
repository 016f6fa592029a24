"""Who is there on a night: names beside a night sheet, by which short names are understood."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.utils.translation import gettext as _

from leagues.models import League
from leagues.services.errors import Problem, Refused
from leagues.services.likeness import all_short_for, short_for, similar_players
from leagues.services.rosters import Roster, has_small_names, name_as_written
from ratings.files.names import NameProblem, clean_name, fold_name

MAX_PRESENT: Final = 300


def clean_present(names: Iterable[str]) -> tuple[str, ...]:
    """The first of the names that can be names, each once."""
    cleaned: dict[str, str] = {}
    for name in names:
        try:
            clean = clean_name(name)
        except NameProblem:
            continue
        cleaned.setdefault(fold_name(clean), clean)
    return tuple(cleaned.values())[:MAX_PRESENT]


def arriving_names(league: League, typed: str) -> list[str]:
    """The names of those who arrive, several with commas between them.

    A name that has a comma itself is one where it means a player. Refused as `arriving_name` is.
    """
    is_player = Roster.of_names(league, names=[typed]).meant_by(name=typed)
    names = [typed] if is_player else typed.split(",")
    return [arriving_name(league, name) for name in names if name.strip()]


def arriving_name(league: League, typed: str) -> str:
    """The name of whoever arrives: of the player it means, or of a new one.

    Refused where it cannot be a name, or is short for several players.
    """
    try:
        name = clean_name(typed)
    except NameProblem as problem:
        raise Refused([Problem("arrival", "name", str(problem))]) from problem
    meant = Roster.of_names(league, names=[name]).meant_by(name=name)
    if meant:
        return meant[0].name
    candidates = similar_players(league, [name], knows_spellings=True)[name]
    player = short_for(name, candidates)
    if player is not None:
        return player.name
    shorts = [one.name for one in all_short_for(name, candidates)]
    if len(shorts) > 1:
        message = _("“%(name)s” is short for several players: %(names)s. Write the whole name.")
        words = {"name": name, "names": ", ".join(shorts)}
        raise Refused([Problem("arrival", "name_shared", message % words)])
    return name if has_small_names(league) else name_as_written(name)
