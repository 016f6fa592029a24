"""Matches: what is now true, and what was said before.

Replay reads `Match` and `Participant` and nothing else. A side's rank, score and handicap stand on
each of its participants, so that a replay joins two tables instead of three; one service writes
them.
"""

from __future__ import annotations

from typing import Self

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import CheckConstraint, Exists, OuterRef, Q, Value
from django.db.models.expressions import Combinable, RawSQL
from django.db.models.functions import Coalesce, NullIf
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from leagues.domain.named_weights import LEAST_WEIGHT, MOST_WEIGHT
from leagues.domain.set_scores import SETS_LENGTH, are_sets
from leagues.models.board import Board
from leagues.models.checks import FieldCheck, between, one_of, readable_instant
from leagues.models.league import League, Mode, Season
from leagues.models.ledger import Revision
from leagues.models.player import Player

SCORE_LIMIT = 999_999
LEAST_SHARE = 1e-9
MAX_HANDICAP = 4000
"""Points that a side can be given or take off, on Elo's scale."""
EVENT_POINTS_LIMIT = 1e6
MAX_RUNGS_LOST = 1000
EVENT_MILLISECONDS_LIMIT = 2**31 - 1


class MatchKind(models.TextChoices):
    PLAYED = "played", _("played")
    WALKOVER = "walkover", _("walkover")
    RETIREMENT = "retirement", _("retirement")
    UNRATED = "unrated", _("not rated")
    STARTED = "started", _("started")
    LEFT = "left", _("lost by leaving")
    ENDED = "ended", _("ended")


class MatchStatus(models.TextChoices):
    STAGED = "staged", _("being imported")
    LIVE = "live", _("counts")
    VOID = "void", _("void")


ALWAYS_RATED = (MatchKind.PLAYED.value, MatchKind.RETIREMENT.value, MatchKind.LEFT.value)
STARTED_KINDS = (MatchKind.STARTED.value, MatchKind.LEFT.value, MatchKind.ENDED.value)
"""What has become of a start that was reported: it is open, or lost, or over without a loss."""
LOSABLE_KINDS = (MatchKind.STARTED.value, MatchKind.LEFT.value)
"""The kinds of a start that is open or lost."""
_STARTED, _LEFT, _ENDED = (RawSQL(f"'{kind}'", ()) for kind in STARTED_KINDS)  # noqa: S611
"""Written out: SQLite takes an index of starts only where it sees that they are meant."""
ENTERED_KINDS = tuple(kind for kind in MatchKind.values if kind not in STARTED_KINDS)
"""The kinds that a result can have."""
ENTERED_CHOICES = [choice for choice in MatchKind.choices if choice[0] in ENTERED_KINDS]


def validate_sets(value: str) -> None:
    """Refuse sets in another form than they are stored in."""
    if value and not are_sets(value):
        raise ValidationError(_("These are not set scores."), code="sets")


def rated_kinds(league: League, season: Season | None = None) -> list[str]:
    """The kinds of match that reach the rating systems by the league's rules.

    A season that was sealed keeps those of its time.
    """
    walkovers = (season.sealed_walkovers if season else "") or league.walkovers
    if walkovers == League.Walkovers.WIN:
        return [*ALWAYS_RATED, MatchKind.WALKOVER.value]
    return [*ALWAYS_RATED]


def is_rated(kind: str, status: str, league: League, season: Season) -> bool:
    """Whether the boards of a season rate a match of this kind and status."""
    return status == MatchStatus.LIVE and kind in rated_kinds(league, season)


def is_rated_on(board: Board, match: str = "") -> Q:
    """The matches that a board rates; `match` leads to them from other rows, as `match__`."""
    return Q(
        **{
            f"{match}season": board.season_id,
            f"{match}mode": board.mode_id,
            f"{match}status": MatchStatus.LIVE,
            f"{match}kind__in": rated_kinds(board.league, board.season),
        }
    )


def has_result(match: str = "") -> Q:
    """The matches with a result; `match` leads to them from other rows, as `match__`."""
    return ~Q(**{f"{match}kind__in": STARTED_KINDS})


def is_met(kind: str) -> bool:
    """Whether players met in a match of this kind: of a start its result says that."""
    return kind not in STARTED_KINDS


