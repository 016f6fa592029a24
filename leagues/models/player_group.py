"""Groups of players: clubs, teams, countries; by them standings are filtered, nothing is rated."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from leagues.models.checks import one_of
from leagues.models.league import League
from leagues.models.player import Player


class GroupKind(models.TextChoices):
    CLUB = "club", _("Club")
    TEAM = "team", _("Team")
    COUNTRY = "country", _("Country")


class PlayerGroup(models.Model):
    """The one group of a kind that a player belongs to, in free words."""

    Kind = GroupKind

    league = models.ForeignKey(League, models.CASCADE, related_name="+")
    player = models.ForeignKey(Player, models.CASCADE, related_name="groups")
    kind = models.CharField(max_length=8, choices=GroupKind)
    name = models.CharField(max_length=64)
    folded = models.CharField(max_length=192, editable=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["player", "kind"], name="player_group_once"),
            one_of("playergroup", "kind", GroupKind),
            models.CheckConstraint(condition=~models.Q(folded=""), name="group_named"),
        )
        indexes = (models.Index(fields=["league", "kind", "folded"], name="player_group_members"),)

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.name}"
