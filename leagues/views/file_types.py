"""The types of the files that pages offer."""

from __future__ import annotations

CSV = "text/csv; charset=utf-8"
JSON = "application/json"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
ZIP = "application/zip"
