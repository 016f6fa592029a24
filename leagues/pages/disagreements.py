"""Where systems disagree most about a player, and what in the data makes them.

Each reason is a fact that was looked up for this player on these two boards, and is only given
where it accounts for a good part of the difference.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import bridge, wording
from leagues.domain.civil_days import day_of
from leagues.models import Board
from leagues.pages.tallies import TallyStyle
from leagues.selectors.encounters import encounters_of, rated_among
from leagues.selectors.shares import score_shares
from leagues.selectors.side_by_side import BoardPlace, SideBySide

MOST = 3
MOST_REASONS = 2
LEAST_SPREAD = 2
"""By how many places a disagreement that is explained must differ."""
FEW_RESULTS = 10
LEAST_SCORED = 10
LEAST_JUDGED = 20
LATELY = 10
NOTABLE_CHANGE = 0.15
AMISS = 0.05
"""By how much an expected score must be wrong on average to be worth saying."""
UNLIKE = 0.08
"""By how much a share of points must differ from the share of wins to be worth saying."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    player_id: int
    name: str
    key: str
    places: str
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Case:
    """A player with the board that places him highest and the one that places him lowest."""

    row: Mapping[int, BoardPlace]
    high: Board
    low: Board
    rank: int
    low_rank: int

    @property
    def gap(self) -> int:
        return self.low_rank - self.rank

    @property
    def on_high(self) -> BoardPlace:
        return self.row[self.high.pk]

    @property
    def on_low(self) -> BoardPlace:
        return self.row[self.low.pk]


@dataclass(frozen=True, slots=True)
class Disagreements:
    """The remarkable ones, or the largest where none is; `note` counts all others that differ."""

    rows: tuple[Disagreement, ...]
    note: str


def disagreements(side: SideBySide, titles: Mapping[int, str], now: datetime) -> Disagreements:
    """The players whose places differ most, with the reasons that can be shown."""
    cases = sorted(_cases(side), key=lambda case: (-case.gap, case.rank, case.on_high.key))
    close = {case.on_high.player_id for case in cases if _is_close(side, case)}
    wide = [case for case in cases if case.gap >= LEAST_SPREAD]
    remarkable = [case for case in wide if case.on_high.player_id not in close]
    chosen = (remarkable or wide)[:MOST]
    facts = _Facts(side, titles, chosen, now)
    return Disagreements(
        tuple(
            Disagreement(
                player_id=case.on_high.player_id,
                name=case.on_high.name,
                key=case.on_high.key,
                places=_("%(one)s or %(other)s")
                % {"one": wording.ordinal(case.rank), "other": wording.ordinal(case.low_rank)},
                reasons=(
                    _("%(one)s says %(place)s, %(other)s says %(low_place)s.")
                    % {
                        "one": titles[case.high.pk],
                        "place": wording.ordinal(case.rank),
                        "other": titles[case.low.pk],
                        "low_place": wording.ordinal(case.low_rank),
                    },
                    *facts.reasons(case),
                ),
            )
            for case in chosen
        ),
        _all_close(cases, close) if not remarkable else _others(cases, chosen, close),
    )


def _all_close(cases: Sequence[_Case], close: Set[int]) -> str:
    """What is said where no difference is remarkable."""
    if len(close) == len(cases):
        return _("All differences are within the uncertainty of the ratings.")
    return _("All differences of more than one place are within the uncertainty of the ratings.")


def _others(cases: Sequence[_Case], chosen: Sequence[_Case], close: Set[int]) -> str:
    """How many others the table shows with a spread, so that list and table agree."""
    named = {case.on_high.player_id for case in chosen}
    others = [case for case in cases if case.on_high.player_id not in named]
    if not others:
        return ""
    within = sum(case.on_high.player_id in close for case in others)
    words = {"count": wording.count(len(others)), "close": wording.count(within)}
    if not within:
        text = ngettext(
            "The places of %(count)s other player differ too.",
            "The places of %(count)s other players differ too.",
            len(others),
        )
    elif within == len(others):
        text = ngettext(
            "The places of %(count)s other player differ too, within the uncertainty of the "
            "ratings.",
            "The places of %(count)s other players differ too, all within the uncertainty of the "
            "ratings.",
            len(others),
        )
    else:
        text = _(
            "The places of %(count)s other players differ too, those of %(close)s within the "
            "uncertainty of the ratings."
        )
    return text % words


def _is_close(side: SideBySide, case: _Case) -> bool:
    """Whether one of the two ratings is so uncertain that it could have the other place."""
    for board, own, other in (
        (case.low, case.on_low, case.rank),
        (case.high, case.on_high, case.low_rank),
    ):
        if bridge.system_info(board.system).orders_only or own.low is None or own.high is None:
            continue
        value = side.rankings[board.pk].value_at(other)
        points = abs(value - own.place_value) / 10.0 ** bridge.shown_decimals(board)
        if points <= (own.high - own.low) / 2.0:
            return True
    return False


