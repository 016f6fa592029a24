"""Columns take the names of the field; nothing is copied, whatever the tables hold.

Both databases rename a column in its table, indexes and checks alike. Django would take indexes
and checks away and make them anew, which reads every result, and on SQLite copies the table.
"""

import datetime

from django.db import migrations, models

COLUMNS = (
    ("board", "frontier", "rated_through_revision"),
    ("board", "verified_frontier", "verified_through_revision"),
    ("board", "last_hint", "last_same_time_order"),
    ("board", "reckoned_until", "decayed_until"),
    ("trial", "frontier", "rated_through_revision"),
    ("season", "carry", "carryover"),
    ("season", "carry_share", "carryover_share"),
    ("season", "carry_deviation", "carryover_deviation"),
    ("match", "order_hint", "same_time_order"),
    ("match", "touched", "touched_in_revision"),
    ("participant", "share", "playing_share"),
)
CHECKS = (
    ("board", "board_reckoned_until_bounds", "board_decayed_until_bounds"),
    ("season", "season_carry_known", "season_carryover_known"),
    ("season", "season_carry_share_bounds", "season_carryover_share_bounds"),
    ("season", "season_carry_deviation_bounds", "season_carryover_deviation_bounds"),
    ("participant", "participant_share_bounds", "participant_playing_share_bounds"),
)


def rename_checks(schema_editor, pairs):
    """Checks have their names in errors only; SQLite gives them new ones with the next copy."""
    if schema_editor.connection.vendor != "postgresql":
        return
    for model, old, new in pairs:
        schema_editor.execute(f"ALTER TABLE leagues_{model} RENAME CONSTRAINT {old} TO {new}")


def to_new(apps, schema_editor):
    rename_checks(schema_editor, CHECKS)


def to_old(apps, schema_editor):
    rename_checks(schema_editor, [(model, new, old) for model, old, new in CHECKS])


class Migration(migrations.Migration):
    dependencies = [("leagues", "0001_squashed_0012_limits_of_several_processes")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveConstraint(
                    model_name="board",
                    name="board_reckoned_until_bounds",
                ),
                migrations.RemoveConstraint(
                    model_name="match",
                    name="match_numbered_when_it_counts",
                ),
                migrations.RemoveConstraint(
                    model_name="participant",
                    name="participant_share_bounds",
                ),
                migrations.RemoveConstraint(
                    model_name="season",
                    name="season_carry_known",
                ),
                migrations.RemoveConstraint(
                    model_name="season",
                    name="season_carry_share_bounds",
                ),
                migrations.RemoveConstraint(
                    model_name="season",
                    name="season_carry_deviation_bounds",
                ),
                migrations.RemoveIndex(
                    model_name="match",
                    name="match_by_touch",
                ),
                migrations.RemoveIndex(
                    model_name="match",
                    name="match_by_time",
                ),
            ],
        ),
        *(migrations.RenameField(model, old, new) for model, old, new in COLUMNS),
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(to_new, to_old)],
            state_operations=[
                migrations.AlterField(
                    model_name="board",
                    name="decayed_until",
                    field=models.DateTimeField(
                        blank=True, help_text="Up to when inactivity has been applied.", null=True
                    ),
                ),
                migrations.AddIndex(
                    model_name="match",
                    index=models.Index(
                        fields=["season", "mode", "touched_in_revision"], name="match_by_touch"
                    ),
                ),
                migrations.AddIndex(
                    model_name="match",
                    index=models.Index(
                        fields=["season", "-played_at", "-same_time_order", "-seq"],
                        name="match_by_time",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="board",
                    constraint=models.CheckConstraint(
                        condition=models.Q(
                            (
                                "decayed_until__gte",
                                datetime.datetime(1800, 1, 1, 0, 0, tzinfo=datetime.UTC),
                            ),
                            (
                                "decayed_until__lte",
                                datetime.datetime(2200, 1, 1, 0, 0, tzinfo=datetime.UTC),
                            ),
                        ),
                        name="board_decayed_until_bounds",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="match",
                    constraint=models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("seq__isnull", True),
                                ("status", "staged"),
                                ("touched_in_revision__isnull", True),
                            ),
                            models.Q(
                                ("seq__isnull", False),
                                ("status__in", ["live", "void"]),
                                ("touched_in_revision__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="match_numbered_when_it_counts",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="participant",
                    constraint=models.CheckConstraint(
                        condition=models.Q(
                            ("playing_share__gte", 1e-09), ("playing_share__lte", 1.0)
                        ),
                        name="participant_playing_share_bounds",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="season",
                    constraint=models.CheckConstraint(
                        condition=models.Q(("carryover__in", ["fresh", "keep", "soft"])),
                        name="season_carryover_known",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="season",
                    constraint=models.CheckConstraint(
                        condition=models.Q(
                            ("carryover_share__gte", 0.0), ("carryover_share__lte", 1.0)
                        ),
                        name="season_carryover_share_bounds",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="season",
                    constraint=models.CheckConstraint(
                        condition=models.Q(
                            ("carryover_deviation__gte", 0.0),
                            ("carryover_deviation__lte", 1000000.0),
                        ),
                        name="season_carryover_deviation_bounds",
                    ),
                ),
            ],
        ),
    ]
