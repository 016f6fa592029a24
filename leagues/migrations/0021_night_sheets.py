"""Night sheets: results while somebody is still typing them."""

import uuid

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("leagues", "0020_merged_players"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="NightSheet",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "day",
                    models.DateField(
                        help_text="When matches were played of which no line says another day."
                    ),
                ),
                ("text", models.TextField(blank=True)),
                (
                    "answers",
                    models.JSONField(
                        default=dict,
                        help_text="Whom names mean: a player's key, or “new”, by folded name.",
                    ),
                ),
                (
                    "key",
                    models.UUIDField(
                        default=uuid.uuid4,
                        help_text="The name under which it is entered once.",
                    ),
                ),
                ("version", models.PositiveIntegerField(default=1)),
                (
                    "writer",
                    models.CharField(
                        blank=True,
                        help_text="The opened page that saved this version.",
                        max_length=36,
                    ),
                ),
                (
                    "updated_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="night_sheets",
                        to="leagues.league",
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
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("league", "author"), name="night_sheet_once")
                ],
            },
        ),
    ]
