"""When organizers said that a player no longer plays here."""

from datetime import UTC, datetime

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("leagues", "0030_named_weights"),
    ]

    operations = [
        migrations.AddField(
            model_name="player",
            name="left_at",
            field=models.DateTimeField(
                blank=True,
                editable=False,
                help_text="When organizers said that the player no longer plays here.",
                null=True,
            ),
        ),
        migrations.AddIndex(
            model_name="player",
            index=models.Index(
                condition=models.Q(("left_at__isnull", False)),
                fields=["league"],
                name="player_left",
            ),
        ),
        migrations.AddConstraint(
            model_name="player",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("left_at__gte", datetime(1800, 1, 1, tzinfo=UTC)),
                    ("left_at__lte", datetime(2200, 1, 1, tzinfo=UTC)),
                ),
                name="player_left_at_bounds",
            ),
        ),
    ]
