"""Whoever is rated: a person, or a team that plays as one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Self

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from leagues.models.checks import readable_instant
from leagues.models.imprinted import ImprintedQuerySet
from leagues.models.league import League
from leagues.models.ledger import Revision
from leagues.store.hashes import hash_player


class PlayerQuerySet(models.QuerySet["Player"]):
    """Players, who are never stored without the hash of their identity."""

    def bulk_create(self, objs: Iterable[Player], *args: Any, **options: Any) -> list[Player]:
        """Insert players, each with the hash of its identity."""
        players = list(objs)
        for player in players:
            player.identity = hash_player(player.league_id, player.key, player.birth_year)
        return super().bulk_create(players, *args, **options)

    def listed(self) -> Self:
        """Those that pages, searches and names know: not of an import unfinished or undone."""
        return self.filter(is_listed=True)


class Player(models.Model):
    """A player of one league.

    `key` is public and the same in every database: given by an import or the API, else made from
    the name at creation. Arithmetic and digests take players in its order, so that database ids
    never reach a rating. `is_listed` is false while the import that brought the player is not
    finished, again after it was undone, and of whoever was merged into another player: names and
    keys that meant this one mean that one.
    """

    league = models.ForeignKey(League, models.CASCADE, related_name="players", db_index=False)
    key = models.CharField(max_length=128)
    name = models.CharField(_("name"), max_length=64)
    folded = models.CharField(max_length=192, editable=False)
    birth_year = models.PositiveSmallIntegerField(
        _("year of birth"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1800), MaxValueValidator(2200)],
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="players",
        verbose_name=_("account"),
    )
    revision = models.ForeignKey(
        Revision,
        models.SET_NULL,
        null=True,
        related_name="players",
        help_text="The revision that added the player.",
    )
    is_listed = models.BooleanField(default=True)
    merged_into = models.ForeignKey(
        "self",
        models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        db_index=False,
        related_name="merged",
        verbose_name=_("merged into"),
    )
    left_at = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text="When organizers said that the player no longer plays here.",
    )
    identity = models.CharField(
        max_length=64,
        blank=True,
        editable=False,
        help_text="SHA-256 of the key and the year of birth, which ratings depend on.",
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = PlayerQuerySet.as_manager()

    class Meta:
        ordering = ("name", "key")
        constraints = (
            models.UniqueConstraint(fields=["league", "key"], name="player_key_once"),
            models.CheckConstraint(condition=~models.Q(key=""), name="player_key_given"),
            models.CheckConstraint(
                condition=models.Q(merged_into__isnull=True)
                | (models.Q(is_listed=False) & ~models.Q(merged_into=models.F("id"))),
                name="player_merged_is_unlisted",
            ),
            readable_instant("player", "left_at"),
        )
        indexes = (
            models.Index(fields=["league", "folded"], name="player_by_name"),
            # To a planner the many players nobody has claimed make an account look like thousands.
            models.Index(
                fields=["user"], name="player_by_account", condition=models.Q(user__isnull=False)
            ),
            models.Index(
                fields=["league"], name="player_left", condition=models.Q(left_at__isnull=False)
            ),
            models.Index(
                fields=["merged_into"],
                name="player_merged",
                condition=models.Q(merged_into__isnull=False),
            ),
        )

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **options: Any) -> None:
        """Store the player; a new one with the hash of its identity, which stays."""
        if self._state.adding:
            self.identity = hash_player(self.league_id, self.key, self.birth_year)
        super().save(*args, **options)

    def survivor(self, known: Mapping[int, Player] = MappingProxyType({})) -> Player:
        """Who this player is by now: a merged one leads to another, maybe by several steps.

        `known` are players by their ids, who need not be read.
        """
        player = self
        while (key := player.merged_into_id) is not None:
            player = known[key] if key in known else Player.objects.get(pk=key)
        return player


class PlayerAlias(models.Model):
    """Another name that means the same player in this league.

    One that is not public is known to those who enter results, and leads nobody else to the player.
    """

    league = models.ForeignKey(League, models.CASCADE, related_name="aliases")
    player = models.ForeignKey(Player, models.CASCADE, related_name="aliases")
    name = models.CharField(max_length=64)
    folded = models.CharField(max_length=192, editable=False)
    is_public = models.BooleanField(_("everyone can see it"), default=False)

    objects = ImprintedQuerySet.as_manager()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["league", "folded"], name="alias_once"),)

    def __str__(self) -> str:
        return self.name