def new_results() -> Q:
    """The matches that say for the first time what is rated: results, and losses of what was open.

    Of a loss all earlier versions are open starts.
    """
    rated_before = _versions().exclude(content__kind=MatchKind.STARTED)
    is_first_loss = Q(~Exists(rated_before), kind=MatchKind.LEFT, status=MatchStatus.LIVE)
    return Q(version=1) | is_first_loss


def starts_never_lost() -> Q:
    """The starts that no board has ever rated."""
    lost = _versions().filter(content__kind=MatchKind.LEFT)
    return Q(~Exists(lost), kind__in=(MatchKind.STARTED, MatchKind.ENDED))


def _versions() -> models.QuerySet[MatchVersion]:
    """What a match of the query around it said before."""
    return MatchVersion.objects.filter(match=OuterRef("pk"))


class MatchQuerySet(models.QuerySet["Match"]):
    """Matches, by what pages and services ask of them."""

    def live(self) -> Self:
        """Those that count as facts: neither void nor still being imported."""
        return self.filter(status=MatchStatus.LIVE)

    def started(self) -> Self:
        """Those that have begun, and have neither a result nor been left yet."""
        return self.starts().filter(kind=_STARTED)

    def lost(self) -> Self:
        """Those that were left, and so lost without a result."""
        return self.starts().filter(kind=_LEFT)

    def ever_lost(self) -> Self:
        """Those that were left once, whatever has become of them since."""
        return self.starts_or_void().exclude(starts_never_lost())

    def starts(self) -> Self:
        """Those whose start was reported, whatever has become of them."""
        return self.live().starts_or_void()

    def starts_or_void(self) -> Self:
        """Those whose start was reported, whether they count or not."""
        return self.filter(kind__in=(_STARTED, _LEFT, _ENDED))

    def results(self) -> Self:
        """Those with a result, which a start has not."""
        return self.filter(has_result())

    def listed(self) -> Self:
        """Those that lists show: a start that is over stands there as its result."""
        return self.exclude(kind=MatchKind.ENDED)

    def new_results(self) -> Self:
        """Those that say something for the first time: no correction of what was rated."""
        return self.filter(new_results())

    def corrected(self) -> Self:
        """Those that say something else than what boards may have rated."""
        return self.exclude(new_results() | starts_never_lost())

    def played_on(self, board: Board) -> Self:
        """Those of a board's season and mode, rated or not."""
        return self.filter(season=board.season_id, mode=board.mode_id)

    def in_any_mode(self, season_id: int) -> Self:
        """Those of a season, named by its modes too: the index by revisions begins with both."""
        modes = Mode.objects.filter(league__seasons=season_id)
        return self.filter(season=season_id, mode__in=modes.values("pk"))

    def touched_after(self, revision: int) -> Self:
        """Those of which a later revision said something."""
        return self.filter(touched_in_revision__gt=revision)

    def rated_on(self, board: Board) -> Self:
        """Those that a board rates, or is going to rate."""
        return self.filter(is_rated_on(board))

    def void_on(self, board: Board) -> Self:
        """Those that a board would rate if they were not void."""
        kinds = rated_kinds(board.league, board.season)
        return self.played_on(board).filter(status=MatchStatus.VOID, kind__in=kinds)

    def rated_as_sealed(self, league: League, sealed_walkovers: Combinable) -> Self:
        """Those that are rated where each season's sealed rule is a column of an outer query."""
        sealed = NullIf(sealed_walkovers, Value(""), output_field=models.CharField())
        return (
            self.live()
            .alias(walkovers=Coalesce(sealed, Value(league.walkovers)))
            .filter(
                Q(kind__in=ALWAYS_RATED)
                | Q(kind=MatchKind.WALKOVER, walkovers=League.Walkovers.WIN)
            )
        )


