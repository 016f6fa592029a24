"""All tables at once, where there are none yet: one by one, migrations take four times as long.

Databases of earlier releases go through the migrations that this one replaces.
"""

import datetime

import django.core.validators
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import leagues.models.league


def store_as_they_are(apps, schema_editor):
    """PostgreSQL would compress prepared days, and take more time for that than to read them."""
    if schema_editor.connection.vendor == "postgresql":
        table = apps.get_model("leagues", "BoardDay")._meta.db_table
        schema_editor.execute(f"ALTER TABLE {table} ALTER COLUMN data SET STORAGE EXTERNAL")


class Migration(migrations.Migration):
    initial = True

    replaces = [
        ("leagues", "0001_initial"),
        ("leagues", "0002_seasons_and_rules"),
        ("leagues", "0003_compute_again"),
        ("leagues", "0004_rated_rules"),
        ("leagues", "0005_sealed_rules"),
        ("leagues", "0006_true_days"),
        ("leagues", "0007_large_leagues"),
        ("leagues", "0008_league_results_by_time"),
        ("leagues", "0009_days_in_fewer_bytes"),
        ("leagues", "0010_record_digests"),
        ("leagues", "0011_mended_computations"),
        ("leagues", "0012_limits_of_several_processes"),
    ]

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="League",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=64, verbose_name="name")),
                (
                    "slug",
                    models.CharField(
                        max_length=40,
                        unique=True,
                        validators=[
                            django.core.validators.RegexValidator(
                                "^[a-z0-9][a-z0-9-]{1,38}[a-z0-9]\\Z",
                                "3 to 40 of a–z, 0–9 and hyphens, with a letter or digit at both ends.",
                            ),
                            leagues.models.league.validate_slug,
                        ],
                        verbose_name="address",
                    ),
                ),
                (
                    "description",
                    models.TextField(blank=True, max_length=4096, verbose_name="description"),
                ),
                (
                    "visibility",
                    models.CharField(
                        choices=[
                            ("public", "public: listed, anyone may read"),
                            ("unlisted", "unlisted: anyone with the link may read"),
                            ("private", "private: members only"),
                        ],
                        default="public",
                        max_length=10,
                        verbose_name="who may read",
                    ),
                ),
                (
                    "time_zone",
                    models.CharField(
                        default="UTC",
                        max_length=64,
                        validators=[leagues.models.league.validate_zone],
                        verbose_name="time zone",
                    ),
                ),
                (
                    "draws_allowed",
                    models.BooleanField(default=True, verbose_name="a match can be drawn"),
                ),
                (
                    "negative_scores",
                    models.BooleanField(default=True, verbose_name="scores can be negative"),
                ),
                (
                    "walkovers",
                    models.CharField(
                        choices=[
                            ("unrated", "walkovers are listed and do not count"),
                            ("win", "a walkover counts as a win without a score"),
                        ],
                        default="unrated",
                        max_length=10,
                        verbose_name="walkovers",
                    ),
                ),
                (
                    "active_days",
                    models.PositiveIntegerField(
                        default=90,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(3660),
                        ],
                        verbose_name="days without a match until a player counts as inactive",
                    ),
                ),
                (
                    "ranked_after",
                    models.PositiveSmallIntegerField(
                        default=0,
                        validators=[django.core.validators.MaxValueValidator(1000)],
                        verbose_name="results a player needs to be ranked",
                    ),
                ),
                ("is_demo", models.BooleanField(default=False, editable=False)),
                ("checked_at", models.DateTimeField(editable=False, null=True)),
                (
                    "differences",
                    models.BigIntegerField(
                        default=0,
                        editable=False,
                        help_text="What the last check found in its log and settings.",
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
            ],
            options={
                "ordering": ("name", "pk"),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("visibility__in", ["public", "unlisted", "private"])),
                        name="league_visibility_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("walkovers__in", ["unrated", "win"])),
                        name="league_walkovers_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("active_days__gte", 1), ("active_days__lte", 3660)),
                        name="league_active_days_bounds",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("ranked_after__gte", 0), ("ranked_after__lte", 1000)),
                        name="league_ranked_after_bounds",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="LimitUse",
            fields=[
                ("key", models.CharField(max_length=40, primary_key=True, serialize=False)),
                ("ends_at", models.FloatField(db_index=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("ends_at__gte", 0.0), ("ends_at__lte", 100000000000.0)),
                        name="limituse_ends_at_bounds",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="LogHead",
            fields=[
                ("scope", models.BigIntegerField(primary_key=True, serialize=False)),
                ("entries", models.BigIntegerField(default=0)),
                ("digest", models.CharField(blank=True, max_length=64)),
            ],
        ),
        migrations.CreateModel(
            name="SetupLink",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("secret_hash", models.CharField(max_length=64, unique=True)),
                ("expires_at", models.DateTimeField()),
                ("used_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="ApiToken",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tokens",
                        to="leagues.league",
                    ),
                ),
                ("name", models.CharField(max_length=64, verbose_name="name")),
                (
                    "source",
                    models.CharField(
                        help_text="Names the sender of results; outlives the token.", max_length=64
                    ),
                ),
                ("public_id", models.CharField(max_length=12, unique=True)),
                ("secret_hash", models.CharField(max_length=64)),
                (
                    "recent_only",
                    models.BooleanField(
                        default=False,
                        help_text="For game servers: a key that is stolen there cannot rewrite the past.",
                        verbose_name="results of yesterday and today only",
                    ),
                ),
                (
                    "scope",
                    models.CharField(
                        choices=[("read", "read"), ("results", "read and send results")],
                        default="results",
                        max_length=8,
                        verbose_name="may",
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
                ("expires_at", models.DateTimeField()),
                ("last_used_at", models.DateTimeField(null=True)),
                ("revoked_at", models.DateTimeField(null=True)),
            ],
            options={
                "verbose_name": "API token",
                "ordering": ("-created_at",),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("scope__in", ["read", "results"])),
                        name="token_scope_known",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Imprint",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="leagues.league",
                    ),
                ),
                ("table", models.CharField(max_length=32)),
                ("row", models.BigIntegerField()),
                ("content", models.JSONField()),
            ],
            options={
                "indexes": [models.Index(fields=["league"], name="imprint_by_league")],
                "constraints": [
                    models.UniqueConstraint(fields=("table", "row"), name="imprint_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="Job",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=24)),
                ("key", models.CharField(max_length=128)),
                ("params", models.JSONField(default=dict)),
                (
                    "league",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="jobs",
                        to="leagues.league",
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "Queued"),
                            ("running", "Running"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                        ],
                        default="queued",
                        max_length=8,
                    ),
                ),
                ("run_after", models.DateTimeField()),
                ("requests", models.PositiveIntegerField(default=1)),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("token", models.PositiveIntegerField(default=0)),
                ("lease_until", models.DateTimeField(null=True)),
                ("done", models.BigIntegerField(default=0)),
                ("total", models.BigIntegerField(default=0)),
                ("stage", models.CharField(blank=True, max_length=40)),
                ("error", models.TextField(blank=True)),
                ("result", models.JSONField(null=True)),
                (
                    "author",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
                ("started_at", models.DateTimeField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("state__in", ["queued", "running"])),
                        fields=["run_after", "id"],
                        name="job_due",
                    ),
                    models.Index(fields=["key", "-id"], name="job_by_key"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state", "queued")),
                        fields=("key",),
                        name="job_waits_once",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("state", "running")),
                        fields=("key",),
                        name="job_runs_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["queued", "running", "done", "failed"])),
                        name="job_state_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to="leagues.league",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("organizer", "organizer"),
                            ("scorer", "scorer"),
                            ("player", "player"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("league", "user"), name="membership_once"),
                    models.CheckConstraint(
                        condition=models.Q(("role__in", ["organizer", "scorer", "player"])),
                        name="membership_role_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Mode",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="modes",
                        to="leagues.league",
                    ),
                ),
                ("slug", models.SlugField(max_length=40)),
                ("name", models.CharField(max_length=64, verbose_name="name")),
                ("position", models.PositiveSmallIntegerField(default=0)),
            ],
            options={
                "ordering": ("position", "pk"),
                "constraints": [
                    models.UniqueConstraint(fields=("league", "slug"), name="mode_slug_once"),
                    models.UniqueConstraint(fields=("league", "name"), name="mode_name_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Season",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seasons",
                        to="leagues.league",
                    ),
                ),
                ("slug", models.SlugField(max_length=40)),
                ("name", models.CharField(max_length=64, verbose_name="name")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("draft", "draft"),
                            ("open", "open"),
                            ("closing", "closing"),
                            ("closed", "closed"),
                            ("archived", "archived"),
                        ],
                        default="open",
                        max_length=10,
                        verbose_name="state",
                    ),
                ),
                (
                    "starts_at",
                    models.DateTimeField(blank=True, null=True, verbose_name="first instant"),
                ),
                (
                    "ends_at",
                    models.DateTimeField(
                        blank=True, null=True, verbose_name="first instant after the end"
                    ),
                ),
                (
                    "follows",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="followers",
                        to="leagues.season",
                    ),
                ),
                (
                    "carry",
                    models.CharField(
                        choices=[
                            ("fresh", "everyone starts anew"),
                            ("keep", "ratings are kept as they were"),
                            ("soft", "ratings are drawn together and less sure"),
                        ],
                        default="fresh",
                        editable=False,
                        max_length=5,
                        verbose_name="carried over",
                    ),
                ),
                ("carry_share", models.FloatField(default=0.0, editable=False)),
                ("carry_deviation", models.FloatField(editable=False, null=True)),
                ("sealed_at", models.DateTimeField(editable=False, null=True)),
                ("sealed_digest", models.CharField(blank=True, editable=False, max_length=64)),
                ("sealed_walkovers", models.CharField(blank=True, editable=False, max_length=10)),
                (
                    "sealed_ranked_after",
                    models.PositiveSmallIntegerField(editable=False, null=True),
                ),
                ("sealed_active_days", models.PositiveSmallIntegerField(editable=False, null=True)),
                ("stopped_at", models.DateTimeField(editable=False, null=True)),
                ("last_seq", models.BigIntegerField(default=0, editable=False)),
                ("last_revision", models.BigIntegerField(default=0, editable=False)),
                (
                    "facts_digest",
                    models.CharField(
                        blank=True,
                        editable=False,
                        help_text="Digest of its newest revision.",
                        max_length=64,
                    ),
                ),
                ("checked_at", models.DateTimeField(editable=False, null=True)),
                (
                    "differences",
                    models.BigIntegerField(
                        default=0,
                        editable=False,
                        help_text="What the last check found in its facts and seal.",
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
            ],
            options={
                "ordering": (
                    models.OrderBy(models.F("starts_at"), descending=True, nulls_last=True),
                    "-pk",
                ),
                "constraints": [
                    models.UniqueConstraint(fields=("league", "slug"), name="season_slug_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state__in", ["draft", "open", "closing", "closed", "archived"])
                        ),
                        name="season_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("carry__in", ["fresh", "keep", "soft"])),
                        name="season_carry_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("carry_share__gte", 0.0), ("carry_share__lte", 1.0)),
                        name="season_carry_share_bounds",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("carry_deviation__gte", 0.0), ("carry_deviation__lte", 1000000.0)
                        ),
                        name="season_carry_deviation_bounds",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "starts_at__gte",
                                datetime.datetime(1800, 1, 1, 0, 0, tzinfo=datetime.UTC),
                            ),
                            (
                                "starts_at__lte",
                                datetime.datetime(2200, 1, 1, 0, 0, tzinfo=datetime.UTC),
                            ),
                        ),
                        name="season_starts_at_bounds",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "ends_at__gte",
                                datetime.datetime(1800, 1, 1, 0, 0, tzinfo=datetime.UTC),
                            ),
                            (
                                "ends_at__lte",
                                datetime.datetime(2200, 1, 1, 0, 0, tzinfo=datetime.UTC),
                            ),
                        ),
                        name="season_ends_at_bounds",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "stopped_at__gte",
                                datetime.datetime(1800, 1, 1, 0, 0, tzinfo=datetime.UTC),
                            ),
                            (
                                "stopped_at__lte",
                                datetime.datetime(2200, 1, 1, 0, 0, tzinfo=datetime.UTC),
                            ),
                        ),
                        name="season_stopped_at_bounds",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("last_seq__gte", 0)), name="season_last_seq_bounds"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("last_revision__gte", 0)),
                        name="season_last_revision_bounds",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("starts_at__isnull", True),
                            ("ends_at__isnull", True),
                            ("ends_at__gt", models.F("starts_at")),
                            _connector="OR",
                        ),
                        name="season_ends_after_start",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Board",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="boards",
                        to="leagues.league",
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="boards",
                        to="leagues.season",
                    ),
                ),
                (
                    "mode",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="boards",
                        to="leagues.mode",
                    ),
                ),
                ("system", models.CharField(max_length=24, verbose_name="rating system")),
                ("slug", models.SlugField(max_length=60)),
                ("name", models.CharField(max_length=64, verbose_name="name")),
                ("position", models.PositiveSmallIntegerField(default=0)),
                ("parameters", models.JSONField(blank=True, default=dict)),
                (
                    "rules_since",
                    models.DateTimeField(
                        blank=True,
                        help_text="From when on the parameters hold; before, those of older rules do.",
                        null=True,
                    ),
                ),
                (
                    "rated_rules",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="The rules that the published generation was rated by, oldest first: the instant from which each holds (null: the first match) and its parameters.",
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[("ready", "ready"), ("paused", "paused")],
                        default="ready",
                        max_length=8,
                    ),
                ),
                ("problem", models.TextField(blank=True)),
                ("generation", models.PositiveIntegerField(default=0)),
                ("last_generation", models.PositiveIntegerField(default=0)),
                ("frontier", models.BigIntegerField(default=0)),
                ("last_at", models.DateTimeField(blank=True, null=True)),
                ("last_hint", models.BigIntegerField(blank=True, null=True)),
                ("last_seq", models.BigIntegerField(blank=True, null=True)),
                ("rated_matches", models.BigIntegerField(default=0)),
                ("refused_matches", models.BigIntegerField(default=0)),
                (
                    "board_state",
                    models.BinaryField(
                        default=b"",
                        help_text="What is nobody's alone: the ladder's order, a running mean.",
                    ),
                ),
                (
                    "start_board_state",
                    models.BinaryField(
                        default=b"",
                        help_text="What the board began with, carried over from a former season.",
                    ),
                ),
                (
                    "start_parameters",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text="The parameters of the board when states were carried over into it.",
                    ),
                ),
                (
                    "reckoned_until",
                    models.DateTimeField(
                        blank=True,
                        help_text="Up to when absence has been reckoned with.",
                        null=True,
                    ),
                ),
                (
                    "seal",
                    models.CharField(
                        blank=True, help_text="Digest when its season was closed.", max_length=64
                    ),
                ),
                ("computed_at", models.DateTimeField(blank=True, null=True)),
                ("math_fingerprint", models.CharField(blank=True, max_length=64)),
                ("verified_at", models.DateTimeField(blank=True, null=True)),
                ("verified_frontier", models.BigIntegerField(blank=True, null=True)),
                (
                    "verified_matches",
                    models.BigIntegerField(
                        blank=True, help_text="How many results the last check replayed.", null=True
                    ),
                ),
                ("differences", models.BigIntegerField(default=0)),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
            ],
            options={
                "ordering": ("season", "mode__position", "mode", "position", "pk"),
                "constraints": [
                    models.UniqueConstraint(fields=("season", "slug"), name="board_slug_once"),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["ready", "paused"])),
                        name="board_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "rules_since__gte",
                                datetime.datetime(1800, 1, 1, 0, 0, tzinfo=datetime.UTC),
                            ),
                            (
                                "rules_since__lte",
                                datetime.datetime(2200, 1, 1, 0, 0, tzinfo=datetime.UTC),
                            ),
                        ),
                        name="board_rules_since_bounds",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "reckoned_until__gte",
                                datetime.datetime(1800, 1, 1, 0, 0, tzinfo=datetime.UTC),
                            ),
                            (
                                "reckoned_until__lte",
                                datetime.datetime(2200, 1, 1, 0, 0, tzinfo=datetime.UTC),
                            ),
                        ),
                        name="board_reckoned_until_bounds",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Revision",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="revisions",
                        to="leagues.league",
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="revisions",
                        to="leagues.season",
                    ),
                ),
                ("number", models.BigIntegerField(editable=False, null=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("entry", "results entered"),
                            ("import", "file imported"),
                            ("api", "results sent by a program"),
                            ("correction", "result corrected"),
                            ("void", "result voided"),
                            ("restore", "result restored"),
                            ("revert", "undone"),
                            ("demo", "simulated results"),
                        ],
                        max_length=12,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("staged", "being prepared"),
                            ("applied", "applied"),
                            ("abandoned", "given up"),
                        ],
                        default="applied",
                        max_length=10,
                    ),
                ),
                ("reason", models.CharField(blank=True, max_length=200, verbose_name="reason")),
                ("summary", models.JSONField(default=dict)),
                (
                    "reverts",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reverted_by",
                        to="leagues.revision",
                    ),
                ),
                (
                    "author",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "author_key",
                    models.BigIntegerField(
                        editable=False,
                        help_text="The author's number, which outlives the account.",
                        null=True,
                    ),
                ),
                ("source", models.CharField(max_length=64)),
                (
                    "digest",
                    models.CharField(
                        blank=True,
                        editable=False,
                        help_text="SHA-256 over what it says and the digest of the revision before.",
                        max_length=64,
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
            ],
            options={
                "ordering": ("-number",),
                "indexes": [
                    models.Index(fields=["league", "-created_at"], name="revision_by_time")
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("season", "number"), name="revision_number_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "kind__in",
                                [
                                    "entry",
                                    "import",
                                    "api",
                                    "correction",
                                    "void",
                                    "restore",
                                    "revert",
                                    "demo",
                                ],
                            )
                        ),
                        name="revision_kind_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["staged", "applied", "abandoned"])),
                        name="revision_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("number__gte", 1), ("state", "applied")),
                            models.Q(
                                ("number__isnull", True), ("state__in", ["staged", "abandoned"])
                            ),
                            _connector="OR",
                        ),
                        name="revision_numbered_when_applied",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="BoardDay",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="leagues.league",
                    ),
                ),
                (
                    "board",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="days",
                        to="leagues.board",
                    ),
                ),
                ("generation", models.PositiveIntegerField()),
                ("at", models.DateTimeField()),
                (
                    "computed_at",
                    models.DateTimeField(
                        help_text="When the board was computed that this shows; null: all that follow.",
                        null=True,
                    ),
                ),
                ("rated_matches", models.BigIntegerField()),
                ("players", models.PositiveIntegerField()),
                ("data", models.BinaryField()),
                (
                    "played",
                    models.JSONField(
                        help_text="How many results each civil day before `at` had; null: not counted.",
                        null=True,
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("board", "generation", "at"), name="board_day_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("at__gte", datetime.datetime(1800, 1, 1, 0, 0, tzinfo=datetime.UTC)),
                            ("at__lte", datetime.datetime(2200, 1, 1, 0, 0, tzinfo=datetime.UTC)),
                        ),
                        name="board_day_at_bounds",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="BoardRules",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="leagues.league",
                    ),
                ),
                (
                    "board",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rules",
                        to="leagues.board",
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("effective_at", models.DateTimeField(null=True)),
                ("is_replaced", models.BooleanField(default=False)),
                ("parameters", models.JSONField()),
                ("reason", models.CharField(blank=True, max_length=200, verbose_name="reason")),
                (
                    "author",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
            ],
            options={
                "verbose_name_plural": "board rules",
                "ordering": ("board", "number"),
                "constraints": [
                    models.UniqueConstraint(fields=("board", "number"), name="rules_number_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "effective_at__gte",
                                datetime.datetime(1800, 1, 1, 0, 0, tzinfo=datetime.UTC),
                            ),
                            (
                                "effective_at__lte",
                                datetime.datetime(2200, 1, 1, 0, 0, tzinfo=datetime.UTC),
                            ),
                        ),
                        name="rules_effective_at_bounds",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="LedgerEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="leagues.league",
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="ledger",
                        to="leagues.season",
                    ),
                ),
                ("seq", models.BigIntegerField()),
                ("effective_at", models.DateTimeField()),
                ("kind", models.CharField(max_length=16)),
                ("content", models.JSONField(default=dict)),
                (
                    "revision",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entries",
                        to="leagues.revision",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "ledger entries",
                "ordering": ("season", "seq"),
                "constraints": [
                    models.UniqueConstraint(fields=("season", "seq"), name="ledger_seq_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "effective_at__gte",
                                datetime.datetime(1800, 1, 1, 0, 0, tzinfo=datetime.UTC),
                            ),
                            (
                                "effective_at__lte",
                                datetime.datetime(2200, 1, 1, 0, 0, tzinfo=datetime.UTC),
                            ),
                        ),
                        name="ledger_effective_at_bounds",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Match",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="matches",
                        to="leagues.league",
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="matches",
                        to="leagues.season",
                    ),
                ),
                (
                    "mode",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="matches",
                        to="leagues.mode",
                    ),
                ),
                ("seq", models.BigIntegerField(editable=False, null=True)),
                ("played_at", models.DateTimeField(verbose_name="played")),
                ("date_only", models.BooleanField(default=False)),
                ("order_hint", models.BigIntegerField(default=0)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("played", "played"),
                            ("walkover", "walkover"),
                            ("retirement", "retirement"),
                            ("unrated", "not rated"),
                        ],
                        default="played",
                        max_length=10,
                        verbose_name="kind",
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("staged", "being imported"),
                            ("live", "counts"),
                            ("void", "void"),
                        ],
                        default="live",
                        max_length=6,
                    ),
                ),
                ("weight", models.FloatField(default=1.0, verbose_name="weight")),
                (
                    "detail",
                    models.CharField(
                        blank=True, max_length=200, verbose_name="details of the score"
                    ),
                ),
                ("source", models.CharField(max_length=64)),
                ("external_id", models.CharField(blank=True, max_length=128, null=True)),
                ("payload_hash", models.CharField(blank=True, max_length=64)),
                (
                    "content_hash",
                    models.BinaryField(
                        default=b"", help_text="SHA-256 of what its present version says."
                    ),
                ),
                ("version", models.PositiveIntegerField(default=1)),
                (
                    "revision",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="matches",
                        to="leagues.revision",
                    ),
                ),
                (
                    "touched",
                    models.BigIntegerField(
                        help_text="Number of the season's revision that last said something about it.",
                        null=True,
                    ),
                ),
                (
                    "entered_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "recorded_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
            ],
            options={
                "verbose_name_plural": "matches",
                "indexes": [
                    models.Index(fields=["season", "mode", "touched"], name="match_by_touch"),
                    models.Index(
                        fields=["season", "-played_at", "-order_hint", "-seq"], name="match_by_time"
                    ),
                    models.Index(fields=["league", "-played_at"], name="match_of_league_by_time"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("season", "seq"), name="match_seq_once"),
                    models.UniqueConstraint(
                        fields=("league", "source", "external_id"), name="match_external_id_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("kind__in", ["played", "walkover", "retirement", "unrated"])
                        ),
                        name="match_kind_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("status__in", ["staged", "live", "void"])),
                        name="match_status_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "played_at__gte",
                                datetime.datetime(1800, 1, 1, 0, 0, tzinfo=datetime.UTC),
                            ),
                            (
                                "played_at__lte",
                                datetime.datetime(2200, 1, 1, 0, 0, tzinfo=datetime.UTC),
                            ),
                        ),
                        name="match_played_at_bounds",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("weight__gte", 1e-09), ("weight__lte", 10.0)),
                        name="match_weight_bounds",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("seq__isnull", True), ("seq__gte", 1), _connector="OR"),
                        name="match_seq_bounds",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("seq__isnull", True),
                                ("status", "staged"),
                                ("touched__isnull", True),
                            ),
                            models.Q(
                                ("seq__isnull", False),
                                ("status__in", ["live", "void"]),
                                ("touched__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="match_numbered_when_it_counts",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Player",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="players",
                        to="leagues.league",
                    ),
                ),
                ("key", models.CharField(max_length=128)),
                ("name", models.CharField(max_length=64, verbose_name="name")),
                ("folded", models.CharField(editable=False, max_length=192)),
                (
                    "birth_year",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(1800),
                            django.core.validators.MaxValueValidator(2200),
                        ],
                        verbose_name="year of birth",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="players",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="account",
                    ),
                ),
                (
                    "revision",
                    models.ForeignKey(
                        help_text="Who brought it.",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="players",
                        to="leagues.revision",
                    ),
                ),
                ("is_listed", models.BooleanField(default=True)),
                (
                    "identity",
                    models.CharField(
                        blank=True,
                        editable=False,
                        help_text="SHA-256 of the key and the year of birth, by which results are rated.",
                        max_length=64,
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
            ],
            options={
                "ordering": ("name", "key"),
                "indexes": [
                    models.Index(fields=["league", "folded"], name="player_by_name"),
                    models.Index(
                        condition=models.Q(("user__isnull", False)),
                        fields=["user"],
                        name="player_by_account",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("league", "key"), name="player_key_once"),
                    models.CheckConstraint(
                        condition=models.Q(("key", ""), _negated=True), name="player_key_given"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RequestKey",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="leagues.league",
                    ),
                ),
                ("source", models.CharField(max_length=64)),
                ("key", models.CharField(max_length=128)),
                ("payload_hash", models.CharField(max_length=64)),
                (
                    "revision",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="leagues.revision",
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("league", "source", "key"), name="request_key_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Trial",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="trials",
                        to="leagues.league",
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="trials",
                        to="leagues.season",
                    ),
                ),
                (
                    "mode",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="leagues.mode",
                    ),
                ),
                (
                    "board",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="trials",
                        to="leagues.board",
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("backtest", "systems compared"),
                            ("rules", "other parameters tried"),
                        ],
                        max_length=8,
                    ),
                ),
                ("system", models.CharField(blank=True, max_length=24)),
                ("parameters", models.JSONField(default=dict)),
                ("options", models.JSONField(default=dict)),
                ("frontier", models.BigIntegerField(default=0)),
                ("report", models.JSONField(null=True)),
                (
                    "author",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
                ("finished_at", models.DateTimeField(null=True)),
            ],
            options={
                "ordering": ("-created_at", "-pk"),
                "indexes": [
                    models.Index(fields=["season", "mode", "kind", "-created_at"], name="trial_by")
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["backtest", "rules"])),
                        name="trial_kind_known",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Upload",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="uploads",
                        to="leagues.league",
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="leagues.season",
                    ),
                ),
                (
                    "mode",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="leagues.mode",
                    ),
                ),
                ("name", models.CharField(max_length=120)),
                ("content", models.BinaryField()),
                (
                    "options",
                    models.JSONField(
                        default=dict, help_text="Layout, date order, what to leave out."
                    ),
                ),
                ("report", models.JSONField(help_text="What the check found.", null=True)),
                (
                    "revision",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="upload",
                        to="leagues.revision",
                    ),
                ),
                (
                    "author",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
            ],
        ),
        migrations.CreateModel(
            name="AuditEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="audit",
                        to="leagues.league",
                    ),
                ),
                (
                    "actor",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("number", models.BigIntegerField(editable=False, null=True)),
                ("actor_key", models.BigIntegerField(editable=False, null=True)),
                ("person_key", models.CharField(blank=True, editable=False, max_length=128)),
                (
                    "digest",
                    models.CharField(
                        blank=True,
                        editable=False,
                        help_text="SHA-256 over what it says and the digest of the entry before.",
                        max_length=64,
                    ),
                ),
                ("action", models.CharField(max_length=40)),
                ("subject", models.CharField(blank=True, max_length=200)),
                (
                    "season",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="leagues.season",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="leagues.player",
                    ),
                ),
                ("before", models.JSONField(null=True)),
                ("after", models.JSONField(null=True)),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
            ],
            options={
                "verbose_name_plural": "audit entries",
                "ordering": ("-created_at", "-pk"),
                "indexes": [models.Index(fields=["league", "-created_at"], name="audit_by_time")],
                "constraints": [
                    models.UniqueConstraint(fields=("league", "number"), name="audit_number_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="MatchEvent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="leagues.league",
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="events",
                        to="leagues.match",
                    ),
                ),
                ("position", models.PositiveIntegerField()),
                ("kind", models.CharField(max_length=16)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="leagues.player",
                    ),
                ),
                (
                    "opponent",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="leagues.player",
                    ),
                ),
                ("points", models.FloatField(default=1.0)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("match", "position"), name="event_position_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("points__gte", -1000000.0), ("points__lte", 1000000.0)),
                        name="event_points_bounds",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="MatchVersion",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="leagues.league",
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="versions",
                        to="leagues.match",
                    ),
                ),
                ("version", models.PositiveIntegerField()),
                (
                    "content",
                    models.JSONField(
                        help_text="What it said, as `services.drafts.content_of` writes it."
                    ),
                ),
                (
                    "revision",
                    models.ForeignKey(
                        help_text="The revision that changed it.",
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="replaced",
                        to="leagues.revision",
                    ),
                ),
            ],
            options={
                "ordering": ("match", "version"),
                "constraints": [
                    models.UniqueConstraint(fields=("match", "version"), name="match_version_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="Participant",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="leagues.league",
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="participants",
                        to="leagues.match",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="participations",
                        to="leagues.player",
                    ),
                ),
                ("side", models.PositiveSmallIntegerField()),
                ("rank", models.PositiveSmallIntegerField()),
                ("score", models.IntegerField(help_text="Points of the side.", null=True)),
                (
                    "own_score",
                    models.IntegerField(help_text="Points of this player alone.", null=True),
                ),
                (
                    "share",
                    models.FloatField(
                        default=1.0, help_text="Part of the match played, in (0, 1]."
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["player", "match"], name="participant_by_player")],
                "constraints": [
                    models.UniqueConstraint(fields=("match", "player"), name="participant_once"),
                    models.CheckConstraint(
                        condition=models.Q(("side__gte", 0), ("side__lte", 63)),
                        name="participant_side_bounds",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("rank__gte", 1), ("rank__lte", 64)),
                        name="participant_rank_bounds",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("score__gte", -999999), ("score__lte", 999999)),
                        name="participant_score_bounds",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("own_score__gte", -999999), ("own_score__lte", 999999)),
                        name="participant_own_score_bounds",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("share__gte", 1e-09), ("share__lte", 1.0)),
                        name="participant_share_bounds",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PlayerAlias",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="aliases",
                        to="leagues.league",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="aliases",
                        to="leagues.player",
                    ),
                ),
                ("name", models.CharField(max_length=64)),
                ("folded", models.CharField(editable=False, max_length=192)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("league", "folded"), name="alias_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="RatingSegment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="leagues.league",
                    ),
                ),
                (
                    "board",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="segments",
                        to="leagues.board",
                    ),
                ),
                ("generation", models.PositiveIntegerField()),
                (
                    "player",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="leagues.player",
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("count", models.PositiveSmallIntegerField()),
                ("data", models.BinaryField()),
                (
                    "expected",
                    models.BinaryField(
                        default=b"",
                        help_text="What was expected of the player's side in each match, 0 to 1.",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("board", "generation", "player", "number"), name="segment_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("count__gte", 1), ("count__lte", 256)),
                        name="segment_count_bounds",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RevisedRating",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="leagues.league",
                    ),
                ),
                (
                    "board",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="revised",
                        to="leagues.board",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="revised",
                        to="leagues.player",
                    ),
                ),
                ("generation", models.PositiveIntegerField(default=0)),
                (
                    "revision",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="revised",
                        to="leagues.revision",
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        help_text="The one match that was changed or added, where it was one.",
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="leagues.match",
                    ),
                ),
                ("before", models.FloatField()),
                ("after", models.FloatField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("player", "board", "revision"), name="revised_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("before__gte", -1000000000.0), ("before__lte", 1000000000.0)
                        ),
                        name="revised_before_bounds",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("after__gte", -1000000000.0), ("after__lte", 1000000000.0)
                        ),
                        name="revised_after_bounds",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Standing",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="leagues.league",
                    ),
                ),
                (
                    "board",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="standings",
                        to="leagues.board",
                    ),
                ),
                ("generation", models.PositiveIntegerField()),
                (
                    "player",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="standings",
                        to="leagues.player",
                    ),
                ),
                ("state", models.BinaryField()),
                ("shown", models.FloatField()),
                ("place_value", models.BigIntegerField()),
                ("low", models.FloatField(null=True)),
                ("high", models.FloatField(null=True)),
                ("games", models.PositiveIntegerField()),
                ("won", models.PositiveIntegerField()),
                ("drawn", models.PositiveIntegerField()),
                ("lost", models.PositiveIntegerField()),
                ("form", models.CharField(max_length=10)),
                ("streak", models.IntegerField()),
                ("last_played_at", models.DateTimeField()),
                ("fairly_sure_until", models.DateTimeField(null=True)),
                ("sure_until", models.DateTimeField(null=True)),
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=["board", "generation", "-place_value", "player"],
                        name="standing_by_place",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("board", "generation", "player"), name="standing_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("shown__gte", -1000000000.0), ("shown__lte", 1000000000.0)
                        ),
                        name="standing_shown_bounds",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("low__gte", -1000000000.0), ("low__lte", 1000000000.0)),
                        name="standing_low_bounds",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("high__gte", -1000000000.0), ("high__lte", 1000000000.0)
                        ),
                        name="standing_high_bounds",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "last_played_at__gte",
                                datetime.datetime(1800, 1, 1, 0, 0, tzinfo=datetime.UTC),
                            ),
                            (
                                "last_played_at__lte",
                                datetime.datetime(2200, 1, 1, 0, 0, tzinfo=datetime.UTC),
                            ),
                        ),
                        name="standing_last_played_at_bounds",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="StartingState",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="leagues.league",
                    ),
                ),
                (
                    "board",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="starting_states",
                        to="leagues.board",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="leagues.player",
                    ),
                ),
                ("state", models.BinaryField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("board", "player"), name="starting_state_once")
                ],
            },
        ),
        migrations.RunPython(store_as_they_are, migrations.RunPython.noop),
    ]
