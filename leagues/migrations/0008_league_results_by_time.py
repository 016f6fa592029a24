"""Results of all seasons of a league are listed by their time at once."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("leagues", "0007_large_leagues")]

    operations = [
        migrations.AddIndex(
            model_name="match",
            index=models.Index(fields=["league", "-played_at"], name="match_of_league_by_time"),
        ),
    ]
