"""Leagues and what they are made of."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.urls import reverse

from leagues.admin.base import ReadOnlyAdmin
from leagues.admin.filters import LeagueFilter
from leagues.models import ApiToken, League, Membership, Mode, Player
from leagues.services.errors import Refused
from leagues.services.players import rename_player


@admin.register(League)
class LeagueAdmin(ReadOnlyAdmin):
    list_display = ("name", "slug", "visibility", "time_zone", "is_demo", "created_at")
    list_filter = ("visibility", "is_demo")
    search_fields = ("name", "slug")

    def view_on_site(self, obj: League) -> str:
        return reverse("leagues:dashboard", args=[obj.slug])


@admin.register(Membership)
class MembershipAdmin(ReadOnlyAdmin):
    list_display = ("user", "league", "role", "created_at")
    list_filter = ("role", LeagueFilter)
    list_select_related = ("user", "league")
    search_fields = ("=league__slug", "=user__username")

    def view_on_site(self, obj: Membership) -> str:
        return reverse("leagues:settings_members", args=[obj.league.slug])


@admin.register(Mode)
class ModeAdmin(ReadOnlyAdmin):
    list_display = ("name", "league", "slug")
    list_select_related = ("league",)
    search_fields = ("name", "league__slug")


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnlyAdmin):
    list_display = ("name", "league", "public_id", "scope", "last_used_at", "revoked_at")
    list_filter = ("scope", LeagueFilter)
    list_select_related = ("league",)
    search_fields = ("name", "=public_id")
    exclude = ("secret_hash",)


class PlayerForm(forms.ModelForm):
    """Rename through the service while the form is checked, so that a refusal is shown in it."""

    class Meta:
        model = Player
        fields = ("name",)

    actor: Any = None

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
    list_display = ("name", "key", "league", "is_listed", "created_at")
    list_filter = ("is_listed", LeagueFilter)
    list_select_related = ("league",)
    search_fields = ("name", "=key")
    fields = ("name", "key", "league", "birth_year", "user", "is_listed", "created_at")
    readonly_fields = ("key", "league", "birth_year", "user", "is_listed", "created_at")

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return admin.ModelAdmin.has_change_permission(self, request, obj)

    def get_form(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        form = super().get_form(request, *args, **kwargs)
        form.actor = request.user
        return form

    def save_model(self, request: HttpRequest, obj: Player, form: Any, change: bool) -> None:
        """Leave it: the form has let the service write."""
