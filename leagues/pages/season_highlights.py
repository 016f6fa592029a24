"""What stands out in a season: its champion, climb, upset, streak and rivalry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import wording
from leagues.domain.civil_days import day_of
from leagues.models import Board, Player
from leagues.pages.boards import player_address
from leagues.pages.matches import explained_match
from leagues.pages.ratings import rating
from leagues.pages.sides import compare_address
from leagues.selectors.season_facts import SeasonFacts
from leagues.selectors.standings import Standings

LEAST_MOMENTS = 2


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing to remember of a season; the address leads to where it comes from."""

    label: str
    value: str
    detail: str
    url: str = ""


def biggest_climb(facts: SeasonFacts) -> tuple[int, int, int] | None:
    """The player who gained most places since the first day that had ranks, from where to where."""
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


def highlights(
    board: Board, standings: Standings, facts: SeasonFacts, people: Mapping[int, Player]
) -> Iterator[Fact]:
    ranked = np.flatnonzero(standings.is_ranked)
    # Alone in the lead is who played most on a first night.
    least = 1 if board.season.is_sealed else 2
    if len(ranked) >= least and int(ranked[0]) < len(standings):
        yield _first(board, standings, ranked[:2].tolist(), people)
    climb = biggest_climb(facts)
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
        favourites = facts.favourites
        words = {
            "predicted": wording.percent(favourites.predicted),
            "actual": wording.percent(favourites.came),
        }
        yield Fact(
            _("Were the predictions right?"),
            _("Predicted %(predicted)s, actual %(actual)s") % words,
            _("points for the favourites, over %(matches)s")
            % {"matches": wording.results(favourites.matches)},
        )


def _first(
    board: Board, standings: Standings, rows: Sequence[int], people: Mapping[int, Player]
) -> Fact:
    first, *others = (people[int(standings.table.player_id[row])] for row in rows)
    value = rating(standings.value(rows[0]))
    detail = f"{value.value} {value.plus_minus}".strip()
    label = _("Champion") if board.season.is_sealed else _("In the lead")
    level = int(np.count_nonzero(standings.rank == 1))
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
            wording.round_number(
                float(standings.shown_values.value[rows[0]]), standings.shown_values.decimals
            )
            - wording.round_number(
                float(standings.shown_values.value[rows[1]]), standings.shown_values.decimals
            )
        )
        words = {
            "rating": detail,
            "ahead": wording.number(ahead, standings.shown_values.decimals),
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
        "day": wording.day(day_of(upset.at, board.league.zone)),
        "share": wording.of_hundred(upset.expected),
    }
    return Fact(
        _("Upset"),
        _("%(winners)s beat %(losers)s") % {"winners": winners, "losers": losers},
        _("%(day)s, expected %(share)s of 100") % words,
        explained_match(upset.seq, board),
    )
