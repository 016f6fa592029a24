"""What a change would do, in words: who moves, by how much, on which board."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from leagues import bridge, wording
from leagues.models import Board, Job
from leagues.pages.boards import board_address, player_address
from leagues.pages.ratings import shown_as
from leagues.pages.seats import format_change
from leagues.services.correction_preview import BoardEffect, Mover
from leagues.services.preview_jobs import PreviewState

MAX_SHOWN = 12
"""Players of a board who are seen at once."""


@dataclass(frozen=True, slots=True)
class MoverRow:
    """A player before and after; without an address where the change would create the player."""

    name: str
    url: str
    before: str
    after: str
    change: str
    rank: str
    has_played: bool


@dataclass(frozen=True, slots=True)
class EffectTable:
    """One board: how much would move, and who."""

    board: str
    url: str
    label: str
    shown_as: str
    """What stands above its numbers."""
    headline: str
    notes: tuple[str, ...]
    rows: tuple[MoverRow, ...]
    rest: tuple[MoverRow, ...]
    """Folded away, with how many there are and how many more are not shown."""
    rest_label: str
    more: str

    @property
    def has_ranks(self) -> bool:
        """Whether someone has a rank before or after; on a first night no one may have."""
        return any(row.rank for row in (*self.rows, *self.rest))

    @property
    def has_before(self) -> bool:
        """Whether someone has a rating already."""
        return any(row.before for row in (*self.rows, *self.rest))


@dataclass(frozen=True, slots=True)
class PreviewPage:
    """A preview, or how far it is; `announcement` is read out once it is there."""

    title: str
    tables: tuple[EffectTable, ...]
    announcement: str
    is_under_way: bool = False
    has_failed: bool = False
    part: str = ""
    rest: str = ""


ON_EACH_BOARD = gettext_lazy("What would change in the standings")


def preview_page(state: PreviewState) -> PreviewPage:
    """The preview of a change on the boards that it reaches."""
    if state.preview is None:
        return _waiting(state.job, is_stale=state.is_stale)
    boards = {board.slug: board for board in state.boards}
    effects = [effect for effect in state.preview.boards if effect.board in boards]
    tables = tuple(_table(effect, boards[effect.board]) for effect in effects)
    if not tables:
        nothing = _("These results are not rated anywhere: no rating would change.")
        return PreviewPage(nothing, (), nothing)
    one = len(tables) == 1
    title = tables[0].headline if one else str(ON_EACH_BOARD)
    return PreviewPage(title, tables, title if one else _announcement(tables))


def joined_preview(pages: Mapping[str, PreviewPage]) -> PreviewPage:
    """The previews of one change in several seasons, by their names, as one."""
    waiting = [page for page in pages.values() if page.is_under_way or page.has_failed]
    if waiting or len(pages) == 1:
        return [*waiting, *pages.values()][0]
    tables = tuple(
        replace(table, board=f"{table.board}, {season}")
        for season, page in pages.items()
        for table in page.tables
    )
    return PreviewPage(str(ON_EACH_BOARD), tables, _announcement(tables))


def _announcement(tables: Iterable[EffectTable]) -> str:
    return "; ".join(f"{table.board}: {table.headline}" for table in tables)


def nothing_to_preview() -> PreviewPage:
    """The preview of a change that changes nothing."""
    words = _("Nothing would change: this is what is already recorded.")
    return PreviewPage(words, (), words)


def _waiting(job: Job | None, *, is_stale: bool) -> PreviewPage:
    if job is not None and job.state == Job.State.FAILED:
        words = _("The preview has stopped. Try again in a minute.")
        return PreviewPage(words, (), words, has_failed=True)
    title = (
        _("The league has changed since the preview; it is being computed again")
        if is_stale
        else _("Computing the preview")
    )
    page = PreviewPage(title, (), title, is_under_way=True)
    if job is None or not job.total:
        return page
    counts = {"done": wording.count(job.done), "count": wording.count(job.total)}
    return replace(
        page,
        part=f"{min(job.done / job.total, 1.0):.3f}",
        rest=_("%(done)s of %(count)s results") % counts,
    )


def _table(effect: BoardEffect, board: Board) -> EffectTable:
    rows = tuple(_row(mover, effect, board) for mover in effect.movers)
    hidden = effect.movers_in_all - len(rows)
    rest = rows[MAX_SHOWN:]
    return EffectTable(
        board=board.name,
        url=board_address(board),
        label=_("Changes in the standings of %(board)s") % {"board": board.name},
        shown_as=shown_as(board),
        headline=_headline(effect, board),
        notes=tuple(_notes(effect)),
        rows=rows[:MAX_SHOWN],
        rest=rest,
        rest_label=_more_players(len(rest)),
        more=_("%(players)s are not shown.") % {"players": _more_players(hidden)} if hidden else "",
    )


def _more_players(count: int) -> str:
    words = ngettext("%(count)s more player", "%(count)s more players", count)
    return words % {"count": wording.count(count)}


def _headline(effect: BoardEffect, board: Board) -> str:
    ranks = ngettext(
        "%(count)s rank would change",
        "%(count)s ranks would change",
        effect.ranks,
    ) % {"count": wording.count(effect.ranks)}
    if not effect.ratings and not effect.ranks:
        return _("No rating would change")
    if bridge.system_info(board.system).orders_only or not effect.ratings:
        return ranks
    are_all_new = all(one.before is None for one in effect.movers)
    if not are_all_new or len(effect.movers) < effect.movers_in_all:
        words = ngettext(
            "%(count)s rating would change", "%(count)s ratings would change", effect.ratings
        )
    elif board.start_parameters:
        words = ngettext(
            "%(count)s player would get a first rating of the season",
            "%(count)s players would get a first rating of the season",
            effect.ratings,
        )
    else:
        words = ngettext(
            "%(count)s player would get a first rating",
            "%(count)s players would get a first rating",
            effect.ratings,
        )
    ratings = words % {"count": wording.count(effect.ratings)}
    if not effect.ranks:
        return ratings
    return _("%(ratings)s, %(ranks)s") % {"ratings": ratings, "ranks": ranks}


def _notes(effect: BoardEffect) -> list[str]:
    notes = []
    if effect.refusal:
        notes.append(_("The match would not be rated: %(why)s.") % {"why": effect.refusal})
    gone = [one.name for one in effect.movers if one.rank_before and not one.rank_after]
    if gone:
        notes.append(_("No longer ranked: %(players)s.") % {"players": wording.listing(gone)})
    # Where nothing moves it does not matter what is computed for that.
    if effect.rerated and (effect.ratings or effect.ranks):
        notes.append(
            ngettext(
                "%(count)s other result would be rated again.",
                "%(count)s other results would be rated again.",
                effect.rerated,
            )
            % {"count": wording.count(effect.rerated)}
        )
    if effect.is_behind:
        notes.append(
            _("Newer results are still being rated; this preview includes the changes they cause.")
        )
    return notes


def _row(mover: Mover, effect: BoardEffect, board: Board) -> MoverRow:
    def value(number: float | None) -> str:
        return "" if number is None else wording.number(number, effect.decimals)

    return MoverRow(
        name=mover.name,
        url="" if mover.is_new else player_address(board, mover.key),
        before=value(mover.before),
        after=value(mover.after),
        change=_change(mover, effect, board),
        rank=_rank(mover.rank_before, mover.rank_after),
        has_played=mover.has_played,
    )


def _change(mover: Mover, effect: BoardEffect, board: Board) -> str:
    """The points that a rating changes by; in words where there is none before or after."""
    if mover.before is None:
        return _("first of the season") if board.start_parameters else _("first rating")
    if mover.after is None:
        return _("no result left")
    return format_change(board, mover.before, mover.after, effect.decimals)


def _rank(before: int | None, after: int | None) -> str:
    """A move between ranks; a sentence of its own, for there is no sign that all read alike."""
    words = {"before": before, "after": after}
    if before == after:
        return _("stays %(after)d") % words if after else ""
    if before is None:
        return _("newly %(after)d") % words
    if after is None:
        return _("%(before)d to not ranked") % words
    return _("%(before)d to %(after)d") % words
