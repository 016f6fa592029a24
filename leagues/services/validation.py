"""The one place that says whether a match may be stored, whatever door it came through."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from leagues.domain.backdating import is_backdated
from leagues.domain.civil_days import was_skipped
from leagues.domain.event_kinds import has_fitting_opponent, is_event_kind
from leagues.domain.named_weights import LEAST_WEIGHT, MOST_WEIGHT
from leagues.domain.set_scores import SETS_LENGTH, are_sets
from leagues.models import League, Match, Season
from leagues.models.checks import FIRST_INSTANT, LAST_INSTANT
from leagues.models.league import MAX_START_HOURS
from leagues.models.match import (
    ENTERED_KINDS,
    EVENT_MILLISECONDS_LIMIT,
    EVENT_POINTS_LIMIT,
    LEAST_SHARE,
    MAX_HANDICAP,
    SCORE_LIMIT,
    STARTED_KINDS,
    MatchEventKind,
)
from leagues.services.drafts import EventDraft, MatchDraft, MemberDraft
from leagues.services.errors import Problem
from leagues.services.texts import DETAIL_LENGTH, REASON_LENGTH, clean_text

CLOCK_SKEW = timedelta(minutes=5)
MOST_SIDES = 64
MOST_PLAYERS = 128
MOST_EVENTS = 10_000
MOST_REMEMBERED = 10_000
"""Contents of drafts that were found right."""
HINT_LIMIT = 2**53
EXTERNAL_ID_LENGTH = 128
EXTERNAL_ID = re.compile(rf"[A-Za-z0-9._:-]{{1,{EXTERNAL_ID_LENGTH}}}\Z")
KINDS = frozenset(Match.Kind.values)
"""What a stored match can be."""


def problems_of(draft: MatchDraft, *, season: Season, now: datetime) -> list[Problem]:
    """Every reason why `draft` may not be stored in `season`; none means it may."""
    return [
        *_time_problems(draft, season, now),
        *_side_problems(draft, season),
        *_detail_problems(draft),
        *_event_problems(draft),
        *_start_problems(draft),
    ]


class DraftChecks:
    """Checks many drafts for one season, and remembers what was found right of them.

    Most rows of a file say again what others have said, beside their time, players and ids.
    """

    def __init__(self, season: Season, now: datetime) -> None:
        self._season, self._now = season, now
        self._right: set[tuple[Any, ...]] = set()

    def problems_of(self, draft: MatchDraft) -> list[Problem]:
        """What `problems_of` says."""
        if draft.events or draft.start is not None:
            return problems_of(draft, season=self._season, now=self._now)
        said: list[Any] = [draft.played_at, draft.kind, draft.weight, draft.detail, draft.sets]
        members: list[MemberDraft] = []
        for side in draft.sides:
            said += (side.rank, side.score, side.handicap, len(side.members))
            members += side.members
        for one in members:
            said += (one.own_score, one.playing_share, one.leaving)
        key = tuple(said)
        if key in self._right:
            players = () if self._are_fitting(members) else _player_problems(draft, self._season)
            return [*players, *_place_problems(draft)]
        problems = problems_of(draft, season=self._season, now=self._now)
        if not problems:
            if len(self._right) >= MOST_REMEMBERED:
                self._right.clear()
            self._right.add(key)
        return problems

    def _are_fitting(self, members: Sequence[MemberDraft]) -> bool:
        """Whether all are of the league, and nobody plays twice."""
        league_id, keys = self._season.league_id, set()
        for one in members:
            player = one.player
            if player.league_id != league_id:
                return False
            keys.add(player.key)
        return len(keys) == len(members) <= MOST_PLAYERS


def season_problem(season: Season, *, late: bool = False) -> Problem | None:
    """Why `season` takes no results, if it takes none; `late` ones come from organizers."""
    if season.takes_results or (late and season.takes_late_results):
        return None
    return Problem(
        "season",
        "season_closed",
        _("The season “%(season)s” does not accept results: it is %(state)s.")
        % {"season": season.name, "state": season.get_state_display()},
    )


def skipped_problem(played_at: datetime) -> Problem | None:
    """Why a local time cannot be when a match was played, if it cannot."""
    if not was_skipped(played_at):
        return None
    words = _("This time does not exist: the clocks went forward that night.")
    return Problem("played_at", "skipped_time", words)


def backdated_problem(played_at: datetime, *, league: League, now: datetime) -> Problem | None:
    """Why a result may not be dated so by those without the right to backdate."""
    if not is_backdated(league, played_at, now):
        return None
    return Problem(
        "played_at", "backdated", _("Only organizers can enter results older than yesterday.")
    )


def date_problem() -> Problem:
    """What is wrong with a moment outside the years that a league can have."""
    return Problem("played_at", "out_of_range", _("The date must be from 1800 to 2199."))


def reason_problem(reason: str) -> Problem | None:
    """Why `reason` cannot be shown beside a change, if it cannot."""
    return _text_problem("reason", reason, REASON_LENGTH)


def _text_problem(field: str, text: str, most: int) -> Problem | None:
    try:
        clean_text(text, most=most)
    except ValidationError as error:
        return Problem(field, field, error.messages[0])
    return None


def _time_problems(draft: MatchDraft, season: Season, now: datetime) -> Iterator[Problem]:
    played_at = draft.played_at
    if played_at.tzinfo is None:
        yield Problem("played_at", "no_offset", _("The time needs a UTC offset."))
        return
    if not FIRST_INSTANT <= played_at < LAST_INSTANT:
        yield date_problem()
        return
    if played_at > now + CLOCK_SKEW:
        yield Problem("played_at", "in_future", _("The match is in the future."))
    if not season.holds(played_at):
        yield Problem(
            "played_at",
            "outside_season",
            _("The match is outside the season “%(season)s”.") % {"season": season.name},
        )


def _side_problems(draft: MatchDraft, season: Season) -> Iterator[Problem]:
    sides = draft.sides
    if not 2 <= len(sides) <= MOST_SIDES:
        yield Problem(
            "sides", "sides", _("A match must have 2 to %(most)d sides.") % {"most": MOST_SIDES}
        )
        return
    if any(not side.members for side in sides):
        yield Problem("sides", "empty_side", _("Every side needs at least one player."))
        return
    yield from _player_problems(draft, season)
    yield from _rank_problems(draft, season)
    yield from _score_problems(draft, season)
    yield from _handicap_problems(draft)


def _player_problems(draft: MatchDraft, season: Season) -> Iterator[Problem]:
    seen: set[str] = set()
    league_id = season.league_id
    for side in draft.sides:
        for member in side.members:
            player = member.player
            if player.league_id != league_id:
                yield Problem(
                    "sides", "unknown_player", _("This player does not belong to this league.")
                )
            if player.key in seen:
                yield Problem(
                    "sides",
                    "player_twice",
                    _("%(name)s is in this match twice.") % {"name": player.name},
                )
            seen.add(player.key)
            if not LEAST_SHARE <= member.playing_share <= 1.0:
                yield Problem(
                    "playing_share",
                    "playing_share",
                    _("The playing share must be above 0 and at most 1."),
                )
    if len(seen) > MOST_PLAYERS:
        yield Problem(
            "sides",
            "players",
            _("A match can have at most %(most)d players.") % {"most": MOST_PLAYERS},
        )


def _rank_problems(draft: MatchDraft, season: Season) -> Iterator[Problem]:
    ranks = sorted(side.rank for side in draft.sides)
    expected = 1
    for position, rank in enumerate(ranks, start=1):
        if position > 1 and rank != ranks[position - 2]:
            expected = position
        if rank != expected:
            yield Problem(
                "rank",
                "ranks",
                _(
                    "Ranks must start at 1, and the rank after a tie must count every side "
                    "before it (1, 1, 3)."
                ),
            )
            return
    if draft.kind in STARTED_KINDS:
        return
    if ranks[1] == 1 and draft.kind == Match.Kind.WALKOVER:
        words = _("A walkover needs a winner. If neither side came, enter the match as not rated.")
        yield Problem("rank", "walkover_draw", words)
    elif ranks[1] == 1 and not season.league.draws_allowed:
        yield Problem("rank", "draw", _why_no_draw(ranks))


def _why_no_draw(ranks: Sequence[int]) -> str:
    """Why a league without draws has no match with several sides in the first place."""
    if ranks[-1] == 1:
        return _("No side won, and this league has no draws.")
    return _("Sides share the first place, and this league has no draws: one side has to win.")


def _score_problems(draft: MatchDraft, season: Season) -> Iterator[Problem]:
    scores = [side.score for side in draft.sides]
    if any(score is None for score in scores) and any(score is not None for score in scores):
        yield Problem("score", "score_missing", _("Enter a score for every side, or for none."))
    own = [member.own_score for side in draft.sides for member in side.members]
    can_be_negative = season.league.negative_scores
    for score in (*scores, *own):
        if score is None:
            continue
        if not -SCORE_LIMIT <= score <= SCORE_LIMIT:
            words = (
                _("A score must be a whole number from −%(most)d to %(most)d.")
                if can_be_negative
                else _("A score must be a whole number from 0 to %(most)d.")
            )
            yield Problem("score", "score_range", words % {"most": SCORE_LIMIT}, value=str(score))
        elif score < 0 and not can_be_negative:
            words = _("Scores can’t be negative in this league.")
            yield Problem("score", "score_negative", words, value=str(score))


def _handicap_problems(draft: MatchDraft) -> Iterator[Problem]:
    if any(abs(side.handicap) > MAX_HANDICAP for side in draft.sides):
        words = _("A handicap must be a whole number of points from −%(most)d to %(most)d.")
        yield Problem("handicap", "handicap", words % {"most": MAX_HANDICAP})


def _start_problems(draft: MatchDraft) -> Iterator[Problem]:
    """What is wrong with the start of a match."""
    start = draft.start
    if (start is not None) != (draft.kind in STARTED_KINDS):
        words = _("The kind must be one of: %(kinds)s.")
        yield Problem("kind", "kind", words % {"kinds": ", ".join(sorted(ENTERED_KINDS))})
    if start is None:
        if any(member.leaving is not None for side in draft.sides for member in side.members):
            yield Problem("kind", "not_started", _("Only a started match can be left."))
        return
    if len(draft.sides) != 2:
        words = _("Only a match of two sides can be started.")
        yield Problem("sides", "started_sides", words)
    if not start.at <= start.deadline <= start.at + timedelta(hours=MAX_START_HOURS):
        words = _("The time limit of a started match must be at most %(most)d hours.")
        yield Problem("kind", "deadline", words % {"most": MAX_START_HOURS})
    members = [member for side in draft.sides for member in side.members]
    has_result = any(side.score is not None or side.rank != 1 for side in draft.sides)
    has_result |= any(member.own_score is not None for member in members)
    if has_result or draft.events or draft.sets:
        yield Problem("score", "started_score", _("A started match has no score."))


def _event_problems(draft: MatchDraft) -> Iterator[Problem]:
    if not draft.events:
        return
    if len(draft.events) > MOST_EVENTS:
        words = _("A match can have at most %(most)d events.")
        yield Problem("events", "events", words % {"most": MOST_EVENTS})
        return
    present = {member.player.key for side in draft.sides for member in side.members}
    for number, event in enumerate(draft.events, start=1):
        code, words = _event_problem(event, present)
        if code:
            said = _("Event %(number)d: %(problem)s") % {"number": number, "problem": words}
            yield Problem("events", code, said)
            return


def _event_problem(event: EventDraft, present: Collection[str]) -> tuple[str, str]:
    """The code and the words of what is wrong with an event; empty where nothing is."""
    absent = [
        one for one in (event.player, event.opponent) if one is not None and one.key not in present
    ]
    if absent:
        return "event_player", _("%(name)s is not in this match.") % {"name": absent[0].name}
    if not is_event_kind(event.kind):
        words = _("The kind must be one of: %(kinds)s; or own: and a word of the game.")
        return "event_kind", words % {"kinds": ", ".join(MatchEventKind.values)}
    if not has_fitting_opponent(event.kind, has_opponent=event.opponent is not None):
        words = _(
            "A frag, a team kill, damage or an assist has an opponent, other events have none."
        )
        return "event_opponent", words
    if event.opponent is not None and event.opponent.key == event.player.key:
        return "event_opponent", _("The player and the opponent are the same.")
    if not 0.0 <= event.points <= EVENT_POINTS_LIMIT:
        return "event_points", _("The points must be from 0 to %(most)d.") % {
            "most": EVENT_POINTS_LIMIT
        }
    if event.milliseconds is not None and not 0 <= event.milliseconds <= EVENT_MILLISECONDS_LIMIT:
        return "event_time", _("The time since the beginning is out of range.")
    return "", ""


def _sets_problem(draft: MatchDraft) -> str:
    """Why a match cannot have its sets; empty where it can."""
    if len(draft.sides) != 2:
        return _("Only a match of two sides can have sets.")
    if len(draft.sets) > SETS_LENGTH:
        words = _("Written like 11-9 8-11 11-6, the sets can have at most %(most)d characters.")
        return words % {"most": SETS_LENGTH}
    return "" if are_sets(draft.sets) else _("Sets are written like 11-9 8-11 11-6.")


def _detail_problems(draft: MatchDraft) -> Iterator[Problem]:
    if draft.kind not in KINDS:
        yield Problem(
            "kind",
            "kind",
            _("The kind must be one of: %(kinds)s.") % {"kinds": ", ".join(sorted(ENTERED_KINDS))},
        )
    if not LEAST_WEIGHT <= draft.weight <= MOST_WEIGHT:
        yield Problem(
            "weight",
            "weight",
            _("The weight must be above 0 and at most %(most)d.") % {"most": MOST_WEIGHT},
        )
    if draft.detail and (problem := _text_problem("detail", draft.detail, DETAIL_LENGTH)):
        yield problem
    if draft.sets and (words := _sets_problem(draft)):
        yield Problem("sets", "sets", words)
    yield from _place_problems(draft)


def _place_problems(draft: MatchDraft) -> Iterator[Problem]:
    if abs(draft.same_time_order) > HINT_LIMIT:
        yield Problem(
            "same_time_order",
            "same_time_order",
            _("The number that orders matches played at the same time is out of range."),
        )
    if draft.external_id is not None and not EXTERNAL_ID.match(draft.external_id):
        yield Problem(
            "external_id",
            "external_id",
            _("An id has 1 to 128 characters: A–Z, a–z, 0–9, dot, underscore, colon and hyphen."),
        )
