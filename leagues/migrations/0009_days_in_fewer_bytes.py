"""Prepared days are written in fewer bytes: those that there are, are prepared again."""

from __future__ import annotations

from django.db import migrations
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
        table = apps.get_model("leagues", "BoardDay")._meta.db_table
        schema_editor.execute(f"ALTER TABLE {table} ALTER COLUMN data SET STORAGE EXTERNAL")


class Migration(migrations.Migration):
    dependencies = [("leagues", "0008_league_results_by_time")]

    operations = [
        migrations.RunPython(store_as_they_are, migrations.RunPython.noop),
        migrations.RunPython(prepare_again, migrations.RunPython.noop),
    ]
