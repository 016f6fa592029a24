"""Fields of a rating system's parameters, generated from how the system describes them."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from leagues.rulebook.choices import choice_words
from leagues.wording import MINUS
from ratings.own_words import MAX_TEXT
from ratings.parameters import Description, figures

SAFETY_BOUND = 1e6
NUMERAL = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)(e[+-]?[0-9]+)?", re.ASCII | re.IGNORECASE)


class ParameterField(forms.CharField):
    """A number as people type it: the system reads it, and here its bounds are said in words."""

    def __init__(self, description: Description, **options: Any) -> None:
        self.description = description
        self.exact = ""
        super().__init__(
            max_length=32,
            required=not description.optional,
            widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}),
            **options,
        )

    def begin_with(self, value: float) -> None:
        """Offer a value with six digits at most; left as it is, it means the exact one."""
        self.exact, self.initial = _written(value), _rounded(value)

    def to_python(self, value: Any) -> str:
        """The text, a minus sign as it is copied from this site as one that is typed."""
        text = (super().to_python(value) or "").replace(MINUS, "-")
        return self.exact if text == self.initial else text

    def validate(self, value: str) -> None:
        """Refuse a number that is out of bounds; the system says what is no number at all."""
        super().validate(value)
        if NUMERAL.fullmatch(value) and not self._is_within(float(value)):
            bounds = ", ".join(_bounds(self.description))
            raise ValidationError(_("This must be %(bounds)s."), "bounds", {"bounds": bounds})

    def _is_within(self, typed: float) -> bool:
        told = self.description
        return (
            (told.least is None or typed >= told.least)
            and (told.over is None or typed > told.over)
            and (told.most is None or typed <= told.most)
            and (told.under is None or typed < told.under)
        )


def parameter_field(description: Description) -> forms.Field:
    """The field of one parameter, with its meaning and its bounds in words."""
    words: dict[str, Any] = {"label": description.label, "help_text": description.meaning}
    match description.kind:
        case "flag":
            return forms.BooleanField(required=False, initial=description.default, **words)
        case "choice":
            choices = [(word, choice_words(description.name, word)) for word in description.choices]
            return forms.ChoiceField(choices=choices, initial=description.default, **words)
        case "values":
            return forms.CharField(
                max_length=MAX_TEXT,
                required=False,
                initial=description.default,
                widget=forms.TextInput(attrs={"autocapitalize": "none", "autocomplete": "off"}),
                **words,
            )
        case _:
            told = ", ".join(_bounds(description, under=SAFETY_BOUND))
            limits = f"({told})" if told else ""
            words["help_text"] = f"{description.meaning} {limits}".strip()
            field = ParameterField(description, **words)
            begin_at(field, description.default)
            return field


def begin_at(field: forms.Field, value: Any) -> None:
    """Let a parameter's field begin with another value than its default."""
    if isinstance(field, ParameterField) and value is not None:
        field.begin_with(value)
    else:
        field.initial = value


def _written(value: object) -> str:
    """Write a number so that reading it gives the very same one, whole ones without a point."""
    return repr(value).removesuffix(".0")


def _rounded(value: float) -> str:
    """Write a number with six digits; what six digits cannot write plainly, in full."""
    text = f"{value:.6g}"
    return _written(value) if "e" in text else text


def _bounds(description: Description, *, under: float = float("inf")) -> list[str]:
    """The bounds of a number, those of a size `under` a safe one; others protect computers."""
    bounds = (
        (_("at least %s"), description.least),
        (_("over %s"), description.over),
        (_("at most %s"), description.most),
        (_("under %s"), description.under),
    )
    return [
        words % figures(bound)
        for words, bound in bounds
        if bound is not None and abs(bound) < under
    ]
