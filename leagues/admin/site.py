"""The admin as a whole: its sign-in, which is the site's and throttled like it, and its index."""

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
from django.utils.translation import gettext_lazy as _lazy

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

DESCRIPTIONS: Final = {
    "League": _lazy("A club or group, with its rules."),
    "Season": _lazy("A period of play; opened, closed and sealed here."),
    "Board": _lazy("A season’s results rated by one system."),
    "Mode": _lazy("What is played in a league, such as singles or doubles."),
    "Player": _lazy("The people who play; renamed here."),
    "Match": _lazy("The results; voided here."),
    "Membership": _lazy("Who has which role in a league."),
    "ApiToken": _lazy("Keys that programs use to send results."),
    "User": _lazy("The accounts that sign in."),
    "Job": _lazy("Work in the background; failed work is tried again here."),
    "Revision": _lazy("Each entry, correction or import of results."),
    "MatchVersion": _lazy("Matches as they were before a correction."),
    "AuditEntry": _lazy("Who changed which setting."),
    "LedgerEntry": _lazy("What was recorded with a match besides its result."),
    "Trial": _lazy("Back-tests and other parameters that were tried on copies."),
    "Participant": _lazy("Who played in which match, on which side."),
    "BoardRules": _lazy("The parameters of a board, and when they take effect."),
    "PlayerAlias": _lazy("Other spellings of players’ names."),
}
"""What each table holds, in a line."""

_index = admin.site.index
_get_app_list = admin.site.get_app_list


def get_app_list(request: HttpRequest, app_label: str | None = None) -> list[dict[str, Any]]:
    """The tables in two groups: those by which leagues are run, and what was recorded."""
    apps = _get_app_list(request, app_label)
    if app_label:
        return apps
    tables = {table["object_name"]: table for app in apps for table in app["models"]}
    for name, table in tables.items():
        table["description"] = DESCRIPTIONS.get(name, "")
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
