"""Age classes of a league, by which standings are narrowed."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("leagues", "0031_player_left"),
    ]

    operations = [
        migrations.AddField(
            model_name="league",
            name="age_classes",
            field=models.CharField(
                blank=True, max_length=120, verbose_name="age classes", default=""
            ),
            preserve_default=False,
        ),
    ]
