"""What answers look like: one serializer for each kind of object that is read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.reverse import reverse

from leagues.api.fields import Instant
from leagues.bridge import ShownValue
from leagues.models import Board, League, Mode, Player, Revision, Season, Standing
from leagues.pages.authors import public_author_label
from leagues.selectors.spellings import other_names

Shape = serializers.Serializer[Any]
LEVELS = ("unsure", "fairly_sure", "sure")


class LeagueShape(Shape):
    url = serializers.SerializerMethodField()
    slug = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()
    visibility = serializers.ChoiceField(League.Visibility.choices)
    time_zone = serializers.CharField()
    draws_allowed = serializers.BooleanField()
    negative_scores = serializers.BooleanField()
    walkovers = serializers.ChoiceField(League.Walkovers.choices)
    counts_broken_off = serializers.BooleanField(
        help_text="Whether games of a server's log count that broke off, unless an import says."
    )
    active_days = serializers.IntegerField(
        help_text="Days without a match after which a player counts as inactive."
    )
    ranked_after = serializers.IntegerField(help_text="Results that a player needs to be ranked.")
    age_classes = serializers.CharField(
        help_text="The age classes that standings can be narrowed to, such as `U15, 40+`."
    )

    @extend_schema_field(serializers.URLField())
    def get_url(self, league: League) -> str:
        return address(self, "league", league.slug)


class SeasonShape(Shape):
    slug = serializers.CharField()
    name = serializers.CharField()
    state = serializers.ChoiceField(Season.State.choices)
    takes_results = serializers.BooleanField()
    starts_at = Instant(allow_null=True)
    ends_at = Instant(allow_null=True)
    last_revision = serializers.IntegerField()


class SealedBoardShape(Shape):
    """The digest of what a board showed when its season was sealed; empty before."""

    board = serializers.CharField(source="slug")
    system = serializers.CharField()
    seal = serializers.CharField()


class SeasonDetailShape(SeasonShape):
    follows = serializers.CharField(source="follows.slug", allow_null=True, default=None)
    carryover = serializers.ChoiceField(Season.Carryover.choices)
    carryover_share = serializers.FloatField(
        help_text="How far ratings were moved towards a newcomer's: 0 is not at all, 1 all the way."
    )
    carryover_deviation = serializers.FloatField(
        allow_null=True,
        help_text="How far deviations were raised towards a newcomer's: each became at least this "
        "part of it.",
    )
    sealed_at = Instant(allow_null=True)
    sealed_digest = serializers.CharField()
    boards = serializers.SerializerMethodField()

    @extend_schema_field(SealedBoardShape(many=True))
    def get_boards(self, season: Season) -> Any:
        return SealedBoardShape(season.boards.order_by("pk"), many=True).data


class DryRunShape(Shape):
    """What a step of a season would do, in sentences."""

    step = serializers.CharField()
    lines = serializers.ListField(child=serializers.CharField())
    problems = serializers.ListField(child=serializers.CharField())


class MatchKindShape(Shape):
    """A kind of match that people choose, and the weight of such matches."""

    name = serializers.CharField()
    weight = serializers.FloatField()


class ModeShape(Shape):
    slug = serializers.CharField()
    name = serializers.CharField()
    played_by = serializers.ChoiceField(
        Mode.PlayedBy.choices,
        help_text="Who plays. A match with other sides is stored with a warning (`wrong_mode`).",
    )
    score_rule = serializers.CharField(
        help_text="Which scores are possible, such as `sets 5 to 11+2`; empty: any."
    )
    match_kinds = MatchKindShape(
        many=True, source="weights", help_text="A match may name one of these as its `weight`."
    )


class BoardShape(Shape):
    """A season and mode rated by one system, and how far it is rated."""

    url = serializers.SerializerMethodField()
    season = serializers.CharField(source="season.slug")
    slug = serializers.CharField()
    name = serializers.CharField()
    mode = serializers.CharField(source="mode.slug")
    system = serializers.CharField()
    parameters = serializers.DictField()
    state = serializers.ChoiceField(Board.State.choices)
    generation = serializers.IntegerField()
    rated_through_revision = serializers.IntegerField()
    rated_matches = serializers.IntegerField()

    @extend_schema_field(serializers.URLField())
    def get_url(self, board: Board) -> str:
        league = self.context["league"]
        return address(self, "standings", league.slug, board.season.slug, board.slug)


class LeagueDetailShape(LeagueShape):
    seasons = serializers.SerializerMethodField()
    modes = ModeShape(many=True, source="modes.all")
    boards = serializers.SerializerMethodField()

    @extend_schema_field(SeasonShape(many=True))
    def get_seasons(self, league: League) -> Any:
        return SeasonShape(league.seasons.exclude(state=Season.State.DRAFT), many=True).data

    @extend_schema_field(BoardShape(many=True))
    def get_boards(self, league: League) -> Any:
        boards = league.boards.exclude(season__state=Season.State.DRAFT)
        rows = boards.select_related("season", "mode")
        return BoardShape(rows, many=True, context=self.context).data


class PlayerShape(Shape):
    url = serializers.SerializerMethodField()
    key = serializers.CharField()
    name = serializers.CharField()
    active = serializers.SerializerMethodField(
        help_text="False for a player who was marked as no longer playing here and has no match "
        "since. Unlike being inactive on a board, it changes no rank."
    )

    @extend_schema_field(serializers.BooleanField())
    def get_active(self, player: Player) -> bool:
        return player.pk not in self.context["left"]

    @extend_schema_field(serializers.URLField())
    def get_url(self, player: Player) -> str:
        return address(self, "player", self.context["league"].slug, player.key)


class ValueShape(Shape):
    """A rating, not rounded; `decimals` is the number of decimals that pages show."""

    value = serializers.FloatField()
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    decimals = serializers.IntegerField()
    level = serializers.ChoiceField(
        LEVELS, allow_blank=True, help_text="Empty if the system has no uncertainty (a ladder)."
    )
    provisional = serializers.BooleanField()


class NamedPlayerShape(Shape):
    key = serializers.CharField()
    name = serializers.CharField()


class LikelyShape(Shape):
    """The best and the worst rank that overlapping ranges allow."""

    best = serializers.IntegerField()
    worst = serializers.IntegerField()


class StandingShape(Shape):
    rank = serializers.IntegerField(
        allow_null=True,
        help_text="Players with equal ratings share a rank; null if the player is not ranked.",
    )
    player = NamedPlayerShape()
    rating = ValueShape()
    is_anchor = serializers.BooleanField(
        help_text="Whether the rating stays: the player is an anchor of a zero-sum board."
    )
    games = serializers.IntegerField()
    won = serializers.IntegerField()
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()
    form = serializers.CharField(help_text="The latest results, oldest first: W, D or L.")
    streak = serializers.IntegerField(help_text="Wins in a row; negative for losses in a row.")
    last_played_at = Instant()


class RankedShape(StandingShape):
    """A standing among all standings of its board."""

    likely = LikelyShape(allow_null=True)
    change = serializers.IntegerField(
        allow_null=True,
        help_text="Places gained since the day given by `since`; null for players who were not "
        "ranked then.",
    )
    group_rank = serializers.IntegerField(
        required=False,
        help_text="The rank among the ranked players of the group given by `group`; left out "
        "without one, and for players who are not ranked.",
    )


class StandingsShape(Shape):
    """A page of a board's standings, and which computation it shows."""

    board = BoardShape()
    generation = serializers.IntegerField()
    rated_through_revision = serializers.IntegerField(
        help_text="The last revision of the season that these standings include."
    )
    as_of = Instant(help_text="The moment for which uncertainty is shown.")
    on = serializers.DateField(
        allow_null=True,
        help_text="The day at whose end these were the standings; null for the current ones.",
    )
    results = RankedShape(many=True)
    next = serializers.URLField(allow_null=True)


