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
from leagues.store.memory import Memory
from leagues.store.name_words import (
    MAX_WORDS_LENGTH,
    FromWord,
    HasWord,
    begin_words,
    words_of,
)
from leagues.store.search import named_like

MAX_LOOKED_THROUGH = 10_000
"""The players of a league in whose names a search looks for letters anywhere: some milliseconds."""
MAX_REMEMBERED = 1_000
"""Leagues of more that a process remembers."""


class PlayerQuerySet(models.QuerySet["Player"]):
    """Players, who are never stored without the hash of their identity."""

    def bulk_create(self, objs: Iterable[Player], *args: Any, **options: Any) -> list[Player]:
        """Insert players, each with the hash of its identity."""
        players = list(objs)
        for player in players:
            player.identity = hash_player(player.league_id, player.key, player.birth_year)
            player.words = words_of(player.name)
        return super().bulk_create(players, *args, **options)

    def listed(self) -> Self:
        """Those that pages, searches and names know: not of an import unfinished or undone."""
        return self.filter(is_listed=True)

    def named(self, query: str, league: League) -> Self:
        """Those of a league whom a search by name finds, for a list in an order of its own.

        As a set of keys: with the condition itself PostgreSQL may walk through all in that order.
        """
        if not has_many_players(league):
            return self.filter(named_like(query))
        return self.with_words([query], league)

    def with_words(self, queries: Iterable[str], league: League) -> Self:
        """Those of a league whose name has a word that begins like any of these, and goes on so."""
        whole = Player.objects.filter(league=league).order_by().values("pk")
        found = [whole.filter(begins) for query in queries for begins in begin_words(query)]
        return self.filter(pk__in=found[0].union(*found[1:], all=True))


_has_many: Memory[bool] = Memory(MAX_REMEMBERED)


def has_many_players(league: League) -> bool:
    """Whether a league has so many players that no search looks through all their names."""
    # It stays one: players are merged and hidden, and hardly ever deleted.
    key = league.pk, league.created_at
    if not _has_many.get(key):
        beyond = Player.objects.filter(league=league).order_by("folded")
        if not beyond[MAX_LOOKED_THROUGH : MAX_LOOKED_THROUGH + 1].exists():
            return False
        _has_many.put(key, True, 1)
    return True


def name_condition(league: League, query: str, to_player: str = "") -> models.Q:
    """The condition of players of a league whom a search by name finds, or of rows of theirs.

    In a league of very many players it finds whose name has a word that begins so, which indexes
    tell; in others everyone with the letters of each word anywhere.
    """
    if not has_many_players(league):
        return named_like(query, f"{to_player}folded")
    conditions = begin_words(query, f"{to_player}words")
    return models.Q(*conditions, _connector=models.Q.OR)


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
    words = models.CharField(
        max_length=MAX_WORDS_LENGTH,
        blank=True,
        default="",
        editable=False,
        help_text="The words of the name in plain letters, by which searches find it.",
    )
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
            models.Index("league", FromWord("words", word=1), name="player_by_words"),
            *(
                models.Index(
                    "league",
                    FromWord("words", word=word),
                    name=f"player_by_{order}_word",
                    condition=models.Q(HasWord("words", word=word)),
                )
                for word, order in ((2, "second"), (3, "third"), (0, "last"))
            ),
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
        """Store the player with the words of the name; a new one with its hash, which stays."""
        self.words = words_of(self.name)
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
