"""Make and revoke the API tokens of a league."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from leagues import access
from leagues.access import Action
from leagues.accounts.confirmation import is_confirmed, password_form
from leagues.forms.settings import TokenForm, add_errors
from leagues.pages.settings import token_rows
from leagues.services.tokens import create_token, revoke_token
from leagues.views.settings.pages import INVALID, settings_page


@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: HttpRequest, slug: str) -> HttpResponse:
    """List the tokens; make one, whose text is on the answer to that POST and nowhere else."""
    league = access.league(request, slug, Action.TOKENS)
    again = password_form(request)
    form = TokenForm(request.POST if request.method == "POST" else None)
    plain = ""
    if form.is_bound and form.is_valid() and is_confirmed(request, again):
        try:
            _token, plain = create_token(
                league=league,
                name=form.cleaned_data["name"],
                scope=form.cleaned_data["scope"],
                recent_only=form.cleaned_data["recent_only"],
                actor=access.signed_in(request),
            )
        except ValidationError as error:
            add_errors(form, error)
        else:
            form, again = TokenForm(), None
    context = {"form": form, "again": again, "plain": plain, "tokens": token_rows(league)}
    return settings_page(
        request,
        league,
        "settings_tokens",
        context,
        status=INVALID if form.is_bound else 200,
    )


@require_POST
def revoke(request: HttpRequest, slug: str, public_id: str) -> HttpResponse:
    """End a token. No password is asked for: taking access away must be quick."""
    token = access.token(request, slug, public_id, Action.TOKENS)
    revoke_token(token=token, actor=access.signed_in(request))
    messages.success(request, _("“%(token)s” is revoked.") % {"token": token.name})
    return redirect("leagues:settings_tokens", slug)
