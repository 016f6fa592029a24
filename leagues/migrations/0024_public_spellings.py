"""Other names of players, public or private; those of former days are private."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("leagues", "0023_rated_events")]

    operations = [
        migrations.AddField(
            model_name="playeralias",
            name="is_public",
            field=models.BooleanField(default=False, verbose_name="everyone can see it"),
        ),
    ]
