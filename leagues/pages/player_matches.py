"""A player's matches: the filter, and a row for each."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import bridge, wording
from leagues.bridge import ShownValue
from leagues.models import Match
from leagues.models.match import is_met
from leagues.pages.boards import Choice, player_address
from leagues.pages.matches import Named, explained_match
from leagues.pages.player_profile import Profile, score_of
from leagues.pages.ratings import change_between, rating
from leagues.pages.seats import format_change
from leagues.selectors.encounters import (
    DRAWN,
    LOST,
    MOST_MATCHES,
    WON,
    OtherPlayer,
    PlayerMatch,
)
from leagues.store.search import finder

PAGE_SIZE = 25


MOST_MET = 4
"""Opponents and partners of a match that are named; the others are counted."""


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
    handicap: str
    """What the player's side was given, beyond the other of two."""
    is_void: bool
    expected: str
    after: str
    change: str


@dataclass(frozen=True, slots=True)
class Filters:
    """What part of the matches is asked for; words from an address, cleaned."""

    query: str
    kind: str
    result: str

    @classmethod
    def from_address(cls, words: Mapping[str, str]) -> Filters:
        """The filter of an address; what makes no sense is left out."""
        kind, result = words.get("kind", ""), words.get("result", "")
        return cls(
            query=words.get("q", "").replace("\x00", "").strip()[:64],
            kind=kind if kind in ("rated", "unrated", "void") else "",
            result=result if result in (WON, DRAWN, LOST) else "",
        )

    def parameters(self) -> dict[str, str]:
        """The address parameters that say the same."""
        words = {"q": self.query, "kind": self.kind, "result": self.result}
        return {name: value for name, value in words.items() if value}

    def apply(
        self, encounters: Sequence[PlayerMatch], counted: Collection[int]
    ) -> list[PlayerMatch]:
        """The matches that are let through; `counted` are the numbers of those rated."""
        finds = finder(self.query)
        matches = []
        for one in encounters:
            is_void = one.status == Match.Status.VOID
            kind = "void" if is_void else "rated" if one.seq in counted else "unrated"
            if self.kind and kind != self.kind:
                continue
            if self.result and (is_void or one.outcome != self.result):
                continue
            if self.query and not any(finds(met.name) for met in one.opponents):
                continue
            matches.append(one)
        return matches


@dataclass(frozen=True, slots=True)
class MatchRows:
    """One page of a player's matches, and where the others are."""

    rows: tuple[MatchHistoryRow, ...]
    count: str
    limit_note: str
    """Says that there are more matches than are looked at, if so."""
    newer_url: str
    older_url: str


def match_rows(profile: Profile, filters: Filters, words: Mapping[str, str]) -> MatchRows:
    """The page of matches that the address names, under a filter."""
    matches = filters.apply(profile.encounters, profile.where)
    pages = max(1, -(-len(matches) // PAGE_SIZE))
    page = min(_page_number(profile.words.get("page", "")), pages)
    part = matches[(page - 1) * PAGE_SIZE : page * PAGE_SIZE]
    bound = ""
    if len(profile.encounters) >= MOST_MATCHES:
        bound = _("Only the newest %(count)s matches are counted.") % {
            "count": wording.count(MOST_MATCHES)
        }
    return MatchRows(
        rows=tuple(_match_row(profile, one) for one in part),
        count=_match_count(profile, len(part), matches),
        limit_note=bound,
        newer_url=profile.address({**words, "page": str(page - 1)}) if page > 1 else "",
        older_url=profile.address({**words, "page": str(page + 1)}) if page < pages else "",
    )


def _page_number(text: str) -> int:
    """A page from an address; whatever is not one is the first."""
    is_number = text.isascii() and text.isdigit() and 0 < len(text) < 6
    return max(1, int(text)) if is_number else 1


def _match_count(profile: Profile, part: int, matches: Sequence[PlayerMatch]) -> str:
    """How many results and open matches there are, and what of them the rating leaves out."""
    results = profile.results_among(matches)
    count = wording.results(len(results))
    left_out = profile.unrated_words(matches)
    if left_out:
        words = _("%(results)s (not rated: %(others)s)")
        count = words % {"results": count, "others": left_out}
    without = len(matches) - len(results)
    if without:
        words = ngettext(
            "%(results)s and %(count)s match without a result",
            "%(results)s and %(count)s matches without a result",
            without,
        )
        count = words % {"results": count, "count": wording.count(without)}
    if part < len(matches):
        count = _("%(part)s of %(total)s") % {"part": wording.count(part), "total": count}
    return count


def kind_choices(filters: Filters) -> tuple[Choice, ...]:
    words = (
        ("", _("all")),
        ("rated", _("rated")),
        ("unrated", _("not rated")),
        ("void", _("void")),
    )
    return tuple(Choice(value, label, value == filters.kind) for value, label in words)


def outcome_choices(filters: Filters, *, has_draws: bool) -> tuple[Choice, ...]:
    words = (("", _("any")), (WON, _("won")), (DRAWN, _("drawn")), (LOST, _("lost")))
    return tuple(
        Choice(value, label, value == filters.result)
        for value, label in words
        if has_draws or value in ("", WON, LOST, filters.result)
    )


def _handicap(points: int) -> str:
    return _("handicap %(points)s") % {"points": wording.with_sign(points)} if points else ""


def _result(one: PlayerMatch) -> str:
    if one.sides > 2:
        return _("%(place)s of %(sides)d") % {"place": score_of(one), "sides": one.sides}
    if not is_met(one.kind):
        return _("Left") if one.has_left else ""
    word = {WON: _("Won"), DRAWN: _("Drew"), LOST: _("Lost")}[one.outcome]
    if one.score is None or one.opponents[0].score is None:
        return word
    return f"{word} {score_of(one)}"


def _match_row(profile: Profile, one: PlayerMatch) -> MatchHistoryRow:
    index = profile.where.get(one.seq)
    before = after = None
    if profile.series is not None and index is not None:
        before, after = profile.series.before(index), profile.series.at(index)
    tag = ""
    if one.status == Match.Status.VOID:
        tag = str(Match.Status.VOID.label)
    elif one.kind != Match.Kind.PLAYED:
        tag = str(Match.Kind(one.kind).label)
    return MatchHistoryRow(
        url=explained_match(one.seq, profile.board, profile.player.key),
        day=profile.day(one.at),
        opponents=_names(profile, one.opponents[:MOST_MET]),
        more_opponents=max(0, len(one.opponents) - MOST_MET),
        partners=_names(profile, one.partners[:MOST_MET]),
        more_partners=max(0, len(one.partners) - MOST_MET),
        result=_result(one),
        tag=tag,
        handicap=_handicap(one.handicap),
        is_void=one.status == Match.Status.VOID,
        expected="" if one.expected is None else wording.percent(one.expected),
        after=rating(after).value if after else "",
        change=_change(profile, before, after) if before and after else "",
    )


def _names(profile: Profile, players: Sequence[OtherPlayer]) -> tuple[Named, ...]:
    return tuple(
        Named(one.name, player_address(profile.board, one.key) if one.is_listed else "")
        for one in players
    )


def _change(profile: Profile, before: ShownValue, after: ShownValue) -> str:
    if bridge.system_of(profile.board).lower_is_better:
        return format_change(profile.board, before.value, after.value, after.decimals)
    return change_between(before, after)
