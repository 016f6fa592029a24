"""The kinds of match that a mode knows, with their weights; none in modes that were there before."""

from django.db import migrations, models

import leagues.models.league


class Migration(migrations.Migration):
    dependencies = [("leagues", "0029_player_groups")]

    operations = [
        migrations.AddField(
            model_name="mode",
            name="named_weights",
            field=models.JSONField(
                blank=True,
                default=list,
                validators=[leagues.models.league.validate_named_weights],
                verbose_name="kinds of match",
            ),
        ),
    ]
