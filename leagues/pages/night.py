"""A night sheet: each line in words, what is asked, what would be entered."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import wording
from leagues.domain.civil_days import day_of
from leagues.domain.named_weights import NamedWeight
from leagues.domain.nights import evening_of
from leagues.models import Match, Season
from leagues.pages.entry_warnings import (
    common_question,
    confirmation_question,
    describe_warning,
    time_came_twice,
)
from leagues.pages.handicaps import handicap_tag
from leagues.pages.line_modes import describe_lines
from leagues.pages.match_kinds import kind_and_weight
from leagues.pages.matches import kind_words, result_words, unstored_sides
from leagues.pages.set_scores import shown_detail
from leagues.pages.unknown_headings import HeadingAdvice, KnownHeadings
from leagues.services.entry_drafts import UnclearName
from leagues.services.entry_warnings import EntryWarning, WarningKind
from leagues.services.errors import Problem
from leagues.services.likeness import alike_pairs
from leagues.services.night_reading import SheetLine, SheetReading
from leagues.services.sheet_headings import has_like_modes
from ratings.files.names import fold_name
from ratings.files.written import WrittenMatch

MAX_NAMED: Final = 30
MAX_PAIRED: Final = 200
"""New names that are compared with each other; a night has fewer."""
MAX_WRONG: Final = 100
"""Lines to correct that are shown: whoever has more has pasted something else."""
MAX_TYPED: Final = 120
"""Letters of a line that stand beside what it means."""


@dataclass(frozen=True, slots=True)
class LineRow:
    """A line as it was understood.

    `problems` are in the way, `warnings` have to be confirmed, `questions` are what nobody has
    answered yet, `notes` say what was taken.
    """

    number: int
    typed: str
    means: str
    tags: tuple[str, ...]
    problems: tuple[Problem, ...]
    warnings: tuple[str, ...]
    questions: tuple[str, ...]
    notes: tuple[str, ...]
    is_heading: bool = False
    """Whether it says something of the lines below it."""
    advice: HeadingAdvice | None = None
    """Where it would be a heading but names nothing that is played: instead of `problems`."""

    @property
    def is_fine(self) -> bool:
        return not (self.problems or self.warnings or self.questions)


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What has to be ticked before the sheet is entered: a warning, or those that are one question.

    `code` has the codes of all of them, with spaces between.
    """

    code: str
    line: int
    place: str
    """The lines that it is about, in words."""
    question: str
    label: str
    is_ticked: bool


@dataclass(frozen=True, slots=True)
class NightPage:
    rows: tuple[LineRow, ...]
    hidden: str
    """How many lines to correct are not among them."""
    problem: str
    counts: tuple[str, ...]
    announcement: str
    questions: tuple[UnclearName, ...]
    has_open_names: bool
    short: tuple[UnclearName, ...]
    """The names that were taken for the only player whom they can be short for."""
    short_label: str
    newcomers: str
    """A sentence that names the new players."""
    new_names: tuple[str, ...]
    """Their names, to be completed on the lines below."""
    known_names: tuple[str, ...]
    """The names of the other players on the lines, to be tapped."""
    alike: tuple[str, ...]
    """Which of them may be one person, a sentence each."""
    confirmations: tuple[Confirmation, ...]
    to_do: tuple[str, ...]
    """What is in the way of entering."""
    can_be_entered: bool
    enter_label: str


