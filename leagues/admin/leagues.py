"""Leagues and what they are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from leagues import access
from leagues.admin.base import ReadOnlyAdmin
from leagues.admin.columns import moment, renamed
from leagues.admin.filters import LeagueFilter, yes_or_no
from leagues.models import ApiToken, League, Membership, Mode, Player
from leagues.services.errors import Refused
from leagues.services.players import rename_player

if TYPE_CHECKING:
    OfPlayer = forms.ModelForm[Player]
else:
    OfPlayer = forms.ModelForm


@admin.register(League)
class LeagueAdmin(ReadOnlyAdmin):
    list_display = (
        "name",
        "slug",
        "visibility",
        "time_zone",
        renamed("is_demo", _("demonstration"), is_yes_or_no=True),
        moment("created_at", _("made")),
    )
    list_filter = ("visibility", yes_or_no("is_demo", _("demonstration")))
    search_fields = ("name", "slug")
    searched = _("Searches names and addresses of leagues.")

    def view_on_site(self, obj: League) -> str:
        return reverse("leagues:dashboard", args=[obj.slug])


@admin.register(Membership)
class MembershipAdmin(ReadOnlyAdmin):
    list_display = (
        renamed("user", _("account")),
        "league",
        "role",
        moment("created_at", _("since")),
    )
    list_filter = ("role", LeagueFilter)
    list_select_related = ("user", "league")
    search_fields = ("=league__slug", "=user__username")
    searched = _("Searches the address of the league and the name of the account.")

    def view_on_site(self, obj: Membership) -> str:
        return reverse("leagues:settings_members", args=[obj.league.slug])


@admin.register(Mode)
class ModeAdmin(ReadOnlyAdmin):
    list_display = ("name", "league", renamed("slug", _("address")))
    list_select_related = ("league",)
    search_fields = ("name", "league__slug")
    searched = _("Searches names, and addresses of leagues.")


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnlyAdmin):
    list_display = (
        "name",
        "league",
        renamed("public_id", _("public part")),
        "scope",
        moment("last_used_at", _("last used")),
        moment("revoked_at", _("revoked")),
    )
    list_filter = ("scope", LeagueFilter)
    list_select_related = ("league",)
    search_fields = ("name", "=public_id")
    searched = _("Searches names and the public part of tokens.")
    exclude = ("secret_hash",)


class PlayerForm(OfPlayer):
    """Rename through the service while the form is checked, so that a refusal is shown in it."""

    class Meta:
        model = Player
        fields = ("name",)

    actor: User | None = None

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        stored = Player.objects.select_related("league").get(pk=self.instance.pk)
        try:
            return rename_player(player=stored, name=name, actor=self.actor).name
        except Refused as refusal:
            raise ValidationError(str(refusal)) from refusal


@admin.register(Player)
class PlayerAdmin(ReadOnlyAdmin):
    form = PlayerForm
    list_display = (
        "name",
        renamed("key", _("id")),
        "league",
        renamed("is_listed", _("in the lists"), is_yes_or_no=True),
        moment("created_at", _("made")),
    )
    list_filter = (yes_or_no("is_listed", _("in the lists")), LeagueFilter)
    list_select_related = ("league",)
    search_fields = ("name", "=key")
    searched = _("Searches names, and the id of a player.")
    fields = (
        "name",
        "key",
        "league",
        "birth_year",
        "user",
        "is_listed",
        "merged_into",
        "created_at",
    )
    readonly_fields = fields[1:]

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return admin.ModelAdmin.has_change_permission(self, request, obj)

    def get_form(self, request: HttpRequest, *args: Any, **kwargs: Any) -> type[PlayerForm]:
        form = super().get_form(request, *args, **kwargs)
        assert issubclass(form, PlayerForm)  # noqa: S101
        form.actor = access.signed_in(request)
        return form

    def save_model(self, request: HttpRequest, obj: Player, form: Any, change: bool) -> None:
        """Leave it: the form has let the service write."""
