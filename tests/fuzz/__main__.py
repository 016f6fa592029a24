"""Choose what to fuzz."""

from __future__ import annotations

import argparse
import os
import sys

import django


def main() -> int:
    """Fuzz the readers of logs; exit code 1 if something broke."""
    parser = argparse.ArgumentParser(prog="dev.py fuzz", description=__doc__)
    parser.add_argument("subject", choices=["logs"])
    parser.add_argument("--lines", type=int, default=100_000, help="mutated lines of each format")
    parser.add_argument("--seed", type=int, default=1, help="the same seed makes the same logs")
    parser.add_argument("--format", default="", help="one format only")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from tests.fuzz.logs import FORMATS, fuzz

    if options.format and options.format not in FORMATS:
        parser.error(f"there is no format {options.format} (there are: {', '.join(FORMATS)})")
    is_sound = True
    for name in [options.format] if options.format else FORMATS:
        outcome = fuzz(name, lines=options.lines, seed=options.seed)
        print(outcome, flush=True)
        is_sound = is_sound and not outcome.broken
    return 0 if is_sound else 1


if __name__ == "__main__":
    sys.exit(main())