def night_page(
    reading: SheetReading,
    season: Season,
    now: datetime,
    ticked: Sequence[str] = (),
    *,
    known: KnownHeadings | None = None,
) -> NightPage:
    """The page of a sheet that was read; `known` is what its lines can name.

    Where several modes can take the same lines, each says what it is recorded in.
    """
    modes = _modes_of(reading)
    has_modes = len(modes) > 1 or (known is not None and has_like_modes(known.modes))
    shown = _shown_lines(reading.lines)
    rows = tuple(_row(line, reading, season, now, has_modes=has_modes) for line in shown)
    if known is not None:
        lines = reading.lines
        advice = {line.number: known.advice(line, lines) for line in shown if line.problems}
        rows = tuple(replace(row, advice=advice.get(row.number)) for row in rows)
    count = len(reading.matches)
    alike = _alike_newcomers(reading)
    to_do = tuple(_to_do(reading))
    counts = (wording.results(reading.sound_matches), *_counts_of(modes), *to_do)
    return NightPage(
        rows=rows,
        hidden=_hidden(len(reading.lines) - len(shown)),
        problem=reading.problem,
        counts=counts,
        announcement=", ".join(counts),
        questions=tuple(name for name in reading.questions if not name.is_short),
        has_open_names=bool(reading.open_questions),
        short=(short := tuple(name for name in reading.questions if name.is_short)),
        short_label=_short_label(len(short)),
        newcomers=_newcomers(reading.newcomers, has_alike=bool(alike)),
        new_names=reading.newcomers[:MAX_PAIRED],
        known_names=tuple(dict.fromkeys(_known_names(reading))),
        alike=tuple(map(_alike, alike[:MAX_NAMED])),
        confirmations=tuple(_confirmations(reading, season, now, ticked)),
        to_do=to_do,
        can_be_entered=reading.can_be_entered,
        enter_label=ngettext("Enter %(count)s result", "Enter %(count)s results", count)
        % {"count": wording.count(count)},
    )


def _shown_lines(lines: Sequence[SheetLine]) -> list[SheetLine]:
    """The lines without those to correct beyond the first."""
    wrong = [line.number for line in lines if line.problems]
    hidden = frozenset(wrong[MAX_WRONG:])
    return [line for line in lines if line.number not in hidden]


def _hidden(hidden: int) -> str:
    if not hidden:
        return ""
    words = ngettext(
        "%(count)d more line to correct is not shown.",
        "%(count)d more lines to correct are not shown.",
        hidden,
    )
    return words % {"count": hidden}


def evening_hint(chosen: object, zone: ZoneInfo, now: datetime) -> str:
    """In the small hours, that the evening before is chosen as the day of a form; else nothing."""
    evening = evening_of(now, zone)
    if evening == day_of(now, zone) or str(chosen) != evening.isoformat():
        return ""
    return _("It is past midnight: last evening is chosen.")


def _modes_of(reading: SheetReading) -> Counter[str]:
    """How many sound results are recorded in each mode, by its name, of those that have one."""
    lines = (
        one for one in reading.matches if not (one.problems or one.unknown or reading.is_open(one))
    )
    modes = (line.entry.mode for line in lines if line.entry)
    return Counter(mode.name for mode in modes if mode)


def _known_names(reading: SheetReading) -> Iterator[str]:
    """Yield the names of the players on the lines who are in the league, as often as they are."""
    drafts = (line.draft for line in reading.matches if line.draft)
    for draft in drafts:
        for side in draft.sides:
            yield from (one.player.name for one in side.members if one.player.pk)


def _counts_of(modes: Counter[str]) -> Iterator[str]:
    """The numbers of the modes, where there are several."""
    if len(modes) > 1:
        for mode, count in modes.items():
            words = {"mode": mode, "count": wording.count(count)}
            yield _("%(count)s in “%(mode)s”") % words


def _to_do(reading: SheetReading) -> list[str]:
    parts = []
    if reading.bad_lines:
        words = ngettext(
            "%(count)d line to correct", "%(count)d lines to correct", reading.bad_lines
        )
        parts.append(words % {"count": reading.bad_lines})
    if reading.open_questions:
        words = ngettext(
            "%(count)d name to identify", "%(count)d names to identify", reading.open_questions
        )
        parts.append(words % {"count": reading.open_questions})
    if reading.open_lines:
        words = ngettext(
            "%(count)d line to decide on", "%(count)d lines to decide on", reading.open_lines
        )
        parts.append(words % {"count": reading.open_lines})
    return parts


def _short_label(count: int) -> str:
    words = ngettext("Whom %(count)d short name means", "Whom %(count)d short names mean", count)
    return words % {"count": count}


