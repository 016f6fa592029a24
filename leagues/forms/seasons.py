"""Forms of a season's steps, in the browser and in the admin; services check and write."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from leagues.forms.fields import DayField, WordsField
from leagues.models import League, Season
from leagues.services.texts import REASON_LENGTH


class StepForm(forms.Form):
    """Why a step is taken, and where it cannot simply be taken back, the season's name."""

    def __init__(self, season: Season, *args: Any, why: bool, named: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.season = season
        if why:
            self.fields["reason"] = WordsField(
                label=_("Reason"),
                most=REASON_LENGTH,
                help_text=_("This is recorded in the log."),
            )
            self.fields["reason"].required = True
        if named:
            self.fields["name"] = forms.CharField(
                label=_("Type the name of the season"),
                max_length=64,
                widget=forms.TextInput(attrs={"autocomplete": "off"}),
                help_text=_("The name is “%(name)s”.") % {"name": season.name},
            )

    def clean_name(self) -> str:
        """Accept the very name; spaces around it do not matter."""
        typed: str = self.cleaned_data["name"]
        if typed.strip().casefold() != self.season.name.casefold():
            raise forms.ValidationError(_("This is not the name of the season."))
        return typed


class SeasonForm(forms.Form):
    """A season, by its first and its last day."""

    name = forms.CharField(label=_("Name"), max_length=64)
    starts_on = DayField(
        label=_("First day"),
        required=False,
        help_text=_("Without dates, the season accepts results of any day."),
    )
    ends_on = DayField(
        label=_("Last day"),
        required=False,
        help_text=_("Leave empty to accept results until you close the season."),
    )

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        first, last = cleaned.get("starts_on"), cleaned.get("ends_on")
        if first and last and last < first:
            self.add_error("ends_on", _("The last day is before the first."))
        return cleaned

    def days(self, league: League) -> tuple[datetime | None, datetime | None]:
        """The first instant, and the first one after the end, in the league's zone."""
        first, last = self.cleaned_data["starts_on"], self.cleaned_data["ends_on"]
        return (
            league.midnight(first) if first else None,
            league.midnight(last + timedelta(days=1)) if last else None,
        )

    def words(self, league: League) -> dict[str, Any]:
        """What the services are to be told of the season itself."""
        starts_at, ends_at = self.days(league)
        return {"name": self.cleaned_data["name"], "starts_at": starts_at, "ends_at": ends_at}


def told_in_days(
    league: League, name: str, starts_at: datetime | None, ends_at: datetime | None
) -> dict[str, Any]:
    """What a form of a season is filled with."""
    days = Season(league=league, starts_at=starts_at, ends_at=ends_at)
    return {
        "name": name,
        "starts_on": days.first_day,
        "ends_on": days.last_day,
    }


class CarryoverForm(forms.Form):
    """What players bring from the season before."""

    carry = forms.ChoiceField(
        label=_("Ratings"),
        choices=[
            (way, way.label)
            for way in (Season.Carryover.KEEP, Season.Carryover.SOFT, Season.Carryover.FRESH)
        ],
        initial=Season.Carryover.KEEP,
        widget=forms.RadioSelect,
        help_text=_(
            "Keep ratings: players start with their current ratings. Soft reset: ratings move "
            "towards a newcomer’s. Fresh start: everyone starts as a newcomer. Players and "
            "previous seasons stay in any case."
        ),
    )
    share = forms.IntegerField(
        label=_("Soft reset: how far ratings move, in percent"),
        min_value=0,
        max_value=100,
        initial=50,
        required=False,
        help_text=_("0: not at all. 50: halfway. 100: everyone starts with a newcomer’s rating."),
    )
    deviation = forms.IntegerField(
        label=_("Soft reset: how uncertain ratings become, in percent"),
        min_value=0,
        max_value=100,
        initial=50,
        required=False,
        help_text=_(
            "0: as certain as they were. 100: as uncertain as a newcomer’s. No rating becomes more "
            "certain. Boards that show no ± ignore this."
        ),
    )

    def clean(self) -> dict[str, Any]:
        """Ask of the numbers of a soft reset only where it is chosen."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if cleaned.get("carry") != Season.Carryover.SOFT:
            for name in ("share", "deviation"):
                self.errors.pop(name, None)
        return cleaned

    @property
    def carryover(self) -> dict[str, Any]:
        """What the services are to be told."""
        cleaned = self.cleaned_data
        if cleaned["carry"] != Season.Carryover.SOFT:
            return {"carryover": cleaned["carry"]}
        deviation = cleaned.get("deviation")
        return {
            "carryover": cleaned["carry"],
            "share": (cleaned.get("share") or 0) / 100,
            "deviation": None if deviation is None else deviation / 100,
        }


def told_in_percent(season: Season) -> dict[str, Any]:
    """What a form of a carry-over is filled with: what was carried over, if anything."""
    if season.carryover == Season.Carryover.FRESH:
        return {}
    deviation = season.carryover_deviation
    return {
        "carry": season.carryover,
        "share": round(100 * season.carryover_share),
        "deviation": None if deviation is None else round(100 * deviation),
    }


class NextSeasonForm(SeasonForm, CarryoverForm):
    """The season after another one."""

    field_order = ("name", "starts_on", "ends_on", "carry", "share", "deviation")
