"""Started matches in words: what leaving one costs while it is open, and what it did cost."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from leagues import bridge, wording
from leagues.bridge import LeavingLoss
from leagues.domain.civil_days import day_of
from leagues.models import Board, League, Match, Participant
from leagues.models.match import STARTED_KINDS
from leagues.pages.boards import link_of_player
from leagues.pages.entry_stakes import again_address
from leagues.pages.handicaps import handicap_words
from leagues.pages.matches import finding, match_address, sides_of
from leagues.pages.pending_losses import loss_words
from leagues.selectors.matches import people_of
from leagues.selectors.started_matches import open_matches_on, result_of


@dataclass(frozen=True, slots=True)
class OpenMatchLine:
    """An open match of one player: against whom, what leaving costs, and until when."""

    url: str
    opponents: str
    change: str
    """Empty where the board has no such loss, or the player was let go."""
    until: str
    """A time element."""


@dataclass(frozen=True, slots=True)
class LossRow:
    """What leaving a match costs one player, or did cost."""

    name: str
    url: str
    board: str
    before: str
    after: str
    change: str
    opponent: str
    """The opponent's rating at the start, where the system has ratings."""
    handicap: str
    """How much of that is the handicap of the match; empty where nothing is."""


@dataclass(frozen=True, slots=True)
class StartedAccount:
    """A match without a result, on all its boards."""

    is_open: bool
    is_lost: bool
    started: str
    """A time element."""
    until: str
    losses: tuple[LossRow, ...]
    handicap_note: str
    """Which handicap the ratings of the opponents include; empty where none does."""
    unharmed: str
    """Who loses nothing: who was let go, and who stayed when others left."""
    result_url: str
    """The match that has its result."""
    entry_url: str
    """The form in which its result is entered, with its players and its day."""
    refusals: tuple[str, ...]
    """Boards that have no such loss, each with the reason."""
    is_waiting: bool


def open_lines(board: Board, player_id: int, now: datetime) -> tuple[OpenMatchLine, ...]:
    """The open matches of a player."""
    matches = open_matches_on(board, player=player_id)
    losses = {
        loss.match_id: loss
        for loss in bridge.open_losses(board, matches, now)
        if loss.player_id == player_id
    }
    lines = []
    for match in matches:
        own = next(row for row in people_of(match) if row.player_id == player_id)
        others = [side.names for side in sides_of(match, None) if side.number != own.side]
        loss = losses.get(match.pk)
        lines.append(
            OpenMatchLine(
                url=match_address(match, board.league, board.season),
                opponents=wording.listing(others),
                change=loss_words(board, loss) if loss else "",
                until=_moment(match.deadline_at or match.played_at, match),
            )
        )
    return tuple(lines)


def started_account(boards: Sequence[Board], match: Match, now: datetime) -> StartedAccount | None:
    """What a match without a result does on its boards; None for all others, and a void one."""
    if match.kind not in STARTED_KINDS or match.status != Match.Status.LIVE:
        return None
    rows = people_of(match)
    losses, refusals, is_waiting = [], [], False
    for board in boards if match.kind != Match.Kind.ENDED else ():
        refusal = bridge.forfeit_refusal(board) or bridge.refusal_of(board, match)
        if refusal:
            words = {"board": board.name, "reason": refusal}
            refusals.append(_("Not on the board %(board)s: %(reason)s.") % words)
            continue
        found = _losses_on(board, match, now)
        by_player = {loss.player_id: loss for loss in found}
        losses += [
            _loss_row(board, match, row, by_player[row.player_id])
            for row in rows
            if row.player_id in by_player
        ]
        is_waiting |= (match.touched_in_revision or 0) > board.rated_through_revision
    leaving = Participant.Leaving
    unharmed = [
        row.player.name for row in rows if row.leaving in (leaving.RELEASED, leaving.STAYED)
    ]
    handicap_note = ""
    if any(loss.handicap for loss in losses):
        given = handicap_words((side.names, side.handicap) for side in sides_of(match, None))
        note = _("“Opponent at the start” includes the handicap, in rating points: %(given)s.")
        handicap_note = note % {"given": given}
    result = result_of(match, now)
    is_open, is_lost = match.kind == Match.Kind.STARTED, match.kind == Match.Kind.LEFT
    return StartedAccount(
        is_open=is_open,
        is_lost=is_lost,
        started=_moment(match.started_at or match.played_at, match),
        until=_moment(match.deadline_at or match.played_at, match) if is_open else "",
        losses=tuple(losses),
        handicap_note=handicap_note,
        unharmed=wording.listing(unharmed) if unharmed else "",
        result_url=match_address(result, match.league, match.season) if result else "",
        entry_url=_entry_address(match) if is_open or is_lost else "",
        refusals=tuple(refusals),
        is_waiting=is_lost and is_waiting,
    )


def _entry_address(match: Match) -> str:
    """The address of a form with the players and the day of a started match."""
    on = day_of(match.started_at or match.played_at, match.league.zone)
    return f"{again_address(match, sides_of(match, None))}&on={on.isoformat()}"


def ending_note(match: Match, league: League) -> str:
    """Which started match a result ends, and since when that is open; empty where it has ended."""
    if match.kind == Match.Kind.ENDED or match.started_at is None:
        return ""
    words = _("This is the result of match %(number)d, %(match)s, which started on %(at)s.")
    shown = {
        "number": match.seq,
        "match": finding(sides_of(match, None)),
        "at": wording.moment(match.started_at, league.zone),
    }
    return words % shown


@dataclass(frozen=True, slots=True)
class StartNote:
    """What starting another match costs those who have an open one, by its number."""

    number: int
    words: str


def start_notes(board: Board, players: Collection[int]) -> tuple[StartNote, ...]:
    """A note for each open match of some players."""
    notes = []
    words = _("%(match)s is still open. Starting this match counts it as lost by %(names)s.")
    for match in open_matches_on(board):
        leavers = [
            row.player.name
            for row in people_of(match)
            if row.player_id in players and row.leaving is None
        ]
        if leavers and match.seq is not None:
            names = {"match": finding(sides_of(match, None)), "names": wording.listing(leavers)}
            notes.append(StartNote(match.seq, words % names))
    return tuple(notes)


def _losses_on(board: Board, match: Match, now: datetime) -> Sequence[LeavingLoss]:
    """What leaving costs now, or did cost; nothing where the season is over."""
    if match.kind == Match.Kind.STARTED and not match.season.takes_late_results:
        return ()
    if match.kind == Match.Kind.STARTED:
        return bridge.open_losses(board, [match], now)
    return bridge.stored_losses(board, match)


def _loss_row(board: Board, match: Match, row: Participant, loss: LeavingLoss) -> LossRow:
    opponent = bridge.opponent_at_start(board, match, row.player_id)
    level = bridge.opponent_at_start(board, match, row.player_id, with_handicap=False)
    handicap = ""
    if opponent and level and opponent.value != level.value:
        handicap = wording.change(level.value, opponent.value, opponent.decimals)
    return LossRow(
        name=row.player.name,
        url=link_of_player(board, row.player),
        board=board.name,
        before=wording.number(loss.before.value, loss.before.decimals),
        after=wording.number(loss.after.value, loss.after.decimals),
        change=loss_words(board, loss),
        opponent="" if opponent is None else wording.number(opponent.value, opponent.decimals),
        handicap=handicap,
    )


def _moment(at: datetime, match: Match) -> str:
    return wording.moment_element(at, match.league.zone, is_long=True)
