"""Players of a league: found by part of a name, and the one who looks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import ExpressionWrapper, F, Max, Q, QuerySet, TextField

from leagues.domain.absence import inactive_in_league
from leagues.domain.leaving import left_among, players_who_left
from leagues.models import League, Match, Participant, Player
from leagues.models.match import has_result
from leagues.models.player import name_condition
from leagues.selectors.player_groups import groups_of_players
from leagues.store.id_lists import Among
from leagues.store.memory import Memory
from leagues.store.prepared import prepare_with_plan
from leagues.store.search import Listed, any_of, plain_name
from leagues.store.standing_columns import Person

MAX_SUGGESTIONS = 20
MAX_NEWEST = 100
MAX_LISTED = 100
"""Players on one page of the list."""
HAS_LEFT = ExpressionWrapper(F("left_at"), TextField())
"""When a player left, as it is stored: SQLite's moments take longer to read than their rows."""
PERSON = ("pk", "key", "name", "user_id", "birth_year", HAS_LEFT)
"""The columns of a `Person`."""
MAX_BYTES, PERSON_BYTES = 4 * 1024 * 1024, 512
"""Of the names that a process keeps of pages of standings, and what one of them takes."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who may be looking: an account, and the key of a player who was said to be looking."""

    user_id: int | None = None
    key: str = ""

    def __bool__(self) -> bool:
        return self.user_id is not None or bool(self.key)

    def conditions(self) -> tuple[Q, ...]:
        """The conditions of a player of a league who may be this one: any of these."""
        by_account = () if self.user_id is None else (Q(user=self.user_id),)
        return (*by_account, Q(key=self.key)) if self.key else by_account

    def among(self, players: Iterable[Player]) -> Player | None:
        """The player whom the account has claimed, else the one of the key."""
        by_key = sorted(players, key=lambda player: player.key)
        claimed = [row for row in by_key if self.user_id and row.user_id == self.user_id]
        named = [row for row in by_key if self.key and row.key == self.key]
        return next(iter((*claimed, *named)), None)


def player_of(*, league: League, viewer: Viewer) -> Player | None:
    """The player of a league who looks."""
    if not viewer:
        return None
    return viewer.among(any_of(league.players.listed(), *viewer.conditions()))


def search(*, league: League, query: str) -> QuerySet[Any]:
    """A query for whom a search by name finds of the listed players: their primary keys.

    All in the column `found` of one row, as few letters find many thousands; no row for nobody.
    """
    players = league.players.listed().filter(name_condition(league, query))
    return players.order_by().values("league_id").annotate(found=Listed("pk"))


def without_results(league: League) -> list[Player]:
    """Those of the players added last who have no result, the newest first."""
    newest = league.players.listed().order_by("-pk")[:MAX_NEWEST]
    played = Participant.objects.filter(player__in=[player.pk for player in newest])
    known = set(played.values_list("player_id", flat=True).distinct())
    return [player for player in newest if player.pk not in known]


_named: Memory[Mapping[int, Person]] = Memory(MAX_BYTES)


class Roster:
    """The players that a page names, and the one who looks: read together, once.

    `log` is the digest of the league's log: whatever changes of a player has an entry there, so
    names stay as long as it does. Without it they are read each time.
    """

    def __init__(
        self, league: League, viewer: Viewer, known: Sequence[Person] | None, *, log: str
    ) -> None:
        self.league, self.who, self.log = league, viewer, log
        self.is_read = known is not None
        self.people: Mapping[int, Person] = {one.player_id: one for one in known or ()}

    def read(self, player_ids: list[int]) -> None:
        """Make some players known."""
        if self.is_read or not (player_ids or self.who):
            return
        # Standings name whom an undone import brought, until they are computed again.
        lookers = [condition & Q(is_listed=True) for condition in self.who.conditions()]
        if lookers:
            players = self.league.players.values_list(*PERSON)
            rows = any_of(players, Q(Among("pk", player_ids)), *lookers)
            self.people = {row[0]: Person._make(row) for row in rows}
        else:
            self.people = self._named(player_ids)

    def _named(self, player_ids: list[int]) -> Mapping[int, Person]:
        """Players as they were read before, unless anything was changed by hand since.

        Shared between threads: whoever gets them leaves them as they are.
        """
        # A result moves them on their page more often than it brings another one onto it.
        of = self.league.pk, self.league.created_at, self.log, tuple(sorted(player_ids))
        people = _named.get(of)
        if people is None:
            rows = _players(league=self.league.pk, ids=tuple(player_ids))
            people = {row[0]: Person._make(row) for row in rows}
            if self.log:
                _named.put(of, people, PERSON_BYTES * len(people))
        return people

    def player(self, player_id: int) -> Player:
        """A player who is known."""
        person = self.people[player_id]
        return Player(
            pk=player_id,
            league_id=self.league.pk,
            key=person.key,
            name=person.name,
            user_id=person.user_id,
            birth_year=person.birth_year,
        )

    def who_left(self, player_ids: Iterable[int]) -> frozenset[int]:
        """Those of some players, who are known, who no longer play; no query for nobody."""
        candidates = [pk for pk in player_ids if self.people[pk].left_at is not None]
        if not candidates:
            return frozenset()
        left = players_who_left(self.league.pk).filter(pk__in=candidates)
        return frozenset(left.values_list("pk", flat=True))

    def viewer(self) -> Player | None:
        """The player who looks."""
        account, key = self.who.user_id, self.who.key
        return self.who.among(
            self.player(one.player_id)
            for one in self.people.values()
            if (account and one.user_id == account) or (key and one.key == key)
        )


