"""One table feeds Celery beat and the embedded runner."""

from __future__ import annotations

from config.schedule import beat_schedule
from leagues import tasks
from leagues.jobs.periodic import PERIODIC


def test_beat_sends_every_periodic_job_and_looks_for_missed_ones() -> None:
    sent = {(entry["task"], *entry.get("args", ())) for entry in beat_schedule().values()}
    scheduled = {("leagues.tasks.enqueue_scheduled", periodic.kind) for periodic in PERIODIC}
    assert sent == {("leagues.tasks.sweep",), *scheduled}


def test_beat_names_tasks_that_exist() -> None:
    for entry in beat_schedule().values():
        module, _, name = entry["task"].rpartition(".")
        assert module == tasks.__name__
        assert callable(getattr(tasks, name).run)
