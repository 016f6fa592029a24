"""Who said what and when: revisions, other ledger entries, and the audit of settings."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from leagues.models.checks import one_of, readable_instant
from leagues.models.league import League, Season


class RevisionKind(models.TextChoices):
    ENTRY = "entry", _("results entered")
    IMPORT = "import", _("file imported")
    PLAYERS = "players", _("players imported")
    API = "api", _("results sent by a program")
    CORRECTION = "correction", _("result corrected")
    VOID = "void", _("result voided")
    RESTORE = "restore", _("result restored")
    REVERT = "revert", _("undone")
    MERGE = "merge", _("players merged")
    DEMO = "demo", _("simulated results")
    START = "start", _("match started")
    LEFT = "left", _("started matches lost")
    RELEASE = "release", _("players let go")


class RevisionState(models.TextChoices):
    STAGED = "staged", _("being prepared")
    APPLIED = "applied", _("applied")
    ABANDONED = "abandoned", _("abandoned")


class Revision(models.Model):
    """One commit of facts: an entry, an import, a correction, an undo.

    `number` counts the commits of a season without gaps; a board that has computed everything up
    to a number is at that frontier.
    """

    Kind = RevisionKind
    State = RevisionState

    league = models.ForeignKey(League, models.CASCADE, related_name="revisions")
    season = models.ForeignKey(Season, models.CASCADE, related_name="revisions")
    number = models.BigIntegerField(null=True, editable=False)
    kind = models.CharField(max_length=12, choices=Kind)
    state = models.CharField(max_length=10, choices=State, default=State.APPLIED)
    reason = models.CharField(_("reason"), max_length=200, blank=True)
    summary = models.JSONField(default=dict)
    reverts = models.OneToOneField(
        "self", models.PROTECT, null=True, blank=True, related_name="reverted_by"
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    author_key = models.BigIntegerField(
        null=True,
        editable=False,
        help_text="The id of the author's account, kept when the account is deleted.",
    )
    source = models.CharField(max_length=64)
    digest = models.CharField(
        max_length=64,
        blank=True,
        editable=False,
        help_text="SHA-256 of its content and the digest of the revision before it.",
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ("-number",)
        constraints = (
            models.UniqueConstraint(fields=["season", "number"], name="revision_number_once"),
            one_of("revision", "kind", RevisionKind),
            one_of("revision", "state", RevisionState),
            models.CheckConstraint(
                condition=models.Q(state="applied", number__gte=1)
                | models.Q(state__in=["staged", "abandoned"], number__isnull=True),
                name="revision_numbered_when_applied",
            ),
        )
        indexes = (models.Index(fields=["league", "-created_at"], name="revision_by_time"),)

    def __str__(self) -> str:
        return f"revision {self.number} of season {self.season_id}"


class LedgerEntry(models.Model):
    """Whatever else changes a rating (rule change, penalty, anchor), in the same order."""

    league = models.ForeignKey(League, models.CASCADE, related_name="+", db_constraint=False)
    season = models.ForeignKey(Season, models.CASCADE, related_name="ledger")
    seq = models.BigIntegerField()
    effective_at = models.DateTimeField()
    kind = models.CharField(max_length=16)
    content = models.JSONField(default=dict)
    revision = models.ForeignKey(Revision, models.PROTECT, related_name="entries")

    class Meta:
        ordering = ("season", "seq")
        verbose_name_plural = "ledger entries"
        constraints = (
            models.UniqueConstraint(fields=["season", "seq"], name="ledger_seq_once"),
            readable_instant("ledger", "effective_at"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.seq} of season {self.season_id}"


class AuditEntry(models.Model):
    """Who changed which setting, from what to what. Facts have revisions instead.

    `number` counts the entries of a league, or of the site, without gaps. People are named by
    `actor_key` and `person_key` too, which stay when an account or a player is deleted.
    """

    league = models.ForeignKey(League, models.CASCADE, null=True, related_name="audit")
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    number = models.BigIntegerField(null=True, editable=False)
    actor_key = models.BigIntegerField(null=True, editable=False)
    person_key = models.CharField(max_length=128, blank=True, editable=False)
    digest = models.CharField(
        max_length=64,
        blank=True,
        editable=False,
        help_text="SHA-256 of its content and the digest of the entry before it.",
    )
    action = models.CharField(max_length=40)
    subject = models.CharField(max_length=200, blank=True)
    season = models.ForeignKey(Season, models.SET_NULL, null=True, related_name="+")
    player = models.ForeignKey("leagues.Player", models.SET_NULL, null=True, related_name="+")
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ("-created_at", "-pk")
        verbose_name_plural = "audit entries"
        constraints = (
            models.UniqueConstraint(fields=["league", "number"], name="audit_number_once"),
        )
        indexes = (models.Index(fields=["league", "-created_at"], name="audit_by_time"),)

    def __str__(self) -> str:
        return f"{self.action} {self.subject}"


class LogHead(models.Model):
    """The end of a log: how many entries it has, and the digest of the newest.

    Its key is the league's, or 0 for the log of the site.
    """

    scope = models.BigIntegerField(primary_key=True)
    entries = models.BigIntegerField(default=0)
    digest = models.CharField(max_length=64, blank=True)

    def __str__(self) -> str:
        return f"log of league {self.scope}" if self.scope else "log of the site"


class Imprint(models.Model):
    """What a row of settings said when it was last saved, kept apart from the row itself.

    A row that says something else, has no imprint, or is gone while its imprint stays, was changed
    behind the application's back. See `leagues.store.imprints`.
    """

    league = models.ForeignKey(League, models.CASCADE, related_name="+", db_constraint=False)
    table = models.CharField(max_length=32)
    row = models.BigIntegerField()
    content = models.JSONField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["table", "row"], name="imprint_once"),)
        indexes = (models.Index(fields=["league"], name="imprint_by_league"),)

    def __str__(self) -> str:
        return f"imprint of {self.table} {self.row}"
