"""What is computed: boards, their standings and histories. All of it can be thrown away."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from leagues.models.checks import between, one_of, readable_instant
from leagues.models.imprinted import ImprintedQuerySet
from leagues.models.league import League, Mode, Season
from leagues.models.ledger import Revision
from leagues.models.player import Player

if TYPE_CHECKING:
    from leagues.domain.ranking import RankingRule

SHOWN_LIMIT = 1e9


def parameters_json(parameters: Mapping[str, Any]) -> str:
    """The parameters of a system as text: the same for the same ones."""
    return json.dumps(parameters, sort_keys=True)


class BoardState(models.TextChoices):
    READY = "ready", _("ready")
    PAUSED = "paused", _("paused")


class Board(models.Model):
    """One season and mode rated by one system.

    Readers see the rows of `generation` only. The ratings are computed up to the season's revision
    `rated_through_revision`; not positive: they start from the first match. The last rated match
    is (`last_at`, `last_same_time_order`, `last_seq`) in the order of replay.

    `parameters` are the newest rules, by which the board is to be rated. What it shows was rated by
    `rated_rules`, which may be older ones until it has been computed again.
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
    rules_since = models.DateTimeField(
        null=True,
        blank=True,
        help_text="When these parameters take effect; before that, older rules apply.",
    )
    rated_rules = models.JSONField(
        default=list,
        blank=True,
        help_text="The rules of the published generation, oldest first, each with the time it "
        "takes effect (null: from the first match) and its parameters.",
    )
    state = models.CharField(max_length=8, choices=State, default=State.READY)
    problem = models.TextField(blank=True)
    generation = models.PositiveIntegerField(default=0)
    last_generation = models.PositiveIntegerField(default=0)
    rated_through_revision = models.BigIntegerField(default=0)
    last_at = models.DateTimeField(null=True, blank=True)
    last_same_time_order = models.BigIntegerField(null=True, blank=True)
    last_seq = models.BigIntegerField(null=True, blank=True)
    rated_matches = models.BigIntegerField(default=0)
    refused_matches = models.BigIntegerField(default=0)
    board_state = models.BinaryField(
        default=b"",
        help_text="State that all players share: the order of a ladder, a running mean.",
    )
    start_board_state = models.BinaryField(
        default=b"", help_text="The shared state that was carried over from the previous season."
    )
    start_parameters = models.JSONField(
        default=dict,
        blank=True,
        help_text="The parameters of the board when ratings were carried over into it.",
    )
    decayed_until = models.DateTimeField(
        null=True, blank=True, help_text="The time up to which inactivity has been applied."
    )
    seal = models.CharField(
        max_length=64, blank=True, help_text="Its digest when the season was sealed."
    )
    computed_at = models.DateTimeField(null=True, blank=True)
    math_fingerprint = models.CharField(max_length=64, blank=True)
    verified_at = models.DateTimeField(
        null=True, blank=True, help_text="When all results were last replayed to check the board."
    )
    verified_matches = models.BigIntegerField(
        null=True, blank=True, help_text="How many results the last verification replayed."
    )
    changes_verified_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="When the changes since then were last checked; null: there has been no need.",
    )
    verified_through_revision = models.BigIntegerField(
        null=True,
        blank=True,
        help_text="The revision up to which this generation is checked; null: not at all.",
    )
    differences = models.BigIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    has_open_matches: bool | None = None
    """Whether started matches of its season and mode are open, where that was read along."""

    _shown_json: tuple[dict[str, Any], str] | None = None

    objects = ImprintedQuerySet.as_manager()

    class Meta:
        ordering = ("season", "mode__position", "mode", "position", "pk")
        constraints = (
            models.UniqueConstraint(fields=["season", "slug"], name="board_slug_once"),
            one_of("board", "state", BoardState),
            readable_instant("board", "rules_since"),
            readable_instant("board", "decayed_until"),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def shown_parameters(self) -> dict[str, Any]:
        """The parameters of what the board shows, which belong beside it."""
        parameters: dict[str, Any] = (
            self.rated_rules[-1][1] if self.rated_rules else self.parameters
        )
        return parameters

    @property
    def shown_json(self) -> str:
        """`shown_parameters` as text, by which systems and standings in memory are found.

        Written once for one object: whoever changes parameters sets other ones.
        """
        parameters = self.shown_parameters
        if self._shown_json is None or self._shown_json[0] is not parameters:
            self._shown_json = parameters, parameters_json(parameters)
        return self._shown_json[1]

    @property
    def ranked_after(self) -> int:
        """The results that rank a player: by the league's rule, once sealed by that of then."""
        sealed = self.season.sealed_ranked_after
        return self.league.ranked_after if sealed is None else sealed

    @property
    def active_days(self) -> int:
        """The days after which a player counts as inactive; once sealed, as it was then."""
        sealed = self.season.sealed_active_days
        return self.league.active_days if sealed is None else sealed


def is_current(board: Board) -> Q:
    """Whether readers of a board see a standing."""
    return Q(board_id=board.pk, generation=board.generation)


def is_ranked(rule: RankingRule) -> Q:
    """Whether a rule ranks the player of a standing."""
    return Q(games__gte=rule.least_games, last_played_at__gte=rule.active_since)


class StandingQuerySet(models.QuerySet["Standing"]):
    """Standings, by what pages and services ask of them."""

    def current(self, board: Board) -> Self:
        """Those that readers of a board see."""
        return self.filter(is_current(board))

    def ranked(self, rule: RankingRule) -> Self:
        """Those of players whom a rule ranks."""
        return self.filter(is_ranked(rule))

    def absent(self, rule: RankingRule) -> Self:
        """Those of players who have enough results, but whom a rule counts as inactive."""
        return self.filter(games__gte=rule.least_games, last_played_at__lt=rule.active_since)

    def above(self, place_value: int) -> Self:
        """Those that stand above a place value."""
        return self.filter(place_value__gt=place_value)

    def best_first(self) -> Self:
        """In the order of a leaderboard; equal ones by their keys."""
        return self.order_by("-place_value", "player__key")


class Standing(models.Model):
    """Where one player stands on a board: the exact state, and what pages need of it.

    `state` holds the system's columns as little-endian 64-bit floats. `place_value` is the shown
    value in units of its last digit, negated where a lower one is better: standings are ordered by
    it, equal ones share a rank. The `_until` moments say how long the player stays sure and fairly
    sure without another match.
    """

    league = models.ForeignKey(
        League, models.CASCADE, related_name="+", db_constraint=False, db_index=False
    )
    board = models.ForeignKey(
        Board, models.CASCADE, related_name="standings", db_constraint=False, db_index=False
    )
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

    objects = StandingQuerySet.as_manager()

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
    """Up to 256 consecutive points of one player's history, packed by `leagues.store.segments`."""

    league = models.ForeignKey(
        League, models.CASCADE, related_name="+", db_constraint=False, db_index=False
    )
    board = models.ForeignKey(
        Board, models.CASCADE, related_name="segments", db_constraint=False, db_index=False
    )
    generation = models.PositiveIntegerField()
    player = models.ForeignKey(Player, models.CASCADE, related_name="+", db_constraint=False)
    number = models.PositiveIntegerField()
    count = models.PositiveSmallIntegerField()
    data = models.BinaryField()
    expected = models.BinaryField(
        default=b"", help_text="The expected score of the player's side in each match, 0 to 1."
    )

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["board", "generation", "player", "number"], name="segment_once"
            ),
            between("segment", "count", 1, 256),
        )

    def __str__(self) -> str:
        return f"segment {self.number} of {self.player_id} on board {self.board_id}"


