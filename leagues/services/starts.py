"""The rating with which a player begins on a board, given by an organizer with its source.

It is stored as what is carried over from a former season is, in its place: replays, checks and
backups know it as that. Removed, what was carried over comes back, or the player begins as every
newcomer. The board is then rated again from its first match, as saved or undone.

On a zero-sum board whose rules have anchors it makes the player one: the rating stays as it was
given. That is marked in the state, and needs no other fact.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from leagues import bridge, wording
from leagues.models import AuditEntry, Board, Player, Season, StartingState
from leagues.models.board import SHOWN_LIMIT
from leagues.services.audit import append_all
from leagues.services.errors import Problem, Refused, changed_problem, refuse
from leagues.services.leagues import restart_board
from leagues.services.merged_players import merged_problem
from leagues.services.preview_jobs import PreviewState, request_preview
from leagues.services.revisions import lock_season
from leagues.services.texts import clean_text
from leagues.services.tried_changes import TriedChange
from leagues.store.match_columns import read_facts

STARTED: Final = "player.start"
SOURCE_LENGTH: Final = StartingState._meta.get_field("source").max_length or 0


@dataclass(frozen=True, slots=True)
class Start:
    """A rating as it was given; without a deviation, a newcomer's counts."""

    rating: float
    deviation: float | None
    source: str


def start_of(board: Board, player: Player) -> Start | None:
    """The start that was given to a player on a board."""
    row = _row(board, player)
    return None if row is None else given_start(row)


def given_start(row: StartingState) -> Start | None:
    """What was given, of a row; None where it was carried over."""
    return None if row.rating is None else Start(row.rating, row.deviation, row.source)


def can_change_starts(season: Season) -> bool:
    """Whether players of a season can be given other starts: until it is closed."""
    return season.state == Season.State.DRAFT or season.takes_late_results


@transaction.atomic
def set_start(
    *,
    board: Board,
    player: Player,
    start: Start | None,
    actor: User | None,
    was: Start | None,
    mark: str = "",
) -> bool:
    """Let a player begin on a board with a start, or (None) without one; whether that is new.

    `was` is what the actor saw, `mark` names the revision it came with, if any. Raises Refused.
    Holds the season, as all that writes facts does.
    """
    entry = change_start(board=board, player=player, start=start, actor=actor, was=was, mark=mark)
    if entry is not None:
        append_all(board.league, [entry])
    return entry is not None


def change_start(
    *,
    board: Board,
    player: Player,
    start: Start | None,
    actor: User | None,
    was: Start | None,
    mark: str = "",
) -> AuditEntry | None:
    """Do what `set_start` does but for the entry of the log, which is yet to be appended.

    Called in a transaction, which appends it last. None: nothing changes.
    """
    board = _hold(board)
    player.refresh_from_db(fields=["merged_into", "is_listed"])
    if player.merged_into_id is not None:
        refuse([merged_problem(player)])
    stored = _row(board, player)
    before = None if stored is None else given_start(stored)
    if before == start:
        return None
    wish = check_start(board, start)
    if before == wish:
        return None
    if before != was:
        now = "" if before is None else f"{wording.exact(before.rating)} ({before.source})"
        refuse([changed_problem("rating", now)])
    _write(board, player, stored, wish)
    restart_board(board)
    return AuditEntry(
        league=board.league,
        actor=actor if actor is not None and actor.pk else None,
        action=STARTED,
        subject=player.key,
        season=board.season,
        player=player,
        before=start_entry(board, before),
        after=start_entry(board, wish) | ({"revision": mark} if mark else {}),
    )


def preview_start(
    *, board: Board, player: Player, start: Start | None, actor: User | None, was: Start | None
) -> PreviewState | None:
    """What `set_start` would do to the board; None: nothing. Raises what it raises."""
    with transaction.atomic():
        based_on = lock_season(board.season_id).last_revision
        is_new = set_start(board=board, player=player, start=start, actor=actor, was=was)
        row = _row(board, player)
        # While the season is locked, so that no other's commit counts as a part of this change.
        facts = read_facts(board, after_revision=based_on)
        transaction.set_rollback(True)
    if not is_new:
        return None
    tried = TriedChange(
        season_id=board.season_id,
        based_on=based_on,
        seqs=(),
        facts={board.mode_id: facts},
        newcomers={},
        starts={board.pk: {player.pk: bytes(row.state) if row else b""}},
    )
    return request_preview(tried, season=board.season, actor=actor)


def keep_given(board: Board, rows: list[StartingState]) -> None:
    """Give again what was given on a board, after its carry-over was written anew.

    Called in the transaction that did that, with the rows as they were. Raises Refused for one
    that the board's present rules cannot hold.
    """
    there = {row.player_id: row for row in StartingState.objects.filter(board=board)}
    for row in rows:
        start = given_start(row)
        _check_kept(board, row.player, start)
        _write(board, row.player, there.get(row.player_id), start)


def _check_kept(board: Board, player: Player, start: Start | None) -> None:
    """Refuse to carry over to a board that cannot hold a start by its present rules."""
    try:
        check_start(board, start)
    except Refused as refused:
        words = _(
            "The starting rating of “%(player)s” on “%(board)s” does not fit the current "
            "rules: %(reason)s Change or remove it first."
        )
        values = {"player": player.name, "board": board.name, "reason": str(refused)}
        refuse([Problem("carryover", "given_start", words % values)])


def anchors_of(board: Board) -> dict[int, Start]:
    """The anchors of a board with the ratings they keep, by player."""
    if not bridge.has_anchors(board):
        return {}
    rows = StartingState.objects.from_elsewhere().filter(board=board)
    return {row.player_id: start for row in rows if (start := given_start(row))}


