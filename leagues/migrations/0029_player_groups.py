"""Groups of players: clubs, teams and countries, by which standings are filtered."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("leagues", "0028_night_presence"),
    ]

    operations = [
        migrations.AddField(
            model_name="league",
            name="has_groups",
            field=models.BooleanField(default=False, editable=False),
        ),
        migrations.CreateModel(
            name="PlayerGroup",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("club", "Club"), ("team", "Team"), ("country", "Country")],
                        max_length=8,
                    ),
                ),
                ("name", models.CharField(max_length=64)),
                ("folded", models.CharField(editable=False, max_length=192)),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="leagues.league",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="groups",
                        to="leagues.player",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["league", "kind", "folded"], name="player_group_members")
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("player", "kind"), name="player_group_once"),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["club", "team", "country"])),
                        name="playergroup_kind_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("folded", ""), _negated=True), name="group_named"
                    ),
                ],
            },
        ),
    ]
