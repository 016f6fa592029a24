#!/usr/bin/env python3
"""Run an administrative command of Rungs."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Hand the command line to Django."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        from django.core.management import execute_from_command_line  # noqa: PLC0415
    except ImportError:
        sys.exit("Django is not installed in this Python. Use: python3 dev.py manage ...")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
