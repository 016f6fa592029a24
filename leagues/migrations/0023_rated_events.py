"""Whether results or events of a mode are rated; until now it was results."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("leagues", "0022_event_facts"),
    ]

    operations = [
        migrations.AddField(
            model_name="mode",
            name="rated_by",
            field=models.CharField(
                choices=[("results", "results"), ("events", "events, where a match has some")],
                default="results",
                max_length=7,
                verbose_name="what is rated",
            ),
        ),
        migrations.AddConstraint(
            model_name="mode",
            constraint=models.CheckConstraint(
                condition=models.Q(("rated_by__in", ["results", "events"])),
                name="mode_rated_by_known",
            ),
        ),
    ]
