"""The site admin's view of everything (reliability S-24).

Facts, ratings, settings and records are shown and not edited here. What can be done with them is
a button that leads to a page which says what it will do, and the service behind it is the one
behind the league's own pages. Accounts are kept here, and players renamed.
"""

from __future__ import annotations

from leagues.admin import accounts, boards, facts, leagues, records, seasons, site

__all__ = ["accounts", "boards", "facts", "leagues", "records", "seasons", "site"]
