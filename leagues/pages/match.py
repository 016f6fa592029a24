"""One match with all that is known of it: what was expected, what it did, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import bridge, charts, wording
from leagues.bridge import MatchAccount, RatedMatch, RatingChange
from leagues.models import (
    Board,
    Match,
    Player,
)
from leagues.pages.authors import author_label, is_from_file, public_author_label
from leagues.pages.boards import Choice, board_address, link_of_player
from leagues.pages.entry_stakes import again_address
from leagues.pages.frag_table import FragTable, frag_table
from leagues.pages.handicaps import handicap_sentence
from leagues.pages.match_course import MatchCourse, match_course
from leagues.pages.match_history import HistoryEntry, match_history
from leagues.pages.match_kinds import weight_words
from leagues.pages.match_odds import OddsBar, member_names, odds_bar, place_chances
from leagues.pages.match_outcomes import Outcomes, other_outcomes
from leagues.pages.match_shares import SharesTable, shares_table
from leagues.pages.matches import (
    Side,
    explained_address,
    finding,
    sides_of,
    verb_of,
    when_played,
)
from leagues.pages.moves import MoveNote, note_of_move
from leagues.pages.placing import PlacedSide, place_labels
from leagues.pages.ratings import Rating, change_between, rating, rung_of, scale_of
from leagues.pages.reason_sentences import Person
from leagues.pages.reasons import Reasons, reasons_of
from leagues.pages.seats import format_change
from leagues.pages.set_scores import shown_details
from leagues.pages.started_matches import StartedAccount, started_account
from leagues.rulebook import describe_rules
from leagues.selectors.authors import authors_of
from leagues.selectors.matches import people_of, read_parts
from leagues.selectors.standing_rows import placed_among


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
class HeadName:
    """A player in the head of the page, and the rating before the match."""

    name: str
    url: str
    before: str
    is_me: bool


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
    place_chances: tuple[PlacedSide, ...]
    place_labels: tuple[str, ...]
    why: Reasons | None
    people: tuple[Choice, ...]
    shares: SharesTable | None
    outcomes: Outcomes | None
    course: MatchCourse | None
    reason: str
    is_waiting: bool
    is_fitted: bool
    is_ladder: bool

    @property
    def has_expected(self) -> bool:
        """Whether the system expected anything."""
        return any(row.expected for row in self.accounts)


@dataclass(frozen=True, slots=True)
class MatchPage:
    title: str
    finding: str
    when: str
    kind: str
    match_kind: str
    """Such as a cup match, with its weight; empty where the mode names no kinds."""
    handicap: str
    """Which sides were given how many points, in a sentence."""
    origin: str
    mode: str
    detail: str
    sides: tuple[Side, ...]
    pair: tuple[tuple[HeadName, ...], ...]
    is_pair: bool
    joint: str
    is_void: bool
    move_note: MoveNote | None
    """Where the result counts, where that is in another season."""
    verdict: str
    score: tuple[str, str] | None
    account: BoardAccount | None
    started: StartedAccount | None
    """Of a match without a result, what leaving it costs or did cost."""
    frags: FragTable | None
    systems: tuple[SystemRow, ...]
    about: str
    """Whose changes the table of systems tells."""
    history: tuple[HistoryEntry, ...]
    announcement: str
    again_url: str


def match_page(
    *,
    match: Match,
    now: datetime,
    words: Mapping[str, str] | None = None,
    me: Player | None = None,
    names_accounts: bool = False,
    reader: int | None = None,
) -> MatchPage:
    """A match with its reasons and its history, as one board tells it.

    `words` may name the board and, by key, the player (`of`) whose change is explained; else it
    is the first board, and the visitor `me` or the first of the winners. `names_accounts` is for
    readers who may know them; `reader` is the account that looks.
    """
    league, season = match.league, match.season
    words = words or {}
    read_parts(match)
    own, rated = bridge.rated_everywhere(match)
    chosen_board = _chosen_board(own, words.get("board", ""))
    sides = sides_of(match, chosen_board)
    accounts = {pk: bridge.account_of(one) for pk, one in rated.items()}
    about = _chosen_player(match, words.get("of", ""), me)
    account = None
    started = started_account(own, match, now)
    if chosen_board and started is None:
        of_board = rated.get(chosen_board.pk), accounts.get(chosen_board.pk)
        account = _board_account(chosen_board, match, *of_board, about, me)
    return MatchPage(
        title=_title(account, sides, is_own=about == me),
        finding=finding(sides),
        when=when_played(match, league),
        kind=str(match.get_kind_display()),
        match_kind=weight_words(match.mode, match.weight),
        handicap=handicap_sentence((side.names, side.handicap) for side in sides),
        origin=_origin(match, names_accounts=names_accounts, reader=reader),
        mode=match.mode.name,
        detail=_details(match, sides),
        sides=sides,
        pair=_pair(sides, account) if len(sides) == 2 else (),
        is_pair=len(sides) == 2,
        joint=wording.joint(*(side.points for side in sides if side.points is not None)),
        is_void=match.status == Match.Status.VOID,
        move_note=note_of_move(match),
        verdict=verb_of(sides),
        score=(sides[0].score, sides[1].score) if len(sides) == 2 and sides[0].score else None,
        account=account,
        started=started,
        frags=frag_table(match, chosen_board),
        systems=_systems(own, chosen_board, rated, accounts, match, about),
        about=_("you") if about is not None and about == me else about.name if about else "",
        history=match_history(
            match, league=league, season=season, now=now, names_accounts=names_accounts
        ),
        announcement=_announcement(account),
        again_url=again_address(match, sides),
    )


def _title(account: BoardAccount | None, sides: Sequence[Side], *, is_own: bool) -> str:
    """What a match did to the reader's own rating, else who won."""
    why = account.why if account else None
    return why.title if why and why.lines and is_own else finding(sides)


