"""Small files of results."""

from __future__ import annotations


def table(*rows: str) -> str:
    return "\n".join(("date,winner,loser,winner_score,loser_score", *rows)) + "\n"


EVENING = table("2026-01-05,Ana,Bo,3,1", "2026-01-05,Cy,Dee,3,2", "2026-01-05,Ana,Cy,3,0")
BAD = EVENING + "2026-01-06,Ana,Ana,3,1\n2026-13-01,Ana,Bo,3,1\n"
GHOSTS = EVENING + "2199-01-06,Zed,Quo,3,1\n2026-01-07,Ana,Eve,2,1\n"
"""The row before the last one lies in the future, and nobody else names its players."""
EITHER = "date,winner,loser\n03/04/2026,Ana,Bo\n05/06/2026,Bo,Ana\n"
"""Dates that may begin with the day or with the month."""
NAMELESS = "2026-01-05,Ana,Bo,3,1\n2026-01-06,Cy,Dee,3,2\n"
SCHEDULE = "date,home,away\n2026-01-05,Ana,Bo\n2026-01-06,Cy,Dee\n"
HOSTILE = "<script>alert(1)</script>"
