"""The forms about a started match: its result, and who is let go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from leagues.forms.fields import VersionField, WordsField
from leagues.models import Match
from leagues.models.match import SCORE_LIMIT
from leagues.services.started_matches import SideResult
from leagues.services.texts import REASON_LENGTH

ONE, DRAW, OTHER = "one", "draw", "other"


class StartedResultForm(forms.Form):
    """Who won a started match, with the points or without."""

    outcome = forms.ChoiceField(label=gettext_lazy("Result"), widget=forms.RadioSelect)
    one_score = forms.IntegerField(required=False, min_value=-SCORE_LIMIT, max_value=SCORE_LIMIT)
    other_score = forms.IntegerField(required=False, min_value=-SCORE_LIMIT, max_value=SCORE_LIMIT)
    version = VersionField()

    def __init__(self, names: Sequence[str], *words: Any, draws: bool, **options: Any) -> None:
        super().__init__(*words, **options)
        one, other = names
        choices = [(ONE, _("%(name)s won") % {"name": one})]
        if draws:
            choices.append((DRAW, _("drawn")))
        choices.append((OTHER, _("%(name)s won") % {"name": other}))
        outcome = self.fields["outcome"]
        assert isinstance(outcome, forms.ChoiceField)  # noqa: S101
        outcome.choices = choices
        for field, name in (("one_score", one), ("other_score", other)):
            self.fields[field].label = _("Points of %(name)s (optional)") % {"name": name}

    def results(self) -> tuple[SideResult, SideResult]:
        """What each side reached."""
        ranks = {ONE: (1, 2), DRAW: (1, 1), OTHER: (2, 1)}[self.cleaned_data["outcome"]]
        scores = self.cleaned_data["one_score"], self.cleaned_data["other_score"]
        one, other = (SideResult(*pair) for pair in zip(ranks, scores, strict=True))
        return one, other


def result_form(match: Match, sent: QueryDict | None = None) -> StartedResultForm:
    """The form for the result of a match that was read with its players, as it was sent."""
    sides: dict[int, list[str]] = {}
    for row in match.participants.all():
        sides.setdefault(row.side, []).append(row.player.name)
    names = [" + ".join(members) for _side, members in sorted(sides.items())]
    initial = {"version": match.version}
    draws = match.league.draws_allowed
    return StartedResultForm(names, sent, initial=initial, draws=draws)


def call_off_form(match: Match, sent: QueryDict | None = None) -> CallOffForm:
    """The form for calling a match off that was read with its players, as it was sent."""
    rows = sorted(match.participants.all(), key=lambda row: row.player.name)
    players = [
        (row.player.key, _("%(name)s left") % {"name": row.player.name})
        for row in rows
        if row.has_left is None
    ]
    return CallOffForm(players, sent, initial={"version": match.version})


class CallOffForm(forms.Form):
    """Who left a started match, if anybody did."""

    left_by = forms.ChoiceField(label=gettext_lazy("Who left it?"), required=False)
    reason = WordsField(
        label=gettext_lazy("Reason (optional), shown to everyone"),
        most=REASON_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    version = VersionField()

    def __init__(self, players: Sequence[tuple[str, str]], *words: Any, **options: Any) -> None:
        super().__init__(*words, **options)
        left_by = self.fields["left_by"]
        assert isinstance(left_by, forms.ChoiceField)  # noqa: S101
        nobody = _("no one: the match is called off, and no one loses")
        left_by.choices = [("", nobody), *players]
