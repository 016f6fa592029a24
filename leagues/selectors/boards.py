"""The leaderboard: which board is looked at, and its rows."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlencode

from django.core.cache import cache
from django.db.models import Case, Count, IntegerField, Q, QuerySet, Value, When
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import bridge, charts, wording
from leagues.bridge import ShownValue
from leagues.facts import is_behind
from leagues.models import Board, Job, League, Season, Standing
from leagues.selectors.ratings import Rating, rating, rung_of, scale_of, shown_as
from ratings.files.names import fold_name

PAGE_SIZE = 50
MOST_LIKELY = 500
"""Boards up to this size show likely places: they need every player's range."""

BEST_FIRST = ("-place_value", "player__key")
"""Equal places in the order of keys: whoever came to the league first is not the better one."""

CERTAINTIES = {"any": "", "fairly": "fairly_sure_until", "sure": "sure_until"}


@dataclass(frozen=True, slots=True)
class Choice:
    """An entry of a select, a tab or a set of radio buttons."""

    value: str
    label: str
    is_chosen: bool
    url: str = ""
    count: str = ""


@dataclass(frozen=True, slots=True)
class Look:
    """Which season and board of a league a page shows, and which others there are."""

    season: Season | None
    board: Board | None
    seasons: tuple[Season, ...]
    boards: tuple[Board, ...]


def league_look(*, league: League, season: str = "", board: str = "") -> Look | None:
    """Return what addresses choose; None where they name something that is not there."""
    seasons = sorted(
        league.seasons.exclude(state=Season.State.DRAFT),
        key=lambda row: (row.takes_results, row.starts_at or row.created_at, row.pk),
        reverse=True,
    )
    chosen = next((row for row in seasons if row.slug == season or not season), None)
    if chosen is None:
        return None if season else Look(None, None, (), ())
    chosen.league = league
    boards = boards_of(chosen)
    shown = next((row for row in boards if row.slug == board or not board), None)
    if board and shown is None:
        return None
    return Look(chosen, shown, tuple(seasons), boards)


def boards_of(season: Season) -> tuple[Board, ...]:
    """Return the boards of a season that was read with its league."""
    boards = tuple(season.boards.select_related("mode"))
    for board in boards:
        board.league, board.season = season.league, season
    return boards


@dataclass(frozen=True, slots=True)
class BoardFilter:
    """What part of a board is asked for; words from an address, cleaned."""

    sure: str = "any"
    query: str = ""
    active: bool = False
    after: str = ""
    before: str = ""

    @classmethod
    def cleaned(cls, given: Mapping[str, str]) -> BoardFilter:
        """Return the filter of an address; what makes no sense is left out."""
        sure = given.get("sure", "any")
        return cls(
            sure=sure if sure in CERTAINTIES else "any",
            query=given.get("q", "").replace("\x00", "").strip()[:64],
            active=given.get("active") == "yes",
            after=given.get("after", "").replace("\x00", "")[:128],
            before=given.get("before", "").replace("\x00", "")[:128],
        )

    def parameters(self) -> dict[str, str]:
        """Return the address parameters that say the same, without the place in the list."""
        given = {
            "sure": "" if self.sure == "any" else self.sure,
            "q": self.query,
            "active": "yes" if self.active else "",
        }
        return {name: value for name, value in given.items() if value}

    @property
    def narrows(self) -> bool:
        return bool(self.parameters())


@dataclass(frozen=True, slots=True)
class BoardRow:
    rank: str
    name: str
    url: str
    rating: Rating
    rung: charts.Rung | None
    likely: str
    tally: str
    form: charts.Form | None
    last: str
    last_iso: str


@dataclass(frozen=True, slots=True)
class BoardPage:
    """One page of a board."""

    rows: tuple[BoardRow, ...]
    scale: charts.Scale | None
    has_likely: bool
    is_careful: bool
    """The shown number is a lower bound, outside of the range."""
    total: int
    certainties: tuple[Choice, ...]
    previous_url: str
    next_url: str
    hidden: str
    said: str


