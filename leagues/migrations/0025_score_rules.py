"""The scores that are possible in a mode; any score in modes that were there before."""

from django.db import migrations, models

import leagues.models.league


class Migration(migrations.Migration):
    dependencies = [("leagues", "0024_public_spellings")]

    operations = [
        migrations.AddField(
            model_name="mode",
            name="score_rule",
            field=models.CharField(
                blank=True,
                default="",
                max_length=64,
                validators=[leagues.models.league.validate_score_rule],
                verbose_name="possible scores",
            ),
        ),
    ]
