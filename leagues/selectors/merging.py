"""Merging players: who may be one person, where they met, and their results added up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.db.models import F, Sum

from leagues.models import Board, Match, Participant, Player, Season, Standing
from leagues.models.match import is_rated_on
from leagues.selectors.encounters import DRAWN, LOST, WON, outcome_of
from leagues.selectors.matches import with_players
from leagues.services.entry_warnings import repeated_among
from leagues.services.errors import Candidate
from leagues.services.likeness import possible_duplicates, short_for, similar_players
from leagues.services.merged_players import matches_to_rename, meetings


@dataclass(frozen=True, slots=True)
class JointRecord:
    """What two players have won and lost on a board, added up, without matches of both."""

    board: Board
    won: int
    drawn: int
    lost: int


def suggestions(player: Player) -> list[Candidate]:
    """Players of similar names whom a player has never met: who may be the same person."""
    alike = possible_duplicates(player)
    keys = [candidate.key for candidate in alike]
    strangers = {
        other.key
        for other in Player.objects.filter(league=player.league_id, key__in=keys)
        if not meetings(player, other).exists()
    }
    return [candidate for candidate in alike if candidate.key in strangers]


def others_like(player: Player, name: str) -> tuple[Candidate | None, tuple[Candidate, ...]]:
    """Of the other players the one whom a name is short for, if any, and all who may be meant."""
    similar = similar_players(player.league, [name], knows_spellings=True)[name]
    like = tuple(one for one in similar if one.key != player.key)
    return short_for(name, like), like


def latest_meetings(one: Player, other: Player, at_most: int) -> list[Match]:
    """The newest results in which two players both took part, with all their players."""
    return list(with_players(meetings(one, other).select_related("season"))[:at_most])


def repeated_results(keep: Player, drop: Player) -> list[tuple[Match, Match]]:
    """The results that would be there twice after a merge, as both players have them.

    Each as the one of `drop` and the one of `keep`, with all their players.
    """
    both = meetings(keep, drop).order_by().values("pk")
    own = Match.objects.live().filter(participants__player=keep).exclude(pk__in=both)
    renamed = matches_to_rename(drop, keep).filter(status=Match.Status.LIVE).exclude(pk__in=both)
    pairs = repeated_among(renamed, own, {drop.key: keep.key})
    rows = with_players(Match.objects.filter(pk__in={pk for pair in pairs for pk in pair}))
    matches = {match.pk: match for match in rows.select_related("season")}
    return [(matches[one], matches[other]) for one, other in pairs]


def joint_records(keep: Player, drop: Player, seasons: Collection[Season]) -> list[JointRecord]:
    """The records that two players would have as one, on boards of some seasons.

    Boards on which `drop` stands: on no other one anything is added up.
    """
    standings = Standing.objects.filter(
        board__season__in=seasons, generation=F("board__generation")
    )
    both = standings.filter(
        player__in=(keep, drop), board__in=standings.filter(player=drop).values("board")
    )
    sums = (
        both.order_by()
        .values("board")
        .annotate(all_won=Sum("won"), all_drawn=Sum("drawn"), all_lost=Sum("lost"))
    )
    by_board = {row["board"]: row for row in sums}
    boards = Board.objects.filter(pk__in=by_board).select_related("season", "league")
    records = []
    for board in boards.order_by("season_id", "position", "pk"):
        row, void = by_board[board.pk], _outcomes_together(board, keep, drop)
        won, drawn = row["all_won"] - void[WON], row["all_drawn"] - void[DRAWN]
        records.append(JointRecord(board, won, drawn, row["all_lost"] - void[LOST]))
    return records


def _outcomes_together(board: Board, one: Player, other: Player) -> Counter[str]:
    """What two players won, drew and lost on a board in matches of both, which a merge voids."""
    both = meetings(one, other).filter(is_rated_on(board)).order_by()
    sides: dict[int, dict[int, int]] = {}
    own: list[tuple[int, int]] = []
    rows = Participant.objects.filter(match__in=both)
    for match, side, rank, player in rows.values_list("match_id", "side", "rank", "player_id"):
        sides.setdefault(match, {})[side] = rank
        if player in (one.pk, other.pk):
            own.append((match, side))
    return Counter(_outcome(sides[match], side) for match, side in own)


def _outcome(ranks: Mapping[int, int], side: int) -> str:
    """What a side did in a match; nothing where there was no other one."""
    others = [rank for number, rank in ranks.items() if number != side]
    return outcome_of(ranks[side], others) if others else ""