def _newcomers(names: Sequence[str], *, has_alike: bool) -> str:
    if not names:
        return ""
    shown = list(names[:MAX_NAMED])
    if len(names) > MAX_NAMED:
        shown.append(_("%(count)d more") % {"count": len(names) - MAX_NAMED})
    words = ngettext(
        "%(names)s will be added as a new player, since no player’s name is like it.",
        "%(names)s will be added as new players, since no player’s name is like theirs.",
        len(names),
    )
    if has_alike:
        words = ngettext(
            "%(names)s will be added as a new player.",
            "%(names)s will be added as new players.",
            len(names),
        )
    return words % {"names": wording.listing(shown)}


def _alike_newcomers(reading: SheetReading) -> list[tuple[str, str]]:
    """The pairs of new names that may be one person's, of which the sheet has one or both."""
    on_sheet = {fold_name(name) for name in reading.newcomers}
    others = [name for name in reading.arrivals if fold_name(name) not in on_sheet]
    pairs = alike_pairs([*reading.newcomers, *others][:MAX_PAIRED])
    # The names of the sheet stand first.
    return [pair for pair in pairs if fold_name(pair[0]) in on_sheet]


def _alike(pair: tuple[str, str]) -> str:
    words = _("“%(one)s” and “%(other)s” are both new. If they are one person, write one name.")
    return words % {"one": pair[0], "other": pair[1]}


def _for_those_below(line: SheetLine) -> str:
    """What a heading says: a mode, a day, or both."""
    said = []
    if line.heading is not None:
        said.append(_("“%(mode)s”, for the lines below") % {"mode": line.heading.name})
    if line.day is not None:
        said.append(_("%(day)s, for the lines below") % {"day": wording.day(line.day)})
    return " · ".join(said)


def _row(
    line: SheetLine, reading: SheetReading, season: Season, now: datetime, *, has_modes: bool
) -> LineRow:
    means = _meaning(line, line.match) if line.match is not None else _for_those_below(line)
    return LineRow(
        number=line.number,
        typed=Truncator(line.text.strip()).chars(MAX_TYPED),
        means=means,
        tags=_tags(
            line, season, has_modes=(has_modes and not reading.is_open(line)) or bool(line.unknown)
        ),
        problems=line.problems,
        warnings=tuple(_warning(one, reading, season, now) for one in line.warnings),
        questions=tuple(_line_questions(line, reading)),
        notes=tuple(_notes(line, season)),
        is_heading=line.day is not None or line.heading is not None,
    )


def _meaning(line: SheetLine, match: WrittenMatch) -> str:
    """The result with the players' names where all are clear, else as typed."""
    names = _names(line, match)
    scores = match.score or match.points or (None,) * len(names)
    return result_words(unstored_sides(match.places, scores, names))


def _names(line: SheetLine, match: WrittenMatch) -> tuple[tuple[str, ...], ...]:
    if line.draft is None:
        return match.sides
    return tuple(tuple(member.player.name for member in side.members) for side in line.draft.sides)


def _tags(line: SheetLine, season: Season, *, has_modes: bool) -> tuple[str, ...]:
    if line.match is None or line.entry is None:
        return ()
    match = line.match
    by_place = sorted(zip(match.places, match.score or (), strict=False))
    detail = shown_detail(match.detail, [score for _place, score in by_place])
    recorded_in = line.unknown or (line.entry.mode.name if line.entry.mode else "")
    tags = [recorded_in] if has_modes and recorded_in else []
    tags += [detail] if detail else []
    if match.handicaps:
        labels = (" + ".join(map(wording.isolated, side)) for side in _names(line, match))
        tags.append(handicap_tag(zip(labels, match.handicaps, strict=True)))
    if line.entry.kind != Match.Kind.PLAYED:
        tags.append(kind_words(line.entry.kind, season.league, season))
    if match.match_kind:
        tags.append(kind_and_weight(NamedWeight(match.match_kind, line.entry.weight)))
    if match.clock is not None:
        tags.append(_time_tag(line, match, f"{match.clock:%H:%M}"))
    return tuple(tags)


