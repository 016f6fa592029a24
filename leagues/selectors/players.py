"""A player's profile: the rating with its doubt, how it came about, and the matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Count, Q
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from leagues import bridge, charts, wording
from leagues.bridge import History, HistoryPoint, ShownValue
from leagues.models import Board, Match, Participant, Player, Standing
from leagues.selectors.boards import board_address, player_address
from leagues.selectors.contents import PLAYERS_BY_RANK
from leagues.selectors.matches import Named, match_address, tag_of
from leagues.selectors.ratings import Rating, changed, rating, shown_as

PAGE_SIZE = 25
MOST_TABLE_ROWS = 100
MOST_OPPONENTS = 8
FEW_DAYS = 3


@dataclass(frozen=True, slots=True)
class Tile:
    """A number, what it is, and where it comes from."""

    label: str
    value: str
    note: str


@dataclass(frozen=True, slots=True)
class PastRating:
    """A row of the chart's table."""

    day: str
    rating: Rating
    range: str


@dataclass(frozen=True, slots=True)
class PlayerMatch:
    """A match from the player's side."""

    url: str
    day: str
    opponents: tuple[Named, ...]
    partners: tuple[Named, ...]
    result: str
    tag: str
    is_void: bool
    before: str
    after: str
    change: str


@dataclass(frozen=True, slots=True)
class OtherBoard:
    """The same player on another board of the season."""

    name: str
    url: str
    rating: Rating
    tally: str


@dataclass(frozen=True, slots=True)
class PlayerPage:
    name: str
    board: str
    board_url: str
    rating: Rating
    is_rated: bool
    place: str
    results: str
    last: str
    form: charts.Form | None
    chart: charts.RatingChart | None
    chart_label: str
    past: tuple[PastRating, ...]
    tiles: tuple[Tile, ...]
    matches: tuple[PlayerMatch, ...]
    shown: str
    newer_url: str
    older_url: str
    others: tuple[OtherBoard, ...]
    has_range: bool
    shown_as: str


def player_page(
    *,
    player: Player,
    board: Board,
    boards: Sequence[Board],
    given: Mapping[str, str],
    moment: datetime,
    now: datetime,
) -> PlayerPage:
    """Return a profile as of one board; deviations are those of `moment`."""
    league = player.league
    zone = league.zone
    today = now.astimezone(zone).date()
    standings = {row.board_id: row for row in _standings(player, boards)}
    own = standings.get(board.pk)
    past = bridge.history(board, player.pk)
    shown = bridge.shown_now(board, [own], moment)[0] if own else past.start
    page = _page_number(given.get("page", ""))
    matches, has_older = _matches(player, board, page)
    counted = own.games if own else 0
    address = player_address(board, player.key)
    return PlayerPage(
        name=player.name,
        board=board.name,
        board_url=board_address(board),
        rating=rating(shown),
        is_rated=own is not None,
        place=_place(board, own),
        results=wording.results(counted),
        last=_last(own, today, board),
        form=charts.form(own.form) if own else None,
        chart=_chart(past, shown, board, moment) if own else None,
        chart_label=_("Rating of %(name)s on the board %(board)s")
        % {"name": player.name, "board": board.name},
        past=_past(past, board, today),
        tiles=_tiles(own, past, board, today) if own else (),
        matches=_rows(matches, player, board, past, today),
        shown=wording.results(len(matches)),
        newer_url=f"{address}&page={page - 1}" if page > 1 else "",
        older_url=f"{address}&page={page + 1}" if has_older else "",
        others=_others(player, board, boards, standings, moment),
        has_range=shown.half is not None,
        shown_as=shown_as(board),
    )


def _standings(player: Player, boards: Sequence[Board]) -> list[Standing]:
    """Return the player's visible standings; two boards seldom share a generation number."""
    generations = {board.pk: board.generation for board in boards}
    rows = Standing.objects.filter(
        player=player, board__in=generations, generation__in=set(generations.values())
    )
    return [row for row in rows if row.generation == generations[row.board_id]]


def _place(board: Board, own: Standing | None) -> str:
    if own is None:
        return ""
    whole = Standing.objects.filter(board=board, generation=board.generation)
    counts = whole.aggregate(
        everyone=Count("pk"), above=Count("pk", filter=Q(place_value__gt=own.place_value))
    )
    return _("%(place)s of %(players)s") % {
        "place": wording.ordinal(counts["above"] + 1),
        "players": wording.count(counts["everyone"]),
    }


def _last(own: Standing | None, today: date, board: Board) -> str:
    if own is None:
        return ""
    played_on = own.last_played_at.astimezone(board.league.zone).date()
    return _("last played %(day)s") % {"day": wording.since(played_on, today)}


def _chart(
    past: History, shown: ShownValue, board: Board, moment: datetime
) -> charts.RatingChart | None:
    """Draw the rating after each day played, and the doubt that grew since the last one.

    After each match instead, where there were only one or two days.
    """
    days = [last for _on, last in _by_day(past, board)]
    points = [
        charts.Point(point.at, point.shown.value, point.shown.low, point.shown.high)
        for point in (days if len(days) >= FEW_DAYS else past.points)
    ]
    if points and moment > points[-1].at:
        points.append(charts.Point(moment, shown.value, shown.low, shown.high, is_played=False))
    return charts.rating_chart(
        points,
        end_label=wording.number(shown.value, shown.decimals),
        end_range=wording.plus_minus(shown.half, shown.decimals),
        decimals=shown.decimals,
    )


def _by_day(past: History, board: Board) -> list[tuple[date, HistoryPoint]]:
    """Return the last point of each day played, oldest first."""
    zone = board.league.zone
    last: dict[date, HistoryPoint] = {}
    for point in past.points:
        last[point.at.astimezone(zone).date()] = point
    return list(last.items())


