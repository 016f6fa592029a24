"""What the settings pages list: seasons, tokens and past changes, as prepared rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from leagues import bridge, wording
from leagues.models import ApiToken, AuditEntry, League, Season

PAGE = 50
LONGEST_VALUE = 80
MOST_CHANGES = 10
ACTIONS = {
    "league.create": gettext_lazy("league made"),
    "league.settings": gettext_lazy("rules changed"),
    "season.create": gettext_lazy("season made"),
    "board.create": gettext_lazy("board added"),
    "member.role": gettext_lazy("role given"),
    "member.remove": gettext_lazy("role taken"),
    "token.create": gettext_lazy("token made"),
    "token.revoke": gettext_lazy("token revoked"),
    "player.rename": gettext_lazy("player renamed"),
}


@dataclass(frozen=True, slots=True)
class BoardRow:
    name: str
    slug: str
    mode: str
    system: str


@dataclass(frozen=True, slots=True)
class SeasonRow:
    name: str
    slug: str
    state: str
    span: str
    results: str


@dataclass(frozen=True, slots=True)
class TokenRow:
    name: str
    public_id: str
    scope: str
    made: str
    used: str
    state: str
    is_valid: bool


@dataclass(frozen=True, slots=True)
class AuditRow:
    when: str
    who: str
    action: str
    subject: str
    changes: tuple[str, ...]
    """What was and is, a sentence each."""


@dataclass(frozen=True, slots=True)
class AuditPage:
    rows: tuple[AuditRow, ...]
    before: int | None
    """Where the next, older page begins; None on the last one."""


def board_rows(season: Season) -> tuple[BoardRow, ...]:
    """Return a season's boards in their order."""
    return tuple(
        BoardRow(board.name, board.slug, board.mode.name, bridge.system_info(board.system).title)
        for board in season.boards.select_related("mode")
    )


def season_rows(league: League) -> tuple[SeasonRow, ...]:
    """Return a league's seasons, newest first."""
    return tuple(
        SeasonRow(
            name=season.name,
            slug=season.slug,
            state=season.get_state_display(),
            span=_span(season, league),
            results=wording.count(season.last_seq),
        )
        for season in league.seasons.all()
    )


def token_rows(league: League) -> tuple[TokenRow, ...]:
    """Return a league's tokens, newest first; nothing of them but the public part."""
    now = timezone.now()
    return tuple(_token_row(token, league, token.expires_at > now) for token in league.tokens.all())


def audit_page(league: League, *, before: str) -> AuditPage:
    """Return changes of settings, newest first, from before the entry of that number on."""
    entries = league.audit.select_related("actor").order_by("-pk")
    if before.isascii() and before.isdigit() and len(before) <= 18:
        entries = entries.filter(pk__lt=int(before))
    found = list(entries[: PAGE + 1])
    shown = found[:PAGE]
    return AuditPage(
        rows=tuple(_audit_row(entry, league) for entry in shown),
        before=shown[-1].pk if len(found) > PAGE else None,
    )


def _span(season: Season, league: League) -> str:
    if season.starts_at is None and season.ends_at is None:
        return _("results of any date")
    first = wording.day(season.starts_at.astimezone(league.zone)) if season.starts_at else ""
    # The end is the first instant after the last day.
    last_at = season.ends_at - timedelta(microseconds=1) if season.ends_at else None
    last = wording.day(last_at.astimezone(league.zone)) if last_at else ""
    if first and last:
        return wording.span(first, last)
    return _("from %(day)s") % {"day": first} if first else _("to %(day)s") % {"day": last}


def _token_row(token: ApiToken, league: League, is_fresh: bool) -> TokenRow:
    zone = league.zone
    if token.revoked_at:
        state = _("revoked")
    elif is_fresh:
        state = _("until %(day)s") % {"day": wording.day(token.expires_at.astimezone(zone))}
    else:
        state = _("expired")
    return TokenRow(
        name=token.name,
        public_id=token.public_id,
        scope=token.get_scope_display(),
        made=wording.day(token.created_at.astimezone(zone)),
        used=wording.moment(token.last_used_at, zone) if token.last_used_at else _("never"),
        state=state,
        is_valid=is_fresh and token.revoked_at is None,
    )


def _audit_row(entry: AuditEntry, league: League) -> AuditRow:
    return AuditRow(
        when=wording.moment(entry.created_at, league.zone),
        who=entry.actor.get_username() if entry.actor else pgettext("who did it", "the system"),
        action=str(ACTIONS.get(entry.action, entry.action)),
        subject=entry.subject,
        changes=_changes(entry.before, entry.after),
    )


def _changes(before: Mapping[str, Any] | None, after: Mapping[str, Any] | None) -> tuple[str, ...]:
    old, new = _flat(before or {}), _flat(after or {})
    if before is None or after is None:
        shown = [f"{name}: {value}" for name, value in (old or new).items()]
    else:
        names = [name for name in {**old, **new} if old.get(name) != new.get(name)]
        shown = [
            f"{name}: {old.get(name, wording.NOTHING)} → {new.get(name, wording.NOTHING)}"
            for name in names
        ]
    if len(shown) <= MOST_CHANGES:
        return tuple(shown)
    rest = len(shown) - MOST_CHANGES
    more = ngettext("and %(count)d more", "and %(count)d more", rest) % {"count": rest}
    return (*shown[:MOST_CHANGES], more)


def _flat(values: Mapping[str, Any]) -> dict[str, str]:
    """Return the values that say something, in words; what is nested comes up."""
    found: dict[str, str] = {}
    for name, value in values.items():
        if isinstance(value, Mapping):
            found |= _flat(value)
        elif value not in (None, ""):
            found[name.replace("_", " ")] = _value(value)
    return found


def _value(value: Any) -> str:
    text = {True: _("yes"), False: _("no")}[value] if isinstance(value, bool) else str(value)
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1] + "…"
