"""What a results file holds, seen from the league it goes into."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues.models import Match
from leagues.services.drafts import MatchDraft
from leagues.services.import_names import AskedName
from leagues.services.player_changes import PLAYERS_CHANGED
from ratings.files.problems import BadRow, FileProblem

MAX_ERRORS = 1000
MANY_ALIKE = 20
"""Bad rows with one reason in one column that are reported as one."""
MAX_VALUES = 5
CONSENTS: Final = {
    "skip_bad": "error_count",
    "others_are_new": "open_names",
    "is_right_mode": "doubts",
    "may_repeat": "repeats",
}
"""The options that whoever imports has to agree to, and what of a report asks for each."""


@dataclass(slots=True)
class ImportReport:
    """What a file holds, seen from the league it goes into."""

    imported: int = 0
    skipped: int = 0
    """Matches that were left out because of bad rows."""
    already_there: int = 0
    players_created: int = 0
    errors: list[BadRow] = field(default_factory=list)
    problem: FileProblem | None = None
    """What stands against the file as a whole."""
    ignored_columns: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    new_names: list[str] = field(default_factory=list)
    unrated: int = 0
    first_at: datetime | None = None
    last_at: datetime | None = None
    layout: str = ""
    is_undated: bool = False
    """Whether some results have no date of their own."""
    readings: list[dict[str, Any]] = field(default_factory=list)
    """What the first lines of written results say; empty for tables."""
    player_changes: dict[str, Any] = field(default_factory=dict)
    """What the file changes of players, as plain data."""
    name_questions: list[dict[str, Any]] = field(default_factory=list)
    """Names that no player bears and that are asked about, as plain data."""
    open_names: int = 0
    """How many of them have no answer."""
    is_waiting: bool = False
    """Whether nothing may be written before whoever imports has answered or agreed."""
    doubts: list[str] = field(default_factory=list)
    """Those of the notes that whoever imports has to agree to."""
    repeats: list[str] = field(default_factory=list)
    """The same of results that are recorded already, or more than once in the file."""

    @property
    def is_refused(self) -> bool:
        if self.problem is not None or self.is_waiting:
            return True
        return bool(self.errors) and not self.skipped

    @property
    def is_empty(self) -> bool:
        """Whether writing the file would change nothing."""
        changed = self.player_changes.get(PLAYERS_CHANGED, 0)
        return not (self.imported or changed or self.players_created)

    def take_questions(self, names: Sequence[AskedName]) -> None:
        """Keep what is asked about names; at most a thousand questions are."""
        self.name_questions = [one.as_dict() for one in names[:MAX_ERRORS]]
        self.open_names = sum(1 for one in names if not one.answer)

    def count(self, draft: MatchDraft) -> None:
        """Count a match that is to be written."""
        self.imported += 1
        if draft.kind in (Match.Kind.UNRATED, Match.Kind.WALKOVER):
            self.unrated += 1
        self.first_at = min(self.first_at or draft.played_at, draft.played_at)
        self.last_at = max(self.last_at or draft.played_at, draft.played_at)

    def as_dict(self) -> dict[str, Any]:
        """The report as plain data; at most a thousand errors are kept."""
        return {
            "imported": self.imported,
            "skipped": self.skipped,
            "already_there": self.already_there,
            "players_created": self.players_created,
            "errors": [asdict(error) for error in self.errors[:MAX_ERRORS]],
            "problems": [self.problem.reason] if self.problem else [],
            "line": self.problem.line if self.problem else 0,
            "error_count": len(self.errors),
            "error_kinds": error_kinds(self.errors),
            "ignored_columns": self.ignored_columns,
            "notes": self.notes,
            "new_names": self.new_names[:MAX_ERRORS],
            "unrated": self.unrated,
            "first_at": self.first_at.isoformat() if self.first_at else None,
            "last_at": self.last_at.isoformat() if self.last_at else None,
            "is_undated": self.is_undated,
            "readings": self.readings,
            "name_questions": self.name_questions,
            "open_names": self.open_names,
            "doubts": self.doubts,
            "repeats": self.repeats,
            **self.player_changes,
        }


def missing_consents(report: Mapping[str, Any], options: object) -> set[str]:
    """The options that somebody has to agree to before a file with this report is written."""
    asked = {name for name, found in CONSENTS.items() if report.get(found)}
    return {name for name in asked if not getattr(options, name)}


def error_kinds(errors: Sequence[BadRow]) -> list[dict[str, Any]]:
    """The kinds of bad rows that come so often that their column is likely misread."""
    kinds: dict[tuple[str, str], list[BadRow]] = {}
    for error in errors:
        kinds.setdefault((error.column, error.reason), []).append(error)
    return [
        {
            "column": column,
            "reason": reason,
            "code": rows[0].code,
            "count": len(rows),
            "values": list(dict.fromkeys(row.value for row in rows if row.value))[:MAX_VALUES],
            "lines": [row.line for row in rows[:MAX_VALUES]],
            "is_asked": any(row.choices for row in rows),
        }
        for (column, reason), rows in kinds.items()
        if column and len(rows) >= MANY_ALIKE
    ]


def summary_in_words(report: ImportReport) -> str:
    """What an import did, or would do, in one sentence."""
    parts = [
        ngettext("%(n)d new result", "%(n)d new results", report.imported) % {"n": report.imported},
        _("%(n)d already here") % {"n": report.already_there},
        ngettext("%(n)d new player", "%(n)d new players", report.players_created)
        % {"n": report.players_created},
    ]
    changed = report.player_changes.get(PLAYERS_CHANGED, 0)
    if changed:
        words = ngettext(
            "%(n)d player with something new", "%(n)d players with something new", changed
        )
        parts.append(words % {"n": changed})
    if report.skipped:
        parts.append(_("%(n)d left out") % {"n": report.skipped})
    return ", ".join(parts)
