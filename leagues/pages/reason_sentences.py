"""The sentences that give the reasons of a change, by system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from leagues import bridge, wording
from leagues.bridge import RatedMatch, RatingChange, ShownValue
from leagues.domain.event_kinds import is_own_kind
from leagues.pages.handicaps import handicap_words
from leagues.rulebook.event_kinds import kind_names

SIGNIFICANT = 5
"""Digits of a number in a formula."""


@dataclass(frozen=True, slots=True)
class Person:
    """Whose change is told: "you", or by name."""

    name: str
    is_me: bool

    def title(self, change: str) -> str:
        """The heading over the reasons of a change, given with its sign."""
        number = change.lstrip(f"+{wording.MINUS}")
        if change.startswith("+"):
            words = (
                _("Why your rating went up by %(number)s")
                if self.is_me
                else _("Why the rating of %(name)s went up by %(number)s")
            )
        elif change.startswith(wording.MINUS):
            words = (
                _("Why your rating went down by %(number)s")
                if self.is_me
                else _("Why the rating of %(name)s went down by %(number)s")
            )
        else:
            words = (
                _("Why your rating stayed as it was")
                if self.is_me
                else _("Why the rating of %(name)s stayed as it was")
            )
        return words % {"name": self.name, "number": number}


def significant(value: float) -> str:
    text = f"{value:.{SIGNIFICANT}g}"
    if "e" in text:
        text = f"{value:.10f}".rstrip("0").rstrip(".")
    return text.replace("-", wording.MINUS)


class Sentences:
    """The words for one player of one match, cause by cause."""

    def __init__(
        self, rated: RatedMatch, accounts: Sequence[RatingChange], own: RatingChange, person: Person
    ) -> None:
        self.rated = rated
        self.own = own
        self.person = person
        members = rated.members
        self.side = rated.numbers.index(own.side)
        self.others = [index for index in range(len(members)) if index != self.side]
        self.is_pair = len(members) == 2
        self.is_single = all(len(side) == 1 for side in members)
        self.rank = rated.ranks[self.side]
        self.by_player = {account.player_id: account for account in accounts}
        self.members = members

    def of(self, cause: str, *, is_there: bool) -> tuple[str, str]:
        """A cause and why it counts; empty where there is nothing to say."""
        if not is_there and self._is_usual(cause):
            return "", ""
        line: tuple[str, str] = getattr(self, f"_{cause}")()
        return line

    def _is_usual(self, cause: str) -> bool:
        """Whether a cause is not worth a line where it changed nothing."""
        return {
            "team": self.is_single,
            "weight": self.rated.match.weight == 1.0,
            "bounds": True,
        }.get(cause, False)

    def _result(self) -> tuple[str, str]:
        settled = self._knows_doubt()
        if self.is_pair:
            outcome = self._outcome()
            if settled:
                text = {
                    "won": _("A win between two equals with certain ratings"),
                    "drew": _("A draw between two equals with certain ratings"),
                    "lost": _("A loss between two equals with certain ratings"),
                }[outcome]
            else:
                text = {
                    "won": _("A win between two equals"),
                    "drew": _("A draw between two equals"),
                    "lost": _("A loss between two equals"),
                }[outcome]
        else:
            ranks = self.rated.ranks
            words = (
                _("%(place)s of %(count)d among equals with certain ratings")
                if settled
                else _("%(place)s of %(count)d among equals")
            )
            text = words % {
                "place": wording.place(self.rank + 1, is_shared=ranks.count(self.rank) > 1),
                "count": len(ranks),
            }
        return text, _("The starting point of every explanation.")

    def _opponent_strength(self) -> tuple[str, str]:
        gap = self._gap()
        size = wording.number(abs(gap), self.own.after.decimals)
        is_even = not size.strip("0.")
        name = self._opponent()
        if is_even:
            text = _("%(name)s was rated the same") if name else _("The others were rated the same")
        elif name:
            text = (
                _("%(name)s was rated %(points)s points higher")
                if gap > 0
                else _("%(name)s was rated %(points)s points lower")
            )
        elif self.is_single:
            text = (
                _("The others were rated %(points)s points higher on average")
                if gap > 0
                else _("The others were rated %(points)s points lower on average")
            )
        else:
            text = (
                _("The others were rated %(points)s points higher on average than %(own)s")
                if gap > 0
                else _("The others were rated %(points)s points lower on average than %(own)s")
            )
        # What a side was expected to score belongs to its members together.
        why = self._chance() if self.is_single and not self._has_handicaps() else ""
        moral = "" if is_even or not name else self._moral(is_stronger=gap > 0)
        own = _("you") if self.person.is_me else self.person.name
        return text % {"name": name, "points": size, "own": own}, f"{why} {moral}".strip()

    def _opponent_uncertainty(self) -> tuple[str, str]:
        name = self._opponent()
        if name:
            rival = self.by_player[self.members[self.others[0]][0].row.player_id].before
            words = (
                _("%(name)s’s rating was certain")
                if rival.level == "sure"
                else _("%(name)s’s rating was uncertain")
            )
            text = _with_range(words % {"name": name}, rival)
        else:
            text = _("How certain the others’ ratings were")
        return text, _(
            "The less certain an opponent’s rating is, the less a result against them proves."
        )

    def _own_uncertainty(self) -> tuple[str, str]:
        before = self.own.before
        if "deviation" not in self.rated.system.columns:
            return self._early_games()
        is_sure = before.level == "sure"
        if self.person.is_me:
            words = (
                _("Your own rating was certain") if is_sure else _("Your own rating was uncertain")
            )
        else:
            words = (
                _("%(name)s’s rating was certain")
                if is_sure
                else _("%(name)s’s rating was uncertain")
            )
        text = _with_range(words % {"name": self.person.name}, before)
        why = (
            _("The more certain a rating is, the less one result moves it.")
            if is_sure
            else _(
                "The less certain a rating is, the further one result moves it; the first results "
                "move it most."
            )
        )
        if self.rated.system.shows_lower_bound:
            why += " " + _(
                "A result also makes the rating more certain, "
                "which raises the cautious value shown."
            )
        return text, why

    def _early_games(self) -> tuple[str, str]:
        games = next(
            mover.games for mover in self.rated.movers if mover.row.player_id == self.own.player_id
        )
        text = pgettext("match", "The %(place)s rated match") % {
            "place": wording.ordinal(games + 1)
        }
        return text, _how_early_matches_move(self.rated)

    def _team(self) -> tuple[str, str]:
        if self.is_single:
            return _("How the sides were made up"), _("The sizes of the sides count.")
        if self.rated.system.sums_members:
            why = _(
                "The skills of team-mates add up, and the effect of the result is shared among "
                "them."
            )
        else:
            why = _(
                "A side is as strong as its members on average, and the effect of the result "
                "is shared among them."
            )
        chance = "" if self._has_handicaps() else self._chance()
        return _("Team-mates and the sizes of the sides"), f"{why} {chance}".strip()

    def _handicap(self) -> tuple[str, str]:
        given = handicap_words(
            (self._name_of(index), members[0].row.handicap)
            for index, members in enumerate(self.members)
        )
        why = _("The points are added to the strength of a side before the result is compared.")
        text = _("With the handicap: %(given)s") % {"given": given}
        return text, f"{why} {self._chance()}".strip()

    def _has_handicaps(self) -> bool:
        return any(members[0].row.handicap for members in self.members)

    def _name_of(self, index: int) -> str:
        """The players of a side within a sentence."""
        return " + ".join(
            _("you")
            if self.person.is_me and mover.row.player_id == self.own.player_id
            else wording.isolated(mover.row.player.name)
            for mover in self.members[index]
        )

    def _score(self) -> tuple[str, str]:
        score = self._points()
        if not score:
            return "", ""
        return score, _("These standings count each side’s share of the score, not only who won.")

    def _weight(self) -> tuple[str, str]:
        times = significant(self.rated.match.weight)
        return (
            _("A match that counts %(times)s times") % {"times": times},
            _("Matches with the usual weight count once."),
        )

    def _bounds(self) -> tuple[str, str]:
        return _("Kept within the limits"), _(
            "Ratings and their uncertainty stay within the limits of this board."
        )

    def unused_score(self) -> tuple[str, str] | None:
        """The line that says why a score gives nothing, where there is one."""
        if getattr(self.rated.system, "uses_scores", False):
            return None
        score = self._points()
        if not score:
            return None
        return score, _("These standings count who won, not by how much.")

    def _points(self) -> str:
        scores = self.rated.scores
        if scores is None or not self.is_pair:
            return _("The points") if scores is not None else ""
        mine, theirs = scores[self.side], scores[self.others[0]]
        return _("The score, %(score)s") % {"score": wording.tally(int(mine), int(theirs))}

    def _outcome(self) -> str:
        other = self.rated.ranks[self.others[0]]
        return "drew" if self.rank == other else "won" if self.rank < other else "lost"

    def _moral(self, *, is_stronger: bool) -> str:
        return {
            ("won", True): _("A win over a stronger player says more."),
            ("won", False): _("A win over a weaker player says less."),
            ("drew", True): _("A draw with a stronger player is a gain."),
            ("drew", False): _("A draw with a weaker player is a loss."),
            ("lost", True): _("A loss to a stronger player costs less."),
            ("lost", False): _("A loss to a weaker player costs more."),
        }[self._outcome(), is_stronger]

    def _chance(self) -> str:
        if self.own.expected is None:
            return ""
        if not bridge.has_draws(self.rated.board):
            return self._plain_chance(self.own.expected)
        if not self.is_single:
            words = _("The side was expected to score %(points)s of 100.")
        elif self.person.is_me:
            words = _("You were expected to score %(points)s of 100.")
        else:
            words = _("%(name)s was expected to score %(points)s of 100.")
        return words % {
            "name": self.person.name,
            "points": wording.of_hundred(self.own.expected),
        }

    def _plain_chance(self, expected: float) -> str:
        """The chance to win, on a board without draws; of several others, that of a pair."""
        if len(self.others) > 1:
            words = _("%(name)s’s chance to finish ahead of another was %(chance)s on average.")
            if not self.is_single:
                words = _("The side’s chance to finish ahead of another was %(chance)s on average.")
            elif self.person.is_me:
                words = _("Your chance to finish ahead of another was %(chance)s on average.")
        elif not self.is_single:
            words = _("The side’s chance to win was %(chance)s.")
        elif self.person.is_me:
            words = _("Your chance to win was %(chance)s.")
        else:
            words = _("%(name)s’s chance to win was %(chance)s.")
        return words % {"name": self.person.name, "chance": wording.percent(expected)}

    def _opponent(self) -> str:
        """The name of the one opponent, if it is one."""
        if len(self.others) != 1 or len(self.members[self.others[0]]) != 1:
            return ""
        return str(self.members[self.others[0]][0].row.player.name)

    def _gap(self) -> float:
        """The distance of the others above this player on average, in shown points.

        Between the numbers as they are shown beside it, which are rounded.
        """

        def middle(account: RatingChange) -> float:
            value = account.before
            if value.low is None or value.high is None:
                return round(value.value, value.decimals)
            return round((value.low + value.high) / 2.0, value.decimals)

        means = []
        for index in self.others:
            side = [middle(self.by_player[mover.row.player_id]) for mover in self.members[index]]
            means.append(sum(side) / len(side))
        return sum(means) / len(means) - middle(self.own)

    def _knows_doubt(self) -> bool:
        return "deviation" in self.rated.system.columns


def _how_early_matches_move(rated: RatedMatch) -> str:
    """What the number of matches before one does to how far it moves a rating."""
    chosen = rated.system.parameters
    policy = getattr(chosen, "policy", "")
    if policy == "fide":
        return _(
            "How much a match counts depends on the player’s number of matches and age, "
            "and on whether they have reached 2400."
        )
    if policy == "games":
        first, later = chosen.k0, chosen.k  # type: ignore[attr-defined]
        if first < later:
            return _("On this board, early matches move a rating less than later ones.")
        if first == later:
            return _("On this board, early matches move a rating as much as later ones.")
    return _("Early matches move a rating more than later ones.")


def _with_range(text: str, value: ShownValue) -> str:
    """A sentence with the range it speaks of, where one is shown."""
    if value.half is None:
        return text
    return f"{text} ({wording.plus_minus(value.half, value.decimals)})"


def words_without_reasons(rated: RatedMatch) -> str:
    """How a match was rated where its effect is no sum of reasons."""
    if rated.is_fitted:
        words = _fitted_words(rated)
    else:
        words = _event_words(rated) if rated.events else _ladder_words(rated)
    has_handicaps = any(mover.row.handicap for mover in rated.movers)
    return f"{words} {_('Handicaps do not count here.')}" if has_handicaps else words


def _event_words(rated: RatedMatch) -> str:
    """What a system does with the events of a match; a ladder's have no lines of their own."""
    count = len(rated.events)
    words = ngettext(
        "This board rated the %(count)s event of this match in place of its result.",
        "This board rated the %(count)s events of this match one after the other, in place of "
        "its result.",
        count,
    ) % {"count": wording.count(count)}
    if not rated.system.orders_only:
        return words
    names = kind_names()
    kinds = Counter(
        "own" if is_own_kind(event.kind) else event.kind.replace("-", "_") for event in rated.events
    )
    wins = ", ".join(f"{names[kind]} {wording.count(kinds[kind])}" for kind in names if kinds[kind])
    return f"{words} {_('Counted as wins: %(wins)s.') % {'wins': wins}}"


