"""Where players stand on a ladder before matches that are about to be entered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from leagues.bridge.computing import compute
from leagues.bridge.rules import spans_of
from leagues.bridge.systems import systems
from leagues.models import Board
from leagues.store.match_columns import Facts
from ratings.registry import create
from ratings.system import System


@dataclass(frozen=True, slots=True)
class ChallengeRules:
    """What a board asks of who meets whom; 0 where it asks nothing."""

    challenge_range: int
    rematch_days: int

    def __bool__(self) -> bool:
        return bool(self.challenge_range or self.rematch_days)


def challenge_rules(board: Board, at: datetime) -> ChallengeRules:
    """The rules by which two may meet at a moment; those of the board's newest rules of then."""
    spans = [span for span in spans_of(board) if span.since is None or span.since <= at]
    return _rules_of(spans[-1].system)


def has_challenge_rules(board: Board) -> bool:
    """Whether a board asks anything of who meets whom, at any time."""
    return any(_rules_of(span.system) for span in spans_of(board))


@cache
def systems_with_challenges() -> list[str]:
    """The rating systems whose boards may ask something of who meets whom."""
    return [
        info.name for info in systems() if hasattr(create(info.name).parameters, "challenge_range")
    ]


def rungs_before(
    board: Board, facts: Facts, seqs: set[int], newcomers: Mapping[str, int]
) -> dict[int, dict[int, int]]:
    """The rung of each player before each of the matches of `seqs`, which are among the facts.

    Whoever is new has the rung that newcomers join on before the match counts. `newcomers` are
    the numbers, by key, of players in the facts who are not stored yet.
    """
    computed = compute(board, facts, newcomers=newcomers)
    log = computed.log
    wanted = [place for place, seq in enumerate(computed.seq.tolist()) if seq in seqs]
    joined = {
        (match, player): rung
        for match, player, rung in zip(
            computed.board_entries.match.tolist(),
            computed.board_entries.player.tolist(),
            computed.board_entries.state[:, 0].tolist(),
            strict=True,
        )
    }
    before, ids = computed.replay.before[:, 0], computed.people.player_id
    rungs: dict[int, dict[int, int]] = {}
    for match in wanted:
        first, last = log.side_start[match], log.side_start[match + 1]
        rungs[int(computed.seq[match])] = {
            int(ids[log.player[row]]): int(joined.get((match, int(log.player[row])), before[row]))
            for row in range(log.member_start[first], log.member_start[last])
        }
    return rungs


def _rules_of(system: System) -> ChallengeRules:
    parameters = system.parameters
    return ChallengeRules(
        getattr(parameters, "challenge_range", 0), getattr(parameters, "rematch_days", 0)
    )
