"""What the other outcomes of a match would have given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from leagues import bridge, wording
from leagues.bridge import RatedMatch, RatingChange
from leagues.pages.seats import format_change

MOST_COLUMNS = 4
"""So many players' changes stand beside each outcome that could have been."""


@dataclass(frozen=True, slots=True)
class OutcomeRow:
    """One way a match could have ended, and what it would have given."""

    label: str
    changes: tuple[str, ...]
    is_real: bool


@dataclass(frozen=True, slots=True)
class Outcomes:
    """What the other outcomes would have given, to each of a few players."""

    names: tuple[str, ...]
    rows: tuple[OutcomeRow, ...]
    note: str


def other_outcomes(
    rated: RatedMatch,
    own: RatingChange,
    ordered: Sequence[RatingChange],
    names: Mapping[int, str],
) -> Outcomes | None:
    """The effects of every outcome on the chosen player, and on the others of few."""
    alternatives = bridge.alternatives_of(rated, rated.numbers.index(own.side))
    if not alternatives:
        return None
    columns = [own, *(row for row in ordered if row.player_id != own.player_id)]
    columns = columns if len(columns) <= MOST_COLUMNS else [own]
    is_pair = len(rated.numbers) == 2
    rows = tuple(
        OutcomeRow(
            label=_outcome_label(one, rated, own, names, is_pair=is_pair),
            changes=tuple(
                format_change(
                    rated.board,
                    row.before.value,
                    one.after[row.player_id],
                    row.after.decimals,
                )
                for row in columns
            ),
            is_real=one.is_real,
        )
        for one in alternatives
    )
    notes = []
    if getattr(rated.system, "uses_scores", False):
        notes.append(_("Outcomes that did not happen are computed without a score."))
    if not is_pair:
        notes.append(_("The others keep the order in which they finished."))
    return Outcomes(tuple(names[row.player_id] for row in columns), rows, " ".join(notes))


def _outcome_label(
    one: bridge.Alternative,
    rated: RatedMatch,
    own: RatingChange,
    names: Mapping[int, str],
    *,
    is_pair: bool,
) -> str:
    if not is_pair:
        return wording.place(one.place + 1, is_shared=one.is_shared)
    if one.is_shared:
        return _("A draw")
    members = [mover for mover in rated.movers if mover.row.side == own.side]
    name = names[own.player_id]
    if len(members) > 1 and any(
        names[mover.row.player_id] != mover.row.player.name for mover in members
    ):
        return _("Your side won") if one.place == 0 else _("Your side lost")
    if len(members) > 1:
        return _("Their side won") if one.place == 0 else _("Their side lost")
    if name != members[0].row.player.name:
        return _("You won") if one.place == 0 else _("You lost")
    words = _("%(name)s won") if one.place == 0 else _("%(name)s lost")
    return words % {"name": name}
