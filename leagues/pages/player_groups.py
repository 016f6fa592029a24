"""Groups of players in words: on profiles and above standings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from leagues.models import Board, League, PlayerGroup
from leagues.pages.boards import Choice, board_address
from leagues.selectors.player_groups import classes_of_league, groups_of_league
from leagues.selectors.standings_query import AGE
from ratings.files.names import fold_name


@dataclass(frozen=True, slots=True)
class GroupLink:
    """A group of a player, and the standings of those who belong to it."""

    kind: str
    name: str
    url: str


def group_links(board: Board, groups: Mapping[str, str]) -> tuple[GroupLink, ...]:
    """The groups of a player, each with its standings on a board."""
    return tuple(
        GroupLink(
            str(kind.label),
            groups[kind.value],
            f"{board_address(board)}&{urlencode({'group': f'{kind}:{fold_name(groups[kind])}'})}",
        )
        for kind in PlayerGroup.Kind
        if kind.value in groups
    )


def group_choices(league: League, chosen: str) -> tuple[Choice, ...]:
    """The groups and age classes to choose from, and all players; none where there are none.

    One that is asked for is among them, also where nobody belongs to it.
    """
    groups = groups_of_league(league)
    words = {group.word: group_label(group.kind, group.name) for group in groups}
    words |= {f"{AGE}:{one.word}": group_label(AGE, one.name) for one in classes_of_league(league)}
    if chosen and chosen not in words:
        kind, _colon, name = chosen.partition(":")
        words[chosen] = group_label(kind, name)
    if not words:
        return ()
    everyone = Choice("", _("all players"), not chosen)
    return (everyone, *(Choice(word, label, word == chosen) for word, label in words.items()))


def group_label(kind: str, name: str) -> str:
    if kind == AGE:
        return _("Age: %(name)s") % {"name": name.upper()}
    return _("%(kind)s: %(name)s") % {"kind": PlayerGroup.Kind(kind).label, "name": name}
