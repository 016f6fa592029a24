"""How ratings work on a board, in words with the league's numbers, and which rules held when."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from leagues import bridge, wording
from leagues.bridge import RatedMatch, RatingChange
from leagues.domain.civil_days import day_of
from leagues.domain.openings import has_opening
from leagues.domain.ranking import least_games
from leagues.models import Board, BoardRules, League, Match, Mode, Participant
from leagues.models.match import rated_kinds
from leagues.pages.boards import board_address, player_address
from leagues.pages.matches import match_address, sides_of
from leagues.pages.ratings import Rating, rating
from leagues.pages.reason_sentences import Person
from leagues.pages.reasons import Reasons, reasons_of
from leagues.pages.seats import format_change
from leagues.pages.starts import starts_sentences
from leagues.rulebook import describe_rules
from leagues.rulebook.choices import choice_words
from leagues.rulebook.events import describe_events
from leagues.rulebook.rules_text import days
from leagues.rulebook.score_rules import describe_score_rule
from leagues.selectors.matches import last_matches, people_of
from leagues.selectors.started_matches import has_starts
from leagues.services.rules import rules_of

MOST_TRIED = 12
"""How many of the last matches are looked at for one that the board has rated."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A heading and what is said below it."""

    title: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExampleRow:
    """What a match did to one player, as the match page shows it."""

    name: str
    url: str
    expected: str
    before: Rating
    after: Rating
    change: str


@dataclass(frozen=True, slots=True)
class Example:
    """A match of this board, worked out."""

    lead: str
    rows: tuple[ExampleRow, ...]
    why: Reasons
    url: str

    @property
    def has_expected(self) -> bool:
        """Whether the system expects scores at all."""
        return any(row.expected for row in self.rows)


@dataclass(frozen=True, slots=True)
class VersionRow:
    """One version of the rules: since when it holds, and what it changed."""

    since: str
    changes: tuple[str, ...]
    reason: str
    origin: str
    is_current: bool
    is_replaced: bool


@dataclass(frozen=True, slots=True)
class ParameterRow:
    label: str
    value: str
    meaning: str
    is_usual: bool


@dataclass(frozen=True, slots=True)
class RulesPage:
    """Everything the rules page says about one board."""

    system: str
    board: str
    board_url: str
    idea: str
    topics: tuple[Topic, ...]
    example: Example | None
    newcomer_example: str
    versions: tuple[VersionRow, ...]
    parameters: tuple[ParameterRow, ...]
    since: str
    pending: str
    """What is said while the board still shows ratings by other rules."""


def rules_address(board: Board) -> str:
    """The address of what is said about a board's rules."""
    base = reverse("leagues:rules", args=[board.league.slug])
    return f"{base}?{urlencode({'season': board.season.slug, 'board': board.slug})}"


def rules_page(board: Board, *, now: datetime) -> RulesPage:
    """The rules of a board that was read with its season, league and mode."""
    league = board.league
    telling = describe_rules(board.system, bridge.full_parameters(board.system, board.parameters))
    versions = version_rows(board, now=now)
    example = _example(board)
    return RulesPage(
        system=bridge.system_info(board.system).title,
        board=board.name,
        board_url=board_address(board),
        idea=telling.idea,
        topics=(
            Topic(_("What a match changes"), telling.match),
            Topic(_("What counts"), _what_counts(board)),
            Topic(_("When a player is inactive"), (*telling.absence, _inactive(board))),
            *_starts(board),
            Topic(_("How certain a rating is"), telling.sureness),
            Topic(_("Who is ranked"), _who_is_ranked(board, telling.placing_rule)),
        ),
        example=example,
        newcomer_example="" if example else _newcomer_example(board, now),
        versions=versions,
        parameters=_parameters(board),
        since=_span_of(board.rules_since, league, now),
        pending=_pending(board),
    )


def _pending(board: Board) -> str:
    if not board.generation or not bridge.are_rules_pending(board):
        return ""
    return _(
        "The newest rules are still being computed. Until then, leaderboards, profiles and matches "
        "show ratings under the previous rules."
    )


def version_rows(board: Board, *, now: datetime) -> tuple[VersionRow, ...]:
    """Every version of a board's rules, newest first."""
    labels = {row.name: row.label for row in bridge.describe_system(board.system)}
    versions = rules_of(board)
    rows = [
        _version(version, _former(version, versions), board, labels, now) for version in versions
    ]
    return tuple(reversed(rows))


def _former(version: BoardRules, versions: tuple[BoardRules, ...]) -> BoardRules | None:
    """The version that another one is compared with: the one that was made before it."""
    return next((row for row in reversed(versions) if row.number < version.number), None)