def can_show(board: Board, anchor: Start) -> bool:
    """Whether what an anchor keeps is a number that the board can show, by its newest rules."""
    return abs(bridge.given_rating_shown(board, anchor.rating)) <= SHOWN_LIMIT


def mark_anchors(board: Board, anchors: Mapping[int, Start]) -> None:
    """Make players anchors of a board who are none there yet: what a season takes over.

    Called in the transaction that carries over, which holds the season.
    """
    there = {row.player_id: row for row in StartingState.objects.filter(board=board)}
    for player in Player.objects.filter(pk__in=anchors).order_by("key"):
        stored = there.get(player.pk)
        if stored is None or given_start(stored) is None:
            _check_kept(board, player, anchors[player.pk])
            _write(board, player, stored, anchors[player.pk])


def prepare_for_anchors(board: Board) -> None:
    """Let starting states have the column that marks anchors, where new rules have some.

    Called in the transaction that changed the rules, which holds the season.
    """
    if not bridge.are_starts_unmarked(board):
        return
    rows = list(StartingState.objects.filter(board=board).order_by("pk"))
    parameters, states = bridge.add_anchor_column(board, [bytes(row.state) for row in rows])
    for row, state in zip(rows, states, strict=True):
        row.state = state
    StartingState.objects.bulk_update(rows, ["state"], batch_size=500)
    Board.objects.filter(pk=board.pk).update(start_parameters=parameters)


def start_entry(board: Board, start: Start | None) -> dict[str, Any]:
    """A start as the log keeps it; the source is text that no digest covers."""
    if start is None:
        return {"board": board.slug}
    return {
        "board": board.slug,
        "start_rating": start.rating,
        **({} if start.deviation is None else {"start_deviation": start.deviation}),
        "start_source": start.source,
    }


def start_from(entry: Mapping[str, Any]) -> Start | None:
    """The start that the log keeps so."""
    rating = entry.get("start_rating")
    if rating is None:
        return None
    return Start(rating, entry.get("start_deviation"), entry.get("start_source", ""))


def _hold(board: Board) -> Board:
    """The board as it is under the lock of its season."""
    season = lock_season(board.season_id)
    held = Board.objects.select_related("league").filter(pk=board.pk).first()
    if held is None:
        raise Refused([Problem("board", "board", _("This board was removed in the meantime."))])
    held.season = season
    if not can_change_starts(season):
        words = _("“%(season)s” is closed, so its starting ratings can’t be changed.")
        raise Refused([Problem("board", "season_closed", words % {"season": season.name})])
    return held


def _row(board: Board, player: Player) -> StartingState | None:
    return StartingState.objects.filter(board=board, player=player).first()


def _write(board: Board, player: Player, stored: StartingState | None, start: Start | None) -> None:
    if start is None:
        _take_back(board, stored)
        return
    if not board.start_parameters:
        # By these the columns of the state are read, whatever rules come later.
        board.start_parameters = board.parameters
        Board.objects.filter(pk=board.pk).update(start_parameters=board.parameters)
    row = stored or StartingState(league_id=board.league_id, board=board, player=player)
    if row.pk and row.rating is None:
        row.carried_state = row.state
    row.state = bridge.pack_start(board, start.rating, start.deviation)
    row.rating, row.deviation, row.source = start.rating, start.deviation, start.source
    row.save()


def _take_back(board: Board, stored: StartingState | None) -> None:
    """Remove a given start; what was carried over, if anything, counts again."""
    if stored is None:
        return
    if stored.carried_state:
        stored.state, stored.carried_state = stored.carried_state, b""
        stored.rating, stored.deviation, stored.source = None, None, ""
        stored.save()
        return
    rows = StartingState.objects.filter(board=board)
    rows.filter(pk=stored.pk).delete()
    if board.season.carryover == Season.Carryover.FRESH and not rows.exists():
        Board.objects.filter(pk=board.pk).update(start_parameters={})


def check_start(board: Board, start: Start | None) -> Start | None:
    """A start that the board can hold, its words cleaned; raises Refused."""
    if start is None:
        return None
    if bridge.start_obstacle(board) is not None:
        words = _("“%(board)s” takes no starting ratings.") % {"board": board.name}
        raise Refused([Problem("rating", "no_starts", words)])
    if bridge.are_starts_unmarked(board):
        words = _(
            "“%(board)s” began with ratings that know no anchors. Turn “Anchors” off and on again "
            "in its rules first."
        )
        raise Refused([Problem("rating", "no_starts", words % {"board": board.name})])
    problems = []
    source = ""
    try:
        source = clean_text(start.source, most=SOURCE_LENGTH)
    except ValidationError as error:
        problems.append(Problem("source", "source", " ".join(error.messages)))
    else:
        if not source:
            problems.append(Problem("source", "source", _source_words(board)))
    try:
        bridge.pack_start(board, start.rating, start.deviation)
    except bridge.StartError as error:
        problems.append(Problem(error.field, error.field, _start_words(error)))
    else:
        if bridge.has_anchors(board) and not can_show(board, start):
            words = _("The rating would be shown as a number over a billion.")
            problems.append(Problem("rating", "rating", words))
    refuse(problems)
    return Start(start.rating, start.deviation, source)


def _source_words(board: Board) -> str:
    if bridge.has_anchors(board):
        return _("Give the reason why the player is an anchor, such as “bot of the server”.")
    return _("Say where the rating comes from, such as “FIDE list November 2026”.")


def _start_words(error: bridge.StartError) -> str:
    words = {
        bridge.StartError.RATING: _("The rating %(reason)s."),
        bridge.StartError.DEVIATION: _("The uncertainty %(reason)s."),
    }
    return words[error.field] % {"reason": error}
