"""The page of a season, and the list of all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from urllib.parse import urlencode

import numpy as np
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import bridge, charts, wording
from leagues.domain.ranking import least_games
from leagues.models import Board, League, Player, Season
from leagues.pages.boards import Choice, board_address, board_tabs, player_address
from leagues.pages.integrity import seal_problem
from leagues.pages.matches import explained_match
from leagues.pages.ratings import Rating, rating, shown_as
from leagues.pages.settings import season_days
from leagues.pages.sides import compare_address
from leagues.selectors.board_selection import BoardSelection
from leagues.selectors.people import players_by_id
from leagues.selectors.season_facts import SeasonFacts, season_facts, spans_of
from leagues.selectors.standings import Standings, leaders, present
from leagues.wording import NOTHING

MOST_ROWS = 20
MOST_LINES = 12
LEAST_MOMENTS = 2


@dataclass(frozen=True, slots=True)
class SeasonLink:
    name: str
    url: str


@dataclass(frozen=True, slots=True)
class FinalRow:
    rank: str
    name: str
    url: str
    rating: Rating
    tally: str
    note: str
    is_me: bool


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing to remember of a season; the address leads to where it comes from."""

    label: str
    value: str
    detail: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class Played:
    """Results by week, month or year; the drawing needs two of them, rows are its table twin."""

    heading: str
    column: str
    chart: charts.WeeksChart | None
    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class MovementRow:
    name: str
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Movement:
    chart: charts.PlacesChart
    titles: tuple[str, ...]
    rows: tuple[MovementRow, ...]


@dataclass(frozen=True, slots=True)
class Seal:
    """When and with what digest a season was sealed."""

    when: str
    digest: str
    """In groups, as people compare it."""
    board_digest: str
    problem: str
    """That what is stored is not what was sealed, if a check has found that."""


@dataclass(frozen=True, slots=True)
class SeasonPage:
    """A season on one of its boards."""

    title: str
    state: str
    facts_line: tuple[str, ...]
    seal: Seal | None
    tabs: tuple[Choice, ...]
    previous: SeasonLink | None
    following: SeasonLink | None
    starts: str
    """When it begins, if it has not yet."""
    is_over: bool
    shown_as: str
    has_ranges: bool
    rows: tuple[FinalRow, ...]
    whole_url: str
    whole: str
    """How many more there are on the board."""
    progress: str
    played: Played | None
    """None before the first result."""
    movement: Movement | None
    facts: tuple[Fact, ...]
    carried: str
    downloads: tuple[Choice, ...]


def season_page(*, look: BoardSelection, own: Player | None, now: datetime) -> SeasonPage:
    """Return what the page of a season shows; `look` has a season."""
    season, board = look.season, look.board
    assert season is not None  # noqa: S101
    league = season.league
    found = present(board, now) if board else None
    facts = season_facts(board) if board else SeasonFacts(())
    people = _people(found, facts)
    shown = found if found is not None and len(found) else None
    today = now.astimezone(league.zone).date()
    return SeasonPage(
        title=season.name,
        state=season.get_state_display(),
        facts_line=tuple(_facts_line(season, board, facts, found)),
        seal=_seal(season, board),
        tabs=board_tabs(look, lambda row: season_address(season, row)),
        previous=_neighbour(look, 1),
        following=_neighbour(look, -1),
        starts=_starts(season, now) if not facts.days else "",
        is_over=not season.takes_late_results,
        shown_as=shown_as(board) if board else "",
        has_ranges=shown is not None and bool(len(shown.lows)),
        rows=_rows(board, shown, people, own, season) if board and shown else (),
        whole_url=board_address(board) if board else "",
        whole=_whole(shown) if shown else "",
        progress=_progress(shown, least_games(board)) if board and shown else "",
        played=_played(facts, today),
        movement=_movement(facts, people, own, today),
        facts=tuple(_facts(board, shown, facts, people)) if board and shown else (),
        carried=carried_said(season),
        downloads=_downloads(season, board) if board and facts.days else (),
    )


def season_address(season: Season, board: Board | None = None) -> str:
    """Return the address of a season's page, as of a board."""
    base = reverse("leagues:season", args=[season.league.slug, season.slug])
    return f"{base}?{urlencode({'board': board.slug})}" if board else base


