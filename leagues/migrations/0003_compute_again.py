"""Ratings are thrown away and computed again: histories now hold what was expected, too.

Seasons that were closed before there were seals are sealed once their boards have caught up.
"""

from __future__ import annotations

from django.db import migrations
from django.utils import timezone


def compute_again(apps, schema_editor):
    board_model, job_model = apps.get_model("leagues", "Board"), apps.get_model("leagues", "Job")
    season_model = apps.get_model("leagues", "Season")
    now = timezone.now()

    def enqueue(kind, key, params, league_id):
        if not job_model.objects.filter(key=key, state="queued").exists():
            job_model.objects.create(
                kind=kind, key=key, params=params, league_id=league_id, run_after=now
            )

    board_model.objects.update(frontier=0)
    for board in board_model.objects.order_by("pk"):
        enqueue("rate_board", f"rate:{board.pk}", {"board": board.pk}, board.league_id)
    for season in season_model.objects.filter(state__in=["closed", "archived"]).order_by("pk"):
        params = {"season": season.pk, "state": season.state, "sealed_at": None, "expected": ""}
        enqueue("seal_season", f"seal:{season.pk}", params, season.league_id)
    season_model.objects.filter(state__in=["closed", "archived"]).update(state="closing")


class Migration(migrations.Migration):
    dependencies = [("leagues", "0002_seasons_and_rules")]

    operations = [migrations.RunPython(compute_again, migrations.RunPython.noop)]
