"""What a simulation can be asked for, within what a page can compute at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from leagues import bridge
from leagues.forms.fields import choice_field
from leagues.models import Board

SIZES = (20, 50, 100, 200)
MOST_ROUNDS = 50
MOST_PLAYED = 10_000
"""Players times rounds; a search for the best partners takes as long as twenty rounds."""

SEARCH = 20
MOST_SEED = 999_999


class SimulatorForm(forms.Form):
    """A system, a population, and how they are paired."""

    system = forms.ChoiceField(label=_("System"))
    skills = forms.ChoiceField(
        label=_("True skills"),
        choices=(("normal", _("most near the middle")), ("skewed", _("a few far ahead"))),
        initial="normal",
    )
    players = forms.TypedChoiceField(
        label=_("Players"), choices=[(size, str(size)) for size in SIZES], coerce=int, initial=50
    )
    pairing = forms.ChoiceField(
        label=_("Who meets whom"),
        choices=(
            ("random", _("drawn by lot")),
            ("nearest", _("the nearest by rating")),
            ("quality", _("the most even match")),
        ),
        initial="random",
    )
    rounds = forms.IntegerField(label=_("Rounds"), min_value=1, max_value=MOST_ROUNDS, initial=30)
    seed = forms.IntegerField(
        label=_("Seed"),
        min_value=0,
        max_value=MOST_SEED,
        initial=1,
        help_text=_("The same seed gives the same simulation; another one, other luck."),
    )

    def __init__(self, boards: Sequence[Board], given: Mapping[str, str]) -> None:
        self.by_board = {f"board:{board.slug}": board for board in boards if _plays(board.system)}
        names = [(info.name, info.title) for info in bridge.systems() if _plays(info.name)]
        choices: list[Any] = [(_("With defaults"), names)]
        if self.by_board:
            own = [(value, board.name) for value, board in self.by_board.items()]
            choices.insert(0, (_("Boards of this league"), own))
        first = next(iter(self.by_board), names[0][0])
        whole = {name: str(field.initial) for name, field in self.base_fields.items()}
        super().__init__({**whole, "system": first, **given})
        choice_field(self, "system").choices = choices

    def clean(self) -> dict[str, Any]:
        """Refuse what would take too long, and pairs that a system cannot choose."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if self.errors:
            return cleaned
        played = cleaned["players"] * cleaned["rounds"]
        if played * (SEARCH if cleaned["pairing"] == "quality" else 1) > MOST_PLAYED:
            self.add_error(
                "rounds",
                _(
                    "This is too much for one page. "
                    "Choose fewer rounds or players, or pair at random."
                ),
            )
        elif cleaned["pairing"] == "quality" and not bridge.gives_chances(self.chosen[0]):
            self.add_error(
                "pairing", _("This system cannot say how even a match is. Choose another way.")
            )
        return cleaned

    @property
    def chosen(self) -> tuple[str, dict[str, Any]]:
        """The name of the system and its parameters."""
        value = self.cleaned_data["system"]
        board = self.by_board.get(value)
        if board is not None:
            return board.system, board.parameters
        return value, bridge.checked_parameters(value, {})

    def words(self) -> dict[str, str]:
        """The parameters of an address that asks for the same."""
        return {name: str(self.cleaned_data[name]) for name in self.base_fields}


def _plays(name: str) -> bool:
    """Whether a system rates match by match."""
    return not bridge.system_info(name).rates_at_once
