"""Entering and correcting results: one service for the form and the API.

Who is meant by a name, which dates may be entered, what is refused and what is warned of is decided
here. Files are read row by row (`import_reading`) by the same rules of names, dates and refusals;
of the warnings they know the same result and the impossible score, for a file of old results is no
mistake.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from leagues.bridge.ladders import systems_with_challenges
from leagues.jobs.faults import faultpoint
from leagues.models import League, Match, Mode, Player, RequestKey, Revision, Season
from leagues.models.match import STARTED_KINDS
from leagues.services.challenges import challenge_problems, is_same_challenge
from leagues.services.drafts import MatchDraft, SideDraft, positions_by_mode, sets_for_sides
from leagues.services.entry_drafts import (
    NEW,
    Answers,
    MatchEntry,
    SideEntry,
    UnclearNames,
    draft_entries,
    find_players,
    players_of_match,
)
from leagues.services.entry_events import EventEntry, MatchPlayers
from leagues.services.entry_warnings import (
    EntryWarning,
    correction_warnings,
    entry_warnings,
    moved_warnings,
    require_confirmation,
)
from leagues.services.errors import Problem, Refused, refuse
from leagues.services.external_ids import known_matches
from leagues.services.leagues import ensure_boards
from leagues.services.likeness import similar_players
from leagues.services.match_moving import move_checked, refuse_move, refuse_outside
from leagues.services.matches import check_drafts, correct_checked, lock_match, record_checked
from leagues.services.moved_matches import refuse_moved
from leagues.services.rated_boards import RatedBoards, rated_boards
from leagues.services.revisions import LockedSeason, lock_season, lock_seasons
from leagues.services.short_names import with_short_names
from leagues.services.stored_drafts import draft_of
from leagues.services.untimed_results import with_moments
from leagues.services.validation import backdated_problem
from leagues.store.joint_commits import commit_jointly
from leagues.store.prepared import insert_row, prepare
from ratings.files.names import fold_name

Result = TypeVar("Result")

MAX_GUESSED = 10
"""Unknown names of one call for which players of similar names are looked for."""


@dataclass(frozen=True, slots=True)
class Enterer:
    """Who enters results, and with which rights.

    `source` marks the results and outlives a token; `is_asked` says that it is a person, who can
    answer questions.
    """

    source: str
    author: User | None
    may_backdate: bool
    may_be_late: bool
    is_asked: bool = False


@dataclass(frozen=True, slots=True)
class RequestName:
    """A request's name and the hash of what it says, by which a repetition is recognised."""

    key: str
    payload_hash: str


@dataclass(frozen=True, slots=True)
class Entered:
    """What a call did: its matches in the order sent, how many were there before, warnings.

    `drafts` say the same as the matches where all of them were stored by this call.
    """

    revision: Revision
    matches: tuple[Match, ...]
    already_there: int
    warnings: tuple[EntryWarning, ...] = ()
    drafts: tuple[MatchDraft, ...] = ()


@dataclass(frozen=True, slots=True)
class Correction:
    """What a correction says: other sides, if any, and other values of fields.

    `keeps_members` says that points and shares of players who stay are kept, and the handicaps of
    their sides where another is not said. Without `events`
    those of the match stay, and without sets among the fields its sets, for the sides that they
    belong to. `season` is where the result belongs, if not where it is.
    """

    sides: tuple[SideEntry, ...] | None
    fields: Mapping[str, Any]
    keeps_members: bool = False
    events: tuple[EventEntry, ...] | None = None
    season: Season | None = None


