"""What part of a league's changes is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from leagues.forms.fields import DayField, choice_field
from leagues.models import League, Player, Season
from leagues.pages.log import kind_choices
from leagues.selectors.log import LogFilter, named_players
from ratings.files.names import fold_name

FIELDS = ("kind", "season", "player", "user", "since", "until")


class LogForm(forms.Form):
    """The filter of the log; every field may be left out."""

    kind = forms.ChoiceField(label=_("Type of change"), required=False)
    season = forms.ChoiceField(label=_("Season"), required=False)
    player = forms.CharField(label=_("Player"), required=False, max_length=128)
    user = forms.CharField(label=_("Done by"), required=False, max_length=150)
    since = DayField(label=_("From"), required=False)
    until = DayField(label=_("To"), required=False)

    def __init__(
        self, league: League, seasons: Sequence[Season], *args: Any, is_organizer: bool
    ) -> None:
        super().__init__(*args)
        self.league = league
        self.is_organizer = is_organizer
        self.seasons = {season.slug: season for season in seasons}
        self.players: tuple[Player, ...] | None = None
        choice_field(self, "kind").choices = kind_choices(with_settings=is_organizer)
        choice_field(self, "season").choices = [
            ("", _("All seasons")),
            *((season.slug, season.name) for season in seasons),
        ]
        self.fields["player"].widget.attrs |= {"list": "names", "autocomplete": "off"}
        if is_organizer:
            self.fields["user"].widget.attrs |= {"list": "members", "autocomplete": "off"}
        else:
            del self.fields["user"]

    def clean_player(self) -> str:
        """Find the player by name, former name or key."""
        typed: str = self.cleaned_data["player"].strip()
        if typed:
            self.players = named_players(
                self.league, typed, fold_name(typed), only_public=not self.is_organizer
            )
            if not self.players:
                raise ValidationError(_("No player has this name."), code="player")
        return typed

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        first, last = cleaned.get("since"), cleaned.get("until")
        if first and last and last < first:
            self.add_error("until", _("The last day is before the first."))
        return cleaned

    @property
    def filters(self) -> LogFilter:
        """The filter; the days are those of the league."""
        cleaned = self.cleaned_data
        first, last = cleaned.get("since"), cleaned.get("until")
        return LogFilter(
            kind=cleaned.get("kind", ""),
            season=self.seasons.get(cleaned.get("season", "")),
            players=self.players,
            user=cleaned.get("user", "").strip(),
            since=self.league.midnight(first) if first else None,
            until=self.league.midnight(last + timedelta(days=1)) if last else None,
        )
