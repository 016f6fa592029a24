"""Boards say when their changes were checked, and how far the generation that they show is."""

from django.db import migrations, models
from django.db.models import F


def forget_former_generations(apps, schema_editor):
    """Let boards be wholly checked that were computed since: maybe as a new generation."""
    boards = apps.get_model("leagues", "Board").objects
    boards.filter(computed_at__gt=F("verified_at")).update(verified_through_revision=None)


class Migration(migrations.Migration):
    dependencies = [
        ("leagues", "0035_replays_write_less"),
    ]

    operations = [
        migrations.AddField(
            model_name="board",
            name="changes_verified_at",
            field=models.DateTimeField(
                blank=True,
                help_text="When the changes since then were last checked; null: there has been no "
                "need.",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="board",
            name="verified_at",
            field=models.DateTimeField(
                blank=True,
                help_text="When all results were last replayed to check the board.",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="board",
            name="verified_through_revision",
            field=models.BigIntegerField(
                blank=True,
                help_text="The revision up to which this generation is checked; null: not at all.",
                null=True,
            ),
        ),
        migrations.RunPython(forget_former_generations, migrations.RunPython.noop),
    ]