def enter_results(
    *,
    season: Season,
    mode: Mode,
    entries: Sequence[MatchEntry],
    enterer: Enterer,
    kind: str,
    answers: Answers,
    confirmed: Collection[str] = (),
    request: RequestName | None = None,
) -> Entered:
    """Store results as one revision, all or none; holds the season from the first look on.

    Those that name no mode of their own are results of `mode`. Raises Refused with every reason,
    UnclearNames where only names are in the way, and, for a person, NeedsConfirmation. A request
    sent again under its name does nothing and answers as the first time; the name with other
    content is refused.
    """

    def attempt(answers: Answers) -> Entered:
        faultpoint("before_season_lock")
        held = lock_season(season.pk)
        faultpoint("after_season_lock")
        held.league = season.league
        known = _known_request(season.league_id, enterer, request)
        if known is not None:
            return _repeat(known, entries, enterer)
        entered = _enter(held, mode, entries, enterer, kind, answers, confirmed)
        if request is not None:
            insert_row(
                RequestKey(
                    league_id=season.league_id,
                    source=enterer.source,
                    key=request.key,
                    payload_hash=request.payload_hash,
                    revision=entered.revision,
                )
            )
        faultpoint("before_entry_commit")
        return entered

    def attempt_twice(answers: Answers) -> Entered:
        try:
            return commit_jointly(partial(attempt, answers), season=season.pk)
        except IntegrityError:
            # Another season's request took the same name or created the same player first.
            return commit_jointly(partial(attempt, answers), season=season.pk)

    matches = [entry.sides for entry in entries]
    entered = _with_new_names(attempt_twice, answers, season.league, enterer, matches)
    faultpoint("after_entry_commit")
    return entered


def correct_result(
    *,
    match: Match,
    version: int,
    correction: Correction,
    enterer: Enterer,
    answers: Answers,
    confirmed: Collection[str] = (),
    reason: str = "",
) -> Revision | None:
    """Replace what a match says, or its season; None where that is so already.

    Holds the season from the first look on, and all seasons of the league to move it. Raises
    Refused, UnclearNames and NeedsConfirmation as `enter_results`, and Conflict where the stored
    version is another.
    """

    def attempt(answers: Answers) -> Revision | None:
        with transaction.atomic():
            target = _lock_target(match, correction)
            held, stored = lock_match(match, version)
            _refuse_start(stored)
            if target is not None:
                refuse_move(stored, target, late=enterer.may_be_late)
            elif stored.status == Match.Status.VOID:
                refuse_moved(stored)
            before = draft_of(stored)
            draft, newcomers = _correct(before, correction, stored.league, answers)
            _check_correction(stored, before, draft, target, enterer, confirmed)
            save = (
                partial(correct_checked, before=before)
                if target is None
                else partial(move_checked, target=target)
            )
            revision = save(
                held,
                stored,
                draft=draft,
                author=enterer.author,
                reason=reason,
                source=enterer.source,
            )
            if revision is not None:
                _attribute(newcomers, revision, enterer)
            return revision

    sides = correction.sides or ()
    return _with_new_names(attempt, answers, match.league, enterer, [sides], replaced=match)


def _refuse_start(match: Match) -> None:
    """Refuse to correct a start: its result is entered, and it can be void."""
    if match.kind in STARTED_KINDS:
        words = _("This match has started and has no result to correct. Enter its result instead.")
        raise Refused([Problem("kind", "no_result", words)])


def _lock_target(match: Match, correction: Correction) -> LockedSeason | None:
    """Lock all seasons of the league where a correction moves a match; the one it is moved to."""
    if correction.season is None or correction.season.pk == match.season_id:
        return None
    lock_seasons(match.league_id)
    target = lock_season(correction.season.pk)
    target.league = match.league
    return target


def _check_correction(
    stored: Match,
    before: MatchDraft,
    draft: MatchDraft,
    target: LockedSeason | None,
    enterer: Enterer,
    confirmed: Collection[str],
) -> None:
    """Refuse a draft that may not replace a match, in its season or in the one it is moved to."""
    now, season = timezone.now(), target or stored.season
    if draft.played_at != before.played_at:
        _check_dates([draft], stored.league, enterer, now=now, stored={})
    refuse_outside(draft, season, origin=stored.season)
    check_drafts([draft], season=season, now=now)
    if stored.status == Match.Status.LIVE and (target or not is_same_challenge(before, draft)):
        replaced = None if target else stored
        refuse(challenge_problems([draft], season=season, mode=stored.mode, replaced=replaced))
    if enterer.is_asked:
        warnings = list(correction_warnings(before, draft, stored.mode))
        if target is not None:
            warnings += moved_warnings(draft, season=target, mode=stored.mode, now=now)
        require_confirmation(warnings, confirmed)


