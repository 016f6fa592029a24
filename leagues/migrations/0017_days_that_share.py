"""Prepared days share packed standings; those that there are, are prepared again."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models
from django.utils import timezone


def prepare_again(apps, schema_editor):
    day_model, job_model = apps.get_model("leagues", "BoardDay"), apps.get_model("leagues", "Job")
    boards = day_model.objects.order_by("board").values_list("board", "league").distinct()
    for board, league in list(boards):
        key = f"present:{board}"
        if not job_model.objects.filter(key=key, state="queued").exists():
            job_model.objects.create(
                kind="prepare_board",
                key=key,
                params={"board": board, "days": []},
                league_id=league,
                run_after=timezone.now(),
            )
    day_model.objects.all().delete()


def store_as_they_are(apps, schema_editor):
    """PostgreSQL would compress them, and take more time for that than for reading them."""
    if schema_editor.connection.vendor == "postgresql":
        table = apps.get_model("leagues", "PackedStandings")._meta.db_table
        schema_editor.execute(f"ALTER TABLE {table} ALTER COLUMN data SET STORAGE EXTERNAL")


class Migration(migrations.Migration):
    dependencies = [("leagues", "0016_void_matches")]

    operations = [
        migrations.RunPython(prepare_again, migrations.RunPython.noop),
        migrations.CreateModel(
            name="PackedStandings",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("data", models.BinaryField()),
                (
                    "board",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="leagues.board",
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="leagues.league",
                    ),
                ),
            ],
            options={"verbose_name_plural": "packed standings"},
        ),
        migrations.RemoveField(model_name="boardday", name="data"),
        migrations.AddField(
            model_name="boardday",
            name="changes",
            field=models.BinaryField(
                default=b"",
                help_text="The players whose rows are others than in the base; empty: none.",
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="boardday",
            name="base",
            field=models.ForeignKey(
                default=0,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="days",
                to="leagues.packedstandings",
            ),
            preserve_default=False,
        ),
        migrations.RunPython(store_as_they_are, migrations.RunPython.noop),
    ]
