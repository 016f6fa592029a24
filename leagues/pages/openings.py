"""What the players of a board begin with together, in words and as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import wording
from leagues.bridge.openings import OpeningValue, has_rungs, random_spread
from leagues.domain.openings import RandomStart, has_opening, random_start
from leagues.models import Board, Player, Season
from leagues.pages.ratings import shown_as
from leagues.selectors.boards import boards_of
from leagues.selectors.openings import named_values, opening_value, session_name
from leagues.services.openings import OpeningPreview, offers_opening

MAX_NAMED: Final = 10
"""Players whom the rules page names."""
MAX_ROWS: Final = 500
"""Players whom a preview names."""


@dataclass(frozen=True, slots=True)
class OpeningRow:
    name: str
    change: str
    value: str


@dataclass(frozen=True, slots=True)
class OpeningTable:
    """Who gets what; `rest` says how many players are not named, where some are not.

    On a ladder nothing is drawn, and `left_out` names who of a session is not placed.
    """

    caption: str
    is_drawn: bool
    shown_as: str
    rows: tuple[OpeningRow, ...]
    rest: str
    left_out: str


@dataclass(frozen=True, slots=True)
class OpeningLink:
    label: str
    board: str
    url: str


def opening_table(board: Board, preview: OpeningPreview) -> OpeningTable:
    """What each player would begin with, in the order in which it is drawn or given."""
    rows = tuple(
        OpeningRow(player.name, _change(drawn), wording.number(drawn.value, drawn.decimals))
        for player, drawn in preview.rows[:MAX_ROWS]
    )
    return OpeningTable(
        caption=wording.players(len(preview.rows)),
        is_drawn=not has_rungs(board),
        shown_as=shown_as(board),
        rows=rows,
        rest=wording.more_players(len(preview.rows) - len(rows)),
        left_out=_left_out(preview.left_out),
    )


def _left_out(players: Sequence[Player]) -> str:
    if not players:
        return ""
    words = _("Not placed, as they do not play in the league now: %(players)s.")
    return words % {"players": wording.listing(player.name for player in players)}


def opening_title(board: Board) -> str:
    """What the players of a board can begin with together."""
    return _("Rungs from a game session") if has_rungs(board) else _("Random start")


def opening_address(board: Board) -> str:
    """The page where an organizer chooses what the players of a board begin with, or undoes it."""
    words = [board.season.league.slug, board.season.slug, board.slug]
    return reverse("leagues:settings_board_opening", args=words)


def opening_link(board: Board) -> OpeningLink | None:
    """Where to choose, or to undo, what the players of a board begin with; None: nowhere."""
    if not offers_opening(board):
        return None
    return OpeningLink(opening_title(board), board.name, opening_address(board))


def opening_links(season: Season) -> tuple[OpeningLink, ...]:
    """The same of all boards of a season that have one."""
    links = (opening_link(board) for board in boards_of(season))
    return tuple(link for link in links if link is not None)


def random_start_lines(board: Board) -> tuple[str, ...]:
    """What drawing the ratings of a board will do."""
    return (
        _(
            "All players of the league draw a starting rating: in order of their id, the one of "
            "each two gets as much as the other one loses, at most %(spread)s on the internal "
            "scale. One left over gets 0, so that the mean stays."
        )
        % {"spread": f"{random_spread(board):g}"},
        _("Players added later begin at the mean. Anchors and players who left are not drawn."),
        _("The seed says who gets what: the same seed gives the same players the same."),
        _("You can undo this until the first match."),
    )


def session_lines() -> tuple[str, ...]:
    """What taking the order of a game session will do."""
    return (
        _("The players of the session begin on the rungs of the ladder in its final order."),
        _("Everyone else joins below them, as ever."),
        _("You can undo this until the first match."),
    )


def opening_lines(board: Board) -> tuple[str, ...]:
    """What the players of a board begin with, and what undoing it will do."""
    return (
        opening_origin(board),
        _("If you undo this, everyone joins at the bottom. All players stay.")
        if has_rungs(board)
        else _("If you undo this, everyone begins at the mean. All players stay."),
    )


def opening_origin(board: Board) -> str:
    """Where the starting ratings of a board come from, where they were drawn or chosen."""
    if not has_opening(board):
        return ""
    start = random_start(board)
    if start is None:
        return _("The order of a game session: %(session)s.") % {"session": session_name(board)}
    words = _("Drawn at random: at most %(spread)s above or below the mean, by seed %(seed)d.")
    return words % {"spread": f"{start.spread:g}", "seed": start.seed}


def opening_sentence(board: Board, player: Player) -> str:
    """What was drawn or chosen for a player on a board; empty where nothing was."""
    value = opening_value(board, player)
    if value is None:
        return ""
    start = random_start(board)
    if start is not None:
        words = _("Drawn at the start: %(change)s (seed %(seed)d).")
        return words % {"change": _change(value), "seed": start.seed}
    words = _("Began on rung %(rung)d, by the order of a game session (%(session)s).")
    return words % {"rung": value.rating, "session": session_name(board)}


def stored_start(board: Board, player: Player) -> dict[str, Any] | None:
    """What was drawn or chosen for a player, as the API says it; None where nothing was."""
    value = opening_value(board, player)
    if value is None:
        return None
    start = random_start(board)
    source = _("game session: %(session)s") % {"session": session_name(board)}
    return {
        "rating": value.rating,
        "deviation": None,
        "source": _("drawn at random at the start") if start else source,
        "is_anchor": False,
        "seed": start.seed if start else None,
    }


def opening_sentences(board: Board) -> tuple[str, ...]:
    """What players of a board began with together, for its rules."""
    named, count = named_values(board, most=MAX_NAMED)
    if not count:
        return ()
    start = random_start(board)
    if start is None:
        sentence = _rungs_sentence(board, count)
        rows = tuple(_("%(player)s: rung %(rung)d.") % _rung(*row) for row in named)
    else:
        sentence = _drawn_sentence(start, count)
        rows = tuple(_("%(player)s, drawn at the start: %(change)s.") % _lot(*row) for row in named)
    return (sentence,) if count > MAX_NAMED else (sentence, *rows)


def _drawn_sentence(start: RandomStart, count: int) -> str:
    words = ngettext(
        "%(count)s player, registered before the first match, began with a rating drawn at random: "
        "at most %(spread)s above or below the mean on the internal scale (seed %(seed)d). Players "
        "added later begin at the mean.",
        "%(count)s players, registered before the first match, began with ratings drawn at random: "
        "at most %(spread)s above or below the mean on the internal scale (seed %(seed)d). Players "
        "added later begin at the mean.",
        count,
    )
    return words % {
        "count": wording.count(count),
        "spread": f"{start.spread:g}",
        "seed": start.seed,
    }


def _rungs_sentence(board: Board, count: int) -> str:
    words = ngettext(
        "%(count)s player began on a rung by the order of a game session (%(session)s). Everyone "
        "else joins below.",
        "%(count)s players began on their rungs by the order of a game session (%(session)s). "
        "Everyone else joins below.",
        count,
    )
    return words % {"count": wording.count(count), "session": session_name(board)}


def _lot(player: Player, value: OpeningValue) -> dict[str, str]:
    return {"player": player.name, "change": _change(value)}


def _rung(player: Player, value: OpeningValue) -> dict[str, object]:
    return {"player": player.name, "rung": int(value.rating)}


def _change(drawn: OpeningValue) -> str:
    """How far above or below the mean a player begins, as the difference of what is shown."""
    return wording.change(drawn.mean, drawn.value, drawn.decimals)
