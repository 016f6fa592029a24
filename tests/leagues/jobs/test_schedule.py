"""The schedule: each span's job once, and no question to the database in between."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from leagues.jobs.periodic import PERIODIC
from leagues.jobs.schedule import Clock
from leagues.models import Job

pytestmark = pytest.mark.django_db


def test_a_runner_that_wakes_often_asks_the_database_once_a_span() -> None:
    clock = Clock()
    clock()
    assert {job.kind for job in Job.objects.all()} == {entry.kind for entry in PERIODIC}
    with CaptureQueriesContext(connection) as queries:
        clock()
    assert len(queries) == 0


def test_two_runners_queue_a_span_once() -> None:
    Clock()()
    Clock()()
    assert Job.objects.count() == len(PERIODIC)
