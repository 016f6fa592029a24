"""Prepared days count the results of the days before them, and claimed players are found at once."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("leagues", "0006_true_days")]

    operations = [
        migrations.AddField(
            model_name="boardday",
            name="played",
            field=models.JSONField(
                help_text="How many results each civil day before `at` had; null: not counted.",
                null=True,
            ),
        ),
        migrations.AddIndex(
            model_name="player",
            index=models.Index(
                fields=["user"], name="player_by_account", condition=models.Q(user__isnull=False)
            ),
        ),
    ]
