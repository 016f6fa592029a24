"""The forms of what the players of a board begin with together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from leagues.services.openings import MAX_SEED


class RandomStartForm(forms.Form):
    """A seed, and what the preview showed of it."""

    seed = forms.IntegerField(
        label=_("Seed"),
        min_value=0,
        max_value=MAX_SEED,
        help_text=_("Any whole number, such as one that the players have rolled together."),
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )
    seen = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput())


class SessionForm(forms.Form):
    """A game session, and what the preview showed of it."""

    session = forms.ChoiceField(
        label=_("Game session"),
        help_text=_("Its order is that of its page, which rates it from a blank slate."),
    )
    seen = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput())

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        choices: Sequence[tuple[str, str]],
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(data, initial=dict(initial or {}))
        field = self.fields["session"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101
        field.choices = choices


class UndoForm(forms.Form):
    """That something is to be undone, so that no other form can mean that."""

    undo = forms.BooleanField(initial=True, widget=forms.HiddenInput())
