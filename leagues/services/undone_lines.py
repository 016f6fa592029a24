"""The lines of a night that was undone, so that they can be changed and entered again.

They are written from the results as these were last, with corrections and under the names that
players have by now (`entered_again` says what becomes of them).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final
from uuid import uuid4

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from leagues.domain.named_weights import USUAL_WEIGHT
from leagues.domain.nights import nights_of_moments
from leagues.domain.who_plays import shape_of
from leagues.models import League, Match, Mode, NightSheet, Revision
from leagues.models.match import MatchQuerySet
from leagues.services.drafts import MatchDraft, SideDraft, players_of
from leagues.services.entered_again import (
    again_problem,
    entered_again,
    hold_lines,
    sheet_with_lines,
)
from leagues.services.entry import Enterer
from leagues.services.entry_drafts import NEW, Answers
from leagues.services.errors import Problem, Refused
from leagues.services.night_reading import read_sheet
from leagues.services.night_sheets import PageState, SheetContent, save_sheet
from leagues.services.revisions import lock_season
from leagues.services.sheet_headings import heading
from leagues.services.stored_drafts import drafts_of
from ratings.files.names import fold_name
from ratings.files.written_leads import MORNING

_ENDINGS: Final = {
    Match.Kind.WALKOVER: "wo",
    Match.Kind.RETIREMENT: "ret",
    Match.Kind.UNRATED: "friendly",
}
_MARKS: Final = {-1: ">", 0: "=", 1: "<"}
"""Between two sides, by whether the first won, neither or the second."""


@dataclass(frozen=True, slots=True)
class LinesAgain:
    """A sheet with the lines of an undone night, and the lines that do not say all of a result."""

    sheet: NightSheet
    count: int
    partial: tuple[str, ...] = ()


def has_undone_lines(revision: Revision) -> bool:
    """Whether results that somebody entered are all void."""
    brought = Match.objects.filter(revision=revision)
    is_entry = revision.kind == Revision.Kind.ENTRY
    return is_entry and brought.results().exists() and not brought.live().exists()


def _results_of(revision: Revision) -> MatchQuerySet:
    """The results of an undone entry that counted until then: those void before stay so.

    All of them where each was made void by itself.
    """
    last = revision
    while (undo := Revision.objects.filter(reverts=last).first()) is not None:
        last = undo
    brought = Match.objects.results().filter(revision=revision)
    counted = brought.filter(versions__revision=last)
    return counted if last != revision and counted.exists() else brought


@transaction.atomic
def put_lines_back(*, revision: Revision, enterer: Enterer, author: User) -> LinesAgain:
    """Write the results of an undone entry as lines on somebody's sheet, below those that it has.

    Refused where the results count, were entered again, or are lines on somebody else's sheet.
    """
    league = revision.league
    lock_season(revision.season_id)
    hold_lines(league)
    # The sheet first: it may be entered between the two looks, and then there is the entry.
    other = sheet_with_lines(revision)
    if again := entered_again(revision):
        raise Refused([again_problem(again)])
    if other is not None and other.author_id != author.pk:
        words = _("These lines are on the night sheet of %(name)s already.")
        message = words % {"name": other.author.get_username()}
        raise Refused([Problem("revision", "on_sheet", message)])
    if not has_undone_lines(revision):
        raise Refused([Problem("revision", "not_undone", _counting(revision))])
    brought = _results_of(revision).select_related("mode")
    matches = list(brought.order_by("played_at", "same_time_order", "seq"))
    written = _Lines(league, matches, drafts_of(matches))
    content = written.content()
    partial = written.partial_lines(content, revision, enterer)
    stored = NightSheet.objects.select_for_update().filter(league=league, author=author).first()
    # A sheet without lines takes the day of these; below others they have it above them.
    is_free = stored is None or not stored.text.strip()
    if stored is not None and is_free:
        content = replace(content, present=tuple(stored.present))
    page = PageState(stored.version if stored and is_free else 0, str(uuid4()))
    sheet = save_sheet(league=league, author=author, content=content, page=page).sheet
    sheet.origins = sorted({*sheet.origins, revision.pk})
    sheet.save(update_fields=["origins"])
    return LinesAgain(sheet, len(matches), partial)


def _counting(revision: Revision) -> str:
    """Why the results of an entry stay where they are."""
    live = Match.objects.live().filter(revision=revision).order_by("seq").first()
    if live is None or not Revision.objects.filter(reverts=revision).exists():
        return _("These results count. Undo their change first.")
    words = _("Match %(number)d of them counts again. Make it void first.")
    return words % {"number": live.seq}


class _Lines:
    """Results as lines: what they say, and whether reading them says all of it again."""

    def __init__(
        self, league: League, matches: Sequence[Match], drafts: Sequence[MatchDraft]
    ) -> None:
        self.league = league
        moments = [(match.played_at, match.date_only) for match in matches]
        nights = nights_of_moments(moments, league.zone)
        rows = list(zip(nights, matches, drafts, strict=True))
        # Those without a time stand above those with one, which they would follow otherwise.
        self._rows = sorted(rows, key=lambda row: (row[0], not row[1].date_only))
        self._drafts: dict[int, tuple[Match, MatchDraft]] = {}
        """The results by the numbers of their lines."""

    def content(self) -> SheetContent:
        """The lines as a sheet, with whom its names mean."""
        modes = [match.mode for _night, match, _draft in self._rows]
        mode: Mode = max(modes, key=modes.count)
        at, named = self._rows[0][0], mode
        has_day = False
        lines: list[str] = []
        line_modes: dict[str, str] = {}
        for night, match, draft in self._rows:
            shape = shape_of([len(side.members) for side in draft.sides])
            if match.mode.shape not in (None, shape):
                line_modes[shape.value] = match.mode.slug
            local = draft.played_at.astimezone(self.league.zone)
            # A time in the small hours of its own day would be asked about without that day.
            is_small = not draft.date_only and local.time() < MORNING and local.date() == night
            if night != at or (is_small and not has_day):
                at, has_day = night, True
                lines.append(f"@{night.isoformat()}")
            if match.mode != named:
                named = match.mode
                lines.append(heading(named))
            lines.append(self._line(match, draft))
            self._drafts[len(lines)] = match, draft
        text = "".join(f"{line}\n" for line in lines)
        return SheetContent(mode, self._rows[0][0], text, self._answers(), (), line_modes)

    def _line(self, match: Match, draft: MatchDraft) -> str:
        local = draft.played_at.astimezone(self.league.zone)
        clock = "" if draft.date_only else f"{local:%H:%M}"
        weights = match.mode.weights
        kind = next((one.name for one in weights if one.weight == draft.weight), "")
        return " ".join(
            filter(
                None,
                (
                    clock,
                    _result_words(draft),
                    _ENDINGS.get(Match.Kind(draft.kind), ""),
                    f"({kind})" if kind and draft.weight != USUAL_WEIGHT else "",
                ),
            )
        )

    def _answers(self) -> dict[str, str]:
        """Whom the names mean where these alone do not say it: each name is one player's here."""
        players = {
            player.pk: player
            for _night, _match, draft in self._rows
            for player in players_of(draft)
        }
        return {
            fold_name(player.name): player.key if player.is_listed else NEW
            for player in players.values()
        }

    def partial_lines(
        self, content: SheetContent, revision: Revision, enterer: Enterer
    ) -> tuple[str, ...]:
        """The lines that would be entered as another result than the one that they are from."""
        reading = read_sheet(
            content.text,
            season=revision.season,
            mode=content.mode,
            day=content.day,
            answers=Answers(content.answers),
            enterer=enterer,
            line_modes=content.line_modes,
        )
        # Of a line that cannot be read, or asks something, the sheet says so.
        read = {line.number: line for line in reading.lines if line.draft}
        return tuple(
            line.text
            for number, (match, draft) in self._drafts.items()
            if (line := read.get(number)) is not None
            and line.draft is not None
            and whole_content(line.draft, content.mode)
            != whole_content(replace(draft, played_at=_minute(draft)), match.mode)
        )


