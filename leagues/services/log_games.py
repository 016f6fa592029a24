"""The games of a server's log as matches: who took part, on which sides, and what happened.

Nothing here knows a league: players stand here by what the log says of them.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from leagues.domain.event_kinds import BETWEEN_TWO, is_own_kind
from leagues.models.match import OWN_EVENT, MatchEventKind
from leagues.services.validation import MOST_EVENTS, MOST_PLAYERS, MOST_SIDES
from ratings.gamelogs.sessions import Ending, GameEvent, GameEventKind, GamePlayer, GameSession

FIRST_EVENTS: Final = 8
"""Events by which a game is known again: those after them may still be missing in a shorter log."""

_KINDS: Final[Mapping[GameEventKind, MatchEventKind]] = {
    GameEventKind.FRAG: MatchEventKind.FRAG,
    GameEventKind.TEAM_KILL: MatchEventKind.TEAM_KILL,
    GameEventKind.SUICIDE: MatchEventKind.SUICIDE,
    GameEventKind.WORLD_DEATH: MatchEventKind.WORLD_DEATH,
    GameEventKind.CAPTURE: MatchEventKind.CAPTURE,
    GameEventKind.DAMAGE: MatchEventKind.DAMAGE,
    GameEventKind.ASSIST: MatchEventKind.ASSIST,
    GameEventKind.FLAG_TAKEN: MatchEventKind.FLAG_TAKEN,
    GameEventKind.FLAG_RETURNED: MatchEventKind.FLAG_RETURNED,
}
"""The events that are stored."""
_WITHOUT_TEAMS: Final = frozenset(("ffa", "duel"))
_COSTS: Final = frozenset(
    (GameEventKind.SUICIDE, GameEventKind.WORLD_DEATH, GameEventKind.TEAM_KILL)
)
"""Events that cost whoever did or suffered them a point."""
_ON_OPPONENTS: Final = frozenset((MatchEventKind.DAMAGE, MatchEventKind.ASSIST))
_BESIDES: Final = frozenset(
    (*_ON_OPPONENTS, MatchEventKind.FLAG_TAKEN, MatchEventKind.FLAG_RETURNED)
)
"""Events without which a game is still the same game: left out where there is no room for them."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Why a game or an event is not imported, and for whom where that is about one player."""

    code: str
    words: str | Promise
    name: str = ""

    @property
    def sentence(self) -> str:
        """The words, with the name where there is one."""
        words = str(self.words).rstrip(".")
        return f"{words}: {self.name}" if self.name else words


WARM_UP: Final = LeftOut("warm_up", _("warm-up"))
BROKEN_OFF: Final = LeftOut("broken_off", _("broken off before the end"))
CUT_OFF: Final = LeftOut(
    "cut_off", _("not over at the end of the log; if the log was split, join its files into one")
)
NO_OPPONENTS: Final = LeftOut("no_opponents", _("fewer than two sides took part"))
BOTS_ALONE: Final = LeftOut(
    "bots_alone",
    _("fewer than two sides without bots; choose “Bots are players too” if they count"),
)
NOT_TOLD_APART: Final = LeftOut(
    "not_told_apart", _("two players had one name at once, and no id tells them apart")
)
NO_TEAM_SCORE: Final = LeftOut(
    "no_team_score", _("a team’s final score is missing, though the log has another’s")
)
NO_RESULT: Final = LeftOut("no_result", _("neither scores nor events"))
TOO_MANY: Final = LeftOut("too_many", _("more sides, players or events than a match can have"))
OF_OTHERS: Final = LeftOut("of_others", _("by or on a player who is left out, such as a bot"))
NOT_RATED: Final = LeftOut("not_rated", _("of a kind that nothing rates"))
OWN_SIDE: Final = LeftOut("own_side", _("damage to their own side, or an assist against it"))
NO_ROOM: Final = LeftOut("no_room", _("besides frags and captures, in a game with too many events"))
REASONS: Final = (
    WARM_UP,
    BROKEN_OFF,
    CUT_OFF,
    NO_OPPONENTS,
    BOTS_ALONE,
    NOT_TOLD_APART,
    NO_TEAM_SCORE,
    NO_RESULT,
    TOO_MANY,
    OF_OTHERS,
    NOT_RATED,
    OWN_SIDE,
    NO_ROOM,
)


def counts_by_code(left_out: Mapping[LeftOut, int]) -> dict[str, int]:
    """How much is left out for each reason, whomever it is about."""
    counts: Counter[str] = Counter()
    for reason, count in left_out.items():
        counts[reason.code] += count
    return dict(counts)


