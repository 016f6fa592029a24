"""What the forms have in common that give a player a name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from leagues.forms.fields import WordsField
from leagues.models import Player
from leagues.services.errors import Problem
from leagues.services.name_checks import LIKE_OTHERS


class NamingForm(forms.Form):
    """A name, and the question whether one that is like others is another player's."""

    name = WordsField(label=_("Name"), most=Player._meta.get_field("name").max_length or 0)
    is_another = forms.BooleanField(label=_("This is another player"), required=False)

    def __init__(self, data: Mapping[str, str] | None = None, **options: Any) -> None:
        super().__init__(data, **options)
        if not (self.is_bound and self.data.get("is_another")):
            # Asked only where the name is like others.
            self.fields["is_another"].widget = forms.HiddenInput()

    def add_problems(self, problems: Iterable[Problem]) -> None:
        """Show problems at their fields, and the question whether it is another player."""
        for problem in problems:
            field = problem.field if problem.field in self.fields else None
            self.add_error(field, ValidationError(problem.message, problem.code))
            if problem.code == LIKE_OTHERS:
                self.fields["is_another"].widget = forms.CheckboxInput()
