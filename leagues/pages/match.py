"""One match with all that is known of it: what was expected, what it did, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import bridge, charts, wording
from leagues.bridge import MatchAccount, Odds, RatedMatch, RatingChange
from leagues.models import (
    Board,
    League,
    Match,
    Participant,
    Player,
    Revision,
    Season,
)
from leagues.pages.boards import Choice, board_address, player_address
from leagues.pages.contents import line_of, lines_between
from leagues.pages.matches import Side, explained_address, finding, sides_of, verb_of
from leagues.pages.placing import PlacedSide, place_labels, placed_sides
from leagues.pages.ratings import Rating, changed, rating, rung_of, scale_of
from leagues.pages.reasons import Person, Reasons, points_of, reasons_of
from leagues.pages.revisions import author_label, is_from_file, revision_address
from leagues.pages.seats import moved
from leagues.rulebook import describe_rules
from leagues.selectors.contents import contents_of
from leagues.selectors.matches import people_of, read_people
from leagues.selectors.standing_rows import placed_among
from leagues.store.match_columns import rated_kinds

CLOSE = 0.025
"""Odds nearer to even than this are called a coin toss."""
MOST_PLACED = 8
"""Of so many sides the chances of each place are told."""

MOST_NAMED = 2
"""Larger sides are named by their first player beside a bar."""
MOST_SHARERS = 6
"""Up to this many players of a side have their reasons side by side."""
MOST_COLUMNS = 4
"""So many players' changes stand beside each outcome that could have been."""


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
    is_me: bool


@dataclass(frozen=True, slots=True)
class OddsBar:
    """Win, draw and loss of the first side as parts of a bar."""

    first: str
    second: str
    is_me: bool
    is_against_me: bool
    win: str
    draw: str
    loss: str
    bar: charts.OddsParts
    span_x: str
    span_width: str
    sentence: str


@dataclass(frozen=True, slots=True)
class HeadName:
    """A player in the head of the page, and the rating before the match."""

    name: str
    url: str
    before: str
    is_me: bool


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One line of a match's history."""

    at: str
    text: str
    says: str
    reason: str
    url: str
    revision: str


@dataclass(frozen=True, slots=True)
class OutcomeRow:
    """One way a match could have ended, and what it would have given."""

    label: str
    changes: tuple[str, ...]
    is_real: bool


@dataclass(frozen=True, slots=True)
class Outcomes:
    """What the other outcomes would have given, to each of a few players."""

    names: tuple[str, ...]
    rows: tuple[OutcomeRow, ...]
    note: str


@dataclass(frozen=True, slots=True)
class SharesTable:
    """The reasons of all partners side by side: one column a player, one row a cause."""

    names: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    totals: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SystemRow:
    """The same match on one board of the league."""

    board: str
    url: str
    is_this: bool
    expected: str
    change: str


@dataclass(frozen=True, slots=True)
class BoardAccount:
    """What a match did on one board: `reason` says why nothing moved, if nothing did."""

    board: str
    url: str
    accounts: tuple[AccountRow, ...]
    scale: charts.Scale | None
    odds: OddsBar | None
    placed: tuple[PlacedSide, ...]
    place_labels: tuple[str, ...]
    why: Reasons | None
    people: tuple[Choice, ...]
    shares: SharesTable | None
    outcomes: Outcomes | None
    reason: str
    is_waiting: bool
    is_fitted: bool
    is_ladder: bool

    @property
    def has_expected(self) -> bool:
        """Say whether the system expected anything."""
        return any(row.expected for row in self.accounts)


@dataclass(frozen=True, slots=True)
class MatchPage:
    title: str
    finding: str
    when: str
    kind: str
    entered: str
    mode: str
    detail: str
    sides: tuple[Side, ...]
    pair: tuple[tuple[HeadName, ...], ...]
    is_pair: bool
    joint: str
    is_void: bool
    verdict: str
    score: tuple[str, str] | None
    account: BoardAccount | None
    systems: tuple[SystemRow, ...]
    about: str
    """Whose changes the table of systems tells."""
    history: tuple[HistoryEntry, ...]
    said: str


