"""A results file on its way in."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from leagues.models.league import League, Mode, Season
from leagues.models.ledger import Revision


class Upload(models.Model):
    """The bytes of a file, kept until its import is over, so that a killed import starts again."""

    league = models.ForeignKey(League, models.CASCADE, related_name="uploads")
    season = models.ForeignKey(Season, models.CASCADE, related_name="+")
    mode = models.ForeignKey(Mode, models.CASCADE, related_name="+")
    name = models.CharField(max_length=120)
    content = models.BinaryField()
    options = models.JSONField(default=dict, help_text="Layout, date order, and what to leave out.")
    report = models.JSONField(null=True, help_text="The findings of the check.")
    revision = models.OneToOneField(Revision, models.SET_NULL, null=True, related_name="upload")
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return self.name
