"""Results: lists of matches, and how one is put in words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import pairwise
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import wording
from leagues.bridge import Series
from leagues.domain.civil_days import day_of
from leagues.domain.named_weights import USUAL_WEIGHT
from leagues.models import Board, League, Match, Participant, Season
from leagues.models.match import STARTED_KINDS, rated_kinds
from leagues.pages.boards import link_of_player
from leagues.pages.handicaps import handicap_tag
from leagues.pages.match_kinds import unusual_kind
from leagues.pages.pending_losses import pending_by_match
from leagues.pages.set_scores import shown_sets
from leagues.selectors.leagues import modes_of
from leagues.selectors.matches import people_of, results_part

PAGE_SIZE = 50
MOST_PLACES = 4
"""Lists name the best of more sides than that and count the others."""
MOST_NAMED = 3
"""Larger teams are named by their first player where space is short."""


@dataclass(frozen=True, slots=True)
class Named:
    """A player's name and where it leads."""

    name: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class Side:
    """A side of a match: who, what it reached, and whether it won."""

    number: int
    """In the order in which the sides were entered."""
    members: tuple[Named, ...]
    points: int | None
    score: str
    place: str
    """With the sign of a shared place."""
    is_first: bool
    is_tied: bool
    handicap: int = 0
    kind: str = ""
    """Of the match, where it has no result: it is started, or somebody left it."""
    left: tuple[str, ...] = ()
    """Who on this side left the match."""

    @property
    def names(self) -> str:
        """All names, or the first of a large team and how many more there are."""
        names = [wording.isolated(member.name) for member in self.listed]
        return " + ".join([*names, self.more] if self.more else names)

    @property
    def listed(self) -> tuple[Named, ...]:
        return self.members if len(self.members) <= MOST_NAMED else self.members[:1]

    @property
    def more(self) -> str:
        return _more(len(self.members) - len(self.listed))


def _more(hidden: int) -> str:
    return _("%(count)d more") % {"count": hidden} if hidden > 0 else ""


@dataclass(frozen=True, slots=True)
class MatchRow:
    """One result of a list, sides in the order of their ranks."""

    url: str
    number: int
    day: str
    day_iso: str
    time: str
    sides: tuple[Side, ...]
    more: str
    result: str
    sets: str
    verb: str
    tag: str
    mode: str
    """What was played, where the list has several things."""
    match_kind: str
    """Where it counts more or less than a usual match."""
    handicap: str
    is_void: bool
    starts_day: bool = False
    pending: str = ""
    """What leaving costs the players of an open match, side by side."""


@dataclass(frozen=True, slots=True)
class ResultsPage:
    rows: tuple[MatchRow, ...]
    previous_url: str
    next_url: str
    query: str
    announcement: str


def match_address(match: Match, league: League, season: Season) -> str:
    """The address of a match's page."""
    return reverse("leagues:match", args=[league.slug, season.slug, match.seq])


def explained_address(match: Match, board: Board, key: str = "") -> str:
    """The address of a match as one board explains it, for one of its players if named."""
    return explained_match(match.seq or 0, board, key)


def explained_match(seq: int, board: Board, key: str = "") -> str:
    """Do `explained_address` for a match known by its number."""
    words = {"board": board.slug, **({"of": key} if key else {})}
    return f"{_matches_of(board.league.slug, board.season.slug)}{seq}/?{urlencode(words)}"


def match_of_point(series: Series, index: int, key: str) -> str:
    """The explained match behind a point of a player's history; empty for a move without one."""
    seq = int(series.points.seq[index])
    return explained_match(seq, series.board, key) if seq else ""


@lru_cache(maxsize=64)
def _matches_of(league: str, season: str) -> str:
    """The common start of the addresses of a season's matches; a profile has hundreds."""
    return reverse("leagues:match", args=[league, season, 0]).removesuffix("0/")


def results_page(
    *,
    league: League,
    season: Season,
    boards: Sequence[Board],
    address_words: Mapping[str, str],
    now: datetime,
) -> ResultsPage:
    """Results of a season, newest first, 50 at most, of one player by name if asked.

    `boards` are those of the season, the one whose profiles are preferred first.
    """
    query = address_words.get("q", "").replace("\x00", "").strip()[:64]
    part = results_part(
        season,
        named=query,
        before=address_words.get("before", ""),
        after=address_words.get("after", ""),
        size=PAGE_SIZE,
    )
    base = reverse("leagues:results", args=[league.slug])
    words = {"season": season.slug, **({"q": query} if query else {})}
    rated = {board.mode_id for board in boards if board.last_at is not None}
    rows = match_rows(
        part.matches,
        league=league,
        season=season,
        boards=boards,
        names_modes=len(rated.union(match.mode_id for match in part.matches)) > 1,
        now=now,
    )
    return ResultsPage(
        rows=rows,
        previous_url=_address(base, words, "before", part.matches[0]) if part.has_newer else "",
        next_url=_address(base, words, "after", part.matches[-1]) if part.has_older else "",
        query=query,
        announcement=wording.results(len(rows)),
    )


