"""The results of an evening while somebody is still typing them."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone

from leagues.models.league import League, Mode


class NightSheet(models.Model):
    """Lines of results that nobody but their author sees; deleted when they are entered."""

    league = models.ForeignKey(League, models.CASCADE, related_name="night_sheets")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    mode = models.ForeignKey(Mode, models.CASCADE, related_name="+")
    day = models.DateField(help_text="When matches were played of which no line says another day.")
    text = models.TextField(blank=True)
    answers = models.JSONField(
        default=dict, help_text="Whom names mean: a player's key, or “new”, by folded name."
    )
    line_modes = models.JSONField(
        default=dict,
        help_text="What lines are recorded in that the mode is not for: its slug, by their shape.",
    )
    present = models.JSONField(default=list, help_text="The names of those who are there.")
    origins = models.JSONField(
        default=list, help_text="The undone changes whose lines were put on it: their ids."
    )
    key = models.UUIDField(default=uuid.uuid4, help_text="The name under which it is entered once.")
    version = models.PositiveIntegerField(default=1)
    writer = models.CharField(
        max_length=36, blank=True, help_text="The opened page that saved this version."
    )
    updated_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["league", "author"], name="night_sheet_once"),
        )

    def __str__(self) -> str:
        return f"night sheet of {self.author_id} in {self.league_id}"
