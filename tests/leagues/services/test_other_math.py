"""Boards that were computed where last bits come out otherwise."""

from __future__ import annotations

import numpy as np
import pytest
from django.core.management import call_command

from leagues import bridge
from leagues.jobs.runner import drain
from leagues.models import Board, RatingSegment, Standing
from leagues.services.integrity import check_board
from tests.leagues.play import new_club, record, rounds, season_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def board() -> Board:
    league = new_club("club")
    record(league, *rounds(league, ["Ana", "Bo", "Cy"], 12))
    drain()
    return season_of(league).boards.order_by("pk").first()


def shift(board: Board, by: float) -> None:
    """Change all numbers of the stored states and histories a little, behind everybody's back."""
    for standing in Standing.objects.current(board):
        state = np.frombuffer(bytes(standing.state), "<f8") * (1.0 + by)
        Standing.objects.filter(pk=standing.pk).update(state=state.tobytes())
    for row in RatingSegment.objects.filter(board=board, generation=board.generation):
        data = bytes(row.data)
        states = np.frombuffer(data, "<f8", offset=16 * row.count) * (1.0 + by)
        RatingSegment.objects.filter(pk=row.pk).update(
            data=data[: 16 * row.count] + states.tobytes()
        )


@pytest.mark.parametrize(
    ("by", "is_elsewhere", "is_found"),
    [(1e-12, False, True), (1e-12, True, False), (1e-6, True, True)],
)
def test_only_what_was_computed_elsewhere_may_differ_and_only_by_rounding(
    board: Board, by: float, is_elsewhere: bool, is_found: bool
) -> None:
    if is_elsewhere:
        Board.objects.filter(pk=board.pk).update(math_fingerprint="elsewhere")
    shift(board, by)
    report = check_board(board)
    assert report.other_math == is_elsewhere
    found = {difference.what for difference in report.differences}
    assert found == ({"state", "history 0"} if is_found else set())


def test_verify_says_so(board: Board, capsys: pytest.CaptureFixture[str]) -> None:
    Board.objects.filter(pk=board.pk).update(math_fingerprint="elsewhere")
    call_command("verify")
    assert "computed under another math library" in capsys.readouterr().out


def test_a_system_computed_in_other_steps_has_another_fingerprint() -> None:
    assert bridge.math_fingerprint("elo") == bridge.math_fingerprint()
    assert bridge.math_fingerprint("static") != bridge.math_fingerprint()
