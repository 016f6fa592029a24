"""What the lines of a night sheet mean in a league; nothing is written."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import wording
from leagues.domain.civil_days import came_twice, day_of
from leagues.domain.named_weights import USUAL_WEIGHT, weight_called
from leagues.models import League, Match, Mode, Season
from leagues.models.checks import FIRST_INSTANT, LAST_INSTANT
from leagues.services.drafts import MatchDraft
from leagues.services.entry import Enterer
from leagues.services.entry_drafts import (
    NEW,
    Answers,
    MatchEntry,
    PlayerEntry,
    ProposedDrafts,
    SideEntry,
    UnclearName,
    propose_drafts,
)
from leagues.services.entry_warnings import EntryWarning, WarningKind, entry_warnings
from leagues.services.errors import Problem
from leagues.services.line_modes import HeadingGroup, LineGroup, LineModes
from leagues.services.night_names import arrivals_among, with_players
from leagues.services.rosters import spellings
from leagues.services.sheet_headings import (
    Headings,
    NamedMode,
    answer_key,
    day_said_by,
    headings_of,
    name_in,
    unknown_name_in,
)
from leagues.services.sheet_meanings import is_of_two_nights
from leagues.services.tried_changes import MAX_MATCHES
from leagues.services.untimed_results import with_moments
from leagues.services.validation import (
    backdated_problem,
    problems_of,
    season_problem,
    skipped_problem,
)
from ratings.files.names import fold_name
from ratings.files.problems import LineProblem
from ratings.files.scores import split_sets
from ratings.files.written import WrittenMatch
from ratings.files.written_days import DAY_LINE
from ratings.files.written_sides import known_names
from ratings.files.written_text import read_lines
from ratings.files.written_words import KnowsName

MAX_KNOWN: Final = 20_000
"""Names of a league by which words without a mark between them are divided."""
_READABLE_YEARS: Final = range(FIRST_INSTANT.year, LAST_INSTANT.year)


@dataclass(frozen=True, slots=True)
class SheetLine:
    """A line that says something: a match, the day or mode of those below, or nothing readable.

    `heading` is the mode that the line names, `named` the one that holds for a match, `stamped_day`
    the day that the line of a match says itself, where it is not the one above. `unknown` is the
    name that a line has for those below it and that no mode is called, and it holds for these.
    `draft` is there where every name is clear; `comes_twice` where the clocks showed its time
    twice, and the first is meant.
    """

    number: int
    text: str
    day: date | None = None
    match: WrittenMatch | None = None
    entry: MatchEntry | None = None
    draft: MatchDraft | None = None
    problems: tuple[Problem, ...] = ()
    warnings: tuple[EntryWarning, ...] = ()
    comes_twice: bool = False
    heading: Mode | None = None
    named: Mode | None = None
    unknown: str = ""
    stamped_day: date | None = None


@dataclass(frozen=True, slots=True)
class SheetReading:
    """All lines of a sheet, and the names that are asked or were answered.

    `problem` stands against the sheet as a whole; `answers` has those given and, as new players,
    the names that nobody's is like. `arrivals` are those present who would be new players too.
    `groups` are the lines that the mode of the sheet is not for; `accepted` confirms those of them
    that are to be recorded in it all the same. `heading_groups` are headings of several meanings.
    """

    lines: tuple[SheetLine, ...]
    names: tuple[UnclearName, ...]
    problem: str
    answers: Answers
    arrivals: tuple[str, ...] = ()
    groups: tuple[LineGroup, ...] = ()
    accepted: tuple[str, ...] = ()
    heading_groups: tuple[HeadingGroup, ...] = ()

    @property
    def questions(self) -> tuple[UnclearName, ...]:
        return tuple(name for name in self.names if not name.is_plainly_new)

    @property
    def newcomers(self) -> tuple[str, ...]:
        return tuple(name.name for name in self.names if name.is_plainly_new)

    @property
    def matches(self) -> tuple[SheetLine, ...]:
        """The lines whose matches can be understood, in the order in which they are entered."""
        return tuple(line for line in self.lines if line.entry is not None)

    @property
    def sound_matches(self) -> int:
        """How many of them have no problem."""
        return sum(not line.problems for line in self.matches)

    @property
    def warnings(self) -> tuple[EntryWarning, ...]:
        return tuple(warning for line in self.lines for warning in line.warnings)

    @property
    def bad_lines(self) -> int:
        return sum(bool(line.problems) for line in self.lines)

    @property
    def open_questions(self) -> int:
        return sum(not name.answer for name in self.questions)

    def is_open(self, line: SheetLine) -> bool:
        """Whether nobody has said yet in which mode a line is recorded."""
        return any(line.number in one.numbers and one.chosen is None for one in self.groups)

    @property
    def open_lines(self) -> int:
        """How many lines nobody has said a mode for."""
        groups: tuple[LineGroup | HeadingGroup, ...] = (*self.groups, *self.heading_groups)
        return sum(len(group.numbers) for group in groups if group.chosen is None)

    @property
    def can_be_entered(self) -> bool:
        """Whether nothing is in the way but what has to be confirmed."""
        to_do = self.bad_lines + self.open_questions + self.open_lines
        return bool(self.matches and not self.problem and not to_do)


def read_sheet(
    text: str,
    *,
    season: Season,
    mode: Mode,
    day: date,
    answers: Answers,
    enterer: Enterer,
    present: Collection[str] = (),
    line_modes: Mapping[str, str] | None = None,
) -> SheetReading:
    """Read every line of a sheet as it would be entered now, on that day if it names none.

    A name that is short for several players means the only one of them who is `present`. Lines of
    a shape that the mode is not for are of the one in `line_modes`, and those below the name of a
    mode are of that one.
    """
    league, now = season.league, timezone.now()
    today = day_of(now, league.zone)
    known = [*spellings(league, MAX_KNOWN), *answers.chosen, *present]
    modes = LineModes(mode, line_modes or {})
    headings = headings_of(text, league, line_modes)
    numbered = enumerate(text.split("\n"), start=1)
    named = {at: one for at, line in numbered if (one := headings.named_by(line))}
    kinds = modes.kind_names(one.mode for one in named.values())
    read = list(_lines(text, day, today, known_names(known), kinds, named))
    if new := _whole_names(read, known_names(known)):
        # Names that a mark divides on one line divide the words of others.
        read = list(_lines(text, day, today, known_names([*known, *new]), kinds, named))
    lines = [_with_entry(line, day, modes) for line in read]
    entered = [index for index, line in enumerate(lines) if line.entry is not None]
    problem = _whole_problem(season, enterer, len(entered), (day, today))
    if len(entered) > MAX_MATCHES:
        # It cannot be entered, and nobody reads what each of so many lines would mean.
        return SheetReading((), (), problem, answers)
    typed = [entry for line in lines if (entry := line.entry)]
    entries, proposed, answers = with_players(typed, league, answers, present)
    checked = _checked(entries, proposed, league, answers)
    problems = _problems(_timed(checked, entries, season, mode), season, enterer, now)
    proposed = _timed(proposed, entries, season, mode)
    lines, future = _with_future_days(lines, today)
    if day > today:
        future |= {day}
    warnings = _warnings(proposed.drafts, problems, season, mode, now)
    for position, index in enumerate(entered):
        lines[index] = replace(
            lines[index],
            entry=entries[position],
            draft=proposed.drafts[position],
            problems=(
                *lines[index].problems,
                *_own_problems(lines[index], problems[position], day, future),
            ),
            # What is below an unknown name is judged once that is played, by its rules.
            warnings=() if lines[index].unknown else tuple(warnings[position]),
        )
    reading = SheetReading(tuple(lines), proposed.names, problem, answers)
    if reading.newcomers:
        reading = replace(reading, arrivals=arrivals_among(league, present))
    return _with_groups(_with_heading_groups(reading, _heading_groups(text, headings)), modes)


def _timed(
    proposed: ProposedDrafts, entries: Sequence[MatchEntry], season: Season, mode: Mode
) -> ProposedDrafts:
    """Drafts with the moments at which those without a time of their own count."""
    drafts = with_moments(entries, proposed.drafts, season=season, mode=mode)
    return replace(proposed, drafts=tuple(drafts))


def _heading_groups(text: str, headings: Headings) -> tuple[HeadingGroup, ...]:
    """The headings that can mean several modes, those of one name together."""
    groups: dict[str, HeadingGroup] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        fitting = headings.meant_by(line)
        if len(fitting) < 2:
            continue
        name, chosen = name_in(line), headings.mode_of(line)
        former = groups.get(answer_key(name))
        numbers = (*former.numbers, number) if former else (number,)
        shown = former.name if former else name
        groups[answer_key(name)] = HeadingGroup(shown, numbers, fitting, chosen)
    return tuple(groups.values())


def _with_heading_groups(reading: SheetReading, groups: tuple[HeadingGroup, ...]) -> SheetReading:
    """A reading that asks what some headings mean, which are no problems then."""
    asked = {number for group in groups for number in group.numbers}
    lines = (replace(line, problems=()) if line.number in asked else line for line in reading.lines)
    return replace(reading, lines=tuple(lines), heading_groups=groups)


def _with_groups(reading: SheetReading, modes: LineModes) -> SheetReading:
    """A reading with the lines that the sheet's mode is not for asked about together, not each."""
    groups = modes.groups(
        (line.number, line.match.sides, line.named)
        for line in reading.matches
        if line.match and not line.unknown
    )
    if not groups:
        return reading
    decided = {number for group in groups if group.chosen for number in group.numbers}
    lines, accepted = [], []
    for line in reading.lines:
        others = tuple(one for one in line.warnings if one.kind is not WarningKind.WRONG_MODE)
        if line.number in decided:
            accepted += [one.code for one in line.warnings if one not in others]
        lines.append(replace(line, warnings=others))
    return replace(reading, lines=tuple(lines), groups=tuple(groups), accepted=tuple(accepted))


