"""The API: what programs read and send, under `/api/v1/`; see docs/api.md."""

from __future__ import annotations
