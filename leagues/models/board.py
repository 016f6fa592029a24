"""What is computed: boards, their standings and histories. All of it can be thrown away."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from leagues.models.checks import between, one_of, readable_instant
from leagues.models.league import League, Mode, Season
from leagues.models.player import Player

SHOWN_LIMIT = 1e9


class BoardState(models.TextChoices):
    READY = "ready", _("ready")
    PAUSED = "paused", _("paused")


class Board(models.Model):
    """One season and mode rated by one system.

    Readers see the rows of `generation` only. `frontier` is the number of the season's revision
    up to which the ratings are computed; not positive: they start from the first match. The last
    rated match is (`last_at`, `last_hint`, `last_seq`) in the order of replay.
    """

    State = BoardState

    league = models.ForeignKey(League, models.CASCADE, related_name="boards")
    season = models.ForeignKey(Season, models.CASCADE, related_name="boards")
    mode = models.ForeignKey(Mode, models.PROTECT, related_name="boards")
    system = models.CharField(_("rating system"), max_length=24)
    slug = models.SlugField(max_length=60)
    name = models.CharField(_("name"), max_length=64)
    position = models.PositiveSmallIntegerField(default=0)
    parameters = models.JSONField(default=dict, blank=True)
    state = models.CharField(max_length=8, choices=State, default=State.READY)
    problem = models.TextField(blank=True)
    generation = models.PositiveIntegerField(default=0)
    last_generation = models.PositiveIntegerField(default=0)
    frontier = models.BigIntegerField(default=0)
    last_at = models.DateTimeField(null=True, blank=True)
    last_hint = models.BigIntegerField(null=True, blank=True)
    last_seq = models.BigIntegerField(null=True, blank=True)
    rated_matches = models.BigIntegerField(default=0)
    refused_matches = models.BigIntegerField(default=0)
    board_state = models.BinaryField(
        default=b"", help_text="What is nobody's alone: the ladder's order, a running mean."
    )
    computed_at = models.DateTimeField(null=True, blank=True)
    math_fingerprint = models.CharField(max_length=64, blank=True)
    verified_at = models.DateTimeField(null=True, blank=True)
    verified_frontier = models.BigIntegerField(null=True, blank=True)
    differences = models.BigIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ("season", "mode__position", "mode", "position", "pk")
        constraints = (
            models.UniqueConstraint(fields=["season", "slug"], name="board_slug_once"),
            one_of("board", "state", BoardState),
        )

    def __str__(self) -> str:
        return self.name


class Standing(models.Model):
    """Where one player stands on a board: the exact state, and what pages need of it.

    `state` holds the system's columns as little-endian 64-bit floats. `place_value` is the shown
    value in units of its last digit, negated where a lower one is better: standings are ordered by
    it, equal ones share a rank. The `_until` moments say how long
    the player stays sure, fairly sure and active without another match.
    """

    league = models.ForeignKey(League, models.CASCADE, related_name="+", db_constraint=False)
    board = models.ForeignKey(Board, models.CASCADE, related_name="standings", db_constraint=False)
    generation = models.PositiveIntegerField()
    player = models.ForeignKey(
        Player, models.CASCADE, related_name="standings", db_constraint=False
    )
    state = models.BinaryField()
    shown = models.FloatField()
    place_value = models.BigIntegerField()
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    games = models.PositiveIntegerField()
    won = models.PositiveIntegerField()
    drawn = models.PositiveIntegerField()
    lost = models.PositiveIntegerField()
    form = models.CharField(max_length=10)
    streak = models.IntegerField()
    last_played_at = models.DateTimeField()
    fairly_sure_until = models.DateTimeField(null=True)
    sure_until = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["board", "generation", "player"], name="standing_once"),
            between("standing", "shown", -SHOWN_LIMIT, SHOWN_LIMIT),
            between("standing", "low", -SHOWN_LIMIT, SHOWN_LIMIT),
            between("standing", "high", -SHOWN_LIMIT, SHOWN_LIMIT),
            readable_instant("standing", "last_played_at"),
        )
        indexes = (
            models.Index(
                fields=["board", "generation", "-place_value", "player"], name="standing_by_place"
            ),
        )

    def __str__(self) -> str:
        return f"{self.player_id} on board {self.board_id}"


class RatingSegment(models.Model):
    """Up to 256 consecutive points of one player's history, packed by `leagues.segments`."""

    league = models.ForeignKey(League, models.CASCADE, related_name="+", db_constraint=False)
    board = models.ForeignKey(Board, models.CASCADE, related_name="segments", db_constraint=False)
    generation = models.PositiveIntegerField()
    player = models.ForeignKey(Player, models.CASCADE, related_name="+", db_constraint=False)
    number = models.PositiveIntegerField()
    count = models.PositiveSmallIntegerField()
    data = models.BinaryField()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["board", "generation", "player", "number"], name="segment_once"
            ),
            between("segment", "count", 1, 256),
        )

    def __str__(self) -> str:
        return f"segment {self.number} of {self.player_id} on board {self.board_id}"
