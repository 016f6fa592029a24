"""A league, who has a say in it, its modes and its seasons."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import CheckConstraint, F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from leagues.domain.age_classes import MAX_LETTERS
from leagues.domain.civil_days import day_of, start_of_day, zone_names
from leagues.domain.named_weights import (
    LEAST_WEIGHT,
    MAX_KINDS,
    MAX_NAME,
    MOST_WEIGHT,
    NamedWeight,
    known_weights,
)
from leagues.domain.score_rules import (
    MAX_LENGTH,
    ScoreRule,
    UnreadableRule,
    known_rule,
    read_rule,
)
from leagues.domain.who_plays import EntryShape
from leagues.models.checks import between, one_of, readable_instant
from leagues.models.imprinted import ImprintedQuerySet

RESERVED_SLUGS = frozenset(
    (
        *("about", "account", "accounts", "admin", "api", "aux", "con", "docs", "favicon"),
        *("feed", "health", "help", "league", "leagues", "login", "logout", "media", "new"),
        *("nul", "robots", "rules", "setup", "sitemap", "static"),
    )
)


def validate_slug(value: str) -> None:
    """Refuse addresses that are taken by the site itself (reliability B-12)."""
    if value in RESERVED_SLUGS:
        raise ValidationError(_("This address is reserved."), code="reserved")


def validate_zone(value: str) -> None:
    """Accept names of the zone database only; paths and inventions never reach ZoneInfo."""
    if value not in zone_names():
        raise ValidationError(_("There is no time zone “%(zone)s”."), "zone", {"zone": value[:64]})


def validate_score_rule(value: str) -> None:
    """Refuse words that are no score rule."""
    try:
        read_rule(value)
    except UnreadableRule as error:
        raise ValidationError(_("This is not a score rule."), code="score_rule") from error


def validate_named_weights(value: object) -> None:
    """Refuse what is no list of names, each with a weight."""
    if not isinstance(value, list) or len(value) > MAX_KINDS or not all(map(_is_named, value)):
        raise ValidationError(_("This is not a list of kinds of match."), code="named_weights")


def _is_named(pair: object) -> bool:
    return (
        isinstance(pair, list)
        and len(pair) == 2
        and isinstance(pair[0], str)
        and 0 < len(pair[0]) <= MAX_NAME
        and isinstance(pair[1], float)
        and LEAST_WEIGHT <= pair[1] <= MOST_WEIGHT
    )


class LeagueVisibility(models.TextChoices):
    PUBLIC = "public", _("public: listed, anyone may read")
    UNLISTED = "unlisted", _("unlisted: anyone with the link may read")
    PRIVATE = "private", _("private: members only")


class LeagueWalkovers(models.TextChoices):
    UNRATED = "unrated", _("walkovers are listed and do not count")
    WIN = "win", _("a walkover counts as a win without a score")


class League(models.Model):
    """Results of one group of people or teams, with its own rules, seasons and boards."""

    Visibility = LeagueVisibility
    Walkovers = LeagueWalkovers

    name = models.CharField(_("name"), max_length=64)
    slug = models.CharField(
        _("address"),
        max_length=40,
        unique=True,
        validators=[
            RegexValidator(
                r"^[a-z0-9][a-z0-9-]{1,38}[a-z0-9]\Z",
                _("3 to 40 of a–z, 0–9 and hyphens, with a letter or digit at both ends."),
            ),
            validate_slug,
        ],
    )
    description = models.TextField(_("description"), max_length=4096, blank=True)
    visibility = models.CharField(
        _("who may read"), max_length=10, choices=Visibility, default=Visibility.PUBLIC
    )
    time_zone = models.CharField(
        _("time zone"), max_length=64, default="UTC", validators=[validate_zone]
    )
    draws_allowed = models.BooleanField(_("a match can be drawn"), default=True)
    negative_scores = models.BooleanField(_("scores can be negative"), default=True)
    walkovers = models.CharField(
        _("walkovers"), max_length=10, choices=Walkovers, default=Walkovers.UNRATED
    )
    counts_broken_off = models.BooleanField(
        _("games of a server’s log count that broke off"), default=False
    )
    active_days = models.PositiveIntegerField(
        _("days without a match until a player counts as inactive"),
        default=90,
        validators=[MinValueValidator(1), MaxValueValidator(3660)],
    )
    ranked_after = models.PositiveSmallIntegerField(
        _("results a player needs to be ranked"),
        default=0,
        validators=[MaxValueValidator(1000)],
    )
    age_classes = models.CharField(_("age classes"), max_length=MAX_LETTERS, blank=True)
    is_demo = models.BooleanField(default=False, editable=False)
    has_groups = models.BooleanField(default=False, editable=False)
    checked_at = models.DateTimeField(null=True, editable=False)
    differences = models.BigIntegerField(
        default=0,
        editable=False,
        help_text="How many differences the last verification found in its log and settings.",
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = ImprintedQuerySet.as_manager()

    class Meta:
        ordering = ("name", "pk")
        constraints = (
            one_of("league", "visibility", LeagueVisibility),
            one_of("league", "walkovers", LeagueWalkovers),
            between("league", "active_days", 1, 3660),
            between("league", "ranked_after", 0, 1000),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)

    def midnight(self, on: date) -> datetime:
        """The first instant of a civil day; the place of a match known by its date only."""
        return start_of_day(on, self.zone)


class MembershipRole(models.TextChoices):
    ORGANIZER = "organizer", _("organizer")
    SCORER = "scorer", _("scorer")
    PLAYER = "player", _("player")


class Membership(models.Model):
    """The one role of a user in a league."""

    Role = MembershipRole

    league = models.ForeignKey(League, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["league", "user"], name="membership_once"),
            one_of("membership", "role", MembershipRole),
        )

    def __str__(self) -> str:
        return f"{self.user} in {self.league}: {self.role}"


MAX_START_HOURS = 720
"""The longest time limit of a started match: who may still lose by it is looked for so far back."""


class ModeRatedBy(models.TextChoices):
    RESULTS = "results", _("results")
    EVENTS = "events", _("events, where a match has some")


class ModePlayedBy(models.TextChoices):
    TWO_PLAYERS = "two_players", _("two players")
    TWO_TEAMS = "two_teams", _("two teams")
    SEVERAL = "several", _("three or more")
    ANYONE = "any", _("any number")


class ModeReleasedBy(models.TextChoices):
    STAFF = "staff", _("organizers and scorers")
    PLAYERS = "players", _("its players too, each for the other side")


SHAPES: Mapping[str, EntryShape] = {
    ModePlayedBy.TWO_PLAYERS: EntryShape.PAIR,
    ModePlayedBy.TWO_TEAMS: EntryShape.TEAMS,
    ModePlayedBy.SEVERAL: EntryShape.LIST,
}


class Mode(models.Model):
    """A kind of play (singles, doubles, capture the flag); never mixed with others on a board.

    `rated_by` says what boards rate whose system can rate events; all others rate results.
    `played_by` is what the sides of a result that is entered are compared with.
    `score_rule` is what a score that is entered is compared with, in the words of
    `domain/score_rules.py`; results that are stored stay as they are. `named_weights` has pairs of
    a name and a weight, the kinds of match from which people choose. A started match counts as
    lost after `start_hours`; `released_by` says who may let its players go before, and
    `start_rungs` how far who left one falls on a ladder.
    """

    RatedBy, PlayedBy = ModeRatedBy, ModePlayedBy
    ReleasedBy = ModeReleasedBy

    league = models.ForeignKey(League, models.CASCADE, related_name="modes")
    slug = models.SlugField(max_length=40)
    name = models.CharField(_("name"), max_length=64)
    position = models.PositiveSmallIntegerField(default=0)
    rated_by = models.CharField(
        _("what is rated"), max_length=7, choices=RatedBy, default=RatedBy.RESULTS
    )
    played_by = models.CharField(
        _("who plays"), max_length=11, choices=PlayedBy, default=PlayedBy.ANYONE
    )
    score_rule = models.CharField(
        _("possible scores"),
        max_length=MAX_LENGTH,
        blank=True,
        default="",
        validators=[validate_score_rule],
    )
    named_weights = models.JSONField(
        _("kinds of match"), blank=True, default=list, validators=[validate_named_weights]
    )
    start_hours = models.PositiveSmallIntegerField(
        _("hours until a started match counts as lost"),
        default=24,
        validators=[MinValueValidator(1), MaxValueValidator(MAX_START_HOURS)],
    )
    released_by = models.CharField(
        _("who may call off a started match"),
        max_length=7,
        choices=ReleasedBy,
        default=ReleasedBy.STAFF,
    )
    start_rungs = models.PositiveSmallIntegerField(
        _("rungs lost by leaving a match on a ladder"),
        default=1,
        validators=[MaxValueValidator(1000)],
    )

    objects = ImprintedQuerySet.as_manager()

    class Meta:
        ordering = ("position", "pk")
        constraints = (
            one_of("mode", "rated_by", ModeRatedBy),
            one_of("mode", "played_by", ModePlayedBy),
            one_of("mode", "released_by", ModeReleasedBy),
            between("mode", "start_hours", 1, MAX_START_HOURS),
            between("mode", "start_rungs", 0, 1000),
            models.UniqueConstraint(fields=["league", "slug"], name="mode_slug_once"),
            models.UniqueConstraint(fields=["league", "name"], name="mode_name_once"),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def rates_events(self) -> bool:
        """Whether events count in place of the result, where a system can rate them."""
        return self.rated_by == ModeRatedBy.EVENTS

    @property
    def shape(self) -> EntryShape | None:
        """The shape of the results that it is for; None where it is for any."""
        return SHAPES.get(self.played_by)

    @property
    def rule_of_scores(self) -> ScoreRule:
        """The rule that says which scores a match can end with."""
        return known_rule(self.score_rule)

    @property
    def weights(self) -> tuple[NamedWeight, ...]:
        """The kinds of match that are played here, with their weights."""
        return known_weights(self.named_weights)


class SeasonState(models.TextChoices):
    DRAFT = "draft", _("draft")
    OPEN = "open", _("open")
    CLOSING = "closing", _("closing")
    CLOSED = "closed", _("closed")
    ARCHIVED = "archived", _("archived")


SEALED_STATES = (SeasonState.CLOSED, SeasonState.ARCHIVED)


class SeasonCarryover(models.TextChoices):
    FRESH = "fresh", _("fresh start")
    KEEP = "keep", _("keep ratings")
    SOFT = "soft", _("soft reset")


class Season(models.Model):
    """A span of a league's life, with the two counters that order its facts.

    `last_seq` and `last_revision` are read and raised only under a lock on this row; a database
    sequence would become visible out of order. `carryover` says what its players brought from the
    season it `follows`: of a soft reset, `carryover_share` is the part of the way to the mean, and
    `carryover_deviation` what every deviation is raised to. `sealed_digest` is that of the
    standings of all its boards when it was closed; `sealed_walkovers`, `sealed_ranked_after` and
    `sealed_active_days` are the league's rules of that time; a season that is reopened keeps
    them until it takes results again. `stopped_at` is when it stopped taking results, up to which
    inactivity is applied.
    """

    State = SeasonState
    Carryover = SeasonCarryover

    league = models.ForeignKey(League, models.CASCADE, related_name="seasons")
    slug = models.SlugField(max_length=40)
    name = models.CharField(_("name"), max_length=64)
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.OPEN)
    starts_at = models.DateTimeField(_("first instant"), null=True, blank=True)
    ends_at = models.DateTimeField(_("first instant after the end"), null=True, blank=True)
    follows = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="followers"
    )
    carryover = models.CharField(
        _("carried over"), max_length=5, choices=Carryover, default=Carryover.FRESH, editable=False
    )
    carryover_share = models.FloatField(default=0.0, editable=False)
    carryover_deviation = models.FloatField(null=True, editable=False)
    sealed_at = models.DateTimeField(null=True, editable=False)
    sealed_digest = models.CharField(max_length=64, blank=True, editable=False)
    sealed_walkovers = models.CharField(max_length=10, blank=True, editable=False)
    sealed_ranked_after = models.PositiveSmallIntegerField(null=True, editable=False)
    sealed_active_days = models.PositiveSmallIntegerField(null=True, editable=False)
    stopped_at = models.DateTimeField(null=True, editable=False)
    last_seq = models.BigIntegerField(default=0, editable=False)
    last_revision = models.BigIntegerField(default=0, editable=False)
    facts_digest = models.CharField(
        max_length=64, blank=True, editable=False, help_text="The digest of its newest revision."
    )
    checked_at = models.DateTimeField(null=True, editable=False)
    differences = models.BigIntegerField(
        default=0,
        editable=False,
        help_text="How many differences the last verification found in its facts and seal.",
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = ImprintedQuerySet.as_manager()

    class Meta:
        ordering = (F("starts_at").desc(nulls_last=True), "-pk")
        constraints = (
            models.UniqueConstraint(fields=["league", "slug"], name="season_slug_once"),
            one_of("season", "state", SeasonState),
            one_of("season", "carryover", SeasonCarryover),
            between("season", "carryover_share", 0.0, 1.0),
            between("season", "carryover_deviation", 0.0, 1e6),
            readable_instant("season", "starts_at"),
            readable_instant("season", "ends_at"),
            readable_instant("season", "stopped_at"),
            CheckConstraint(condition=Q(last_seq__gte=0), name="season_last_seq_bounds"),
            CheckConstraint(condition=Q(last_revision__gte=0), name="season_last_revision_bounds"),
            CheckConstraint(
                condition=Q(starts_at__isnull=True)
                | Q(ends_at__isnull=True)
                | Q(ends_at__gt=F("starts_at")),
                name="season_ends_after_start",
            ),
        )

    def __str__(self) -> str:
        return f"{self.league}: {self.name}"

    @property
    def takes_results(self) -> bool:
        return self.state == self.State.OPEN

    def turn(self, now: datetime) -> tuple[bool, bool, bool, bool, datetime, int]:
        """The order by which the season of now is the greatest: begun, open, then newest."""
        return (
            self.state != self.State.DRAFT,
            self.starts_at is None or self.starts_at <= now,
            self.takes_results,
            self.state != self.State.ARCHIVED,
            self.starts_at or self.created_at,
            self.pk,
        )

    def comes_before(self, other: Season) -> bool:
        """Whether another season is later than this one: by their first days, or as they were made.

        One of long ago may have been made later; one without a first day takes results of any date.
        """
        if self.starts_at is None or other.starts_at is None:
            return self.pk < other.pk
        return (self.starts_at, self.pk) < (other.starts_at, other.pk)

    @property
    def takes_late_results(self) -> bool:
        """Whether organizers may enter and correct results: until it is sealed."""
        return self.state in (self.State.OPEN, self.State.CLOSING)

    @property
    def first_day(self) -> date | None:
        """The first day in the league's zone; none if it takes results of any date."""
        return self.starts_at and day_of(self.starts_at, self.league.zone)

    @property
    def last_day(self) -> date | None:
        """The last day in the league's zone; a match at 23:59 of it counts."""
        if self.ends_at is None:
            return None
        return day_of(self.ends_at - timedelta(microseconds=1), self.league.zone)

    def holds(self, at: datetime) -> bool:
        """Whether an instant lies within its days."""
        return (self.starts_at is None or self.starts_at <= at) and (
            self.ends_at is None or at < self.ends_at
        )

    @property
    def is_sealed(self) -> bool:
        """Whether nothing of it may change any more; the database refuses too."""
        return self.state in SEALED_STATES