def _with_new_names(
    attempt: Callable[[Answers], Result],
    answers: Answers,
    league: League,
    enterer: Enterer,
    matches: Sequence[Sequence[SideEntry]],
    replaced: Match | None = None,
) -> Result:
    """Try with the answers given; of a person, names that nobody is like are new players' then."""
    try:
        return attempt(answers)
    except UnclearNames as unclear:
        known = _with_candidates(unclear, league, enterer)
        if not enterer.is_asked:
            raise known from None
        if any(not name.answer for name in known.questions):
            keys = _keys_of(replaced) if replaced else ()
            raise with_short_names(known, league, matches, keys) from None
    added = {fold_name(name): NEW for name in known.newcomers}
    return attempt(replace(answers, chosen={**added, **answers.chosen}))


def _keys_of(match: Match) -> list[str]:
    """The keys of those who play in a match as it is stored."""
    return [row.player.key for row in match.participants.select_related("player")]


def _attribute(newcomers: Collection[Player], revision: Revision, enterer: Enterer) -> None:
    """Let those whom a person added be listed as long as a result of theirs counts.

    So whoever undoes a misspelt result is rid of its player too. Programs name players on purpose.
    """
    if newcomers and enterer.is_asked:
        keys = [player.pk for player in newcomers]
        Player.objects.filter(pk__in=keys).update(revision=revision)


def _enter(
    season: LockedSeason,
    mode: Mode,
    entries: Sequence[MatchEntry],
    enterer: Enterer,
    kind: str,
    answers: Answers,
    confirmed: Collection[str],
) -> Entered:
    league = season.league
    now = timezone.now()
    known = known_matches(league.pk, enterer.source, (entry.external_id for entry in entries))
    _check_dates(entries, league, enterer, now=now, stored=known)
    drafts, newcomers = draft_entries(entries, league=league, answers=answers)
    drafts = with_moments(entries, drafts, season=season, mode=mode, known=known)
    check_drafts(drafts, season=season, now=now)
    boards = _boards_of(drafts, season, mode)
    _check_challenges(drafts, season, mode, known, boards)
    warnings = entry_warnings(drafts, season=season, mode=mode, now=now, stored_ids=known)
    if enterer.is_asked:
        require_confirmation(warnings, confirmed)
    for one in positions_by_mode(drafts, mode):
        if one.pk not in boards:
            ensure_boards(season=season, mode=one)
    recorded = record_checked(
        season=season,
        mode=mode,
        drafts=drafts,
        known=known,
        author=enterer.author,
        source=enterer.source,
        kind=kind,
        late=enterer.may_be_late,
        boards=boards,
    )
    _attribute(newcomers, recorded.revision, enterer)
    return Entered(
        recorded.revision,
        recorded.matches,
        recorded.already_there,
        tuple(warnings),
        () if recorded.already_there else tuple(drafts),
    )


def _boards_of(
    drafts: Sequence[MatchDraft], season: LockedSeason, mode: Mode
) -> dict[int, RatedBoards]:
    """The boards of the drafts' modes; of those that are rated already."""
    boards = {
        one.pk: rated_boards(season_id=season.pk, mode_id=one.pk)
        for one in positions_by_mode(drafts, mode)
    }
    return {mode_id: found for mode_id, found in boards.items() if found is not None}


def _check_challenges(
    drafts: Sequence[MatchDraft],
    season: Season,
    mode: Mode,
    known: Mapping[str, Match],
    boards: Mapping[int, RatedBoards],
) -> None:
    """Refuse what the ladders of the drafts' modes forbid."""
    problems: list[Problem] = []
    for one, positions in positions_by_mode(drafts, mode).items():
        systems = boards[one.pk].systems if one.pk in boards else frozenset()
        if systems.isdisjoint(systems_with_challenges()):
            continue
        of_mode = [drafts[index] for index in positions]
        problems += (
            replace(problem, index=positions[problem.index or 0])
            for problem in challenge_problems(of_mode, season=season, mode=one, stored_ids=known)
        )
    refuse(problems)


