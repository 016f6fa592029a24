"""A game session: one game, or an evening of games, rated as if nobody had played before (S0)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import bridge, charts, wording
from leagues.bridge import RatedSession
from leagues.domain.event_kinds import is_own_kind, own_word
from leagues.models import Board, Match, MatchEvent, Player
from leagues.pages.boards import Choice, link_of_player
from leagues.pages.frag_table import DEATHS, FragTable, frag_table
from leagues.pages.match_course import time_of
from leagues.pages.matches import finding, sides_of, when_played
from leagues.pages.ratings import Rating, rating, shown_as
from leagues.pages.seats import format_change
from leagues.selectors.game_sessions import find_session, read_events
from leagues.selectors.matches import people_of

MOST_LINES = 6
"""Of so many players, the best first, ratings are drawn."""
MOST_OPPONENTS = 12
"""Of so many players, the best first, it is told what is at stake next."""
MOST_EVENTS = 300
"""Events that are listed; of more only the last ones."""


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One player of a session; `change` is what the same games did to the season's rating."""

    rank: int
    name: str
    url: str
    rating: Rating
    games: str
    frags: int
    deaths: int
    change: str


@dataclass(frozen=True, slots=True)
class StakeRow:
    """What one player would win and lose against each of the others, in their order."""

    number: int
    name: str
    cells: tuple[tuple[str, str] | None, ...]


@dataclass(frozen=True, slots=True)
class GameLine:
    """One game of the evening."""

    label: str
    when: str
    url: str


@dataclass(frozen=True, slots=True)
class EventLine:
    """One event as it fell, and what it gave whoever did it, or took from whoever died of it."""

    time: str
    words: str
    change: str


@dataclass(frozen=True, slots=True)
class SessionChart:
    """The ratings of the first along the session; of others nothing is drawn."""

    drawn: charts.ComparedChart
    label: str
    sentence: str


@dataclass(frozen=True, slots=True)
class SessionPage:
    title: str
    when: str
    system: str
    shown_as: str
    sentence: str
    scopes: tuple[Choice, ...]
    boards: tuple[Choice, ...]
    rows: tuple[SessionRow, ...]
    season_board: str
    """The board whose changes stand beside; empty where the games count on none."""
    season_note: str
    is_evening: bool
    chart: SessionChart | None
    stakes: tuple[StakeRow, ...]
    stakes_note: str
    frags: FragTable | None
    events: tuple[EventLine, ...]
    events_label: str
    games: tuple[GameLine, ...]


def session_address(match: Match, board: Board | None = None, *, is_evening: bool = False) -> str:
    """The address of the session of a game, as one board's system rates it."""
    path = reverse("leagues:game_session", args=[match.league.slug, match.season.slug, match.seq])
    words = {
        **({"games": "all"} if is_evening else {}),
        **({"board": board.slug} if board else {}),
    }
    return f"{path}?{urlencode(words)}" if words else path


def session_page(match: Match, words: Mapping[str, str]) -> SessionPage | None:
    """The session of a game; None of a game without events or boards, and of one that is void.

    `words` may name the board whose system rates it, and ask for all games of the evening.
    """
    chosen = find_session(
        match, is_evening=words.get("games") == "all", board=words.get("board", "")
    )
    if chosen is None:
        return None
    around, boards, games, board = chosen.around, chosen.boards, chosen.games, chosen.board
    is_evening, players = chosen.is_evening, chosen.players
    events = read_events(games)
    session = chosen.rate()
    course: dict[int, tuple[float, ...]] = {}
    if session and not is_evening:
        course = bridge.game_course(session, games[0], people_of(games[0]), events)
    return SessionPage(
        title=_title(games),
        when=when_played(games[0], match.league),
        system=bridge.system_info(board.system).title,
        shown_as=shown_as(board),
        sentence=_sentence(games, events),
        scopes=_scopes(match, board, around, is_evening=is_evening),
        boards=tuple(
            Choice(
                one.slug,
                one.name,
                one == board,
                url=session_address(match, one, is_evening=is_evening),
            )
            for one in boards
        ),
        rows=_rows(session, board, games, events, players) if session else (),
        season_board=board.name if _moves_season(board, games) else "",
        season_note=_season_note(board, games),
        is_evening=is_evening,
        chart=_chart(session, games, events, course, players) if session else None,
        stakes=_stakes(session, players) if session else (),
        stakes_note=_stakes_note(session),
        frags=None if is_evening else frag_table(match, board, _order_of(session)),
        events=() if is_evening else _event_lines(board, events, course, players),
        events_label=_events_label(len(events)),
        games=tuple(_game_line(game, match, board) for game in around) if is_evening else (),
    )


