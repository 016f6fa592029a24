"""Handicaps in words: which side was given how many points, or had how many taken off."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from leagues import wording


def handicap_words(given: Iterable[tuple[str, int]]) -> str:
    """The handicaps of sides by their names, such as “Ana +64”; empty where there are none."""
    words = [
        _("%(name)s %(points)s") % {"name": name, "points": wording.with_sign(points)}
        for name, points in given
        if points
    ]
    return wording.listing(words) if words else ""


def handicap_tag(given: Iterable[tuple[str, int]]) -> str:
    """The handicaps of a match within a line that tells more of it; empty without any."""
    words = handicap_words(given)
    return _("handicap: %(given)s") % {"given": words} if words else ""


def handicap_sentence(given: Iterable[tuple[str, int]]) -> str:
    """The handicaps of a match as a sentence of its page; empty without any."""
    words = handicap_words(given)
    return _("With a handicap, in rating points: %(given)s.") % {"given": words} if words else ""
