"""Events of a match in words: what a player did to another one, and how often."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues.bridge import EventPoints, RatedMatch
from leagues.domain.event_kinds import is_own_kind, own_word
from leagues.models import MatchEvent
from leagues.pages.reason_sentences import Person
from leagues.rulebook.rules_text import format_parameter

_SIDES_PAY: Final = frozenset(
    (MatchEvent.Kind.CAPTURE, MatchEvent.Kind.FLAG_TAKEN, MatchEvent.Kind.FLAG_RETURNED)
)
"""Kinds without an opponent, for which some systems let the other side pay."""


def event_words(rated: RatedMatch, points: EventPoints, person: Person) -> str:
    """What the player did, or had done, as often as it happened."""
    names = {mover.row.player_id: mover.row.player.name for mover in rated.movers}
    count = points.count
    if is_own_kind(points.kind):
        return _own_words(points, names)
    if points.other_id is None:
        return _alone(points.kind) % {"count": count}
    if points.kind in _SIDES_PAY:
        return _by_another(points.kind) % {"name": names[points.other_id], "count": count}
    one, other = (_("You") if person.is_me else person.name), names[points.other_id]
    if not points.is_own:
        one, other = other, (_("you") if person.is_me else person.name)
    return _between(points.kind, count) % {"one": one, "other": other, "count": count}


def _between(kind: str, count: int) -> str:
    match kind:
        case MatchEvent.Kind.TEAM_KILL:
            return ngettext(
                "%(one)s killed %(other)s of the same team once",
                "%(one)s killed %(other)s of the same team %(count)d times",
                count,
            )
        case MatchEvent.Kind.DAMAGE:
            return ngettext(
                "%(one)s damaged %(other)s once",
                "%(one)s damaged %(other)s %(count)d times",
                count,
            )
        case MatchEvent.Kind.ASSIST:
            return ngettext(
                "%(one)s assisted against %(other)s once",
                "%(one)s assisted against %(other)s %(count)d times",
                count,
            )
        case _:
            return ngettext(
                "%(one)s got %(other)s once", "%(one)s got %(other)s %(count)d times", count
            )


def _own_words(points: EventPoints, names: Mapping[int, str]) -> str:
    """What happened by the game's own word for it, and by whom where another player did it."""
    words = {"word": own_word(points.kind), "count": points.count}
    if points.other_id is None:
        return _("%(word)s: %(count)d") % words
    other = names[points.other_id]
    if points.is_own:
        return _("%(word)s against %(name)s: %(count)d") % {**words, "name": other}
    return _("%(word)s by %(name)s: %(count)d") % {**words, "name": other}


def value_words(points: EventPoints) -> str:
    """What each event counts for, where that is not once."""
    if points.value == 1.0:
        return ""
    value = format_parameter(points.value)
    if points.kind == MatchEvent.Kind.DAMAGE:
        words = _("Each point of damage counts as %(value)s frags.") % {"value": value}
    else:
        words = _("Each counts as %(value)s frags.") % {"value": value}
    return words


def _by_another(kind: str) -> str:
    return {
        MatchEvent.Kind.CAPTURE.value: _("Captures by %(name)s: %(count)d"),
        MatchEvent.Kind.FLAG_TAKEN.value: _("Flags taken by %(name)s: %(count)d"),
        MatchEvent.Kind.FLAG_RETURNED.value: _("Flags returned by %(name)s: %(count)d"),
    }[kind]


def _alone(kind: str) -> str:
    return {
        MatchEvent.Kind.SUICIDE.value: _("Suicides: %(count)d"),
        MatchEvent.Kind.WORLD_DEATH.value: _("Deaths by the world: %(count)d"),
        MatchEvent.Kind.CAPTURE.value: _("Captures: %(count)d"),
        MatchEvent.Kind.FLAG_TAKEN.value: _("Flags taken: %(count)d"),
        MatchEvent.Kind.FLAG_RETURNED.value: _("Flags returned: %(count)d"),
    }[kind]
