"""A player's profile: the rating with its doubt, how it came about, and the matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from urllib.parse import urlencode

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import bridge, charts, wording
from leagues.bridge import Series, ShownValue
from leagues.domain.ranking import least_games
from leagues.models import Board, Match, Player, RevisedRating, Revision, Standing
from leagues.pages.boards import Choice, board_address, player_address
from leagues.pages.matches import Named, explained_match
from leagues.pages.ratings import Rating, changed, rating, shown_as
from leagues.pages.revisions import author_label, revision_address
from leagues.pages.seats import moved
from leagues.pages.sides import compare_address
from leagues.pages.timelines import RANGES, PastRating, Timeline, past_ratings, timeline
from leagues.rulebook import describe_rules
from leagues.selectors.encounters import (
    DRAWN,
    LOST,
    MOST_MATCHES,
    WON,
    OtherPlayer,
    PlayerMatch,
    encounters_of,
    longest_run,
    opponents_among,
    rated_among,
    with_expectations,
)
from leagues.selectors.revisions import revised_ratings
from leagues.selectors.standings import Standings, present
from leagues.store.search import plain_name
from leagues.wording import NOTHING

PAGE_SIZE = 25
MOST_MET = 4
"""Opponents and partners of a match that are named; the others are counted."""
MOST_ROWS = 100
"""Rows of the tables of opponents and revisions."""
MOST_MARKS = 12
"""Revisions that are marked in the chart."""
MOST_STAKES = 25
"""Opponents for whom the next match is foreseen."""

TABS = ("matches", "opponents", "records", "revisions")


@dataclass(frozen=True, slots=True)
class Tile:
    """A number, what it is, and where it comes from."""

    label: str
    value: str
    note: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class MatchHistoryRow:
    """A match from the player's side."""

    url: str
    day: str
    opponents: tuple[Named, ...]
    more_opponents: int
    partners: tuple[Named, ...]
    more_partners: int
    result: str
    tag: str
    is_void: bool
    expected: str
    after: str
    change: str


@dataclass(frozen=True, slots=True)
class OpponentRow:
    """What the matches against one opponent add up to."""

    name: str
    url: str
    compare_url: str
    tally: str
    points: str
    expected: str
    over: str
    last: str
    next: str


@dataclass(frozen=True, slots=True)
class RevisedRow:
    """A change without a match: what a correction of older results did."""

    day: str
    change: str
    text: str
    reason: str
    url: str
    after: str


@dataclass(frozen=True, slots=True)
class StakeLine:
    """What a match against the player would bring to the one who looks."""

    win: str
    draw: str
    loss: str


@dataclass(frozen=True, slots=True)
class OtherBoard:
    """The same player on another board of the season."""

    name: str
    url: str
    rating: Rating


@dataclass(frozen=True, slots=True)
class Filters:
    """What part of the matches is asked for; words from an address, cleaned."""

    query: str
    kind: str
    result: str

    @classmethod
    def cleaned(cls, given: Mapping[str, str]) -> Filters:
        """Return the filter of an address; what makes no sense is left out."""
        kind, result = given.get("kind", ""), given.get("result", "")
        return cls(
            query=given.get("q", "").replace("\x00", "").strip()[:64],
            kind=kind if kind in ("rated", "unrated", "void") else "",
            result=result if result in (WON, DRAWN, LOST) else "",
        )

    def parameters(self) -> dict[str, str]:
        """Return the address parameters that say the same."""
        given = {"q": self.query, "kind": self.kind, "result": self.result}
        return {name: value for name, value in given.items() if value}

    def apply(
        self, encounters: Sequence[PlayerMatch], rated: Sequence[PlayerMatch]
    ) -> list[PlayerMatch]:
        """Return the matches that are let through."""
        letters = plain_name(self.query) if self.query else ""
        counted = {one.seq for one in rated}
        found = []
        for one in encounters:
            is_void = one.status == Match.Status.VOID
            kind = "void" if is_void else "rated" if one.seq in counted else "unrated"
            if self.kind and kind != self.kind:
                continue
            if self.result and (is_void or one.outcome != self.result):
                continue
            if letters and not any(letters in plain_name(met.name) for met in one.opponents):
                continue
            found.append(one)
        return found


