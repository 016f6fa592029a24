"""What may be wrong with a result, in words, and what a person can answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _

from leagues import wording
from leagues.domain.civil_days import day_of
from leagues.domain.who_plays import EntryShape
from leagues.models import League, Season
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


@dataclass(frozen=True, slots=True)
class ModeAdvice:
    """What to do about results that no mode is for, and the page to do it on."""

    sentence: str
    url: str


def confirmation_question(
    warning: EntryWarning, season: Season, now: datetime
) -> ConfirmationQuestion:
    """A warning as a question."""
    words = {"warning": describe_warning(warning, season, now)}
    match warning.kind:
        case WarningKind.SAME_RESULT:
            question = _("%(warning)s Enter it again?") % words
            answer, leave = _("Enter it again"), _("Don’t enter it")
        case WarningKind.EARLY_DATE:
            question = _("%(warning)s Is that the right date?") % words
            answer, leave = _("The date is right, record it"), ""
        case WarningKind.REPEATED:
            question = _("%(warning)s Enter it once more?") % words
            answer, leave = _("Enter it once more"), ""
        case WarningKind.IMPOSSIBLE_SCORE:
            question = _("%(warning)s Is the score right?") % words
            answer, leave = _("The score is right, record it"), ""
        case WarningKind.CONTRADICTION:
            question = _("%(warning)s Is the winner right?") % words
            answer, leave = _("The winner is right, record it"), ""
        case WarningKind.WRONG_MODE:
            mode = {"mode": warning.wrong_mode.mode.name if warning.wrong_mode else ""}
            question = _("%(warning)s Record it in “%(mode)s”?") % (words | mode)
            answer, leave = _("Record it in “%(mode)s”") % mode, ""
        case WarningKind.UNEVEN_SIDES:
            question = _("%(warning)s Is a name missing?") % words
            answer, leave = _("No name is missing, record it"), ""
    return ConfirmationQuestion(warning.code, question, answer, leave)


def common_question(warning: EntryWarning, season: Season, now: datetime) -> tuple[str, str] | None:
    """What several lines of a sheet are asked at once, and the answer that confirms them.

    `warning` is that of the first one; None where its own words are for all of them.
    """
    sentence = describe_warning(warning, season, now)
    match warning.kind:
        case WarningKind.SAME_RESULT:
            return _("Results that say the same are there already."), _("Enter them again")
        case WarningKind.REPEATED:
            words = _("Each says the same as a line above it.")
            if warning.has_score:
                words = _("Each says the same as a line above it, with the same score.")
            return words, _("Enter them all")
        case WarningKind.IMPOSSIBLE_SCORE:
            return sentence, _("The scores are right, record them")
        case WarningKind.CONTRADICTION:
            return sentence, _("The winners are right, record them")
        case WarningKind.UNEVEN_SIDES:
            return sentence, _("No name is missing, record them")
        case _:
            return None


def describe_warning(warning: EntryWarning, season: Season, now: datetime) -> str:
    """What may be wrong, in a sentence."""
    match warning.kind:
        case WarningKind.SAME_RESULT:
            return _describe_same(warning, season, now)
        case WarningKind.EARLY_DATE:
            return _describe_early(warning, season)
        case WarningKind.REPEATED:
            return _("An earlier one of these results says the same.")
        case _:
            return warning.reason


def mode_advice(warnings: Iterable[EntryWarning], league: League) -> ModeAdvice | None:
    """What an organizer can do about the first result that no mode of the league is for."""
    wrong = next(
        (one.wrong_mode for one in warnings if one.wrong_mode and not one.wrong_mode.fitting), None
    )
    if wrong is None:
        return None
    words = _(
        "To rate such results separately, add “%(example)s” to what is played. You can also change "
        "who plays in “%(mode)s”."
    )
    names = {"example": example_name(wrong.shape), "mode": wrong.mode.name}
    return ModeAdvice(words % names, reverse("leagues:settings_modes", args=[league.slug]))


def example_name(shape: EntryShape) -> str:
    """What a league may call its results of a shape."""
    match shape:
        case EntryShape.PAIR:
            return _("Singles")
        case EntryShape.TEAMS:
            return _("Doubles")
        case EntryShape.LIST:
            return _("Free for all")


def _describe_early(warning: EntryWarning, season: Season) -> str:
    day = wording.day(day_of(warning.draft.played_at, season.league.zone))
    if warning.first_at is None:
        return _("%(day)s is more than a year ago.") % {"day": day}
    words = _("%(day)s is more than a year before the first result of “%(season)s”.")
    return words % {"day": day, "season": season.name}


def _describe_same(warning: EntryWarning, season: Season, now: datetime) -> str:
    zone, same = season.league.zone, warning.same
    assert same is not None, "a warning of the same result names it"  # noqa: S101
    entered, today = same.recorded_at.astimezone(zone), day_of(now, zone)
    words = {
        "time": wording.clock(entered),
        "day": wording.day(entered.date()),
        "played": wording.clock(same.played_at.astimezone(zone)),
    }
    if same.date_only and not warning.draft.date_only:
        if entered.date() == today:
            return (
                _("The same result of that day, without a time, was entered at %(time)s.") % words
            )
        return (
            _("The same result of that day, without a time, was entered on %(day)s at %(time)s.")
            % words
        )
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


def time_came_twice(clock: str) -> str:
    """Which instant is meant by a time that the clocks showed twice."""
    words = _("The clocks went back that day, so %(time)s occurred twice. The first one is used.")
    return words % {"time": clock}