class Match(models.Model):
    """One reported result. It keeps its `seq` whatever is corrected; nothing deletes it."""

    Kind = MatchKind
    Status = MatchStatus

    # What grows with the matches has no index that is the beginning of another one. The season
    # is of the same league, which is not looked up once more for each match.
    league = models.ForeignKey(
        League, models.CASCADE, related_name="matches", db_constraint=False, db_index=False
    )
    season = models.ForeignKey(Season, models.CASCADE, related_name="matches", db_index=False)
    mode = models.ForeignKey(Mode, models.PROTECT, related_name="matches")
    seq = models.BigIntegerField(null=True, editable=False)
    played_at = models.DateTimeField(_("played"))
    date_only = models.BooleanField(default=False)
    same_time_order = models.BigIntegerField(default=0)
    kind = models.CharField(_("kind"), max_length=10, choices=Kind, default=Kind.PLAYED)
    status = models.CharField(max_length=6, choices=Status, default=Status.LIVE)
    weight = models.FloatField(_("weight"), default=1.0)
    started_at = models.DateTimeField(
        null=True, blank=True, help_text="When it began, of a start that was reported."
    )
    deadline_at = models.DateTimeField(
        null=True, blank=True, help_text="When a start without a result counts as lost."
    )
    rungs_lost = models.PositiveSmallIntegerField(
        default=0, help_text="How many rungs who leaves it falls on a ladder."
    )
    detail = models.CharField(_("details of the score"), max_length=200, blank=True)
    sets = models.CharField(
        _("set scores"),
        max_length=SETS_LENGTH,
        blank=True,
        default="",
        validators=[validate_sets],
        help_text="In the order of the sides, as “11-9 7-6(5)”.",
    )
    source = models.CharField(max_length=64)
    # Unique where there is one; empty text would be equal to itself.
    external_id = models.CharField(max_length=128, null=True, blank=True)  # noqa: DJ001
    payload_hash = models.CharField(max_length=64, blank=True)
    content_hash = models.BinaryField(
        default=b"", help_text="SHA-256 of the content of its current version."
    )
    version = models.PositiveIntegerField(default=1)
    revision = models.ForeignKey(Revision, models.PROTECT, related_name="matches")
    touched_in_revision = models.BigIntegerField(
        null=True, help_text="The number of the season's revision that last changed it."
    )
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    recorded_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = MatchQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "matches"
        constraints = (
            models.UniqueConstraint(fields=["season", "seq"], name="match_seq_once"),
            models.UniqueConstraint(
                fields=["league", "source", "external_id"], name="match_external_id_once"
            ),
            one_of("match", "kind", MatchKind),
            one_of("match", "status", MatchStatus),
            readable_instant("match", "played_at"),
            between("match", "weight", LEAST_WEIGHT, MOST_WEIGHT),
            readable_instant("match", "started_at"),
            readable_instant("match", "deadline_at"),
            CheckConstraint(
                condition=~Q(kind__in=STARTED_KINDS)
                | Q(started_at__isnull=False, deadline_at__isnull=False),
                name="match_start_is_dated",
            ),
            CheckConstraint(condition=Q(seq__isnull=True) | Q(seq__gte=1), name="match_seq_bounds"),
            CheckConstraint(
                condition=Q(status="staged", seq__isnull=True, touched_in_revision__isnull=True)
                | Q(
                    status__in=["live", "void"],
                    seq__isnull=False,
                    touched_in_revision__isnull=False,
                ),
                name="match_numbered_when_it_counts",
            ),
        )
        indexes = (
            models.Index(fields=["season", "mode", "touched_in_revision"], name="match_by_touch"),
            models.Index(
                fields=["season", "-played_at", "-same_time_order", "-seq"], name="match_by_time"
            ),
            models.Index(fields=["league", "-played_at"], name="match_of_league_by_time"),
            models.Index(fields=["season"], condition=Q(status="void"), name="match_void"),
            models.Index(
                fields=["season", "mode", "started_at"],
                condition=Q(kind__in=STARTED_KINDS),
                name="match_started",
            ),
            models.Index(fields=["deadline_at"], condition=Q(kind="started"), name="match_open"),
        )

    def __str__(self) -> str:
        return f"match {self.seq} of season {self.season_id}"

    @property
    def is_rated(self) -> bool:
        """Whether the boards of its season and mode rate it."""
        return is_rated(self.kind, self.status, self.league, self.season)


class Leaving(models.IntegerChoices):
    """What has become of a player in a match that was started.

    Letting somebody go is a decision; who left and who stayed follows from the other facts.
    """

    RELEASED = 0, _("let go")
    LEFT = 1, _("left")
    STAYED = 2, _("stayed")


