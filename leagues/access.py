"""The one door to every protected object: who may do what in a league.

Views, fragments and the API get leagues, matches, players, revisions and tokens from here and
from nowhere else. What is not granted below is denied. Roles are read from the database on each
request, never kept in a session or a token, so that a role taken away is gone with the next click.

Two refusals, the same for everybody: what the caller may not even see does not exist (`Http404`,
word for word as for an address that was never taken); what the caller sees and may not do is
`PermissionDenied`, for anonymous visitors too: the page of that refusal offers to sign in.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, TypeAlias

from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.db.models import (
    CharField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
)
from django.db.models.expressions import Combinable
from django.http import Http404, HttpRequest
from django.utils import timezone

from leagues.domain.linked_revisions import seasons_of_undo
from leagues.domain.started_matches import is_lost
from leagues.models import (
    ApiToken,
    Board,
    League,
    Match,
    Membership,
    Mode,
    Player,
    Revision,
    Season,
    Trial,
)
from leagues.models.match import STARTED_KINDS
from leagues.store.left_matches import has_cost_another
from leagues.store.match_addresses import match_at
from leagues.store.prepared import prepare_with_plan
from leagues.store.search import any_of

Principal: TypeAlias = User | AnonymousUser | ApiToken

OWN_ENTRY = timedelta(hours=24)


class AccountWanted(PermissionDenied):
    """Refused to a visitor, since it takes an account and no role in a league."""


class SeasonClosed(PermissionDenied):
    """Refused to somebody who enters results here, since the season takes none any more."""

    def __init__(self, season: Season, *, may_reopen: bool) -> None:
        super().__init__()
        self.season = season
        self.may_reopen = may_reopen


class Action(enum.Enum):
    """What somebody may want to do in a league (reliability 4.3)."""

    VIEW = "view"
    ENTER = "enter"
    BACKDATE = "backdate"
    CORRECT = "correct"
    VOID = "void"
    RESTORE = "restore"
    UNDO = "undo"
    IMPORT = "import"
    PLAYERS = "players"
    SETTINGS = "settings"
    ROLES = "roles"
    TOKENS = "tokens"
    REOPEN = "reopen"
    AUDIT = "audit"


_NOTHING: frozenset[Action] = frozenset()
_EVERYTHING = frozenset(Action)
_READ = frozenset({Action.VIEW})
_OWN_ENTRY_ACTIONS = frozenset({Action.CORRECT, Action.VOID, Action.RESTORE, Action.UNDO})
_CHANGES_RESULTS = _OWN_ENTRY_ACTIONS | {Action.ENTER, Action.IMPORT, Action.BACKDATE}
_OF_ROLE = {
    Membership.Role.PLAYER: _READ,
    Membership.Role.SCORER: _READ | {Action.ENTER},
    # Whoever sealed a season is not the one to break the seal.
    Membership.Role.ORGANIZER: _EVERYTHING - {Action.REOPEN},
}
_OF_SCOPE = {
    ApiToken.Scope.READ: _READ,
    ApiToken.Scope.RESULTS: _READ | {Action.ENTER},
}


def principal_of(request: HttpRequest) -> Principal:
    """The one who asks: the token of an API call, else the signed-in user or nobody."""
    credential = getattr(request, "auth", None)
    return credential if isinstance(credential, ApiToken) else request.user


def rights(
    principal: Principal,
    league: League,
    *,
    match: Match | None = None,
    revision: Revision | None = None,
    now: datetime | None = None,
) -> frozenset[Action]:
    """All that a principal may do in a league, or with one of its matches or revisions.

    Without an object, rights that hold for own entries only are not among them. A match or
    revision of another league, or of a season that takes no results, can be read at most; a
    revision also where it is undone together with one of such a season. Own starts of matches go by
    who may let their players go.
    """
    held = _league_rights(principal, league)
    subject = match or revision
    if subject is None:
        return held
    if subject.league_id != league.pk:
        return _NOTHING
    seasons = [subject.season] if revision is None else seasons_of_undo(revision)
    if not all(_takes_changes(season, held) for season in seasons):
        return held - _CHANGES_RESULTS
    now = now or timezone.now()
    is_own = Action.ENTER in held and _is_own_entry(principal, match, revision, now)
    if is_own and not _is_bound(principal, match, revision, now):
        return held | _OWN_ENTRY_ACTIONS
    return held


def is_allowed(
    principal: Principal,
    action: Action,
    league: League,
    *,
    match: Match | None = None,
    revision: Revision | None = None,
) -> bool:
    """Whether a principal may do one thing; for several at once ask `rights`."""
    return action in rights(principal, league, match=match, revision=revision)


def signed_in(request: HttpRequest) -> User:
    """The user of a page that everybody with an account may use."""
    if not isinstance(request.user, User) or not request.user.is_active:
        raise AccountWanted
    return request.user


def visible_leagues(principal: Principal) -> QuerySet[League]:
    """The leagues that may be named to somebody: in lists, searches, counts and feeds."""
    leagues = League.objects.all()
    if isinstance(principal, ApiToken):
        return leagues.filter(Q(visibility=League.Visibility.PUBLIC) | Q(pk=principal.league_id))
    if _is_site_admin(principal):
        return leagues
    listed = Q(visibility=League.Visibility.PUBLIC)
    if principal.is_active and principal.is_authenticated:
        listed |= Q(pk__in=Membership.objects.filter(user=principal.pk).values("league"))
    return leagues.filter(listed)


def own_leagues(principal: Principal) -> QuerySet[League]:
    """The leagues in which somebody has a role."""
    if not isinstance(principal, User) or not principal.is_active:
        return League.objects.none()
    return League.objects.filter(pk__in=Membership.objects.filter(user=principal).values("league"))


def league(request: HttpRequest, slug: str, action: Action) -> League:
    """The league at an address, for one action."""
    league = _seen_league(request, slug)
    _require(action, rights(principal_of(request), league))
    return league


def match(request: HttpRequest, slug: str, season_slug: str, seq: int, action: Action) -> Match:
    """A numbered match of a league; what an unfinished import brought does not exist."""
    principal = principal_of(request)
    asker = principal.pk if isinstance(principal, User) and principal.is_active else None
    match = match_at(league=slug, season=season_slug, seq=seq, user=asker)
    if match is None:
        raise Http404
    owner = match.season.league = _with_role(request, match.league, match)
    held = rights(principal, owner, match=match)
    _require_open(action, held, principal, owner, [match.season])
    _require(action, held)
    return match


def started_match(
    request: HttpRequest, slug: str, season_slug: str, seq: int
) -> tuple[Match, frozenset[str]]:
    """A started match, and the keys of those whom the asker may let go; refused without any."""
    row = match(request, slug, season_slug, seq, Action.VIEW)
    keys = releasable(principal_of(request), row)
    if not keys:
        raise PermissionDenied
    return row, keys


def releasable(principal: Principal, match: Match) -> frozenset[str]:
    """The keys of the players of a started match whom somebody may let go, by its mode's rule.

    Organizers decide on all. Who enters results decides on everyone else, and a player, where the
    mode says so, on the other side: no player is let go by their own word.
    """
    if not match.season.takes_late_results:
        return frozenset()
    held = rights(principal, match.league, match=match)
    rows = match.participants.values_list("player__key", "side", "player__user")
    people = {key: (side, user) for key, side, user in rows}
    if Action.CORRECT in _league_rights(principal, match.league):
        return frozenset(people)
    own_user = principal.pk if isinstance(principal, User) and principal.is_active else None
    own_sides = {side for side, user in people.values() if user is not None and user == own_user}
    if Action.ENTER in held:
        return frozenset(
            key for key, (_side, user) in people.items() if user is None or user != own_user
        )
    if match.mode.released_by != Mode.ReleasedBy.PLAYERS or not own_sides:
        return frozenset()
    return frozenset(key for key, (side, _user) in people.items() if side not in own_sides)


def require_releasable(match: Match, keys: frozenset[str], released: frozenset[str]) -> None:
    """Refuse to let a player of a match go who is not among those with `keys`."""
    if released - keys and match.participants.filter(player__key__in=released - keys).exists():
        raise PermissionDenied


def player(request: HttpRequest, slug: str, key: str, action: Action) -> Player:
    """A listed player of a league."""
    return players(request, slug, key, action)[0]


def players(request: HttpRequest, slug: str, key: str, action: Action, *also: Q) -> list[Player]:
    """A listed player of a league, and behind it those that `also` asks for, in one read."""
    matching: list[Player] = []
    # PostgreSQL refuses to look for a NUL instead of not finding it.
    if "\x00" not in key:
        rows = Player.objects.select_related("league").annotate(
            role_here=_role_of(request, "league")
        )
        listed = rows.listed().filter(league__slug=slug)
        matching = sorted(any_of(listed, Q(key=key), *also), key=lambda row: row.key != key)
    if not matching or matching[0].key != key:
        raise Http404
    owner = _with_role(request, matching[0].league, matching[0])
    _require(action, rights(principal_of(request), owner))
    for one in matching:
        one.league = owner
    return matching


def merged_player(
    request: HttpRequest, slug: str, key: str, action: Action
) -> tuple[Player, Player]:
    """A player who was merged into another one, and that one."""
    owner = league(request, slug, action)
    rows = owner.players.filter(merged_into__isnull=False)
    row = rows.filter(key=key).first() if "\x00" not in key else None
    survivor = row.survivor() if row is not None else None
    if row is None or survivor is None or not survivor.is_listed:
        raise Http404
    return row, survivor


def revision(
    request: HttpRequest, slug: str, season_slug: str, number: int, action: Action
) -> Revision:
    """An applied revision of a league."""
    owner = _seen_league(request, slug)
    row = (
        owner.revisions.select_related("league", "season", "author", "reverts")
        .filter(season__slug=season_slug, number=number)
        .first()
    )
    if row is None:
        raise Http404
    principal = principal_of(request)
    held = rights(principal, owner, revision=row)
    _require_open(action, held, principal, owner, seasons_of_undo(row))
    _require(action, held)
    return row


def season(request: HttpRequest, owner: League, slug: str) -> Season:
    """A season of a league that came through `league`."""
    row = owner.seasons.filter(slug=slug).first() if "\x00" not in slug else None
    if row is None:
        raise Http404
    row.league = owner
    _require_visible(request, row)
    return row


def visible_seasons(principal: Principal, owner: League) -> QuerySet[Season]:
    """The seasons of a league that may be named to somebody; drafts to those who see to them."""
    seasons = owner.seasons.all()
    if is_allowed(principal, Action.SETTINGS, owner):
        return seasons
    return seasons.exclude(state=Season.State.DRAFT)


def mode(owner: League, slug: str) -> Mode:
    """What is played in a league that came through `league`."""
    row = owner.modes.filter(slug=slug).first() if "\x00" not in slug else None
    if row is None:
        raise Http404
    row.league = owner
    return row


def board(owner: Season, slug: str) -> Board:
    """A board of a season that came through `season`."""
    boards = owner.boards.select_related("league", "season", "mode")
    row = boards.filter(slug=slug).first() if "\x00" not in slug else None
    if row is None:
        raise Http404
    return row


def trial(request: HttpRequest, owner: League, number: int) -> Trial:
    """A trial of parameters in a league that came through `league`."""
    trials = owner.trials.select_related("board__season", "board__mode")
    row = trials.filter(pk=number, kind=Trial.Kind.RULES).first()
    if row is None or row.board is None:
        raise Http404
    row.board.league = row.board.season.league = owner
    _require_visible(request, row.board.season)
    return row


def token(request: HttpRequest, slug: str, public_id: str, action: Action) -> ApiToken:
    """A token of a league by the public part of it."""
    owner = league(request, slug, action)
    row = owner.tokens.filter(public_id=public_id).first()
    if row is None:
        raise Http404
    return row


def member(request: HttpRequest, slug: str, user_id: int, action: Action) -> Membership:
    """Somebody's membership in a league."""
    owner = league(request, slug, action)
    row = owner.memberships.select_related("user").filter(user__pk=user_id).first()
    if row is None:
        raise Http404
    return row


