"""Fields that several forms share, each with one wording for what it refuses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date, time
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext_lazy as _

from leagues.domain.score_examples import sets_as_typed
from leagues.domain.score_rules import ScoreRule
from leagues.models.match import MAX_HANDICAP, SCORE_LIMIT
from leagues.services.errors import CHANGED, Problem
from leagues.services.texts import clean_text

FIRST_DAY, LAST_DAY = date(1800, 1, 2), date(2199, 12, 30)
"""Days that are readable instants in every time zone."""
MOST_VERSIONS = 2**31 - 1

TOO_LONG = {"max_length": _("Enter at most %(limit_value)d characters; there are %(show_value)d.")}
"""What fields of text say of one that is too long."""

_OUT_OF_RANGE = _("The date must be from 1800 to 2199.")
_STALE = _("This page is out of date. Open the match again.")
_WHOLE = re.compile(r"([+\-\N{MINUS SIGN}]?)([0-9]+)")
_DAY = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}")
_CLOCK = re.compile(r"[0-9]{1,2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?")


def read_score(text: str) -> int:
    """Read a score; ValidationError for all but ASCII digits with a sign at most."""
    match = _WHOLE.fullmatch(text.strip())
    if match is None:
        raise ValidationError(_("A score must be a whole number."), code="score")
    sign, digits = match[1], match[2].lstrip("0") or "0"
    most = len(str(SCORE_LIMIT))
    if len(digits) > most:
        # Whether scores can be negative, and so where they begin, is a setting of the league.
        words = _("A score can have at most %(most)d digits.")
        raise ValidationError(words, code="score_range", params={"most": most})
    return -int(digits) if sign in ("-", "\N{MINUS SIGN}") else int(digits)


def read_handicap(text: str) -> int:
    """Read the points of a handicap; ValidationError for all that no side can be given."""
    match = _WHOLE.fullmatch(text.strip())
    digits = match[2].lstrip("0") or "0" if match else ""
    if match is None or len(digits) > len(str(MAX_HANDICAP)) or int(digits) > MAX_HANDICAP:
        words = _("A handicap must be a whole number of points from −%(most)d to %(most)d.")
        raise ValidationError(words, code="handicap", params={"most": MAX_HANDICAP})
    return -int(digits) if match[1] in ("-", "\N{MINUS SIGN}") else int(digits)


def show_problems(
    form: forms.Form, problems: Iterable[Problem], seen_now: Callable[[str], Mapping[str, str]]
) -> None:
    """Show problems at their fields.

    What somebody else changed counts as seen: of that field, `seen_now` has what the form sends.
    """
    sent = dict(form.data.items())
    for problem in problems:
        form.add_error(problem.field if problem.field in form.fields else None, problem.message)
        if problem.code == CHANGED:
            sent |= seen_now(problem.field)
    form.data = sent


def _written_so(value: Any, form: re.Pattern[str], refusal: Any) -> Any:
    """The value, which has this form if it is a text that says something."""
    text = value.strip() if isinstance(value, str) else ""
    if text and not form.fullmatch(text):
        raise ValidationError(refusal, code="invalid")
    return text or value


class ScoreField(forms.CharField):
    """A score as people type it."""

    widget = forms.NumberInput(attrs={"inputmode": "numeric"})

    def to_python(self, value: Any) -> Any:
        """The score, or None where none was given."""
        typed = super().to_python(value)
        return read_score(typed) if typed else None

    def clean(self, value: Any) -> Any:
        """Read a score; the length of a text says nothing about it."""
        score = self.to_python(value)
        self.validate(score)
        return score


class HandicapField(forms.CharField):
    """The points that a side was given, or taken off with a minus sign; empty: none."""

    widget = forms.NumberInput(
        attrs={
            "inputmode": "numeric",
            "min": -MAX_HANDICAP,
            "max": MAX_HANDICAP,
        }
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, **options)

    def clean(self, value: Any) -> Any:
        """The points, or None where nothing was typed."""
        typed = self.to_python(value)
        return read_handicap(typed) if typed else None


class _FromFirstDay(MinValueValidator):
    code = "out_of_range"


class _ToLastDay(MaxValueValidator):
    code = "out_of_range"


class DayField(forms.DateField):
    """A day that every time zone and both databases can hold."""

    default_error_messages = {
        "required": _("The date is missing."),
        "invalid": _("Enter a date such as 2026-11-12."),
    }
    default_validators = [
        _FromFirstDay(FIRST_DAY, _OUT_OF_RANGE),
        _ToLastDay(LAST_DAY, _OUT_OF_RANGE),
    ]

    def __init__(self, **options: Any) -> None:
        options.setdefault("widget", forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))
        super().__init__(input_formats=["%Y-%m-%d"], **options)

    def to_python(self, value: Any) -> date | None:
        """The day; 01/02/2026 may be two days, and is none here."""
        return super().to_python(_written_so(value, _DAY, self.error_messages["invalid"]))


class ClockField(forms.TimeField):
    """A time of day, where it is known."""

    default_error_messages = {"invalid": _("Enter a time such as 19:30.")}

    def __init__(self, **options: Any) -> None:
        options.setdefault("widget", forms.TimeInput(attrs={"type": "time"}, format="%H:%M"))
        super().__init__(input_formats=["%H:%M", "%H:%M:%S", "%H:%M:%S.%f"], **options)

    def to_python(self, value: Any) -> time | None:
        """The time, in the digits that every way in reads."""
        return super().to_python(_written_so(value, _CLOCK, self.error_messages["invalid"]))


class WordsField(forms.CharField):
    """A line of somebody's own words, refused as a whole where it cannot be shown as it is."""

    def __init__(self, *, most: int, **options: Any) -> None:
        self.most = most
        super().__init__(required=False, **options)

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        """Let the browser end the line where it gets too long."""
        return {**super().widget_attrs(widget), "maxlength": str(self.most)}

    def to_python(self, value: Any) -> str:
        """The words as they are stored."""
        return clean_text(super().to_python(value) or "", most=self.most)


class VersionField(forms.IntegerField):
    """The version of a match that somebody looked at when they decided; not shown."""

    widget = forms.HiddenInput

    def __init__(self) -> None:
        super().__init__(
            validators=[MinValueValidator(1, _STALE), MaxValueValidator(MOST_VERSIONS, _STALE)],
            error_messages={"required": _STALE, "invalid": _STALE},
        )


def choice_field(form: forms.BaseForm, name: str) -> forms.ChoiceField:
    """The field of a form whose choices are known only when it is made."""
    field = form.fields[name]
    if not isinstance(field, forms.ChoiceField):
        raise TypeError(f"{name} has no choices")
    return field


def focus_first_error(form: forms.BaseForm) -> None:
    """Let the page open at the first field that was refused; what is said above it comes first."""
    if form.non_field_errors():
        return
    for name in form.fields:
        if name in form.errors:
            form.fields[name].widget.attrs["autofocus"] = True
            return


def show_sets(field: forms.Field, rule: ScoreRule) -> None:
    """Show in a field how the sets of two sides are typed, with scores that they can have."""
    sets = sets_as_typed(rule)
    field.widget.attrs["placeholder"] = sets
    if sets:
        words = _("Leave the score empty, and it is taken from two or more set scores.")
        field.help_text = words
