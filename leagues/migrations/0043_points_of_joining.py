"""Zero-sum boards with anchors are looked at again: histories say at which mean players joined.

Former releases had no players who are anchors. A few boards have the rule all the same, and their
mean moved with matches that were left, or was carried over.
"""

from __future__ import annotations

from django.db import migrations
from django.utils import timezone


def look_again(apps, schema_editor):
    """Queue a look at each season with such a board (`services.mending`)."""
    board_model, job_model = apps.get_model("leagues", "Board"), apps.get_model("leagues", "Job")
    boards = board_model.objects.filter(system="zerosum").order_by("pk")
    seasons = {
        board.season_id: board.league_id for board in boards if board.parameters.get("anchors")
    }
    for season, league in seasons.items():
        key = f"mend:{season}"
        if not job_model.objects.filter(key=key, state="queued").exists():
            job_model.objects.create(
                kind="mend_season",
                key=key,
                params={"season": season},
                league_id=league,
                run_after=timezone.now(),
            )


class Migration(migrations.Migration):
    dependencies = [("leagues", "0042_kinds_of_events")]

    operations = [migrations.RunPython(look_again, migrations.RunPython.noop)]
