"""The form of a trial: a board's parameters as they are, to be changed on a copy."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from leagues import bridge
from leagues.forms.fields import DayField
from leagues.forms.own_words import list_own_words
from leagues.forms.parameters import begin_at, parameter_field
from leagues.forms.settings import add_errors
from leagues.models import Board


class TrialForm(forms.Form):
    """Every parameter of a board's system, with the board's own values to begin with."""

    effective_on = DayField(
        label=_("First day"),
        required=False,
        help_text=_("Leave empty for the first result of the season."),
    )

    def __init__(
        self, board: Board, data: Any = None, *, parameters: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(data, prefix="try")
        self.board = board
        # What a board was given through the API stays as it is.
        self.descriptions = bridge.offered_parameters(board.system, board.parameters)
        begin_with = board.parameters if parameters is None else parameters
        # Those that are worth changing come first.
        first = bridge.system_info(board.system).fitted
        for description in sorted(self.descriptions, key=lambda found: found.name not in first):
            field = parameter_field(description)
            if description.name in begin_with:
                begin_at(field, begin_with[description.name])
            self.fields[f"x_{description.name}"] = field
        list_own_words(self, board.league)
        self.order_fields([*(name for name in self.fields if name[:2] == "x_"), "effective_on"])

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters that were typed, as text; the system itself reads them."""
        return {
            description.name: self.cleaned_data[f"x_{description.name}"]
            for description in self.descriptions
        }

    @property
    def effective_at(self) -> datetime | None:
        """The first instant at which the parameters would hold."""
        day = self.cleaned_data["effective_on"]
        return self.board.league.midnight(day) if day else None

    def refuse(self, error: ValidationError) -> None:
        """Show what was refused at the field that it was refused at."""
        if hasattr(error, "error_dict") and "effective_at" in error.error_dict:
            self.add_error("effective_on", ValidationError(error.error_dict.pop("effective_at")))
        if not hasattr(error, "error_dict") or error.error_dict:
            add_errors(self, error, prefix="x_")