def carried_said(season: Season) -> str:
    """Say what its players brought, if anything."""
    if season.follows is None or season.carryover == Season.Carryover.FRESH:
        return ""
    words = {"season": season.follows.name}
    if season.carryover == Season.Carryover.KEEP:
        return _("Ratings go on from %(season)s.") % words
    return _(
        "Ratings go on from %(season)s, drawn %(share)s of the way to a newcomer’s and their "
        "doubt raised to at least %(deviation)s of a newcomer’s."
    ) % {
        **words,
        "share": wording.percent(season.carryover_share),
        "deviation": wording.percent(season.carryover_deviation or 0.0),
    }


def _facts_line(
    season: Season, board: Board | None, facts: SeasonFacts, found: Standings | None
) -> Iterator[str]:
    yield season_days(season)
    if facts.days:
        results = wording.results(sum(count for _, count in facts.days))
        days = ngettext("on %(count)s day", "on %(count)s days", len(facts.days))
        yield f"{results} {days % {'count': wording.count(len(facts.days))}}"
    if found is not None and len(found):
        yield wording.players(len(found))
    if board is not None:
        yield bridge.system_info(board.system).title


def _seal(season: Season, board: Board | None) -> Seal | None:
    if not season.is_sealed or season.sealed_at is None:
        return None
    digest = season.sealed_digest
    return Seal(
        when=wording.moment(season.sealed_at, season.league.zone),
        digest=f"{digest[:16]} {digest[16:32]}",
        board_digest=board.seal if board else "",
        problem=seal_problem(season, board),
    )


def _neighbour(look: BoardSelection, step: int) -> SeasonLink | None:
    """Return the season before or after, by when they began."""
    order = sorted(
        look.seasons, key=lambda row: (row.starts_at or row.created_at, row.pk), reverse=True
    )
    place = next(index for index, row in enumerate(order) if row == look.season) + step
    if not 0 <= place < len(order):
        return None
    season = order[place]
    base = reverse("leagues:season", args=[look.season.league.slug, season.slug])  # type: ignore[union-attr]
    return SeasonLink(season.name, base)


def _starts(season: Season, now: datetime) -> str:
    if season.starts_at is None or season.starts_at <= now:
        return ""
    zone = season.league.zone
    first, today = season.starts_at.astimezone(zone).date(), now.astimezone(zone).date()
    days = (first - today).days
    return ngettext(
        "It starts on %(day)s, in %(days)d day.", "It starts on %(day)s, in %(days)d days.", days
    ) % {"day": wording.day(first), "days": days}


def _people(found: Standings | None, facts: SeasonFacts) -> dict[int, Player]:
    """Read everybody whom the page names, at once."""
    wanted: set[int] = set()
    if found is not None:
        ranked = np.flatnonzero(found.is_ranked)[:MOST_ROWS]
        wanted |= set(found.table.player_id[ranked].tolist())
    for moment in facts.moments:
        wanted |= set(sorted(moment.ranks, key=moment.ranks.__getitem__)[:MOST_LINES])
    if facts.run:
        wanted.add(facts.run.player)
    if facts.pair:
        wanted |= {facts.pair.one, facts.pair.other}
    if facts.upset:
        wanted |= {*facts.upset.winners, *facts.upset.losers}
    climber = _climb(facts)
    if climber:
        wanted.add(climber[0])
    return players_by_id(wanted)


def _rows(
    board: Board,
    found: Standings,
    people: Mapping[int, Player],
    own: Player | None,
    season: Season,
) -> tuple[FinalRow, ...]:
    rows = []
    for row in np.flatnonzero(found.is_ranked)[:MOST_ROWS].tolist():
        player = people[int(found.table.player_id[row])]
        rank = int(found.rank[row])
        table = found.table
        first = _("champion") if season.is_sealed else ""
        rows.append(
            FinalRow(
                rank=f"{wording.count(rank)}{'=' if found.is_shared(row) else ''}",
                name=player.name,
                url=player_address(board, player.key),
                rating=rating(found.value(row)),
                tally=wording.tally(
                    int(table.won[row]), int(table.drawn[row]), int(table.lost[row])
                ),
                note=first if rank == 1 else "",
                is_me=own is not None and own.pk == player.pk,
            )
        )
    return tuple(rows)


def _whole(found: Standings) -> str:
    more = len(found) - min(int(np.count_nonzero(found.is_ranked)), MOST_ROWS)
    return wording.players(len(found)) if more else ""


