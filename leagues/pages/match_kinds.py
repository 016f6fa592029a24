"""The kind of a match, such as a cup match, in words: its name and what it counts."""

from __future__ import annotations

from django.utils.translation import gettext as _

from leagues.domain.named_weights import USUAL_WEIGHT, NamedWeight, only_name_of
from leagues.models import Mode
from leagues.pages.reason_sentences import significant


def times(weight: float) -> str:
    """What a match counts, as a factor."""
    return f"×{significant(weight)}"


def kind_and_weight(kind: NamedWeight) -> str:
    """The name of a kind of match with its weight."""
    return f"{kind.name} {times(kind.weight)}"


def weight_words(mode: Mode, weight: float) -> str:
    """The kind of a match with its weight; empty where the mode names no kinds."""
    if not mode.named_weights:
        return ""
    name = only_name_of(mode.weights, weight)
    return kind_and_weight(NamedWeight(name or _("weight"), weight))


def unusual_kind(mode: Mode, weight: float) -> str:
    """The kind of a match that counts more or less than a usual one; else empty."""
    return "" if weight == USUAL_WEIGHT else weight_words(mode, weight)