def _seen_league(request: HttpRequest, slug: str) -> League:
    league = _league_of_token(request, slug) or _league_with_role(request, slug)
    if Action.VIEW not in rights(principal_of(request), league):
        raise Http404
    return league


def _league_of_token(request: HttpRequest, slug: str) -> League | None:
    """The league of the token, which was read with it, where that is the one at the address."""
    principal = principal_of(request)
    if isinstance(principal, ApiToken) and principal.league.slug == slug:
        return principal.league
    return None


def _league_with_role(request: HttpRequest, slug: str) -> League:
    if not isinstance(principal_of(request), User):
        # Nobody has a role without an account.
        leagues = _leagues_at(slug=slug)
        if not leagues:
            raise Http404
        return leagues[0]
    league = League.objects.annotate(role_here=_role_of(request)).filter(slug=slug).first()
    if league is None:
        raise Http404
    return _with_role(request, league, league)


@prepare_with_plan
def _leagues_at(*, slug: str) -> QuerySet[League, League]:
    return League.objects.filter(slug=slug)


def _role_of(request: HttpRequest, league: str = "pk") -> Combinable:
    """An expression for the caller's role, to be read along with what leads to a league."""
    principal = principal_of(request)
    if not isinstance(principal, User) or not principal.is_active:
        return Value(None, CharField())
    own = Membership.objects.filter(league=OuterRef(league), user=principal.pk)
    return Subquery(own.values("role")[:1])