def _address(base: str, words: Mapping[str, str], way: str, edge: Match) -> str:
    return f"{base}?{urlencode({**words, way: edge.seq})}"


def match_rows(
    matches: Sequence[Match],
    *,
    league: League,
    season: Season,
    boards: Sequence[Board],
    names_modes: bool = False,
    now: datetime,
) -> tuple[MatchRow, ...]:
    """Matches that were read with `with_players` as rows of a list.

    Names lead to profiles on the first of the boards that rates what was played.
    """
    zone = league.zone
    today = day_of(now, zone)
    rows: list[MatchRow] = []
    is_plain = all(match.weight == USUAL_WEIGHT for match in matches)
    # Of several boards of a mode the first stands last here, and stays.
    board_of = {board.mode_id: board for board in reversed(boards)}
    pending: dict[int, str] = {}
    for board in board_of.values():
        pending |= pending_by_match(board, matches, now)
    has_modes = names_modes or not is_plain
    modes = {mode.pk: mode for mode in modes_of(league=league.pk)} if has_modes else {}
    for match in matches:
        local = match.played_at.astimezone(zone)
        sides = sides_of(match, board_of.get(match.mode_id))
        iso = local.date().isoformat()
        rows.append(
            MatchRow(
                url=match_address(match, league, season),
                number=match.seq or 0,
                day=wording.day(local.date(), today),
                day_iso=iso,
                time="" if match.date_only else wording.clock(local),
                sides=sides if len(sides) <= MOST_PLACES else sides[:MOST_PLACES],
                more=_more(len(sides) - MOST_PLACES),
                result=result_of(sides),
                sets=sets_of(match, sides),
                verb=verb_of(sides),
                tag=tag_of(match, league, season),
                mode=modes[match.mode_id].name if names_modes else "",
                match_kind=unusual_kind(modes[match.mode_id], match.weight) if modes else "",
                handicap=handicap_of(sides),
                is_void=match.status == Match.Status.VOID,
                starts_day=not rows or rows[-1].day_iso != iso,
                pending=pending.get(match.pk, ""),
            )
        )
    return tuple(rows)


def has_left(row: Participant) -> bool:
    """Whether a player left a started match."""
    return row.leaving == Participant.Leaving.LEFT


def sides_of(match: Match, board: Board | None) -> tuple[Side, ...]:
    """The sides of a match, best first."""
    grouped: dict[int, list[Participant]] = defaultdict(list)
    for row in people_of(match):
        grouped[row.side].append(row)
    has_result = match.kind not in STARTED_KINDS
    ordered = sorted(
        grouped.values(),
        key=lambda rows: (rows[0].rank, any(has_left(row) for row in rows), rows[0].side),
    )
    ranks = [rows[0].rank for rows in ordered]
    return tuple(
        Side(
            number=rows[0].side,
            members=tuple(
                Named(row.player.name, link_of_player(board, row.player)) for row in rows
            ),
            points=rows[0].score,
            handicap=rows[0].handicap,
            score="" if rows[0].score is None else wording.number(rows[0].score),
            place=wording.place(rows[0].rank, is_shared=ranks.count(rows[0].rank) > 1)
            if has_result
            else "",
            is_first=has_result and rows[0].rank == 1,
            is_tied=has_result and ranks.count(rows[0].rank) > 1,
            kind="" if has_result else match.kind,
            left=tuple(row.player.name for row in rows if has_left(row)),
        )
        for rows in ordered
    )


def result_of(sides: Sequence[Side]) -> str:
    """The score; without one a word on two sides, of more their places are enough.

    Empty for a started match: its kind stands beside it.
    """
    points = [side.points for side in sides if side.points is not None]
    if len(points) == len(sides):
        more = "…" if len(points) > MOST_PLACES else ""
        return wording.tally(*points[:MOST_PLACES]) + more
    if len(sides) > 2 or sides[0].kind:
        return ""
    return _("drawn") if sides[0].is_tied else _("won")


def handicap_of(sides: Sequence[Side]) -> str:
    """Which sides were given how many points."""
    return handicap_tag((side.names, side.handicap) for side in sides)


def sets_of(match: Match, sides: Sequence[Side]) -> str:
    """The set scores of a match, for its sides in this order."""
    return shown_sets(match.sets, is_turned=sides[0].number > sides[-1].number)


