"""The form of a rating with which a player begins on a board."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from leagues.forms.fields import WordsField, show_problems
from leagues.forms.parameters import NUMERAL
from leagues.services.errors import Problem
from leagues.services.starts import SOURCE_LENGTH, Start
from leagues.wording import MINUS

_FIELDS = ("rating", "deviation", "source")


class NumberField(forms.CharField):
    """A number as people type it; None where there is none."""

    def __init__(self, **options: Any) -> None:
        options.setdefault(
            "widget", forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"})
        )
        super().__init__(max_length=32, required=False, **options)

    def clean(self, value: Any) -> float | None:
        """Read the number; refuse what is none, or has no decimal point but a comma."""
        text = super().clean(value).replace(MINUS, "-")
        if not text:
            return None
        if "," in text:
            raise ValidationError(_("Write a decimal point, not a comma: 1850.5."), "comma")
        number = float(text) if NUMERAL.fullmatch(text) else math.nan
        if not math.isfinite(number):
            raise ValidationError(_("Enter a number, such as 1850."), "number")
        return number


class StartForm(forms.Form):
    """A start, and what the page showed, so that two pages do not undo each other's changes."""

    rating = NumberField(label=_("Starting rating"))
    deviation = NumberField(label=_("Uncertainty"))
    source = WordsField(
        label=_("Where it comes from"),
        most=SOURCE_LENGTH,
        help_text=_("For example “FIDE list November 2026”. Everyone here can see it."),
    )
    was_rating = NumberField(widget=forms.HiddenInput())
    was_deviation = NumberField(widget=forms.HiddenInput())
    was_source = WordsField(most=SOURCE_LENGTH, widget=forms.HiddenInput())

    def __init__(
        self,
        data: Mapping[str, str] | None = None,
        *,
        board_id: int,
        stored: Start | None,
        has_deviation: bool,
        has_anchors: bool = False,
    ) -> None:
        shown = {name: _typed(getattr(stored, name, None)) for name in _FIELDS}
        shown |= {f"was_{name}": word for name, word in shown.items()}
        super().__init__(data, auto_id=f"start_{board_id}_%s", initial=shown)
        if not has_deviation:
            del self.fields["deviation"], self.fields["was_deviation"]
        if has_anchors:
            self.fields["rating"].label = _("Rating kept as an anchor")
            self.fields["source"].label = _("Why this player is an anchor")
            words = _("For example “bot of the server”. Everyone here can see it.")
            self.fields["source"].help_text = words

    def clean(self) -> dict[str, Any]:
        """Refuse words without the number that they are about."""
        cleaned = super().clean() or {}
        if any(f"was_{name}" in self.errors for name in _FIELDS):
            words = _("This page is too old. Open it again.")
            self.add_error(None, ValidationError(words, "stale"))
        is_empty = cleaned.get("rating") is None and "rating" not in self.errors
        if is_empty and (cleaned.get("source") or cleaned.get("deviation") is not None):
            words = _("Enter the rating, or clear the other fields to begin as newcomers do.")
            self.add_error("rating", ValidationError(words, "missing"))
        return cleaned

    def start(self) -> Start | None:
        """What was typed; None: nothing."""
        return self._start("")

    def former_start(self) -> Start | None:
        """What the page showed."""
        return self._start("was_")

    def _start(self, prefix: str) -> Start | None:
        rating, deviation, source = (self.cleaned_data.get(f"{prefix}{name}") for name in _FIELDS)
        return None if rating is None else Start(rating, deviation, source or "")

    def add_problems(self, problems: Iterable[Problem], stored: Start | None) -> None:
        """Show problems at their fields; what somebody else changed counts as seen with that."""
        now = {f"was_{name}": _typed(getattr(stored, name, None)) for name in _FIELDS}
        show_problems(self, problems, lambda _field: now)


def _typed(value: object) -> str:
    """A value as somebody would type it, so that reading it gives the very same one."""
    return "" if value is None else str(value).removesuffix(".0")
