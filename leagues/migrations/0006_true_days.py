"""Prepared days say until when they hold, and revised ratings with which generation they came."""

from __future__ import annotations

from django.db import migrations, models


def forget_days(apps, schema_editor):
    """Some of them may have missed results; they are prepared again when somebody asks."""
    apps.get_model("leagues", "BoardDay").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("leagues", "0005_sealed_rules")]

    operations = [
        migrations.RunPython(forget_days, migrations.RunPython.noop),
        migrations.AddField(
            model_name="boardday",
            name="computed_at",
            field=models.DateTimeField(
                help_text="When the board was computed that this shows; null: all that follow.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="revisedrating",
            name="generation",
            field=models.PositiveIntegerField(default=0),
        ),
    ]
