"""What the check of an uploaded file understood: its columns, counts and names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import wording
from leagues.domain.civil_days import day_of
from leagues.models import League, Upload
from leagues.pages.boards import Choice
from leagues.pages.import_bad_rows import BadRows, and_more, bad_rows
from leagues.pages.import_names import NameQuestions, name_questions
from leagues.pages.import_players import ChangedPlayers, changed_players, write_words
from leagues.pages.import_readings import Reading, line_readings
from leagues.pages.meanings import MeaningGroup, meaning_groups, reading_of
from leagues.services.import_reading import ImportOptions
from leagues.services.player_changes import FACTS_LEFT_OUT, PLAYERS_CHANGED
from ratings.files.columns import Column, Layout
from ratings.files.meanings import Meaning
from ratings.files.names import fold_name
from ratings.files.problems import shown

MOST_NAMES = 50


MOST_COLUMNS = 150
"""Columns whose meaning can be changed; what lies beyond says nothing in any file we know."""


FEW_UNUSED = 6


EXAMPLE_LENGTH = 24


MAX_QUESTIONS = 30
"""Misspelt winners who are asked about at once; the next check asks about the others."""


MAX_CHOICES = 20


MAX_ASKING_ROWS = 5
"""Rows that a question about a winner shows; its answer holds for the others too."""


@dataclass(frozen=True, slots=True)
class ColumnRow:
    field: str
    header: str
    example: str
    meaning: str
    reading: str


@dataclass(frozen=True, slots=True)
class NewName:
    name: str
    similar: str


@dataclass(frozen=True, slots=True)
class WinnerQuestion:
    """A winner who is nobody in the rows that name them, and the players of these rows."""

    name: str
    label: str
    choices: tuple[tuple[str, str], ...]
    rows: tuple[str, ...]
    more_rows: str


@dataclass(frozen=True, slots=True)
class Check:
    """What was understood of a file, and what writing it would do."""

    number: int
    readings: tuple[Reading, ...]
    readings_title: str
    more_readings: str
    day: str
    """The day of results without a date, where one was chosen."""
    day_words: str
    """What happens to results without a date; empty where there are none."""
    problems: tuple[str, ...]
    notes: tuple[str, ...]
    log_lines: tuple[str, ...]
    """What the log of a game server holds, where it goes and what is left out."""
    columns: tuple[ColumnRow, ...]
    unused_columns: tuple[ColumnRow, ...]
    unused_title: str
    more_columns: str
    meanings: tuple[MeaningGroup, ...]
    date_example: str
    dates: tuple[Choice, ...]
    counts: tuple[tuple[str, str], ...]
    new_results: int
    can_write: bool
    """Whether anything in the file is new."""
    write: str
    players: ChangedPlayers | None
    bad: BadRows | None
    winners: tuple[WinnerQuestion, ...]
    """Winners who are nobody in their rows, by what the file calls them."""
    leave_out: str
    name_questions: NameQuestions | None
    """Names that no player bears and that may be a player's, or nobody's."""
    others_are_new: bool
    doubts: tuple[str, ...]
    """Warnings that have to be agreed to, and the words of that."""
    take_doubts: str
    is_right_mode: bool
    repeats: tuple[str, ...]
    """What is said of results that count more than once, which has to be agreed to, too."""
    may_repeat: bool
    names: tuple[NewName, ...]
    names_title: str
    more_names: str
    nothing_new: str


def layout_of(upload: Upload) -> Layout | None:
    """The columns as the check understood them; None where there is no table."""
    stored = (upload.report or {}).get("layout")
    return Layout.from_json(stored) if stored else None


def file_check(upload: Upload) -> Check | None:
    report = upload.report
    if report is None:
        return None
    options = ImportOptions(**upload.options)
    layout = layout_of(upload)
    columns = [_column(column, layout, options) for column in layout.columns] if layout else []
    unused = [row for row in columns if row.meaning == Meaning.IGNORE]
    used = [row for row in columns if row.meaning != Meaning.IGNORE]
    if len(unused) <= FEW_UNUSED:
        used, unused = columns, []
    offered = unused[: MOST_COLUMNS - len(used)]
    readings = tuple(line_readings(report, upload.league))
    if readings:
        used = offered = []
    imported, errors = report.get("imported", 0), report.get("errors", ())
    bad = report.get("error_count", 0)
    names, doubts = _new_names(report), tuple(report.get("doubts", ()))
    repeats = tuple(report.get("repeats", ()))
    return Check(
        number=report["check"],
        readings=readings,
        readings_title=_("What the lines say"),
        more_readings=and_more(_readable(report) - len(readings)) if readings else "",
        day=options.day,
        day_words=_undated(layout, options) if report.get("is_undated") else "",
        problems=tuple(_problems(report)),
        notes=tuple(note for note in report.get("notes", ()) if note not in doubts + repeats),
        log_lines=tuple(report.get("notes", ())) if options.is_log else (),
        columns=tuple(used),
        unused_columns=tuple(offered),
        unused_title=_columns_left_out(len(unused)) if offered else "",
        more_columns=and_more(len(unused) - len(offered)) if offered else "",
        meanings=meaning_groups(),
        date_example=_date_example(layout),
        dates=_date_orders(layout, options),
        counts=tuple(_counts(report, upload.league, layout)) if "imported" in report else (),
        new_results=imported,
        can_write=bool(imported or _is_about_players(report)),
        write=write_words(report, imported),
        players=changed_players(report, upload.league),
        bad=bad_rows(errors, bad, layout, _cannot_be_read(bad), report.get("error_kinds", ())),
        winners=_winner_questions(errors),
        leave_out=ngettext("Skip this row", "Skip these %(count)s rows", bad)
        % {"count": wording.count(bad)},
        name_questions=name_questions(report),
        others_are_new=options.others_are_new,
        doubts=doubts,
        take_doubts=_("Import them into “%(mode)s” anyway")
        % {"mode": options.new_mode or upload.mode.name},
        is_right_mode=options.is_right_mode,
        repeats=repeats,
        may_repeat=options.may_repeat,
        names=tuple(names[:MOST_NAMES]),
        names_title=ngettext("%(count)s new player", "%(count)s new players", len(names))
        % {"count": wording.count(report.get("players_created", 0))},
        more_names=and_more(report.get("players_created", 0) - MOST_NAMES),
        nothing_new="" if imported or bad else _nothing_new(report, layout),
    )


def _is_about_players(report: Mapping[str, Any]) -> bool:
    """Whether a file brings players, or changes what is known of them."""
    return bool(report.get(PLAYERS_CHANGED) or report.get("players_created"))


def _nothing_new(report: Mapping[str, Any], layout: Layout | None) -> str:
    if report.get("already_there"):
        return _("Every result in this file is already recorded.")
    if layout is not None and layout.shape == "players" and not _is_about_players(report):
        if report.get(FACTS_LEFT_OUT):
            return _("The rest of what this file says of players is already known.")
        return _("All that this file says of players is already known.")
    return ""


def _readable(report: Mapping[str, Any]) -> int:
    return int(report["imported"] + report["already_there"])


def _undated(layout: Layout | None, options: ImportOptions) -> str:
    if options.day:
        return _("Results without a date get this day.")
    if not options.is_log and (layout is None or layout.where(Meaning.DATE)):
        return _("Some results have no date. Choose their day, or they cannot be imported.")
    return _("These results have no date. They get the day of the import unless you choose one.")


def _column(column: Column, layout: Layout, options: ImportOptions) -> ColumnRow:
    note = column.note
    if column.meaning is Meaning.DATE and layout.asks_dates:
        answers = {"dmy": _("read with the day first"), "mdy": _("read with the month first")}
        note = answers.get(options.dates or "", "")
    example = column.facts.examples[0] if column.facts.examples else ""
    return ColumnRow(
        field=f"column_{column.index}",
        header=shown(column.header, EXAMPLE_LENGTH),
        example=shown(example, EXAMPLE_LENGTH),
        meaning=column.meaning.value,
        reading=reading_of(column.meaning, note, is_wide=layout.shape == "wide"),
    )


def _problems(report: Mapping[str, Any]) -> Iterator[str]:
    for problem in report["problems"]:
        if report.get("line"):
            yield _("Line %(line)d: %(reason)s") % {"line": report["line"], "reason": problem}
        else:
            yield problem


def _columns_left_out(count: int) -> str:
    return ngettext(
        "%(count)s column not used",
        "%(count)s columns not used",
        count,
    ) % {"count": wording.count(count)}


def _winner_questions(errors: Sequence[Mapping[str, Any]]) -> tuple[WinnerQuestion, ...]:
    by_name: dict[str, list[Mapping[str, Any]]] = {}
    for error in errors:
        if error.get("choices"):
            by_name.setdefault(fold_name(error["value"]), []).append(error)
    return tuple(_winner_question(rows) for rows in list(by_name.values())[:MAX_QUESTIONS])


def _winner_question(errors: Sequence[Mapping[str, Any]]) -> WinnerQuestion:
    """The question about one name, of the rows that have it as their winner."""
    name = errors[0]["value"]
    choices = dict(choice for error in errors for choice in error["choices"])
    return WinnerQuestion(
        name=name,
        label=_("What does “%(name)s” in column “%(column)s” mean?")
        % {"name": name, "column": errors[0]["column"]},
        choices=tuple(choices.items())[:MAX_CHOICES],
        rows=tuple(
            _("Line %(line)s: %(match)s")
            % {"line": wording.count(error["line"]), "match": error["about"]}
            for error in errors[:MAX_ASKING_ROWS]
            if error.get("about")
        ),
        more_rows=and_more(len(errors) - MAX_ASKING_ROWS),
    )


def _cannot_be_read(count: int) -> str:
    return ngettext("%(count)s row cannot be read", "%(count)s rows cannot be read", count) % {
        "count": wording.count(count)
    }


def _date_example(layout: Layout | None) -> str:
    dated = next(
        (column for column in (layout.columns if layout else ()) if column.meaning == Meaning.DATE),
        None,
    )
    return shown(dated.facts.examples[0], EXAMPLE_LENGTH) if dated and dated.facts.examples else ""


def _date_orders(layout: Layout | None, options: ImportOptions) -> tuple[Choice, ...]:
    """The two ways to read dates that do not tell by themselves."""
    if layout is None or not layout.asks_dates:
        return ()
    return (
        Choice("dmy", _("Day first: 03/04 is 3 April"), options.dates == "dmy"),
        Choice("mdy", _("Month first: 03/04 is 4 March"), options.dates == "mdy"),
    )


def _counts(
    report: Mapping[str, Any], league: League, layout: Layout | None
) -> Iterator[tuple[str, str]]:
    if layout is None or layout.shape != "players":
        yield _("New results"), wording.count(report["imported"])
        if report["unrated"]:
            yield _("of them stored, not rated"), wording.count(report["unrated"])
        yield _("Already recorded, skipped"), wording.count(report["already_there"])
    if report["error_count"]:
        yield _("Cannot be read"), wording.count(report["error_count"])
    yield _("New players"), wording.count(report["players_created"])
    if report.get(PLAYERS_CHANGED):
        yield _("Players with something new"), wording.count(report[PLAYERS_CHANGED])
    if report["first_at"] and report["last_at"]:
        first, last = (
            wording.day(day_of(datetime.fromisoformat(report[end]), league.zone))
            for end in ("first_at", "last_at")
        )
        yield _("Oldest, newest"), first if first == last else f"{first}, {last}"


def _new_names(report: Mapping[str, Any]) -> list[NewName]:
    """The names of players to be made, those that look like another one first."""
    similar = report.get("similar", {})
    names = [
        NewName(name, wording.listing(similar[name]) if name in similar else "")
        for name in report.get("new_names", ())
    ]
    return sorted(names, key=lambda row: not row.similar)
