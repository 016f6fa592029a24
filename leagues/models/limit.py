"""Uses of what is limited, where several processes count them together in the database."""

from __future__ import annotations

from django.db import models

from leagues.models.checks import between


class LimitUse(models.Model):
    """Until when a key's uses last, in seconds since 1970; the key is a hash."""

    key = models.CharField(max_length=40, primary_key=True)
    ends_at = models.FloatField(db_index=True)

    class Meta:
        constraints = (between("limituse", "ends_at", 0.0, 1e11),)

    def __str__(self) -> str:
        return self.key