def _correct(
    before: MatchDraft, correction: Correction, league: League, answers: Answers
) -> tuple[MatchDraft, tuple[Player, ...]]:
    if correction.sides is None:
        players = players_of_match(before.sides)
        return _with_events(replace(before, **correction.fields), correction, players), ()
    people = find_players([correction.sides], league=league, answers=answers)
    (sides,) = people.sides
    players = players_of_match(sides, correction.sides)
    if correction.keeps_members:
        sides = _with_known_members(before, sides, correction.sides)
    values = {"sets": sets_for_sides(before, sides), **correction.fields}
    draft = replace(before, **values, sides=sides)
    return _with_events(draft, correction, players), people.newcomers


def _with_known_members(
    before: MatchDraft, sides: Sequence[SideDraft], entered: Sequence[SideEntry]
) -> tuple[SideDraft, ...]:
    """Sides with what is stored of their players, and of handicaps where nothing is said."""
    known = {member.player.pk: member for side in before.sides for member in side.members}
    handicaps = {
        member.player.pk: side.handicap for side in before.sides for member in side.members
    }
    return tuple(
        replace(
            side,
            members=tuple(known.get(member.player.pk, member) for member in side.members),
            handicap=next(
                (stored for member in side.members if (stored := handicaps.get(member.player.pk))),
                0,
            )
            if entry.handicap is None
            else side.handicap,
        )
        for side, entry in zip(sides, entered, strict=True)
    )


def _with_events(draft: MatchDraft, correction: Correction, players: MatchPlayers) -> MatchDraft:
    if correction.events is None:
        return draft
    problems: list[Problem] = []
    events = players.drafts_of(correction.events, problems)
    refuse(problems)
    return replace(draft, events=events)


def _check_dates(
    entries: Sequence[MatchEntry | MatchDraft],
    league: League,
    enterer: Enterer,
    *,
    now: datetime,
    stored: Collection[str],
) -> None:
    """Refuse what is older than the enterer may date; what is stored already may be sent again."""
    if enterer.may_backdate:
        return
    problems = [
        replace(problem, index=index)
        for index, entry in enumerate(entries)
        if (entry.external_id or "") not in stored
        and (problem := backdated_problem(entry.played_at, league=league, now=now))
    ]
    refuse(problems)


def _known_request(
    league_id: int, enterer: Enterer, request: RequestName | None
) -> RequestKey | None:
    if request is None:
        return None
    rows = _request_keys(league=league_id, source=enterer.source, key=request.key)
    known = next(iter(rows), None)
    if known is not None and known.payload_hash != request.payload_hash:
        words = _("This idempotency key was already used for a different request.")
        raise Refused([Problem("Idempotency-Key", "key_reused", words)])
    return known


@prepare
def _request_keys(*, league: int, source: str, key: str) -> QuerySet[RequestKey, RequestKey]:
    rows = RequestKey.objects.filter(league=league, source=source, key=key)
    return rows.select_related("revision")


def _repeat(known: RequestKey, entries: Sequence[MatchEntry], enterer: Enterer) -> Entered:
    """Find the matches again: those with an id by it, the others in their order of entry."""
    ids = (entry.external_id for entry in entries)
    by_id = known_matches(known.league_id, enterer.source, ids)
    unnamed = known.revision.matches.filter(external_id=None).select_related("season", "mode")
    rest = iter(unnamed.order_by("seq"))
    matches = tuple(by_id.get(entry.external_id or "") or next(rest) for entry in entries)
    return Entered(known.revision, matches, len(matches))


def _with_candidates(unclear: UnclearNames, league: League, enterer: Enterer) -> UnclearNames:
    """Name the players of similar names for names that nobody bears; nothing is held any more."""
    unknown = dict.fromkeys(
        [
            *(problem.name for problem in unclear.problems if not problem.candidates),
            *(name.name for name in unclear.names if not name.candidates),
        ]
    )
    guessed = list(unknown)[: None if enterer.is_asked else MAX_GUESSED]
    similar = similar_players(league, guessed, knows_spellings=True)
    return UnclearNames(
        [
            replace(problem, candidates=problem.candidates or similar.get(problem.name, ()))
            for problem in unclear.problems
        ],
        [
            replace(name, candidates=name.candidates or similar.get(name.name, ()))
            for name in unclear.names
        ],
    )
