"""Results that a program sends: players by key or name, and the same request sent again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from leagues.models import League, Match, Mode, Player, RequestKey, Revision, Season
from leagues.services.drafts import MatchDraft, MemberDraft, SideDraft
from leagues.services.errors import Problem, Refused
from leagues.services.leagues import ensure_boards
from leagues.services.matches import record_matches
from leagues.services.players import new_player, players_by_key
from leagues.services.revisions import hold_season
from ratings.files.names import fold_name


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
    """Who sends. `source` outlives a token; `may_date` says whether a result may be so old."""

    source: str
    author: User | None
    may_date: Callable[[datetime], bool]


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
            hold_season(season.pk)
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
    oldest = min((match.played_at for match in matches), default=None)
    if oldest is None or sender.may_date(oldest):
        return
    stored = _stored_ids(season.league_id, sender, matches)
    problems = [
        Problem(
            "played_at",
            "backdated",
            _("Only organizers may enter results older than yesterday."),
            match.index,
        )
        for match in matches
        if (match.external_id or "") not in stored and not sender.may_date(match.played_at)
    ]
    if problems:
        raise Refused(problems)


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
    roster = _Roster(league, matches, create_players)
    problems: list[Problem] = []
    drafts = []
    for match in matches:
        sides = []
        for side in match.sides:
            members = []
            for member in side.members:
                try:
                    player = roster.find(member)
                except Refused as refused:
                    problems += (
                        Problem(problem.field, problem.code, problem.message, match.index)
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
    roster.store_new()
    return drafts


class _Roster:
    """The players that some matches name, read in few queries, and the new ones they bring."""

    def __init__(self, league: League, matches: Iterable[SentMatch], create: bool) -> None:
        self.league, self.create = league, create
        members = list(_members(matches))
        keys = {member.key for member in members if member.key is not None}
        folds = {fold_name(member.name) for member in members if member.key is None and member.name}
        listed = league.players.filter(is_listed=True)
        self.by_key = {player.key: player for player in listed.filter(key__in=keys)}
        self.by_fold: dict[str, list[Player]] = {}
        for player in listed.filter(folded__in=folds):
            self.by_fold.setdefault(player.folded, []).append(player)
        aliases = league.aliases.filter(folded__in=folds, player__is_listed=True)
        for alias in aliases.select_related("player"):
            self.by_fold.setdefault(alias.folded, [alias.player])
        self.fresh: dict[str, Player] = {}

    def find(self, member: SentMember) -> Player:
        if member.key is not None:
            found = self.by_key.get(member.key)
            return found or self._new(member.name, member.key)
        bearers = self.by_fold.get(fold_name(member.name or ""), [])
        if len(bearers) > 1:
            raise Refused(
                [
                    Problem(
                        "sides",
                        "name_shared",
                        _("Several players are called “%(name)s”; send the key.")
                        % {"name": member.name},
                    )
                ]
            )
        return bearers[0] if bearers else self._new(member.name, None)

    def _new(self, name: str | None, key: str | None) -> Player:
        if not self.create or name is None:
            raise Refused(
                [
                    Problem(
                        "sides",
                        "unknown_player",
                        _("There is no player “%(name)s” here.") % {"name": key or name},
                    )
                ]
            )
        player = new_player(league=self.league, name=name, key=key)
        player = self.fresh.setdefault(player.key, player)
        self.by_key[player.key] = player
        self.by_fold.setdefault(player.folded, []).append(player)
        return player

    def store_new(self) -> None:
        """Store the new players; one whose import was undone is listed again instead."""
        hidden = players_by_key(self.league, self.fresh)
        taken = [player for player in hidden.values() if player.is_listed]
        if taken:
            raise Refused(_key_taken(self.fresh[player.key], player) for player in taken)
        for key, player in hidden.items():
            self.fresh[key].pk = player.pk
        self.league.players.filter(key__in=hidden).update(is_listed=True)
        Player.objects.bulk_create(
            [player for key, player in self.fresh.items() if key not in hidden]
        )


def _key_taken(fresh: Player, stored: Player) -> Problem:
    return Problem(
        "sides",
        "key_taken",
        _("The key “%(key)s” of “%(name)s” belongs to “%(other)s”; send a key of its own.")
        % {"key": fresh.key, "name": fresh.name, "other": stored.name},
    )


def _members(matches: Iterable[SentMatch]) -> Iterator[SentMember]:
    for match in matches:
        for side in match.sides:
            yield from side.members
