"""Whether games of a server's log count that broke off is a rule of the league."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("leagues", "0048_league_without_foreign_key"),
    ]

    operations = [
        migrations.AddField(
            model_name="league",
            name="counts_broken_off",
            field=models.BooleanField(
                default=False, verbose_name="games of a server’s log count that broke off"
            ),
        ),
    ]
