"""The page of a season, and the list of all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

import numpy as np
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import bridge, wording
from leagues.domain.civil_days import day_of
from leagues.domain.leaving import left_among
from leagues.domain.ranking import least_games
from leagues.models import Board, Player, Season
from leagues.pages.absence import Absence, absence_of_all
from leagues.pages.boards import Choice, board_address, board_tabs, player_address
from leagues.pages.ratings import Rating, rating, shown_as
from leagues.pages.seals import Seal, seal_of
from leagues.pages.season_charts import (
    MOST_LINES,
    Movement,
    ResultsChart,
    movement_chart,
    results_chart,
)
from leagues.pages.season_highlights import Fact, biggest_climb, highlights
from leagues.pages.settings import season_days
from leagues.pages.starting import StartingTable, carryover_sentence, starting_tables
from leagues.pages.tallies import TallyStyle
from leagues.pages.uncertainty import board_notes
from leagues.selectors.board_selection import BoardSelection
from leagues.selectors.people import players_by_id
from leagues.selectors.season_facts import SeasonFacts, season_facts
from leagues.selectors.standings import Standings, present
from leagues.selectors.standings_query import PLAYING
from leagues.store.match_columns import Integers

MOST_ROWS = 20


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
    has_left: bool
    is_me: bool


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
    tally_heading: str
    rows: tuple[FinalRow, ...]
    absence: Absence | None
    """Why nobody is ranked although some were."""
    whole_url: str
    whole: str
    """How many more there are on the board."""
    progress: str
    notes: tuple[str, ...]
    """Of what day the ranges are, if not of today, and who is held at a bound."""
    activity: ResultsChart | None
    """None before the first result."""
    movement: Movement | None
    facts: tuple[Fact, ...]
    carryover: str
    starting: tuple[StartingTable, ...]
    """Of the board shown, where ratings were carried over to it."""
    downloads: tuple[Choice, ...]


def season_page(*, look: BoardSelection, own: Player | None, now: datetime) -> SeasonPage:
    """The page of a season; `look` has a season."""
    season, board = look.season, look.board
    assert season is not None  # noqa: S101
    league = season.league
    present_standings = present(board, now) if board else None
    facts = season_facts(board) if board else SeasonFacts(())
    people = _people(present_standings, facts)
    standings = (
        present_standings if present_standings is not None and len(present_standings) else None
    )
    today = day_of(now, league.zone)
    carryover = carryover_sentence(season)
    return SeasonPage(
        title=season.name,
        state=season.get_state_display(),
        facts_line=tuple(_facts_line(season, board, facts, present_standings)),
        seal=seal_of(season, board),
        tabs=board_tabs(look, lambda row: season_address(season, row)),
        previous=_neighbour(look, 1),
        following=_neighbour(look, -1),
        starts=_starts(season, now) if not facts.days else "",
        is_over=not season.takes_late_results,
        shown_as=shown_as(board) if board else "",
        has_ranges=standings is not None and bool(len(standings.lows)),
        tally_heading=TallyStyle.of_table(standings.table).heading if standings else "",
        rows=_rows(board, standings, people, own, season) if board and standings else (),
        absence=absence_of_all(board, standings) if board and standings else None,
        whole_url=board_address(board) if board else "",
        whole=_whole(standings) if standings else "",
        progress=_progress(standings, least_games(board)) if board and standings else "",
        notes=board_notes(board, standings) if board and standings else (),
        activity=results_chart(facts, today),
        movement=movement_chart(board, facts, people, own, today),
        facts=tuple(highlights(board, standings, facts, people)) if board and standings else (),
        carryover=carryover,
        starting=starting_tables([board]) if board and board.start_parameters else (),
        downloads=_downloads(season, board) if board and facts.days else (),
    )


def season_address(season: Season, board: Board | None = None) -> str:
    """The address of a season's page, as of a board."""
    base = reverse("leagues:season", args=[season.league.slug, season.slug])
    return f"{base}?{urlencode({'board': board.slug})}" if board else base


def _facts_line(
    season: Season, board: Board | None, facts: SeasonFacts, standings: Standings | None
) -> Iterator[str]:
    yield season_days(season)
    if facts.days:
        results = wording.results(sum(count for _, count in facts.days))
        days = ngettext("on %(count)s day", "on %(count)s days", len(facts.days))
        yield f"{results} {days % {'count': wording.count(len(facts.days))}}"
    if standings is not None and len(standings):
        yield wording.players(len(standings))
    if board is not None:
        yield bridge.system_info(board.system).title


def _neighbour(look: BoardSelection, step: int) -> SeasonLink | None:
    """The season before or after, by when they began."""
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
    first, today = day_of(season.starts_at, zone), day_of(now, zone)
    days = (first - today).days
    return ngettext(
        "It starts on %(day)s, in %(days)d day.", "It starts on %(day)s, in %(days)d days.", days
    ) % {"day": wording.day(first), "days": days}


