"""Events of matches: their kinds, and when in the match they were."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("leagues", "0021_night_sheets"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="matchevent",
            name="event_points_bounds",
        ),
        migrations.AddField(
            model_name="matchevent",
            name="milliseconds",
            field=models.PositiveIntegerField(help_text="Since the match began.", null=True),
        ),
        migrations.AlterField(
            model_name="matchevent",
            name="kind",
            field=models.CharField(
                choices=[
                    ("frag", "frag"),
                    ("team-kill", "team kill"),
                    ("suicide", "suicide"),
                    ("world-death", "death by the world"),
                    ("capture", "capture"),
                ],
                max_length=16,
            ),
        ),
        migrations.AddConstraint(
            model_name="matchevent",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("kind__in", ["frag", "team-kill", "suicide", "world-death", "capture"])
                ),
                name="event_kind_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="matchevent",
            constraint=models.CheckConstraint(
                condition=models.Q(("points__gte", 0.0), ("points__lte", 1000000.0)),
                name="event_points_bounds",
            ),
        ),
        migrations.AddConstraint(
            model_name="matchevent",
            constraint=models.CheckConstraint(
                condition=models.Q(("milliseconds__gte", 0), ("milliseconds__lte", 2147483647)),
                name="event_milliseconds_bounds",
            ),
        ),
    ]
