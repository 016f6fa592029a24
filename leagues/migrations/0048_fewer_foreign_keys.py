"""The revision of a match vouches for its season and its league, which no import looks up.

A season or a league is deleted with its revisions, and no revision is while a match has it. Of what
an import costs the server, two of eight look-ups for each row were these.
"""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models

TARGETS = ("league", "season")


def drop_constraints(apps, schema_editor):
    """Drop them on PostgreSQL alone: SQLite would write the table anew, and looks up for little."""
    connection, model = schema_editor.connection, apps.get_model("leagues", "Match")
    if connection.vendor != "postgresql":
        return
    columns = [[f"{target}_id"] for target in TARGETS]
    with connection.cursor() as cursor:
        constraints = connection.introspection.get_constraints(cursor, model._meta.db_table)
    for name, constraint in constraints.items():
        if constraint["foreign_key"] and constraint["columns"] in columns:
            schema_editor.execute(schema_editor._delete_fk_sql(model, name))


def create_constraints(apps, schema_editor):
    """Create them again, by the names that Django gives them."""
    if schema_editor.connection.vendor != "postgresql":
        return
    model = apps.get_model("leagues", "Match")
    for target in TARGETS:
        field = model._meta.get_field(target)
        schema_editor.execute(
            schema_editor._create_fk_sql(model, field, "_fk_%(to_table)s_%(to_column)s")
        )


class Migration(migrations.Migration):
    dependencies = [("leagues", "0046_fewer_indexes")]

    operations = [
        migrations.RunPython(drop_constraints, create_constraints),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="match",
                    name=target,
                    field=models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="matches",
                        to=f"leagues.{target}",
                        db_constraint=False,
                        db_index=False,
                    ),
                )
                for target in TARGETS
            ]
        ),
    ]
