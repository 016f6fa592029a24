"""What the players of a board begin with together, written before its first match (S0).

On a zero-sum board the ratings of those registered by then can be drawn: a seed says which, so that
they can be drawn again, and the mean is kept. On a ladder the order of a game session can be that
of its rungs. It is stored as what a carry-over writes is, so that replays, checks and backups know
it as that. Until the first match it can be undone.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from leagues.bridge.openings import (
    Opening,
    OpeningValue,
    draw_ratings,
    has_random_start,
    has_rungs,
    place_on_rungs,
    random_spread,
)
from leagues.domain.openings import has_opening, random_start
from leagues.models import Board, League, Match, MatchEvent, Player, Season, StartingState
from leagues.services.audit import record_audit
from leagues.services.errors import Problem, Refused, refuse
from leagues.services.leagues import restart_board
from leagues.services.merged_players import merged_problem
from leagues.services.revisions import lock_season
from leagues.services.starts import can_change_starts
from leagues.store.hashes import plain_json

DRAWN: Final = "board.random_start"
PLACED: Final = "board.session_rungs"
UNDONE: Final = "board.opening_undone"
MOST_PLAYERS: Final = 5000
"""Players whose start is written at once: the entry of the log names them all."""
MAX_SEED: Final = 2_147_483_647


@dataclass(frozen=True, slots=True)
class OpeningPreview:
    """What each player would begin with; `fingerprint` names all that it rests on.

    `left_out` are players of a session who are none of the league any more.
    """

    rows: tuple[tuple[Player, OpeningValue], ...]
    fingerprint: str
    left_out: tuple[Player, ...] = ()


def preview_random_start(board: Board, seed: int) -> OpeningPreview:
    """The rating that each player would begin with, by their keys; raises Refused."""
    players = _registered(board)
    refuse(list(random_start_problems(board, players)))
    opening = draw_ratings(board, seed, [player.key for player in players])
    return _preview(players, opening)


def preview_session_rungs(board: Board, order: Sequence[Player]) -> OpeningPreview:
    """The rung on which each player of a session would begin, from the top; raises Refused."""
    players = [player for player in order if _plays_here(player)]
    refuse(list(session_rungs_problems(board, players)))
    opening = place_on_rungs(board, [player.key for player in players])
    left_out = tuple(player for player in order if not _plays_here(player))
    return _preview(players, opening, left_out)


@transaction.atomic
def start_randomly(
    *,
    board: Board,
    seed: int,
    actor: User | None,
    seen: str | None = None,
    keys: Sequence[str] | None = None,
) -> int:
    """Let a seed draw the ratings with which players begin; answers how many it are.

    `seen` is the fingerprint of the preview: what has changed since is refused, and what was drawn
    just so does nothing when it is sent again. `keys` names the players where they are not those
    of now. Raises Refused. Holds the season.
    """
    board = _hold(board)
    if written := _written_already(board, seen):
        return written
    players = _registered(board) if keys is None else _named(board.league, sorted(set(keys)))
    refuse(list(random_start_problems(board, players)))
    opening = draw_ratings(board, seed, [player.key for player in players])
    _require_seen(opening, seen)
    numbers = {name: opening.parameters[name] for name in ("seed", "spread", "start")}
    _write(board, players, opening)
    _record(board, DRAWN, actor, {**numbers, "drawn_players": [one.key for one in players]})
    return len(players)


@transaction.atomic
def start_in_order(
    *,
    board: Board,
    keys: Sequence[str],
    session: str,
    actor: User | None,
    seen: str | None = None,
) -> int:
    """Let players begin on the rungs of a ladder in this order; answers how many it are.

    `session` names the game session whose order it is, for the log. `seen` as for `start_randomly`;
    with it, players who are none of the league any more are left out, as the preview has said.
    Raises Refused. Holds the season.
    """
    board = _hold(board)
    if written := _written_already(board, seen):
        return written
    known = _named(board.league, list(dict.fromkeys(keys)))
    # A file says who was placed then, whoever plays now.
    players = known if seen is None else [player for player in known if _plays_here(player)]
    refuse(list(session_rungs_problems(board, players)))
    opening = place_on_rungs(board, [player.key for player in players])
    _require_seen(opening, seen)
    _write(board, players, opening)
    said = {"game_session": session, "players_in_order": [player.key for player in players]}
    _record(board, PLACED, actor, said)
    return len(players)


@transaction.atomic
def undo_opening(*, board: Board, actor: User | None) -> None:
    """Let everyone begin as newcomers after all, but for who was given a rating; raises Refused."""
    board = _hold(board)
    refuse(list(undo_problems(board)))
    before = random_start(board)
    given = StartingState.objects.from_elsewhere().filter(board=board)
    StartingState.objects.filter(board=board, rating__isnull=True).delete()
    given.exclude(carried_state=b"").update(carried_state=b"")
    parameters: dict[str, Any] = {}
    if given.exists():
        # What was given keeps its columns, and they are read as before.
        rest = {name: board.parameters[name] for name in ("start", "spread", "seed")}
        parameters = {**board.start_parameters, **rest}
    Board.objects.filter(pk=board.pk).update(start_board_state=b"", start_parameters=parameters)
    restart_board(board)
    record_audit(
        league=board.league,
        actor=actor,
        action=UNDONE,
        subject=board.name,
        season=board.season,
        before={"board": board.slug, **(asdict(before) if before else {})},
    )


def offers_opening(board: Board) -> bool:
    """Whether there is anything to choose, or to undo, for the players of a board together."""
    is_drawn, is_ladder = has_random_start(board), has_rungs(board)
    if not (is_drawn or is_ladder) or board.season.carryover != Season.Carryover.FRESH:
        return False
    if any(_late_problems(board)):
        return False
    return is_drawn or has_opening(board) or _has_sessions(board.league)


def _has_sessions(league: League) -> bool:
    return MatchEvent.objects.filter(match__league=league).exists()


def opening_problems(board: Board) -> Iterator[Problem]:
    """Why the players of a board cannot begin with anything together, whatever is chosen."""
    if has_rungs(board):
        return _opening_problems(board)
    return random_start_problems(board, _registered(board))


def random_start_problems(board: Board, players: Sequence[Player]) -> Iterator[Problem]:
    """Why no ratings can be drawn for these players of a board."""
    if not has_random_start(board):
        words = _("“%(board)s” is no zero-sum board: its players can’t begin at random.")
        yield Problem("board", "system", words % {"board": board.name})
        return
    yield from _opening_problems(board)
    if not random_spread(board):
        words = _("“Random start” is 0 in the rules of “%(board)s”. Change that first.")
        yield Problem("board", "spread", words % {"board": board.name})
    yield from _player_problems(players)


def session_rungs_problems(board: Board, players: Sequence[Player]) -> Iterator[Problem]:
    """Why these players cannot begin on the rungs of a board, in their order."""
    if not has_rungs(board):
        words = _("“%(board)s” is no ladder: its players can’t begin in an order.")
        yield Problem("board", "system", words % {"board": board.name})
        return
    yield from _opening_problems(board)
    if not players:
        yield Problem("session", "players", _("No player of this session plays in the league."))


def _opening_problems(board: Board) -> Iterator[Problem]:
    """Why players of a board cannot begin with anything together, of whatever kind."""
    yield from _late_problems(board)
    if has_opening(board):
        words = _("What the players of “%(board)s” begin with is chosen already. Undo that first.")
        yield Problem("board", "has_opening", words % {"board": board.name})
    if board.season.carryover != Season.Carryover.FRESH:
        words = _("“%(season)s” carries ratings over. Undo that first.")
        yield Problem("board", "carried_over", words % {"season": board.season.name})


def _player_problems(players: Sequence[Player]) -> Iterator[Problem]:
    yield from (merged_problem(one) for one in players if one.merged_into_id is not None)
    if len(players) < 2:
        words = _("At least two players must be registered.")
        yield Problem("board", "players", words)
    elif len(players) > MOST_PLAYERS:
        words = _("At most %(most)d players can begin at random.")
        yield Problem("board", "players", words % {"most": MOST_PLAYERS})


def undo_problems(board: Board) -> Iterator[Problem]:
    """Why what players of a board begin with together cannot be undone."""
    if not has_opening(board):
        words = _("The players of “%(board)s” begin as newcomers.")
        yield Problem("board", "no_opening", words % {"board": board.name})
        return
    yield from _late_problems(board)


def _late_problems(board: Board) -> Iterator[Problem]:
    """Why it is too late for a board: matches have been entered, or the season is closed.

    Games that nothing rates, as sessions alone are, come before all that a board begins with.
    """
    season = board.season
    if not can_change_starts(season):
        words = _("“%(season)s” is closed, so its starting ratings can’t be changed.")
        yield Problem("board", "season_closed", words % {"season": season.name})
    elif Match.objects.played_on(board).exclude(kind=Match.Kind.UNRATED).exists():
        words = _("“%(mode)s” has matches in “%(season)s” already, so it is too late.")
        names = {"mode": board.mode.name, "season": season.name}
        yield Problem("board", "has_results", words % names)


def _registered(board: Board) -> list[Player]:
    """Who would be drawn now, by key; of more than can be drawn, one too many.

    All players of the league who play there, but for those who were given a rating.
    """
    given = StartingState.objects.from_elsewhere().filter(board=board)
    players = board.league.players.listed().filter(left_at__isnull=True)
    players = players.exclude(pk__in=given.values("player"))
    found = list(players.order_by("key")[: MOST_PLAYERS + 1])
    # Databases have orders of their own.
    return sorted(found, key=lambda player: player.key)


def _named(league: League, keys: Sequence[str]) -> list[Player]:
    """The players of keys, in their order; Refused where one is unknown."""
    known = {player.key: player for player in league.players.filter(key__in=keys)}
    missing = [key for key in keys if key not in known]
    if missing:
        words = _("There is no player with the id “%(key)s”.")
        raise Refused([Problem("players", "unknown", words % {"key": missing[0]})])
    return [known[key] for key in keys]


def _plays_here(player: Player) -> bool:
    """Whether a player is one of the league now."""
    return player.is_listed and player.left_at is None


def _hold(board: Board) -> Board:
    """The board as it is under the lock of its season."""
    season = lock_season(board.season_id)
    held = Board.objects.select_related("league", "mode").filter(pk=board.pk).first()
    if held is None:
        raise Refused([Problem("board", "board", _("This board was removed in the meantime."))])
    held.season = season
    return held


def _write(board: Board, players: Sequence[Player], opening: Opening) -> None:
    """Store what players begin with; it waits behind what one of them was given."""
    given = {row.player_id: row for row in StartingState.objects.filter(board=board)}
    new = []
    for player in players:
        row = given.get(player.pk)
        if row is None:
            new.append(
                StartingState(
                    league_id=board.league_id,
                    board=board,
                    player=player,
                    state=opening.states[player.key],
                )
            )
        else:
            row.carried_state = opening.states[player.key]
            row.save(update_fields=["carried_state"])
    StartingState.objects.bulk_create(new, batch_size=500)
    Board.objects.filter(pk=board.pk).update(
        start_board_state=opening.board_state, start_parameters=opening.parameters
    )
    restart_board(board)


def _record(board: Board, action: str, actor: User | None, said: dict[str, Any]) -> None:
    record_audit(
        league=board.league,
        actor=actor,
        action=action,
        subject=board.name,
        season=board.season,
        after={"board": board.slug, **said},
    )


def _preview(
    players: Sequence[Player], opening: Opening, left_out: tuple[Player, ...] = ()
) -> OpeningPreview:
    rows = tuple((player, opening.values[player.key]) for player in players)
    return OpeningPreview(rows, _fingerprint(opening.parameters, opening.states), left_out)


def _written_already(board: Board, seen: str | None) -> int:
    """For how many players a preview is what they begin with already; 0 where it is not."""
    if seen is None or not has_opening(board):
        return 0
    rows = StartingState.objects.carried_over().filter(board=board)
    states = {
        key: bytes(carried or state)
        for key, state, carried in rows.values_list("player__key", "state", "carried_state")
    }
    return len(states) if seen == _fingerprint(board.start_parameters, states) else 0


def _require_seen(opening: Opening, seen: str | None) -> None:
    """Refuse what is not as its preview was."""
    if seen is not None and seen != _fingerprint(opening.parameters, opening.states):
        words = _(
            "This is not what the preview has shown: something else was chosen, or has changed "
            "since. Look at the new one and confirm it."
        )
        raise Refused([Problem("board", "changed", words)])


def _fingerprint(parameters: Mapping[str, Any], states: Mapping[str, bytes]) -> str:
    """A short name of what was drawn for whom, and by which numbers."""
    by_key = {key: state.hex() for key, state in states.items()}
    said = json.dumps([plain_json(parameters), by_key], sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()[:32]
