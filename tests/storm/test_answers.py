"""Which answers and which logs a storm allows."""

from __future__ import annotations

import pytest

from storm.answers import Answer, problem_with
from storm.ledger import Ledger
from storm.logs import unexpected
from storm.summary import summary
from storm.tally import Tally

JSON = {"content-type": "application/problem+json"}
HTML = {"content-type": "text/html; charset=utf-8"}
LATER = {"retry-after": "2"}


@pytest.mark.parametrize(
    ("status", "headers", "is_api", "problem"),
    [
        (200, HTML, False, ""),
        (404, HTML, False, ""),
        (500, HTML, False, "answered 500"),
        (502, JSON, True, "answered 502"),
        (503, HTML | LATER, False, ""),
        (503, HTML, False, "answered 503 without Retry-After"),
        (429, JSON, True, "answered 429 without Retry-After"),
        (503, JSON | LATER, True, ""),
        (503, HTML | LATER, True, "answered 503 as text/html in the API"),
        (422, JSON, True, ""),
        (404, {}, True, "answered 404 as nothing in the API"),
    ],
)
def test_an_answer_is_held_to_its_form(
    status: int, headers: dict[str, str], is_api: bool, problem: str
) -> None:
    assert problem_with(Answer(status, headers, b""), is_api=is_api) == problem


def test_tracebacks_of_our_own_are_told_from_those_of_a_lost_server() -> None:
    log = """
Traceback (most recent call last):
  File "a.py", line 1, in one
psycopg.OperationalError: the connection is lost

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "b.py", line 2, in two
    raise Wrong from error
django.db.utils.OperationalError: the connection is lost
2026-01-01 warning leagues [-] a line of its own
Traceback (most recent call last):
worker: Warm shutdown (MainProcess)
  File "c.py", line 3, in three
ModuleNotFoundError: No module named 'packaging'
"""
    assert unexpected(log.splitlines()) == {"ModuleNotFoundError: No module named 'packaging'": 1}


def test_a_wait_is_explained_by_the_faults_that_were_felt() -> None:
    tally = Tally()
    with tally.fault("flush Redis", is_felt=False):
        assert tally.unexplained(0.0, 10.0) == 10.0
    with tally.fault("kill web process", is_felt=True):
        pass
    start, end = tally._spans[0]
    assert tally.unexplained(start - 2.0, end + 3.0) == pytest.approx(5.0)
    assert tally.unexplained(start, end) == 0.0
    assert tally.faults == {"flush Redis": 1, "kill web process": 1}


def test_a_violation_is_in_the_summary_with_its_example() -> None:
    tally, ledger = Tally(), Ledger()
    assert "Violations" not in summary(tally, ledger)
    tally.count("writer 0", "500", 0.5)
    tally.accuse("the API answered 500", "POST /api/v1/")
    told = summary(tally, ledger)
    assert "1 × the API answered 500" in told
    assert "POST /api/v1/" in told
    assert "500 × 1; longest wait 0.50 s" in told
