"""Secrets that let programs and first visitors in; only their hashes are stored."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from leagues.models.checks import one_of
from leagues.models.league import League, Membership
from leagues.models.ledger import Revision


class ApiTokenScope(models.TextChoices):
    READ = "read", _("read")
    RESULTS = "results", _("read and send results")


class ApiToken(models.Model):
    """A program's key to one league. `public_id` finds it, the hash of the secret proves it."""

    Scope = ApiTokenScope

    league = models.ForeignKey(League, models.CASCADE, related_name="tokens")
    name = models.CharField(_("name"), max_length=64)
    source = models.CharField(
        max_length=64,
        help_text="The sender that its results are recorded under; kept when the token is revoked.",
    )
    public_id = models.CharField(max_length=12, unique=True)
    secret_hash = models.CharField(max_length=64)
    recent_only = models.BooleanField(
        _("results of yesterday and today only"),
        default=False,
        help_text=_("For game servers: a stolen key cannot change old results."),
    )
    scope = models.CharField(_("may"), max_length=8, choices=Scope, default=Scope.RESULTS)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-created_at",)
        verbose_name = "API token"
        constraints = (one_of("token", "scope", ApiTokenScope),)

    def __str__(self) -> str:
        return self.name


class RequestKey(models.Model):
    """What a request with an idempotency key did, so that sending it again does nothing."""

    league = models.ForeignKey(League, models.CASCADE, related_name="+")
    source = models.CharField(max_length=64)
    key = models.CharField(max_length=128)
    payload_hash = models.CharField(max_length=64)
    revision = models.ForeignKey(Revision, models.CASCADE, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["league", "source", "key"], name="request_key_once"),
        )

    def __str__(self) -> str:
        return self.key


class SetupLink(models.Model):
    """The one-time link that makes the first account."""

    secret_hash = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"set-up link until {self.expires_at}"


class Invitation(models.Model):
    """The one-time link by which somebody gets a role in a league, with a new account if needed."""

    league = models.ForeignKey(League, models.CASCADE, related_name="invitations")
    role = models.CharField(_("role"), max_length=10, choices=Membership.Role)
    secret_hash = models.CharField(max_length=64, unique=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="invitations"
    )
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("expires_at", "pk")
        constraints = (one_of("invitation", "role", Membership.Role),)

    def __str__(self) -> str:
        return f"invitation to {self.league_id} until {self.expires_at}"