def _order_of(session: RatedSession | None) -> list[int]:
    """The ids of the players by rank; whoever has a number on the page has it in all its tables."""
    return [place.player_id for place in session.places] if session else []


def _title(games: Sequence[Match]) -> str:
    if len(games) == 1:
        return _("The session of one game")
    words = ngettext("A session of %(count)s game", "A session of %(count)s games", len(games))
    return words % {"count": wording.count(len(games))}


def _sentence(games: Sequence[Match], events: Sequence[MatchEvent]) -> str:
    """What was counted."""
    frags = sum(event.kind == MatchEvent.Kind.FRAG for event in events)
    people = {row.player_id for game in games for row in people_of(game)}
    words = ngettext("%(players)s, %(count)s frag.", "%(players)s, %(count)s frags.", frags)
    return words % {"players": wording.players(len(people)), "count": wording.count(frags)}


def _scopes(
    match: Match, board: Board, around: Sequence[Match], *, is_evening: bool
) -> tuple[Choice, ...]:
    """This game, or all of its evening; nothing to choose where it was the only one."""
    if len(around) < 2:
        return ()
    words = ngettext("all %(count)s game", "all %(count)s games", len(around))
    return (
        Choice("", _("this game"), not is_evening, url=session_address(match, board)),
        Choice(
            "all",
            words % {"count": wording.count(len(around))},
            is_evening,
            url=session_address(match, board, is_evening=True),
        ),
    )


def _rows(
    session: RatedSession,
    board: Board,
    games: Sequence[Match],
    events: Sequence[MatchEvent],
    players: Mapping[int, Player],
) -> tuple[SessionRow, ...]:
    frag, team_kill = MatchEvent.Kind.FRAG.value, MatchEvent.Kind.TEAM_KILL.value
    frags = Counter(event.player_id for event in events if event.kind == frag)
    deaths = Counter(
        event.opponent_id if event.kind in (frag, team_kill) else event.player_id
        for event in events
        if event.kind in DEATHS
    )
    changes = _season_changes(board, games, list(players))
    return tuple(
        SessionRow(
            rank=place.rank,
            name=players[place.player_id].name,
            url=link_of_player(board, players[place.player_id]),
            rating=rating(place.value),
            games=wording.count(place.standing.games),
            frags=frags[place.player_id],
            deaths=deaths[place.player_id],
            change=changes.get(place.player_id, ""),
        )
        for place in session.places
    )


def _moves_season(board: Board, games: Sequence[Match]) -> bool:
    return any(game.is_rated for game in games) and not bridge.is_fitted(board)


def _season_note(board: Board, games: Sequence[Match]) -> str:
    """What the column of the season is, or why there is none."""
    if _moves_season(board, games):
        words = _(
            "“In the season” is what the same games did to the rating on the board %(board)s."
        )
        return words % {"board": board.name}
    if any(game.is_rated for game in games):
        words = _(
            "The board %(board)s computes all ratings of the season at once: no game by itself "
            "does anything to them."
        )
        return words % {"board": board.name}
    return _("These games do not count for the season.")


def _season_changes(
    board: Board, games: Sequence[Match], player_ids: Sequence[int]
) -> dict[int, str]:
    """What the games did to each player's rating of the season, where they count."""
    numbers = [game.seq for game in games if game.seq is not None]
    changes = {}
    for player_id, series in bridge.read_series_of(board, player_ids).items():
        indices = series.of_matches(numbers).values()
        if indices:
            before, after = series.before(min(indices)), series.at(max(indices))
            changes[player_id] = format_change(board, before.value, after.value, after.decimals)
    return changes


def _chart(
    session: RatedSession,
    games: Sequence[Match],
    events: Sequence[MatchEvent],
    course: Mapping[int, Sequence[float]],
    players: Mapping[int, Player],
) -> SessionChart | None:
    """The ratings of the best: after each event of one game, after each game of several."""
    if len(games) > 1:
        steps = [str(number) for number in range(1, len(games) + 1)]
        known = {
            player_id: _carried(games, values)
            for player_id, values in bridge.evening_course(session).items()
        }
        label = _("Rating after each game of the session")
    else:
        steps = ["", *(time_of(event) for event in bridge.counted_events(session.board, events))]
        known = {player_id: list(enumerate(values)) for player_id, values in course.items()}
        label = _("Rating after each event of the game")
    drawn = [place for place in session.places if known.get(place.player_id)][:MOST_LINES]
    if len(drawn) < 2:
        return None
    chart = charts.compared_chart(
        [
            charts.Series(
                name=players[place.player_id].name,
                label=wording.number(place.value.value, place.value.decimals),
                points=[charts.step_point(*point) for point in known[place.player_id]],
            )
            for place in drawn
        ],
        decimals=drawn[0].value.decimals,
        steps=steps,
    )
    if chart is None:
        return None
    return SessionChart(chart, label, _left_out(len(drawn), len(session.places)))


