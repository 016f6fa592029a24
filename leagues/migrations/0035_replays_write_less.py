"""What a replay writes has fewer indexes, and is not compressed.

Nobody looks for standings or segments by their league, and by their board the unique index finds
them. PostgreSQL would compress the segments of busy players, and take more time for that than for
writing them; those that there are stay as they are.
"""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models

INDEXES = [
    ("standing", "league", "+"),
    ("standing", "board", "standings"),
    ("ratingsegment", "league", "+"),
    ("ratingsegment", "board", "segments"),
]


def drop_indexes(apps, schema_editor):
    """Drop them alone: SQLite would write the tables anew."""
    connection = schema_editor.connection
    for model, target, _ in INDEXES:
        table = apps.get_model("leagues", model)._meta.db_table
        with connection.cursor() as cursor:
            constraints = connection.introspection.get_constraints(cursor, table)
        for name, constraint in constraints.items():
            is_index = constraint["index"] and not constraint["unique"]
            if is_index and constraint["columns"] == [f"{target}_id"]:
                schema_editor.execute(f"DROP INDEX {schema_editor.quote_name(name)}")


def create_indexes(apps, schema_editor):
    """Create them again, by the names that Django gives them."""
    for model_name, target, _ in INDEXES:
        model = apps.get_model("leagues", model_name)
        fields = [model._meta.get_field(target)]
        schema_editor.execute(schema_editor._create_index_sql(model, fields=fields))


def store_as_they_are(apps, schema_editor):
    _set_storage(apps, schema_editor, "EXTERNAL")


def compress_again(apps, schema_editor):
    _set_storage(apps, schema_editor, "EXTENDED")


def _set_storage(apps, schema_editor, storage):
    if schema_editor.connection.vendor == "postgresql":
        table = apps.get_model("leagues", "RatingSegment")._meta.db_table
        for column in ("data", "expected"):
            schema_editor.execute(
                f"ALTER TABLE {table} ALTER COLUMN {column} SET STORAGE {storage}"
            )


class Migration(migrations.Migration):
    dependencies = [("leagues", "0034_players_imported")]

    operations = [
        migrations.RunPython(drop_indexes, create_indexes),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name=model,
                    name=target,
                    field=models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name=related_name,
                        to=f"leagues.{target}",
                    ),
                )
                for model, target, related_name in INDEXES
            ]
        ),
        migrations.RunPython(store_as_they_are, compress_again),
    ]
