"""What was done: jobs and the audit of settings."""

from __future__ import annotations

from django.contrib import admin

from leagues.admin.base import ReadOnlyAdmin
from leagues.models import AuditEntry, Job


@admin.register(Job)
class JobAdmin(ReadOnlyAdmin):
    list_display = ("pk", "kind", "key", "state", "stage", "attempts", "created_at", "finished_at")
    list_filter = ("state", "kind")
    search_fields = ("key", "=league__slug")
    ordering = ("-pk",)


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin):
    list_display = ("created_at", "league", "actor", "action", "subject")
    list_filter = ("action",)
    list_select_related = ("league", "actor")
    search_fields = ("subject", "=league__slug")
    ordering = ("-pk",)