def _details(match: Match, sides: Sequence[Side]) -> str:
    """The sets and the details, in the order of the sides that the page shows."""
    scores = [side.points for side in sides]
    is_turned = sides[0].number > sides[-1].number
    return shown_details(match.sets, match.detail, scores, is_turned=is_turned)


def _chosen_board(boards: Sequence[Board], slug: str) -> Board | None:
    """The board of an address, else the first one."""
    named = next((board for board in boards if board.slug == slug), None)
    return named or next(iter(boards), None)


def _chosen_player(match: Match, key: str, me: Player | None) -> Player | None:
    """The player of a match whose change is told."""
    players = [row.player for row in people_of(match)]
    named = next((player for player in players if player.key == key), None)
    if named is not None:
        return named
    return me if me in players else next(iter(players), None)


def _origin(match: Match, *, names_accounts: bool, reader: int | None) -> str:
    enterer = match.entered_by_id
    if enterer is not None and enterer == reader:
        return _("entered by you")
    if is_from_file(enterer, match.source):
        return _("imported from a file")
    if names_accounts:
        who = author_label(match.entered_by, match.source)
    else:
        who = public_author_label(enterer, match.source, authors_of(match.league, [enterer]))
    return _("entered by %(who)s") % {"who": who}


def _pair(sides: Sequence[Side], account: BoardAccount | None) -> tuple[tuple[HeadName, ...], ...]:
    """The players who met, with the ratings they came with."""
    rows = {row.url: row for row in account.accounts} if account else {}
    has_ratings = not (account is None or account.is_fitted)
    words = _("rung %(rating)s before") if account and account.is_ladder else _("%(rating)s before")
    return tuple(
        tuple(
            HeadName(
                name=member.name,
                url=member.url,
                before=words % {"rating": _value_with_range(rows[member.url].before)}
                if has_ratings and member.url in rows
                else "",
                is_me=member.url in rows and rows[member.url].is_me,
            )
            for member in side.members
        )
        for side in sides
    )


def _value_with_range(value: Rating) -> str:
    return f"{value.value} {value.plus_minus}".strip()


def _board_account(
    board: Board,
    match: Match,
    rated: RatedMatch | None,
    account: MatchAccount | None,
    about: Player | None,
    me: Player | None,
) -> BoardAccount:
    """What a match did on a board, or why it did nothing."""
    if rated is None or account is None or about is None:
        return _account_without_change(board, match)
    rows = {row.player_id: row for row in people_of(match)}
    by_player = {row.player_id: row for row in account.accounts}
    ordered = [by_player[player_id] for player_id in rows]
    own = by_player[about.pk]
    names = member_names(list(rows.values()), me, _("You"))
    values = [value for row in account.accounts for value in (row.before, row.after)]
    scale = None if rated.is_fitted else scale_of(values)
    own_side = [row for row in ordered if row.side == own.side]
    return BoardAccount(
        board=board.name,
        url=board_address(board),
        accounts=tuple(
            _account_row(board, row, rows[row.player_id].player, scale, me) for row in ordered
        ),
        scale=scale,
        odds=odds_bar(account.odds, match, own.side, me, has_draws=bridge.has_draws(board))
        if account.odds
        else None,
        place_chances=place_chances(rated, me, names),
        place_labels=place_labels(len(rated.sides)),
        why=reasons_of(rated, account.accounts, own, Person(about.name, about == me)),
        people=_people(match, board, about, names),
        shares=shares_table(rated, own_side, names),
        outcomes=other_outcomes(rated, own, ordered, names),
        course=match_course(rated, own),
        reason="",
        is_waiting=False,
        is_fitted=rated.is_fitted,
        is_ladder=rated.system.lower_is_better,
    )


