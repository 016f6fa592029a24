"""What of a result may be a mistake, although nothing stands against storing it.

A person is asked, and says that it is none; a program is told with the answer, for two real
results can be equal.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import QuerySet

from leagues.domain.impossible_scores import why_contradictory, why_impossible
from leagues.domain.score_rules import ScoreKind, ScoreRule
from leagues.domain.set_scores import read_sets
from leagues.models import Match, Mode, Season
from leagues.services.batches import batches
from leagues.services.drafts import (
    MatchDraft,
    payload_hash,
    positions_by_mode,
)
from leagues.services.mode_fit import ModeFit, WrongMode, have_same_sides
from leagues.services.near_results import (
    MAX_COMPARED,
    RESULT_COLUMNS,
    SAME_WITHIN,
    StoredResult,
    is_near,
    newest,
    read_near_results,
)
from leagues.services.result_contents import (
    GivenSide,
    ResultContent,
    content_of_draft,
    in_order,
    result_content,
    sides_by_match,
)
from leagues.store.prepared import prepare
from ratings.files.scores import sets_won

FAR_BEFORE = timedelta(days=366)
MARK_LENGTH = 16


class WarningKind(StrEnum):
    """What may be wrong with a result.

    A new kind needs its words in `pages/entry_warnings.py`, its code in `api/warnings.py` and,
    where it holds for files too, its line in `import_reading.py`.
    """

    SAME_RESULT = "again"
    EARLY_DATE = "old"
    REPEATED = "twice"
    IMPOSSIBLE_SCORE = "score"
    CONTRADICTION = "contradiction"
    WRONG_MODE = "mode"
    UNEVEN_SIDES = "sides"


@dataclass(frozen=True, slots=True)
class EntryWarning:
    """Something that may be wrong with one of the results entered, and what it is judged by.

    `code` belongs to this result: who confirms it confirms no other. `same` is the stored result
    that says the same, `first_at` when the season's first result was played, `earlier` the position
    of a result of this call that says the same, `reason` why its score cannot be, or not with its
    winner, why it is none of its mode, of which `wrong_mode` has more, or how many play.
    """

    kind: WarningKind
    code: str
    index: int
    draft: MatchDraft
    same: StoredResult | None = None
    first_at: datetime | None = None
    earlier: int | None = None
    reason: str = ""
    wrong_mode: WrongMode | None = None

    @property
    def has_score(self) -> bool:
        """Whether its result has one."""
        return any(side.score is not None for side in self.draft.sides)

    def among(self, positions: Sequence[int]) -> EntryWarning:
        """The warning where the results that it counts stand at these positions among others."""
        earlier = None if self.earlier is None else positions[self.earlier]
        return replace(self, index=positions[self.index], earlier=earlier)


class NeedsConfirmation(Exception):
    """Nothing was written: results may be mistakes, and nobody said yet that they are none."""

    def __init__(self, warnings: Sequence[EntryWarning]) -> None:
        self.warnings = tuple(warnings)
        super().__init__(", ".join(warning.code for warning in warnings))


def entry_warnings(
    drafts: Sequence[MatchDraft],
    *,
    season: Season,
    mode: Mode,
    now: datetime,
    stored_ids: Collection[str] = (),
) -> list[EntryWarning]:
    """The warnings about new results; none about those whose ids are stored already.

    Each is compared with the results of its own mode: `mode`, where it names none.
    """
    warnings: list[EntryWarning] = []
    for one, positions in positions_by_mode(drafts, mode).items():
        of_mode = [drafts[index] for index in positions]
        found = _warnings_of_mode(of_mode, season=season, mode=one, now=now, stored_ids=stored_ids)
        warnings += (warning.among(positions) for warning in found)
    return sorted(warnings, key=lambda warning: warning.index)


def _warnings_of_mode(
    drafts: Sequence[MatchDraft],
    *,
    season: Season,
    mode: Mode,
    now: datetime,
    stored_ids: Collection[str],
) -> list[EntryWarning]:
    stored = StoredResults(read_near_results(drafts, season, mode), season.league.zone)
    first_at = _first_match_at(season) if _any_before(now - FAR_BEFORE, drafts) else now
    warnings = []
    contents = [content_of_draft(draft) for draft in drafts]
    for index, draft in enumerate(drafts):
        if draft.external_id in stored_ids:
            continue
        same = stored.find(draft, contents[index])
        if same is not None:
            code = _code(WarningKind.SAME_RESULT, draft)
            warnings.append(EntryWarning(WarningKind.SAME_RESULT, code, index, draft, same=same))
        if draft.played_at < (first_at or now) - FAR_BEFORE:
            code = _code(WarningKind.EARLY_DATE, draft)
            warnings.append(
                EntryWarning(WarningKind.EARLY_DATE, code, index, draft, first_at=first_at)
            )
    warnings += _repeated_results(drafts, contents, stored_ids)
    warnings += doubtful_scores(drafts, mode.rule_of_scores, stored_ids)
    warnings += _of_sides(drafts, mode, stored_ids)
    return warnings


def _repeated_results(
    drafts: Sequence[MatchDraft], contents: Sequence[ResultContent], stored_ids: Collection[str]
) -> Iterator[EntryWarning]:
    """Yield the warnings about results of one call that say the same as one before them."""
    earlier: dict[ResultContent, list[int]] = {}
    for index, draft in enumerate(drafts):
        if draft.external_id in stored_ids:
            continue
        alike = earlier.setdefault(contents[index], [])
        near = next((one for one in alike if _may_be_one(drafts[one], draft)), None)
        if near is not None:
            # The third of a kind is another question than the second.
            code = f"{_code(WarningKind.REPEATED, draft)}-{len(alike)}"
            yield EntryWarning(WarningKind.REPEATED, code, index, draft, earlier=near)
        alike.append(index)


def correction_warnings(
    before: MatchDraft, after: MatchDraft, mode: Mode
) -> tuple[EntryWarning, ...]:
    """The warnings about a correction: of what it changes among score, winner and sides."""
    warnings: list[EntryWarning] = []
    if _score_of(before) != _score_of(after):
        warnings += doubtful_scores([after], mode.rule_of_scores)
    if not have_same_sides(before, after):
        warnings += _of_sides([after], mode)
    return tuple(warnings)


def moved_warnings(
    draft: MatchDraft, *, season: Season, mode: Mode, now: datetime
) -> list[EntryWarning]:
    """The warnings about a result that is moved to another season: of what stands there already."""
    of_others = (WarningKind.SAME_RESULT, WarningKind.EARLY_DATE, WarningKind.REPEATED)
    warnings = entry_warnings([draft], season=season, mode=mode, now=now)
    return [warning for warning in warnings if warning.kind in of_others]


def _score_of(draft: MatchDraft) -> tuple[Any, ...]:
    """What a score is judged by."""
    sets = read_sets(draft.sets or draft.detail)
    return draft.kind, sets, [(side.rank, side.score) for side in draft.sides]


def _of_sides(
    drafts: Sequence[MatchDraft], mode: Mode, stored_ids: Collection[str] = ()
) -> Iterator[EntryWarning]:
    """Yield the warnings about results with other sides than the mode is for, or uneven ones."""
    fit = ModeFit(mode)
    for index, draft in enumerate(drafts):
        if draft.external_id in stored_ids:
            continue
        for kind, reason in side_reasons(draft, fit):
            wrong, code = fit.wrong_mode(draft), _code(kind, draft)
            yield EntryWarning(kind, code, index, draft, reason=reason, wrong_mode=wrong)


def side_reasons(draft: MatchDraft, fit: ModeFit) -> Iterator[tuple[WarningKind, str]]:
    """Yield why the sides of a result may be a mistake, in sentences."""
    if wrong := fit.wrong_mode(draft):
        yield WarningKind.WRONG_MODE, wrong.reason
    elif reason := fit.why_uneven(draft):
        yield WarningKind.UNEVEN_SIDES, reason


def doubtful_scores(
    drafts: Sequence[MatchDraft], rule: ScoreRule, stored_ids: Collection[str] = ()
) -> Iterator[EntryWarning]:
    """Yield the warnings about scores that the mode's rule does not know, or against the winner."""
    for index, draft in enumerate(drafts):
        if draft.external_id in stored_ids:
            continue
        for kind, reason in score_reasons(draft, rule):
            yield EntryWarning(kind, _code(kind, draft), index, draft, reason=reason)