def board_page(*, board: Board, filters: BoardFilter, moment: datetime, now: datetime) -> BoardPage:
    """Return the rows of a board that a filter lets through, 50 at most.

    Ranks and likely places are those of the whole board, whatever the filter hides. Deviations
    and certainty are those of `moment`.
    """
    whole = Standing.objects.filter(board=board, generation=board.generation)
    counts = _counts(board, whole, moment)
    page, has_previous, has_next = _window(
        filtered(whole, board.league, filters, moment, now), filters
    )
    shown = bridge.shown_now(board, page, moment)
    scale = scale_of(shown)
    ranks = ranks_of(whole, page)
    likely = _likely_places(board, whole, counts["any"], shown, moment)
    zone = board.league.zone
    today = now.astimezone(zone).date()
    base = board_address(board)
    rows = tuple(
        BoardRow(
            rank=str(ranks[standing.place_value]),
            name=standing.player.name,
            url=player_address(board, standing.player.key),
            rating=rating(value),
            rung=rung_of(scale, value),
            likely=places,
            tally=wording.tally(standing.won, standing.drawn, standing.lost),
            form=charts.form(standing.form),
            last=wording.ago(standing.last_played_at.astimezone(zone).date(), today),
            last_iso=standing.last_played_at.astimezone(zone).date().isoformat(),
        )
        for standing, value, places in zip(page, shown, likely, strict=True)
    )
    return BoardPage(
        rows=rows,
        scale=scale,
        has_likely=any(likely),
        is_careful=any(value.low is not None and value.value < value.low for value in shown),
        total=counts["any"],
        certainties=_certainties(counts, filters),
        previous_url=_step(base, filters, "before", page) if has_previous else "",
        next_url=_step(base, filters, "after", page) if has_next else "",
        hidden=_hidden(counts, filters, len(rows)),
        said=wording.players(len(rows)),
    )


def _counts(board: Board, whole: QuerySet[Standing], moment: datetime) -> dict[str, int]:
    """Return how many players there are, and how many are how sure.

    Kept by what the board has computed: the counting reads all of it.
    """
    computed = board.computed_at.timestamp() if board.computed_at else 0
    key = f"counts:{board.pk}:{board.generation}:{computed}:{moment.timestamp():.0f}"
    counts: dict[str, int] | None = cache.get(key)
    if counts is None:
        counts = whole.aggregate(
            any=Count("pk"),
            fairly=Count("pk", filter=Q(fairly_sure_until__gte=moment)),
            sure=Count("pk", filter=Q(sure_until__gte=moment)),
        )
        cache.set(key, counts)
    return counts


def board_address(board: Board) -> str:
    """Return the address of a board."""
    base = reverse("leagues:board", args=[board.league.slug])
    return f"{base}?{urlencode({'season': board.season.slug, 'board': board.slug})}"


def player_address(board: Board, key: str) -> str:
    """Return the address of a player's profile as of a board."""
    base = reverse("leagues:player", args=[board.league.slug, key])
    return f"{base}?{urlencode({'season': board.season.slug, 'board': board.slug})}"


def filtered(
    whole: QuerySet[Standing],
    league: League,
    filters: BoardFilter,
    moment: datetime,
    now: datetime,
) -> QuerySet[Standing]:
    """Return the standings that a filter lets through."""
    rows = whole
    if CERTAINTIES[filters.sure]:
        rows = rows.filter(**{f"{CERTAINTIES[filters.sure]}__gte": moment})
    if filters.query:
        rows = rows.filter(player__folded__contains=fold_name(filters.query))
    if filters.active:
        rows = rows.filter(last_played_at__gte=now - timedelta(days=league.active_days))
    return rows


def _window(rows: QuerySet[Standing], filters: BoardFilter) -> tuple[list[Standing], bool, bool]:
    """Return a page by its neighbour's key, and whether there are rows before and behind it."""
    rows = rows.select_related("player").order_by(*BEST_FIRST)
    if filters.before:
        edge = _edge(rows, filters.before)
        if edge:
            found = list(rows.filter(_higher_than(edge)).reverse()[: PAGE_SIZE + 1])
            return found[PAGE_SIZE - 1 :: -1], len(found) > PAGE_SIZE, True
    edge = _edge(rows, filters.after) if filters.after else None
    if edge:
        rows = rows.filter(_lower_than(edge))
    found = list(rows[: PAGE_SIZE + 1])
    return found[:PAGE_SIZE], edge is not None, len(found) > PAGE_SIZE


def _higher_than(edge: Standing) -> Q:
    place = edge.place_value
    return Q(place_value__gt=place) | Q(place_value=place, player__key__lt=edge.player.key)


def _lower_than(edge: Standing) -> Q:
    place = edge.place_value
    return Q(place_value__lt=place) | Q(place_value=place, player__key__gt=edge.player.key)


def _edge(rows: QuerySet[Standing], key: str) -> Standing | None:
    return rows.filter(player__key=key).first()


def ranks_of(whole: QuerySet[Standing], page: Sequence[Standing]) -> dict[int, int]:
    """Return the rank of each place value: one more than the players who stand higher."""
    places = sorted({standing.place_value for standing in page}, reverse=True)
    if not places:
        return {}
    steps = [When(place_value__gt=place, then=Value(number)) for number, place in enumerate(places)]
    above = dict(
        whole.filter(place_value__gt=places[-1])
        .annotate(step=Case(*steps, output_field=IntegerField()))
        .order_by()
        .values_list("step")
        .annotate(players=Count("pk"))
    )
    ranks, higher = {}, 0
    for number, place in enumerate(places):
        higher += above.get(number, 0)
        ranks[place] = higher + 1
    return ranks


