"""Boards keep the rules that what they show was rated by, and those of what was carried over."""

from __future__ import annotations

from datetime import UTC, datetime

from django.db import migrations, models

FIRST = datetime(1, 1, 1, tzinfo=UTC)


def fill(apps, schema_editor):
    """Work out from the versions of the rules which ones a board knew when it was computed."""
    board_model = apps.get_model("leagues", "Board")
    for board in board_model.objects.order_by("pk").iterator():
        versions = list(board.rules.order_by("number")) or [
            apps.get_model("leagues", "BoardRules")(
                number=1, parameters=board.parameters, created_at=board.created_at
            )
        ]
        values = {}
        if board.generation:
            values["rated_rules"] = _course(_made_by(versions, board.computed_at))
        if board.start_board_state or board.starting_states.exists():
            audit = apps.get_model("leagues", "AuditEntry").objects.filter(
                season_id=board.season_id, action="season.carry"
            )
            carried_at = audit.order_by("-created_at").values_list("created_at", flat=True).first()
            values["start_parameters"] = _made_by(versions, carried_at)[-1].parameters
        if values:
            board_model.objects.filter(pk=board.pk).update(**values)


def _made_by(versions, at):
    """Return the versions of a moment; the first one is as old as the board."""
    return [row for row in versions if row.number == 1 or (at is not None and row.created_at <= at)]


def _course(versions):
    """Return what held one after the other: a version replaces those that begin no earlier."""
    course = []
    for row in versions:
        begins = row.effective_at or FIRST
        course = [older for older in course if (older.effective_at or FIRST) < begins]
        course.append(row)
    return [
        [row.effective_at.isoformat() if row.effective_at else None, row.parameters]
        for row in course
    ]


class Migration(migrations.Migration):
    dependencies = [("leagues", "0003_compute_again")]

    operations = [
        migrations.AddField(
            model_name="board",
            name="rated_rules",
            field=models.JSONField(
                blank=True,
                default=list,
                help_text="The rules that the published generation was rated by, oldest first: the "
                "instant from which each holds (null: the first match) and its parameters.",
            ),
        ),
        migrations.AddField(
            model_name="board",
            name="start_parameters",
            field=models.JSONField(
                blank=True,
                default=dict,
                help_text="The parameters of the board when states were carried over into it.",
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
