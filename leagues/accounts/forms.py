"""Forms of accounts: Django's own, in our words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from django import forms
from django.conf import settings
from django.contrib.auth import authenticate, get_user_model
from django.contrib.auth.forms import (
    AuthenticationForm,
    PasswordChangeForm,
    PasswordResetForm,
    SetPasswordForm,
    UserCreationForm,
)
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    SetPasswordOfUser = SetPasswordForm[User]
    CreationOfUser = UserCreationForm[User]
else:
    SetPasswordOfUser, CreationOfUser = SetPasswordForm, UserCreationForm

# Django's own list of rules is a block of HTML, which a help text cannot hold.
PASSWORD_RULES = _("At least 12 characters, not a common password, and not similar to your name.")


class Unfocused:
    """Leaves the focus where the page begins: who hears the page must not land in its middle."""

    fields: dict[str, forms.Field]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs.pop("autofocus", None)


class SignInForm(Unfocused, AuthenticationForm):
    """Ask for name and password; the refusal does not say which of them was wrong.

    Its first field has the focus until the form is refused: then the reason comes first.
    """

    error_messages = {
        **AuthenticationForm.error_messages,
        "invalid_login": _("Wrong username or password."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.is_bound:
            self.fields["username"].widget.attrs["autofocus"] = True


class ResetForm(PasswordResetForm):
    """Ask for the address to which a reset link goes."""

    def send(self, request: HttpRequest) -> None:
        """Send the link; it leads to the public address, whatever Host the request named."""
        public = urlsplit(settings.PUBLIC_URL)
        self.save(
            request=request,
            domain_override=public.netloc,
            use_https=public.scheme == "https",
            subject_template_name="accounts/email/reset_subject.txt",
            email_template_name="accounts/email/reset_body.txt",
        )


class NewPasswordForm(Unfocused, SetPasswordOfUser):
    """Ask for a new password after a reset."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["new_password1"].help_text = PASSWORD_RULES


class ChangePasswordForm(NewPasswordForm, PasswordChangeForm):
    """Ask for the old and a new password."""


class NewAccountForm(Unfocused, CreationOfUser):
    """Ask for a new account."""

    email = forms.EmailField(
        label=_("E-mail"), help_text=_("A link to choose a new password would go to this address.")
    )

    class Meta:
        model = get_user_model()
        fields = ("username", "email")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].help_text = _(
            "You will sign in with this name. Letters, digits and . + - _, without spaces."
        )
        self.fields["username"].error_messages["invalid"] = _(
            "A username has letters, digits and . + - _ alone, without spaces."
        )
        self.fields["password1"].help_text = PASSWORD_RULES
        self.fields["password2"].help_text = ""

    def clean_username(self) -> str:
        """A name that nobody has in other letters, and that cannot be taken for an address."""
        name = super().clean_username()
        # None where another account has it in other letters, which the form says.
        if "@" in (name or ""):
            raise ValidationError(
                _("A username can’t contain “@”. Enter your e-mail address below.")
            )
        return name


class PasswordAgainForm(forms.Form):
    """Ask for the password of whoever is signed in; failures count like those of signing in."""

    password_again = forms.CharField(
        label=_("Your password"),
        help_text=_("We ask for it again before important actions."),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request

    def clean_password_again(self) -> str:
        password: str = self.cleaned_data["password_again"]
        name = self.request.user.get_username()
        if authenticate(self.request, username=name, password=password) is None:
            raise ValidationError(_("This is not your password."), code="wrong")
        return password
