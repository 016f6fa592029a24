"""Files of players without results are revisions of their own kind."""

from __future__ import annotations

from django.db import migrations, models

KINDS = (
    ("entry", "results entered"),
    ("import", "file imported"),
    ("players", "players imported"),
    ("api", "results sent by a program"),
    ("correction", "result corrected"),
    ("void", "result voided"),
    ("restore", "result restored"),
    ("revert", "undone"),
    ("merge", "players merged"),
    ("demo", "simulated results"),
)


class Migration(migrations.Migration):
    dependencies = (("leagues", "0033_starting_ratings"),)

    operations = (
        migrations.RemoveConstraint("revision", "revision_kind_known"),
        migrations.AlterField(
            "revision", "kind", models.CharField(choices=list(KINDS), max_length=12)
        ),
        migrations.AddConstraint(
            "revision",
            models.CheckConstraint(
                condition=models.Q(("kind__in", [kind for kind, _words in KINDS])),
                name="revision_kind_known",
            ),
        ),
    )
