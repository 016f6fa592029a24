"""The API's views: each gets its objects from `leagues.access` and hands the work on."""

from __future__ import annotations
