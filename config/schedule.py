"""The application's table of periodic jobs in the words of Celery beat.

The embedded runner reads the same table, so both engines keep one schedule.
"""

from __future__ import annotations

from typing import Any

from leagues.jobs.periodic import PERIODIC

SWEEP_SECONDS = 30


def beat_schedule() -> dict[str, dict[str, Any]]:
    """List what beat sends and when; a message that comes late is worth nothing."""
    entries: dict[str, dict[str, Any]] = {
        "missed_jobs": {
            "task": "leagues.tasks.sweep",
            "schedule": SWEEP_SECONDS,
            "options": {"expires": SWEEP_SECONDS},
        }
    }
    for periodic in PERIODIC:
        entries[f"enqueue_{periodic.kind}"] = {
            "task": "leagues.tasks.enqueue_scheduled",
            "schedule": periodic.every_seconds,
            "args": [periodic.kind],
            "options": {"expires": periodic.every_seconds},
        }
    return entries