def _with_future_days(
    lines: Sequence[SheetLine], today: date
) -> tuple[list[SheetLine], frozenset[date]]:
    """Lines that say a future day with that problem, and those days: it is said once."""
    future = frozenset(line.day for line in lines if line.day is not None and line.day > today)
    problem = Problem("played_at", "in_future", _("This day is in the future."))
    return [
        replace(line, problems=(*line.problems, problem)) if line.day in future else line
        for line in lines
    ], future


def _own_problems(
    line: SheetLine, problems: Sequence[Problem], day: date, future: Collection[date]
) -> tuple[Problem, ...]:
    """The problems of a match, but for a day that the sheet or another line has said."""
    is_said = line.match is not None and (line.match.day or day) in future
    return tuple(one for one in problems if not (is_said and one.code == "in_future"))


def with_refusals(reading: SheetReading, problems: Sequence[Problem]) -> SheetReading:
    """A reading with what entering it was refused for, at the lines it is about."""
    numbers = [line.number for line in reading.matches]
    found: dict[int, list[Problem]] = defaultdict(list)
    for problem in problems:
        found[0 if problem.index is None else numbers[problem.index]].append(problem)
    lines = tuple(
        replace(line, problems=(*line.problems, *found[line.number])) for line in reading.lines
    )
    whole = [reading.problem, *(problem.message for problem in found[0])]
    return replace(reading, lines=lines, problem=" ".join(whole).strip())


