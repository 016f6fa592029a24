"""The form of the kinds of match of a mode: rows of a name and a weight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from leagues.domain.named_weights import (
    MAX_KINDS,
    MAX_NAME,
    MOST_WEIGHT,
    USUAL_WEIGHT,
    NamedWeight,
)
from leagues.forms.fields import WordsField
from leagues.services.modes import clean_kind_name
from ratings.files.names import fold_kind

LEAST_TYPED = 0.01


@dataclass(frozen=True, slots=True)
class KindFields:
    """The fields of one row."""

    name: forms.BoundField
    weight: forms.BoundField


class NamedWeightsForm(forms.Form):
    """As many rows as a mode may have kinds of match; a row without a name is left out."""

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, kinds: Sequence[NamedWeight] = ()
    ) -> None:
        super().__init__(data)
        self.use_required_attribute = False
        for number in range(1, MAX_KINDS + 1):
            kind = kinds[number - 1] if number <= len(kinds) else None
            self.fields[f"name_{number}"] = WordsField(
                label=_("Name of kind %(number)d") % {"number": number},
                most=MAX_NAME,
                initial=kind.name if kind else "",
                widget=forms.TextInput(attrs={"autocomplete": "off"}),
            )
            self.fields[f"weight_{number}"] = forms.FloatField(
                label=_("Weight of kind %(number)d") % {"number": number},
                required=False,
                min_value=LEAST_TYPED,
                max_value=MOST_WEIGHT,
                initial=str(kind.weight).removesuffix(".0") if kind else "",
                widget=forms.NumberInput(attrs={"inputmode": "decimal", "step": "any"}),
                error_messages={"invalid": gettext_lazy("Enter a number such as 1 or 0.5.")},
            )

    @property
    def rows(self) -> list[KindFields]:
        """The rows that the page shows."""
        return [
            KindFields(self[f"name_{number}"], self[f"weight_{number}"])
            for number in range(1, MAX_KINDS + 1)
        ]

    @property
    def kinds(self) -> list[NamedWeight]:
        """The kinds of match of a valid form; without a weight one counts once."""
        rows = [
            (self.cleaned_data[f"name_{number}"], self.cleaned_data[f"weight_{number}"])
            for number in range(1, MAX_KINDS + 1)
        ]
        return [
            NamedWeight(name, USUAL_WEIGHT if weight is None else weight)
            for name, weight in rows
            if name
        ]

    def clean(self) -> dict[str, Any]:
        """Refuse names that cannot be used, at their rows."""
        cleaned = super().clean() or self.cleaned_data
        names = set()
        for number in range(1, MAX_KINDS + 1):
            field = f"name_{number}"
            name = cleaned.get(field, "")
            if not name:
                if cleaned.get(f"weight_{number}") is not None:
                    self.add_error(field, _("Enter a name, or leave the weight empty."))
                continue
            try:
                cleaned[field] = name = clean_kind_name(name)
            except ValidationError as error:
                self.add_error(field, error)
            if fold_kind(name) in names:
                self.add_error(field, _("This name is there twice."))
            names.add(fold_kind(name))
        return cleaned