def whole_content(draft: MatchDraft, mode: Mode) -> tuple[Any, ...]:
    """All that a result says, whatever the order of the sides of equals is."""
    sides = sorted(
        (side.rank, -1 if side.score is None else side.score, side.handicap, _keys(side))
        for side in draft.sides
    )
    when = draft.played_at, draft.date_only
    told = draft.kind, draft.weight, draft.sets, draft.detail, len(draft.events)
    return (*when, (draft.mode or mode).pk, *told, *sides)


def _minute(draft: MatchDraft) -> datetime:
    """When a result was played as lines can say it; seconds are those of a chat's message."""
    return draft.played_at.replace(second=0, microsecond=0)


def _keys(side: SideDraft) -> tuple[str, ...]:
    return tuple(sorted(member.player.key for member in side.members))


def _result_words(draft: MatchDraft) -> str:
    """The sides and what they reached, in the language of lines."""
    if len(draft.sides) > 2:
        return _places_words(draft.sides)
    first, second = draft.sides
    scores = [side.score for side in draft.sides if side.score is not None]
    words = [_names(first), _mark(draft, scores), _names(second)]
    if len(scores) == 2:
        words.append(f"{scores[0]}-{scores[1]}")
    if draft.sets:
        words.append(f"({draft.sets})" if len(scores) == 2 else draft.sets)
    return " ".join(words)


def _mark(draft: MatchDraft, scores: Sequence[int]) -> str:
    """What stands between two sides: a dash where their score says who won."""
    first, second = draft.sides
    mark = _MARKS[(first.rank > second.rank) - (first.rank < second.rank)]
    if len(scores) < 2 or draft.kind not in (Match.Kind.PLAYED, Match.Kind.UNRATED):
        return mark
    return "-" if mark == _MARKS[(scores[0] < scores[1]) - (scores[0] > scores[1])] else mark


def _places_words(sides: Iterable[SideDraft]) -> str:
    """The sides of a free-for-all, best first."""
    ordered = sorted(sides, key=lambda side: side.rank)
    has_points = all(side.score is not None for side in ordered)
    text = ""
    for above, side in zip([None, *ordered], ordered, strict=False):
        if above is not None:
            text += " = " if above.rank == side.rank else ", "
        text += f"{_names(side)}: {side.score}" if has_points else _names(side)
    return text


def _names(side: SideDraft) -> str:
    names = " + ".join(member.player.name for member in side.members)
    return f"{names} {side.handicap:+d}" if side.handicap else names
