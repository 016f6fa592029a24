"""The site admin's view of everything (reliability S-24).

Facts, ratings, settings and records are shown and not edited here: a site admin changes them on
the league's own pages, where one service stands behind every door. Accounts are kept here, and
players renamed.
"""

from __future__ import annotations

from leagues.admin import accounts, computed, facts, leagues, records, site

__all__ = ["accounts", "computed", "facts", "leagues", "records", "site"]
