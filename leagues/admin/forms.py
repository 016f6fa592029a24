"""Forms of the steps in the admin that the league's own pages do in another way."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from leagues.forms.fields import WordsField
from leagues.forms.rules import RulesForm
from leagues.models import Board
from leagues.services.texts import REASON_LENGTH


class ChangeRulesForm(RulesForm):
    """New parameters of a board, from when on they hold, and why, on one page."""

    def __init__(self, board: Board, data: Any = None) -> None:
        super().__init__(board, data)
        self.fields["reason"] = WordsField(label=_("Reason"), most=REASON_LENGTH)