def match_page(
    *,
    match: Match,
    now: datetime,
    given: Mapping[str, str] | None = None,
    me: Player | None = None,
) -> MatchPage:
    """Return a match with its reasons and its history, as one board tells it.

    `given` may name the board and, by key, the player (`of`) whose change is explained; else it
    is the first board, and the visitor `me` or the first of the winners.
    """
    league, season = match.league, match.season
    given = given or {}
    read_people(match)
    own, rated = bridge.rated_everywhere(match)
    shown = next((board for board in own if board.slug == given.get("board")), None)
    shown = shown or (own[0] if own else None)
    sides = sides_of(match, shown)
    told = {pk: bridge.account_of(one) for pk, one in rated.items()}
    about = _chosen(match, given.get("of", ""), me)
    account = (
        _board_account(shown, match, rated.get(shown.pk), told.get(shown.pk), about, me)
        if shown
        else None
    )
    why = account.why if account else None
    return MatchPage(
        title=why.title if why and why.lines and about == me else finding(sides),
        finding=finding(sides),
        when=_when(match, league),
        kind=str(match.get_kind_display()),
        entered=_entered(match),
        mode=match.mode.name,
        detail=match.detail,
        sides=sides,
        pair=_pair(sides, account) if len(sides) == 2 else (),
        is_pair=len(sides) == 2,
        joint=wording.joint(*(side.points for side in sides if side.points is not None)),
        is_void=match.status == Match.Status.VOID,
        verdict=verb_of(sides),
        score=(sides[0].score, sides[1].score) if len(sides) == 2 and sides[0].score else None,
        account=account,
        systems=_systems(own, shown, rated, told, match, about),
        about=_("you") if about is not None and about == me else about.name if about else "",
        history=match_history(match, league=league, season=season, now=now),
        said=_said(account),
    )


def _chosen(match: Match, key: str, me: Player | None) -> Player | None:
    """Return the player of a match whose change is told."""
    players = [row.player for row in people_of(match)]
    named = next((player for player in players if player.key == key), None)
    if named is not None:
        return named
    return me if me in players else next(iter(players), None)


def _entered(match: Match) -> str:
    if is_from_file(match.entered_by, match.source):
        return _("imported from a file")
    return _("entered by %(who)s") % {"who": author_label(match.entered_by, match.source)}


def _pair(sides: Sequence[Side], account: BoardAccount | None) -> tuple[tuple[HeadName, ...], ...]:
    """Return who met, with the ratings they came with."""
    rows = {row.url: row for row in account.accounts} if account else {}
    told = not (account is None or account.is_fitted)
    words = _("rung %(rating)s before") if account and account.is_ladder else _("%(rating)s before")
    return tuple(
        tuple(
            HeadName(
                name=member.name,
                url=member.url,
                before=words % {"rating": _valued(rows[member.url].before)}
                if told and member.url in rows
                else "",
                is_me=member.url in rows and rows[member.url].is_me,
            )
            for member in side.members
        )
        for side in sides
    )


def _valued(shown: Rating) -> str:
    return f"{shown.value} {shown.plus_minus}".strip()


