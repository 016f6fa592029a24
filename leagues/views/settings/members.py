"""See, give and take the roles of a league."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from leagues import access
from leagues.access import Action
from leagues.accounts.confirmation import is_confirmed, password_form
from leagues.forms.settings import MemberForm
from leagues.models import League, Membership
from leagues.pages.authors import role_words
from leagues.services.errors import Refused
from leagues.services.members import find_user, remove_member, set_role
from leagues.views.settings.pages import INVALID, settings_page

ACCEPT = ("GET", "HEAD", "POST")


@require_http_methods(ACCEPT)
def members(request: HttpRequest, slug: str) -> HttpResponse:
    """List who has a role; give one, or another one."""
    league = access.league(request, slug, Action.ROLES)
    again = password_form(request)
    form = MemberForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid() and is_confirmed(request, again):
        user = find_user(form.cleaned_data["who"])
        if user is None:
            form.add_error("who", _("No account has this name or e-mail address."))
        else:
            try:
                member = set_role(
                    league=league,
                    user=user,
                    role=form.cleaned_data["role"],
                    actor=access.signed_in(request),
                )
            except Refused as refusal:
                form.add_error("role", str(refusal))
            else:
                words = {"name": user.get_username(), "role": role_words(member.role)}
                messages.success(request, _("%(name)s is now %(role)s of this league.") % words)
                return redirect("leagues:settings_members", league.slug)
    context = {"form": form, "again": again, "members": _members(league)}
    return settings_page(
        request,
        league,
        "settings_members",
        context,
        status=INVALID if form.is_bound else 200,
    )


@require_http_methods(ACCEPT)
def remove(request: HttpRequest, slug: str, user_id: int) -> HttpResponse:
    """Ask, then take somebody's role away."""
    member = access.member(request, slug, user_id, Action.ROLES)
    league = member.league
    again = password_form(request)
    problem = ""
    if request.method == "POST" and is_confirmed(request, again):
        try:
            remove_member(member=member, actor=access.signed_in(request))
        except Refused as refusal:
            problem = str(refusal)
        else:
            words = {"name": member.user.get_username()}
            messages.success(request, _("%(name)s no longer has a role in this league.") % words)
            return redirect("leagues:settings_members", league.slug)
    context = {
        "member": member,
        "role": role_words(member.role),
        "again": again,
        "problem": problem,
    }
    return settings_page(
        request,
        league,
        "settings_member_remove",
        context,
        status=INVALID if request.method == "POST" else 200,
    )


def _members(league: League) -> list[Membership]:
    return list(league.memberships.select_related("user").order_by("user__username"))
