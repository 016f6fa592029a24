"""Night sheets: whose lines they are, and what completes them."""

from __future__ import annotations

from collections import Counter
from uuid import UUID

from django.contrib.auth.models import User

from leagues.domain.score_rules import ScoreRule, usual_finals
from leagues.models import League, NightSheet, Participant, RequestKey
from leagues.selectors.names import known_names

MAX_RECENT = 200
"""The newest places in matches whose players are offered first."""

MAX_SCORES = 10


def usual_scores(league: League, rule: ScoreRule) -> list[tuple[int, int]]:
    """The commonest scores of the newest matches of two sides, the winner's first.

    Of a mode with a rule only those that it knows, and where there are none, the rule's own.
    """
    rows = Participant.objects.filter(match__league=league, score__isnull=False)
    newest = rows.order_by("-match__played_at", "-match__pk")
    sides: dict[int, dict[int, tuple[int, int]]] = {}
    for match, side, rank, score in newest.values_list("match_id", "side", "rank", "score")[
        :MAX_RECENT
    ]:
        sides.setdefault(match, {})[side] = (rank, score or 0)
    counts: Counter[tuple[int, int]] = Counter()
    for reached in sides.values():
        if len(reached) == 2:
            (_first, one), (_second, other) = sorted(reached.values())
            counts[one, other] += 1
    common = [score for score, _count in counts.most_common() if rule.is_final(*score)]
    return common[:MAX_SCORES] or usual_finals(rule, MAX_SCORES)


def sheet_of(league: League, author: User) -> NightSheet | None:
    """The sheet that somebody is typing in a league."""
    return NightSheet.objects.select_related("mode").filter(league=league, author=author).first()


def request_of_sheet(league: League, source: str, key: UUID | None) -> RequestKey | None:
    """The request by which a sheet was entered, with its revision, if it was."""
    if key is None:
        return None
    known = RequestKey.objects.filter(league=league, source=source, key=str(key))
    return known.select_related("revision__season").first()


def names_to_complete(league: League) -> list[str]:
    """Names of a league to complete, those first who played last."""
    recent = Participant.objects.filter(match__league=league, player__is_listed=True)
    newest = recent.order_by("-match__played_at", "-match__pk")
    names = newest.values_list("player__name", flat=True)[:MAX_RECENT]
    return list(dict.fromkeys([*names, *known_names(league)]))
