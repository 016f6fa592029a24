"""Computing a board again from nothing, and saying beforehand which ranks that changes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from leagues import bridge
from leagues.domain.ranking import RankingRule, ranking_rule, ranking_rule_of_day, ranks_of
from leagues.jobs.queue import Claim, enqueue
from leagues.models import Board, Player, Season, Standing
from leagues.services.audit import record_audit
from leagues.services.errors import Problem, Refused
from leagues.services.leagues import restart_board
from leagues.store.match_columns import moment, read_facts
from leagues.store.snapshot import snapshot

MOST_MOVERS = 20


def recalculation_key(board_id: int) -> str:
    """The key under which a board has one recalculation at a time."""
    return f"recalculate:{board_id}"


@transaction.atomic
def recalculate_board(*, board: Board, actor: User | None, reason: str = "") -> int:
    """Queue the computation of a board from its first result; returns the id of its job.

    Refused where the season is sealed: its standings are what they were.
    """
    if Season.objects.get(pk=board.season_id).is_sealed:
        words = _("The season is sealed. Reopen it before you recalculate its boards.")
        raise Refused([Problem("board", "season_sealed", words)])
    record_audit(
        league=board.league,
        actor=actor,
        action="board.recalculate",
        subject=board.name,
        season=board.season,
        after={"reason": reason.strip()} if reason.strip() else None,
    )
    return enqueue(
        "recalculate_board",
        key=recalculation_key(board.pk),
        params={"board": board.pk},
        league_id=board.league_id,
        author_id=actor.pk if actor else None,
    )


def recalculate_job(claim: Claim) -> None:
    """Replay a board, note how its ranks will differ, and let it be written again."""
    with snapshot():
        board = (
            Board.objects.select_related("league", "season", "mode")
            .filter(pk=claim.params["board"])
            .first()
        )
        if board is None:
            return
        facts = bridge.rated_facts(board, read_facts(board))
        stored = list(
            Standing.objects.current(board).only(
                "player_id", "place_value", "games", "last_played_at"
            )
        )
    total = max(len(facts), 1)
    computed = bridge.compute(
        board,
        facts,
        # A full bar would be the last word before the board is written.
        progress=lambda done, _all: claim.progress(min(done, total - 1), total, "rate"),
    )
    replayed = bridge.standings_of(board, board.generation, computed)
    with transaction.atomic():
        claim.fence()
        restart_board(board)
        # One moment for both, so that a midnight between them moves nobody.
        now, last_at = timezone.now(), moment(int(facts.at[-1])) if len(facts) else None
        rules = ranking_rule(board, now), ranking_rule_of_day(board, last_at, now)
        claim.finish(rank_changes(stored, replayed, *rules))


def rank_changes(
    before: Iterable[Standing],
    after: Iterable[Standing],
    rule: RankingRule,
    rule_after: RankingRule,
) -> dict[str, Any]:
    """How many ranked players move, come and go, and the ones that move furthest."""
    was_shown = {row.player_id: row.place_value for row in before}
    is_shown = {row.player_id: row.place_value for row in after}
    old, new = _ranks(before, rule), _ranks(after, rule_after)
    moves = sorted(
        ((old[pk], new[pk], pk) for pk in old.keys() & new.keys() if old[pk] != new[pk]),
        key=lambda move: (-abs(move[0] - move[1]), move[1], move[2]),
    )
    first_moves = moves[:MOST_MOVERS]
    names = dict(
        Player.objects.filter(pk__in=[pk for *_, pk in first_moves]).values_list("pk", "name")
    )
    return {
        "players": len(new),
        "moved": len(moves),
        "other_values": sum(
            was_shown[pk] != is_shown[pk] for pk in was_shown.keys() & is_shown.keys()
        ),
        "came": len(new.keys() - old.keys()),
        "gone": len(old.keys() - new.keys()),
        "movers": [
            {"name": names[pk], "before": was, "after": is_now} for was, is_now, pk in first_moves
        ],
    }


def _ranks(standings: Iterable[Standing], rule: RankingRule) -> dict[int, int]:
    """The ranks of those whom the board ranks, by player."""
    ranked = [row for row in standings if rule.ranks(row.games, row.last_played_at)]
    ranks = ranks_of(row.place_value for row in ranked)
    return {row.player_id: rank for row, rank in zip(ranked, ranks, strict=True)}
