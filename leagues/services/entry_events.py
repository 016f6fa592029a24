"""Events of a match as somebody enters them, or a file has them, and the players they mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from leagues.models import Player
from leagues.services.drafts import EventDraft, SideDraft
from leagues.services.errors import Problem, refuse
from ratings.files.matches import Result
from ratings.files.names import NAME_LENGTH, fold_name
from ratings.files.problems import shown


@dataclass(frozen=True, slots=True)
class EventEntry:
    """One happening; its players are named by key, or by name as the sides of the match do."""

    kind: str
    player: str
    opponent: str | None = None
    points: float = 1.0
    milliseconds: int | None = None


class MatchPlayers:
    """The players of one match, by their keys and by every name under which it was entered."""

    def __init__(self, sides: Sequence[SideDraft]) -> None:
        self._found: dict[str, dict[str, Player]] = {}
        """By word; the players of each by key, for new ones have nothing else yet."""
        for side in sides:
            for member in side.members:
                self.add(member.player.key, member.player)
                self.add(_name(member.player.name), member.player)

    def add(self, word: str, player: Player) -> None:
        """Let one more word mean a player."""
        self._found.setdefault(word, {})[player.key] = player

    def add_names(self, name: str | None, key: str | None, player: Player) -> None:
        """Let a player be called as the entry of a side does."""
        if name is not None:
            self.add(_name(name), player)
        if key is not None:
            self.add(key, player)

    def drafts_of(
        self, events: Sequence[EventEntry], problems: list[Problem], index: int = 0
    ) -> tuple[EventDraft, ...]:
        """The events whose players are in the match; for the first other one, a problem."""
        drafts = []
        for place, event in enumerate(events):
            player = self._meant_by(event.player)
            opponent = None if event.opponent is None else self._meant_by(event.opponent)
            if player is None:
                problems.append(self._problem(event.player, f"events.{place}.player", index))
                break
            if opponent is None and event.opponent is not None:
                problems.append(self._problem(event.opponent, f"events.{place}.opponent", index))
                break
            drafts.append(
                EventDraft(
                    kind=event.kind,
                    player=player,
                    opponent=opponent,
                    points=event.points,
                    milliseconds=event.milliseconds,
                )
            )
        return tuple(drafts)

    def _meant_by(self, word: str) -> Player | None:
        """The one player whom a word means: as a key, else as a name."""
        meant = self._found.get(word) or self._found.get(_name(word), {})
        return next(iter(meant.values())) if len(meant) == 1 else None

    def _problem(self, word: str, field: str, index: int) -> Problem:
        words = _("%(name)s is not in this match.")
        if self._found.get(word) or self._found.get(_name(word)):
            words = _("Several players of this match are called %(name)s. Name the player by key.")
        name = shown(word, NAME_LENGTH)
        return Problem(field, "event_player", words % {"name": name}, index=index, name=name)


def events_of_result(result: Result, sides: Sequence[SideDraft]) -> tuple[EventDraft, ...]:
    """What happened in a match, by and to those whom its rows name."""
    if not result.events:
        return ()
    players = MatchPlayers(sides)
    for row, side in zip(result.sides, sides, strict=True):
        for person, member in zip(row.players, side.members, strict=True):
            players.add_names(person.name, person.key, member.player)
    problems: list[Problem] = []
    drafts = players.drafts_of(
        [
            EventEntry(event.kind, event.player, event.opponent, event.points, event.milliseconds)
            for event in result.events
        ],
        problems,
    )
    refuse(problems)
    return drafts


def _name(name: str) -> str:
    """A name as it is looked up; no key has a colon in front."""
    return f":{fold_name(name)}"
