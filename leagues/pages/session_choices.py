"""The game sessions of a league from which one is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import wording
from leagues.models import League, Match, Player
from leagues.pages.matches import when_played
from leagues.selectors.game_sessions import find_session, last_games, session_order


@dataclass(frozen=True, slots=True)
class SessionChoice:
    """One game, or all of an evening; `name` is what the log calls it."""

    match: Match
    is_evening: bool
    value: str
    name: str
    label: str

    def order(self) -> Sequence[Player]:
        """The players in its final order."""
        session = find_session(self.match, is_evening=self.is_evening)
        return session_order(session) if session else ()


def session_choices(league: League) -> list[SessionChoice]:
    """The newest sessions of a league: each evening, and each of its games."""
    choices = []
    for games in last_games(league):
        for game in games:
            game.league = game.season.league = league
        if len(games) > 1:
            choices.append(_choice(games[-1], len(games)))
        choices += [_choice(game, 1) for game in games]
    return choices


def _choice(match: Match, games: int) -> SessionChoice:
    """The session of a game, or of so many games of which it is the first."""
    words = {"season": match.season.name, "number": match.seq}
    name = _("%(season)s, match %(number)d") % words
    if games > 1:
        name = ngettext(
            "%(season)s, %(count)s game from match %(number)d on",
            "%(season)s, %(count)s games from match %(number)d on",
            games,
        ) % {**words, "count": wording.count(games)}
    is_evening = games > 1
    return SessionChoice(
        match,
        is_evening,
        f"{match.pk}{'-all' if is_evening else ''}",
        name,
        f"{when_played(match, match.league)}: {name}",
    )
