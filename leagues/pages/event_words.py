"""Events of a match in words: what a player did to another one, and how often."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues.bridge import EventPoints, RatedMatch
from leagues.models import MatchEvent
from leagues.pages.reason_sentences import Person


def event_words(rated: RatedMatch, points: EventPoints, person: Person) -> str:
    """What the player did, or had done, as often as it happened."""
    names = {mover.row.player_id: mover.row.player.name for mover in rated.movers}
    count = points.count
    if points.other_id is None:
        return _alone(points.kind) % {"count": count}
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


def _alone(kind: str) -> str:
    return {
        MatchEvent.Kind.SUICIDE.value: _("Suicides: %(count)d"),
        MatchEvent.Kind.WORLD_DEATH.value: _("Deaths by the world: %(count)d"),
        MatchEvent.Kind.CAPTURE.value: _("Captures: %(count)d"),
        MatchEvent.Kind.FLAG_TAKEN.value: _("Flags taken: %(count)d"),
        MatchEvent.Kind.FLAG_RETURNED.value: _("Flags returned: %(count)d"),
    }[kind]
