"""Set scores as data of their own; those in the details of older matches stay there."""

from django.db import migrations, models

import leagues.models.match


class Migration(migrations.Migration):
    dependencies = [("leagues", "0025_score_rules")]

    operations = [
        migrations.AddField(
            model_name="match",
            name="sets",
            field=models.CharField(
                blank=True,
                default="",
                help_text="In the order of the sides, as “11-9 7-6(5)”.",
                max_length=200,
                validators=[leagues.models.match.validate_sets],
                verbose_name="set scores",
            ),
        ),
    ]
