"""What servers, workers and commands of tests run with: a Python and a Redis database.

The Python is that of those who install Rungs. `dev.py` makes it an environment that holds the
run-time requirements and nothing else, so that what only the tests' own packages bring cannot help
the product along.
"""

from __future__ import annotations

import os
import sys

PYTHON = os.environ.get("RUNGS_INSTALLED_PYTHON") or sys.executable


def redis_url() -> str:
    """Name a Redis database that no other worker of this run reads messages from."""
    url = os.environ.get("REDIS_URL", "")
    base, _, database = url.rpartition("/")
    number = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    return f"{base}/{(int(database) + int(number)) % 16}" if url else ""
