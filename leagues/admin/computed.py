"""What is computed: boards and standings."""

from __future__ import annotations

from django.contrib import admin

from leagues.admin.base import ReadOnlyAdmin
from leagues.models import Board, Standing


@admin.register(Board)
class BoardAdmin(ReadOnlyAdmin):
    list_display = ("name", "season", "system", "state", "frontier", "rated_matches", "computed_at")
    list_filter = ("system", "state")
    list_select_related = ("season__league",)
    search_fields = ("name", "=league__slug")


@admin.register(Standing)
class StandingAdmin(ReadOnlyAdmin):
    list_display = ("player", "board", "generation", "shown", "games", "last_played_at")
    list_select_related = ("player", "board")
    search_fields = ("=league__slug", "=player__key")
    ordering = ("-pk",)
    exclude = ("state",)
