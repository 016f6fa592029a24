"""Forms that change the rules of a board."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from leagues.forms.settings import add_errors
from leagues.forms.trials import TrialForm
from leagues.models import Board
from leagues.services.texts import REASON_LENGTH


class RulesForm(TrialForm):
    """Every parameter of a board as it is, and from which day on others are to hold."""

    def __init__(self, board: Board, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(board, data)
        self.fields["effective_on"].help_text = _(
            "Leave empty to rate the whole season again. With a date, earlier results keep their "
            "rules."
        )


class ReasonForm(forms.Form):
    """Why the rules change; everybody can read it."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=REASON_LENGTH,
        help_text=_("Shown beside the rules, for everyone to read."),
    )

    def refuse(self, error: ValidationError) -> None:
        """Show what was refused: at the reason, else above it."""
        add_errors(self, error)
