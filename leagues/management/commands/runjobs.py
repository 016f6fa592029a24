"""Run the jobs that wait in the database."""

from __future__ import annotations

import os
import signal
import time
from datetime import timedelta
from typing import Any

from django.core.management.base import CommandParser

from leagues.jobs.runner import drain, run_forever
from leagues.jobs.schedule import enqueue_due
from leagues.management.installed import InstalledCommand

SWEEP_AFTER = timedelta(seconds=5)


class Command(InstalledCommand):
    help = "Run waiting jobs until stopped; beside Celery workers, only what they left waiting."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--once", action="store_true", help="stop when nothing waits")
        parser.add_argument(
            "--sweep",
            action="store_true",
            help="take only what has waited 5 s: for use beside Celery workers",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["once"]:
            self.stdout.write(f"{drain()} jobs run")
            return
        stopping = False

        def stop(*_: object) -> None:
            nonlocal stopping
            stopping = True

        signal.signal(signal.SIGTERM, stop)
        signal.signal(signal.SIGINT, stop)
        parent = os.getppid()
        checked_at = 0.0

        def every() -> None:
            nonlocal checked_at
            if time.monotonic() - checked_at >= 1.0:
                checked_at = time.monotonic()
                if not options["sweep"]:
                    enqueue_due()

        run_forever(
            should_stop=lambda: stopping or os.getppid() != parent,
            every=every,
            pause_seconds=1.0 if options["sweep"] else 0.1,
            waited=SWEEP_AFTER if options["sweep"] else timedelta(),
        )
