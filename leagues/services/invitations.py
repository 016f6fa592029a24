"""Invitations: a link that gives one person a role in a league, with an account where needed.

It works once, for a week, and as long as whoever made it may give roles there. Only the hash of
its secret is stored.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from leagues.access import Action, is_allowed
from leagues.models import Invitation, League, Membership
from leagues.services.audit import record_audit
from leagues.services.errors import Problem, Refused

LIFETIME = timedelta(days=7)


@transaction.atomic
def create_invitation(*, league: League, role: str, actor: User) -> str:
    """Make an invitation and return the path of its link, which nobody can read again."""
    secret = secrets.token_urlsafe(32)
    invitation = Invitation(
        league=league,
        role=role,
        secret_hash=_hash(secret),
        created_by=actor,
        expires_at=timezone.now() + LIFETIME,
    )
    invitation.full_clean(exclude=("used_at",))
    invitation.save()
    record_audit(league=league, actor=actor, action="member.invite", after={"role": role})
    return reverse("accounts:invitation", args=[secret])


@transaction.atomic
def withdraw_invitation(*, league: League, number: int, actor: User) -> bool:
    """End an invitation; False, and nothing happens, where it has been used or has ended."""
    # Locked before the log, as by whoever accepts it.
    unused = league.invitations.filter(pk=number, used_at=None)
    invitation = unused.select_for_update(of=("self",)).first()
    if invitation is None:
        return False
    record_audit(
        league=league, actor=actor, action="member.withdraw", before={"role": invitation.role}
    )
    invitation.delete()
    return True


def find_invitation(secret: str, *, lock: bool = False) -> Invitation | None:
    """The invitation of a link, if it can be accepted now."""
    rows = Invitation.objects.select_related("league", "created_by")
    if lock:
        rows = rows.select_for_update(of=("self",))
    invitation = rows.filter(
        secret_hash=_hash(secret), used_at=None, expires_at__gt=timezone.now()
    ).first()
    if invitation is None or not is_allowed(invitation.created_by, Action.ROLES, invitation.league):
        return None
    return invitation


@transaction.atomic
def accept_invitation(*, secret: str, user: User) -> League:
    """Give a signed-in user the role of an invitation; whoever has one already keeps it."""
    invitation = find_invitation(secret, lock=True)
    if invitation is None:
        raise Refused([_over()])
    if invitation.league.memberships.filter(user=user).exists():
        raise Refused([_member_already()])
    _join(invitation, user)
    return invitation.league


@transaction.atomic
def accept_with_account(*, secret: str, username: str, email: str, password: str) -> User:
    """Make an account that has the role of an invitation."""
    invitation = find_invitation(secret, lock=True)
    if invitation is None:
        raise Refused([_over()])
    user = get_user_model().objects.create_user(username, email, password)
    _join(invitation, user)
    return user


def _join(invitation: Invitation, user: User) -> None:
    invitation.used_at = timezone.now()
    invitation.save(update_fields=["used_at"])
    Membership.objects.create(league=invitation.league, user=user, role=invitation.role)
    record_audit(
        league=invitation.league,
        actor=user,
        action="member.join",
        subject=user.get_username(),
        account=user,
        after={"role": invitation.role},
    )


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


def _over() -> Problem:
    return Problem("", "invitation_over", _("This invitation has been used, withdrawn or expired."))


def _member_already() -> Problem:
    return Problem("", "member_already", _("You already have a role in this league."))
