"""Pages of accounts: signing in and out, passwords, the first account, invitations."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth import views as stock
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm
from django.contrib.auth.models import User
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse, reverse_lazy
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from leagues import access
from leagues.accounts.attempts import remember_device, shares_of_attempt
from leagues.accounts.confirmation import remember_password
from leagues.accounts.forms import (
    ChangePasswordForm,
    NewAccountForm,
    NewPasswordForm,
    ResetForm,
    SignInForm,
)
from leagues.limits.throttle import Limit, Share, by_address, give_back_all, use_all
from leagues.pages.authors import role_words
from leagues.services.errors import Refused
from leagues.services.invitations import accept_invitation, accept_with_account, find_invitation
from leagues.services.setup import complete_setup, is_setup_link, needs_setup
from leagues.views.common import MAX_NEXT
from leagues.views.limits import address_of, too_many

if TYPE_CHECKING:
    LoginView = stock.LoginView[SignInForm]
else:
    LoginView = stock.LoginView

INVALID = 422
RESETS = Limit("reset", uses=3, seconds=60 * 60)


def locked_out(
    request: HttpRequest, response: HttpResponse | None, credentials: dict[str, Any] | None
) -> HttpResponse:
    """Answer for django-axes once an account was tried too often from one address."""
    return too_many(request, int(settings.AXES_COOLOFF_TIME.total_seconds()))


class RedirectThen(HttpResponseRedirect):
    """Redirect, and do some work once the answer is out.

    Looking for an account and writing to it takes longer than not finding one; whoever waits for
    the answer must not see which it was.
    """

    def __init__(self, address: str, work: Callable[[], None]) -> None:
        super().__init__(address)
        self._work = work

    def close(self) -> None:
        try:
            self._work()
        finally:
            super().close()


class SafeNext(stock.RedirectURLMixin):
    """Follow `next` within this site only (reliability S-07)."""

    def get_redirect_url(self, request: HttpRequest | None = None) -> str:
        # The stubs know the argument of Django 6; Django 5 takes none and calls without it.
        target = super().get_redirect_url()
        return target if len(target) <= MAX_NEXT else ""


class SignIn(SafeNext, LoginView):
    template_name = "accounts/sign_in.html"
    authentication_form = SignInForm
    shares: tuple[Share, ...] = ()

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs) | {"is_first_start": needs_setup()}

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Count the attempt before the password is looked at, so that no two share a count."""
        self.shares = shares_of_attempt(request, request.POST.get("username", ""))
        wait = use_all(*self.shares)
        return too_many(request, wait) if wait else super().post(request, *args, **kwargs)

    def form_valid(self, form: SignInForm) -> HttpResponse:
        give_back_all(*self.shares)
        response = super().form_valid(form)
        remember_password(self.request)
        remember_device(response, form.get_user().get_username())
        return response

    def form_invalid(self, form: SignInForm) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=INVALID)


class SignOut(SafeNext, stock.LogoutView):
    http_method_names = ["get", "head", "post"]

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Lead to the page with the button: an address that is only opened ends no session."""
        return redirect("accounts:home" if request.user.is_authenticated else "leagues:home")


class PasswordChange(stock.PasswordChangeView):
    template_name = "accounts/password_change.html"
    form_class = ChangePasswordForm
    success_url = reverse_lazy("accounts:home")

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        access.signed_in(request)
        return super().dispatch(request, *args, **kwargs)

    def form_valid(self, form: PasswordChangeForm) -> HttpResponse:
        response = super().form_valid(form)
        remember_password(self.request)
        messages.success(
            self.request, _("Your password was changed and you were signed out everywhere else.")
        )
        return response

    def form_invalid(self, form: PasswordChangeForm) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=INVALID)


class ResetConfirm(stock.PasswordResetConfirmView):
    template_name = "accounts/reset_confirm.html"
    form_class = NewPasswordForm
    success_url = reverse_lazy("accounts:reset-done")

    def form_invalid(self, form: SetPasswordForm[User]) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=INVALID)


@never_cache
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the account of whoever is signed in."""
    user = access.signed_in(request)
    roles = user.memberships.select_related("league").order_by("league__name")
    return render(request, "accounts/home.html", {"roles": roles})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def reset(request: HttpRequest) -> HttpResponse:
    """Ask where to send a reset link; the answer is the same whether or not there is an account."""
    form = ResetForm(request.POST if request.method == "POST" else None)
    context = {"form": form, "is_printed": _is_printed()}
    if not form.is_bound:
        return render(request, "accounts/reset.html", context)
    if not form.is_valid():
        return render(request, "accounts/reset.html", context, status=INVALID)
    email = form.cleaned_data["email"].lower()
    wait = use_all(*by_address(RESETS, address_of(request)), (RESETS, f"to {email}"))
    if wait:
        return too_many(request, wait)
    return RedirectThen(reverse("accounts:reset-sent"), lambda: form.send(request))