class RevisedRating(models.Model):
    """What a revision of older results changed in a rating whose player did not play.

    Noted when a board is rated, for the profile to tell; no arithmetic reads it. True once the
    board has come to `generation`.
    """

    league = models.ForeignKey(League, models.CASCADE, related_name="+", db_constraint=False)
    board = models.ForeignKey(Board, models.CASCADE, related_name="revised", db_constraint=False)
    player = models.ForeignKey(Player, models.CASCADE, related_name="revised", db_constraint=False)
    generation = models.PositiveIntegerField(default=0)
    revision = models.ForeignKey(Revision, models.CASCADE, related_name="revised")
    match = models.ForeignKey(
        "leagues.Match",
        models.CASCADE,
        null=True,
        related_name="+",
        help_text="The match that was changed or added, if it was only one.",
    )
    before = models.FloatField()
    after = models.FloatField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["player", "board", "revision"], name="revised_once"),
            between("revised", "before", -SHOWN_LIMIT, SHOWN_LIMIT),
            between("revised", "after", -SHOWN_LIMIT, SHOWN_LIMIT),
        )

    def __str__(self) -> str:
        return f"{self.player_id} revised on board {self.board_id}"


class StartingStateQuerySet(ImprintedQuerySet["StartingState"]):
    """What players brought, by what was given and what was carried over."""

    def from_elsewhere(self) -> Self:
        """Those that an organizer gave."""
        return self.filter(rating__isnull=False)

    def carried_over(self) -> Self:
        """Those that were carried over, also where another rating was given in their place."""
        return self.filter(Q(rating__isnull=True) | ~Q(carried_state=b""))


