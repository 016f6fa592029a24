"""Merging two players, in words: what it does, what stands in its way, and that it is done."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import wording
from leagues.models import League, Match, Player, Revision, Season
from leagues.pages.matches import match_address, result_line, when_played
from leagues.pages.revisions import revision_address
from leagues.selectors.merging import joint_records, latest_meetings, repeated_results
from leagues.services.player_merging import MAX_MEETINGS
from leagues.services.tried_changes import MAX_MATCHES

SHOWN_MEETINGS = 5
"""Of more than can be mistakes so many are shown."""
MAX_REPEATS = 20


@dataclass(frozen=True, slots=True)
class RecordRow:
    """What the player who stays would have won and lost on some boards."""

    boards: str
    results: str
    record: str


@dataclass(frozen=True, slots=True)
class MeetingRow:
    """A result in which both took part, to be named as a mistake."""

    match_id: str
    url: str
    label: str
    text: str
    when: str
    is_ticked: bool


@dataclass(frozen=True, slots=True)
class Meetings:
    """The results in which both took part; of too many only the newest, with nothing to tick."""

    rows: tuple[MeetingRow, ...]
    can_be_mistakes: bool


@dataclass(frozen=True, slots=True)
class RepeatRow:
    """A result that both players have: as the one who goes has it, and as the one who stays."""

    text: str
    when: str
    keep_url: str
    drop_url: str
    keep_label: str
    drop_label: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a merge does, beside what the preview shows of ratings."""

    sentences: tuple[str, ...]
    records: tuple[RecordRow, ...]
    repeats: tuple[RepeatRow, ...]
    repeats_title: str
    more_repeats: str


def merge_address(player: Player, other: str = "") -> str:
    """The address where a player is merged, with the one of another key if there is one."""
    address = reverse("leagues:player_merge", args=[player.league.slug, player.key])
    return f"{address}?{urlencode({'key': other})}" if other else address


def merge_outcome(
    keep: Player, drop: Player, seasons: Sequence[Season], count: int, mistakes: int
) -> Outcome:
    """What merging does in these seasons: with so many results, of which some become void."""
    renamed = count - mistakes
    names = {"keep": keep.name, "drop": drop.name, "count": wording.count(renamed)}
    sentences = [_void_sentence(mistakes)] if mistakes else []
    if renamed or not mistakes:
        sentences.append(_renaming_sentence(renamed) % names)
    sentences.append(
        _(
            "“%(drop)s” leaves the lists. The name, its other spellings and the address lead to "
            "“%(keep)s”."
        )
        % names
    )
    repeats = repeated_results(keep, drop)
    title = ngettext(
        "%(count)s result would be there twice",
        "%(count)s results would be there twice",
        len(repeats),
    )
    return Outcome(
        tuple(sentences),
        tuple(_record_rows(keep, drop, seasons)),
        tuple(_repeat_row(*pair, keep.league) for pair in repeats[:MAX_REPEATS]),
        title % {"count": wording.count(len(repeats))},
        _more_repeats(len(repeats) - MAX_REPEATS),
    )


def _void_sentence(count: int) -> str:
    words = ngettext(
        "%(count)s result with both players becomes void: it stays listed but no longer counts.",
        "%(count)s results with both players become void: they stay listed but no longer count.",
        count,
    )
    return words % {"count": wording.count(count)}


def _renaming_sentence(count: int) -> str:
    if not count:
        return _("No result changes: “%(drop)s” has none.")
    return ngettext(
        "%(count)s result of “%(drop)s” will name “%(keep)s”.",
        "%(count)s results of “%(drop)s” will name “%(keep)s”.",
        count,
    )


def _repeat_row(of_drop: Match, of_keep: Match, league: League) -> RepeatRow:
    words = _("match %(number)d")
    return RepeatRow(
        text=result_line(of_keep),
        when=when_played(of_keep, league),
        keep_url=match_address(of_keep, league, of_keep.season),
        drop_url=match_address(of_drop, league, of_drop.season),
        keep_label=words % {"number": of_keep.seq or 0},
        drop_label=words % {"number": of_drop.seq or 0},
    )


def _more_repeats(hidden: int) -> str:
    if hidden <= 0:
        return ""
    words = ngettext("%(count)s more is not shown.", "%(count)s more are not shown.", hidden)
    return words % {"count": wording.count(hidden)}


def limit_sentence(count: int) -> str:
    """Why a merge of so many results is not previewed on the boards; empty where it is."""
    if count <= MAX_MATCHES:
        return ""
    words = _(
        "The ratings are not previewed: a preview covers up to %(most)s results, and this merge "
        "renames %(count)s. It can be undone."
    )
    return words % {"most": wording.count(MAX_MATCHES), "count": wording.count(count)}


def _record_rows(keep: Player, drop: Player, seasons: Sequence[Season]) -> Iterator[RecordRow]:
    """Yield the joint records; boards that count the same results are named together."""
    boards: dict[tuple[int, int, int], list[str]] = {}
    for row in joint_records(keep, drop, seasons):
        name = row.board.name if len(seasons) == 1 else f"{row.board.name}, {row.board.season.name}"
        boards.setdefault((row.won, row.drawn, row.lost), []).append(name)
    for (won, drawn, lost), names in boards.items():
        words = (
            _("%(won)s won, %(drawn)s drawn, %(lost)s lost")
            if drawn
            else _("%(won)s won, %(lost)s lost")
        )
        counts = {"won": won, "drawn": drawn, "lost": lost}
        yield RecordRow(
            boards="; ".join(names),
            results=ngettext(
                "%(count)s rated result", "%(count)s rated results", won + drawn + lost
            )
            % {"count": wording.count(won + drawn + lost)},
            record=words % {name: wording.count(count) for name, count in counts.items()},
        )


def meetings_of(one: Player, other: Player, ticked: Collection[int]) -> Meetings | None:
    """The newest results in which both took part, where there are any."""
    league = one.league
    matches = latest_meetings(one, other, MAX_MEETINGS + 1)
    can_be_mistakes = len(matches) <= MAX_MEETINGS
    rows = (
        MeetingRow(
            match_id=str(match.pk),
            url=match_address(match, league, match.season),
            label=_("match %(number)d") % {"number": match.seq or 0},
            text=result_line(match),
            when=when_played(match, league),
            is_ticked=match.pk in ticked,
        )
        for match in (matches if can_be_mistakes else matches[:SHOWN_MEETINGS])
    )
    return Meetings(tuple(rows), can_be_mistakes) if matches else None


def merge_notice(keep: Player, drop: Player, revision: Revision) -> SafeString:
    """What is said once it is done, with the way to undo it."""
    words = _(
        '<b>“{drop}” was merged into “{keep}”.</b> It is <a href="{url}">change {number}</a>, '
        "where you can undo it."
    )
    return format_html(
        words,
        drop=drop.name,
        keep=keep.name,
        url=revision_address(keep.league, revision.season, revision.number),
        number=revision.number,
    )