def _people(standings: Standings | None, facts: SeasonFacts) -> dict[int, Player]:
    """Read everybody whom the page names, at once."""
    wanted: set[int] = set()
    if standings is not None:
        wanted |= set(standings.table.player_id[_listed(standings)].tolist())
    for moment in facts.moments:
        wanted |= set(sorted(moment.ranks, key=moment.ranks.__getitem__)[:MOST_LINES])
    if facts.run:
        wanted.add(facts.run.player)
    if facts.pair:
        wanted |= {facts.pair.one, facts.pair.other}
    if facts.upset:
        wanted |= {*facts.upset.winners, *facts.upset.losers}
    climber = biggest_climb(facts)
    if climber:
        wanted.add(climber[0])
    return players_by_id(wanted)


def _listed(standings: Standings) -> Integers:
    """Whom the page shows: the first of the ranked, or of all who play while few are ranked."""
    first_list = PLAYING if standings.has_few_ranked else "ranked"
    rows: Integers = np.flatnonzero(standings.on_list(first_list))[:MOST_ROWS]
    return rows


def _rows(
    board: Board,
    standings: Standings,
    people: Mapping[int, Player],
    own: Player | None,
    season: Season,
) -> tuple[FinalRow, ...]:
    style = TallyStyle.of_table(standings.table)
    listed = _listed(standings)
    shown = [people[player_id] for player_id in standings.table.player_id[listed].tolist()]
    left = left_among(shown) if season.takes_late_results else frozenset()
    rows = []
    for row, player in zip(listed.tolist(), shown, strict=True):
        rank = int(standings.rank[row])
        table = standings.table
        first = _("champion") if season.is_sealed else ""
        rows.append(
            FinalRow(
                rank=_rank(rank, is_shared=standings.is_shared(row)),
                name=player.name,
                url=player_address(board, player.key),
                rating=rating(standings.value(row)),
                tally=style.text(int(table.won[row]), int(table.drawn[row]), int(table.lost[row])),
                note=first if rank == 1 else "",
                has_left=player.pk in left,
                is_me=own is not None and own.pk == player.pk,
            )
        )
    return tuple(rows)


def _rank(rank: int, *, is_shared: bool) -> str:
    """A rank in words; empty for who is not ranked."""
    return f"{wording.count(rank)}{'=' if is_shared else ''}" if rank else ""


def _whole(standings: Standings) -> str:
    more = len(standings) - len(_listed(standings))
    return wording.players(len(standings)) if more else ""


def _progress(standings: Standings, needed: int) -> str:
    """How many have the results that it takes to be ranked."""
    if needed < 2:
        return ""
    enough = int(np.count_nonzero(standings.table.games >= needed))
    sentences = [
        ngettext(
            "%(enough)s of %(players)s has the %(needed)d results needed to be ranked.",
            "%(enough)s of %(players)s have the %(needed)d results needed to be ranked.",
            enough,
        )
        % {
            "enough": wording.count(enough),
            "players": wording.players(len(standings)),
            "needed": needed,
        }
    ]
    if (inactive := enough - int(np.count_nonzero(standings.is_ranked))) > 0:
        sentences.append(
            ngettext(
                "%(count)s of them is inactive and not ranked now.",
                "%(count)s of them are inactive and not ranked now.",
                inactive,
            )
            % {"count": wording.count(inactive)}
        )
    if short := int(np.count_nonzero(standings.table.games == needed - 1)):
        sentences.append(
            ngettext(
                "%(count)s player needs one more result.",
                "%(count)s players need one more result.",
                short,
            )
            % {"count": wording.count(short)}
        )
    return " ".join(sentences)


def _downloads(season: Season, board: Board) -> tuple[Choice, ...]:
    # A file of results has those of one mode.
    mode = {"mode": board.mode.name}
    named = (
        (_("Standings, CSV"), "standings.csv"),
        (_("Standings, JSON"), "standings.json"),
        (_("Results of “%(mode)s”, CSV") % mode, "results.csv"),
        (_("Results of “%(mode)s”, Excel") % mode, "results.xlsx"),
        (_("Results of “%(mode)s”, JSON") % mode, "results.json"),
    )
    players = (
        (_("Players, CSV"), "players.csv"),
        (_("Players, Excel"), "players.xlsx"),
        (_("Players, JSON"), "players.json"),
    )
    slug = season.league.slug
    return (
        *(
            Choice(
                name,
                label,
                False,
                url=reverse("leagues:season_file", args=[slug, season.slug, name])
                + f"?{urlencode({'board': board.slug})}",
            )
            for label, name in named
        ),
        *(
            Choice(name, label, False, url=reverse("leagues:players_file", args=[slug, name]))
            for label, name in players
        ),
    )
