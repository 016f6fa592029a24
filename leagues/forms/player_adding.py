"""The form by which a player is added, with what is known of the player."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms import BoundField
from django.utils.translation import gettext_lazy as _

from leagues import bridge
from leagues.forms.fields import WordsField, choice_field
from leagues.forms.naming import NamingForm
from leagues.forms.starts import NumberField
from leagues.models import Board, PlayerGroup
from leagues.services.player_adding import NewPlayer
from leagues.services.player_editing import FIRST_BIRTH_YEAR
from leagues.services.starts import SOURCE_LENGTH, Start

_NEEDED = ("name", "is_another")
_START = ("rating", "deviation", "source")


class AddPlayerForm(NamingForm):
    """A name, and what may be known beside: birth year, groups, and a starting rating."""

    birth_year = forms.IntegerField(
        label=_("Year of birth"),
        required=False,
        min_value=FIRST_BIRTH_YEAR,
        help_text=_("Only organizers see the year itself."),
    )
    board = forms.ChoiceField(label=_("Begins on the board"), required=False)
    rating = NumberField(
        label=_("Starting rating"), help_text=_("Empty: the player begins as newcomers do.")
    )
    deviation = NumberField(label=_("Uncertainty"), help_text=_("Empty: that of a newcomer."))
    source = WordsField(
        label=_("Where it comes from"),
        most=SOURCE_LENGTH,
        help_text=_(
            "Needed with a rating. For example “FIDE list November 2026” or “last year’s table”. "
            "Everyone here can see it."
        ),
    )

    def __init__(self, boards: list[Board], data: Mapping[str, str] | None = None) -> None:
        super().__init__(data)
        self.fields["name"].required = True
        self.boards = {str(board.pk): board for board in boards}
        most = PlayerGroup._meta.get_field("name").max_length or 0
        for kind in PlayerGroup.Kind:
            self.fields[kind.value] = WordsField(
                label=kind.label,
                most=most,
                widget=forms.TextInput(
                    attrs={"list": f"{kind.value}-names", "autocomplete": "off"}
                ),
            )
        choice_field(self, "board").choices = [
            (key, _board_label(board)) for key, board in self.boards.items()
        ]
        if not boards:
            for name in ("board", *_START):
                del self.fields[name]
        order = (*_NEEDED, "birth_year", *PlayerGroup.Kind.values, "board", *_START)
        self.order_fields(order)

    @property
    def group_kinds(self) -> list[str]:
        """The kinds of groups, each of which completes from its list."""
        return list(PlayerGroup.Kind.values)

    @property
    def more_fields(self) -> list[BoundField]:
        """What may be known beside the name."""
        return [field for field in self.visible_fields() if field.name not in _NEEDED]

    @property
    def has_more(self) -> bool:
        """Whether one of those fields says something, or has an error."""
        first = next(iter(self.boards), None)
        return any(
            field.errors or field.value() not in (None, "", first) for field in self.more_fields
        )

    def clean(self) -> dict[str, Any]:
        """Refuse words about a rating without the rating."""
        cleaned = super().clean() or {}
        is_empty = cleaned.get("rating") is None and "rating" not in self.errors
        if is_empty and (cleaned.get("source") or cleaned.get("deviation") is not None):
            words = _("Enter the rating, or clear the other fields to begin as newcomers do.")
            self.add_error("rating", ValidationError(words, "missing"))
        return cleaned

    def wish(self) -> NewPlayer:
        """What was typed."""
        cleaned = self.cleaned_data
        rating = cleaned.get("rating")
        board = self.boards.get(cleaned.get("board", "")) or next(iter(self.boards.values()), None)
        start = None
        if rating is not None and board is not None:
            start = board, Start(rating, cleaned.get("deviation"), cleaned.get("source") or "")
        return NewPlayer(
            name=cleaned["name"],
            birth_year=cleaned["birth_year"],
            groups={kind: cleaned[kind] for kind in PlayerGroup.Kind.values},
            start=start,
            is_another=cleaned["is_another"],
        )


def _board_label(board: Board) -> str:
    label = f"{board.name}, {board.season.name}"
    if bridge.has_anchors(board):
        return str(_("%(board)s (as an anchor, whose rating stays)")) % {"board": label}
    return label