class Participant(models.Model):
    """One player in one match: the side, and what the side reached (rank 1 is best)."""

    Leaving = Leaving

    # Only a check of all facts asks for those of a league.
    league = models.ForeignKey(
        League, models.CASCADE, related_name="+", db_constraint=False, db_index=False
    )
    match = models.ForeignKey(Match, models.CASCADE, related_name="participants", db_index=False)
    player = models.ForeignKey(
        Player, models.PROTECT, related_name="participations", db_index=False
    )
    side = models.PositiveSmallIntegerField()
    rank = models.PositiveSmallIntegerField()
    score = models.IntegerField(null=True, help_text="The points of the side.")
    handicap = models.SmallIntegerField(
        default=0,
        help_text="Rating points added to the side’s strength; 400 are odds of ten to one.",
    )
    own_score = models.IntegerField(null=True, help_text="The points of this player alone.")
    playing_share = models.FloatField(
        default=1.0, help_text="The share of the match that the player played, in (0, 1]."
    )
    leaving = models.PositiveSmallIntegerField(
        null=True,
        help_text="Of a start: what has become of the player, as Leaving. Of a result, nothing.",
    )

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["match", "player"], name="participant_once"),
            between("participant", "side", 0, 63),
            between("participant", "rank", 1, 64),
            between("participant", "score", -SCORE_LIMIT, SCORE_LIMIT),
            between("participant", "handicap", -MAX_HANDICAP, MAX_HANDICAP),
            between("participant", "own_score", -SCORE_LIMIT, SCORE_LIMIT),
            between("participant", "playing_share", LEAST_SHARE, 1.0),
            between("participant", "leaving", min(Leaving), max(Leaving)),
        )
        indexes = (models.Index(fields=["player", "match"], name="participant_by_player"),)

    def __str__(self) -> str:
        return f"{self.player_id} in match {self.match_id}"


OWN_EVENT = "own:"
"""What the kinds of a game's own begin with."""


class MatchEventKind(models.TextChoices):
    FRAG = "frag", _("frag")
    TEAM_KILL = "team-kill", _("team kill")
    SUICIDE = "suicide", _("suicide")
    WORLD_DEATH = "world-death", _("death by the world")
    CAPTURE = "capture", _("capture")
    DAMAGE = "damage", _("damage")
    ASSIST = "assist", _("assist")
    FLAG_TAKEN = "flag-taken", _("flag taken")
    FLAG_RETURNED = "flag-returned", _("flag returned")


class MatchEvent(models.Model):
    """One atomic happening inside a match: a frag, a capture, a suicide, a team kill.

    `player` did it, or died by the world; `opponent` is whom it was done to. The order is that of
    `position`, which counts from 0; `milliseconds` is a time that a page can show. The `points` of
    damage are how much it was. Kinds of a game's own are `own:` and its word.
    """

    Kind = MatchEventKind

    league = models.ForeignKey(League, models.CASCADE, related_name="+", db_constraint=False)
    match = models.ForeignKey(Match, models.CASCADE, related_name="events", db_index=False)
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=32)
    player = models.ForeignKey(Player, models.PROTECT, related_name="+")
    opponent = models.ForeignKey(Player, models.PROTECT, null=True, related_name="+")
    points = models.FloatField(default=1.0)
    milliseconds = models.PositiveIntegerField(null=True, help_text="Since the match began.")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["match", "position"], name="event_position_once"),
            FieldCheck(
                condition=models.Q(kind__in=MatchEventKind.values)
                | models.Q(kind__startswith=OWN_EVENT),
                name="event_kind_known",
            ),
            between("event", "points", 0.0, EVENT_POINTS_LIMIT),
            between("event", "milliseconds", 0, EVENT_MILLISECONDS_LIMIT),
        )

    def __str__(self) -> str:
        return f"{self.kind} in match {self.match_id}"


class MatchVersion(models.Model):
    """What a match said before a revision changed it. Appended, never updated."""

    league = models.ForeignKey(League, models.CASCADE, related_name="+", db_constraint=False)
    match = models.ForeignKey(Match, models.CASCADE, related_name="versions", db_index=False)
    version = models.PositiveIntegerField()
    content = models.JSONField(
        help_text="The former content, as `services.drafts.content_of` writes it."
    )
    revision = models.ForeignKey(
        Revision, models.PROTECT, related_name="replaced", help_text="The revision that changed it."
    )

    class Meta:
        ordering = ("match", "version")
        constraints = (
            models.UniqueConstraint(fields=["match", "version"], name="match_version_once"),
        )

    def __str__(self) -> str:
        return f"version {self.version} of match {self.match_id}"
