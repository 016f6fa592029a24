"""What an entered result is of: what was played, and by how many sides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpRequest
from django.utils.translation import gettext as _

from leagues.domain.who_plays import EntryShape, shape_called
from leagues.models import League, Mode
from leagues.pages.boards import Choice
from leagues.selectors.board_selection import BoardSelection
from leagues.selectors.entry_shapes import entry_shapes, usual_shape


@dataclass(frozen=True, slots=True)
class EntryChoice:
    """The mode and the shape of a form, and which results are usual in the mode.

    `is_other`: a button of the form has asked for them; what was typed goes along.
    """

    mode: Mode
    shape: EntryShape
    expected: Counter[EntryShape]
    modes: tuple[Mode, ...]
    is_other: bool = False

    def mode_choices(self) -> list[Choice]:
        """What is played in the league."""
        return [Choice(mode.slug, mode.name, mode == self.mode) for mode in self.modes]

    def shape_choices(self) -> tuple[list[Choice], list[Choice]]:
        """The shapes that results of the mode have, all where there are none, and the others.

        Others for which there is another mode are left out: that can be chosen by its name.
        """
        labels = {
            EntryShape.PAIR: _("Two players"),
            EntryShape.TEAMS: _("Two teams"),
            EntryShape.LIST: _("Three or more"),
        }
        rows = [Choice(shape, label, shape == self.shape) for shape, label in labels.items()]
        if not self.expected:
            return rows, []
        usual = [row for row in rows if row.is_chosen or row.value in self.expected]
        others = [row for row in rows if row not in usual]
        return usual, [row for row in others if not self._has_own_mode(EntryShape(row.value))]

    def _has_own_mode(self, shape: EntryShape) -> bool:
        return _mode_for(shape, self.mode, self.modes) != self.mode


def entry_choice(request: HttpRequest, look: BoardSelection, league: League) -> EntryChoice:
    """The mode and shape that a form was sent in, that one of its buttons or an address names."""
    modes = tuple(league.modes.all())
    sent = request.POST
    named = sent.get("to_mode") or sent.get("mode") or request.GET.get("mode", "")
    usual = look.board.mode if look.board else modes[0]
    mode = next((one for one in modes if one.slug == named), usual)
    other = shape_called(sent.get("to_shape", ""))
    if other is not None:
        mode = _mode_for(other, mode, modes)
    expected = entry_shapes(mode)
    shape = other or usual_shape(expected)
    is_other = "to_mode" in sent or other is not None
    if not is_other:
        shape = shape_called(sent.get("shape") or request.GET.get("shape", "")) or (
            EntryShape.PAIR if request.method == "POST" else shape
        )
    return EntryChoice(mode, shape, expected, modes, is_other)


def _mode_for(shape: EntryShape, chosen: Mode, modes: Sequence[Mode]) -> Mode:
    """The mode in which a result of a shape is entered: another one if only that is for it."""
    fitting = [mode for mode in modes if mode.shape is shape]
    is_other = chosen.shape not in (None, shape) and len(fitting) == 1
    return fitting[0] if is_other else chosen
