"""Who has which role in a league."""

from __future__ import annotations

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from leagues.models import League, Membership
from leagues.services.audit import record_audit
from leagues.services.errors import Problem, Refused


def find_user(name: str) -> User | None:
    """The active account of this name.

    Not of an e-mail address: nobody has proved that the one beside a name is theirs, and whoever
    wrote a stranger's would be given the stranger's role.
    """
    text = name.strip()
    if "\x00" in text or not text:
        return None
    return get_user_model().objects.filter(is_active=True, username=text).first()


@transaction.atomic
def set_role(*, league: League, user: User, role: str, actor: User | None) -> Membership:
    """Give a user a role, or another one; the last organizer stays organizer."""
    _lock(league)
    member = league.memberships.filter(user=user).first()
    before = {"role": member.role} if member else None
    if member is None:
        member = Membership(league=league, user=user)
    elif member.role == role:
        return member
    elif member.role == Membership.Role.ORGANIZER:
        _require_another_organizer(member)
    member.role = role
    member.full_clean()
    member.save()
    record_audit(
        league=league,
        actor=actor,
        action="member.role",
        subject=user.get_username(),
        account=user,
        before=before,
        after={"role": role},
    )
    return member


@transaction.atomic
def remove_member(*, member: Membership, actor: User | None) -> None:
    """Take a user's role away; the last organizer cannot go."""
    _lock(member.league)
    if member.role == Membership.Role.ORGANIZER:
        _require_another_organizer(member)
    record_audit(
        league=member.league,
        actor=actor,
        action="member.remove",
        subject=member.user.get_username(),
        account=member.user,
        before={"role": member.role},
    )
    member.delete()


def _lock(league: League) -> None:
    """Let roles of a league change one at a time, so that two organizers cannot both go."""
    League.objects.select_for_update(no_key=True).get(pk=league.pk)


def _require_another_organizer(member: Membership) -> None:
    others = Membership.objects.filter(
        league=member.league_id, role=Membership.Role.ORGANIZER, user__is_active=True
    ).exclude(pk=member.pk)
    if not others.exists():
        raise Refused(
            [
                Problem(
                    "role",
                    "last_organizer",
                    _(
                        "A league needs at least one organizer. Give the role to someone else "
                        "first."
                    ),
                )
            ]
        )