@require_safe
def reset_sent(request: HttpRequest) -> HttpResponse:
    return render(request, "accounts/reset_sent.html", {"is_printed": _is_printed()})


def _is_printed() -> bool:
    """Whether mails are printed where Rungs runs, because no mail server is set."""
    return str(settings.EMAIL_BACKEND).endswith(".console.EmailBackend")


@require_safe
def reset_done(request: HttpRequest) -> HttpResponse:
    return render(request, "accounts/reset_done.html")


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def setup(request: HttpRequest, secret: str) -> HttpResponse:
    """Make the first account with the link printed at the start."""
    if not is_setup_link(secret):
        return render(request, "accounts/setup_over.html", status=410)
    form = NewAccountForm(request.POST if request.method == "POST" else None)
    if not form.is_bound:
        return render(request, "accounts/setup.html", {"form": form})
    if not form.is_valid():
        return render(request, "accounts/setup.html", {"form": form}, status=INVALID)
    try:
        user = complete_setup(
            secret=secret,
            username=form.cleaned_data["username"],
            email=form.cleaned_data["email"],
            password=form.cleaned_data["password1"],
        )
    except Refused:
        return render(request, "accounts/setup_over.html", status=410)
    _sign_in(request, user)
    messages.success(request, _("Your account is ready."))
    return redirect("leagues:home")


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, secret: str) -> HttpResponse:
    """Accept an invitation to a league, with the account that is signed in or with a new one."""
    invited = find_invitation(secret)
    if invited is None:
        return render(request, "accounts/invitation_over.html", status=410)
    is_sent = request.method == "POST"
    is_new = request.user.is_anonymous
    form = NewAccountForm(request.POST if is_sent else None) if is_new else None
    context: dict[str, Any] = {
        "invitation": invited,
        "form": form,
        "role": role_words(invited.role),
    }
    if not is_sent:
        return render(request, "accounts/invitation.html", context)
    if form is not None and not form.is_valid():
        return render(request, "accounts/invitation.html", context, status=INVALID)
    try:
        if form is None:
            accept_invitation(secret=secret, user=access.signed_in(request))
        else:
            _sign_in(request, _invited_user(secret, form))
    except Refused as refusal:
        context["problem"] = str(refusal)
        return render(request, "accounts/invitation.html", context, status=INVALID)
    except IntegrityError:
        # Somebody took the name while this form was being looked at; or this was sent twice.
        context["problem"] = (
            _("This username has just been taken. Choose another one.")
            if is_new
            else _("You already have a role in this league.")
        )
        return render(request, "accounts/invitation.html", context, status=INVALID)
    words = {"role": context["role"], "league": invited.league.name}
    messages.success(request, _("Welcome. You are now %(role)s of %(league)s.") % words)
    return redirect("leagues:board", invited.league.slug)


def _invited_user(secret: str, form: NewAccountForm) -> User:
    return accept_with_account(
        secret=secret,
        username=form.cleaned_data["username"],
        email=form.cleaned_data["email"],
        password=form.cleaned_data["password1"],
    )


def _sign_in(request: HttpRequest, user: User) -> None:
    """Sign in somebody whose account was made in this request."""
    login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    remember_password(request)