class RulesVersionShape(Shape):
    """One version of a board's rules."""

    number = serializers.IntegerField()
    effective_at = Instant(
        allow_null=True, help_text="When these rules take effect; null: from the first match."
    )
    in_force = serializers.BooleanField(help_text="False if a later version has replaced this one.")
    parameters = serializers.JSONField(help_text="All parameters of the rating system.")
    reason = serializers.CharField()
    created_at = Instant()


class RulesShape(Shape):
    """The rules that a board rates by, oldest version first."""

    board = serializers.CharField()
    system = serializers.CharField()
    versions = RulesVersionShape(many=True)


class OwnStandingShape(StandingShape):
    """One of a player's standings."""

    season = serializers.CharField()
    board = serializers.CharField()


class StartShape(Shape):
    """What a player began with on a board: given by organizers, drawn, or from a game session."""

    season = serializers.CharField()
    board = serializers.CharField()
    rating = serializers.FloatField()
    deviation = serializers.FloatField(
        allow_null=True, help_text="Null: that which newcomers had then, or the system has none."
    )
    source = serializers.CharField(  # type: ignore[assignment]
        help_text="Where the rating comes from, in words."
    )
    is_anchor = serializers.BooleanField(
        help_text="Whether the rating stays: the player is an anchor of a zero-sum board."
    )
    seed = serializers.IntegerField(
        allow_null=True,
        help_text="The seed that drew the rating, on a zero-sum board; null: it was not drawn.",
    )


