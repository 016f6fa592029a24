"""Rest: a board that was just rated waits for more results, and nothing else waits for it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models import F

from leagues.jobs.queue import REST, enqueue
from leagues.jobs.runner import drain
from leagues.models import Job

pytestmark = pytest.mark.django_db(transaction=True)


def rating_of(board: int) -> str:
    """Queue the rating of a board that is not there, and return its key."""
    key = f"rate:{board}"
    enqueue("rate_board", key=key, params={"board": board})
    return key


def waiting() -> set[str]:
    """The keys of the jobs that wait."""
    return set(Job.objects.filter(state=Job.State.QUEUED).values_list("key", flat=True))


def set_back(key: str, by: timedelta) -> None:
    """Let the last job of a key have ended so long before."""
    Job.objects.filter(key=key, state=Job.State.DONE).update(finished_at=F("finished_at") - by)


def test_a_board_that_was_just_rated_rests_and_other_work_goes_on() -> None:
    first = rating_of(1)
    assert drain(with_rests=True) == 1
    set_back(first, -timedelta(hours=1))
    assert rating_of(1) == first
    rating_of(2)
    enqueue("tidy", key="tidy", params={})
    assert drain(with_rests=True) == 2
    assert waiting() == {first}
    assert drain() == 1
    assert waiting() == set()


def test_a_board_that_has_rested_is_rated_whatever_was_before() -> None:
    key = rating_of(1)
    assert drain(with_rests=True) == 1
    set_back(key, timedelta(hours=1))
    rating_of(1)
    assert drain(with_rests=True) == 1
    set_back(key, REST)
    rating_of(1)
    assert drain(with_rests=True, only_ratings=True) == 1


def test_work_that_is_no_rating_does_not_rest() -> None:
    for _time in range(2):
        enqueue("tidy", key="tidy", params={})
        assert drain(with_rests=True) == 1