def score_reasons(draft: MatchDraft, rule: ScoreRule) -> Iterator[tuple[WarningKind, str]]:
    """Yield why a score may be a mistake, in sentences."""
    if reason := score_problem(draft, rule):
        yield WarningKind.IMPOSSIBLE_SCORE, reason
    if reason := contradiction_problem(draft, rule):
        yield WarningKind.CONTRADICTION, reason


def score_problem(draft: MatchDraft, rule: ScoreRule) -> str:
    """Why a result cannot have ended so by a score rule, in a sentence; empty where it can.

    Rules are about matches of two sides.
    """
    has_sets = bool(draft.sets or draft.detail)
    if len(draft.sides) != 2 or (rule.kind is ScoreKind.ANY and not has_sets):
        return ""
    one, two = draft.sides
    has_score = one.score is not None and two.score is not None
    return why_impossible(
        rule,
        score=(one.score or 0, two.score or 0) if has_score else None,
        ranks=(one.rank, two.rank),
        sets=read_sets(draft.sets or draft.detail) if has_sets else (),
        is_finished=draft.kind == Match.Kind.PLAYED,
    )


def contradiction_problem(draft: MatchDraft, rule: ScoreRule) -> str:
    """Why the ranks of a result are not what its score says, in a sentence; empty where they are.

    The ranks decide all the same. Whoever retires, or does not come, loses whatever the score.
    Without a score the sets are one where a rule says that sets are counted.
    """
    if draft.kind in (Match.Kind.RETIREMENT, Match.Kind.WALKOVER):
        return ""
    scores = [side.score for side in draft.sides]
    if rule.kind is ScoreKind.SETS and scores == [None, None]:
        sets = read_sets(draft.sets or draft.detail)
        scores = [*sets_won(sets)] if sets else scores
    places = [
        (side.rank, score)
        for side, score in zip(draft.sides, scores, strict=True)
        if score is not None
    ]
    return why_contradictory(places) if len(places) == len(scores) else ""