class PlayerDetailShape(PlayerShape):
    aliases = serializers.SerializerMethodField(
        help_text="Other names of the player; those that are not public only for organizers."
    )
    standings = serializers.SerializerMethodField()
    starts = serializers.SerializerMethodField()

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_aliases(self, player: Player) -> list[str]:
        only_public = not self.context["sees_private_names"]
        return [one.name for one in other_names(player, only_public=only_public)]

    @extend_schema_field(OwnStandingShape(many=True))
    def get_standings(self, _player: Player) -> Any:
        return OwnStandingShape(self.context["standings"], many=True).data

    @extend_schema_field(StartShape(many=True))
    def get_starts(self, _player: Player) -> Any:
        return StartShape(self.context["starts"], many=True).data


class RevisionShape(Shape):
    url = serializers.SerializerMethodField()
    season = serializers.CharField(source="season.slug")
    number = serializers.IntegerField()
    kind = serializers.ChoiceField(Revision.Kind.choices)
    created_at = Instant()
    by = serializers.SerializerMethodField()
    reason = serializers.CharField()
    matches = serializers.SerializerMethodField()
    reverts = serializers.SerializerMethodField()
    reverted_by = serializers.SerializerMethodField()

    @extend_schema_field(serializers.URLField())
    def get_url(self, revision: Revision) -> str:
        slug = self.context["league"].slug
        return address(self, "revision", slug, revision.season.slug, revision.number)

    def get_by(self, revision: Revision) -> str:
        return public_author_label(revision.author_id, revision.source, self.context["authors"])

    def get_matches(self, revision: Revision) -> int:
        return int(revision.summary.get("matches", 0))

    def get_reverts(self, revision: Revision) -> int | None:
        return None if revision.reverts is None else revision.reverts.number

    def get_reverted_by(self, revision: Revision) -> int | None:
        undoing = getattr(revision, "reverted_by", None)
        return None if undoing is None else undoing.number


class BoardStateShape(Shape):
    """How far a board is behind the results that were sent."""

    season = serializers.CharField()
    board = serializers.CharField()
    generation = serializers.IntegerField()
    rated_through_revision = serializers.IntegerField()
    last_revision = serializers.IntegerField()
    behind = serializers.BooleanField()
    state = serializers.ChoiceField(Board.State.choices)
    done = serializers.IntegerField()
    total = serializers.IntegerField()


class CandidateShape(Shape):
    """A player to whom a name may refer."""

    key = serializers.CharField()
    name = serializers.CharField()


class ProblemErrorShape(Shape):
    index = serializers.IntegerField(
        allow_null=True, help_text="Position in `matches`; 0 for a single match."
    )
    field = serializers.CharField()
    code = serializers.CharField()
    message = serializers.CharField()
    name = serializers.CharField(
        required=False, help_text="The name that belongs to no player, or to several."
    )
    candidates = CandidateShape(many=True, required=False, help_text="Players it may refer to.")


class ProblemShape(Shape):
    """A refusal (RFC 9457); `code` is stable, `detail` a sentence for people."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField()
    detail = serializers.CharField()
    # The name is that of the RFC; the metaclass takes a field out of the class, so that the
    # serializer keeps the property of this name.
    errors = ProblemErrorShape(many=True)  # type: ignore[assignment]


def address(serializer: Shape, name: str, *words: object) -> str:
    """The full address of something in this API."""
    found: str = reverse(f"api:{name}", args=words, request=serializer.context["request"])
    return found


def standing_values(
    standing: Standing, rank: int | None, shown: ShownValue, *, is_anchor: bool
) -> Mapping[str, Any]:
    """A standing with its rank and what people see of its rating."""
    return {
        "rank": rank,
        "player": standing.player,
        "rating": shown,
        "is_anchor": is_anchor,
        "games": standing.games,
        "won": standing.won,
        "drawn": standing.drawn,
        "lost": standing.lost,
        "form": standing.form,
        "streak": standing.streak,
        "last_played_at": standing.last_played_at,
    }
