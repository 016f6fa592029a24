"""What was reported: matches and revisions."""

from __future__ import annotations

from django.contrib import admin

from leagues.admin.base import ReadOnlyAdmin
from leagues.models import LedgerEntry, Match, MatchVersion, Participant, Revision


@admin.register(Match)
class MatchAdmin(ReadOnlyAdmin):
    list_display = ("seq", "season", "mode", "played_at", "kind", "status", "source", "version")
    list_filter = ("status", "kind")
    list_select_related = ("season__league", "mode")
    search_fields = ("=league__slug", "=external_id")
    ordering = ("-pk",)


@admin.register(Participant)
class ParticipantAdmin(ReadOnlyAdmin):
    list_display = ("match_id", "player", "side", "rank", "score")
    list_select_related = ("player",)
    search_fields = ("=match__pk", "=player__key")
    ordering = ("-pk",)


@admin.register(MatchVersion)
class MatchVersionAdmin(ReadOnlyAdmin):
    list_display = ("match_id", "version", "revision")
    list_select_related = ("revision",)
    search_fields = ("=match__pk",)
    ordering = ("-pk",)


@admin.register(Revision)
class RevisionAdmin(ReadOnlyAdmin):
    list_display = ("number", "season", "kind", "state", "author", "source", "created_at")
    list_filter = ("kind", "state")
    list_select_related = ("season__league", "author")
    search_fields = ("=league__slug",)
    ordering = ("-pk",)


@admin.register(LedgerEntry)
class LedgerEntryAdmin(ReadOnlyAdmin):
    list_display = ("seq", "season", "kind", "effective_at")
    list_select_related = ("season__league",)
    search_fields = ("=league__slug",)
