"""Rest: a board that was just rated waits for more results, and nothing else waits for it."""

from __future__ import annotations

import pytest

from leagues.jobs.queue import enqueue
from leagues.jobs.rest import MOST_SECONDS, TIMES, Rests
from leagues.jobs.runner import drain
from leagues.models import Job

LONG = 1000.0


def rating_of(board: int) -> str:
    """Queue the rating of a board that is not there, and return its key."""
    key = f"rate:{board}"
    enqueue("rate_board", key=key, params={"board": board})
    return key


def waiting() -> set[str]:
    """The keys of the jobs that wait."""
    return set(Job.objects.filter(state=Job.State.QUEUED).values_list("key", flat=True))


@pytest.mark.django_db(transaction=True)
def test_a_board_that_was_just_rated_rests_and_other_work_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("leagues.jobs.rest.MOST_SECONDS", LONG)
    monkeypatch.setattr("leagues.jobs.rest.TIMES", 1e9)
    rests = Rests()
    first = rating_of(1)
    assert drain(rests=rests) == 1
    assert rating_of(1) == first
    rating_of(2)
    enqueue("tidy", key="tidy", params={})
    assert drain(rests=rests) == 2
    assert waiting() == {first}
    assert drain() == 1
    assert waiting() == set()


@pytest.mark.django_db(transaction=True)
def test_work_that_is_no_rating_does_not_rest() -> None:
    rests = Rests()
    enqueue("tidy", key="tidy", params={})
    assert drain(rests=rests) == 1
    assert rests.keys == []


def test_a_rest_lasts_as_many_times_as_its_rating_but_not_longer_than_a_player_looks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 0.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    rests = Rests()
    rests.begin("short", 0.01)
    rests.begin("long", LONG)
    now = TIMES * 0.01 - 1e-6
    assert rests.keys == ["short", "long"]
    now = TIMES * 0.01 + 1e-6
    assert rests.keys == ["long"]
    now = MOST_SECONDS + 1e-6
    assert rests.keys == []
