"""What may be wrong with a result, in words, and what a person can answer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from leagues import wording
from leagues.domain.civil_days import day_of
from leagues.models import Match, Season
from leagues.services.entry_warnings import EntryWarning, WarningKind


@dataclass(frozen=True, slots=True)
class ConfirmationQuestion:
    """A question to whoever entered a result.

    `answer` is what the button says that confirms it, and `leave` what the link says that drops
    the result, where there is one.
    """

    code: str
    question: str
    answer: str
    leave: str = ""


def confirmation_question(
    warning: EntryWarning, season: Season, now: datetime
) -> ConfirmationQuestion:
    """A warning as a question."""
    words = describe_warning(warning, season, now)
    if warning.kind is WarningKind.SAME_RESULT:
        words = _("%(warning)s Enter it once more?") % {"warning": words}
        return ConfirmationQuestion(warning.code, words, _("Enter it once more"), _("Leave it out"))
    words = _("%(warning)s Is that the right date?") % {"warning": words}
    return ConfirmationQuestion(warning.code, words, _("The date is right, record it"))


def describe_warning(warning: EntryWarning, season: Season, now: datetime) -> str:
    """A sentence on what may be wrong."""
    if warning.same is not None:
        return _describe_same(warning, warning.same, season, now)
    day = wording.day(day_of(warning.draft.played_at, season.league.zone))
    if warning.first_at is None:
        return _("%(day)s is more than a year ago.") % {"day": day}
    words = _("%(day)s is more than a year before the first result of “%(season)s”.")
    return words % {"day": day, "season": season.name}


def _describe_same(warning: EntryWarning, same: Match, season: Season, now: datetime) -> str:
    zone = season.league.zone
    entered, today = same.recorded_at.astimezone(zone), day_of(now, zone)
    words = {
        "time": wording.clock(entered),
        "day": wording.day(entered.date()),
        "played": wording.clock(same.played_at.astimezone(zone)),
    }
    if same.played_at == warning.draft.played_at:
        if entered.date() == today:
            return _("This was already entered at %(time)s.") % words
        return _("This was already entered on %(day)s at %(time)s.") % words
    if entered.date() == today:
        return _("The same result, played at %(played)s, was already entered at %(time)s.") % words
    return (
        _("The same result, played at %(played)s, was already entered on %(day)s at %(time)s.")
        % words
    )
