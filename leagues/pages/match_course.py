"""The rating of a player along one match, event by event."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from leagues import bridge, charts, wording
from leagues.bridge import EventStep, RatedMatch, RatingChange
from leagues.domain.event_kinds import is_own_kind, own_word
from leagues.models import MatchEvent

MAX_ROWS = 200
"""Events in the table; of more only the last ones."""


@dataclass(frozen=True, slots=True)
class CourseRow:
    """One event of the player: when, what, and the rating after it."""

    time: str
    words: str
    value: str


@dataclass(frozen=True, slots=True)
class MatchCourse:
    """The chart and its table; `sentence` says how low and how high the rating was."""

    chart: charts.RatingChart
    label: str
    sentence: str
    table_label: str
    rows: tuple[CourseRow, ...]


def match_course(rated: RatedMatch, own: RatingChange) -> MatchCourse | None:
    """The rating of one player along a match; None for fewer than two events of the player."""
    steps = bridge.event_steps_of(rated, own)
    if len(steps) < 2:
        return None
    decimals = own.after.decimals
    names = {mover.row.player_id: mover.row.player.name for mover in rated.movers}
    values = [own.before.value, *(step.value for step in steps)]
    drawn = charts.rating_chart(
        [charts.step_point(number, value) for number, value in enumerate(values)],
        end_label=wording.number(own.after.value, decimals),
        end_range="",
        decimals=decimals,
        steps=["", *(time_of(step.event) for step in steps)],
    )
    if drawn is None:
        return None
    who = names[own.player_id]
    return MatchCourse(
        chart=drawn,
        label=_("Rating of %(name)s along this match") % {"name": who},
        sentence=_sentence(
            who, wording.number(min(values), decimals), wording.number(max(values), decimals)
        ),
        table_label=_table_label(len(steps)),
        rows=tuple(_row(step, own.player_id, names, decimals) for step in steps[-MAX_ROWS:]),
    )


def _sentence(name: str, low: str, high: str) -> str:
    if low == high:
        words = _("Along this match, the rating of %(name)s stayed at %(low)s.")
    else:
        words = _("Along this match, the rating of %(name)s was between %(low)s and %(high)s.")
    return words % {"name": name, "low": low, "high": high}


def _table_label(count: int) -> str:
    if count <= MAX_ROWS:
        return _("The same numbers as a table")
    return _("The last %(shown)s of %(count)s events as a table") % {
        "shown": wording.count(MAX_ROWS),
        "count": wording.count(count),
    }


def _row(step: EventStep, player_id: int, names: Mapping[int, str], decimals: int) -> CourseRow:
    return CourseRow(
        time=time_of(step.event),
        words=_words(step.event, player_id, names),
        value=wording.number(step.value, decimals),
    )


def time_of(event: MatchEvent) -> str:
    """Minutes and seconds since the match began, else the number of the event."""
    if event.milliseconds is None:
        return str(event.position + 1)
    minutes, seconds = divmod(event.milliseconds // 1000, 60)
    return f"{minutes}:{seconds:02}"


def _words(event: MatchEvent, player_id: int, names: Mapping[int, str]) -> str:
    """What the player did, or had done, in one event."""
    kind = MatchEvent.Kind
    is_own = event.player_id == player_id
    if is_own_kind(event.kind):
        return _own_words(event, player_id, names)
    if event.opponent_id is None and not is_own:
        return {
            kind.CAPTURE.value: _("Capture by %(name)s"),
            kind.FLAG_TAKEN.value: _("Flag taken by %(name)s"),
            kind.FLAG_RETURNED.value: _("Flag returned by %(name)s"),
        }[event.kind] % {"name": names[event.player_id]}
    if event.opponent_id is None:
        return {
            kind.SUICIDE.value: _("Suicide"),
            kind.WORLD_DEATH.value: _("Death by the world"),
            kind.CAPTURE.value: _("Capture"),
            kind.FLAG_TAKEN.value: _("Flag taken"),
            kind.FLAG_RETURNED.value: _("Flag returned"),
        }[event.kind]
    name = names[event.opponent_id if is_own else event.player_id]
    if event.kind == kind.TEAM_KILL:
        words = _("Killed %(name)s of the same team") if is_own else _("Killed by %(name)s")
    elif event.kind == kind.DAMAGE:
        words = _("Damaged %(name)s") if is_own else _("Damaged by %(name)s")
    elif event.kind == kind.ASSIST:
        words = _("Assist against %(name)s") if is_own else _("Assist by %(name)s")
    else:
        words = _("Got %(name)s") if is_own else _("Got by %(name)s")
    return words % {"name": name}


def _own_words(event: MatchEvent, player_id: int, names: Mapping[int, str]) -> str:
    """One event of a kind of the game's own."""
    word = own_word(event.kind)
    if event.player_id != player_id:
        return _("%(word)s by %(name)s") % {"word": word, "name": names[event.player_id]}
    if event.opponent_id is None:
        return word
    return _("%(word)s against %(name)s") % {"word": word, "name": names[event.opponent_id]}
