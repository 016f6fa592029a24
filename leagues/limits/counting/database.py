"""Counting in the database, for several processes without Redis: a row for each key in use."""

from __future__ import annotations

import hashlib

from django.db import connection
from django.db.models import F

from leagues.models import LimitUse

# One statement, so that no two requests count on the same number; one too many writes nothing.
_TAKE = """INSERT INTO leagues_limituse AS used (key, ends_at) VALUES (%(key)s, %(now)s + %(step)s)
ON CONFLICT (key) DO UPDATE
SET ends_at = (CASE WHEN used.ends_at > %(now)s THEN used.ends_at ELSE %(now)s END) + %(step)s
WHERE (CASE WHEN used.ends_at > %(now)s THEN used.ends_at ELSE %(now)s END) + %(step)s
    <= %(now)s + %(reach)s
"""


class Database:
    """Rows that everybody shares; the ones that are over are deleted by the hourly tidying."""

    def take(self, name: str, key: str, *, step: float, reach: float, now: float) -> float:
        """Count a use of a key; return the seconds until one is allowed where none is now."""
        hashed = _hash(name, key)
        with connection.cursor() as cursor:
            cursor.execute(_TAKE, {"key": hashed, "now": now, "step": step, "reach": reach})
            if cursor.rowcount:
                return 0.0
        ends_at = LimitUse.objects.filter(key=hashed).values_list("ends_at", flat=True).first()
        return max((ends_at or now) + step - now - reach, 0.001)

    def give_back(self, name: str, key: str, *, step: float, now: float) -> None:
        """Uncount a use."""
        row = LimitUse.objects.filter(key=_hash(name, key), ends_at__gt=now)
        row.update(ends_at=F("ends_at") - step)


def forget_ended(now: float) -> None:
    """Delete the rows of whoever may use everything again."""
    LimitUse.objects.filter(ends_at__lt=now).delete()


def _hash(name: str, key: str) -> str:
    """The key of a row: the database does not learn who it is."""
    return hashlib.sha256(f"{name} {key}".encode()).hexdigest()[:40]


PLACE = Database()
