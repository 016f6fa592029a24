"""The ratings with which players begin, given by organizers, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from leagues import bridge, wording
from leagues.bridge import NewcomerStart, StartObstacle
from leagues.models import Board, Player
from leagues.pages.boards import board_address
from leagues.pages.openings import opening_sentence, opening_sentences
from leagues.rulebook.rules_text import half
from leagues.selectors.starts import given_starts, starts_of
from leagues.services.starts import Start

MAX_NAMED = 10
"""Players with a given start whom the rules page names."""

_OBSTACLES: Final = {
    StartObstacle.PLACE: gettext_lazy("players hold places on this board, which no rating gives"),
    StartObstacle.FIT: gettext_lazy(
        "this board rates all results at once, so no one begins with anything"
    ),
    StartObstacle.SHARED: gettext_lazy(
        "players take their points from each other here, so no one can bring some along"
    ),
    StartObstacle.UNANCHORED: gettext_lazy(
        "players take their points from each other here; turn on “Anchors” in the rules to give a "
        "player a rating that stays"
    ),
    StartObstacle.EARNED: gettext_lazy("what this board shows is earned match by match"),
}


@dataclass(frozen=True, slots=True)
class StartBoard:
    """A board on which a player can begin with a given rating, or (`obstacle`) cannot."""

    pk: int
    name: str
    season: str
    url: str
    newcomers: str
    note: str
    deviation_note: str
    has_deviation: bool
    has_anchors: bool
    """Whether who is given a rating there keeps it."""
    state: str
    """What the player is there by the start that was given, where the number does not say it."""
    start: Start | None
    obstacle: str


def start_boards(player: Player, boards: Iterable[Board], carried: set[int]) -> list[StartBoard]:
    """The boards of seasons that are not closed, with what the player begins with."""
    rows = list(boards)
    given = starts_of(player, rows)
    return [_start_board(board, given.get(board.pk), board.pk in carried) for board in rows]


def _start_board(board: Board, start: Start | None, is_carried: bool) -> StartBoard:
    obstacle = bridge.start_obstacle(board)
    newcomer = None if obstacle else bridge.newcomer_start(board)
    return StartBoard(
        pk=board.pk,
        name=board.name,
        season=board.season.name,
        url=board_address(board),
        newcomers=_newcomers(board, newcomer) if newcomer else "",
        note=_("A rating was carried over from the previous season. One given here replaces it.")
        if is_carried
        else "",
        deviation_note=_deviation_note(board, newcomer) if newcomer else "",
        has_deviation=newcomer is not None and newcomer.deviation is not None,
        has_anchors=newcomer is not None and newcomer.is_anchor,
        state=_anchor_state(board, start) if newcomer and newcomer.is_anchor and start else "",
        start=start,
        obstacle=str(_OBSTACLES[obstacle]) if obstacle else "",
    )


def _newcomers(board: Board, newcomer: NewcomerStart) -> str:
    if newcomer.is_anchor:
        return _anchor_note(board, newcomer)
    words = {"rating": wording.exact(newcomer.rating), "shown": wording.number(newcomer.shown, 1)}
    if newcomer.is_shown_as_it_is:
        return _("Newcomers begin at %(rating)s.") % words
    return (
        _(
            "Enter the estimated skill, not the number that the board shows: newcomers have "
            "%(rating)s and are shown with %(shown)s, three times the uncertainty below it."
        )
        % words
    )


def _anchor_note(board: Board, newcomer: NewcomerStart) -> str:
    """On which scale the rating of an anchor is given, where people see another one."""
    if newcomer.is_shown_as_it_is:
        return _("The board begins with a mean of %(rating)s. Empty: no anchor.") % {
            "rating": wording.exact(newcomer.rating)
        }
    return _(
        "On the internal scale: %(rating)s is shown as %(shown)s, and %(more)s as %(more_shown)s. "
        "Empty: no anchor."
    ) % {
        "rating": wording.exact(newcomer.rating),
        "shown": _shown_rating(board, newcomer.rating),
        "more": wording.exact(newcomer.rating + 1.0),
        "more_shown": _shown_rating(board, newcomer.rating + 1.0),
    }


def _anchor_state(board: Board, start: Start) -> str:
    return _("This player is an anchor here, with a rating of %(rating)s that stays.") % {
        "rating": _shown_rating(board, start.rating)
    }


def _shown_rating(board: Board, rating: float) -> str:
    """A given rating of an anchor as the board shows it now."""
    return wording.number(bridge.given_rating_shown(board, rating), bridge.shown_decimals(board))


def _deviation_note(board: Board, newcomer: NewcomerStart) -> str:
    """What can be entered, and as what pages show it: they show ranges, not deviations."""
    if newcomer.deviation is None:
        return ""
    return _(
        "As a standard deviation, from %(least)s to %(most)s. Pages show nearly twice as much: "
        "%(most)s is shown as %(range)s. Empty: that of a newcomer, %(most)s, so that the first "
        "matches correct the rating quickly if it does not fit here."
    ) % {
        "least": _bound(newcomer.least_deviation, ceil),
        "most": _bound(newcomer.deviation, floor),
        "range": half(newcomer.deviation, bridge.shown_decimals(board)),
    }


def start_sentence(board: Board, player: Player) -> str:
    """With what a player began on a board and where it comes from; empty for a newcomer."""
    start = starts_of(player, [board]).get(board.pk)
    if start is None:
        return opening_sentence(board, player)
    if bridge.has_anchors(board):
        return _("An anchor, whose rating stays: %(source)s.") % _figures(start)
    return _("Began at %(rating)s: %(source)s.") % _figures(start)


def starts_sentences(board: Board) -> tuple[str, ...]:
    """Who may begin with another rating than newcomers have, and who does."""
    together = opening_sentences(board)
    if bridge.start_obstacle(board) is not None:
        return together
    given = given_starts(board)
    if bridge.has_anchors(board):
        return together + _anchor_sentences(board, given)
    general = _(
        "Organizers can let a player begin with a rating from elsewhere, and say where it comes "
        "from. Everyone else begins as newcomers do."
    )
    if not given:
        return (general,)
    if len(given) > MAX_NAMED:
        words = ngettext(
            "%(count)s player began with one.", "%(count)s players began with one.", len(given)
        )
        return general, words % {"count": wording.count(len(given))}
    rows = (
        _("%(player)s began at %(rating)s: %(source)s.")
        % {"player": player.name, **_figures(start)}
        for player, start in given
    )
    return general, *rows


def _anchor_sentences(board: Board, given: Sequence[tuple[Player, Start]]) -> tuple[str, ...]:
    """What an anchor is, and who is one."""
    general = _(
        "Organizers can make a player an anchor, such as a bot, with a reason. The rating of an "
        "anchor stays; those of the other players move as usual. Anchors have no part in the mean."
    )
    if len(given) > MAX_NAMED:
        words = ngettext(
            "%(count)s player is an anchor.", "%(count)s players are anchors.", len(given)
        )
        return general, words % {"count": wording.count(len(given))}
    rows = (
        _("%(player)s is an anchor at %(rating)s: %(source)s.")
        % {
            "player": player.name,
            "rating": _shown_rating(board, start.rating),
            "source": start.source,
        }
        for player, start in given
    )
    return general, *rows


def _figures(start: Start) -> dict[str, str]:
    return {"rating": wording.exact(start.rating), "source": start.source}


def _bound(value: float, to_whole: Callable[[float], int]) -> str:
    """A bound in three digits, within it: the steps between are counted up to whole ones, or down.

    Their fractions are cut where binary ones end, so that a bound of three digits stays.
    """
    step = 10.0 ** (floor(log10(value)) - 2)
    return wording.exact(to_whole(round(value / step, 6)) * step)
