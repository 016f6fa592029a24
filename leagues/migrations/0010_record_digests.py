"""Hashes of results, revisions, log entries and settings, by which a forged one is noticed.

What is stored already is hashed after the migration, see `leagues.services.baseline`.
"""

from __future__ import annotations

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def ask_for_hashes(apps, schema_editor):
    season_model, head_model = (
        apps.get_model("leagues", "Season"),
        apps.get_model("leagues", "LogHead"),
    )
    scopes = list(apps.get_model("leagues", "League").objects.values_list("pk", flat=True))
    season_model.objects.update(facts_digest="pending")
    if scopes or apps.get_model("leagues", "AuditEntry").objects.exists():
        head_model.objects.bulk_create(
            head_model(scope=scope, digest="pending") for scope in [0, *scopes]
        )


class Migration(migrations.Migration):
    dependencies = [
        ("leagues", "0009_days_in_fewer_bytes"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Imprint",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("table", models.CharField(max_length=32)),
                ("row", models.BigIntegerField()),
                ("content", models.JSONField()),
            ],
        ),
        migrations.CreateModel(
            name="LogHead",
            fields=[
                ("scope", models.BigIntegerField(primary_key=True, serialize=False)),
                ("entries", models.BigIntegerField(default=0)),
                ("digest", models.CharField(blank=True, max_length=64)),
            ],
        ),
        migrations.AddField(
            model_name="auditentry",
            name="actor_key",
            field=models.BigIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="auditentry",
            name="digest",
            field=models.CharField(
                blank=True,
                editable=False,
                help_text="SHA-256 over what it says and the digest of the entry before.",
                max_length=64,
            ),
        ),
        migrations.AddField(
            model_name="auditentry",
            name="number",
            field=models.BigIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="auditentry",
            name="person_key",
            field=models.CharField(blank=True, editable=False, max_length=128),
        ),
        migrations.AddField(
            model_name="board",
            name="verified_matches",
            field=models.BigIntegerField(
                blank=True, help_text="How many results the last check replayed.", null=True
            ),
        ),
        migrations.AddField(
            model_name="league",
            name="checked_at",
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="league",
            name="differences",
            field=models.BigIntegerField(
                default=0,
                editable=False,
                help_text="What the last check found in its log and settings.",
            ),
        ),
        migrations.AddField(
            model_name="match",
            name="content_hash",
            field=models.BinaryField(
                default=b"",
                help_text="SHA-256 of what its present version says.",
            ),
        ),
        migrations.AddField(
            model_name="player",
            name="identity",
            field=models.CharField(
                blank=True,
                editable=False,
                help_text="SHA-256 of the key and the year of birth, by which results are rated.",
                max_length=64,
            ),
        ),
        migrations.AddField(
            model_name="revision",
            name="author_key",
            field=models.BigIntegerField(
                editable=False,
                help_text="The author's number, which outlives the account.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="revision",
            name="digest",
            field=models.CharField(
                blank=True,
                editable=False,
                help_text="SHA-256 over what it says and the digest of the revision before.",
                max_length=64,
            ),
        ),
        migrations.AddField(
            model_name="season",
            name="checked_at",
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="season",
            name="differences",
            field=models.BigIntegerField(
                default=0,
                editable=False,
                help_text="What the last check found in its facts and seal.",
            ),
        ),
        migrations.AddField(
            model_name="season",
            name="facts_digest",
            field=models.CharField(
                blank=True,
                editable=False,
                help_text="Digest of its newest revision.",
                max_length=64,
            ),
        ),
        migrations.AddConstraint(
            model_name="auditentry",
            constraint=models.UniqueConstraint(
                fields=("league", "number"), name="audit_number_once"
            ),
        ),
        migrations.AddField(
            model_name="imprint",
            name="league",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="leagues.league",
            ),
        ),
        migrations.AddIndex(
            model_name="imprint",
            index=models.Index(fields=["league"], name="imprint_by_league"),
        ),
        migrations.AddConstraint(
            model_name="imprint",
            constraint=models.UniqueConstraint(fields=("table", "row"), name="imprint_once"),
        ),
        migrations.RunPython(ask_for_hashes, migrations.RunPython.noop),
    ]
