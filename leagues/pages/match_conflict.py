"""A correction of a match that someone else changed first: both versions side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from leagues import wording
from leagues.models import League, Match, Mode, Season
from leagues.pages.contents import details_of, line_of
from leagues.pages.match_history import HistoryEntry, match_history
from leagues.pages.match_kinds import weight_words
from leagues.selectors.contents import Content, contents_of
from leagues.selectors.matches import read_people
from leagues.services.entry_drafts import MatchEntry
from leagues.store.stored_words import HANDICAP, SETS
from ratings.files.names import fold_name


@dataclass(frozen=True, slots=True)
class ConflictRow:
    """What both versions say of one thing."""

    label: str
    typed: str
    stored: str

    @property
    def is_different(self) -> bool:
        return fold_name(self.typed) != fold_name(self.stored)


@dataclass(frozen=True, slots=True)
class ConflictPage:
    """The last change of the stored version, and both versions."""

    change: HistoryEntry
    rows: tuple[ConflictRow, ...]
    is_void: bool

    @property
    def is_different(self) -> bool:
        return any(row.is_different for row in self.rows)


def match_conflict(
    *,
    match: Match,
    typed: MatchEntry,
    season: Season,
    league: League,
    now: datetime,
    names_accounts: bool,
) -> ConflictPage:
    """The stored match, and what somebody typed who had seen an earlier version of it.

    `season` is the one that was chosen for it.
    """
    read_people(match)
    history = match_history(
        match, league=league, season=match.season, now=now, names_accounts=names_accounts
    )
    contents = contents_of([match], league)
    stored = _values(contents.by_match[match.pk][-1], contents.names, match.season, match.mode)
    content = _content_of(typed)
    named = [member["player"] for side in content["sides"] for member in side["members"]]
    rows = (
        ConflictRow(label, text, stored[label])
        for label, text in _values(
            content, dict(zip(named, named, strict=True)), season, match.mode
        ).items()
    )
    shown = (row for row in rows if row.typed or row.stored)
    return ConflictPage(
        history[-1],
        # The season of most corrections is the one that it was.
        tuple(row for row in shown if row.is_different or row.label != _("Season")),
        is_void=match.status == Match.Status.VOID,
    )


def _content_of(typed: MatchEntry) -> Content:
    """What was typed as the content of a match, with names in the place of keys."""
    sides = [
        {
            "rank": side.rank,
            "score": side.score,
            HANDICAP: side.handicap or 0,
            "members": [{"player": player.name} for player in side.players],
        }
        for side in typed.sides
    ]
    return {
        "status": Match.Status.LIVE,
        "played_at": typed.played_at.isoformat(),
        "date_only": typed.date_only,
        "kind": typed.kind,
        "weight": typed.weight,
        "detail": typed.detail,
        SETS: typed.sets,
        "sides": sides,
    }


def _values(
    content: Content, names: Mapping[str, str], season: Season, mode: Mode
) -> dict[str, str]:
    """What a version says, by what it is about."""
    nothing = {"kind": Match.Kind.PLAYED, "status": Match.Status.LIVE, "detail": "", SETS: ""}
    plain = {**content, **nothing}
    at = datetime.fromisoformat(content["played_at"])
    return {
        _("Result"): line_of(plain, names),
        _("Season"): season.name,
        _("Played"): wording.long_moment(at, season.league.zone, date_only=content["date_only"]),
        _("Kind"): str(Match.Kind(content["kind"]).label),
        _("Kind of match"): weight_words(mode, content["weight"]),
        _("Details"): details_of(content),
    }