class StartingState(models.Model):
    """What one player brought to a board; a fact, in the columns of `Standing.state`.

    It was carried over from the former season, or an organizer gave it (`services.starts`): then
    `rating` and `source` say what and from where, and `carried_state` is what it stands in for.
    """

    league = models.ForeignKey(League, models.CASCADE, related_name="+", db_constraint=False)
    board = models.ForeignKey(Board, models.CASCADE, related_name="starting_states")
    player = models.ForeignKey(Player, models.PROTECT, related_name="+")
    state = models.BinaryField()
    rating = models.FloatField(null=True, help_text="As it was given; null: carried over.")
    deviation = models.FloatField(null=True, help_text="As it was given; null: a newcomer's.")
    source = models.CharField(max_length=80, blank=True)
    carried_state = models.BinaryField(
        default=b"", help_text="What was carried over, where another rating was given in its place."
    )

    objects = StartingStateQuerySet.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["board", "player"], name="starting_state_once"),
            between("starting_state", "rating", -SHOWN_LIMIT, SHOWN_LIMIT),
            between("starting_state", "deviation", 0, SHOWN_LIMIT),
            models.CheckConstraint(
                condition=Q(rating__isnull=True, source="")
                | (Q(rating__isnull=False) & ~Q(source="")),
                name="starting_state_has_source",
            ),
            models.CheckConstraint(
                condition=Q(rating__isnull=False) | Q(deviation__isnull=True),
                name="starting_state_deviation_of_rating",
            ),
        )

    def __str__(self) -> str:
        return f"start of {self.player_id} on board {self.board_id}"


class BoardRules(models.Model):
    """The parameters of a board from a moment on; without one, from the first match on.

    The newest stand on the board too. Versions that a later one replaced stay, so that the rules
    page can say what held when.
    """

    league = models.ForeignKey(League, models.CASCADE, related_name="+", db_constraint=False)
    board = models.ForeignKey(Board, models.CASCADE, related_name="rules")
    number = models.PositiveIntegerField()
    effective_at = models.DateTimeField(null=True)
    is_replaced = models.BooleanField(default=False)
    parameters = models.JSONField()
    reason = models.CharField(_("reason"), max_length=200, blank=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = ImprintedQuerySet.as_manager()

    class Meta:
        ordering = ("board", "number")
        verbose_name_plural = "board rules"
        constraints = (
            models.UniqueConstraint(fields=["board", "number"], name="rules_number_once"),
            readable_instant("rules", "effective_at"),
        )

    def __str__(self) -> str:
        return f"rules {self.number} of board {self.board_id}"


class PackedStandings(models.Model):
    """All standings of a board, packed: what its prepared days are told apart from."""

    league = models.ForeignKey(League, models.CASCADE, related_name="+", db_constraint=False)
    board = models.ForeignKey(Board, models.CASCADE, related_name="+", db_constraint=False)
    data = models.BinaryField()

    class Meta:
        verbose_name_plural = "packed standings"

    def __str__(self) -> str:
        return f"standings of board {self.board_id}"


class BoardDay(models.Model):
    """The standings of a board as they were at a moment, packed; computed, and thrown away.

    True as long as the board shows `generation`, of a moment that further matches could still come
    before only as of `computed_at`.
    """

    league = models.ForeignKey(League, models.CASCADE, related_name="+", db_constraint=False)
    board = models.ForeignKey(Board, models.CASCADE, related_name="days", db_constraint=False)
    generation = models.PositiveIntegerField()
    at = models.DateTimeField()
    computed_at = models.DateTimeField(
        null=True,
        help_text="The computation of the board that this belongs to; null: this one and all that "
        "follow.",
    )
    rated_matches = models.BigIntegerField()
    players = models.PositiveIntegerField()
    base = models.ForeignKey(PackedStandings, models.CASCADE, related_name="days")
    changes = models.BinaryField(
        help_text="The players whose rows differ from the base; empty: none."
    )
    played = models.JSONField(
        null=True,
        help_text="The number of results of each civil day before `at`; null: not counted.",
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["board", "generation", "at"], name="board_day_once"),
            readable_instant("board_day", "at"),
        )

    def __str__(self) -> str:
        return f"board {self.board_id} at {self.at}"


class TrialKind(models.TextChoices):
    BACKTEST = "backtest", _("systems compared")
    RULES = "rules", _("other parameters tried")


class Trial(models.Model):
    """What other rules would have made of a season's results; changes nothing."""

    Kind = TrialKind

    league = models.ForeignKey(League, models.CASCADE, related_name="trials")
    season = models.ForeignKey(Season, models.CASCADE, related_name="trials")
    mode = models.ForeignKey(Mode, models.CASCADE, related_name="+")
    board = models.ForeignKey(Board, models.CASCADE, null=True, related_name="trials")
    kind = models.CharField(max_length=8, choices=Kind)
    system = models.CharField(max_length=24, blank=True)
    parameters = models.JSONField(default=dict)
    options = models.JSONField(default=dict)
    rated_through_revision = models.BigIntegerField(default=0)
    report = models.JSONField(null=True)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-created_at", "-pk")
        constraints = (one_of("trial", "kind", TrialKind),)
        indexes = (models.Index(fields=["season", "mode", "kind", "-created_at"], name="trial_by"),)

    def __str__(self) -> str:
        return f"{self.kind} of season {self.season_id}"
