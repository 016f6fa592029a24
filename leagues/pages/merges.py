"""What revisions merged or took apart, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues.models import Revision
from leagues.selectors.names import names_by_key
from leagues.services.merged_players import Merge


def merge_sentences(revisions: Sequence[Revision]) -> dict[int, str]:
    """What each of some revisions of a league merged or took apart, by their ids."""
    merges = {row.pk: merge for row in revisions if (merge := Merge.of(row)) is not None}
    if not merges:
        return {}
    keys = {key for merge in merges.values() for key in (merge.player, merge.into)}
    names = names_by_key(revisions[0].league_id, keys)
    return {pk: _sentence(merge, names) for pk, merge in merges.items()}


def _sentence(merge: Merge, names: Mapping[str, str]) -> str:
    words = (
        _("“%(drop)s” and “%(keep)s” are two players again")
        if merge.is_undone
        else _("“%(drop)s” was merged into “%(keep)s”")
    )
    sentence = words % {"drop": names.get(merge.player, "?"), "keep": names.get(merge.into, "?")}
    others = len(merge.parts) - 1
    if not others:
        return sentence
    return ngettext(
        "%(sentence)s, in %(count)d other season too",
        "%(sentence)s, in %(count)d other seasons too",
        others,
    ) % {"sentence": sentence, "count": others}
