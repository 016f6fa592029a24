"""All addresses: pages at the root, accounts, the API, the admin, and what watchmen ask."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

from config import health

admin.autodiscover()
urlpatterns = [
    path("api/v1/", include("leagues.api.urls")),
    path("healthz/live", health.live, name="live"),
    path("healthz/ready", health.ready, name="ready"),
    path("admin/", admin.site.urls),
    path("account/", include("leagues.accounts.urls")),
    path("", include("leagues.urls")),
]

handler400 = "leagues.views.errors.bad_request"
handler403 = "leagues.views.errors.permission_denied"
handler404 = "leagues.views.errors.page_not_found"
handler500 = "leagues.views.errors.server_error"
