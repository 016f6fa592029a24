"""A seal keeps the rules that ranks depend on, and a season when it stopped taking results."""

from __future__ import annotations

from datetime import UTC, datetime

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("leagues", "0004_rated_rules")]

    operations = [
        migrations.AddField(
            model_name="season",
            name="sealed_active_days",
            field=models.PositiveSmallIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="season",
            name="sealed_ranked_after",
            field=models.PositiveSmallIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="season",
            name="stopped_at",
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddConstraint(
            model_name="season",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("stopped_at__gte", datetime(1800, 1, 1, tzinfo=UTC)),
                    ("stopped_at__lte", datetime(2200, 1, 1, tzinfo=UTC)),
                ),
                name="season_stopped_at_bounds",
            ),
        ),
    ]
