"""Night sheets: what the lines are recorded in that the mode of their sheet is not for."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("leagues", "0040_started_matches")]

    operations = [
        migrations.AddField(
            model_name="nightsheet",
            name="line_modes",
            field=models.JSONField(
                default=dict,
                help_text="What lines are recorded in that the mode is not for: its slug, by their shape.",
            ),
        ),
    ]
