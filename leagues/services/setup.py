"""The first account: made through a link that works once, and only while there is no account."""

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

from leagues.models import League, Membership, SetupLink
from leagues.services.audit import record_audit
from leagues.services.errors import Problem, Refused

LIFETIME = timedelta(minutes=15)


def needs_setup() -> bool:
    """Whether there is no account yet."""
    return not get_user_model().objects.exists()


@transaction.atomic
def issue_setup_link() -> str:
    """The path of a new set-up link; earlier ones stop working."""
    if not needs_setup():
        raise Refused([_used_up()])
    SetupLink.objects.all().delete()
    secret = secrets.token_urlsafe(32)
    SetupLink.objects.create(secret_hash=_hash(secret), expires_at=timezone.now() + LIFETIME)
    return reverse("accounts:setup", args=[secret])


def is_setup_link(secret: str) -> bool:
    """Whether a link would make the first account now."""
    return _open_link(secret) is not None and needs_setup()


@transaction.atomic
def complete_setup(*, secret: str, username: str, email: str, password: str) -> User:
    """Make the first account: site admin, and organizer of the demo league."""
    link = _open_link(secret, lock=True)
    if link is None or not needs_setup():
        raise Refused([_used_up()])
    link.used_at = timezone.now()
    link.save(update_fields=["used_at"])
    user = get_user_model().objects.create_superuser(username, email, password)
    for league in League.objects.filter(is_demo=True):
        Membership.objects.create(league=league, user=user, role=Membership.Role.ORGANIZER)
    record_audit(
        league=None,
        actor=user,
        action="account.setup",
        subject=user.get_username(),
        account=user,
    )
    return user


def _open_link(secret: str, *, lock: bool = False) -> SetupLink | None:
    links = SetupLink.objects.select_for_update() if lock else SetupLink.objects.all()
    return links.filter(
        secret_hash=_hash(secret), used_at=None, expires_at__gt=timezone.now()
    ).first()


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


def _used_up() -> Problem:
    return Problem("", "setup_over", _("This link has been used or is older than 15 minutes."))
