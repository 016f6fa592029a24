"""The settings of an installation, with the floor's addresses beside its own."""

from __future__ import annotations

from config.settings import *  # noqa: F403

ROOT_URLCONF = "benchmarks.floor.urls"
