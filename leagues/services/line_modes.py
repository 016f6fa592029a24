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


@dataclass(frozen=True, slots=True)
class HeadingGroup:
    """The headings of one name that can mean several modes; `chosen` is what somebody has said."""

    name: str
    numbers: tuple[int, ...]
    fitting: tuple[Mode, ...]
    chosen: Mode | None


class LineModes:
    """The modes of the lines of a sheet, by what was chosen for the lines of each shape.

    A line below a heading is of the mode that this names, if that is for its shape. Other modes
    are read once a line does not fit.
    """

    def __init__(self, mode: Mode, chosen: Mapping[str, str]) -> None:
        self.mode, self.chosen = mode, chosen
        self._others: list[Mode] | None = None
        self._fitting: dict[EntryShape, tuple[Mode, ...]] = {}

    def is_asked(self, shape: EntryShape, named: Mode | None = None) -> bool:
        """Whether the mode of the sheet, or one `named` above, is not for a shape."""
        return (named or self.mode).shape not in (None, shape)

    def chosen_for(self, shape: EntryShape) -> Mode | None:
        """The mode for lines of a shape that the sheet is not for: as said, or the only one."""
        fitting = self._fitting_for(shape)
        slug = self.chosen.get(shape, "")
        said = next((one for one in (*fitting, self.mode) if one.slug == slug), None)
        is_plain = len(fitting) == 1 and fitting[0].shape is shape
        return fitting[0] if said is None and is_plain else said

    def mode_of(self, sides: Iterable[Sequence[str]], named: Mode | None = None) -> Mode:
        """The mode of a line with these sides, below a heading that has `named` one if any.

        That of the sheet while nobody has said.
        """
        shape = shape_of([len(side) for side in sides])
        if named is not None and not self.is_asked(shape, named):
            return named
        return (self.chosen_for(shape) if self.is_asked(shape) else None) or self.mode

    def kind_names(self, named: Iterable[Mode] = ()) -> list[str]:
        """The kinds of match that lines can name: of the modes of the sheet, chosen and named."""
        others = (self.chosen_for(shape) for shape in EntryShape if self.is_asked(shape))
        modes = dict.fromkeys([self.mode, *filter(None, others), *named])
        return list(dict.fromkeys(kind.name for mode in modes for kind in mode.weights))

    def groups(
        self, lines: Iterable[tuple[int, Iterable[Sequence[str]], Mode | None]]
    ) -> list[LineGroup]:
        """The lines that neither the sheet's mode nor the one named above is for, by their shapes.

        Of their numbers, sides and the modes named.
        """
        numbers: dict[EntryShape, list[int]] = {}
        for number, sides, named in lines:
            shape = shape_of([len(side) for side in sides])
            is_named = named is not None and not self.is_asked(shape, named)
            if not is_named and self.is_asked(shape):
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
