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
"""Players times rounds of each system.

A search for the best partners takes as long as twenty rounds.
"""

SEARCH = 20
MOST_SEED = 999_999


class SimulatorForm(forms.Form):
    """One system or two, a population, and how its players are paired."""

    system = forms.ChoiceField(label=_("System"))
    other = forms.ChoiceField(label=_("Compared with"), required=False)
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
            ("random", _("at random")),
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
        help_text=_(
            "The same seed gives the same simulation; a different seed gives different results."
        ),
    )

    def __init__(self, boards: Sequence[Board], given: Mapping[str, str]) -> None:
        self.by_board = {f"board:{board.slug}": board for board in boards if _plays(board.system)}
        names = [(info.name, info.title) for info in bridge.systems() if _plays(info.name)]
        choices: list[Any] = [(_("With defaults"), names)]
        if self.by_board:
            own = [(value, board.name) for value, board in self.by_board.items()]
            choices.insert(0, (_("Boards of this league"), own))
        values = [*self.by_board, *(name for name, _title in names)]
        first = given.get("system", values[0])
        second = next(value for value in values if value != first)
        whole = {name: str(field.initial) for name, field in self.base_fields.items()}
        super().__init__({**whole, "system": first, "other": second, **given})
        choice_field(self, "system").choices = choices
        choice_field(self, "other").choices = [("", _("nothing")), *choices]

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
        elif cleaned["system"] == cleaned["other"]:
            self.add_error("other", _("Choose two different systems, or compare with nothing."))
        elif cleaned["pairing"] == "quality":
            unable = [one.title for one in self.chosen if not bridge.gives_chances(one.system)]
            if unable:
                words = {"system": unable[0]}
                text = _(
                    "%(system)s cannot predict how even a match is. Choose another way to pair "
                    "players."
                )
                self.add_error("pairing", text % words)
        return cleaned

    @property
    def chosen(self) -> tuple[bridge.SimulatedSystem, ...]:
        """The systems to simulate: one, or two to compare."""
        values = (self.cleaned_data["system"], self.cleaned_data["other"])
        return tuple(self._simulated(value) for value in values if value)

    def _simulated(self, value: str) -> bridge.SimulatedSystem:
        board = self.by_board.get(value)
        if board is not None:
            return bridge.SimulatedSystem(board.name, board.system, board.parameters)
        title = bridge.system_info(value).title
        return bridge.SimulatedSystem(title, value, bridge.new_board_parameters(value))

    def words(self) -> dict[str, str]:
        """The parameters of an address that asks for the same."""
        return {name: str(self.cleaned_data[name]) for name in self.base_fields}


def _plays(name: str) -> bool:
    """Whether a system rates match by match."""
    return not bridge.system_info(name).rates_at_once