def _carried(games: Sequence[Match], values: Mapping[int, float]) -> list[tuple[int, float]]:
    """The values after the games from a player's first on; who sits out keeps the last one."""
    points: list[tuple[int, float]] = []
    for number, game in enumerate(games):
        value = values.get(game.seq or 0)
        if value is not None:
            points.append((number, value))
        elif points:
            points.append((number, points[-1][1]))
    return points


def _left_out(shown: int, count: int) -> str:
    """That not all are shown; nothing where they are."""
    words = ngettext(
        "The first %(shown)s; %(count)s other player is left out.",
        "The first %(shown)s; %(count)s other players are left out.",
        count - shown,
    )
    counts = {"shown": wording.count(shown), "count": wording.count(count - shown)}
    return words % counts if count > shown else ""


def _stakes(session: RatedSession, players: Mapping[int, Player]) -> tuple[StakeRow, ...]:
    first = session.places[:MOST_OPPONENTS]
    entrants = [bridge.Entrant.of(players[place.player_id], place.standing) for place in first]
    rows = bridge.session_stakes(session, entrants)
    if not any(stake for row in rows for stake in row):
        return ()
    # A frag is worth a part of what a match is: one digit more.
    decimals = first[0].value.decimals + bridge.rates_frags(session.board)
    return tuple(
        StakeRow(
            number=number,
            name=players[place.player_id].name,
            cells=tuple(
                (wording.with_sign(stake.win, decimals), wording.with_sign(stake.loss, decimals))
                if stake
                else None
                for stake in row
            ),
        )
        for number, (place, row) in enumerate(zip(first, rows, strict=True), start=1)
    )


def _stakes_note(session: RatedSession | None) -> str:
    if session is None:
        return ""
    if bridge.rates_frags(session.board):
        words = _(
            "What the player of the row would gain by getting the one with the number above next, "
            "and lose by being got."
        )
    else:
        words = _(
            "What the player of the row would gain by beating the one with the number above next, "
            "and lose by losing."
        )
    return f"{words} {_left_out(MOST_OPPONENTS, len(session.places))}".strip()


def _event_lines(
    board: Board,
    events: Sequence[MatchEvent],
    course: Mapping[int, Sequence[float]],
    players: Mapping[int, Player],
) -> tuple[EventLine, ...]:
    """The last events as they fell, with what each did to the player whom it names first."""
    counted = bridge.counted_events(board, events)
    steps = {event.position: step for step, event in enumerate(counted, start=1)}
    decimals = bridge.shown_decimals(board) + bridge.rates_frags(board)
    lines = []
    for event in events[-MOST_EVENTS:]:
        values, step = course.get(event.player_id), steps.get(event.position)
        change = ""
        if values is not None and step is not None:
            change = wording.change(values[step - 1], values[step], decimals)
        lines.append(EventLine(time_of(event), _words(event, players), change))
    return tuple(lines)


def _events_label(count: int) -> str:
    if count > MOST_EVENTS:
        words = _("The last %(shown)s of %(count)s events")
    else:
        words = ngettext("%(count)s event", "All %(count)s events", count)
    return words % {"shown": wording.count(MOST_EVENTS), "count": wording.count(count)}


def _words(event: MatchEvent, players: Mapping[int, Player]) -> str:
    one, other = players[event.player_id], players.get(event.opponent_id or 0)
    names = {"one": one.name, "other": other.name if other else ""}
    if is_own_kind(event.kind):
        text = _("%(one)s: %(word)s against %(other)s") if other else _("%(one)s: %(word)s")
        return text % {**names, "word": own_word(event.kind)}
    kind = MatchEvent.Kind
    text = {
        kind.FRAG.value: _("%(one)s got %(other)s"),
        kind.TEAM_KILL.value: _("%(one)s killed %(other)s of the same team"),
        kind.SUICIDE.value: _("%(one)s died by their own hand"),
        kind.WORLD_DEATH.value: _("%(one)s died by the world"),
        kind.CAPTURE.value: _("%(one)s captured the flag"),
        kind.DAMAGE.value: _("%(one)s damaged %(other)s"),
        kind.ASSIST.value: _("%(one)s assisted against %(other)s"),
        kind.FLAG_TAKEN.value: _("%(one)s took the flag"),
        kind.FLAG_RETURNED.value: _("%(one)s returned the flag"),
    }[event.kind]
    return text % names


def _game_line(game: Match, match: Match, board: Board) -> GameLine:
    return GameLine(
        label=finding(sides_of(game, None)),
        when=when_played(game, match.league),
        url=session_address(game, board),
    )
