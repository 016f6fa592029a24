"""The form about a started match: who is let go."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from leagues import wording
from leagues.forms.fields import HandicapField, VersionField, WordsField, choice_field
from leagues.models import Match
from leagues.services.texts import REASON_LENGTH

ALL = ""
"""The choice that all whom one may let go are let go."""


class StartForm(forms.Form):
    """The form that starts a match of two sides: what the first one is given."""

    def __init__(self, first: str, *words: Any, **options: Any) -> None:
        """`first` is the first side."""
        super().__init__(*words, **options)
        label = _("Handicap of %(side)s, in rating points") % {"side": first}
        self.fields["handicap"] = HandicapField(label=label)

    def handicaps(self) -> tuple[int, int]:
        """What each side of a valid form is given."""
        return self.cleaned_data["handicap"] or 0, 0


class ReleaseForm(forms.Form):
    """Who lost nothing by leaving a started match: all, or all but one who left."""

    left_by = forms.ChoiceField(label=gettext_lazy("Who left it?"), required=False)
    reason = WordsField(
        label=gettext_lazy("Reason (optional), shown to everyone"),
        most=REASON_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    version = VersionField()

    def __init__(
        self, players: Sequence[tuple[str, str]], *words: Any, is_of_player: bool, **options: Any
    ) -> None:
        super().__init__(*words, **options)
        self.keys = frozenset(key for key, _name in players)
        if is_of_player:
            del self.fields["left_by"]
            return
        left_by = choice_field(self, "left_by")
        leavers = [(key, _("%(name)s left") % {"name": name}) for key, name in players]
        left_by.choices = [(ALL, _("no one: the match is called off, and no one loses")), *leavers]

    def released(self) -> frozenset[str]:
        """The keys of those whom a valid form lets go."""
        return self.keys - {self.cleaned_data.get("left_by", ALL)}


def release_form(match: Match, keys: Collection[str], sent: QueryDict | None = None) -> ReleaseForm:
    """The form for letting go the players with these keys of a match read with its players."""
    rows = sorted(match.participants.all(), key=lambda row: row.player.name)
    bound = [
        (row.player.key, row.player.name)
        for row in rows
        if row.player.key in keys and row.leaving != row.Leaving.RELEASED
    ]
    return ReleaseForm(
        bound, sent, is_of_player=len(keys) < len(rows), initial={"version": match.version}
    )


def names_to_release(form: ReleaseForm, match: Match) -> str:
    """Whom the form of a player lets go."""
    rows = sorted(match.participants.all(), key=lambda row: row.player.name)
    names = [row.player.name for row in rows if row.player.key in form.keys]
    return wording.listing(names) if names else ""
