"""Boards that a former release may have computed wrongly are looked at again."""

from __future__ import annotations

from django.db import migrations
from django.utils import timezone


def look_again(apps, schema_editor):
    """Queue a look at each season with a board of a kind that was hit (`services.mending`)."""
    board_model, job_model = apps.get_model("leagues", "Board"), apps.get_model("leagues", "Job")
    seasons, names = {}, []
    for board in board_model.objects.select_related("league", "season").order_by("pk").iterator():
        has_stopped = board.system == "static" and "did not settle" in board.problem
        if board.system in ("ladder", "zerosum", "becker") or has_stopped:
            seasons[board.season_id] = board.league_id
            names.append(f"{board.league.name}, {board.season.name}: {board.name}")
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
    if names:
        print(
            "This release mends computations. These boards are compared with a replay in the "
            "background; where one differs it is computed again, and a sealed season is sealed "
            "anew, with an entry in its log:"
        )
        print("\n".join(f"  {name}" for name in names))


class Migration(migrations.Migration):
    dependencies = [("leagues", "0010_record_digests")]

    operations = [migrations.RunPython(look_again, migrations.RunPython.noop)]