def _board_account(
    board: Board,
    match: Match,
    rated: RatedMatch | None,
    told: MatchAccount | None,
    about: Player | None,
    me: Player | None,
) -> BoardAccount:
    """Return what a match did on a board, or why it did nothing."""
    if rated is None or told is None or about is None:
        reason = _unrated_reason(match)
        behind = not reason and (match.touched_in_revision or 0) > board.rated_through_revision
        if not reason and not behind:
            reason = bridge.refusal_of(board, match) or _unplaced(board, match)
            reason = reason[:1].upper() + reason[1:]
        return BoardAccount(
            board=board.name,
            url=board_address(board),
            accounts=(),
            scale=None,
            odds=None,
            placed=(),
            place_labels=(),
            why=None,
            people=(),
            shares=None,
            outcomes=None,
            reason=reason,
            is_waiting=behind,
            is_fitted=False,
            is_ladder=False,
        )
    rows = {row.player_id: row for row in people_of(match)}
    by_player = {row.player_id: row for row in told.accounts}
    ordered = [by_player[player_id] for player_id in rows]
    own = by_player[about.pk]
    names = _named(list(rows.values()), me, _("You"))
    shown = [value for row in told.accounts for value in (row.before, row.after)]
    scale = None if rated.is_fitted else scale_of(shown)
    own_side = [row for row in ordered if row.side == own.side]
    return BoardAccount(
        board=board.name,
        url=board_address(board),
        accounts=tuple(
            AccountRow(
                name=rows[row.player_id].player.name,
                url=player_address(board, rows[row.player_id].player.key),
                before=rating(row.before),
                after=rating(row.after),
                change=moved(board, row.before.value, row.after.value, row.after.decimals),
                expected="" if row.expected is None else wording.percent(row.expected),
                rung_before=rung_of(scale, row.before),
                rung=rung_of(scale, row.after),
                is_me=rows[row.player_id].player == me,
            )
            for row in ordered
        ),
        scale=scale,
        odds=_odds_bar(told.odds, match, own.side, me) if told.odds else None,
        placed=_placed(rated, me, names),
        place_labels=place_labels(len(rated.sides)),
        why=reasons_of(
            rated,
            told.accounts,
            own,
            Person(about.name, about == me),
        ),
        people=_people(match, board, about, names),
        shares=_shares(rated, own_side, names),
        outcomes=_outcomes(rated, own, ordered, names),
        reason="",
        is_waiting=False,
        is_fitted=rated.is_fitted,
        is_ladder=rated.system.lower_is_better,
    )


def _unplaced(board: Board, match: Match) -> str:
    """Say who of a match has no place yet, on a board that places only who played enough."""
    placed = describe_rules(board.system, board.shown_parameters).placed
    players = {row.player_id: row.player.name for row in people_of(match)}
    for player_id in placed_among(board, players):
        del players[player_id]
    if not placed or not players:
        return _("This system cannot rate such a match.")
    told = ngettext("%(names)s is not placed yet.", "%(names)s are not placed yet.", len(players))
    return f"{told % {'names': wording.listing(players.values())}} {placed}"


def _unrated_reason(match: Match) -> str:
    if match.status == Match.Status.VOID:
        return _("This match is void: it counts for nothing until it is restored.")
    if match.kind not in rated_kinds(match.league, match.season):
        return {
            Match.Kind.WALKOVER: _("A walkover is listed and does not count in this league."),
        }.get(Match.Kind(match.kind), _("This match was entered as one that does not count."))
    return ""


def _people(
    match: Match, board: Board, about: Player, names: Mapping[int, str]
) -> tuple[Choice, ...]:
    """Return the players of a match as links to the reasons of each."""
    return tuple(
        Choice(
            value=row.player.key,
            label=names[row.player_id],
            is_chosen=row.player == about,
            url=explained_address(match, board, row.player.key),
        )
        for row in people_of(match)
    )


def _odds_bar(odds: Odds, match: Match, own: int, me: Player | None) -> OddsBar:
    """Return the odds with the side of the chosen player first."""
    rows = people_of(match)
    win, draw, loss = (max(0.0, part) for part in (odds.win, odds.draw, odds.loss))
    span = odds.span
    if own != min(row.side for row in rows):
        win, loss = loss, win
        span = (1.0 - span[1], 1.0 - span[0]) if span else None
    sides = [[row for row in rows if (row.side == own) is is_own] for is_own in (True, False)]
    first, second = (_side_names(side, _named(rows, me, _("You"))) for side in sides)
    is_me, is_against_me = (any(row.player == me for row in side) for side in sides)
    alone = [side[0].player == me and len(side) == 1 for side in sides]
    told = [_side_names(side, _named(rows, me, _("you"))) for side in sides]
    won, drawn, lost = wording.percents((win, draw, loss))
    return OddsBar(
        first=first,
        second=second,
        is_me=is_me,
        is_against_me=is_against_me,
        win=won,
        draw=drawn if draw else "",
        loss=lost,
        bar=charts.odds_parts(win, draw, loss),
        span_x=_share(span[0]) if span else "",
        span_width=_share(span[1] - span[0]) if span else "",
        sentence=_odds_sentence(win + draw / 2.0, span, told, alone),
    )


