"""Results that a program sends: players by key or name, and the same request sent again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from leagues.models import League, Match, Mode, Player, RequestKey, Revision, Season
from leagues.services.drafts import MatchDraft, MemberDraft, SideDraft
from leagues.services.errors import Problem, Refused
from leagues.services.leagues import ensure_boards
from leagues.services.matches import record_matches
from leagues.services.players import shared_name
from leagues.services.revisions import lock_season
from leagues.services.rosters import Roster
from leagues.services.validation import backdated_problem


@dataclass(frozen=True, slots=True)
class SentMember:
    """A player as the sender names it: the key decides, the name is for those without one."""

    key: str | None
    name: str | None
    own_score: int | None = None
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class SentSide:
    """Players who win or lose together."""

    rank: int
    score: int | None
    members: tuple[SentMember, ...]


@dataclass(frozen=True, slots=True)
class SentMatch:
    """A match as the sender says it; `index` is its position in the call, if it has one."""

    played_at: datetime
    sides: tuple[SentSide, ...]
    date_only: bool = False
    order_hint: int = 0
    kind: str = "played"
    weight: float = 1.0
    detail: str = ""
    external_id: str | None = None
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Sender:
    """Who sends. `source` outlives a token; `may_backdate` lets results be of any age."""

    source: str
    author: User | None
    may_backdate: bool


@dataclass(frozen=True, slots=True)
class RequestName:
    """A request's name and the hash of what it says, by which a repetition is recognised."""

    key: str
    payload_hash: str


@dataclass(frozen=True, slots=True)
class Submitted:
    """What a submission did: its matches in the order sent, and how many were there before."""

    revision: Revision
    match_ids: tuple[int, ...]
    already_there: int


def submit_matches(
    *,
    season: Season,
    mode: Mode,
    matches: Sequence[SentMatch],
    sender: Sender,
    create_players: bool = False,
    request: RequestName | None = None,
) -> Submitted:
    """Store what a program sent as one revision, all or none.

    A request sent again under its name does nothing and answers as the first time; the name with
    other content is refused.
    """

    def attempt() -> Submitted:
        with transaction.atomic():
            lock_season(season.pk)
            known = _known_request(season.league, sender, request)
            if known is not None:
                return _repeated(known, matches, sender)
            return _submit(season, mode, matches, sender, create_players, request)

    try:
        return attempt()
    except IntegrityError:
        # Another season's request took the same name or made the same player first.
        return attempt()


def _known_request(
    league: League, sender: Sender, request: RequestName | None
) -> RequestKey | None:
    if request is None:
        return None
    known = (
        RequestKey.objects.select_related("revision")
        .filter(league=league, source=sender.source, key=request.key)
        .first()
    )
    if known is not None and known.payload_hash != request.payload_hash:
        raise Refused(
            [
                Problem(
                    "Idempotency-Key",
                    "key_reused",
                    _("Another request was sent under this key."),
                )
            ]
        )
    return known


def _repeated(known: RequestKey, matches: Sequence[SentMatch], sender: Sender) -> Submitted:
    """Find the matches again: those with an id by it, the others in their order of entry."""
    by_id = _stored_ids(known.league_id, sender, matches)
    unnamed = iter(
        known.revision.matches.filter(external_id=None).order_by("seq").values_list("pk", flat=True)
    )
    ids = tuple(by_id.get(match.external_id or "") or next(unnamed) for match in matches)
    return Submitted(known.revision, ids, len(ids))


def _submit(
    season: Season,
    mode: Mode,
    matches: Sequence[SentMatch],
    sender: Sender,
    create_players: bool,
    request: RequestName | None,
) -> Submitted:
    _check_dates(season, matches, sender)
    drafts = draft_matches(league=season.league, matches=matches, create_players=create_players)
    ensure_boards(season=season, mode=mode)
    recorded = record_matches(
        season=season,
        mode=mode,
        drafts=drafts,
        author=sender.author,
        source=sender.source,
        kind=Revision.Kind.API,
    )
    if request is not None:
        RequestKey.objects.create(
            league_id=season.league_id,
            source=sender.source,
            key=request.key,
            payload_hash=request.payload_hash,
            revision=recorded.revision,
        )
    return Submitted(
        recorded.revision,
        tuple(match.pk for match in recorded.matches),
        recorded.already_there,
    )


def _check_dates(season: Season, matches: Sequence[SentMatch], sender: Sender) -> None:
    """Refuse what is older than the sender may date; what is stored already is as old as it is."""
    if sender.may_backdate:
        return
    now = timezone.now()
    backdated = [
        (match, problem)
        for match in matches
        if (problem := backdated_problem(match.played_at, league=season.league, now=now))
    ]
    stored = _stored_ids(season.league_id, sender, matches) if backdated else {}
    refused = [
        replace(problem, index=match.index)
        for match, problem in backdated
        if (match.external_id or "") not in stored
    ]
    if refused:
        raise Refused(refused)


def _stored_ids(league_id: int, sender: Sender, matches: Iterable[SentMatch]) -> dict[str, int]:
    ids = [match.external_id for match in matches if match.external_id is not None]
    rows = (
        Match.objects.filter(league_id=league_id, source=sender.source, external_id__in=ids)
        .exclude(status=Match.Status.STAGED)
        .values_list("external_id", "pk")
    )
    return {str(external_id): pk for external_id, pk in rows}


def draft_matches(
    *, league: League, matches: Sequence[SentMatch], create_players: bool
) -> list[MatchDraft]:
    """Return the drafts of what was sent, its players found, or made where that is asked for.

    Refused with every name that belongs to nobody, or to several.
    """
    named = list(_members(matches))
    roster = Roster.of_names(
        league,
        names=[member.name for member in named if member.name],
        keys=[member.key for member in named if member.key is not None],
    )
    problems: list[Problem] = []
    drafts = []
    for match in matches:
        sides = []
        for side in match.sides:
            members = []
            for member in side.members:
                try:
                    player = _meant_by(member, roster, create=create_players)
                except Refused as refused:
                    problems += (
                        replace(problem, field="sides", index=match.index)
                        for problem in refused.problems
                    )
                else:
                    members.append(MemberDraft(player, member.own_score, member.share))
            sides.append(SideDraft(side.rank, tuple(members), side.score))
        drafts.append(
            MatchDraft(
                played_at=match.played_at,
                sides=tuple(sides),
                date_only=match.date_only,
                order_hint=match.order_hint,
                kind=match.kind,
                weight=match.weight,
                detail=match.detail,
                external_id=match.external_id,
            )
        )
    if problems:
        raise Refused(problems)
    roster.store()
    return drafts


def _meant_by(member: SentMember, roster: Roster, *, create: bool) -> Player:
    """Return whom a sender means, new where that is allowed; else Refused."""
    meant = roster.meant_by(name=member.name or "", key=member.key)
    if len(meant) > 1:
        raise Refused([shared_name(member.name or "")])
    if meant:
        return meant[0]
    if create and member.name is not None:
        return roster.bring(name=member.name, key=member.key)
    words = _("There is no player “%(name)s” here.") % {"name": member.key or member.name}
    raise Refused([Problem("sides", "unknown_player", words)])


def _members(matches: Iterable[SentMatch]) -> Iterator[SentMember]:
    for match in matches:
        for side in match.sides:
            yield from side.members
