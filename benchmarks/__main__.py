"""Choose what to measure."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks import (
    append,
    corrections,
    crowd,
    evening,
    events,
    gamelogs,
    growth,
    heavy,
    imports,
    kernels,
    latency,
    page_sizes,
    pages,
    previews,
    public,
    ranks,
    replay,
    serving,
    submit,
)
from benchmarks.report import Report

SUBJECTS: dict[str, Callable[[Report], None]] = {
    "append": append.measure,
    "corrections": corrections.measure,
    "crowd": crowd.measure,
    "evening": evening.measure,
    "events": events.measure,
    "gamelogs": gamelogs.measure,
    "import": imports.measure,
    "kernels": kernels.measure,
    "latency": latency.measure,
    "growth": growth.measure,
    "pages": pages.measure,
    "previews": previews.measure,
    "public": public.measure,
    "ranks": ranks.measure,
    "replay": replay.measure,
    "page-sizes": page_sizes.measure,
    "heavy": heavy.measure,
    "serving": serving.measure,
    "submit": submit.measure,
}


def main() -> int:
    """Measure the chosen subjects; exit code 1 if a bar is missed."""
    parser = argparse.ArgumentParser(prog="dev.py bench", description=__doc__)
    parser.add_argument("subjects", nargs="*", metavar="subject", help=", ".join(SUBJECTS))
    parser.add_argument("--size", type=int, metavar="N", help="matches of the largest league")
    parser.add_argument("--postgres", metavar="URL", help="measure on PostgreSQL")
    parser.add_argument("--redis", metavar="URL", help="serve pages with Redis")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures as JSON too")
    options = parser.parse_args()
    unknown = [name for name in options.subjects if name not in SUBJECTS]
    if unknown:
        parser.error(f"no such subject: {', '.join(unknown)} (there are: {', '.join(SUBJECTS)})")
    if options.postgres:
        os.environ["DATABASE_URL"] = options.postgres
    if options.redis:
        os.environ["REDIS_URL"] = options.redis
    sized = {
        "append": append.measure,
        "corrections": corrections.measure,
        "evening": evening.measure,
        "import": imports.measure,
        "latency": latency.measure,
        "pages": pages.measure,
        "page-sizes": page_sizes.measure,
        "ranks": ranks.measure,
        "replay": replay.measure,
    }
    subjects = SUBJECTS | {
        name: partial(subject, size=options.size) for name, subject in sized.items()
    }
    report = Report()
    for name in options.subjects or SUBJECTS:
        subjects[name](report)
    if options.json:
        report.write(options.json)
    return 0 if report.all_met else 1


if __name__ == "__main__":
    sys.exit(main())
