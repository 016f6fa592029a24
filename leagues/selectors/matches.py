"""Results: lists of matches, and one match with all that is known of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from django.db.models import (
    Exists,
    OuterRef,
    Q,
    QuerySet,
    prefetch_related_objects,
)
from django.urls import reverse
from django.utils.translation import gettext as _

from leagues import bridge, charts, wording
from leagues.facts import is_behind, rated_kinds
from leagues.models import Board, League, Match, Participant, Revision, Season
from leagues.selectors.boards import board_address, player_address
from leagues.selectors.contents import PLAYERS_BY_RANK, contents_of, line_of, lines_between
from leagues.selectors.ratings import Rating, changed, rating, rung_of, scale_of
from leagues.selectors.revisions import is_from_file, revision_address, who_said
from ratings.files.names import fold_name

PAGE_SIZE = 50
MOST_PLACES = 4
"""Lists name the best of more sides than that and count the others."""
MOST_NAMED = 3
"""Larger teams are named by their first player where space is short."""

CLOSE = 0.025
"""Odds nearer to even than this are called a coin toss."""


@dataclass(frozen=True, slots=True)
class Named:
    """A player's name and where it leads."""

    name: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class Side:
    """A side of a match: who, what it reached, and whether it won."""

    members: tuple[Named, ...]
    points: int | None
    score: str
    place: str
    """With the sign of a shared place."""
    is_first: bool
    is_tied: bool

    @property
    def names(self) -> str:
        """All names, or the first of a large team and how many more there are."""
        shown = [member.name for member in self.listed]
        return " + ".join([*shown, self.more] if self.more else shown)

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
    verb: str
    tag: str
    is_void: bool
    starts_day: bool = False


@dataclass(frozen=True, slots=True)
class ResultsPage:
    rows: tuple[MatchRow, ...]
    previous_url: str
    next_url: str
    query: str
    said: str


def match_address(match: Match, league: League, season: Season) -> str:
    """Return the address of a match's page."""
    return reverse("leagues:match", args=[league.slug, season.slug, match.seq])