@dataclass(frozen=True, slots=True)
class LoggedPlayer:
    """Whom a log names; the key is made from the game's id, where that tells people apart."""

    name: str
    key: str | None


@dataclass(frozen=True, slots=True)
class LoggedSide:
    """Players who win or lose together, and what each scored alone; rank 1 is best."""

    rank: int
    score: int | None
    players: tuple[tuple[LoggedPlayer, int | None], ...]


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """One happening that is stored."""

    kind: str
    player: LoggedPlayer
    opponent: LoggedPlayer | None
    points: float
    milliseconds: int


@dataclass(frozen=True, slots=True)
class LoggedGame:
    """A game that can be a match; `started_at` is local time of the server without a zone."""

    id: str
    mode: str
    map: str
    started_at: datetime | None
    number: int
    """Its number among the games of its log."""
    sides: tuple[LoggedSide, ...]
    events: tuple[LoggedEvent, ...]
    events_left_out: Mapping[LeftOut, int]


def game_of(
    session: GameSession, number: int, *, with_bots: bool, with_broken_off: bool
) -> LoggedGame | LeftOut:
    """A session as a game, or why it is none."""
    if session.is_warmup:
        return WARM_UP
    if session.ending == Ending.CUT_OFF:
        return CUT_OFF
    if session.ending == Ending.BROKEN_OFF and not with_broken_off:
        return BROKEN_OFF
    if not session.events and session.result is None:
        return NO_RESULT
    people = _people(session, with_bots=with_bots)
    groups = _groups(session, people)
    if len(groups) < 2:
        return _why_alone(session, with_bots=with_bots)
    if len(groups) > MOST_SIDES or sum(map(len, groups.values())) > MOST_PLAYERS:
        return TOO_MANY
    if _lacks_team_score(session, groups):
        return NO_TEAM_SCORE
    known = {
        place: LoggedPlayer(people[place].name, key_of(session, people[place]))
        for group in groups.values()
        for place in group
    }
    side_of = {place: side for side, group in groups.items() for place in group}
    events, left_out = _events(session.events, known, side_of)
    if len(events) > MOST_EVENTS:
        kept = tuple(event for event in events if event.kind not in _BESIDES)
        left_out[NO_ROOM] += len(events) - len(kept)
        events = kept
    if len(events) > MOST_EVENTS:
        return TOO_MANY
    return LoggedGame(
        id=_id(session),
        mode=session.mode,
        map=session.map,
        started_at=session.started_at,
        number=number,
        sides=_sides(session, groups, known),
        events=events,
        events_left_out=left_out,
    )


def _why_alone(session: GameSession, *, with_bots: bool) -> LeftOut:
    """Why a game has fewer than two sides: bots were the others, or a player was there twice."""
    seen = _seen(session)
    names = (
        player.name
        for place, player in enumerate(session.players)
        if place in seen and player.identity is None
    )
    name = next(names, "")
    if name:
        return replace(NOT_TOLD_APART, name=name)
    everyone = _groups(session, _people(session, with_bots=True))
    return BOTS_ALONE if not with_bots and len(everyone) > 1 else NO_OPPONENTS


def _seen(session: GameSession) -> set[int | None]:
    """The positions of whoever has a score at the end, or an event."""
    seen = {place for event in session.events for place in (event.actor, event.target)}
    if session.result is not None:
        seen |= {row.player for row in session.result.players}
        seen.update(session.result.winners)
    return seen


def _people(session: GameSession, *, with_bots: bool) -> dict[int, GamePlayer]:
    """Who took part, by position, as far as they can be told apart."""
    seen = _seen(session)
    return {
        place: player
        for place, player in enumerate(session.players)
        if place in seen
        and player.identity is not None
        and not player.is_spectator
        and (with_bots or not player.is_bot)
    }


def _groups(session: GameSession, people: Mapping[int, GamePlayer]) -> dict[str, list[int]]:
    """The positions of those who play together, by team; in games without teams everyone alone."""
    teams: defaultdict[str, list[int]] = defaultdict(list)
    for place, player in people.items():
        teams[player.team].append(place)
    if session.mode in _WITHOUT_TEAMS or not any(teams):
        return {str(place): [place] for place in people}
    # Whoever joined no team had no part in the game of two teams.
    return {team: places for team, places in teams.items() if team}


def _lacks_team_score(session: GameSession, groups: Mapping[str, Sequence[int]]) -> bool:
    """Whether a team has no score to compare with another's, and nothing else says who won."""
    if session.result is None or session.result.winners:
        return False
    stated = {row.team for row in session.result.teams}
    return not stated.isdisjoint(groups) and not groups.keys() <= stated