@dataclass(frozen=True, slots=True)
class PlayerPage:
    key: str
    name: str
    board: str
    board_url: str
    rating: Rating
    is_rated: bool
    is_carried: bool
    """Not rated yet, with what was brought from the season before."""
    unplaced: str
    """Why there is no rating although there are results."""
    place: str
    results: str
    last: str
    stake: StakeLine | None
    is_me: bool
    compare_url: str
    form: charts.Form | None
    chart: charts.RatingChart | None
    chart_label: str
    chart_note: str
    """What a step of the chart is."""
    is_cut: bool
    ranges: tuple[Choice, ...]
    range: str
    """The range that was asked for."""
    kept: str
    """What of the address other boards show too."""
    past: tuple[PastRating, ...]
    tiles: tuple[Tile, ...]
    tab: str
    tabs: tuple[Choice, ...]
    filters: Filters
    kinds: tuple[Choice, ...]
    outcomes: tuple[Choice, ...]
    clear_url: str
    matches: tuple[MatchHistoryRow, ...]
    shown: str
    bounded: str
    """Says that there are more matches than are looked at, if so."""
    newer_url: str
    older_url: str
    opponents: tuple[OpponentRow, ...]
    opponents_note: str
    records: tuple[Tile, ...]
    revised: tuple[RevisedRow, ...]
    others: tuple[OtherBoard, ...]
    has_range: bool
    has_expected: bool
    shown_as: str
    last_revised: RevisedRow | None

    @property
    def judges_opponents(self) -> bool:
        """Tell whether matches of two sides say what was expected against somebody."""
        return any(row.points for row in self.opponents)


def player_page(
    *,
    player: Player,
    board: Board,
    boards: Sequence[Board],
    everywhere: Sequence[Board],
    given: Mapping[str, str],
    me: Player | None,
    hides_stakes: bool,
    now: datetime,
) -> PlayerPage:
    """Return a profile as of one board; deviations are those of the league's last midnight.

    The chart goes through the boards of the same system and mode in all seasons.
    """
    return _Profile(player, board, boards, everywhere, given, now).page(me, hides_stakes)