def _whole_problem(season: Season, enterer: Enterer, matches: int, days: tuple[date, date]) -> str:
    """What stands against a sheet as a whole; of the `days`, its own and today."""
    closed = season_problem(season, late=enterer.may_be_late)
    if closed is not None:
        return closed.message
    if matches > MAX_MATCHES:
        words = ngettext(
            "A night sheet has at most %(most)d result. Import longer lists.",
            "A night sheet has at most %(most)d results. Import longer lists.",
            MAX_MATCHES,
        )
        return words % {"most": MAX_MATCHES}
    day, today = days
    if day > today:
        words = _("%(day)s is in the future. Choose the day of the matches above the lines.")
        return words % {"day": wording.day(day, today)}
    return ""


def _lines(
    text: str,
    day: date,
    today: date,
    knows: KnowsName,
    match_kinds: Collection[str],
    named: Mapping[int, NamedMode],
) -> Iterator[SheetLine]:
    """Yield the lines that say something, matches and problems as files read them.

    `day` is that of lines without one, `named` has those that name a mode, by their numbers.
    """
    lines = text.split("\n")
    # Of a heading the day and the time count, which are those of the lines below it.
    texts = [one.text if (one := named.get(at)) else line for at, line in enumerate(lines, start=1)]
    found = dict(read_lines(texts, today=today, knows=knows, match_kinds=match_kinds))
    mode: Mode | None = None
    unknown = ""
    for number, line in enumerate(lines, start=1):
        read, label = found.get(number), named.get(number)
        said = None if read else day_said_by(texts[number - 1], today, knows)
        day = said or day
        problems: tuple[Problem, ...] = ()
        if isinstance(read, LineProblem):
            problems = (Problem("line", read.code, read.reason),)
        if label is not None and not label.match:
            mode, unknown = label.mode, ""
            # Its time alone is no match, and no problem either.
            of_day = tuple(one for one in problems if one.code == DAY_LINE)
            yield SheetLine(number, line, day=said, heading=mode, problems=of_day)
        elif isinstance(read, WrittenMatch):
            yield SheetLine(
                number,
                line,
                match=read,
                named=label.mode if label else mode,
                unknown="" if label else unknown,
                stamped_day=read.day if read.day not in (None, day) else None,
            )
        elif isinstance(read, LineProblem):
            name = unknown_name_in(line)
            mode, unknown = (None, name) if name else (mode, unknown)
            yield SheetLine(number, line, unknown=name, problems=problems)
        elif said is not None:
            yield SheetLine(number, line, day=day)


def _whole_names(lines: Sequence[SheetLine], knows: KnowsName) -> list[str]:
    """The names of several words that lines have and nobody in the league."""
    names = [name for line in lines if line.match for side in line.match.sides for name in side]
    return [name for name in dict.fromkeys(names) if " " in name and not knows(name)]


