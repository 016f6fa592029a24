"""The ledger of a storm sees what must not happen, and nothing else."""

from __future__ import annotations

import pytest

from storm.ledger import Ledger, Stored


@pytest.fixture
def ledger() -> Ledger:
    """A ledger of one acknowledged result."""
    ledger = Ledger()
    ledger.send("club", "a", status="live", score=3)
    ledger.acknowledge("club", "a")
    return ledger


def stored(mark: str = "a", seq: int = 1, **facts: object) -> Stored:
    return Stored("autumn", seq, mark, {"status": "live", "score": 3, **facts})


def test_a_result_that_is_stored_once_as_acknowledged_is_right(ledger: Ledger) -> None:
    assert ledger.judge("club", [stored()]) == []
    assert ledger.counts() == {"acknowledged": 1, "refused": 0, "sent": 0}


def test_a_lost_result_is_seen(ledger: Ledger) -> None:
    assert ledger.judge("club", []) == ["club: a was acknowledged and is lost"]


def test_a_doubled_result_is_seen(ledger: Ledger) -> None:
    assert ledger.judge("club", [stored(), stored(seq=2)]) == ["club: a is stored 2 times"]


def test_a_result_nobody_sent_is_seen(ledger: Ledger) -> None:
    problems = ledger.judge("club", [stored(), stored("z", seq=2)])
    assert problems == ["club: z was never sent"]


def test_a_refused_result_must_not_be_stored(ledger: Ledger) -> None:
    ledger.send("club", "b")
    ledger.refuse("club", "b")
    assert ledger.judge("club", [stored()]) == []
    problems = ledger.judge("club", [stored(), stored("b", seq=2)])
    assert problems == ["club: b was refused and is stored"]


def test_what_was_never_answered_may_be_stored_once_or_not(ledger: Ledger) -> None:
    ledger.send("club", "b")
    assert ledger.judge("club", [stored()]) == []
    assert ledger.judge("club", [stored(), stored("b", seq=2)]) == []
    problems = ledger.judge("club", [stored(), stored("b", seq=2), stored("b", seq=3)])
    assert problems == ["club: b is stored 2 times"]


def test_an_acknowledged_change_must_have_happened(ledger: Ledger) -> None:
    ledger.try_change("club", "a", score=7)
    ledger.settle_change("club", "a", score=7)
    assert ledger.judge("club", [stored(score=7)]) == []
    (problem,) = ledger.judge("club", [stored()])
    assert "should be one of" in problem


def test_a_change_without_an_answer_may_have_happened(ledger: Ledger) -> None:
    ledger.try_change("club", "a", status="void")
    assert ledger.judge("club", [stored()]) == []
    assert ledger.judge("club", [stored(status="void")]) == []
    assert ledger.judge("club", [stored(score=4)]) != []


def test_a_gap_in_the_numbers_is_seen(ledger: Ledger) -> None:
    problems = ledger.judge("club", [stored(seq=2)])
    assert problems == ["club: the numbers of autumn have a gap or a double"]
