"""Matches that have begun, what becomes of them, and what a mode says of them."""

import datetime

import django.core.validators
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("leagues", "0039_who_plays"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="match",
            name="match_kind_known",
        ),
        migrations.RemoveConstraint(
            model_name="revision",
            name="revision_kind_known",
        ),
        migrations.AddField(
            model_name="match",
            name="deadline_at",
            field=models.DateTimeField(
                blank=True, help_text="When a start without a result counts as lost.", null=True
            ),
        ),
        migrations.AddField(
            model_name="match",
            name="rungs_lost",
            field=models.PositiveSmallIntegerField(
                default=0, help_text="How many rungs who leaves it falls on a ladder."
            ),
        ),
        migrations.AddField(
            model_name="match",
            name="started_at",
            field=models.DateTimeField(
                blank=True, help_text="When it began, of a start that was reported.", null=True
            ),
        ),
        migrations.AddField(
            model_name="mode",
            name="released_by",
            field=models.CharField(
                choices=[
                    ("staff", "organizers and scorers"),
                    ("players", "its players too, each for the other side"),
                ],
                default="staff",
                max_length=7,
                verbose_name="who may call off a started match",
            ),
        ),
        migrations.AddField(
            model_name="mode",
            name="start_hours",
            field=models.PositiveSmallIntegerField(
                default=24,
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(720),
                ],
                verbose_name="hours until a started match counts as lost",
            ),
        ),
        migrations.AddField(
            model_name="mode",
            name="start_rungs",
            field=models.PositiveSmallIntegerField(
                default=1,
                validators=[django.core.validators.MaxValueValidator(1000)],
                verbose_name="rungs lost by leaving a match on a ladder",
            ),
        ),
        migrations.AddField(
            model_name="participant",
            name="leaving",
            field=models.PositiveSmallIntegerField(
                help_text="Of a start: what has become of the player, as Leaving. Of a result, nothing.",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="match",
            name="kind",
            field=models.CharField(
                choices=[
                    ("played", "played"),
                    ("walkover", "walkover"),
                    ("retirement", "retirement"),
                    ("unrated", "not rated"),
                    ("started", "started"),
                    ("left", "lost by leaving"),
                    ("ended", "ended"),
                ],
                default="played",
                max_length=10,
                verbose_name="kind",
            ),
        ),
        migrations.AlterField(
            model_name="revision",
            name="kind",
            field=models.CharField(
                choices=[
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
                    ("start", "match started"),
                    ("left", "started matches lost"),
                    ("release", "players let go"),
                ],
                max_length=12,
            ),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                condition=models.Q(("kind__in", ("started", "left", "ended"))),
                fields=["season", "mode", "started_at"],
                name="match_started",
            ),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                condition=models.Q(("kind", "started")), fields=["deadline_at"], name="match_open"
            ),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "kind__in",
                        ["played", "walkover", "retirement", "unrated", "started", "left", "ended"],
                    )
                ),
                name="match_kind_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("started_at__gte", datetime.datetime(1800, 1, 1, 0, 0, tzinfo=datetime.UTC)),
                    ("started_at__lte", datetime.datetime(2200, 1, 1, 0, 0, tzinfo=datetime.UTC)),
                ),
                name="match_started_at_bounds",
            ),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("deadline_at__gte", datetime.datetime(1800, 1, 1, 0, 0, tzinfo=datetime.UTC)),
                    ("deadline_at__lte", datetime.datetime(2200, 1, 1, 0, 0, tzinfo=datetime.UTC)),
                ),
                name="match_deadline_at_bounds",
            ),
        ),
        migrations.AddConstraint(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind__in", ("started", "left", "ended")), _negated=True),
                    models.Q(("deadline_at__isnull", False), ("started_at__isnull", False)),
                    _connector="OR",
                ),
                name="match_start_is_dated",
            ),
        ),
        migrations.AddConstraint(
            model_name="mode",
            constraint=models.CheckConstraint(
                condition=models.Q(("released_by__in", ["staff", "players"])),
                name="mode_released_by_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="mode",
            constraint=models.CheckConstraint(
                condition=models.Q(("start_hours__gte", 1), ("start_hours__lte", 720)),
                name="mode_start_hours_bounds",
            ),
        ),
        migrations.AddConstraint(
            model_name="mode",
            constraint=models.CheckConstraint(
                condition=models.Q(("start_rungs__gte", 0), ("start_rungs__lte", 1000)),
                name="mode_start_rungs_bounds",
            ),
        ),
        migrations.AddConstraint(
            model_name="participant",
            constraint=models.CheckConstraint(
                condition=models.Q(("leaving__gte", 0), ("leaving__lte", 2)),
                name="participant_leaving_bounds",
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
                            "players",
                            "api",
                            "correction",
                            "void",
                            "restore",
                            "revert",
                            "merge",
                            "demo",
                            "start",
                            "left",
                            "release",
                        ],
                    )
                ),
                name="revision_kind_known",
            ),
        ),
    ]
