"""See, give and take the roles of a league, and invite people to one."""

from __future__ import annotations

from typing import Any, TypeVar

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from leagues import access, wording
from leagues.access import Action
from leagues.accounts.confirmation import is_confirmed, password_form
from leagues.accounts.forms import PasswordAgainForm
from leagues.addresses import is_local
from leagues.charts import qr_code
from leagues.forms.settings import InvitationForm, MemberForm
from leagues.models import League, Membership
from leagues.pages.authors import role_words
from leagues.selectors.invitations import open_invitations
from leagues.services.errors import Refused
from leagues.services.invitations import create_invitation, withdraw_invitation
from leagues.services.members import find_user, remove_member, set_role
from leagues.views.common import own_port, site_address
from leagues.views.settings.pages import INVALID, settings_page

AnyForm = TypeVar("AnyForm", bound=Form | None)
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
            form.add_error(
                "who",
                _("No account has this name. Invite the person with a link, below."),
            )
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
    context = {"form": form, "again": again}
    return _members_page(request, league, context, status=INVALID if form.is_bound else 200)


@require_http_methods(ACCEPT)
def invitations(request: HttpRequest, slug: str) -> HttpResponse:
    """Make an invitation, whose link is on the answer to that POST and nowhere else."""
    league = access.league(request, slug, Action.ROLES)
    if request.method != "POST":
        return redirect("leagues:settings_members", league.slug)
    again = _apart(password_form(request))
    form = _apart(InvitationForm(request.POST))
    if not (form.is_valid() and is_confirmed(request, again)):
        context = {"invitation_form": form, "invitation_again": again}
        return _members_page(request, league, context, status=INVALID)
    path = create_invitation(
        league=league, role=form.cleaned_data["role"], actor=access.signed_in(request)
    )
    site = site_address(request)
    link = f"{site}{path}"
    words = {
        "link": link,
        "code": None if is_local(site) else qr_code(link),
        "invited_as": role_words(form.cleaned_data["role"]),
    }
    return _members_page(request, league, words)


@require_POST
def withdraw(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """End an invitation. No password is asked for: taking access away must be quick."""
    league = access.league(request, slug, Action.ROLES)
    if withdraw_invitation(league=league, number=number, actor=access.signed_in(request)):
        messages.success(request, _("The invitation no longer works."))
    else:
        messages.warning(
            request,
            _("This invitation had already been used or had expired. Check the list of members."),
        )
    return redirect("leagues:settings_members", league.slug)


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


def _members_page(
    request: HttpRequest, league: League, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    """The page of roles and invitations, with what was sent to it."""
    everything = {
        "form": MemberForm(),
        "is_local": is_local(site_address(request)),
        "own_port": own_port(),
        "again": _unsent_password(request),
        "invitation_form": _apart(InvitationForm()),
        "invitation_again": _apart(_unsent_password(request)),
        "members": _members(league),
        "invitations": [
            (row.pk, row.get_role_display(), wording.moment(row.expires_at, league.zone))
            for row in open_invitations(league, timezone.now())
        ],
        **context,
    }
    return settings_page(
        request, league, "settings_members", everything, status=status, tab="settings_members"
    )


def _unsent_password(request: HttpRequest) -> PasswordAgainForm | None:
    """The empty form that asks for the password again, where it is needed."""
    return PasswordAgainForm(request) if password_form(request) else None


def _apart(form: AnyForm) -> AnyForm:
    """A form of invitations, its fields told apart from those of the other form on the page."""
    if form is not None:
        form.auto_id = "invitation_%s"
    return form


def _members(league: League) -> list[Membership]:
    return list(league.memberships.select_related("user").order_by("user__username"))