def _with_role(request: HttpRequest, league: League, row: Any) -> League:
    """Let a league remember, for this request, the role that was read with it."""
    league.__dict__["role_known"] = (principal_of(request).pk, row.role_here)
    return league


def _require_visible(request: HttpRequest, season: Season) -> None:
    """Refuse a draft to all but those who see to it."""
    if season.state != Season.State.DRAFT:
        return
    if not is_allowed(principal_of(request), Action.SETTINGS, season.league):
        raise Http404


def _takes_changes(season: Season, held: frozenset[Action]) -> bool:
    """Whether those with some rights in its league may change results of a season."""
    return season.takes_results or (season.takes_late_results and Action.CORRECT in held)


def _require_open(
    action: Action,
    rights: frozenset[Action],
    principal: Principal,
    league: League,
    seasons: Iterable[Season],
) -> None:
    """Refuse changes of results in a closed season; only there is its state the reason."""
    if action in rights or action not in _CHANGES_RESULTS:
        return
    held = _league_rights(principal, league)
    for season in seasons:
        if Action.ENTER in held and not _takes_changes(season, held):
            raise SeasonClosed(season, may_reopen=Action.REOPEN in held)


def _require(action: Action, rights: frozenset[Action]) -> None:
    if Action.VIEW not in rights:
        raise Http404
    if action not in rights:
        raise PermissionDenied