def _cases(side: SideBySide) -> list[_Case]:
    """Everyone with a spread in the table."""
    cases = []
    for row in side.listed:
        placings = side.placings(row)
        if len(placings) < 2:
            continue
        (rank, high), (low_rank, low) = placings[0], placings[-1]
        if low_rank > rank:
            cases.append(_Case(row, high, low, rank, low_rank))
    return cases


def _rates_at_once(board: Board) -> bool:
    return bridge.system_info(board.system).rates_at_once


class _Facts:
    """What is known of the cases; what costs a query is read once, for all of them."""

    def __init__(
        self,
        side: SideBySide,
        titles: Mapping[int, str],
        cases: Sequence[_Case],
        now: datetime,
    ) -> None:
        self.side = side
        self.titles = titles
        self.now = now
        boards = {board.pk: board for case in cases for board in (case.high, case.low)}
        ids = [case.on_high.player_id for case in cases]
        self.ladders = {
            board.pk: bridge.greatest_steps(board, ids)
            for board in boards.values()
            if bridge.system_info(board.system).orders_only
        }
        self.by_scores = {board.pk for board in boards.values() if bridge.uses_scores(board)}
        self.shares = score_shares(next(iter(boards.values())), ids) if self.by_scores else {}

    def reasons(self, case: _Case) -> list[str]:
        """The reasons that hold, those that say most first."""
        sentences = [
            self._careful(case),
            self._fewer(case),
            self._few(case),
            self._scores(case),
            self._ladder(case),
            self._late(case),
        ]
        reasons = [reason for reason in sentences if reason][:MOST_REASONS]
        # Reads all matches of the player, so it is asked last.
        return reasons or [self._surprising(case) or self._rest(case)]

    def _careful(self, case: _Case) -> str:
        """A system that shows a lower bound puts those below of whom it knows little."""
        low = self._by_middle(case.low, case.on_low)
        if low is not None and case.low_rank - low >= case.gap / 2:
            return _(
                "%(system)s shows a cautious rating, lower than the likely strength: by the "
                "middle of its range %(name)s would be %(place)s."
            ) % {
                "system": self.titles[case.low.pk],
                "name": case.on_low.name,
                "place": wording.ordinal(low),
            }
        high = self._by_middle(case.high, case.on_high)
        if high is not None and high - case.rank >= case.gap / 2:
            return _(
                "%(system)s shows a cautious rating, which favours those with many results, here "
                "%(results)s: by the middle of its range %(name)s would be %(place)s."
            ) % {
                "system": self.titles[case.high.pk],
                "results": wording.count(case.on_high.games),
                "name": case.on_high.name,
                "place": wording.ordinal(high),
            }
        return ""

    def _by_middle(self, board: Board, own: BoardPlace) -> int | None:
        """The rank by the middle of the range, where the shown value is not it."""
        if not self.side.is_whole or own.low is None or own.high is None:
            return None
        if own.low <= own.shown_value <= own.high:
            return None
        middles = [
            (placed.low + placed.high) / 2.0
            for row in self.side.everyone
            if (placed := row.get(board.pk)) and placed.low is not None and placed.high is not None
        ]
        return 1 + sum(middle > (own.low + own.high) / 2.0 for middle in middles)

    def _fewer(self, case: _Case) -> str:
        """A system that leaves players out has better places for the others."""
        placed = self.side.rankings[case.high.pk].players
        others = self.side.rankings[case.low.pk].players
        if not self.side.is_whole or placed >= others:
            return ""
        own = case.on_low.place_value
        place = 1 + sum(
            row[case.low.pk].place_value > own
            for row in self.side.everyone
            if case.high.pk in row and case.low.pk in row
        )
        if case.low_rank - place < case.gap / 3:
            return ""
        return _(
            "%(system)s ranks only %(placed)s of %(players)s; among these, %(name)s is "
            "%(place)s in %(other)s."
        ) % {
            "system": self.titles[case.high.pk],
            "placed": wording.count(placed),
            "players": wording.players(others),
            "other": self.titles[case.low.pk],
            "name": case.on_low.name,
            "place": wording.ordinal(place),
        }

    def _late(self, case: _Case) -> str:
        """Static strengths give a result of the first day the weight of yesterday's."""
        is_high, is_low = map(_rates_at_once, (case.high, case.low))
        placed = case.on_high
        last = placed.form[-LATELY:]
        if is_high == is_low or placed.games < 2 * LATELY:
            return ""
        late = (last.count("W") + last.count("D") / 2.0) / len(last)
        whole = (placed.won + placed.drawn / 2.0) / placed.games
        if (whole - late if is_high else late - whole) < NOTABLE_CHANGE:
            return ""
        return _(
            "Static counts old and new results equally, while the other system gives new "
            "ones more weight: %(late)s of 100 points in the last ten results, %(whole)s "
            "of 100 in all %(count)s."
        ) % {
            "late": wording.of_hundred(late),
            "whole": wording.of_hundred(whole),
            "count": wording.count(placed.games),
        }

    def _scores(self, case: _Case) -> str:
        """One system sees by how much a match was won, the other who won."""
        of_high, of_low = case.high.pk in self.by_scores, case.low.pk in self.by_scores
        share = self.shares.get(case.on_high.player_id)
        if of_high == of_low or share is None or share.results < LEAST_SCORED:
            return ""
        ahead = share.scores - share.wins
        if (ahead if of_high else -ahead) < UNLIKE:
            return ""
        return _(
            "%(system)s counts the scores: %(scores)s of 100 points over %(count)s "
            "results, but %(wins)s of 100 if only wins count."
        ) % {
            "system": self.titles[case.high.pk if of_high else case.low.pk],
            "scores": wording.of_hundred(share.scores),
            "count": wording.count(share.results),
            "wins": wording.of_hundred(share.wins),
        }

    def _ladder(self, case: _Case) -> str:
        """On a ladder one match can be worth as much as a season."""
        if case.high.system == case.low.system:
            return ""
        for board, is_high in ((case.high, True), (case.low, False)):
            step = self.ladders.get(board.pk, {}).get(case.on_high.player_id)
            rungs = 0 if step is None else step.up if is_high else step.down
            if step is None or rungs < max(LEAST_SPREAD, case.gap / 2):
                continue
            at = (step.up_at if is_high else step.down_at).astimezone(board.league.zone)
            words = {
                "system": self.titles[board.pk],
                "day": wording.day(at.date(), day_of(self.now, board.league.zone)),
                "count": rungs,
                "results": wording.results(case.on_high.games),
            }
            if is_high:
                return (
                    ngettext(
                        "On the ladder, one win on %(day)s was worth %(count)d rung; the "
                        "other system weighs it against %(results)s.",
                        "On the ladder, one win on %(day)s was worth %(count)d rungs; the "
                        "other system weighs it against %(results)s.",
                        rungs,
                    )
                    % words
                )
            return (
                ngettext(
                    "On the ladder, one loss on %(day)s cost %(count)d rung; the other "
                    "system weighs it against %(results)s.",
                    "On the ladder, one loss on %(day)s cost %(count)d rungs; the other "
                    "system weighs it against %(results)s.",
                    rungs,
                )
                % words
            )
        return ""

    def _surprising(self, case: _Case) -> str:
        """A rating that follows slowly expects another score than the one that is taken."""
        player_id = case.on_high.player_id
        past = bridge.read_series([case.low, case.high], player_id)
        met = rated_among(case.high, encounters_of(case.high, player_id))
        taken = {one.seq: one.points for one in met if one.sides == 2}
        for board, is_low in ((case.low, True), (case.high, False)):
            if board.pk not in past:
                continue
            known = [
                (expected, taken[seq])
                for seq, expected in past[board.pk].expectations().items()
                if seq in taken and expected is not None
            ]
            if len(known) < LEAST_JUDGED:
                continue
            expected, took = (math.fsum(column) / len(known) for column in zip(*known, strict=True))
            if (took - expected if is_low else expected - took) < AMISS:
                continue
            return _(
                "On %(system)s, the ratings predicted %(expected)s of 100 points over "
                "%(results)s, and %(name)s scored %(taken)s: these ratings change slowly."
            ) % {
                "system": self.titles[board.pk],
                "expected": wording.of_hundred(expected),
                "results": wording.results(len(known)),
                "name": case.on_high.name,
                "taken": wording.of_hundred(took),
            }
        return ""

    def _few(self, case: _Case) -> str:
        games = case.on_high.games
        if games > FEW_RESULTS:
            return ""
        return ngettext(
            "These ranks are based on only %(count)d result.",
            "These ranks are based on only %(count)d results.",
            games,
        ) % {"count": games}

    def _rest(self, case: _Case) -> str:
        placed = case.on_high
        is_high, is_low = map(_rates_at_once, (case.high, case.low))
        if is_high != is_low:
            other = case.low if is_high else case.high
            return _(
                "Static judges %(results)s by the opponents’ final strengths, %(system)s "
                "by their ratings at the time."
            ) % {"results": wording.results(placed.games), "system": self.titles[other.pk]}
        style = TallyStyle(any(one.drawn for row in self.side.everyone for one in row.values()))
        return _("Both are based on the same %(results)s: %(tally)s (%(legend)s).") % {
            "results": wording.results(placed.games),
            "tally": style.text(placed.won, placed.drawn, placed.lost),
            "legend": style.legend,
        }
