"""Players that were merged into others, and the kind of revision that does it."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("leagues", "0019_plain_help_texts"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="revision",
            name="revision_kind_known",
        ),
        migrations.AddField(
            model_name="player",
            name="merged_into",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="merged",
                to="leagues.player",
                verbose_name="merged into",
            ),
        ),
        migrations.AlterField(
            model_name="revision",
            name="kind",
            field=models.CharField(
                choices=[
                    ("entry", "results entered"),
                    ("import", "file imported"),
                    ("api", "results sent by a program"),
                    ("correction", "result corrected"),
                    ("void", "result voided"),
                    ("restore", "result restored"),
                    ("revert", "undone"),
                    ("merge", "players merged"),
                    ("demo", "simulated results"),
                ],
                max_length=12,
            ),
        ),
        migrations.AddIndex(
            model_name="player",
            index=models.Index(
                condition=models.Q(("merged_into__isnull", False)),
                fields=["merged_into"],
                name="player_merged",
            ),
        ),
        migrations.AddConstraint(
            model_name="player",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("merged_into__isnull", True),
                    models.Q(
                        ("is_listed", False),
                        models.Q(("merged_into", models.F("id")), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="player_merged_is_unlisted",
            ),
        ),
        migrations.AddConstraint(
            model_name="revision",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "kind__in",
                        [
                            "entry",
                            "import",
                            "api",
                            "correction",
                            "void",
                            "restore",
                            "revert",
                            "merge",
                            "demo",
                        ],
                    )
                ),
                name="revision_kind_known",
            ),
        ),
    ]