def _version(
    version: BoardRules,
    former: BoardRules | None,
    board: Board,
    labels: Mapping[str, str],
    now: datetime,
) -> VersionRow:
    zone = board.league.zone
    changes: tuple[str, ...] = ()
    if former is not None:
        before, after = (
            bridge.full_parameters(board.system, rules.parameters) for rules in (former, version)
        )
        changes = tuple(
            f"{label} {said_value(name, before[name])} → {said_value(name, after[name])}"
            for name, label in labels.items()
            if before[name] != after[name]
        )
    origin = wording.day(day_of(version.created_at, zone), day_of(now, zone))
    if version.author:
        origin = _("%(name)s, %(day)s") % {"name": version.author.get_username(), "day": origin}
    return VersionRow(
        since=_span_of(version.effective_at, board.league, now),
        changes=changes or (_("when the board was created"),),
        reason=version.reason,
        origin=origin,
        is_current=version.parameters == board.parameters
        and version.effective_at == board.rules_since
        and not version.is_replaced,
        is_replaced=version.is_replaced,
    )


def _span_of(since: datetime | None, league: League, now: datetime) -> str:
    if since is None:
        return _("from the first result on")
    zone = league.zone
    local, today = since.astimezone(zone), day_of(now, zone)
    words = (
        wording.day(local.date(), today)
        if since == league.midnight(local.date())
        else wording.moment(since, zone, today)
    )
    return _("from %(day)s on") % {"day": words}


def said_value(name: str, value: Any) -> str:
    """The value of a parameter for a reader."""
    if value is None:
        return pgettext("value of a parameter", "none")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, int | float):
        return f"{value:.6g}".replace("-", wording.MINUS)
    if value == "":
        return pgettext("value of a parameter", "all the same")
    return choice_words(name, str(value))


def _parameters(board: Board) -> tuple[ParameterRow, ...]:
    parameters = bridge.full_parameters(board.system, board.parameters)
    return tuple(
        ParameterRow(
            label=_(row.label),
            value=said_value(row.name, parameters[row.name]),
            meaning=_(row.meaning),
            is_usual=parameters[row.name] == row.default,
        )
        for row in bridge.offered_parameters(board.system, board.parameters)
    )


def _what_counts(board: Board) -> tuple[str, ...]:
    season, league = board.season, board.league
    sentences = [
        _(
            "Every result of “%(mode)s” in %(season)s counts, in the order in which the "
            "matches were played. A late result is inserted at its place, and everything "
            "after it is computed again."
        )
        % {"mode": board.mode.name, "season": season.name}
    ]
    if bridge.rates_events(board):
        parameters = bridge.full_parameters(board.system, board.parameters)
        sentences += describe_events(board.system, parameters)
    if Match.Kind.WALKOVER in rated_kinds(league, season):
        sentences.append(_("A walkover counts as a win without a score."))
    else:
        sentences.append(_("Walkovers are listed but do not count."))
    sentences.append(_("A retirement counts like a match played to the end."))
    if not season.is_sealed:
        # Of its time a sealed season keeps what counted, not what could be entered.
        drawn = _("A match can be drawn.") if league.draws_allowed else _("There are no draws.")
        sentences.append(drawn)
        if possible := describe_score_rule(board.mode.rule_of_scores):
            sentences.append(possible)
    sentences.append(_("Results marked as not rated change nothing."))
    sentences += _about_starts(board)
    if refused := board.refused_matches:
        sentences.append(
            ngettext(
                "%(count)s result is of a kind that this system cannot rate.",
                "%(count)s results are of a kind that this system cannot rate.",
                refused,
            )
            % {"count": wording.count(refused)}
        )
    return tuple(sentences)


def _about_starts(board: Board) -> Iterator[str]:
    """What holds for started matches, where some were started in the season."""
    if not has_starts(board):
        return
    if refusal := bridge.forfeit_refusal(board):
        yield _("Started matches that were left do not count here: %(why)s.") % {"why": refusal}
        return
    yield ngettext(
        "A started match counts as lost by players who start another one, or have no result after "
        "%(count)s hour. They lose by the ratings of its start, and no one gains.",
        "A started match counts as lost by players who start another one, or have no result after "
        "%(count)s hours. They lose by the ratings of its start, and no one gains.",
        board.mode.start_hours,
    ) % {"count": wording.count(board.mode.start_hours)}
    if bridge.system_of(board).orders_only:
        yield ngettext(
            "Who leaves a match falls %(count)s rung.",
            "Who leaves a match falls %(count)s rungs.",
            board.mode.start_rungs,
        ) % {"count": wording.count(board.mode.start_rungs)}
    if board.mode.released_by == Mode.ReleasedBy.PLAYERS:
        yield _("A player of a started match can let the other side go, and so can organizers.")
    else:
        yield _("Organizers and scorers can let players of a started match go.")


