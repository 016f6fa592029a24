"""A night sheet keeps from which undone changes lines were put on it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("leagues", "0050_games_broken_off"),
    ]

    operations = [
        migrations.AddField(
            model_name="nightsheet",
            name="origins",
            field=models.JSONField(
                default=list,
                help_text="The undone changes whose lines were put on it: their ids.",
            ),
        ),
    ]
