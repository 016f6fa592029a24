"""Changes of older results on boards where a match moves or counts for more than its players.

What is stored afterwards is what a replay of everything gives, bit for bit, and only the tail was
rated for it: the board keeps its generation.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import numpy as np
import pytest

from leagues.jobs.runner import drain
from leagues.models import Board, League, Match, StartingState
from leagues.services import board_corrections, correction_preview
from leagues.services.board_tails import has_derivable_state
from leagues.services.correction_preview import plan_boards, read_boards
from leagues.services.drafts import MatchDraft
from leagues.services.inactivity_sweep import sweep
from leagues.services.integrity import board_digest, check_board
from leagues.services.leagues import add_board
from leagues.services.matches import record_matches, restore_match, revert_revision, void_match
from leagues.services.stored_drafts import draft_of
from leagues.services.tried_changes import try_change
from leagues.store import segments
from leagues.store.snapshot import snapshot
from leagues.store.standing_rows import read_standings
from tests.leagues.play import START, mode_of, new_club, record, result, season_of
from tests.leagues.services.test_correction_preview import Change, correction, standings_after

pytestmark = pytest.mark.django_db

NAMES = ("Ana", "Bo", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal")
SYSTEMS: dict[str, tuple[str, dict[str, Any]]] = {
    "swap": ("ladder", {"mode": "swap"}),
    "insert": ("ladder", {"mode": "insert"}),
    "zerosum": ("zerosum", {}),
    "decay": ("zerosum", {"decay": 0.05, "period_days": 3}),
}


def board_of(league: League) -> Board:
    return league.boards.select_related("league", "season", "mode").get()


def club_with(system: str) -> League:
    league = new_club()
    league.boards.all().delete()
    name, parameters = SYSTEMS[system]
    add_board(
        season=season_of(league),
        mode=mode_of(league),
        system=name,
        name=name,
        parameters=parameters,
    )
    return league


def some_result(league: League, source: random.Random, days: tuple[int, int]) -> MatchDraft:
    """A result of two or three of those who come and go, some of them at midnight."""
    at = START + timedelta(days=source.randrange(*days), hours=source.choice([0, 1, 4, 5]))
    names = source.sample(NAMES[: 4 + days[1] // 8], source.choice([2, 2, 2, 3]))
    return result(league, *names, at=at)


def evening(league: League, seed: int) -> list[MatchDraft]:
    """Results of a month, as they were played."""
    source = random.Random(seed)
    drafts = [some_result(league, source, (day, day + 1)) for day in range(30) for _ in range(2)]
    return sorted(drafts, key=lambda draft: draft.played_at)


def assert_tail_alone(league: League, change: Callable[[], object]) -> None:
    """Let a change be rated; the board keeps its generation and is what a replay gives."""
    generation = board_of(league).generation
    change()
    drain()
    board = board_of(league)
    assert check_board(board).differences == ()
    assert board.generation == generation


def one_of(league: League, source: random.Random, status: str) -> Match | None:
    matches = league.matches.filter(status=status, played_at__gt=START + timedelta(days=3))
    found = list(matches.order_by("played_at", "same_time_order", "seq"))
    return source.choice(found) if found else None


def some_change(league: League, source: random.Random) -> Change:
    """A late result, a correction, a move in time, a void one, or one that counts again."""
    what = source.choice(["late", "late", "turn", "move", "others", "void", "restore"])
    status = Match.Status.VOID if what == "restore" else Match.Status.LIVE
    match, other = one_of(league, source, status), some_result(league, source, (4, 34))
    if what == "late" or match is None:
        return lambda: (
            record_matches(season=season_of(league), mode=mode_of(league), drafts=[other]).revision
        )
    if what == "void":
        return lambda: void_match(match=match, author=None)
    if what == "restore":
        return lambda: restore_match(match=match, author=None)
    draft = draft_of(match)
    ranks = [side.rank for side in draft.sides][::-1]
    sides = zip(draft.sides, ranks, strict=True)
    turned = replace(draft, sides=tuple(replace(side, rank=rank) for side, rank in sides))
    said = {
        "turn": turned,
        "move": replace(draft, played_at=other.played_at),
        "others": replace(turned, sides=other.sides),
    }
    return correction(match, said[what])


@pytest.fixture(autouse=True)
def every_tail(sparse_corrections: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no share of a board be too large, newcomers among them."""
    monkeypatch.setattr(board_corrections, "MAX_SHARE_REACHED", 2.0)
    monkeypatch.setattr(correction_preview, "MAX_SHARE_LATE", 1.0)


@pytest.mark.parametrize("size", [4, 256])
@pytest.mark.parametrize("system", SYSTEMS)
def test_any_change_stores_what_a_replay_gives(
    system: str, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(segments, "SIZE", size)
    league = club_with(system)
    record(league, *evening(league, 1))
    source = random.Random(f"{system} {size}")
    for number in range(12):
        assert_tail_alone(league, some_change(league, source))
        if number == 5:
            sweep(START + timedelta(days=50))
            drain()


@pytest.mark.parametrize("system", SYSTEMS)
def test_several_changes_at_once_and_their_undoing(system: str) -> None:
    league = club_with(system)
    record(league, *evening(league, 2))
    digest, source = board_digest(board_of(league)), random.Random(system)
    first = season_of(league).last_revision
    for _ in range(2):

        def change_some() -> None:
            for _ in range(3):
                some_change(league, source)()

        assert_tail_alone(league, change_some)
    assert board_digest(board_of(league)) != digest
    revisions = season_of(league).revisions.filter(number__gt=first).order_by("-number")
    for revision in list(revisions):
        assert_tail_alone(league, lambda r=revision: revert_revision(revision=r, author=None))
    assert board_digest(board_of(league)) == digest


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_preview_rates_the_tail_and_is_what_saving_does(system: str) -> None:
    league = club_with(system)
    record(league, *evening(league, 3))
    source = random.Random(system)
    for _ in range(5):
        change, generation = some_change(league, source), board_of(league).generation
        before = read_standings(board_of(league))
        tried = try_change(season_of(league), change)
        assert tried is not None
        with snapshot():
            (facts,) = read_boards(tried, plan_boards(tried))
        assert facts.tail is not None
        rows = {row.player_id: row for row in standings_after(facts, tried)}
        unmoved = {pk: row for pk, row in before.items() if pk not in facts.tail.players}
        change()
        drain()
        assert read_standings(board_of(league)) == unmoved | rows
        assert board_of(league).generation == generation


def test_what_players_brought_leaves_a_replay() -> None:
    league = club_with("swap")
    record(league, *evening(league, 4))
    board = board_of(league)
    player = league.players.first()
    assert has_derivable_state(board)
    StartingState.objects.create(
        league=league, board=board, player=player, state=segments.pack_state(np.array([3.0]))
    )
    assert not has_derivable_state(board)
