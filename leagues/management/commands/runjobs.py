"""Run the jobs that wait in the database."""

from __future__ import annotations

import os
import signal
from datetime import timedelta
from typing import Any

from django.core.management.base import CommandParser

from leagues.jobs.runner import drain, run_forever
from leagues.jobs.schedule import Clock, seconds_to_next_period
from leagues.jobs.wake import sleeping
from leagues.management.installed import InstalledCommand

SWEEP_AFTER = timedelta(seconds=5)
SWEEP_SECONDS = 2.0
LOOK_SECONDS = 5.0
"""The longest sleep of a runner that nobody wakes: jobs may come from another machine."""


class Command(InstalledCommand):
    help = (
        "Run jobs that are waiting, until stopped. With Celery workers, use --sweep to run "
        "only the jobs that they missed."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--once", action="store_true", help="stop when no job is waiting")
        parser.add_argument(
            "--sweep",
            action="store_true",
            help="only run jobs that have waited for 5 seconds; for use with Celery workers",
        )
        parser.add_argument(
            "--ratings",
            action="store_true",
            help="only run rating jobs, so that other jobs cannot delay them; for use with "
            "other runners",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["once"]:
            self.stdout.write(f"Jobs run: {drain(only_ratings=options['ratings'])}")
            return
        stopping = False
        parent = os.getppid()
        is_sweep, only_ratings = options["sweep"], options["ratings"]

        with sleeping(only_ratings=only_ratings) as sleep:

            def stop(*_: object) -> None:
                nonlocal stopping
                stopping = True
                sleep.end()

            signal.signal(signal.SIGTERM, stop)
            signal.signal(signal.SIGINT, stop)
            run_forever(
                should_stop=lambda: stopping or os.getppid() != parent,
                every=(lambda: None) if is_sweep or only_ratings else Clock(),
                sleep=sleep,
                most_seconds=lambda: (
                    SWEEP_SECONDS if is_sweep else min(LOOK_SECONDS, seconds_to_next_period())
                ),
                waited=SWEEP_AFTER if is_sweep else timedelta(),
                only_ratings=only_ratings,
            )
