"""Boards: their standings, of today and of earlier days."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from leagues import access
from leagues.access import Action
from leagues.api.fields import Instant
from leagues.api.paging import PAGING, given_place, next_address, page_size
from leagues.api.problems import Invalid, Unready
from leagues.api.schema import PART_OF_NAME, READ_PROBLEMS, UNREADY
from leagues.api.shapes import BoardShape, RankedShape, StandingsShape, standing_values
from leagues.api.views.base import ApiView, choice, parameter
from leagues.domain.civil_days import day_of
from leagues.models import Board, League, Player
from leagues.selectors.board_selection import select_board
from leagues.selectors.group_standings import is_group_of, ranks_within, within_group
from leagues.selectors.standings import View, view_of
from leagues.selectors.standings_query import CERTAINTIES, LISTS, MOST_GROUP, SINCE, StandingsQuery
from leagues.selectors.starts import anchors_shown
from leagues.services.days import prepare_days
from leagues.store.snapshot import snapshot

SPANS = tuple(word for word in SINCE if word != "visit")
FILTERS = (
    OpenApiParameter(
        "on",
        date,
        description="Show the standings at the end of this day. Default: the current ones.",
    ),
    OpenApiParameter(
        "list",
        str,
        enum=list(LISTS),
        description="Players who are ranked, not yet ranked, or inactive.",
    ),
    OpenApiParameter("sure", str, enum=list(CERTAINTIES), description="Minimum certainty."),
    OpenApiParameter("most", float, description="Maximum ±, half the width of the range."),
    OpenApiParameter("least", int, description="Minimum number of results."),
    OpenApiParameter(
        "active", int, description="Only players with a match in the last this many days."
    ),
    OpenApiParameter(
        "since", str, enum=list(SPANS), description="The day that `change` is counted from."
    ),
    OpenApiParameter("q", str, description=PART_OF_NAME),
    OpenApiParameter(
        "group",
        str,
        description="Kind and name of a group of players, as `club:Riverside`; or an age class of "
        "the league, as `age:u15` and `age:40%2B`.",
    ),
    *PAGING,
)


class BoardStandings(ApiView):
    query = FILTERS

    @extend_schema(
        operation_id="standings_list",
        parameters=list(FILTERS),
        responses={200: StandingsShape, **READ_PROBLEMS, **UNREADY},
    )
    def get(self, request: Request, slug: str, season: str, board: str) -> Response:
        """List the current standings of a board, or those of a given day, best first.

        Ranks count everyone on the board. Deviations are as of the midnight at which the day
        began. `generation` changes when the whole board is computed again.
        """
        return answer(request, slug, season, board)


class LeagueStandings(ApiView):
    query = (
        OpenApiParameter(
            "season", str, description="Slug of the season. Default: the current season."
        ),
        OpenApiParameter(
            "board", str, description="Slug of the board. Default: the one that pages show first."
        ),
        *FILTERS,
    )

    @extend_schema(
        operation_id="league_standings_list",
        parameters=list(query),
        responses={200: StandingsShape, **READ_PROBLEMS, **UNREADY},
    )
    def get(self, request: Request, slug: str) -> Response:
        """List the standings that the league's front page shows, or those of another board."""
        return answer(request, slug, parameter(request, "season"), parameter(request, "board"))


def answer(request: Request, slug: str, season: str, board: str) -> Response:
    """Standings; whoever asks for a day first lets it be prepared."""
    league = access.league(request, slug, Action.VIEW)
    now = timezone.now()
    asked = _query_of(request, league, now)
    with snapshot():
        look = select_board(
            league=league,
            season=season,
            board=board,
            until=league.midnight(asked.on + timedelta(days=1)) if asked.on else None,
            with_first=asked.since == "season",
        )
        if look is None or look.board is None:
            raise Http404
        shown = look.board
        seen = view_of(shown, reading=look.reading, filters=asked, now=now)
        view = within_group(seen, league, asked, now)
        page = None if view.standings is None else _page(request, shown, view, asked)
    if view.missing:
        prepare_days(shown, view.missing)
    if page is None:
        raise Unready(_("These standings are being prepared; ask again shortly."))
    rows, following, moment = page
    return Response(
        {
            "board": BoardShape(shown, context={"request": request, "league": league}).data,
            "generation": shown.generation,
            "rated_through_revision": shown.rated_through_revision,
            "as_of": Instant().to_representation(moment),
            "on": asked.on,
            "results": RankedShape(rows, many=True).data,
            "next": following,
        }
    )


def _query_of(request: Request, league: League, now: datetime) -> StandingsQuery:
    """What the address asks for; what a page would leave out is refused here."""
    given = {name: parameter(request, name, longest=64) for name in ("q", "on")}
    given["group"] = parameter(request, "group", longest=MOST_GROUP)
    given["sure"] = choice(request, "sure", tuple(CERTAINTIES))
    given["list"] = choice(request, "list", LISTS)
    given["since"] = choice(request, "since", SPANS)
    today = day_of(now, league.zone)
    numbers = {name: parameter(request, name, longest=16) for name in ("most", "least", "active")}
    asked = StandingsQuery.from_address(given | numbers, today)
    if asked.problem:
        raise Invalid("on", _("This must be a date up to today, such as 2026-10-31."))
    if given["group"] and not is_group_of(league, asked.group):
        raise Invalid(
            "group",
            _(
                "This must be club, team or country, a colon and a name; or an age class of the "
                "league, such as age:u15."
            ),
        )
    understood = {"most": asked.most is not None, "least": asked.least, "active": asked.active}
    for name, value in understood.items():
        if numbers[name] and not value:
            raise Invalid(name, _("This must be a number in the allowed range."))
    return asked


def _page(
    request: Request, board: Board, view: View, asked: StandingsQuery
) -> tuple[list[dict[str, Any]], str | None, datetime]:
    assert view.standings is not None  # noqa: S101
    standings = view.standings
    found = standings.select(asked, view.matching_ids)
    place = given_place(request, 2)
    if place is not None:
        found = found[standings.behind(found, *place) :]
    size = page_size(request)
    rows = found[:size].tolist()
    ids = standings.table.player_id[rows].tolist()
    players = board.league.players.in_bulk(ids)
    following = None
    if len(found) > size:
        last = rows[-1]
        values = [int(standings.table.place[last]), int(standings.table.player_id[last])]
        following = next_address(request, values)
    before = view.rows_before(rows)
    anchors = anchors_shown(board)
    written = [
        ranked_row(
            view, row, players[player_id], before.get(row), likely, is_anchor=player_id in anchors
        )
        for row, player_id, likely in zip(rows, ids, standings.likely(rows), strict=True)
    ]
    if view.members is not None:
        ranks = ranks_within(standings, view.members)
        for row, answered in zip(rows, written, strict=True):
            if row in ranks:
                answered["group_rank"] = ranks[row][0]
    return written, following, standings.moment


def ranked_row(
    view: View,
    row: int,
    player: Player,
    row_before: int | None,
    likely: tuple[int, int] | None,
    *,
    is_anchor: bool,
) -> dict[str, Any]:
    """A row of standings as `RankedShape` takes it; `row_before` is the
    player's among the standings that it is compared with."""
    assert view.standings is not None  # noqa: S101
    standing = view.standings.standing(row, player)
    return {
        **standing_values(
            standing,
            int(view.standings.rank[row]) or None,
            view.standings.value(row),
            is_anchor=is_anchor,
        ),
        "likely": {"best": likely[0], "worst": likely[1]} if likely else None,
        "change": view.change(row, row_before),
    }