def _likely_places(
    board: Board,
    whole: QuerySet[Standing],
    total: int,
    shown: Sequence[ShownValue],
    moment: datetime,
) -> list[str]:
    """Return the places each shown player could hold, where the board is small enough."""
    if total > MOST_LIKELY or any(value.low is None for value in shown):
        return [""] * len(shown)
    everyone = bridge.shown_now(board, list(whole), moment)
    lows = sorted(value.low for value in everyone if value.low is not None)
    highs = sorted(value.high for value in everyone if value.high is not None)
    return [
        wording.span(
            str(1 + len(lows) - bisect_right(lows, value.high or 0.0)),
            str(len(highs) - bisect_left(highs, value.low or 0.0)),
        )
        for value in shown
    ]


def _certainties(counts: Mapping[str, int], filters: BoardFilter) -> tuple[Choice, ...]:
    words = {"any": _("Any"), "fairly": _("Fairly sure"), "sure": _("Sure")}
    return tuple(
        Choice(name, words[name], name == filters.sure, count=wording.count(counts[name]))
        for name in CERTAINTIES
    )


def _step(base: str, filters: BoardFilter, way: str, page: Sequence[Standing]) -> str:
    edge = page[0] if way == "before" else page[-1]
    parameters = {**filters.parameters(), way: edge.player.key}
    return f"{base}&{urlencode(parameters)}"


def _hidden(counts: Mapping[str, int], filters: BoardFilter, rows: int) -> str:
    """Say in words whom the certainty filter hides."""
    hidden = counts["any"] - counts[filters.sure]
    if not hidden or (rows and filters.sure == "any"):
        return ""
    return _("%(players)s not shown: their ratings are less sure.") % {
        "players": wording.players(hidden)
    }


def board_tabs(look: Look, address: Callable[[Board], str] = board_address) -> tuple[Choice, ...]:
    """Return the boards of a season as links to the same page as each of them sees it."""
    return tuple(
        Choice(board.slug, board.name, board == look.board, url=address(board))
        for board in look.boards
    )


def season_choices(look: Look) -> tuple[Choice, ...]:
    """Return the seasons of a league for a select."""
    return tuple(Choice(season.slug, season.name, season == look.season) for season in look.seasons)


@dataclass(frozen=True, slots=True)
class BoardHead:
    """The facts above a board."""

    title: str
    system: str
    results: str
    last_played: str
    verified: str
    problem: str
    refused: str
    shown_as: str
    is_low_best: bool


def board_head(*, board: Board, now: datetime) -> BoardHead:
    """Return what stands above a board: how much it rests on, and whether it was checked."""
    zone = board.league.zone
    today = now.astimezone(zone).date()
    info = bridge.system_info(board.system)
    several = board.season.name, board.mode.name
    verified = ""
    if board.verified_at and board.differences == 0:
        verified = _("Replay agrees, checked %(moment)s") % {
            "moment": wording.moment(board.verified_at, zone, today)
        }
    last = ""
    if board.last_at:
        last = _("last played %(day)s") % {
            "day": wording.day(board.last_at.astimezone(zone).date(), today)
        }
    return BoardHead(
        title=", ".join(several),
        system=info.title,
        results=wording.results(board.rated_matches),
        last_played=last,
        verified=verified,
        problem=board.problem,
        refused=_refused(board.refused_matches),
        shown_as=shown_as(board),
        is_low_best=bridge.system_of(board).lower_is_better,
    )


def _refused(count: int) -> str:
    if not count:
        return ""
    return ngettext(
        "%(count)s result could not be rated by this system",
        "%(count)s results could not be rated by this system",
        count,
    ) % {"count": wording.count(count)}


@dataclass(frozen=True, slots=True)
class Waiting:
    """Results that are stored and not rated yet, and how far their rating is."""

    done: str
    total: str
    part: str
    is_stopped: bool = False


def board_waiting(board: Board) -> Waiting | None:
    """Return how far the rating of new results is; None where all are rated."""
    if not is_behind(board):
        return None
    if board.state == Board.State.PAUSED:
        return Waiting("", "", "", is_stopped=True)
    job = Job.objects.filter(key=f"rate:{board.pk}").order_by("-pk").first()
    if job is None or not job.total:
        return Waiting("", "", "")
    return Waiting(
        done=wording.count(job.done),
        total=wording.count(job.total),
        part=f"{job.done / job.total:.3f}",
    )
