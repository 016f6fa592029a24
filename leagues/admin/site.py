"""The one way into the admin: the site's own sign-in, so that it is throttled like it."""

from __future__ import annotations

from typing import Any, Final

from django.contrib import admin
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from leagues.admin.base import page_of
from leagues.pages.dashboard import site_concerns


def sign_in(request: HttpRequest, extra_context: object = None) -> HttpResponse:
    """Send visitors to the site's sign-in; others who get here may not enter."""
    if request.user.is_authenticated:
        raise PermissionDenied
    return redirect_to_login(request.GET.get("next") or reverse("admin:index"))


def is_site_admin(request: HttpRequest) -> bool:
    """Who may enter: not staff with single permissions, which `leagues.access` does not know."""
    return request.user.is_active and request.user.is_superuser


RUN: Final = (
    *("League", "Season", "Board", "Mode", "Player", "Match", "Membership", "ApiToken"),
    *("User", "Job"),
)
"""Tables that somebody acts on, in the order of a season's life; the others are records."""

_index = admin.site.index
_get_app_list = admin.site.get_app_list


def get_app_list(request: HttpRequest, app_label: str | None = None) -> list[dict[str, Any]]:
    """The tables in two groups: those by which leagues are run, and what was recorded."""
    apps = _get_app_list(request, app_label)
    if app_label:
        return apps
    tables = {table["object_name"]: table for app in apps for table in app["models"]}
    run = [tables.pop(name) for name in RUN if name in tables]
    groups = (("run", _("Run"), run), ("records", _("Records"), list(tables.values())))
    return [
        {
            "name": name,
            "app_label": label,
            "app_url": reverse("admin:index"),
            "has_module_perms": True,
            "models": rows,
        }
        for label, name, rows in groups
        if rows
    ]


def index(request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
    """Show first what needs somebody."""
    concerns = site_concerns(now=timezone.now(), address=page_of)
    return _index(request, {**(extra_context or {}), "concerns": concerns})


# The site that Django fills with the tables of all applications is changed in place.
admin.site.index = index  # type: ignore[method-assign]
admin.site.get_app_list = get_app_list  # type: ignore[method-assign]
admin.site.login = sign_in  # type: ignore[method-assign]
admin.site.has_permission = is_site_admin  # type: ignore[method-assign]
admin.site.site_header = admin.site.site_title = "Rungs"
admin.site.disable_action("delete_selected")