def _time_tag(line: SheetLine, match: WrittenMatch, clock: str) -> str:
    """When a match was played; of one without a time after which line above, and on which day."""
    if not match.is_clock_above:
        return clock
    if line.stamped_day is None:
        return _("after %(time)s") % {"time": clock}
    words = {"day": wording.day(line.stamped_day), "time": clock}
    return _("%(day)s, after %(time)s") % words


def _line_questions(line: SheetLine, reading: SheetReading) -> list[str]:
    """What is asked of a line beside it: what it is recorded in, and who its names are."""
    questions = [_("What is it recorded in?")] if reading.is_open(line) else []
    if line.unknown and line.match is None and not line.problems:
        questions.append(_("What is “%(name)s”?") % {"name": line.unknown})
    if line.match is None or line.draft is not None:
        return questions
    asked = {fold_name(name.name) for name in reading.questions if not name.answer}
    names = [name for side in line.match.sides for name in side if fold_name(name) in asked]
    return questions + [_("Who is “%(name)s”?") % {"name": name} for name in names]


def _notes(line: SheetLine, season: Season) -> list[str]:
    match, draft = line.match, line.draft
    if match is None:
        return []
    notes = [time_came_twice(f"{match.clock:%H:%M}")] if line.comes_twice else []
    if line.stamped_day is not None and not match.is_clock_above:
        words = (
            _("Played on %(day)s, as this line says.")
            if match.own_day is not None
            else _("Played on %(day)s, as a line above says.")
        )
        notes.append(words % {"day": wording.day(line.stamped_day)})
    if match.clock is None and draft is not None and not draft.date_only:
        words = _("Counts from %(time)s, after the start of a match above or of this one.")
        local = draft.played_at.astimezone(season.league.zone)
        notes.append(words % {"time": wording.clock(local)})
    if match.is_past_midnight and line.entry is not None:
        words = _("After midnight: played on %(day)s.")
        notes.append(words % {"day": wording.day(line.entry.played_at.date())})
    return notes


def _warning(warning: EntryWarning, reading: SheetReading, season: Season, now: datetime) -> str:
    if warning.earlier is not None:
        return _("Line %(line)d says the same.") % {"line": reading.matches[warning.earlier].number}
    return describe_warning(warning, season, now)


def _confirmations(
    reading: SheetReading, season: Season, now: datetime, ticked: Sequence[str]
) -> list[Confirmation]:
    asked: dict[tuple[Any, ...], list[tuple[int, EntryWarning]]] = defaultdict(list)
    for line in reading.lines:
        for warning in line.warnings:
            asked[_question_key(warning, season)].append((line.number, warning))
    confirmations = []
    for rows in asked.values():
        numbers, warnings = zip(*rows, strict=True)
        question = _warning(warnings[0], reading, season, now)
        label = confirmation_question(warnings[0], season, now).answer
        if len(rows) > 1:
            question, label = common_question(warnings[0], season, now) or (question, label)
        confirmations.append(
            Confirmation(
                code=" ".join(warning.code for warning in warnings),
                line=numbers[0],
                place=describe_lines(numbers),
                question=question,
                label=label,
                is_ticked=all(warning.code in ticked for warning in warnings),
            )
        )
    return confirmations


def _question_key(warning: EntryWarning, season: Season) -> tuple[Any, ...]:
    """What is the same for warnings that are one question: several lines are asked about once.

    Where the same two play all evening without scores, every second line says what another does;
    the same score twice is another question.
    """
    match warning.kind:
        case WarningKind.EARLY_DATE:
            return warning.kind, day_of(warning.draft.played_at, season.league.zone)
        case WarningKind.SAME_RESULT:
            return (warning.kind,)
        case WarningKind.REPEATED:
            return warning.kind, warning.has_score
        case _:
            return warning.kind, warning.reason
