"""The form by which two players are merged."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from leagues import wording
from leagues.forms.fields import WordsField, choice_field
from leagues.models import Player
from leagues.services.texts import REASON_LENGTH

_STALE = gettext_lazy("This page is too old. Open it again.")
MAX_DIGITS = 19
"""An id of a row has fewer."""


class MistakesField(forms.MultipleChoiceField):
    """Matches, by id; one in which the two no longer meet names nothing, and is no error."""

    def valid_value(self, value: Any) -> bool:
        """Whether it can be the id of a match."""
        text = str(value)
        return text.isascii() and text.isdecimal() and len(text) < MAX_DIGITS


class MergeForm(forms.Form):
    """Which of two players stays, and why; with the numbers of results that were shown."""

    keep = forms.ChoiceField(
        label=gettext_lazy("Who stays"),
        widget=forms.RadioSelect,
        help_text=gettext_lazy(
            "All results will name this player. The other name, its spellings and its address lead "
            "here."
        ),
        error_messages={"required": _STALE, "invalid_choice": _STALE},
    )
    mistakes = MistakesField(required=False, error_messages={"invalid_choice": _STALE})
    reason = WordsField(
        label=gettext_lazy("Reason (optional), shown to everyone"),
        most=REASON_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    other = forms.CharField(widget=forms.HiddenInput)
    own_results = forms.IntegerField(
        widget=forms.HiddenInput, min_value=0, error_messages={"required": _STALE}
    )
    other_results = forms.IntegerField(
        widget=forms.HiddenInput, min_value=0, error_messages={"required": _STALE}
    )

    def __init__(
        self, player: Player, other: Player, counts: tuple[int, int], data: Any = None
    ) -> None:
        """Ask about a player and another one; `counts` are how many results each has."""
        self.players = player, other
        own_results, other_results = counts
        initial = {
            "keep": player.key if own_results >= other_results else other.key,
            "other": other.key,
            "own_results": own_results,
            "other_results": other_results,
        }
        super().__init__(data, initial=initial)
        choice_field(self, "keep").choices = [
            (one.key, _label(one, count, is_shared=player.folded == other.folded))
            for one, count in zip((player, other), counts, strict=True)
        ]

    def again(self, counts: tuple[int, int]) -> MergeForm:
        """The form to be sent again, once the players have so many results."""
        form = MergeForm(*self.players, counts)
        kept = ("keep", "reason", "mistakes")
        form.initial.update({name: self.cleaned_data[name] for name in kept})
        return form

    def first_choice(self) -> tuple[Player, Player]:
        """Who stays and who goes where nobody has chosen: who has more results stays."""
        return self._choice(self.initial["keep"])

    def choice(self) -> tuple[Player, Player]:
        """Who stays and who goes."""
        return self._choice(self.cleaned_data["keep"])

    def shown_count(self, drop: Player) -> int:
        """How many results the player who goes had when the form was shown."""
        is_own = drop == self.players[0]
        count: int = self.cleaned_data["own_results" if is_own else "other_results"]
        return count

    def ticked(self) -> frozenset[int]:
        """The matches of both players, by id, that were ticked as mistakes."""
        values = self.cleaned_data if self.is_bound else self.initial
        ticked = values.get("mistakes")
        return frozenset(map(int, ticked or ()))

    def _choice(self, stays: str) -> tuple[Player, Player]:
        player, other = self.players
        return (player, other) if stays == player.key else (other, player)


def _label(player: Player, count: int, *, is_shared: bool) -> str:
    """A player to choose; of two of the same name the keys tell which."""
    name = f"{player.name} [{player.key}]" if is_shared else player.name
    return f"{name} ({wording.results(count)})"
