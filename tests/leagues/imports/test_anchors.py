"""Anchors of zero-sum boards in files: of players, of results, and of a whole league."""

from __future__ import annotations

import csv
import json
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from leagues.jobs.runner import drain
from leagues.models import League, StartingState
from leagues.services.integrity import board_digest, check_board, league_digest
from leagues.services.leagues import add_board
from leagues.services.matches import record_matches
from leagues.services.players import ensure_player
from leagues.services.rules import change_rules
from leagues.services.seasons import Step, take_step
from leagues.services.starts import Start, anchors_of
from tests.leagues.imports.sender import Sender
from tests.leagues.imports.test_player_undo import imported, undo
from tests.leagues.imports.test_round_trip import FORMATS, export, take
from tests.leagues.imports.test_whole_league import copied, whole
from tests.leagues.play import mode_of, record, result, rounds
from tests.leagues.services.test_anchors import (
    BOT,
    NAMES,
    club_with_anchors,
    followed,
    give,
    ratings,
    zero_sum,
)
from tests.leagues.services.test_starts import SPRING

pytestmark = pytest.mark.django_db


def names_of_anchors(league: League, **season: str) -> dict[str, Start]:
    named = dict(league.players.values_list("pk", "name"))
    return {named[pk]: start for pk, start in anchors_of(zero_sum(league, **season)).items()}


def assert_comes_back(league: League, path: Path, capsys: Any) -> League:
    said = copied(path, whole(league), capsys)
    assert [board for board in said["boards"] if not board["same"]] == []
    assert [note for note in said["notes"] if "left out" in note] == []
    copy = League.objects.get(slug="copy")
    assert league_digest(copy) == league_digest(league)
    for board in copy.boards.all():
        assert check_board(board).differences == ()
    for season in league.seasons.all():
        assert names_of_anchors(copy, season__slug=season.slug) == names_of_anchors(
            league, season__slug=season.slug
        )
    return copy


@pytest.mark.parametrize("removed", ["", "Di"])
def test_a_whole_league_comes_back_with_its_anchors(
    removed: str, tmp_path: Path, capsys: Any
) -> None:
    league = club_with_anchors()
    record(league, *rounds(league, NAMES, 3))
    ensure_player(league=league, name="Idle")
    for name in ("Di", "Idle"):
        give(zero_sum(league), name, BOT)
    after = followed(league)
    board = zero_sum(league, season__name=after.name)
    give(board, "Bo", Start(-0.25, None, "became a bot"))
    if removed:
        give(board, removed, None)
    take_step(after, Step.OPEN, actor=None, now=SPRING)
    pairs = (("Ana", "Di"), ("Bo", "Cy"), ("Eve", "Bo"))
    drafts = [
        result(league, *pair, at=SPRING + timedelta(days=day)) for day, pair in enumerate(pairs)
    ]
    record_matches(season=after, mode=mode_of(league), drafts=drafts)
    drain()
    assert_comes_back(league, tmp_path / "league.zip", capsys)
    anchors = names_of_anchors(league, season__slug=after.slug)
    assert set(anchors) == {"Bo", "Di", "Idle"} - {removed}


def test_a_league_whose_rules_got_anchors_later_comes_back(tmp_path: Path, capsys: Any) -> None:
    league = club_with_anchors(anchors=False)
    record(league, *rounds(league, NAMES, 3))
    after = followed(league)
    take_step(after, Step.OPEN, actor=None, now=SPRING)
    board = zero_sum(league, season__name=after.name)
    change_rules(board, parameters={"anchors": True}, effective_at=None, actor=None)
    give(zero_sum(league, season__name=after.name), "Ana", BOT)
    draft = result(league, "Eve", "Ana", at=SPRING + timedelta(days=1))
    record_matches(season=after, mode=mode_of(league), drafts=[draft])
    drain()
    assert_comes_back(league, tmp_path / "league.zip", capsys)


@pytest.mark.parametrize("name", FORMATS)
def test_the_results_of_a_season_bring_their_anchors(name: str) -> None:
    league = club_with_anchors()
    record(league, *rounds(league, NAMES, 3))
    give(zero_sum(league), "Di", BOT)
    copy = club_with_anchors("copy")
    report = take(copy, name, export(league, name))
    assert (report["errors"], report["ignored_columns"], report["notes"]) == ([], [], [])
    assert names_of_anchors(copy) == {"Di": BOT}
    boards = [zero_sum(one) for one in (copy, league)]
    assert board_digest(boards[0]) == board_digest(boards[1])


def test_a_list_of_players_makes_anchors_and_is_undone_with_them(kim: Sender) -> None:
    league = kim.league
    season = league.seasons.get()
    board = add_board(
        season=season, mode=mode_of(league), system="zerosum", parameters={"anchors": True}
    )
    plain = add_board(season=season, mode=mode_of(league), system="zerosum", name="Plain")
    record(league, result(league, "Ana", "Bot"))
    board.refresh_from_db()
    before = board_digest(board)
    starts = [
        {"board": one.slug, "rating": 1.0, "source": "bot of the server"} for one in (board, plain)
    ]
    target = StringIO()
    rows = [["player", "starting_ratings"], ["Bot", json.dumps(starts)]]
    csv.writer(target).writerows(rows)
    revision = imported(kim, target.getvalue())
    drain()
    row = StartingState.objects.get()
    assert (row.board, row.rating, row.player.name) == (board, 1.0, "Bot")
    assert ratings(board)["Bot"] == 1.0
    undo(revision)
    drain()
    board.refresh_from_db()
    assert board_digest(board) == before and not StartingState.objects.exists()
