"""The password is asked again before roles and tokens when it was last given long ago (S-09)."""

from __future__ import annotations

import time

from django.http import HttpRequest

from leagues.accounts.forms import PasswordAgainForm

FRESH_SECONDS = 60 * 60
_GIVEN_AT = "password_given_at"


def remember_password(request: HttpRequest) -> None:
    """Note in the session that the password was given now."""
    request.session[_GIVEN_AT] = int(time.time())


def password_form(request: HttpRequest) -> PasswordAgainForm | None:
    """The form that asks again, filled from a POST, or None where it is not needed."""
    if time.time() - request.session.get(_GIVEN_AT, 0) < FRESH_SECONDS:
        return None
    return PasswordAgainForm(request, request.POST if request.method == "POST" else None)


def is_confirmed(request: HttpRequest, form: PasswordAgainForm | None) -> bool:
    """Whether a POST may go on; a password given right is remembered."""
    if form is None:
        return True
    if not form.is_valid():
        return False
    remember_password(request)
    return True
