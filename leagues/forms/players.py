"""The forms of what organizers change of a player."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from leagues.forms.fields import WordsField, show_problems
from leagues.forms.naming import NamingForm
from leagues.models import Player, PlayerGroup
from leagues.services.errors import Problem
from leagues.services.player_editing import FIRST_BIRTH_YEAR

_STALE = _("This page is too old. Open it again.")


class SpellingForm(forms.Form):
    """Another name of a player, and what is to be done with it."""

    ADD, REMOVE, SHOW, TAKE_BACK = "add", "remove", "show", "back"

    name = WordsField(label=_("Name"), most=Player._meta.get_field("name").max_length or 0)
    was = WordsField(most=Player._meta.get_field("name").max_length or 0)
    """The name that the player has, where that is taken back."""
    is_public = forms.BooleanField(label=_("Everyone can see it"), required=False)
    do = forms.ChoiceField(
        choices=[(word, word) for word in (ADD, REMOVE, SHOW, TAKE_BACK)],
        error_messages={"required": _STALE, "invalid_choice": _STALE},
    )

    def __init__(self, data: Any = None) -> None:
        # The page has another form with a name.
        super().__init__(data, auto_id="other_%s")


class GroupsForm(forms.Form):
    """The groups of a player, one field for each kind; an empty one means none.

    What the page showed stands beside each, so that two pages do not undo each other's changes.
    A kind that is not sent stays as it is.
    """

    def __init__(self, data: Mapping[str, str] | None = None, *, stored: Mapping[str, str]) -> None:
        shown = {kind: stored.get(kind, "") for kind in PlayerGroup.Kind.values}
        shown |= {f"was_{kind}": name for kind, name in shown.items()}
        sent = None if data is None else {name: data.get(name, shown[name]) for name in shown}
        super().__init__(sent, auto_id="group_%s", initial=shown)
        most = PlayerGroup._meta.get_field("name").max_length or 0
        for kind in PlayerGroup.Kind:
            self.fields[kind.value] = WordsField(
                label=kind.label,
                most=most,
                widget=forms.TextInput(
                    attrs={"list": f"{kind.value}-names", "autocomplete": "off"}
                ),
            )
            self.fields[f"was_{kind.value}"] = WordsField(most=most, widget=forms.HiddenInput())

    def groups(self) -> dict[str, str]:
        """What was typed, by kind."""
        return {kind: self.cleaned_data[kind] for kind in PlayerGroup.Kind.values}

    def former_groups(self) -> dict[str, str]:
        """What the page showed, by kind."""
        return {kind: self.cleaned_data[f"was_{kind}"] for kind in PlayerGroup.Kind.values}

    def add_problems(self, problems: Iterable[Problem], stored: Mapping[str, str]) -> None:
        """Show problems at their fields; what somebody else changed counts as seen with that."""
        show_problems(self, problems, lambda kind: {f"was_{kind}": stored.get(kind, "")})


class MomentField(forms.Field):
    """A moment as a page wrote it, to the microsecond; nothing for none. Not shown."""

    widget = forms.HiddenInput

    def __init__(self) -> None:
        super().__init__(required=False)

    def to_python(self, value: Any) -> datetime | None:
        """The moment."""
        if not value:
            return None
        try:
            moment = datetime.fromisoformat(str(value))
        except ValueError as error:
            raise forms.ValidationError(_STALE) from error
        if moment.tzinfo is None:
            raise forms.ValidationError(_STALE)
        return moment


class LeavingForm(forms.Form):
    """Since when a player no longer plays here: from now on, or what an undo brings back."""

    NOW = "now"

    left_at = MomentField()
    was = MomentField()
    do = forms.CharField(required=False, max_length=8)

    def left(self) -> datetime | None:
        """Since when the player is to have left; None for one who plays here."""
        if self.cleaned_data["do"] == self.NOW:
            return timezone.now()
        left_at: datetime | None = self.cleaned_data["left_at"]
        return left_at


class PlayerForm(NamingForm):
    """Name and year of birth, and whether the former name is shown."""

    shows_former = forms.BooleanField(
        label=_("Everyone can see the old name"),
        required=False,
        help_text=_("Otherwise only those who enter results know it."),
    )
    birth_year = forms.IntegerField(
        label=_("Year of birth"),
        required=False,
        min_value=FIRST_BIRTH_YEAR,
        help_text=_(
            "Used by Elo boards with FIDE’s K factor, where the ratings of juniors change faster, "
            "and by age classes, if the league has any. Only organizers see the year itself."
        ),
    )

    def __init__(self, data: Mapping[str, str] | None = None, **options: Any) -> None:
        super().__init__(data, **options)
        self.fields["name"].help_text = _("The old name still refers to this player.")
