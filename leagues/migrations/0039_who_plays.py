"""Who plays in a mode; in modes that were there before, anyone."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("leagues", "0037_checks_of_changes")]

    operations = [
        migrations.AddField(
            model_name="mode",
            name="played_by",
            field=models.CharField(
                choices=[
                    ("two_players", "two players"),
                    ("two_teams", "two teams"),
                    ("several", "three or more"),
                    ("any", "any number"),
                ],
                default="any",
                max_length=11,
                verbose_name="who plays",
            ),
        ),
        migrations.AddConstraint(
            model_name="mode",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("played_by__in", ["two_players", "two_teams", "several", "any"])
                ),
                name="mode_played_by_known",
            ),
        ),
    ]
