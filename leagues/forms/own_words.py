"""The words of the game's own events, listed at the field in which a board values them."""

from __future__ import annotations

from typing import Final

from django import forms
from django.utils.translation import gettext as _

from leagues import wording
from leagues.models import League
from leagues.selectors.own_events import own_event_counts

FIELD: Final = "x_own_words"
MOST_WORDS: Final = 30


def list_own_words(form: forms.Form, league: League) -> None:
    """Add to the field of such words, where the system has one, those that a league has."""
    field = form.fields.get(FIELD)
    if field is not None:
        field.help_text = f"{field.help_text} {_words_there_are(league)}"


def _words_there_are(league: League) -> str:
    counts = own_event_counts(league)
    if not counts:
        return _("No event in this league has a word of its own yet.")
    words = ", ".join(f"{word} ({wording.count(count)})" for word, count in counts[:MOST_WORDS])
    if len(counts) > MOST_WORDS:
        more = wording.count(len(counts) - MOST_WORDS)
        words = _("%(words)s and %(more)s more") % {"words": words, "more": more}
    return _("Events in this league have: %(words)s.") % {"words": words}