def _with_entry(line: SheetLine, day: date, modes: LineModes) -> SheetLine:
    """Give a line the entry that it would be, unless its time or kind of match cannot be."""
    match = line.match
    if match is None:
        return line
    mode = modes.mode_of(match.sides, line.named)
    zone = modes.mode.league.zone
    played_on = match.played_on(match.day or day)
    played_at = datetime.combine(played_on, match.clock or time(), tzinfo=zone)
    is_timed = match.clock is not None and played_at.year in _READABLE_YEARS
    has_own_time = match.clock is not None and not match.is_clock_above
    weight = weight_called(mode.weights, match.match_kind)
    problem = skipped_problem(played_at) if is_timed and has_own_time else None
    if has_own_time and is_of_two_nights(match):
        problem = _unclear_night(match, played_on)
    if match.match_kind and weight is None:
        problem = _unknown_kind(match.match_kind, mode)
    if problem is not None:
        return replace(line, problems=(problem,))
    scores = match.score or match.points or (None,) * len(match.sides)
    handicaps = match.handicaps or (0,) * len(match.sides)
    # A line has no other details than its sets.
    sets, words = split_sets(match.detail) if match.sets else ("", match.detail)
    entry = MatchEntry(
        played_at=played_at if has_own_time else datetime.combine(played_on, time(), tzinfo=zone),
        sides=tuple(
            SideEntry(place, score, tuple(PlayerEntry(name) for name in side), handicap)
            for side, place, score, handicap in zip(
                match.sides, match.places, scores, handicaps, strict=True
            )
        ),
        date_only=not has_own_time,
        kind=_kind(match),
        weight=weight or USUAL_WEIGHT,
        detail=words,
        sets=sets,
        mode=mode,
        follows=played_at if match.is_clock_above else None,
    )
    comes_twice = is_timed and has_own_time and came_twice(played_at)
    return replace(line, entry=entry, comes_twice=comes_twice)


def _unclear_night(match: WrittenMatch, day: date) -> Problem:
    words = _(
        "%(time)s may be before or after the evening of %(day)s; write the day it is of above it, "
        "like @%(example)s."
    )
    following = day if day == date.max else day + timedelta(days=1)
    named = {"time": f"{match.clock:%H:%M}", "day": wording.day(day), "example": following}
    return Problem("line", "small_hours", words % named)


def _unknown_kind(name: str, mode: Mode) -> Problem:
    words = _("“%(mode)s” has no kind of match called “%(kind)s”.")
    return Problem("match_kind", "unknown_kind", words % {"mode": mode.name, "kind": name})


def _kind(match: WrittenMatch) -> str:
    if match.is_friendly:
        return Match.Kind.UNRATED
    if match.is_walkover:
        return Match.Kind.WALKOVER
    return Match.Kind.RETIREMENT if match.is_retired else Match.Kind.PLAYED


def _checked(
    entries: Sequence[MatchEntry], proposed: ProposedDrafts, league: League, answers: Answers
) -> ProposedDrafts:
    """The drafts as if every open name were a new player's: what else is wrong shows already."""
    open_names = {fold_name(name.name): NEW for name in proposed.names if not name.answer}
    if not open_names:
        return proposed
    guessed = replace(answers, chosen={**answers.chosen, **open_names})
    drafts = propose_drafts(entries, league=league, answers=guessed).drafts
    return replace(proposed, drafts=drafts)


def _problems(
    proposed: ProposedDrafts, season: Season, enterer: Enterer, now: datetime
) -> Mapping[int, list[Problem]]:
    """What stands against entering each match."""
    problems: dict[int, list[Problem]] = defaultdict(list)
    for problem in proposed.problems:
        if problem.code not in ("unknown_player", "name_shared"):
            problems[problem.index or 0].append(problem)
    for position, draft in enumerate(proposed.drafts):
        if draft is None:
            continue
        found: list[Problem] = problems_of(draft, season=season, now=now)
        if not found and not enterer.may_backdate:
            late = backdated_problem(draft.played_at, league=season.league, now=now)
            found = [] if late is None else [late]
        problems[position] += found
    return problems


def _warnings(
    drafts: Sequence[MatchDraft | None],
    problems: Mapping[int, list[Problem]],
    season: Season,
    mode: Mode,
    now: datetime,
) -> Mapping[int, list[EntryWarning]]:
    """What may be wrong with the matches that could be entered, by their positions."""
    sound = [
        (position, draft)
        for position, draft in enumerate(drafts)
        if draft is not None and not problems[position]
    ]
    positions = [position for position, _draft in sound]
    of_sound = [draft for _position, draft in sound]
    warnings: dict[int, list[EntryWarning]] = defaultdict(list)
    for warning in entry_warnings(of_sound, season=season, mode=mode, now=now):
        placed = warning.among(positions)
        warnings[placed.index].append(placed)
    return warnings
