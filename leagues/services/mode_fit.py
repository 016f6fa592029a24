"""Whether results have the sides that their mode is for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues.domain.who_plays import EntryShape, shape_of
from leagues.models import Mode
from leagues.services.drafts import MatchDraft


@dataclass(frozen=True, slots=True)
class WrongMode:
    """A mode that is not for a result of some shape, and the other modes of the league that are."""

    mode: Mode
    shape: EntryShape
    fitting: tuple[Mode, ...]
    reason: str


class ModeFit:
    """The results of one mode, each with whether the mode is for it.

    The other modes are read once a result does not fit, so that usual ones cost nothing.
    """

    def __init__(self, mode: Mode) -> None:
        self.mode, self.shape = mode, mode.shape
        self._fitting: dict[EntryShape, tuple[Mode, ...]] = {}

    def is_wrong(self, draft: MatchDraft) -> bool:
        """Whether a result has other sides than the mode is for."""
        return self.shape is not None and shape_of(_sizes(draft)) is not self.shape

    def why_uneven(self, draft: MatchDraft) -> str:
        """That one of two teams has more players, in a sentence: a name may be missing."""
        if self.shape is not EntryShape.TEAMS or self.is_wrong(draft):
            return ""
        sizes = _sizes(draft)
        return _sides(sizes) if max(sizes) > min(sizes) else ""

    def wrong_mode(self, draft: MatchDraft) -> WrongMode | None:
        """Why a result may belong to another mode; None where it fits."""
        if self.shape is None or not self.is_wrong(draft):
            return None
        sizes = _sizes(draft)
        shape = shape_of(sizes)
        if shape not in self._fitting:
            self._fitting[shape] = fitting_modes(self.mode, shape)
        fitting = self._fitting[shape]
        sentences = [describe_purpose(self.mode, self.shape), _sides(sizes)]
        if len(fitting) == 1:
            sentences.append(_("It fits “%(mode)s”.") % {"mode": fitting[0].name})
        return WrongMode(self.mode, shape, fitting, " ".join(sentences))


def have_same_sides(one: MatchDraft, other: MatchDraft) -> bool:
    """Whether as many play on each side of two results."""
    return sorted(_sizes(one)) == sorted(_sizes(other))


def _sizes(draft: MatchDraft) -> list[int]:
    return [len(side.members) for side in draft.sides]


def fitting_modes(mode: Mode, shape: EntryShape) -> tuple[Mode, ...]:
    """The other modes that are for results of a shape; where none is, those for anyone."""
    return fitting_of(other_modes(mode), shape)


def other_modes(mode: Mode) -> list[Mode]:
    """The other modes of a mode's league."""
    return list(Mode.objects.filter(league=mode.league_id).exclude(pk=mode.pk))


def fitting_of(others: Sequence[Mode], shape: EntryShape) -> tuple[Mode, ...]:
    """Those of some modes that are for results of a shape; where none is, those for anyone."""
    fitting = [one for one in others if one.shape is shape]
    return tuple(fitting or [one for one in others if one.shape is None])


def describe_purpose(mode: Mode, shape: EntryShape) -> str:
    """Who plays in a mode that is for results of a shape, in a sentence."""
    words = {"mode": mode.name}
    match shape:
        case EntryShape.PAIR:
            return _("“%(mode)s” is for one player against one.") % words
        case EntryShape.TEAMS:
            return _("“%(mode)s” is for two teams.") % words
        case EntryShape.LIST:
            return _("“%(mode)s” is for three or more players or teams.") % words


def _sides(sizes: list[int]) -> str:
    """How many play, in a sentence."""
    if len(sizes) > 2:
        return _("This result has %(count)d sides.") % {"count": len(sizes)}
    most, least = max(sizes), min(sizes)
    if most > least:
        words = _("This result has %(most)d players against %(least)d.")
        return words % {"most": most, "least": least}
    words = ngettext(
        "This result has one player a side.", "This result has %(count)d players a side.", most
    )
    return words % {"count": most}
