"""What grows with the matches has no index that is the beginning of another one.

Whatever the dropped ones found, the longer ones find; and nothing but a check of all facts looks
for participants by their league. An import and each result write eight indexes less.
"""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models

INDEXES = [
    ("match", "league", {"related_name": "matches"}),
    ("match", "season", {"related_name": "matches"}),
    ("participant", "league", {"related_name": "+", "db_constraint": False}),
    ("participant", "match", {"related_name": "participants"}),
    (
        "participant",
        "player",
        {"related_name": "participations", "on_delete": django.db.models.deletion.PROTECT},
    ),
    ("matchevent", "match", {"related_name": "events"}),
    ("matchversion", "match", {"related_name": "versions"}),
    ("player", "league", {"related_name": "players"}),
]


def drop_indexes(apps, schema_editor):
    """Drop them alone: SQLite would write the tables anew."""
    connection = schema_editor.connection
    for model_name, target, _ in INDEXES:
        meta = apps.get_model("leagues", model_name)._meta
        with connection.cursor() as cursor:
            constraints = connection.introspection.get_constraints(cursor, meta.db_table)
        named = {index.name for index in meta.indexes}
        for name, constraint in constraints.items():
            is_index = constraint["index"] and not constraint["unique"]
            if is_index and constraint["columns"] == [f"{target}_id"] and name not in named:
                schema_editor.execute(f"DROP INDEX {schema_editor.quote_name(name)}")


def create_indexes(apps, schema_editor):
    """Create them again, by the names that Django gives them."""
    for model_name, target, _ in INDEXES:
        model = apps.get_model("leagues", model_name)
        fields = [model._meta.get_field(target)]
        schema_editor.execute(schema_editor._create_index_sql(model, fields=fields))


class Migration(migrations.Migration):
    dependencies = [("leagues", "0045_own_kinds_of_events")]

    operations = [
        migrations.RunPython(drop_indexes, create_indexes),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name=model,
                    name=target,
                    field=models.ForeignKey(
                        **{
                            "on_delete": django.db.models.deletion.CASCADE,
                            "to": f"leagues.{target}",
                            "db_index": False,
                        }
                        | options
                    ),
                )
                for model, target, options in INDEXES
            ]
        ),
    ]
