"""What requests may say, field by field; whether it makes sense is for the services to judge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from leagues.api.fields import (
    Body,
    Day,
    Flag,
    Instant,
    Number,
    NumberOrName,
    Text,
    Whole,
    sets_field,
)
from leagues.domain.event_kinds import KINDS_IN_WORDS, is_event_kind
from leagues.domain.named_weights import weight_called
from leagues.domain.set_scores import sets_from_numbers
from leagues.models import League, Match, Mode, Season
from leagues.models.match import ENTERED_CHOICES
from leagues.services.entry import Correction
from leagues.services.entry_drafts import MatchEntry, PlayerEntry, SideEntry
from leagues.services.entry_events import EventEntry
from leagues.services.errors import Problem, Refused
from leagues.services.seasons import Step
from leagues.services.validation import MOST_EVENTS

KIND_HELP = "A number, or the name of one of the mode’s `match_kinds`."
MATCHES_MOST = 500
SIDES_MOST = 64
MEMBERS_MOST = 128


def handicap_field() -> Whole:
    """The handicap of a side; the services say how large it may be."""
    return Whole(
        default=0,
        help_text="Rating points added to the side's strength, from −4000 to 4000; 400 are odds of "
        "ten to one.",
    )


class NewPlayerBody(Body):
    """A player to be created."""

    name = Text(max_length=256)
    key = Text(max_length=128, required=False)


class MemberBody(Body):
    """A player by `key`, or by exact `name` or alias."""

    key = Text(max_length=128, required=False)
    name = Text(max_length=256, required=False)
    own_score = Whole(required=False, allow_null=True)
    playing_share = Number(default=1.0)

    default_error_messages = {"nobody": _("Send a key or a name.")}

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a member without any name."""
        if not {"key", "name"} & set(attrs):
            self.fail("nobody")
        return attrs


class SideBody(Body):
    """One side of a match."""

    rank = Whole(help_text="1 is best; equal ranks are a draw.")
    score = Whole(required=False, allow_null=True)
    handicap = handicap_field()
    players = serializers.ListSerializer[Any](child=MemberBody(), max_length=MEMBERS_MOST)


class EventKindField(Text):
    """A kind of event, which may be a game's own."""

    default_error_messages = {"invalid_choice": _("Not a kind of event.")}

    def to_internal_value(self, data: Any) -> str:
        kind = super().to_internal_value(data)
        if not is_event_kind(kind):
            self.fail("invalid_choice")
        return kind


class EventBody(Body):
    """Something that happened in a match. Events stand in the order in which they happened."""

    kind = EventKindField(max_length=32, help_text=KINDS_IN_WORDS)
    player = Text(
        max_length=256,
        help_text="Who did it, or died by the world: key, or name as the sides give it.",
    )
    opponent = Text(
        max_length=256,
        required=False,
        allow_null=True,
        help_text="To whom, of a frag, a team kill, damage or an assist.",
    )
    points = Number(
        default=1.0,
        help_text="What it is worth beside other events of its kind; how much damage it was.",
    )
    milliseconds = Whole(required=False, allow_null=True, help_text="Since the match began.")