def with_players(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Read the players of matches along with them, in one more query."""
    return matches.prefetch_related(PLAYERS_BY_RANK)


def results_page(
    *, league: League, season: Season, board: Board | None, given: Mapping[str, str], now: datetime
) -> ResultsPage:
    """Return results of a season, newest first, 50 at most, of one player by name if asked."""
    query = given.get("q", "").replace("\x00", "").strip()[:64]
    rows = season.matches.exclude(status=Match.Status.STAGED)
    if query:
        named = Participant.objects.filter(
            match=OuterRef("pk"), player__folded__contains=fold_name(query)
        )
        rows = rows.filter(Exists(named))
    found, has_previous, has_next = _window(rows, given)
    base = reverse("leagues:results", args=[league.slug])
    kept = {"season": season.slug, **({"q": query} if query else {})}
    shown = match_rows(found, league=league, season=season, board=board, now=now)
    return ResultsPage(
        rows=shown,
        previous_url=_address(base, kept, "before", found[0]) if has_previous else "",
        next_url=_address(base, kept, "after", found[-1]) if has_next else "",
        query=query,
        said=wording.results(len(shown)),
    )


def _address(base: str, kept: Mapping[str, str], way: str, edge: Match) -> str:
    return f"{base}?{urlencode({**kept, way: edge.seq})}"


def _window(rows: QuerySet[Match], given: Mapping[str, str]) -> tuple[list[Match], bool, bool]:
    newest_first = ("-played_at", "-order_hint", "-seq")
    rows = with_players(rows)
    edge = _edge(rows, given.get("before", ""))
    if edge:
        found = list(
            rows.filter(_later(edge)).order_by("played_at", "order_hint", "seq")[: PAGE_SIZE + 1]
        )
        return found[PAGE_SIZE - 1 :: -1], len(found) > PAGE_SIZE, True
    edge = _edge(rows, given.get("after", ""))
    if edge:
        rows = rows.filter(_earlier(edge))
    found = list(rows.order_by(*newest_first)[: PAGE_SIZE + 1])
    return found[:PAGE_SIZE], edge is not None, len(found) > PAGE_SIZE


def _edge(rows: QuerySet[Match], seq: str) -> Match | None:
    if not (seq.isascii() and seq.isdigit() and len(seq) < 19):
        return None
    return rows.prefetch_related(None).filter(seq=int(seq)).first()


def _earlier(edge: Match) -> Q:
    at = Q(played_at=edge.played_at)
    hint = Q(order_hint=edge.order_hint)
    return (
        Q(played_at__lt=edge.played_at)
        | at & Q(order_hint__lt=edge.order_hint)
        | at & hint & Q(seq__lt=edge.seq)
    )


def _later(edge: Match) -> Q:
    at = Q(played_at=edge.played_at)
    hint = Q(order_hint=edge.order_hint)
    return (
        Q(played_at__gt=edge.played_at)
        | at & Q(order_hint__gt=edge.order_hint)
        | at & hint & Q(seq__gt=edge.seq)
    )


def match_rows(
    matches: Sequence[Match],
    *,
    league: League,
    season: Season,
    board: Board | None,
    now: datetime,
) -> tuple[MatchRow, ...]:
    """Return matches that were read with `with_players` as rows of a list."""
    zone = league.zone
    today = now.astimezone(zone).date()
    rows: list[MatchRow] = []
    for match in matches:
        local = match.played_at.astimezone(zone)
        sides = sides_of(match, board)
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
                verb=verb_of(sides),
                tag=tag_of(match),
                is_void=match.status == Match.Status.VOID,
                starts_day=not rows or rows[-1].day_iso != iso,
            )
        )
    return tuple(rows)


def sides_of(match: Match, board: Board | None) -> tuple[Side, ...]:
    """Return the sides of a match, best first."""
    grouped: dict[int, list[Participant]] = defaultdict(list)
    for row in match.participants.all():
        grouped[row.side].append(row)
    ordered = sorted(grouped.values(), key=lambda rows: (rows[0].rank, rows[0].side))
    ranks = [rows[0].rank for rows in ordered]
    return tuple(
        Side(
            members=tuple(
                Named(
                    row.player.name,
                    player_address(board, row.player.key) if board else "",
                )
                for row in rows
            ),
            points=rows[0].score,
            score="" if rows[0].score is None else wording.number(rows[0].score),
            place=wording.place(rows[0].rank, is_shared=ranks.count(rows[0].rank) > 1),
            is_first=rows[0].rank == 1,
            is_tied=ranks.count(rows[0].rank) > 1,
        )
        for rows in ordered
    )


def result_of(sides: Sequence[Side]) -> str:
    """Return the score; without one a word on two sides, of more their places are enough."""
    points = [side.points for side in sides if side.points is not None]
    if len(points) == len(sides) <= MOST_PLACES:
        return wording.tally(*points)
    if len(sides) > 2:
        return ""
    return _("drawn") if sides[0].is_tied else _("won")


def verb_of(sides: Sequence[Side]) -> str:
    """Return what the first of two sides did to the second."""
    if len(sides) != 2:
        return ""
    return _("drew with") if sides[0].is_tied else _("beat")


def tag_of(match: Match) -> str:
    """Return the state that a reader must know of, if any."""
    if match.status == Match.Status.VOID:
        return str(match.get_status_display())
    return "" if match.kind == Match.Kind.PLAYED else str(match.get_kind_display())


def meeting_of(match: Match) -> str:
    """Return who met whom, winner first."""
    sides = sides_of(match, None)
    if len(sides) > 2:
        return _finding(sides)
    return _("%(first)s v %(second)s") % {"first": sides[0].names, "second": sides[1].names}


def _finding(sides: Sequence[Side]) -> str:
    """Return what came out, as a heading says it."""
    if len(sides) > 2:
        first = [side.names for side in sides if side.is_first]
        return _("%(winner)s before %(count)d others") % {
            "winner": wording.listing(first),
            "count": len(sides) - len(first),
        }
    return f"{sides[0].names} {verb_of(sides)} {sides[1].names}"


@dataclass(frozen=True, slots=True)
class AccountRow:
    """What a match did to one player on one board."""

    name: str
    url: str
    before: Rating
    after: Rating
    change: str
    expected: str
    rung_before: charts.Rung | None
    rung: charts.Rung | None


@dataclass(frozen=True, slots=True)
class OddsBar:
    """Win, draw and loss of the first side as parts of a bar."""

    win: str
    draw: str
    loss: str
    draw_x: str
    loss_x: str
    draw_width: str
    win_width: str
    loss_width: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Telling:
    """One line of a match's history."""

    at: str
    text: str
    says: str
    reason: str
    url: str
    revision: str


@dataclass(frozen=True, slots=True)
class BoardAccount:
    """What a match did on one board: `reason` says why nothing moved, if nothing did."""

    board: str
    url: str
    accounts: tuple[AccountRow, ...]
    scale: charts.Scale | None
    odds: OddsBar | None
    reason: str
    is_waiting: bool


@dataclass(frozen=True, slots=True)
class MatchPage:
    title: str
    when: str
    kind: str
    entered: str
    mode: str
    detail: str
    sides: tuple[Side, ...]
    first_names: str
    second_names: str
    is_pair: bool
    joint: str
    is_void: bool
    verdict: str
    score: tuple[str, str] | None
    first: BoardAccount | None
    others: tuple[BoardAccount, ...]
    history: tuple[Telling, ...]
    headline: str


def match_page(*, match: Match, boards: Sequence[Board], now: datetime) -> MatchPage:
    """Return a match with its reasons and its history; the first board is told in full."""
    league, season = match.league, match.season
    prefetch_related_objects([match], PLAYERS_BY_RANK)
    own = [board for board in boards if board.mode_id == match.mode_id]
    sides = sides_of(match, own[0] if own else None)
    accounts = [board_account(board, match, sides) for board in own]
    return MatchPage(
        title=_finding(sides),
        when=wording.long_moment(match.played_at, league.zone, date_only=match.date_only),
        kind=str(match.get_kind_display()),
        entered=_entered(match),
        mode=match.mode.name,
        detail=match.detail,
        sides=sides,
        first_names=sides[0].names,
        second_names=sides[1].names,
        is_pair=len(sides) == 2,
        joint=wording.joint(*(side.points for side in sides if side.points is not None)),
        is_void=match.status == Match.Status.VOID,
        verdict=verb_of(sides),
        score=(sides[0].score, sides[1].score) if len(sides) == 2 and sides[0].score else None,
        first=accounts[0] if accounts else None,
        others=tuple(accounts[1:]),
        history=match_history(match, league=league, season=season, now=now),
        headline=_headline(accounts[0] if accounts else None, sides),
    )


def _entered(match: Match) -> str:
    if is_from_file(match.entered_by, match.source):
        return _("imported from a file")
    return _("entered by %(who)s") % {"who": who_said(match.entered_by, match.source)}


def board_account(board: Board, match: Match, sides: Sequence[Side]) -> BoardAccount:
    """Return what a match did on a board, or why it did nothing."""
    told = None if match.status == Match.Status.VOID else bridge.match_account(board, match)
    if told is None:
        reason = _unrated_reason(match)
        behind = not reason and is_behind(board)
        return BoardAccount(
            board=board.name,
            url=board_address(board),
            accounts=(),
            scale=None,
            odds=None,
            reason=reason or ("" if behind else _("This system cannot rate such a match.")),
            is_waiting=behind,
        )
    scale = scale_of([value for row in told.accounts for value in (row.before, row.after)])
    names = {row.player_id: row.player for row in match.participants.all()}
    by_player = {row.player_id: row for row in told.accounts}
    ordered = [by_player[player_id] for player_id in names if player_id in by_player]
    return BoardAccount(
        board=board.name,
        url=board_address(board),
        accounts=tuple(
            AccountRow(
                name=names[row.player_id].name,
                url=player_address(board, names[row.player_id].key),
                before=rating(row.before),
                after=rating(row.after),
                change=changed(row.before, row.after),
                expected="" if row.expected is None else wording.percent(row.expected),
                rung_before=rung_of(scale, row.before),
                rung=rung_of(scale, row.after),
            )
            for row in ordered
        ),
        scale=scale,
        odds=_odds_bar(told, match, sides) if len(sides) == 2 else None,
        reason="",
        is_waiting=False,
    )


def _unrated_reason(match: Match) -> str:
    if match.status == Match.Status.VOID:
        return _("This match is void: it counts for nothing until it is restored.")
    if match.kind not in rated_kinds(match.league):
        return {
            Match.Kind.WALKOVER: _("A walkover is listed and does not count in this league."),
        }.get(Match.Kind(match.kind), _("This match was entered as one that does not count."))
    return ""


def _odds_bar(told: bridge.MatchAccount, match: Match, sides: Sequence[Side]) -> OddsBar | None:
    """Return the odds with the winner's side first, as `sides` are ordered."""
    if told.odds is None:
        return None
    first = match.participants.all()[0]
    win, draw, loss = told.odds.win, told.odds.draw, told.odds.loss
    if first.side != min(row.side for row in match.participants.all()):
        win, loss = loss, win
    win, draw, loss = (max(0.0, part) for part in (win, draw, loss))
    return OddsBar(
        win=wording.percent(win),
        draw=wording.percent(draw) if draw else "",
        loss=wording.percent(loss),
        win_width=_share(win),
        draw_x=_share(win),
        draw_width=_share(draw),
        loss_x=_share(win + draw),
        loss_width=_share(loss),
        sentence=_odds_sentence(win + draw / 2.0, sides),
    )


def _share(part: float) -> str:
    return f"{100 * part:.4g}%"


def _odds_sentence(expected: float, sides: Sequence[Side]) -> str:
    if abs(expected - 0.5) < CLOSE:
        return _("As the ratings stood, close to a coin toss.")
    ahead = sides[0] if expected > 0.5 else sides[1]
    return _("As the ratings stood, %(side)s would take %(points)s points of 100.") % {
        "side": ahead.names,
        "points": wording.of_hundred(max(expected, 1.0 - expected)),
    }


def _headline(account: BoardAccount | None, sides: Sequence[Side]) -> str:
    """Say in one sentence what the match did to the rating of its first player."""
    if account is None or not account.accounts or len(sides) != 2:
        return ""
    return ", ".join(f"{row.name} {row.change}" for row in account.accounts[:4])


def match_history(
    match: Match, *, league: League, season: Season, now: datetime
) -> tuple[Telling, ...]:
    """Return what was said of a match, oldest first: entered, corrected, voided, restored."""
    today = now.astimezone(league.zone).date()
    told = contents_of([match], league)
    contents = told.by_match[match.pk]
    revisions = [match.revision, *(row.revision for row in told.revisions[match.pk])]
    lines = [line_of(contents[0], told.names)]
    for before, after in zip(contents, contents[1:], strict=False):
        lines.append(lines_between(before, after, told.names, league.zone)[1])
    return tuple(
        Telling(
            at=wording.moment(revision.created_at, league.zone, today),
            text=_told(revision, is_first=index == 0),
            says=line,
            reason=revision.reason,
            url=revision_address(league, season, revision.number),
            revision=_("revision %(number)d") % {"number": revision.number},
        )
        for index, (revision, line) in enumerate(zip(revisions, lines, strict=True))
    )


def _told(revision: Revision, *, is_first: bool) -> str:
    words = {
        Revision.Kind.CORRECTION: _("Corrected by %(who)s"),
        Revision.Kind.VOID: _("Made void by %(who)s"),
        Revision.Kind.RESTORE: _("Restored by %(who)s"),
        Revision.Kind.REVERT: _("Undone by %(who)s"),
        Revision.Kind.IMPORT: _("Imported by %(who)s"),
    }
    said = _("Entered by %(who)s") if is_first else _("Changed by %(who)s")
    who = who_said(revision.author, revision.source)
    if revision.kind == Revision.Kind.IMPORT and revision.author is None:
        return _("Imported from a file")
    return words.get(Revision.Kind(revision.kind), said) % {"who": who}