def _progress(found: Standings, needed: int) -> str:
    """Say how many have the results that it takes to be ranked."""
    if needed < 2:
        return ""
    enough = int(np.count_nonzero(found.table.games >= needed))
    words = {
        "enough": wording.count(enough),
        "players": wording.players(len(found)),
        "needed": needed,
    }
    told = _("%(enough)s of %(players)s have the %(needed)d results it takes to be ranked") % words
    short = int(np.count_nonzero(found.table.games == needed - 1))
    if not short:
        return f"{told}."
    lacking = ngettext("%(count)s is one short.", "%(count)s are one short.", short) % {
        "count": wording.count(short)
    }
    return f"{told}; {lacking}"


def _played(facts: SeasonFacts, today: date) -> Played | None:
    spans, unit = spans_of(facts.days)
    if not spans:
        return None
    heading, column = {
        "week": (_("Results by week"), _("Week from")),
        "month": (_("Results by month"), _("Month")),
        "year": (_("Results by year"), _("Year")),
    }[unit]
    return Played(
        heading=heading,
        column=column,
        chart=charts.weeks_chart(
            [
                (wording.span_of_time(unit, first, today, is_short=True), count)
                for first, count in spans
            ]
        ),
        rows=tuple(
            (wording.span_of_time(unit, first, today), wording.count(count))
            for first, count in spans
        ),
    )


def _movement(
    facts: SeasonFacts, people: Mapping[int, Player], own: Player | None, today: date
) -> Movement | None:
    moments = [moment for moment in facts.moments if moment.ranks]
    if len(moments) < LEAST_MOMENTS:
        return None
    last = moments[-1].ranks
    top = [player for player in sorted(last, key=lambda who: (last[who], who)) if player in people]
    shown = top[:MOST_LINES]
    if own is not None and own.pk in last and own.pk not in shown:
        shown.append(own.pk)
    lines = [
        charts.PlacedLine(
            people[who].name if who in people else str(own),
            tuple(moment.ranks.get(who) for moment in moments),
            "mine" if own is not None and own.pk == who else "ink" if index < 3 else "far",
        )
        for index, who in enumerate(shown)
    ]
    titles = tuple(wording.day(moment.day, today) for moment in moments)
    depth = max(last[who] for who in shown[:MOST_LINES])
    chart = charts.places_chart(titles, lines, depth=max(depth, len(shown)), moments=True)
    if chart is None:
        return None
    return Movement(
        chart,
        titles,
        tuple(
            MovementRow(
                line.name,
                tuple(NOTHING if place is None else wording.count(place) for place in line.places),
            )
            for line in lines
        ),
    )


def _climb(facts: SeasonFacts) -> tuple[int, int, int] | None:
    """Return who gained most places since the first day that had ranks, and from where to where."""
    moments = [moment for moment in facts.moments if moment.ranks]
    if len(moments) < LEAST_MOMENTS:
        return None
    began: dict[int, int] = {}
    for moment in moments:
        for who, rank in moment.ranks.items():
            began.setdefault(who, rank)
    last = moments[-1].ranks
    gains = [(began[who] - rank, -rank, who) for who, rank in last.items()]
    gain, _best, who = max(gains)
    return (who, began[who], last[who]) if gain > 0 else None


def _facts(
    board: Board, found: Standings, facts: SeasonFacts, people: Mapping[int, Player]
) -> Iterator[Fact]:
    ranked = np.flatnonzero(found.is_ranked)
    if len(ranked) and int(ranked[0]) < len(found):
        yield _first(board, found, ranked[:2].tolist(), people)
    climb = _climb(facts)
    if climb:
        who, began, ended = climb
        words = {"from": wording.ordinal(began), "to": wording.ordinal(ended)}
        yield Fact(
            _("Biggest climb"),
            people[who].name,
            _("from %(from)s to %(to)s") % words,
            player_address(board, people[who].key),
        )
    if facts.upset:
        yield _upset(board, facts, people)
    if facts.run:
        yield Fact(
            _("Longest streak"),
            people[facts.run.player].name,
            ngettext("%(count)d win in a row", "%(count)d wins in a row", facts.run.length)
            % {"count": facts.run.length},
            player_address(board, people[facts.run.player].key),
        )
    if facts.pair:
        names = [people[who].name for who in (facts.pair.one, facts.pair.other)]
        keys = [people[who].key for who in (facts.pair.one, facts.pair.other)]
        yield Fact(
            _("Most played"),
            wording.listing(names),
            ngettext("%(count)d match", "%(count)d matches", facts.pair.matches)
            % {"count": facts.pair.matches},
            compare_address(board, [[key] for key in keys]),
        )
    if facts.favourites:
        told = facts.favourites
        words = {"said": wording.of_hundred(told.said), "came": wording.of_hundred(told.came)}
        yield Fact(
            _("Did the ratings tell the truth?"),
            _("%(said)s said, %(came)s came") % words,
            _("points of 100 for the favourite, over %(matches)s")
            % {"matches": wording.results(told.matches)},
        )