class PlayedBody(Body):
    """The fields of a match that may be left out of a partial correction."""

    played_at = Instant(required=False, allow_null=True)
    played_on = Day(
        required=False,
        allow_null=True,
        help_text="The day in the league's time zone, if the time is not known.",
    )
    same_time_order = Whole(required=False, help_text="Orders matches played at the same time.")
    kind = serializers.ChoiceField(ENTERED_CHOICES, required=False)
    weight = NumberOrName(required=False, help_text=KIND_HELP)
    detail = Text(required=False, allow_blank=True, max_length=200)
    sets = sets_field(required=False)
    sides = serializers.ListSerializer[Any](child=SideBody(), required=False, max_length=SIDES_MOST)
    events = serializers.ListSerializer[Any](
        child=EventBody(),
        required=False,
        max_length=MOST_EVENTS,
        help_text="What happened in the match. A correction without `events` keeps those that "
        "are stored; an empty list takes them away.",
    )

    default_error_messages = {"when": _("Send either played_at or played_on.")}
    needs_time = False

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse two times at once, and none where one is needed."""
        given = [name for name in ("played_at", "played_on") if attrs.get(name) is not None]
        if len(given) > 1 or (self.needs_time and not given):
            self.fail("when")
        return attrs


class MatchBody(PlayedBody):
    """One match, in full."""

    same_time_order = Whole(default=0, help_text="Orders matches played at the same time.")
    kind = serializers.ChoiceField(ENTERED_CHOICES, default=Match.Kind.PLAYED.value)
    weight = NumberOrName(default=1.0, help_text=KIND_HELP)
    detail = Text(default="", allow_blank=True, max_length=200)
    sets = sets_field(default=list)
    sides = serializers.ListSerializer[Any](child=SideBody(), max_length=SIDES_MOST)

    needs_time = True


class SentMatchBody(MatchBody):
    """A match to be stored."""

    external_id = Text(
        required=False,
        allow_null=True,
        max_length=128,
        help_text="The id of the match in your own system. A match with the same id is not "
        "stored twice.",
    )


class WhereBody(Body):
    """Where results go, and what may come with them."""

    season = Text(
        required=False, max_length=64, help_text="Slug of the season. Default: the current season."
    )
    mode = Text(
        required=False,
        max_length=64,
        help_text="Slug or name of the mode. Default: the first mode.",
    )
    create_players = Flag(default=False, help_text="Create players for unknown keys and names.")


class SubmissionBody(SentMatchBody, WhereBody):
    """One match, with its season and mode."""


class BatchBody(WhereBody):
    """Up to 500 matches of one season and mode."""

    matches = serializers.ListSerializer[Any](child=SentMatchBody(), max_length=MATCHES_MOST)


class ChangeBody(Body):
    """What every correction says besides the match."""

    version = Whole(help_text="The version being corrected.")
    reason = Text(default="", allow_blank=True, max_length=200)
    create_players = Flag(default=False)


class MoveBody(ChangeBody):
    """A correction, and where the match belongs."""

    season = Text(
        required=False,
        max_length=40,
        help_text="Another season of the league, to which the match is moved.",
    )


class CorrectionBody(MatchBody, MoveBody):
    """A whole match that replaces the stored one."""


class PartialCorrectionBody(PlayedBody, MoveBody):
    """The fields of a match that are corrected."""


class StatusBody(Body):
    """The version to be voided or restored, and the reason."""

    version = Whole(
        required=False, help_text="The request is refused if the stored version is a different one."
    )
    reason = Text(default="", allow_blank=True, max_length=200)


class StepBody(Body):
    """A step of a season, and the reason for it."""

    step = serializers.ChoiceField(Step.choices)
    reason = Text(default="", allow_blank=True, max_length=200)


class ReasonBody(Body):
    """The reason for undoing a revision."""

    reason = Text(default="", allow_blank=True, max_length=200)


def match_entry(
    body: Mapping[str, Any], *, league: League, mode: Mode, index: int | None = None
) -> MatchEntry:
    """A checked body as what the services take; `index` is its position in the request."""
    return MatchEntry(
        **_time(body, league),
        sides=_sides(body),
        same_time_order=body["same_time_order"],
        kind=body["kind"],
        weight=weight_of(body["weight"], mode, index),
        detail=body["detail"],
        sets=sets_from_numbers(body["sets"]),
        external_id=body.get("external_id"),
        events=_events(body),
    )


def correction_of(
    body: Mapping[str, Any], *, match: Match, season: Season | None = None
) -> Correction:
    """What a checked body changes of a match; `season` is the one that it names."""
    fields = {name: body[name] for name in ("same_time_order", "kind", "detail") if name in body}
    if "weight" in body:
        fields["weight"] = weight_of(body["weight"], match.mode)
    if "sets" in body:
        fields["sets"] = sets_from_numbers(body["sets"])
    return Correction(
        _sides(body) if "sides" in body else None,
        fields | _time(body, match.league),
        events=_events(body) if "events" in body else None,
        season=season,
    )


def weight_of(given: float | str, mode: Mode, index: int | None = None) -> float:
    """A weight, or that of the kind of match which a name means; Refused for an unknown name."""
    if not isinstance(given, str):
        return given
    weight = weight_called(mode.weights, given)
    if weight is None:
        words = _("“%(mode)s” has no kind of match called “%(name)s”.")
        names = {"mode": mode.name, "name": given[:64]}
        raise Refused([Problem("weight", "unknown_kind", words % names, index)])
    return weight


def _events(body: Mapping[str, Any]) -> tuple[EventEntry, ...]:
    return tuple(EventEntry(**event) for event in body.get("events", ()))


def _time(body: Mapping[str, Any], league: League) -> dict[str, Any]:
    if body.get("played_on") is not None:
        return {"played_at": league.midnight(body["played_on"]), "date_only": True}
    if body.get("played_at") is not None:
        return {"played_at": body["played_at"], "date_only": False}
    return {}


def _sides(body: Mapping[str, Any]) -> tuple[SideEntry, ...]:
    return tuple(
        SideEntry(
            rank=side["rank"],
            score=side.get("score"),
            players=tuple(
                PlayerEntry(
                    key=member.get("key"),
                    name=member.get("name"),
                    own_score=member.get("own_score"),
                    playing_share=member["playing_share"],
                )
                for member in side["players"]
            ),
            handicap=side["handicap"],
        )
        for side in body["sides"]
    )