def _inactive(board: Board) -> str:
    return _(
        "After %(days)s without a match a player counts as inactive and is listed separately; one "
        "match brings them back."
    ) % {"days": days(board.active_days)}


def _starts(board: Board) -> tuple[Topic, ...]:
    sentences = starts_sentences(board)
    is_about_anchors = bridge.has_anchors(board) and not has_opening(board)
    title = _("Anchors") if is_about_anchors else _("What a player begins with")
    return (Topic(title, sentences),) if sentences else ()


def _who_is_ranked(board: Board, placing_rule: str) -> tuple[str, ...]:
    least = least_games(board)
    if placing_rule:
        text = ngettext(
            "Everyone who is placed.",
            "Everyone who is placed and has at least %(count)s rated results; the standings list "
            "other placed players below, with what is missing.",
            least,
        )
    else:
        text = ngettext(
            "Everyone with a rated result.",
            "Everyone with at least %(count)s rated results; the standings list the others below, "
            "with what is missing.",
            least,
        )
    return (
        text % {"count": wording.small_number(least)},
        *([placing_rule] if placing_rule else []),
        _("Equal numbers share a place: 1, 2, 2, 4."),
    )


def _example(board: Board) -> Example | None:
    """Work out the last match that the board has rated, one of two sides if there is one."""
    if not board.generation:
        return None
    last = last_matches(board, MOST_TRIED)
    # The sort is stable: among matches of two sides the last one comes first, then the others.
    last.sort(key=lambda match: any(row.side > 2 for row in people_of(match)))
    for match in last:
        rated = bridge.rated_matches([board], match).get(board.pk)
        if rated is not None:
            return _worked_out(rated)
    return None


def _worked_out(rated: RatedMatch) -> Example:
    board, match = rated.board, rated.match
    accounts = {row.player_id: row for row in bridge.account_of(rated).accounts}
    people = people_of(match)
    first = people[0]
    words = urlencode({"board": board.slug, "of": first.player.key})
    why = reasons_of(
        rated,
        list(accounts.values()),
        accounts[first.player_id],
        Person(first.player.name, is_me=False),
    )
    return Example(
        lead=_lead(match),
        rows=tuple(_example_row(board, row, accounts[row.player_id]) for row in people),
        why=why,
        url=f"{match_address(match, match.league, match.season)}?{words}",
    )


def _lead(match: Match) -> str:
    """What came out of a match, as a sentence."""
    sides = sides_of(match, None)
    first = [side.names for side in sides if side.is_first]
    words = {
        "day": wording.day(day_of(match.played_at, match.league.zone)),
        "first": wording.listing(first),
    }
    if len(first) == len(sides):
        return _("On %(day)s, %(first)s drew.") % words
    if len(sides) == 2:
        return _("On %(day)s, %(first)s won against %(other)s.") % {
            **words,
            "other": sides[1].names,
        }
    words["count"] = wording.small_number(len(sides))
    if len(first) > 1:
        return _("On %(day)s, %(first)s shared first place of %(count)s.") % words
    return _("On %(day)s, %(first)s came first of %(count)s.") % words


def _example_row(board: Board, row: Participant, change: RatingChange) -> ExampleRow:
    before, after = change.before, change.after
    return ExampleRow(
        name=row.player.name,
        url=player_address(board, row.player.key),
        expected="" if change.expected is None else wording.percent(change.expected),
        before=rating(before),
        after=rating(after),
        change=format_change(board, before.value, after.value, after.decimals),
    )


def _newcomer_example(board: Board, now: datetime) -> str:
    """What a match of two newcomers would change, where there is no real one yet."""
    if board.rated_matches:
        return _(
            "The latest matches cannot be used as an example: someone in them is not placed yet."
        )
    (stake,) = bridge.stakes_against(board, None, [None], now)
    if stake is None:
        return _("No one has played yet. The first match will be explained here.")
    return _(
        "No one has played yet. If two newcomers meet, both at %(before)s, the winner goes to "
        "%(won)s and the loser to %(lost)s."
    ) % {
        "before": wording.number(stake.before, stake.decimals),
        "won": wording.number(stake.won, stake.decimals),
        "lost": wording.number(stake.lost, stake.decimals),
    }
