"""The one way into the admin: the site's own sign-in, so that it is throttled like it."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import reverse


def sign_in(request: HttpRequest, extra_context: object = None) -> HttpResponse:
    """Send visitors to the site's sign-in; others who get here may not enter."""
    if request.user.is_authenticated:
        raise PermissionDenied
    return redirect_to_login(request.GET.get("next") or reverse("admin:index"))


def is_site_admin(request: HttpRequest) -> bool:
    """Say who may enter: not staff with single permissions, which `leagues.access` knows not."""
    return request.user.is_active and request.user.is_superuser


admin.site.login = sign_in
admin.site.has_permission = is_site_admin
admin.site.site_header = admin.site.site_title = "Rungs"
admin.site.disable_action("delete_selected")
