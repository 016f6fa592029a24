"""In what each line of a night sheet is recorded: what the sheet is for, or what fits its sides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from leagues.domain.who_plays import EntryShape, shape_of
from leagues.models import Mode
from leagues.services.mode_fit import fitting_of, other_modes


@dataclass(frozen=True, slots=True)
class LineGroup:
    """The lines of one shape that the mode of their sheet is not for.

    They are recorded in `chosen`, one of the `fitting` modes or that of the sheet; None where
    nobody has said yet, and not exactly one mode of the league is for them.
    """

    shape: EntryShape
    numbers: tuple[int, ...]
    fitting: tuple[Mode, ...]
    chosen: Mode | None


class LineModes:
    """The modes of the lines of a sheet, by what was chosen for the lines of each shape.

    Other modes are read once a line does not fit that of the sheet.
    """

    def __init__(self, mode: Mode, chosen: Mapping[str, str]) -> None:
        self.mode, self.chosen = mode, chosen
        self._others: list[Mode] | None = None
        self._fitting: dict[EntryShape, tuple[Mode, ...]] = {}

    def is_asked(self, shape: EntryShape) -> bool:
        """Whether the mode of the sheet is not for results of a shape."""
        return self.mode.shape not in (None, shape)

    def chosen_for(self, shape: EntryShape) -> Mode | None:
        """The mode for lines of a shape that the sheet is not for: as said, or the only one."""
        fitting = self._fitting_for(shape)
        slug = self.chosen.get(shape, "")
        said = next((one for one in (*fitting, self.mode) if one.slug == slug), None)
        is_plain = len(fitting) == 1 and fitting[0].shape is shape
        return fitting[0] if said is None and is_plain else said

    def mode_of(self, sides: Iterable[Sequence[str]]) -> Mode:
        """The mode of a line with these sides; that of the sheet while nobody has said."""
        shape = shape_of([len(side) for side in sides])
        return (self.chosen_for(shape) if self.is_asked(shape) else None) or self.mode

    def kind_names(self) -> list[str]:
        """The kinds of match that lines can name: of the sheet's mode and of those chosen."""
        others = (self.chosen_for(shape) for shape in EntryShape if self.is_asked(shape))
        modes = dict.fromkeys([self.mode, *filter(None, others)])
        return list(dict.fromkeys(kind.name for mode in modes for kind in mode.weights))

    def groups(self, lines: Iterable[tuple[int, Iterable[Sequence[str]]]]) -> list[LineGroup]:
        """The lines that the sheet's mode is not for, by their shapes; of numbers and sides."""
        numbers: dict[EntryShape, list[int]] = {}
        for number, sides in lines:
            shape = shape_of([len(side) for side in sides])
            if self.is_asked(shape):
                numbers.setdefault(shape, []).append(number)
        return [
            LineGroup(shape, tuple(of_shape), self._fitting_for(shape), self.chosen_for(shape))
            for shape, of_shape in sorted(numbers.items())
        ]

    def _fitting_for(self, shape: EntryShape) -> tuple[Mode, ...]:
        if shape not in self._fitting:
            if self._others is None:
                self._others = other_modes(self.mode)
            self._fitting[shape] = fitting_of(self._others, shape)
        return self._fitting[shape]