def _league_rights(principal: Principal, league: League) -> frozenset[Action]:
    readable = _NOTHING if league.visibility == League.Visibility.PRIVATE else _READ
    if isinstance(principal, ApiToken):
        if principal.league_id != league.pk or not _is_valid(principal):
            return readable
        held = _OF_SCOPE[ApiToken.Scope(principal.scope)]
        may_backdate = Action.ENTER in held and not principal.recent_only
        return held | {Action.BACKDATE} if may_backdate else held
    if not (principal.is_authenticated and principal.is_active):
        return readable
    if _is_site_admin(principal):
        return _EVERYTHING
    known, role = league.__dict__.get("role_known", (None, None))
    if known != principal.pk:
        role = league.memberships.filter(user=principal.pk).values_list("role", flat=True).first()
    return readable if role is None else _OF_ROLE[Membership.Role(role)]


def _is_site_admin(principal: User | AnonymousUser) -> bool:
    return bool(principal.is_active and principal.is_superuser)


def _is_valid(token: ApiToken) -> bool:
    return token.revoked_at is None and token.expires_at > timezone.now()


def _is_own_entry(
    principal: Principal, match: Match | None, revision: Revision | None, now: datetime
) -> bool:
    if isinstance(principal, ApiToken):
        subject = match or revision
        own = subject is not None and subject.source == principal.source
    elif match is not None:
        own = match.entered_by_id == principal.pk
    else:
        own = revision is not None and revision.author_id == principal.pk
    entered_at = match.recorded_at if match else revision.created_at if revision else None
    return own and entered_at is not None and now - entered_at <= OWN_ENTRY


def _is_bound(
    principal: Principal, match: Match | None, revision: Revision | None, now: datetime
) -> bool:
    """Whether a start is over, is its enterer's own match, or has cost somebody another one."""
    is_start = revision is not None and revision.kind == Revision.Kind.START
    start = revision.matches.first() if revision is not None and is_start else match
    if start is None or start.kind not in STARTED_KINDS:
        return False
    is_over = start.kind == Match.Kind.ENDED or is_lost(start, now)
    theirs = start.participants.filter(player__user=principal.pk)
    return is_over or (isinstance(principal, User) and theirs.exists()) or has_cost_another(start)