@prepare_with_plan
def _players(*, league: int, ids: tuple[int, ...]) -> QuerySet[Any, Any]:
    return Player.objects.filter(Among("pk", ids), league=league).order_by().values_list(*PERSON)


@dataclass(frozen=True, slots=True)
class Suggestion:
    key: str
    name: str


@dataclass(frozen=True, slots=True)
class People:
    """Players of some name, by name; `has_more` when not all of them are here."""

    rows: tuple[Suggestion, ...]
    has_more: bool


def search_people(*, league: League, query: str, only_playing: bool = False) -> People:
    """The listed players whom a search by name finds; nobody without letters.

    `only_playing` leaves out those who left.
    """
    if not plain_name(query):
        return People((), has_more=False)
    players = league.players.listed().named(query, league)
    if only_playing:
        players = players.exclude(pk__in=players_who_left(league.pk).values("pk"))
    rows = players.order_by("folded", "key").values_list("key", "name")[: MAX_SUGGESTIONS + 1]
    suggestions = tuple(Suggestion(key, name) for key, name in rows)
    return People(suggestions[:MAX_SUGGESTIONS], has_more=len(suggestions) > MAX_SUGGESTIONS)


@dataclass(frozen=True, slots=True)
class ListedPlayer:
    """A player of the list of all; `groups` are names by kind.

    `last_at` is when the player's last result was played; None without one.
    """

    key: str
    name: str
    last_at: datetime | None
    is_inactive: bool
    has_left: bool
    groups: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ListedPlayers:
    rows: tuple[ListedPlayer, ...]
    has_more: bool


def listed_players(*, league: League, query: str, after: str, now: datetime) -> ListedPlayers:
    """A page of the listed players by name, behind the one whose key is `after`.

    With letters in the `query`, those whom a search by name finds.
    """
    players = league.players.listed()
    if plain_name(query):
        players = players.named(query, league)
    last = league.players.filter(key=after).first() if after else None
    if last is not None:
        # The index has this order, and a page far behind is read as fast as the first.
        players = players.filter(
            Q(folded__gte=last.folded), Q(folded__gt=last.folded) | Q(key__gt=last.key)
        )
    found = list(players.order_by("folded", "key")[: MAX_LISTED + 1])
    shown = found[:MAX_LISTED]
    ids = [player.pk for player in shown]
    last_at = _last_played(ids)
    since = _inactive_before(league, now)
    left = left_among(shown)
    groups = groups_of_players(league, ids)
    rows = (
        ListedPlayer(
            player.key,
            player.name,
            last_at=last_at.get(player.pk),
            is_inactive=player.pk in last_at and last_at[player.pk] < since,
            has_left=player.pk in left,
            groups=groups.get(player.pk, {}),
        )
        for player in shown
    )
    return ListedPlayers(tuple(rows), has_more=len(found) > MAX_LISTED)


def _last_played(players: Collection[int]) -> dict[int, datetime]:
    """When some players have last played, of those with results that count."""
    rows = Participant.objects.filter(
        has_result("match__"), player__in=players, match__status=Match.Status.LIVE
    )
    return dict(rows.values_list("player_id").annotate(last=Max("match__played_at")).order_by())


def _inactive_before(league: League, now: datetime) -> datetime:
    """The moment before which the last result of a player makes an inactive one."""
    results = Match.objects.filter(league=league).live().results()
    newest = results.order_by("-played_at").values_list("played_at", flat=True).first()
    return inactive_in_league(league, newest or now, now)


def players_by_id(ids: Iterable[int]) -> dict[int, Player]:
    """Players by their keys in the database; no query without any."""
    wanted = list(ids)
    return Player.objects.in_bulk(wanted) if wanted else {}
