"""The season of a match vouches for its league, which no import looks up for each row.

A league is deleted with its seasons, and each match has one of them.
"""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


def drop_constraint(apps, schema_editor):
    """Drop it on PostgreSQL alone: SQLite would write the table anew, and looks up for little."""
    connection, model = schema_editor.connection, apps.get_model("leagues", "Match")
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        constraints = connection.introspection.get_constraints(cursor, model._meta.db_table)
    for name, constraint in constraints.items():
        if constraint["foreign_key"] and constraint["columns"] == ["league_id"]:
            schema_editor.execute(schema_editor._delete_fk_sql(model, name))


def create_constraint(apps, schema_editor):
    """Create it again, by the name that Django gives it."""
    if schema_editor.connection.vendor != "postgresql":
        return
    model = apps.get_model("leagues", "Match")
    field = model._meta.get_field("league")
    schema_editor.execute(
        schema_editor._create_fk_sql(model, field, "_fk_%(to_table)s_%(to_column)s")
    )


class Migration(migrations.Migration):
    dependencies = [("leagues", "0047_words_of_names")]

    operations = [
        migrations.RunPython(drop_constraint, create_constraint),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="match",
                    name="league",
                    field=models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="matches",
                        to="leagues.league",
                        db_constraint=False,
                        db_index=False,
                    ),
                )
            ]
        ),
    ]