def key_of(session: GameSession, player: GamePlayer) -> str | None:
    """The key of a player whom the game's id tells apart, else None.

    It tells the game's id to nobody: on some servers it is as good as a password.
    """
    kind, _colon, identity = (player.identity or "").partition(":")
    if kind != "id":
        return None
    return f"id-{hashlib.sha256(f'{session.format}:{identity}'.encode()).hexdigest()[:24]}"


def _sides(
    session: GameSession, groups: Mapping[str, Sequence[int]], known: Mapping[int, LoggedPlayer]
) -> tuple[LoggedSide, ...]:
    """The sides by rank: winners first, then by score; who left before the end comes last."""
    result = session.result
    stated = {row.player: row.score for row in result.players} if result else {}
    teams = {row.team: row.score for row in result.teams} if result else {}
    winners = set(result.winners) if result else set()
    own = {place: stated.get(place, count) for place, count in _counts(session, known).items()}
    captures = Counter(
        event.actor for event in session.events if event.kind == GameEventKind.CAPTURE
    )
    rows = []
    for team, places in groups.items():
        if team in teams:
            score, is_stated = teams[team], True
        else:
            points = captures if session.mode == "ctf" and not teams else own
            score = sum(points[place] for place in places)
            is_stated = not teams and (not stated or any(place in stated for place in places))
        order = (winners.isdisjoint(places), not is_stated, -score)
        rows.append((order, score, places))
    rows.sort(key=lambda row: row[0])
    orders = [order for order, *_rest in rows]
    return tuple(
        LoggedSide(
            rank=orders.index(order) + 1,
            score=score,
            players=tuple(
                (known[place], own[place] if len(places) > 1 else None) for place in places
            ),
        )
        for order, score, places in rows
    )


def _counts(session: GameSession, known: Iterable[int]) -> dict[int, int]:
    """Frags less suicides, team kills and deaths by the world, as games count them."""
    counts = dict.fromkeys(known, 0)
    for event in session.events:
        who = event.target if event.actor is None else event.actor
        if who is None or who not in counts:
            continue
        if event.kind == GameEventKind.FRAG:
            counts[who] += 1
        elif event.kind in _COSTS:
            counts[who] -= 1
    return counts


def _events(
    events: Iterable[GameEvent], known: Mapping[int, LoggedPlayer], side_of: Mapping[int, str]
) -> tuple[tuple[LoggedEvent, ...], Counter[LeftOut]]:
    """The events that are stored, and how many are not, by reason."""
    stored = []
    left_out: Counter[LeftOut] = Counter()
    for event in events:
        kind = _kind_of(event)
        if not kind:
            left_out[NOT_RATED] += 1
            continue
        one, other = event.actor, event.target
        if kind == MatchEventKind.WORLD_DEATH:
            one, other = event.target, None
        elif kind not in BETWEEN_TWO and not is_own_kind(kind):
            other = None
        if one is None or one not in known or (other is not None and other not in known):
            left_out[OF_OTHERS] += 1
            continue
        is_on_opponent = kind in _ON_OPPONENTS or is_own_kind(kind)
        if is_on_opponent and other is not None and side_of[one] == side_of[other]:
            left_out[OWN_SIDE] += 1
            continue
        stored.append(
            LoggedEvent(
                kind=kind,
                player=known[one],
                opponent=None if other is None else known[other],
                points=event.value,
                milliseconds=round(event.seconds * 1000),
            )
        )
    return tuple(stored), left_out


def _kind_of(event: GameEvent) -> str:
    """The kind that an event is stored as; empty where it is not."""
    if event.kind == GameEventKind.OWN:
        return f"{OWN_EVENT}{event.detail}"
    kind = _KINDS.get(event.kind)
    return kind.value if kind else ""


def _id(session: GameSession) -> str:
    """What a game is known by in the same log, or a longer version of it: how it began.

    Not by how it ended: the scores behind the end may not be written yet. A game without events
    and without a date is known by all that there is of it.
    """
    begin: list[object] = [session.game, session.map, session.mode, session.match_id]
    begin += [session.started_at and session.started_at.isoformat(), session.clock]

    def name(place: int | None) -> str | None:
        return None if place is None else session.players[place].names[0]

    begin += [
        [round(event.seconds, 3), event.kind, name(event.actor), name(event.target), event.detail]
        for event in session.events[:FIRST_EVENTS]
    ]
    if not session.events and session.started_at is None and session.result is not None:
        begin.append([[name(row.player), row.score] for row in session.result.players])
        begin.append([[row.team, row.score] for row in session.result.teams])
    digest = hashlib.sha256(json.dumps(begin, separators=(",", ":")).encode()).hexdigest()
    return f"{session.format}:{digest[:32]}"