def _account_without_change(board: Board, match: Match) -> BoardAccount:
    """A match that did nothing on a board, with the reason, or that is yet to be rated."""
    reason = _unrated_reason(match)
    behind = not reason and (match.touched_in_revision or 0) > board.rated_through_revision
    is_stopped = behind and board.state == Board.State.PAUSED
    if is_stopped:
        reason = _("The ratings of this board have stopped; its standings say what to do.")
    elif not reason and not behind:
        reason = bridge.refusal_of(board, match) or _unplaced_reason(board, match)
        reason = reason[:1].upper() + reason[1:]
    return BoardAccount(
        board=board.name,
        url=board_address(board),
        accounts=(),
        scale=None,
        odds=None,
        place_chances=(),
        place_labels=(),
        why=None,
        people=(),
        shares=None,
        outcomes=None,
        course=None,
        reason=reason,
        is_waiting=behind and not is_stopped,
        is_fitted=False,
        is_ladder=False,
    )


def _account_row(
    board: Board, row: RatingChange, player: Player, scale: charts.Scale | None, me: Player | None
) -> AccountRow:
    return AccountRow(
        name=player.name,
        url=link_of_player(board, player),
        before=rating(row.before),
        after=rating(row.after),
        change=format_change(board, row.before.value, row.after.value, row.after.decimals),
        expected="" if row.expected is None else wording.percent(row.expected),
        rung_before=rung_of(scale, row.before),
        rung=rung_of(scale, row.after),
        is_me=player == me,
    )


def _unplaced_reason(board: Board, match: Match) -> str:
    """Who of a match has no place yet, on a board that places only who played enough."""
    placing_rule = describe_rules(board.system, board.shown_parameters).placing_rule
    players = {row.player_id: row.player.name for row in people_of(match)}
    for player_id in placed_among(board, players):
        del players[player_id]
    if not placing_rule or not players:
        return _("This system cannot rate a match like this.")
    sentence = ngettext(
        "%(names)s is not placed yet.", "%(names)s are not placed yet.", len(players)
    )
    return f"{sentence % {'names': wording.listing(players.values())}} {placing_rule}"


def _unrated_reason(match: Match) -> str:
    if match.status == Match.Status.VOID:
        return _("This match is void: it does not count until it is restored.")
    if not match.is_rated:
        return {
            Match.Kind.WALKOVER: _("Walkovers are listed but do not count in this league."),
        }.get(Match.Kind(match.kind), _("This match was entered as not rated."))
    return ""


def _people(
    match: Match, board: Board, about: Player, names: Mapping[int, str]
) -> tuple[Choice, ...]:
    """The players of a match as links to the reasons of each."""
    return tuple(
        Choice(
            value=row.player.key,
            label=names[row.player_id],
            is_chosen=row.player == about,
            url=explained_address(match, board, row.player.key),
        )
        for row in people_of(match)
    )


def _systems(
    boards: Sequence[Board],
    chosen_board: Board | None,
    rated: Mapping[int, RatedMatch],
    accounts: Mapping[int, MatchAccount],
    match: Match,
    about: Player | None,
) -> tuple[SystemRow, ...]:
    """The same match under every system that rated it."""
    if about is None or len(boards) < 2 or not accounts:
        return ()
    rows = []
    for board in boards:
        if board.pk not in accounts:
            words = (
                _("not rated yet")
                if (match.touched_in_revision or 0) > board.rated_through_revision
                else _("not rated")
            )
            rows.append(SystemRow(board.name, "", board == chosen_board, "", words))
            continue
        own = next(row for row in accounts[board.pk].accounts if row.player_id == about.pk)
        rows.append(
            SystemRow(
                board=board.name,
                url="" if board == chosen_board else explained_address(match, board, about.key),
                is_this=board == chosen_board,
                expected=(
                    _("does not predict") if own.expected is None else wording.percent(own.expected)
                ),
                change=_change_sentence(rated[board.pk], own),
            )
        )
    return tuple(rows)


def _change_sentence(rated: RatedMatch, own: RatingChange) -> str:
    if rated.is_fitted:
        return _("fitted to all results")
    if rated.system.orders_only:
        before, after = wording.number(own.before.value), wording.number(own.after.value)
        if before == after:
            return _("stays on rung %(rung)s") % {"rung": after}
        return _("rung %(before)s to %(after)s") % {"before": before, "after": after}
    return change_between(own.before, own.after)


def _announcement(account: BoardAccount | None) -> str:
    """What the match did, in one sentence for those who hear the page change."""
    if account is None:
        return ""
    if account.why is not None and not account.is_fitted:
        return ", ".join(f"{row.name} {row.change}" for row in account.accounts[:4])
    return account.reason
