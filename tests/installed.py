"""The Python of those who install Rungs: servers, workers and commands run by it in tests.

`dev.py` makes it an environment that holds the run-time requirements and nothing else, so that
what only the tests' own packages bring cannot help the product along.
"""

from __future__ import annotations

import os
import sys

PYTHON = os.environ.get("RUNGS_INSTALLED_PYTHON") or sys.executable
