"""Where tests find the data sets that are not part of the repository."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[1].parent / "shared"


def shared_data(name: str) -> Path:
    """Return the path of a shared data set; the test is skipped where it is not there."""
    path = SHARED / "data" / name
    if not path.exists():
        pytest.skip(f"needs ../shared/data/{name}")
    return path