def _placed(
    rated: RatedMatch, me: Player | None, names: Mapping[int, str]
) -> tuple[PlacedSide, ...]:
    """Return the chance of each place that a few sides had."""
    made = bridge.placing_of(rated) if len(rated.sides) <= MOST_PLACED else None
    if made is None:
        return ()
    rows = people_of(rated.match)
    sides = [[row for row in rows if row.side == number] for number in made.sides]
    return placed_sides(
        [_side_names(side, names) for side in sides],
        [any(row.player == me for row in side) for side in sides],
        made.places,
        made.spans,
    )


def _named(rows: Sequence[Participant], me: Player | None, you: str) -> dict[int, str]:
    return {row.player_id: you if row.player == me else row.player.name for row in rows}


def _side_names(rows: Sequence[Participant], names: Mapping[int, str]) -> str:
    return wording.team([names[row.player_id] for row in rows], MOST_NAMED)


def _share(part: float) -> str:
    return f"{100 * part:.4g}%"


def _odds_sentence(
    expected: float,
    span: tuple[float, float] | None,
    sides: Sequence[str],
    is_you: Sequence[bool],
) -> str:
    """Say what was expected of who looks, else of the stronger side."""
    is_close = abs(expected - 0.5) < CLOSE
    about = 0 if is_close or expected > 0.5 or is_you[0] else 1
    if about:
        expected = 1.0 - expected
        span = (1.0 - span[1], 1.0 - span[0]) if span else None
    if is_close:
        said = _("As the ratings stood, close to a coin toss.")
    elif is_you[about]:
        said = _("As the ratings stood, you would take %(points)s points of 100.")
    else:
        said = _("As the ratings stood, %(side)s would take %(points)s points of 100.")
    said = said % {"side": sides[about], "points": wording.of_hundred(expected)}
    if span is None:
        return said
    if not is_close:
        doubt = _("With the doubt in the ratings, anything from %(low)s to %(high)s.")
    elif is_you[about]:
        doubt = _("With the doubt in the ratings, you would take from %(low)s to %(high)s.")
    else:
        doubt = _("With the doubt in the ratings, %(side)s would take from %(low)s to %(high)s.")
    low, high = (wording.of_hundred(end) for end in span)
    return f"{said} {doubt % {'low': low, 'high': high, 'side': sides[about]}}"


def _shares(
    rated: RatedMatch, own_side: Sequence[RatingChange], names: Mapping[int, str]
) -> SharesTable | None:
    """Return the reasons of partners side by side."""
    if not 1 < len(own_side) <= MOST_SHARERS:
        return None
    told = [bridge.explanation_of(rated, account) for account in own_side]
    if not all(one.reasons for one in told):
        return None
    rows = [
        (
            _cause_word(causes[0].cause),
            tuple(
                points_of(reason.units, one.decimals)
                for reason, one in zip(causes, told, strict=True)
            ),
        )
        for causes in zip(*(one.reasons for one in told), strict=True)
        if any(reason.units for reason in causes)
    ]
    return SharesTable(
        names=tuple(names[one.player_id] for one in told),
        rows=tuple(rows),
        totals=tuple(points_of(one.units, one.decimals) for one in told),
    )


def _cause_word(cause: str) -> str:
    return {
        "result": _("The result, between settled equals"),
        "opponent_strength": _("Strength of the others"),
        "opponent_uncertainty": _("How settled the others were"),
        "own_uncertainty": _("How settled the own rating was"),
        "team": _("Team-mates and sizes of the sides"),
        "score": _("The score"),
        "weight": _("Weight of the match"),
        "bounds": _("Bounds"),
    }[cause]


def _outcomes(
    rated: RatedMatch,
    own: RatingChange,
    ordered: Sequence[RatingChange],
    names: Mapping[int, str],
) -> Outcomes | None:
    """Return what every outcome would have given to the chosen player, and to the others of few."""
    found = bridge.alternatives_of(rated, rated.numbers.index(own.side))
    if not found:
        return None
    columns = [own, *(row for row in ordered if row.player_id != own.player_id)]
    columns = columns if len(columns) <= MOST_COLUMNS else [own]
    is_pair = len(rated.numbers) == 2
    rows = tuple(
        OutcomeRow(
            label=_outcome_label(one, rated, own, names, is_pair=is_pair),
            changes=tuple(
                moved(
                    rated.board,
                    row.before.value,
                    one.after[row.player_id],
                    row.after.decimals,
                )
                for row in columns
            ),
            is_real=one.is_real,
        )
        for one in found
    )
    notes = []
    if getattr(rated.system, "uses_scores", False):
        notes.append(_("Outcomes that did not happen are counted without a score."))
    if not is_pair:
        notes.append(_("The others keep the order in which they finished."))
    return Outcomes(tuple(names[row.player_id] for row in columns), rows, " ".join(notes))


