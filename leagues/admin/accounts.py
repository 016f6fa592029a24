"""Accounts: made, switched off and made site admin here; never deleted, so that records keep
who did what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group, User
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from leagues import access
from leagues.admin.filters import OfferedLookupsMixin
from leagues.services.audit import record_audit

if TYPE_CHECKING:
    OfUsers = UserAdmin[User]
else:
    OfUsers = UserAdmin

AUDITED = ("username", "email", "is_active", "is_superuser")

admin.site.unregister(Group)
admin.site.unregister(User)


@admin.register(User)
class AccountAdmin(OfferedLookupsMixin, OfUsers):
    list_display = ("username", "email", "is_active", "is_superuser", "last_login")
    list_filter = ("is_active", "is_superuser")
    fieldsets = (
        (None, {"fields": ("username", "password", "email", "is_active")}),
        (_("Site admin: may do everything"), {"fields": ("is_superuser",)}),
    )
    add_fieldsets = (
        (None, {"classes": ("wide",), "fields": ("username", "email", "password1", "password2")}),
    )
    search_fields = ("username", "email")
    filter_horizontal = ()
    show_full_result_count = False
    search_help_text = _("Searches names and e-mail addresses.")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        before = User.objects.filter(pk=obj.pk).values(*AUDITED).first()
        obj.is_staff = obj.is_superuser
        super().save_model(request, obj, form, change)
        record_audit(
            league=None,
            actor=access.signed_in(request),
            action="account.change" if change else "account.create",
            subject=obj.get_username(),
            account=obj,
            before=before,
            after={field: getattr(obj, field) for field in AUDITED},
        )