def _fitted_words(rated: RatedMatch) -> str:
    """Why a system that looks at all results at once has no reasons for one."""
    return _(
        "%(system)s fits all results of the season together. No single match moves a strength by "
        "itself, so there is no before and after."
    ) % {"system": rated.system.title}


def rung_title(own: RatingChange, person: Person) -> str:
    before = wording.number(own.before.value)
    after = wording.number(own.after.value)
    if before == after:
        words = (
            _("Why you stay on rung %(after)s")
            if person.is_me
            else _("Why %(name)s stays on rung %(after)s")
        )
    else:
        words = (
            _("Why you moved from rung %(before)s to %(after)s")
            if person.is_me
            else _("Why %(name)s moved from rung %(before)s to %(after)s")
        )
    return words % {"name": person.name, "before": before, "after": after}


def _ladder_words(rated: RatedMatch) -> str:
    """What a ladder did, and by which rule."""
    sentences = []
    for mover in rated.movers:
        if mover.games == 0 and len(rated.movers) == 2:
            sentences.append(
                _("%(name)s was new on the ladder and joined at the bottom, on rung %(rung)s.")
                % {"name": mover.row.player.name, "rung": wording.number(mover.before[0])}
            )
    inserts = getattr(rated.system.parameters, "mode", "swap") == "insert"
    if len(rated.movers) == 2:
        sentences.append(_duel_words(rated, inserts=inserts))
    elif inserts:
        sentences.append(
            _(
                "In finishing order, each player takes the highest rung held by anyone who "
                "finished behind them, if it is above their own; everyone in between moves "
                "down one."
            )
        )
    else:
        sentences.append(
            _("The players’ rungs are reassigned in the order in which they finished.")
        )
    return " ".join(sentences)


def _duel_words(rated: RatedMatch, *, inserts: bool) -> str:
    one, other = sorted(rated.movers, key=lambda mover: mover.row.rank)
    if one.row.rank == other.row.rank:
        return _("A draw changes nothing on a ladder.")
    names = {
        "winner": one.row.player.name,
        "loser": other.row.player.name,
        "low": wording.number(one.before[0]),
        "high": wording.number(other.before[0]),
    }
    if one.before[0] < other.before[0]:
        words = _("%(winner)s was already above %(loser)s, on rung %(low)s: no one moves.")
    elif inserts:
        words = _(
            "%(winner)s was on rung %(low)s and beat %(loser)s, who was on rung %(high)s: "
            "%(winner)s takes that rung, and %(loser)s and everyone in between move down "
            "by one."
        )
    else:
        words = _(
            "%(winner)s was on rung %(low)s and beat %(loser)s, who was on rung %(high)s: "
            "they swap places."
        )
    return words % names
