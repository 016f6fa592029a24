"""Accounts: made, switched off and made site admin here; never deleted, so that records keep
who did what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import ReadOnlyPasswordHashWidget, UserChangeForm
from django.contrib.auth.models import Group, User
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _

from leagues import access
from leagues.admin.filters import OfferedLookupsMixin
from leagues.models import League
from leagues.services.audit import record_audit

if TYPE_CHECKING:
    OfUsers = UserAdmin[User]
    ChangeForm = UserChangeForm[User]
else:
    OfUsers = UserAdmin
    ChangeForm = UserChangeForm

MOST_LEAGUES = 5
AUDITED = ("username", "email", "is_active", "is_superuser")

admin.site.unregister(Group)
admin.site.unregister(User)


class PasswordSummary(ReadOnlyPasswordHashWidget):
    """Offers to set another password, and says nothing of how this one is stored."""

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        return {**super().get_context(name, value, attrs), "summary": []}


class AccountForm(ChangeForm):
    """What can be changed of an account."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].widget = PasswordSummary()


@admin.register(User)
class AccountAdmin(OfferedLookupsMixin, OfUsers):
    form = AccountForm
    list_display = ("username", "email", "is_active", "is_superuser", "last_login")
    list_filter = ("is_active", "is_superuser")
    fieldsets = (
        (None, {"fields": ("username", "password", "email", "is_active")}),
        (_("Site admin: can do everything"), {"fields": ("is_superuser",)}),
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

    def response_add(
        self, request: HttpRequest, obj: User, post_url_continue: str | None = None
    ) -> HttpResponse:
        leagues = League.objects.filter(is_demo=False).order_by("name", "pk")[:MOST_LEAGUES]
        links = format_html_join(
            ", ",
            '<a href="{}">{}</a>',
            ((reverse("leagues:settings_members", args=[row.slug]), row.name) for row in leagues),
        )
        if links:
            text = _("Next: give %(name)s a role in a league’s settings, under Members:")
            words = text % {"name": obj.get_username()}
            messages.info(request, format_html("{} {}", words, links))
        return super().response_add(request, obj, post_url_continue)

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
