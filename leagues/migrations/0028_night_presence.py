"""Night sheets: who is there."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("leagues", "0026_set_scores"),
    ]

    operations = [
        migrations.AddField(
            model_name="nightsheet",
            name="present",
            field=models.JSONField(default=list, help_text="The names of those who are there."),
        ),
    ]