class _Profile:
    """What the parts of the page share, read once."""

    def __init__(
        self,
        player: Player,
        board: Board,
        boards: Sequence[Board],
        everywhere: Sequence[Board],
        given: Mapping[str, str],
        now: datetime,
    ) -> None:
        self.player, self.board, self.boards, self.given, self.now = (
            player,
            board,
            boards,
            given,
            now,
        )
        self.zone = board.league.zone
        self.today = now.astimezone(self.zone).date()
        self.moment = bridge.display_moment(board, now)
        line = _same_in_all_seasons(board, everywhere)
        ends = [other for other in boards if other not in line]
        self.all_series = bridge.read_series(line, player.pk, ends=ends)
        self.line = [self.all_series[one.pk] for one in line if one.pk in self.all_series]
        self.series = self.all_series.get(board.pk)
        self.standings: Standings = present(board, now)
        self.row = self.standings.row_of(player.pk)
        self.encounters = encounters_of(board, player.pk)
        expected = self.series.expectations() if self.series else {}
        self.rated = [one for one in rated_among(board, self.encounters) if one.seq in expected]
        with_expectations(self.rated, expected)
        seqs = [one.seq for one in self.rated]
        self.where = self.series.of_matches(seqs) if self.series else {}
        self.revised = revised_ratings(board, player, MOST_ROWS)

    def page(self, me: Player | None, hides_stakes: bool) -> PlayerPage:
        """Return the page."""
        board, player = self.board, self.player
        shown = self._shown()
        filters = Filters.cleaned(self.given)
        found = filters.apply(self.encounters, self.rated)
        pages = max(1, -(-len(found) // PAGE_SIZE))
        page = min(_page_number(self.given.get("page", "")), pages)
        part = found[(page - 1) * PAGE_SIZE : page * PAGE_SIZE]
        tab = self.given.get("tab", "")
        tab = tab if tab in TABS else TABS[0]
        chosen = self.given.get("range", "")
        chosen = chosen if chosen in RANGES else ""
        drawn = (
            timeline(
                self.line,
                board=board,
                shown=shown,
                until=self._until(),
                chosen=chosen,
                marks=self._marks(),
                titles=self._dot_address,
                today=self.today,
            )
            if self.series
            else None
        )
        revised = tuple(self._revised(row) for row in self.revised)
        opponents = self._opponents() if tab == "opponents" else ()
        words = {**filters.parameters(), **({"range": chosen} if chosen else {})}
        known = {**words, **({"tab": tab} if tab != TABS[0] else {})}
        return PlayerPage(
            key=player.key,
            name=player.name,
            board=board.name,
            board_url=board_address(board),
            rating=rating(shown),
            is_rated=self.row is not None,
            is_carried=self._is_carried(),
            unplaced=self._unplaced(),
            place=self._place(),
            results=wording.results(int(self.series.games[-1]) if self.series else 0),
            last=self._last(),
            stake=None if hides_stakes else self._stake(me),
            is_me=me is not None and me.pk == player.pk,
            compare_url=compare_address(board, [[me.key], [player.key]])
            if me is not None and me.pk != player.pk
            else "",
            form=self._form(),
            chart=drawn.chart if drawn else None,
            chart_label=_("Rating of %(name)s on the board %(board)s")
            % {"name": player.name, "board": board.name},
            chart_note=_steps_said(shown_as(board), drawn) if drawn else "",
            is_cut=drawn is not None and drawn.is_cut,
            ranges=tuple(
                Choice(value, label, is_chosen, url=self._address({**known, "range": value}))
                for value, label, is_chosen in (drawn.ranges if drawn else ())
            ),
            range=chosen,
            kept=f"&{urlencode(known)}" if known else "",
            past=past_ratings(drawn.days, self.today) if drawn else (),
            tiles=self._tiles() if self.row is not None else (),
            tab=tab,
            tabs=self._tabs(tab, len(revised), words),
            filters=filters,
            kinds=_kinds(filters),
            outcomes=_outcomes(filters),
            clear_url=self._address({"range": chosen} if chosen else {}),
            matches=tuple(self._match(one) for one in part),
            shown=_shown_of(len(part), len(found)),
            bounded=_("Counted are the newest %(count)s matches.")
            % {"count": wording.count(MOST_MATCHES)}
            if len(self.encounters) >= MOST_MATCHES
            else "",
            newer_url=self._address({**known, "page": str(page - 1)}) if page > 1 else "",
            older_url=self._address({**known, "page": str(page + 1)})
            if page * PAGE_SIZE < len(found)
            else "",
            opponents=opponents,
            opponents_note=self._opponents_note(opponents),
            records=self._records() if tab == "records" else (),
            revised=revised,
            others=self._others(),
            has_range=shown.half is not None,
            has_expected=any(one.expected is not None for one in self.rated),
            shown_as=shown_as(board),
            last_revised=next(iter(revised), None),
        )

    def _address(self, words: Mapping[str, str]) -> str:
        base = player_address(self.board, self.player.key)
        return f"{base}&{urlencode(words)}" if words else base

    def _until(self) -> datetime:
        """Return up to when the chart goes: now, or the end of a season that is over."""
        season = self.board.season
        assert self.series is not None  # noqa: S101
        last = self.series.moment(len(self.series) - 1)
        if season.takes_late_results or season.ends_at is None:
            end = self.moment if season.takes_late_results else last
        else:
            end = min(season.ends_at, self.moment)
        return max(last, end)

    def _shown(self) -> ShownValue:
        if self.row is not None:
            value = self.standings.value(self.row)
            return value if bridge.has_levels(self.board) else replace(value, level="")
        if self.series is not None:
            return self.series.at(len(self.series) - 1)
        return bridge.start_of(self.board, self.player.pk)

    def _is_carried(self) -> bool:
        if self.row is not None or self.series is not None:
            return False
        entrants = bridge.entrants_of(self.board, [self.player], {})
        return entrants[self.player.pk].state is not None

    def _unplaced(self) -> str:
        if self.row is not None or not rated_among(self.board, self.encounters):
            return ""
        return describe_rules(self.board.system, self.board.shown_parameters).placed

    def _standing(self) -> Standing | None:
        return None if self.row is None else self.standings.standing(self.row, self.player)

    def _place(self) -> str:
        row = self.row
        if row is None:
            return ""
        rank = int(self.standings.rank[row])
        if not rank:
            missing = least_games(self.board) - int(self.standings.table.games[row])
            if missing > 0:
                return ngettext(
                    "not ranked yet: %(count)d more result needed",
                    "not ranked yet: %(count)d more results needed",
                    missing,
                ) % {"count": missing}
            return _("not ranked: away for long")
        words = {
            "place": wording.place(rank, is_shared=self.standings.is_shared(row)),
            "players": wording.count(int(self.standings.is_ranked.sum())),
        }
        likely = self.standings.likely(row)
        if likely is None:
            return _("%(place)s of %(players)s") % words
        low, high = (wording.ordinal(value) for value in likely)
        if low == high:
            return _("%(place)s of %(players)s, likely so") % words
        return _("%(place)s of %(players)s, likely %(low)s to %(high)s") % {
            **words,
            "low": low,
            "high": high,
        }

    def _last(self) -> str:
        if self.row is None:
            return ""
        played_on = self.standings.last_played(self.row).astimezone(self.zone).date()
        return _("last played %(day)s") % {"day": wording.since(played_on, self.today)}

    def _form(self) -> charts.Form | None:
        own = self._standing()
        return charts.form(own.form) if own else None

    def _stake(self, me: Player | None) -> StakeLine | None:
        if me is None or me.pk == self.player.pk:
            return None
        row = self.standings.row_of(me.pk)
        mine = me if row is None else self.standings.standing(row, me)
        shown = self._standing() or self.player
        (stake,) = bridge.stakes_against(self.board, mine, [shown], self.now)
        if stake is None:
            return None
        board, decimals = self.board, stake.decimals
        return StakeLine(
            win=moved(board, stake.before, stake.won, decimals),
            draw="" if stake.drawn is None else moved(board, stake.before, stake.drawn, decimals),
            loss=moved(board, stake.before, stake.lost, decimals),
        )

    def _marks(self) -> list[charts.Mark]:
        newest = self.revised[:MOST_MARKS]
        return [
            charts.Mark(
                at=row.revision.created_at,
                label=_("revised %(change)s") % {"change": self._change_of(row)},
            )
            for row in newest
        ]

    def _change_of(self, row: RevisedRating) -> str:
        return moved(self.board, row.before, row.after, self.standings.shown.decimals)

    def _revised(self, row: RevisedRating) -> RevisedRow:
        revision, match = row.revision, row.match
        who = author_label(revision.author, revision.source)
        if match is not None:
            words = {
                Revision.Kind.CORRECTION: _("match %(number)d was corrected by %(who)s"),
                Revision.Kind.VOID: _("match %(number)d was made void by %(who)s"),
                Revision.Kind.RESTORE: _("match %(number)d was restored by %(who)s"),
                Revision.Kind.REVERT: _("match %(number)d was undone by %(who)s"),
            }.get(
                Revision.Kind(revision.kind), _("match %(number)d was entered late by %(who)s")
            ) % {"number": match.seq or 0, "who": who}
            url = explained_match(match.seq or 0, self.board)
        else:
            words = _("revision %(number)d by %(who)s changed older results") % {
                "number": revision.number or 0,
                "who": who,
            }
            url = revision_address(self.board.league, self.board.season, revision.number)
        return RevisedRow(
            day=wording.day(revision.created_at.astimezone(self.zone).date(), self.today),
            change=self._change_of(row),
            text=words,
            reason=revision.reason,
            url=url,
            after=wording.number(row.after, self.standings.shown.decimals),
        )

    def _dot_address(self, series: Series, index: int) -> str:
        """Return where a dot of the chart leads: to the match behind it."""
        seq = int(series.points.seq[index])
        return explained_match(seq, series.board, self.player.key) if seq else ""

    def _tiles(self) -> tuple[Tile, ...]:
        own = self._standing()
        if own is None or self.series is None:
            return ()
        tiles = [
            Tile(_("Season"), wording.tally(own.won, own.drawn, own.lost), _("won, drawn, lost")),
            Tile(_("Streak"), wording.streak(own.streak), self._longest()),
        ]
        peak = self._peak()
        if peak is not None:
            tiles.append(peak)
        best = self._best_win()
        if best is not None:
            tiles.append(best)
        above = self._above()
        if above is not None:
            tiles.append(above)
        judged = [one for one in self.rated if one.expected is not None]
        if judged:
            tiles.append(
                Tile(
                    _("Points"),
                    wording.number(sum(one.points for one in judged), 1),
                    _("%(expected)s expected")
                    % {"expected": wording.number(sum(one.expected or 0.0 for one in judged), 1)},
                )
            )
        return tuple(tiles)

    def _longest(self) -> str:
        run = longest_run(self.rated, WON)
        if run is None:
            return _("up to the last match")
        return _("longest %(run)s") % {"run": wording.streak(run.length)}

    def _peak(self) -> Tile | None:
        return self._extreme(_("Peak"))

    def _extreme(self, label: str, *, is_worst: bool = False) -> Tile | None:
        """Return the best or the worst rating, and say so where a guess had been further out."""
        if self.series is None:
            return None
        index = _best_index(self.series, self.board, is_worst=is_worst, is_settled=True)
        if index is None:
            return None
        value = self.series.at(index)
        day = self._day(self.series.moment(index))
        of_all = _best_index(self.series, self.board, is_worst=is_worst)
        is_whole = of_all is None or self.series.at(of_all).value == value.value
        return Tile(
            label,
            wording.number(value.value, value.decimals),
            day if is_whole else _("%(day)s, once fairly sure") % {"day": day},
            self._dot_address(self.series, index),
        )

    def _day(self, at: datetime) -> str:
        return wording.day(at.astimezone(self.zone).date(), self.today)

    def _best_win(self) -> Tile | None:
        won = [one for one in self.rated if one.outcome == WON and one.expected is not None]
        if not won:
            return None
        best = min(won, key=lambda one: (one.expected or 0.0, -one.seq))
        return self._notable(_("Best win"), best)

    def _notable(self, label: str, one: PlayerMatch) -> Tile:
        sides: dict[int, list[str]] = {}
        for met in one.opponents[:2]:
            sides.setdefault(met.side, []).append(met.name)
        names = ", ".join(" + ".join(side) for side in sides.values())
        more = "" if len(one.opponents) <= 2 else " …"
        return Tile(
            label,
            _("%(score)s v %(names)s") % {"score": _score(one), "names": f"{names}{more}"},
            _("%(day)s, expected %(chance)s")
            % {"day": self._day(one.at), "chance": wording.percent(one.expected or 0.0)},
            explained_match(one.seq, self.board, self.player.key),
        )

    def _above(self) -> Tile | None:
        row = self.row
        if row is None or not self.standings.rank[row]:
            return None
        ranked = self.standings.table.place[self.standings.is_ranked]
        others = len(ranked) - 1
        if not others:
            return None
        below = wording.whole_of_hundred(
            int((ranked < self.standings.table.place[row]).sum()), others
        )
        return Tile(_("Above"), below, _("of 100 others ranked"))

    def _met(self) -> int:
        """Return how many different opponents there were."""
        return len({other.player_id for one in self.rated for other in one.opponents})

    def _tabs(self, tab: str, revised: int, words: Mapping[str, str]) -> tuple[Choice, ...]:
        entries = (
            ("matches", _("Matches"), len(self.encounters)),
            ("opponents", _("Opponents"), self._met()),
            ("records", _("Records"), 0),
            ("revisions", _("Revisions"), revised),
        )
        return tuple(
            Choice(
                value,
                label,
                value == tab,
                url=f"{self._address({**words, 'tab': value})}#details",
                count=wording.count(count) if count else "",
            )
            for value, label, count in entries
        )

    def _match(self, one: PlayerMatch) -> MatchHistoryRow:
        index = self.where.get(one.seq)
        before = after = None
        if self.series is not None and index is not None:
            before, after = self.series.before(index), self.series.at(index)
        tag = ""
        if one.status == Match.Status.VOID:
            tag = str(Match.Status.VOID.label)
        elif one.kind != Match.Kind.PLAYED:
            tag = str(Match.Kind(one.kind).label)
        return MatchHistoryRow(
            url=explained_match(one.seq, self.board, self.player.key),
            day=self._day(one.at),
            opponents=self._named(one.opponents[:MOST_MET]),
            more_opponents=max(0, len(one.opponents) - MOST_MET),
            partners=self._named(one.partners[:MOST_MET]),
            more_partners=max(0, len(one.partners) - MOST_MET),
            result=_result(one),
            tag=tag,
            is_void=one.status == Match.Status.VOID,
            expected="" if one.expected is None else wording.percent(one.expected),
            after=rating(after).value if after else "",
            change=self._moved(before, after) if before and after else "",
        )

    def _named(self, met: Sequence[OtherPlayer]) -> tuple[Named, ...]:
        return tuple(Named(one.name, player_address(self.board, one.key)) for one in met)

    def _moved(self, before: ShownValue, after: ShownValue) -> str:
        if bridge.system_of(self.board).lower_is_better:
            return moved(self.board, before.value, after.value, after.decimals)
        return changed(before, after)

    def _opponents(self) -> tuple[OpponentRow, ...]:
        met = opponents_among(self.rated)[:MOST_ROWS]
        own = self._standing() or self.player
        foreseen = met[:MOST_STAKES]
        rivals: list[Standing | Player] = []
        for one in foreseen:
            rival = Player(pk=one.player_id, key=one.key)
            row = self.standings.row_of(one.player_id)
            rivals.append(rival if row is None else self.standings.standing(row, rival))
        stakes = bridge.stakes_against(self.board, own, rivals, self.now) if rivals else []
        ahead = {
            one.player_id: " / ".join(
                moved(self.board, stake.before, value, stake.decimals)
                for value in (stake.won, stake.lost)
            )
            for one, stake in zip(foreseen, stakes, strict=True)
            if stake is not None
        }
        return tuple(
            OpponentRow(
                name=one.name,
                url=player_address(self.board, one.key),
                compare_url=compare_address(self.board, [[self.player.key], [one.key]]),
                tally=wording.tally(one.won, one.drawn, one.lost),
                points=wording.number(one.points, 1) if one.judged else "",
                expected=wording.number(one.expected, 1) if one.judged else "",
                over=wording.change(one.expected, one.points, 1) if one.judged else "",
                last=wording.ago(one.last_at.astimezone(self.zone).date(), self.today),
                next=ahead.get(one.player_id, NOTHING),
            )
            for one in met
        )

    def _opponents_note(self, opponents: Sequence[OpponentRow]) -> str:
        told = self._opponents_judged(any(row.points for row in opponents))
        if len(opponents) < self._met():
            words = _("The %(count)s met most often.") % {"count": wording.count(len(opponents))}
            return f"{words} {told}"
        return told

    def _opponents_judged(self, has_expected: bool) -> str:
        is_of_many = any(one.sides > 2 for one in self.rated)
        if is_of_many and not has_expected:
            return _("In matches of more than two sides each pair counts as won, drawn or lost.")
        if not has_expected:
            return _("Won, drawn and lost against each of them.")
        if is_of_many:
            return _(
                "In matches of more than two sides each pair counts as won, drawn or lost; points "
                "and what was expected are those of matches of two sides."
            )
        return _("Points won against points expected, from the ratings before each match.")

    def _records(self) -> tuple[Tile, ...]:
        if self.series is None or not self.rated:
            return ()
        found = [tile for tile in (self._peak(), self._lowest(), self._best_win()) if tile]
        lost = [one for one in self.rated if one.outcome == LOST and one.expected is not None]
        if lost:
            worst = max(lost, key=lambda one: (one.expected or 0.0, one.seq))
            found.append(self._notable(_("Most unexpected defeat"), worst))
        for label, outcome, sign in (
            (_("Longest run of wins"), WON, 1),
            (_("Longest run of defeats"), LOST, -1),
        ):
            run = longest_run(self.rated, outcome)
            if run:
                found.append(
                    Tile(
                        label,
                        wording.streak(sign * run.length),
                        wording.span(self._day(run.first), self._day(run.last)),
                    )
                )
        found.extend(self._steps())
        most = opponents_among(self.rated)[0]
        found.append(
            Tile(
                _("Met most often"),
                most.name,
                ngettext("%(count)d time, %(tally)s", "%(count)d times, %(tally)s", most.count)
                % {
                    "count": most.count,
                    "tally": wording.tally(most.won, most.drawn, most.lost),
                },
                compare_address(self.board, [[self.player.key], [most.key]]),
            )
        )
        first = self.rated[-1]
        found.append(
            Tile(
                _("First result"),
                self._day(first.at),
                _("from %(rating)s") % {"rating": rating(self.series.start).value},
                explained_match(first.seq, self.board, self.player.key),
            )
        )
        return tuple(found)

    def _lowest(self) -> Tile | None:
        return self._extreme(_("Lowest"), is_worst=True)

    def _steps(self) -> list[Tile]:
        """Return the largest gain and loss of one match."""
        series = self.series
        if series is None:
            return []
        steps = series.steps()
        if bridge.system_of(self.board).lower_is_better or not len(steps):
            return []
        tiles = []
        for label, index in (
            (_("Largest gain"), int(steps.argmax())),
            (_("Largest loss"), int(steps.argmin())),
        ):
            before, after = series.before(index), series.at(index)
            change = changed(before, after)
            if change.startswith("+") == (label == _("Largest gain")) and change != "0":
                tiles.append(
                    Tile(
                        label,
                        change,
                        self._day(series.moment(index)),
                        self._dot_address(series, index),
                    )
                )
        return tiles

    def _others(self) -> tuple[OtherBoard, ...]:
        found = []
        for other in self.boards:
            series = self.all_series.get(other.pk)
            if other.pk == self.board.pk or series is None:
                continue
            url = player_address(other, self.player.key)
            found.append(OtherBoard(other.name, url, rating(series.now(self.moment))))
        return tuple(found)


def _same_in_all_seasons(board: Board, everywhere: Sequence[Board]) -> list[Board]:
    """Return a board and, of each other season, the one like it: by its name, else its system."""
    found = {board.season_id: board}
    for other in everywhere:
        is_like = (other.system, other.mode_id) == (board.system, board.mode_id)
        if is_like and (other.season_id not in found or other.slug == board.slug):
            found[other.season_id] = other
    found[board.season_id] = board
    return list(found.values())


def _best_index(
    series: Series, board: Board, *, is_worst: bool = False, is_settled: bool = False
) -> int | None:
    """Return where the rating stood best or worst, while unsure left out if so; first of equals."""
    rows = [
        index for index, level in enumerate(series.levels) if not is_settled or level != "unsure"
    ]
    if not rows:
        return None
    lower = bridge.system_of(board).lower_is_better != is_worst
    values = series.shown.value[rows]
    return rows[int(values.argmin() if lower else values.argmax())]


def _page_number(given: str) -> int:
    """Return a page from an address; whatever is not one is the first."""
    is_number = given.isascii() and given.isdigit() and 0 < len(given) < 6
    return max(1, int(given)) if is_number else 1


def _shown_of(part: int, total: int) -> str:
    if part == total:
        return wording.results(total)
    return _("%(part)s of %(total)s") % {
        "part": wording.count(part),
        "total": wording.results(total),
    }


def _steps_said(shown_as: str, drawn: Timeline) -> str:
    """Say after what a chart has a step: on a ladder, somebody moves without playing too."""
    if drawn.is_by_match:
        text = (
            _("%(value)s after each match, and each move without one.")
            if drawn.has_moves
            else _("%(value)s after each match.")
        )
    else:
        text = (
            _("%(value)s after each day played or moved without a match.")
            if drawn.has_moves
            else _("%(value)s after each day played.")
        )
    return text % {"value": shown_as}


def _kinds(filters: Filters) -> tuple[Choice, ...]:
    words = (
        ("", _("all")),
        ("rated", _("rated")),
        ("unrated", _("not rated")),
        ("void", _("void")),
    )
    return tuple(Choice(value, label, value == filters.kind) for value, label in words)


def _outcomes(filters: Filters) -> tuple[Choice, ...]:
    words = (("", _("any")), (WON, _("won")), (DRAWN, _("drawn")), (LOST, _("lost")))
    return tuple(Choice(value, label, value == filters.result) for value, label in words)


def _score(one: PlayerMatch) -> str:
    """Return the score from the player's side; without one, the place or a word."""
    if one.sides > 2:
        is_shared = any(met.rank == one.rank for met in one.opponents)
        return wording.place(one.rank, is_shared=is_shared)
    other = one.opponents[0].score
    if one.score is None or other is None:
        return {WON: _("won"), DRAWN: _("drew"), LOST: _("lost")}[one.outcome]
    return wording.tally(one.score, other)


def _result(one: PlayerMatch) -> str:
    if one.sides > 2:
        return _("%(place)s of %(sides)d") % {"place": _score(one), "sides": one.sides}
    word = {WON: _("Won"), DRAWN: _("Drew"), LOST: _("Lost")}[one.outcome]
    if one.score is None or one.opponents[0].score is None:
        return word
    return f"{word} {_score(one)}"
