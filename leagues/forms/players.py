"""The form of what organizers change of a player."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from leagues.forms.fields import WordsField
from leagues.models import Player
from leagues.services.player_editing import FIRST_BIRTH_YEAR


class PlayerForm(forms.Form):
    """Name and year of birth."""

    name = WordsField(
        label=_("Name"),
        most=Player._meta.get_field("name").max_length or 0,
        help_text=_("The old name still refers to this player."),
    )
    birth_year = forms.IntegerField(
        label=_("Year of birth"),
        required=False,
        min_value=FIRST_BIRTH_YEAR,
        help_text=_(
            "Only used by Elo boards with FIDE’s K factor, where the ratings of juniors change "
            "faster. Players never see it."
        ),
    )
