"""What a setting was and is, in words: for the log of a league and for the site's admin."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from leagues import bridge, wording
from leagues.domain.named_weights import known_weights
from leagues.domain.score_rules import known_rule
from leagues.models import ApiToken, League, Membership, Mode, Season
from leagues.models.checks import FIRST_INSTANT, LAST_INSTANT
from leagues.pages.match_kinds import kind_and_weight
from leagues.rulebook.choices import choice_words
from leagues.rulebook.score_rules import describe_score_rule

LONGEST_VALUE = 80
MOST_CHANGES = 10
ACTIONS = {
    "account.setup": gettext_lazy("first account created"),
    "account.create": gettext_lazy("account created"),
    "account.change": gettext_lazy("account changed"),
    "league.create": gettext_lazy("league created"),
    "league.settings": gettext_lazy("rules changed"),
    "league.baseline": gettext_lazy("hashes of all earlier records"),
    "season.create": gettext_lazy("season created"),
    "season.change": gettext_lazy("name or days of a season changed"),
    "season.open": gettext_lazy("season opened"),
    "season.close": gettext_lazy("season closing"),
    "season.seal": gettext_lazy("season sealed"),
    "season.resume": gettext_lazy("season accepts results again"),
    "season.reopen": gettext_lazy("season reopened"),
    "season.archive": gettext_lazy("season archived"),
    "season.unarchive": gettext_lazy("season restored from the archive"),
    "season.carry": gettext_lazy("ratings carried over"),
    "season.uncarry": gettext_lazy("carry-over undone"),
    "mode.create": gettext_lazy("added to what is played"),
    "mode.rated_by": gettext_lazy("what is rated changed"),
    "mode.played_by": gettext_lazy("who plays changed"),
    "mode.score_rule": gettext_lazy("possible scores changed"),
    "mode.named_weights": gettext_lazy("kinds of match changed"),
    "mode.start_hours": gettext_lazy("time limit of started matches changed"),
    "mode.released_by": gettext_lazy("who may call off a started match changed"),
    "mode.start_rungs": gettext_lazy("rungs lost by leaving a match changed"),
    "board.create": gettext_lazy("board added"),
    "board.remove": gettext_lazy("board removed"),
    "board.rules": gettext_lazy("rules of a board changed"),
    "board.random_start": gettext_lazy("starting ratings drawn at random"),
    "board.session_rungs": gettext_lazy("rungs taken from a game session"),
    "board.opening_undone": gettext_lazy("random start or rungs undone"),
    "board.recalculate": gettext_lazy("board recalculated"),
    "job.retry": gettext_lazy("job retried"),
    "member.role": gettext_lazy("role given"),
    "member.invite": gettext_lazy("invitation created"),
    "member.join": gettext_lazy("invitation accepted"),
    "member.withdraw": gettext_lazy("invitation withdrawn"),
    "member.remove": gettext_lazy("role removed"),
    "token.create": gettext_lazy("token created"),
    "token.revoke": gettext_lazy("token revoked"),
    "player.add": gettext_lazy("player added"),
    "player.rename": gettext_lazy("player renamed"),
    "player.spelling": gettext_lazy("another name of a player added"),
    "player.spelling_removed": gettext_lazy("another name of a player removed"),
    "player.spelling_shown": gettext_lazy("another name of a player shown or hidden"),
    "player.groups": gettext_lazy("groups of a player changed"),
    "player.start": gettext_lazy("starting rating of a player changed"),
    "player.birth_year": gettext_lazy("year of birth changed"),
    "player.left": gettext_lazy("player no longer plays here"),
    "player.returned": gettext_lazy("player plays here again"),
}
_NAMES = {
    "role": gettext_lazy("role"),
    "club": gettext_lazy("club"),
    "team": gettext_lazy("team"),
    "country": gettext_lazy("country"),
    "scope": gettext_lazy("access"),
    "source": gettext_lazy("results are marked as"),
    "recent_only": gettext_lazy("results of yesterday and today only"),
    "system": gettext_lazy("rating system"),
    "state": gettext_lazy("state"),
    "reason": gettext_lazy("reason"),
    "sealed": gettext_lazy("sealed"),
    "digest": gettext_lazy("digest"),
    "parameters": gettext_lazy("parameters"),
    "first_day": gettext_lazy("first day"),
    "last_day": gettext_lazy("last day"),
    "effective_at": gettext_lazy("in force from"),
    "from": gettext_lazy("in force from"),
    "follows": gettext_lazy("previous season"),
    "carry": gettext_lazy("carried over"),
    "share": gettext_lazy("moved towards a newcomer’s rating by"),
    "deviation": gettext_lazy("uncertainty raised to"),
    "is_active": gettext_lazy("may sign in"),
    "is_superuser": gettext_lazy("site admin"),
    "birth_year": gettext_lazy("year of birth"),
    "left_at": gettext_lazy("no longer plays here since"),
    "start_rating": gettext_lazy("starting rating"),
    "start_deviation": gettext_lazy("uncertainty"),
    "start_source": gettext_lazy("where it comes from"),
    "drawn_players": gettext_lazy("drawn for"),
    "game_session": gettext_lazy("game session"),
    "players_in_order": gettext_lazy("placed"),
    "is_public": gettext_lazy("everyone can see it"),
    "username": gettext_lazy("username"),
    "email": gettext_lazy("e-mail"),
    "played_by": gettext_lazy("who plays"),
    "score_rule": gettext_lazy("possible scores"),
    "named_weights": gettext_lazy("kinds of match"),
    "start_hours": gettext_lazy("hours until a started match counts as lost"),
    "released_by": gettext_lazy("who may call off a started match"),
    "start_rungs": gettext_lazy("rungs lost by leaving a match"),
}
_CHOICES = {
    "role": Membership.Role,
    "scope": ApiToken.Scope,
    "state": Season.State,
    "carry": Season.Carryover,
    "visibility": League.Visibility,
    "walkovers": League.Walkovers,
    "played_by": Mode.PlayedBy,
    "released_by": Mode.ReleasedBy,
}

_IN_WORDS: Mapping[str, Callable[[Any], str]] = {
    "score_rule": lambda value: describe_score_rule(known_rule(str(value))) or str(value),
    "named_weights": lambda value: "; ".join(kind_and_weight(one) for one in known_weights(value)),
    "drawn_players": lambda value: wording.players(len(value)),
    "players_in_order": lambda value: wording.players(len(value)),
}

_SILENT: tuple[Any, ...] = (None, "", [])
"""Values that say nothing."""


@dataclass(frozen=True, slots=True)
class Change:
    """One value that was and is; without `old` it is new, without `new` it is gone."""

    label: str
    old: str
    new: str


def action_name(action: str) -> str:
    """The name of an action, in words."""
    return str(ACTIONS.get(action, action.replace(".", " ").replace("_", " ")))


def changes_between(
    before: Mapping[str, Any] | None,
    after: Mapping[str, Any] | None,
    zone: ZoneInfo,
    *,
    most: int = MOST_CHANGES,
) -> tuple[Change, ...]:
    """The differences, a value each; what is beyond the tenth is counted."""
    old, new = _flat(before or {}, zone), _flat(after or {}, zone)
    names = [name for name in {**old, **new} if old.get(name) != new.get(name)]
    changes = tuple(Change(name, old.get(name, ""), new.get(name, "")) for name in names)
    if len(changes) <= most:
        return changes
    rest = len(changes) - most
    more = ngettext("and %(count)d more", "and %(count)d more", rest) % {"count": rest}
    return (*changes[:most], Change(more, "", ""))


def sentence(change: Change) -> str:
    """A change in one line."""
    if change.old and change.new:
        return f"{change.label}: {change.old} → {change.new}"
    if change.old:
        return _("%(what)s: %(old)s, removed") % {"what": change.label, "old": change.old}
    return f"{change.label}: {change.new}" if change.new else change.label


def _flat(values: Mapping[str, Any], zone: ZoneInfo) -> dict[str, str]:
    """The values that say something, in words; what is nested comes up."""
    lines: dict[str, str] = {}
    labels = _parameter_labels(str(values.get("system", "")))
    for name, value in values.items():
        if isinstance(value, Mapping):
            lines |= {
                str(labels.get(key, _label(key))): _value(key, part, zone)
                for key, part in value.items()
                if part not in _SILENT
            }
        elif value not in _SILENT:
            lines[_label(name)] = _value(name, value, zone)
    return lines


def _label(name: str) -> str:
    if name in _NAMES:
        return str(_NAMES[name])
    fields = {field.name: field for field in League._meta.concrete_fields}
    if name in fields:
        return str(fields[name].verbose_name)
    return str(_parameter_labels("").get(name, name.replace("_", " ")))


@functools.lru_cache(maxsize=64)
def _parameter_labels(system: str) -> dict[str, str]:
    """The labels of parameters, of all systems where none is named."""
    systems = [info.name for info in bridge.systems()]
    wanted = [system] if system in systems else systems
    return {
        described.name: described.label
        for name in reversed(wanted)
        for described in bridge.describe_system(name)
    }


@functools.lru_cache(maxsize=1)
def _choice_words() -> frozenset[tuple[str, Any]]:
    """The names of parameters with the words from which they are chosen."""
    return frozenset(
        (described.name, word)
        for info in bridge.systems()
        for described in info.descriptions
        for word in described.choices
    )


def _value(name: str, value: Any, zone: ZoneInfo) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if name in _CHOICES and value in _CHOICES[name].values:
        return str(_CHOICES[name](value).label)
    if isinstance(value, str) and (name, value) in _choice_words():
        return choice_words(name, value)
    if name == "system" and value in [info.name for info in bridge.systems()]:
        return bridge.system_info(value).title
    if name in _IN_WORDS:
        return _IN_WORDS[name](value)
    if isinstance(value, float):
        return f"{value:.12g}".replace("-", wording.MINUS)
    if isinstance(value, list):
        return wording.listing([_value("", part, zone) for part in value])
    text = str(value)
    if name in ("first_day", "last_day"):
        try:
            return wording.day(date.fromisoformat(text))
        except ValueError:
            return text
    moment = _moment(text)
    if moment is not None:
        return wording.moment(moment, zone)
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1] + "…"


def _moment(text: str) -> datetime | None:
    """Read an instant as JSON keeps it; other words are none."""
    if len(text) < len("2026-01-01T00:00Z") or text[4:5] != "-" or text[10:11] != "T":
        return None
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    return at if at.tzinfo and FIRST_INSTANT <= at <= LAST_INSTANT else None