def _first(
    board: Board, found: Standings, rows: Sequence[int], people: Mapping[int, Player]
) -> Fact:
    first, *others = (people[int(found.table.player_id[row])] for row in rows)
    value = rating(found.value(rows[0]))
    detail = f"{value.value} {value.plus_minus}".strip()
    label = _("Champion") if board.season.is_sealed else _("In the lead")
    level = int(np.count_nonzero(found.rank == 1))
    if level > 1:
        names = [first.name, others[0].name]
        if level > 2:
            text = ngettext("%(count)d other", "%(count)d others", level - 2)
            names.append(text % {"count": level - 2})
        return Fact(
            _("Champions") if board.season.is_sealed else label,
            wording.listing(names),
            _("%(rating)s, level") % {"rating": detail},
            compare_address(board, [[first.key], [others[0].key]]),
        )
    if others:
        ahead = abs(
            wording.rounded(float(found.shown.value[rows[0]]), found.shown.decimals)
            - wording.rounded(float(found.shown.value[rows[1]]), found.shown.decimals)
        )
        words = {
            "rating": detail,
            "ahead": wording.number(ahead, found.shown.decimals),
            "name": others[0].name,
        }
        detail = _("%(rating)s, %(ahead)s ahead of %(name)s") % words
    return Fact(label, first.name, detail, player_address(board, first.key))


def _upset(board: Board, facts: SeasonFacts, people: Mapping[int, Player]) -> Fact:
    upset = facts.upset
    assert upset is not None  # noqa: S101
    winners, losers = (
        wording.listing([people[who].name for who in side])
        for side in (upset.winners, upset.losers)
    )
    words = {
        "day": wording.day(upset.at.astimezone(board.league.zone).date()),
        "share": wording.of_hundred(upset.expected),
    }
    return Fact(
        _("Upset"),
        _("%(winners)s beat %(losers)s") % {"winners": winners, "losers": losers},
        _("%(day)s, expected %(share)s of 100") % words,
        explained_match(upset.seq, board),
    )


def _downloads(season: Season, board: Board) -> tuple[Choice, ...]:
    named: tuple[tuple[str, str, dict[str, str]], ...] = (
        (_("Standings, CSV"), "standings.csv", {"board": board.slug}),
        (_("Standings, JSON"), "standings.json", {"board": board.slug}),
        (_("Results, CSV"), "results.csv", {}),
        (_("Results, JSON"), "results.json", {}),
    )
    return tuple(
        Choice(
            name,
            label,
            False,
            url=reverse("leagues:season_file", args=[season.league.slug, season.slug, name])
            + (f"?{urlencode(words)}" if words else ""),
        )
        for label, name, words in named
    )


@dataclass(frozen=True, slots=True)
class SeasonRow:
    name: str
    url: str
    days: str
    state: str
    results: str
    """As its page counts them: those that its first board was to rate."""
    first: str
    """Who leads or has won it, by its first board."""
    first_url: str
    is_sealed: bool


@dataclass(frozen=True, slots=True)
class SeasonList:
    rows: tuple[SeasonRow, ...]
    archived: tuple[SeasonRow, ...]


def season_list(*, look: BoardSelection, league: League, now: datetime) -> SeasonList:
    """Return the seasons of a league, the newest first; archived ones apart."""
    firsts: dict[int, Board] = {}
    for board in sorted(
        look.everywhere, key=lambda row: (row.mode.position, row.mode_id, row.position, row.pk)
    ):
        firsts.setdefault(board.season_id, board)
    first = leaders(firsts.values(), now)
    rows: dict[bool, list[SeasonRow]] = {False: [], True: []}
    for season in look.seasons:
        season.league = league
        board_of = firsts.get(season.pk)
        leader = first.get(board_of.pk) if board_of else None
        player = leader.player if leader else None
        results = board_of.rated_matches + board_of.refused_matches if board_of else 0
        rows[season.state == Season.State.ARCHIVED].append(
            SeasonRow(
                name=season.name,
                url=season_address(season),
                days=season_days(season),
                state=season.get_state_display(),
                results=wording.count(results),
                first=player.name if player else "",
                first_url=player_address(board_of, player.key) if board_of and player else "",
                is_sealed=season.is_sealed,
            )
        )
    return SeasonList(tuple(rows[False]), tuple(rows[True]))
