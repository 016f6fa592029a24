"""Addresses of accounts, below /account/."""

from __future__ import annotations

from django.urls import path

from leagues.accounts import views

app_name = "accounts"

urlpatterns = [
    path("", views.home, name="home"),
    path("sign-in/", views.SignIn.as_view(), name="sign-in"),
    path("sign-out/", views.SignOut.as_view(), name="sign-out"),
    path("password/", views.PasswordChange.as_view(), name="password-change"),
    path("reset/", views.reset, name="reset"),
    path("reset/sent/", views.reset_sent, name="reset-sent"),
    path("reset/done/", views.reset_done, name="reset-done"),
    path("reset/<uidb64>/<token>/", views.ResetConfirm.as_view(), name="reset-confirm"),
    path("setup/<str:secret>/", views.setup, name="setup"),
    path("invitation/<str:secret>/", views.invitation, name="invitation"),
]