def verb_of(sides: Sequence[Side]) -> str:
    """The verb for what the first of two sides did to the second."""
    if len(sides) != 2:
        return ""
    if sides[0].kind:
        was_left = sides[1].left and not sides[0].left
        return _("was left by") if was_left else _("v")
    return _("drew with") if sides[0].is_tied else _("beat")


def when_played(match: Match, league: League) -> str:
    """The time of a match; a day is one of the league's, wherever one reads it."""
    if match.date_only:
        return wording.long_moment(match.played_at, league.zone, date_only=True)
    return wording.moment_element(match.played_at, league.zone, is_long=True)


def tag_of(match: Match, league: League, season: Season) -> str:
    """The state that a reader must know of, if any."""
    if match.status == Match.Status.VOID:
        return str(match.get_status_display())
    return kind_words(match.kind, league, season)


def kind_words(kind: str, league: League, season: Season) -> str:
    """What was not simply played, and whether the boards leave it out; empty for what was."""
    if kind == Match.Kind.PLAYED:
        return ""
    if kind == Match.Kind.WALKOVER and kind not in rated_kinds(league, season):
        return _("walkover, not rated")
    return str(Match.Kind(kind).label)


def meeting_of(match: Match) -> str:
    """The sides that met, as they were entered and as a form has them."""
    sides = sides_of(match, None)
    if len(sides) > 2:
        return finding(sides)
    first, second = sorted(sides, key=lambda side: side.number)
    return _("%(first)s v %(second)s") % {"first": first.names, "second": second.names}


def result_line(match: Match) -> str:
    """A match in one line: the score between its sides, else who won."""
    sides = sides_of(match, None)
    points = [side.points for side in sides if side.points is not None]
    if len(sides) == 2 and len(points) == 2:
        return f"{sides[0].names} {wording.tally(*points)} {sides[1].names}"
    return finding(sides)


def unstored_sides(
    places: Sequence[int], scores: Sequence[int | None], names: Sequence[Sequence[str]]
) -> list[Side]:
    """The sides, best first, of a result that is not stored: each place, score and names."""
    sides = [
        Side(
            number=number,
            members=tuple(Named(name) for name in members),
            points=points,
            score="",
            place=str(place),
            is_first=place == 1,
            is_tied=places.count(place) > 1,
        )
        for number, (place, points, members) in enumerate(zip(places, scores, names, strict=True))
    ]
    return sorted(sides, key=lambda side: int(side.place))


def places_line(sides: Sequence[Side]) -> str:
    """The sides of a free-for-all, best first, with the signs by which it can be typed."""
    has_points = all(side.points is not None for side in sides)
    names = [f"{side.names}: {side.points}" if has_points else side.names for side in sides]
    text = names[0]
    for (one, other), name in zip(pairwise(sides), names[1:], strict=True):
        mark = " = " if one.place == other.place else ", " if has_points else " > "
        text += f"{mark}{name}"
    return text


def numbered_places(sides: Sequence[Side]) -> str:
    """The sides of a free-for-all with their places, as people write them and lines are read."""
    places = [side.place for side in sides]
    points = [f" ({side.points})" if side.points is not None else "" for side in sides]
    return ", ".join(
        f"{places.index(side.place) + 1}. {side.names}{of_side}"
        for side, of_side in zip(sides, points, strict=True)
    )


def result_words(sides: Sequence[Side]) -> str:
    """The result with every side, best first: a duel's with its score, else the places."""
    if len(sides) > 2:
        return places_line(sides)
    points = [side.points for side in sides if side.points is not None]
    text = finding(sides)
    return f"{text} {wording.tally(*points)}" if len(points) == 2 else text


def finding(sides: Sequence[Side]) -> str:
    """The result, as a heading says it."""
    if len(sides) > 2:
        first = [side.names for side in sides if side.is_first]
        if len(first) == len(sides):
            return _("%(sides)s drew") % {"sides": wording.listing(first)}
        others = len(sides) - len(first)
        words = ngettext(
            "%(winner)s won, ahead of %(count)d other",
            "%(winner)s won, ahead of %(count)d others",
            others,
        )
        return words % {"winner": wording.listing(first), "count": others}
    if any(side.left for side in sides):
        leavers = [name for side in sides for name in side.left]
        if sides[0].left:
            return _("%(names)s left their match") % {"names": wording.listing(leavers)}
        words = _("%(names)s left the match against %(others)s")
        return words % {"names": wording.listing(leavers), "others": sides[0].names}
    if sides[0].kind:
        return _("%(first)s v %(second)s") % {"first": sides[0].names, "second": sides[1].names}
    text = (
        _("%(first)s drew with %(second)s") if sides[0].is_tied else _("%(first)s beat %(second)s")
    )
    return text % {"first": sides[0].names, "second": sides[1].names}
