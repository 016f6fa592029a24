"""What became of the lines of a change that was undone: they may be on a sheet, or entered again.

A sheet keeps from which changes lines were put on it (`NightSheet.origins`), and whoever enters it
leaves a key for each of them: so results are not brought back beside those of their own lines,
whatever these say by now. Lines that left their sheet are known by what they say alone
(`counted_again`).

A season is held while all this is asked and written, but lines may be entered in another one. So
whoever asks holds the keys too, and asks for a sheet before its entry: who enters it writes both at
once.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.utils.translation import gettext as _

from leagues.models import League, Match, NightSheet, Participant, RequestKey, Revision
from leagues.services.counted_again import counted_again
from leagues.services.errors import Problem, Refused

SOURCE: Final = "browser"
"""The source of results that people enter here, by which keys of requests are told apart."""
LINES: Final = "lines"
"""The source of keys that name a change, and belong to another one with its lines."""


def note_entered_again(league: League, origins: Iterable[int], entered: Revision) -> list[int]:
    """Remember that lines of undone changes were entered, where the same people play in a match.

    Returns those changes.
    """
    players = _players_of(entered.pk)
    noted = [origin for origin in origins if players & _players_of(origin)]
    for origin in noted:
        RequestKey.objects.create(
            league=league, source=LINES, key=f"{origin}/{entered.pk}", revision=entered
        )
    return noted


def hold_lines(league: League) -> None:
    """Let whoever brings back the same lines in another season wait, in the caller's transaction.

    The season is held before.
    """
    keys = RequestKey.objects.select_for_update().filter(league=league, source=LINES)
    list(keys.order_by("pk").values_list("pk"))


def entered_again(change: Revision) -> Revision | None:
    """The change by which the lines of an undone one were entered, if its results count."""
    others = same_lines(change) - {change.pk}
    live = Match.objects.live().filter(revision__in=others)
    return Revision.objects.filter(pk__in=live.values("revision")).select_related("season").last()


def same_lines(change: Revision) -> frozenset[int]:
    """The changes that entered the same lines, one after the other, as far as they are known."""
    keys = RequestKey.objects.filter(league=change.league_id, source=LINES)
    pairs = [
        {int(key.partition("/")[0]), entered}
        for key, entered in keys.values_list("key", "revision")
    ]
    found = {change.pk}
    while more := [pair for pair in pairs if pair & found and not pair <= found]:
        found = found.union(*more)
    return frozenset(found)


def sheet_with_lines(change: Revision) -> NightSheet | None:
    """The sheet on which the lines of an undone change are now."""
    changes = same_lines(change)
    sheets = NightSheet.objects.filter(league=change.league_id).exclude(text="")
    with_author = sheets.select_related("author").order_by("pk")
    return next((sheet for sheet in with_author if not changes.isdisjoint(sheet.origins)), None)


def require_not_again(revision: Revision) -> None:
    """Raise Refused where undoing a revision would bring results back beside their own lines."""
    change, comes_back = revision, False
    while change.reverts is not None:
        change, comes_back = change.reverts, not comes_back
    if comes_back == (change.kind == Revision.Kind.VOID):
        return
    if change.kind in (Revision.Kind.VOID, Revision.Kind.RESTORE):
        require_not_counted(revision)
    if change.kind != Revision.Kind.ENTRY:
        return
    hold_lines(revision.league)
    # The sheet first: it may be entered between the two looks, and then there is the entry.
    sheet = sheet_with_lines(change)
    if again := entered_again(change) or counted_again(revision, SOURCE):
        raise Refused([again_problem(again)])
    if sheet is not None:
        words = _(
            "These lines are on the night sheet of %(name)s. They have to be entered or discarded "
            "there first."
        )
        message = words % {"name": sheet.author.get_username()}
        raise Refused([Problem("revision", "on_sheet", message)])


def require_not_counted(revision: Revision, match: Match | None = None) -> None:
    """Raise Refused where results that a revision made void would count beside the same ones."""
    if again := counted_again(revision, SOURCE, match):
        raise Refused([again_problem(again)])


def again_problem(again: Revision) -> Problem:
    """Why results stay void whose lines another change has.

    That names what is to be undone for it: of a change that was undone and brought back the last
    undo.
    """
    chain = [again]
    while newer := Revision.objects.filter(reverts=chain[-1]).select_related("season").first():
        chain.append(newer)
    if len(chain) % 2:
        again = chain[-1]
    words = _("These lines were entered again. Undo that first: change %(number)d.")
    message = words % {"number": again.number}
    return Problem("revision", "entered_again", message, revisions=(again,))


def _players_of(change: int) -> set[frozenset[int]]:
    """Who played in each match of a change."""
    rows = Participant.objects.filter(match__revision=change)
    matches: dict[int, set[int]] = {}
    for match, player in rows.values_list("match", "player"):
        matches.setdefault(match, set()).add(player)
    return set(map(frozenset, matches.values()))
