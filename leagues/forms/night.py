"""A night sheet as a page sends it."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping
from typing import Any, NamedTuple

from django import forms
from django.core.exceptions import ValidationError
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext_lazy as _

from leagues.domain.named_weights import NamedWeight
from leagues.domain.score_rules import ANY_SCORE, ScoreRule
from leagues.domain.who_plays import EntryShape
from leagues.forms.fields import MOST_VERSIONS, TOO_LONG, DayField, choice_field
from leagues.models import League, Mode, NightSheet
from leagues.services.night_sheets import MAX_LETTERS, PageState, SheetContent
from leagues.services.presence import clean_present
from leagues.services.sheet_headings import ANSWER, has_like_modes
from leagues.wording import END_OF_ISOLATE, ISOLATE

LINES_FIELD = "lines_"
"""What the fields are called, with a shape behind, that say what lines of it are recorded in."""
FORMER_FIELD = "scores_of"
"""What the field is called that says for which mode the page has the scores to tap."""
MAX_CHOICES = 50
MAX_LINES = 1000
"""Lines of a sheet that are not blank: twice as many as it may have results."""
LINE_END = re.compile(r"\r\n?|\n")
_ISOLATES = dict.fromkeys(map(ord, (ISOLATE, END_OF_ISOLATE)))
"""What the texts for a club's chat have around names that are written from the right."""


class TappedPairs(NamedTuple):
    """Whether two players a side are usual where names are tapped, and whether they can be.

    `is_in_order`: neither; all players of a match are tapped in the order of their places.
    """

    is_usual: bool
    is_offered: bool
    is_in_order: bool = False


class SheetField(forms.CharField):
    """The lines of a sheet, not too many; what no database can hold is named by its line."""

    def to_python(self, value: Any) -> str:
        """The lines, with ends of one letter each, as they are kept and counted everywhere."""
        text = LINE_END.sub("\n", super().to_python(value) or "").translate(_ISOLATES)
        before, nul, _after = text.partition("\0")
        if nul:
            raise ValidationError(
                _("Line %(line)d has a character that can't be saved."),
                code="line",
                params={"line": before.count("\n") + 1},
            )
        if sum(map(bool, map(str.strip, text.split("\n")))) > MAX_LINES:
            # Each would be read and shown, which takes seconds for a text of one letter a line.
            raise ValidationError(
                _("A night sheet has at most %(most)d lines. Import longer lists."),
                code="too_many",
                params={"most": MAX_LINES},
            )
        return text


class SheetForm(forms.Form):
    """The lines, their day and mode, and which page of which version sends them."""

    mode = forms.ChoiceField(label=_("What was played"), widget=forms.RadioSelect)
    day = DayField(label=_("Played on"))
    text = SheetField(
        label=_("One line per match"),
        required=False,
        strip=False,
        max_length=MAX_LETTERS,
        error_messages=TOO_LONG,
        widget=forms.Textarea,
    )
    version = forms.CharField(required=False, widget=forms.HiddenInput)
    writer = forms.CharField(required=False, widget=forms.HiddenInput)
    key = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, league: League, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.use_required_attribute = False
        self.modes = {mode.slug: mode for mode in league.modes.all()}
        choice_field(self, "mode").choices = [
            (slug, mode.name) for slug, mode in self.modes.items()
        ]
        if self.has_like_modes:
            self.fields["mode"].help_text = _(
                "For the lines that follow. Lines typed so far stay in what they are recorded in."
            )

    @property
    def has_like_modes(self) -> bool:
        """Whether lines have to say in which of several modes they are recorded."""
        return has_like_modes(self.modes.values())

    @property
    def former_mode(self) -> Mode | None:
        """The mode that the page was for before another one was chosen."""
        return self.modes.get(str(self.data.get(FORMER_FIELD, "")))

    @property
    def chosen_mode(self) -> Mode | None:
        """The mode that is chosen, before the form is checked too."""
        return self.modes.get(str(self["mode"].value()))

    @property
    def score_rule(self) -> ScoreRule:
        """The rule of the chosen mode."""
        return self.chosen_mode.rule_of_scores if self.chosen_mode else ANY_SCORE

    def rule_for(self, shape: EntryShape) -> ScoreRule:
        """The rule of the chosen mode, or where that is not for a shape, of the first that is."""
        if self.chosen_mode is not None and self.chosen_mode.shape in (None, shape):
            return self.score_rule
        rules = (mode.rule_of_scores for mode in self.modes.values() if mode.shape is shape)
        return next(rules, ANY_SCORE)

    @property
    def tapped_pairs(self) -> TappedPairs:
        """Whether two players a side are tapped in the chosen mode, and in any of the league."""
        shapes = {mode.shape for mode in self.modes.values()}
        chosen = self.chosen_mode.shape if self.chosen_mode else None
        if chosen is EntryShape.LIST:
            return TappedPairs(is_usual=False, is_offered=False, is_in_order=True)
        is_usual = chosen is EntryShape.TEAMS
        return TappedPairs(is_usual, is_offered=bool(shapes & {EntryShape.TEAMS, None}))

    @property
    def kinds(self) -> tuple[NamedWeight, ...]:
        """The kinds of match of the chosen mode."""
        return self.chosen_mode.weights if self.chosen_mode else ()

    def content(self, answers: Mapping[str, str]) -> SheetContent:
        """What a valid form has of the sheet."""
        data = self.cleaned_data
        return SheetContent(
            self.modes[data["mode"]],
            data["day"],
            data["text"],
            answers,
            line_modes=self.line_modes(),
        )

    def line_modes(self) -> dict[str, str]:
        """The modes that were chosen for lines of other shapes and for headings, as sent."""
        keys = [shape.value for shape in EntryShape]
        begin = f"{LINES_FIELD}{ANSWER}"
        keys += [name.removeprefix(LINES_FIELD) for name in self.data if name.startswith(begin)]
        sent = {key: str(self.data.get(f"{LINES_FIELD}{key}", "")) for key in keys[:MAX_CHOICES]}
        return {key: slug for key, slug in sent.items() if slug in self.modes}

    def present(self) -> tuple[str, ...]:
        """The names of those who are there, as a page sends them."""
        sent = self.data
        return clean_present(sent.getlist("present") if isinstance(sent, MultiValueDict) else ())

    def arrival(self) -> str:
        """What was typed to be added to those who are there: a name, or several."""
        return str(self.data.get("arrival", "")).strip()

    def page(self) -> PageState:
        """The page that sends a form; what cannot be read of it is taken for another page's."""
        version = str(self.data.get("version", ""))
        is_version = version.isascii() and version.isdigit() and int(version[:10]) <= MOST_VERSIONS
        return PageState(
            version=int(version[:10]) if is_version else 0,
            writer=str(_uuid_of(self.data.get("writer", "")) or uuid.uuid4()),
            key=_uuid_of(self.data.get("key", "")),
        )


def _uuid_of(text: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(text)
    except ValueError:
        return None


def sheet_values(sheet: NightSheet, writer: str) -> dict[str, Any]:
    """A stored sheet as the first values of the form of a page."""
    return {
        **{"mode": sheet.mode.slug, "day": sheet.day, "text": sheet.text},
        **{"version": sheet.version, "writer": writer, "key": sheet.key},
    }


def empty_values(mode: Mode, day: Any) -> dict[str, Any]:
    """The first values of a form whose sheet is not stored yet."""
    return {
        **{"mode": mode.slug, "day": day, "text": ""},
        **{"version": 0, "writer": uuid.uuid4(), "key": uuid.uuid4()},
    }
