"""Addresses of accounts, below /account/."""

from __future__ import annotations

from django.urls import path
from django.views.decorators.http import require_http_methods

from leagues.accounts import views

app_name = "accounts"

# Django's own views take PUT for POST, and answer OPTIONS.
form_page = require_http_methods(["GET", "HEAD", "POST"])

urlpatterns = [
    path("", views.home, name="home"),
    path("sign-in/", form_page(views.SignIn.as_view()), name="sign-in"),
    path("sign-out/", form_page(views.SignOut.as_view()), name="sign-out"),
    path("password/", form_page(views.PasswordChange.as_view()), name="password-change"),
    path("reset/", views.reset, name="reset"),
    path("reset/sent/", views.reset_sent, name="reset-sent"),
    path("reset/done/", views.reset_done, name="reset-done"),
    path("reset/<uidb64>/<token>/", form_page(views.ResetConfirm.as_view()), name="reset-confirm"),
    path("setup/<str:secret>/", views.setup, name="setup"),
    path("invitation/<str:secret>/", views.invitation, name="invitation"),
]