def _outcome_label(
    one: bridge.Alternative,
    rated: RatedMatch,
    own: RatingChange,
    names: Mapping[int, str],
    *,
    is_pair: bool,
) -> str:
    if not is_pair:
        return wording.place(one.place + 1, is_shared=one.is_shared)
    if one.is_shared:
        return _("A draw")
    members = [mover for mover in rated.movers if mover.row.side == own.side]
    name = names[own.player_id]
    if len(members) > 1 and any(
        names[mover.row.player_id] != mover.row.player.name for mover in members
    ):
        return _("Your side won") if one.place == 0 else _("Your side lost")
    if len(members) > 1:
        return _("Their side won") if one.place == 0 else _("Their side lost")
    if name != members[0].row.player.name:
        return _("You won") if one.place == 0 else _("You lost")
    words = _("%(name)s won") if one.place == 0 else _("%(name)s lost")
    return words % {"name": name}


def _systems(
    boards: Sequence[Board],
    shown: Board | None,
    rated: Mapping[int, RatedMatch],
    told: Mapping[int, MatchAccount],
    match: Match,
    about: Player | None,
) -> tuple[SystemRow, ...]:
    """Return the same match under every system that rated it."""
    if about is None or len(boards) < 2 or not told:
        return ()
    rows = []
    for board in boards:
        if board.pk not in told:
            words = (
                _("not rated yet")
                if (match.touched_in_revision or 0) > board.rated_through_revision
                else _("not rated")
            )
            rows.append(SystemRow(board.name, "", board == shown, "", words))
            continue
        own = next(row for row in told[board.pk].accounts if row.player_id == about.pk)
        rows.append(
            SystemRow(
                board=board.name,
                url="" if board == shown else explained_address(match, board, about.key),
                is_this=board == shown,
                expected=(
                    _("does not predict") if own.expected is None else wording.percent(own.expected)
                ),
                change=_moved(rated[board.pk], own),
            )
        )
    return tuple(rows)


def _moved(rated: RatedMatch, own: RatingChange) -> str:
    if rated.is_fitted:
        return _("fitted to all results")
    if rated.system.orders_only:
        before, after = wording.number(own.before.value), wording.number(own.after.value)
        if before == after:
            return _("stays on rung %(rung)s") % {"rung": after}
        return _("rung %(before)s to %(after)s") % {"before": before, "after": after}
    return changed(own.before, own.after)


def _said(account: BoardAccount | None) -> str:
    """Say in one sentence what the match did, for those who hear the page change."""
    if account is None:
        return ""
    if account.why is not None and not account.is_fitted:
        return ", ".join(f"{row.name} {row.change}" for row in account.accounts[:4])
    return account.reason


def _when(match: Match, league: League) -> str:
    """Return when a match was played; a day is one of the league's, wherever one reads it."""
    if match.date_only:
        return wording.long_moment(match.played_at, league.zone, date_only=True)
    return wording.told_moment(match.played_at, league.zone, is_long=True)


def match_history(
    match: Match, *, league: League, season: Season, now: datetime
) -> tuple[HistoryEntry, ...]:
    """Return what was said of a match, oldest first: entered, corrected, voided, restored."""
    today = now.astimezone(league.zone).date()
    told = contents_of([match], league)
    contents = told.by_match[match.pk]
    revisions = [match.revision, *(row.revision for row in told.revisions[match.pk])]
    lines = [line_of(contents[0], told.names)]
    for before, after in pairwise(contents):
        lines.append(lines_between(before, after, told.names, league.zone)[1])
    return tuple(
        HistoryEntry(
            at=wording.told_moment(revision.created_at, league.zone, today),
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
    who = author_label(revision.author, revision.source)
    if revision.kind == Revision.Kind.IMPORT and revision.author is None:
        return _("Imported from a file")
    return words.get(Revision.Kind(revision.kind), said) % {"who": who}
