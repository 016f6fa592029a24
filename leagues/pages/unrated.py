"""Why results are not rated, counted in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from django.utils.translation import ngettext

from leagues import wording
from leagues.models import Match


def unrated_words(results: Iterable[tuple[str, str]], *, is_behind: bool) -> str:
    """How many results are not rated for which reason, by their status and kind; empty for none.

    What neither is a reason for is still being rated, or is none that the system can rate.
    """
    counts = Counter(_reason(status, kind) for status, kind in results)
    return ", ".join(
        _words(reason, counts[reason], is_behind=is_behind) for reason in _ORDER if counts[reason]
    )


_ORDER = (Match.Status.VOID.value, Match.Kind.UNRATED.value, Match.Kind.WALKOVER.value, "")


def _reason(status: str, kind: str) -> str:
    reason = status if status == Match.Status.VOID else kind
    return reason if reason in _ORDER else ""


def _words(reason: str, count: int, *, is_behind: bool) -> str:
    words = {
        Match.Status.VOID: ngettext("%(count)s void", "%(count)s void", count),
        Match.Kind.UNRATED: ngettext("%(count)s friendly", "%(count)s friendlies", count),
        Match.Kind.WALKOVER: ngettext("%(count)s walkover", "%(count)s walkovers", count),
        "": ngettext("%(count)s being rated", "%(count)s being rated", count)
        if is_behind
        else ngettext(
            "%(count)s that this system cannot rate",
            "%(count)s that this system cannot rate",
            count,
        ),
    }
    return words[reason] % {"count": wording.count(count)}