def _may_be_one(one: MatchDraft | StoredResult, other: MatchDraft | StoredResult) -> bool:
    """Whether two results may be one by their times: of those without a time, of one day."""
    if one.date_only or other.date_only:
        return one.date_only and other.date_only and one.played_at == other.played_at
    return abs(one.played_at - other.played_at) <= SAME_WITHIN


def _code(kind: WarningKind, draft: MatchDraft) -> str:
    return f"{kind}-{payload_hash(draft)[:MARK_LENGTH]}"


def require_confirmation(warnings: Sequence[EntryWarning], confirmed: Collection[str]) -> None:
    """Raise NeedsConfirmation unless everything was confirmed."""
    if any(warning.code not in confirmed for warning in warnings):
        raise NeedsConfirmation(warnings)


class StoredResults:
    """Stored results, the newest first, by what they say beside their time."""

    def __init__(self, results: Sequence[StoredResult], zone: ZoneInfo) -> None:
        self.zone = zone
        self.by_content: dict[ResultContent, list[StoredResult]] = {}
        sides = sides_by_match([result.match_id for result in results])
        for result in results:
            words = (result.kind, result.weight, result.detail, result.sets)
            content = result_content(*words, in_order(sides.get(result.match_id, {})))
            self.by_content.setdefault(content, []).append(result)

    @classmethod
    def of_others(cls, season: Season, mode: Mode, sources: Collection[str]) -> StoredResults:
        """Read the newest results of a season and mode that came another way than from sources."""
        matches = Match.objects.live().filter(season_id=season.pk, mode_id=mode.pk)
        rows = newest(matches.exclude(source__in=sources))
        return cls([StoredResult(*row) for row in rows], season.league.zone)

    def find(self, draft: MatchDraft, content: ResultContent | None = None) -> StoredResult | None:
        """The newest result that says the same and is near in time."""
        if not self.by_content:
            return None
        alike = self.by_content.get(content or content_of_draft(draft), ())
        return next((result for result in alike if is_near(draft, result, self.zone)), None)


def repeated_among(
    matches: QuerySet[Match], others: QuerySet[Match], renamed: Mapping[str, str]
) -> list[tuple[int, int]]:
    """Which of some results say the same as which others once players have other keys.

    Of one mode of a season, within two hours or on one day: by the ids of the matches.
    """
    by_mode: dict[tuple[Any, ...], list[StoredResult]] = {}
    columns = ("season", "mode", *RESULT_COLUMNS)
    for season, mode, *row in others.order_by("played_at", "pk").values_list(*columns):
        by_mode.setdefault((season, mode), []).append(StoredResult(*row))
    near = []
    for season, mode, *row in matches.order_by("played_at", "pk").values_list(*columns):
        result = StoredResult(*row)
        alike = by_mode.get((season, mode), [])
        first = bisect_left(alike, result.played_at - SAME_WITHIN, key=_time_of)
        last = bisect_right(alike, result.played_at + SAME_WITHIN, key=_time_of)
        near += [(result, other) for other in alike[first:last] if _may_be_one(result, other)]
    contents = contents_of({one for pair in near for one in pair}, renamed)
    return [
        (one.match_id, other.match_id)
        for one, other in near
        if contents[one.match_id] == contents[other.match_id]
    ]


def _time_of(result: StoredResult) -> datetime:
    return result.played_at


def contents_of(
    results: Collection[StoredResult], renamed: Mapping[str, str]
) -> dict[int, ResultContent]:
    """What stored results say beside their times, with other keys for some players."""
    contents = {}
    for some in batches(sorted(results), MAX_COMPARED):
        sides = sides_by_match([result.match_id for result in some])
        for result in some:
            named: list[GivenSide] = []
            for (rank, score, members), given in in_order(sides.get(result.match_id, {})):
                people = [(renamed.get(key, key), own, share) for key, own, share in members]
                named.append(((rank, score, people), given))
            words = (result.kind, result.weight, result.detail, result.sets)
            contents[result.match_id] = result_content(*words, named)
    return contents


def _any_before(moment: datetime, drafts: Sequence[MatchDraft]) -> bool:
    """Whether any result is that old: no stored one is later than now."""
    return any(draft.played_at < moment for draft in drafts)


def _first_match_at(season: Season) -> datetime | None:
    rows = _first_moments(season=season.pk)
    return rows[0][0] if rows else None


@prepare
def _first_moments(*, season: int) -> QuerySet[Match, tuple[datetime]]:
    matches = Match.objects.live().filter(season=season)
    return matches.order_by("played_at", "same_time_order", "seq").values_list("played_at")[:1]