def _past(past: History, board: Board, today: date) -> tuple[PastRating, ...]:
    """Return the rating at the end of each day played, newest first, 100 at most."""
    rows = _by_day(past, board)
    return tuple(
        PastRating(day=wording.day(on, today), rating=rating(last.shown), range=_range(last.shown))
        for on, last in rows[: -MOST_TABLE_ROWS - 1 : -1]
    )


def _range(shown: ShownValue) -> str:
    if shown.low is None or shown.high is None:
        return ""
    return pgettext("range", "%(low)s to %(high)s") % {
        "low": wording.number(shown.low, shown.decimals),
        "high": wording.number(shown.high, shown.decimals),
    }


def _tiles(own: Standing, past: History, board: Board, today: date) -> tuple[Tile, ...]:
    zone = board.league.zone
    tiles = [
        Tile(
            _("Season"),
            wording.tally(own.won, own.drawn, own.lost),
            _("won, drawn, lost"),
        ),
        Tile(_("Streak"), wording.streak(own.streak), _("up to the last match")),
    ]
    settled = [point for point in past.points if point.shown.level != "unsure"]
    if settled:
        best = min if bridge.system_of(board).lower_is_better else max
        peak = best(settled, key=lambda point: point.shown.value)
        tiles.append(
            Tile(
                _("Peak"),
                wording.number(peak.shown.value, peak.shown.decimals),
                wording.day(peak.at.astimezone(zone).date(), today),
            )
        )
    if past.points:
        first = past.points[0]
        tiles.append(
            Tile(
                _("First result"),
                wording.day(first.at.astimezone(zone).date(), today),
                _("from %(rating)s") % {"rating": rating(past.start).value},
            )
        )
    return tuple(tiles)


def _page_number(given: str) -> int:
    """Return a page from an address; whatever is not one is the first."""
    return int(given) if given.isascii() and given.isdigit() and 0 < len(given) < 6 else 1


def _matches(player: Player, board: Board, page: int) -> tuple[list[Match], bool]:
    """Return a page of the player's matches of the board's mode, newest first."""
    rows = (
        board.season.matches.filter(mode=board.mode_id, participants__player=player)
        .exclude(status=Match.Status.STAGED)
        .prefetch_related(PLAYERS_BY_RANK)
    )
    start = (max(page, 1) - 1) * PAGE_SIZE
    found = list(rows.order_by("-played_at", "-order_hint", "-seq")[start : start + PAGE_SIZE + 1])
    return found[:PAGE_SIZE], len(found) > PAGE_SIZE


def _rows(
    matches: Sequence[Match], player: Player, board: Board, past: History, today: date
) -> tuple[PlayerMatch, ...]:
    changes = _changes(past)
    zone = board.league.zone
    rows = []
    for match in matches:
        before, after = changes.get(match.seq or 0, (None, None))
        opponents, partners, result = _seen_by(player, match, board)
        rows.append(
            PlayerMatch(
                url=match_address(match, board.league, board.season),
                day=wording.day(match.played_at.astimezone(zone).date(), today),
                opponents=opponents,
                partners=partners,
                result=result,
                tag=tag_of(match),
                is_void=match.status == Match.Status.VOID,
                before=rating(before).value if before else "",
                after=rating(after).value if after else "",
                change=changed(before, after) if before and after else "",
            )
        )
    return tuple(rows)


def _changes(past: History) -> dict[int, tuple[ShownValue, ShownValue]]:
    """Return the rating before and after each rated match, by its number."""
    changes, before = {}, past.start
    for point in past.points:
        changes[point.seq] = (before, point.shown)
        before = point.shown
    return changes


def _seen_by(
    player: Player, match: Match, board: Board
) -> tuple[tuple[Named, ...], tuple[Named, ...], str]:
    """Return opponents, team-mates, and the result from one player's side."""
    rows = list(match.participants.all())
    own = next(row for row in rows if row.player_id == player.pk)
    others = [row for row in rows if row.side != own.side]
    partners = tuple(
        Named(row.player.name, player_address(board, row.player.key))
        for row in rows
        if row.side == own.side and row.player_id != player.pk
    )
    opponents = tuple(
        Named(row.player.name, player_address(board, row.player.key))
        for row in others[:MOST_OPPONENTS]
    )
    return opponents, partners, _result(own, others)


def _result(own: Participant, others: Sequence[Participant]) -> str:
    sides = {row.side for row in others}
    if len(sides) > 1:
        is_shared = any(row.rank == own.rank for row in others)
        return _("%(place)s of %(sides)d") % {
            "place": wording.place(own.rank, is_shared=is_shared),
            "sides": len(sides) + 1,
        }
    word = _outcome(own.rank, {row.rank for row in others})
    other = next((row.score for row in others), None)
    if own.score is None or other is None:
        return word
    return f"{word} {wording.tally(own.score, other)}"


def _outcome(rank: int, others: set[int]) -> str:
    if rank in others:
        return _("Drew")
    return _("Won") if rank == 1 else _("Lost")


def _others(
    player: Player,
    board: Board,
    boards: Sequence[Board],
    standings: Mapping[int, Standing],
    moment: datetime,
) -> tuple[OtherBoard, ...]:
    return tuple(
        OtherBoard(
            name=other.name,
            url=player_address(other, player.key),
            rating=rating(bridge.shown_now(other, [standings[other.pk]], moment)[0]),
            tally=wording.tally(
                standings[other.pk].won, standings[other.pk].drawn, standings[other.pk].lost
            ),
        )
        for other in boards
        if other.pk != board.pk and other.pk in standings
    )
