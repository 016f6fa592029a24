"""What answers say of matches: as they are read, as they were sent, and after a change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from django.db.models import prefetch_related_objects
from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request

from leagues import bridge
from leagues.api.fields import Day, Instant, sets_field
from leagues.api.shapes import ProblemShape, Shape, ValueShape
from leagues.api.warnings import WarningShape, warning_shape
from leagues.domain.civil_days import day_of
from leagues.domain.event_kinds import KINDS_IN_WORDS
from leagues.domain.set_scores import sets_as_numbers
from leagues.models import League, Match, Mode, Participant, Player, Season
from leagues.selectors.matches import PLAYERS_BY_RANK, events_of
from leagues.services.drafts import MatchDraft
from leagues.services.moved_matches import counting_half
from leagues.services.started_matches import START_ID
from leagues.store.match_columns import is_behind

_MOMENT = Instant()
EVENTS_SHOWN = 1000
"""Events of a match in one answer."""
MAX_PATHS = 256


Leaving = Participant.Leaving
LEAVING_CHOICES = [(one.name.lower(), one.label) for one in Leaving]
"""What has become of a player of a started match, as answers say it."""


def own_id(match: Match) -> str | None:
    """The id of a match at its source, as that has sent it."""
    return match.external_id and match.external_id.removeprefix(START_ID)


class MemberShape(Shape):
    key = serializers.CharField()
    name = serializers.CharField()
    own_score = serializers.IntegerField(allow_null=True)
    playing_share = serializers.FloatField()
    leaving = serializers.ChoiceField(
        LEAVING_CHOICES,
        allow_null=True,
        required=False,
        help_text="Of a started match only: who left it, who stayed when others left, and who was "
        "let go.",
    )


class SideShape(Shape):
    rank = serializers.IntegerField()
    score = serializers.IntegerField(allow_null=True)
    handicap = serializers.IntegerField(help_text="Rating points added to the side's strength.")
    players = MemberShape(many=True)


class MatchShape(Shape):
    """A match as it counts now. Of `played_at` and `played_on` one is null."""

    url = serializers.URLField(read_only=True)
    id = serializers.CharField(read_only=True)
    season = serializers.CharField()
    mode = serializers.CharField()
    seq = serializers.IntegerField()
    played_at = Instant(read_only=True, allow_null=True)
    played_on = Day(read_only=True, allow_null=True)
    started_at = Instant(required=False, help_text="Of a started match only.")
    deadline = Instant(
        required=False,
        help_text="Of a started match only: when it counts as lost without a result.",
    )
    same_time_order = serializers.IntegerField()
    kind = serializers.ChoiceField(Match.Kind.choices)
    status = serializers.ChoiceField([Match.Status.LIVE.value, Match.Status.VOID.value])
    weight = serializers.FloatField()
    detail = serializers.CharField()
    sets = sets_field()
    external_id = serializers.CharField(allow_null=True)
    version = serializers.IntegerField()
    sides = SideShape(many=True)

    def __init__(self, *words: Any, **options: Any) -> None:
        super().__init__(*words, **options)
        self._addresses: dict[str, str] = {}

    def to_representation(self, match: Match) -> dict[str, Any]:
        """A stored match, which was read with its players."""
        return self.describe(match, _stored_sides(match))

    def describe(self, match: Match, sides: list[dict[str, Any]]) -> dict[str, Any]:
        """The fields in their order. By hand, for an answer may have 500 matches."""
        season, league = match.season.slug, self.context["league"]
        on = day_of(match.played_at, league.zone) if match.date_only else None
        return {
            "url": f"{self._matches_of(season)}{match.seq}/",
            "id": f"{season}/{match.seq}",
            "season": season,
            "mode": match.mode.slug,
            "seq": match.seq,
            "played_at": None if on else _MOMENT.to_representation(match.played_at),
            "played_on": on.isoformat() if on else None,
            "same_time_order": match.same_time_order,
            "kind": match.kind,
            "status": match.status,
            "weight": match.weight,
            "detail": match.detail,
            "sets": sets_as_numbers(match.sets),
            "external_id": own_id(match),
            "version": match.version,
            "sides": sides,
            **_start_of(match),
        }

    def _matches_of(self, season: str) -> str:
        """The address below which the matches of a season have theirs."""
        if season not in self._addresses:
            path = _path_of_matches(self.context["league"].slug, season)
            self._addresses[season] = self.context["request"].build_absolute_uri(path)
        return self._addresses[season]


def _start_of(match: Match) -> dict[str, Any]:
    """What is said of a started match beside what every match says."""
    if match.started_at is None or match.deadline_at is None:
        return {}
    return {
        "started_at": _MOMENT.to_representation(match.started_at),
        "deadline": _MOMENT.to_representation(match.deadline_at),
    }


@lru_cache(maxsize=MAX_PATHS)
def _path_of_matches(league: str, season: str) -> str:
    return reverse("api:match", args=(league, season, 1)).removesuffix("1/")


class ChangeShape(Shape):
    """What a match did to one player on one board."""

    board = serializers.CharField()
    player = serializers.CharField()
    before = ValueShape()
    after = ValueShape()
    expected = serializers.FloatField(allow_null=True, help_text="Expected score, 0 to 1.")


class EventShape(Shape):
    """Something that happened in a match; players are named by key."""

    kind = serializers.CharField(help_text=KINDS_IN_WORDS)
    player = serializers.CharField(help_text="Who did it, or died by the world.")
    opponent = serializers.CharField(allow_null=True, help_text="To whom, if to anyone.")
    points = serializers.FloatField()
    milliseconds = serializers.IntegerField(allow_null=True, help_text="Since the match began.")


class MovedToShape(Shape):
    """The match that a moved result counts as."""

    season = serializers.CharField()
    seq = serializers.IntegerField()


class MatchDetailShape(MatchShape):
    moved_to = MovedToShape(
        allow_null=True,
        read_only=True,
        help_text="Of a void match whose result was moved: where it counts.",
    )
    event_count = serializers.IntegerField(read_only=True)
    events = EventShape(
        many=True,
        read_only=True,
        help_text=f"In their order: at most {EVENTS_SHOWN} from `events_from` on.",
    )
    ratings = ChangeShape(many=True, read_only=True)

    def to_representation(self, match: Match) -> dict[str, Any]:
        """A stored match, what happened in it, and what it did."""
        first = self.context.get("events_from", 0)
        happened = events_of(match)
        keys = {row.player_id: row.player.key for row in match.participants.all()}
        events = [
            {
                "kind": event.kind,
                "player": keys[event.player_id],
                "opponent": None if event.opponent_id is None else keys[event.opponent_id],
                "points": event.points,
                "milliseconds": event.milliseconds,
            }
            for event in happened[first : first + EVENTS_SHOWN]
        ]
        changes = ChangeShape(list(_changes(match)), many=True).data
        half = counting_half(match) if match.status == Match.Status.VOID else None
        return super().to_representation(match) | {
            "moved_to": half and {"season": half.season.slug, "seq": half.seq},
            "event_count": len(happened),
            "events": events,
            "ratings": changes,
        }


class ChangedMatchShape(MatchShape):
    """A match after a change; `revision` is null if nothing was changed."""

    revision = serializers.IntegerField(allow_null=True, read_only=True)
    rating = serializers.ChoiceField(("pending", "done"), read_only=True)
    warnings = WarningShape(
        many=True, read_only=True, help_text="What may be a mistake in a correction."
    )

    def to_representation(self, match: Match) -> dict[str, Any]:
        """A stored match and the revision that changed it."""
        revision = self.context["revision"]
        warnings = self.context["warnings"]
        return super().to_representation(match) | {
            "revision": revision and revision.number,
            "rating": rating_state(match.season, match.mode),
            "warnings": [warning_shape(one, match.season) for one in warnings],
        }


class ConflictShape(ProblemShape):
    """The refusal of a change to an old version, with the match as it is stored now."""

    stored = MatchShape(required=False)


def match_shapes(
    matches: Sequence[Match],
    league: League,
    request: Request,
    drafts: Sequence[MatchDraft] = (),
) -> list[dict[str, Any]]:
    """Matches as they are sent, with two more queries for their players.

    None where `drafts` say the same, as they do of matches that were stored just now.
    """
    shape = MatchShape(context={"league": league, "request": request})
    if drafts:
        said = zip(matches, drafts, strict=True)
        return [shape.describe(match, _sides_said(draft)) for match, draft in said]
    prefetch_related_objects(matches, PLAYERS_BY_RANK)
    return [shape.to_representation(match) for match in matches]


def match_shape(match: Match, request: Request) -> dict[str, Any]:
    """One match as it is sent."""
    return match_shapes([match], match.season.league, request)[0]


def rating_state(season: Season, mode: Mode) -> str:
    """Whether every board of a season and mode has computed all that it holds."""
    return (
        "pending" if any(is_behind(board) for board in season.boards.filter(mode=mode)) else "done"
    )


def _stored_sides(match: Match) -> list[dict[str, Any]]:
    """The sides of a match in the order of entry, their players by key."""
    sides: dict[int, dict[str, Any]] = {}
    for row in sorted(match.participants.all(), key=lambda row: (row.side, row.player.key)):
        said = {"rank": row.rank, "score": row.score, "handicap": row.handicap}
        side = sides.setdefault(row.side, {**said, "players": []})
        member = _member(row.player, row.own_score, row.playing_share)
        if match.started_at is not None:
            leaving = row.leaving
            member["leaving"] = None if leaving is None else Leaving(leaving).name.lower()
        side["players"].append(member)
    return list(sides.values())


def _sides_said(draft: MatchDraft) -> list[dict[str, Any]]:
    """The sides of a draft, likewise."""
    return [
        {
            "rank": side.rank,
            "score": side.score,
            "handicap": side.handicap,
            "players": [
                _member(member.player, member.own_score, member.playing_share)
                for member in sorted(side.members, key=lambda member: member.player.key)
            ],
        }
        for side in draft.sides
    ]


def _member(player: Player, own_score: int | None, playing_share: float) -> dict[str, Any]:
    return {
        "key": player.key,
        "name": player.name,
        "own_score": own_score,
        "playing_share": playing_share,
    }


def _changes(match: Match) -> Iterable[Mapping[str, Any]]:
    _boards, rated = bridge.rated_everywhere(match)
    keys = {row.player_id: row.player.key for row in match.participants.all()}
    for one in rated.values():
        for account in bridge.account_of(one).accounts:
            yield {
                "board": one.board.slug,
                "player": keys[account.player_id],
                "before": account.before,
                "after": account.after,
                "expected": account.expected,
            }
