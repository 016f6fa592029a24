"""Invitations to a league."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

ROLES = [("organizer", "organizer"), ("scorer", "scorer"), ("player", "player")]


class Migration(migrations.Migration):
    dependencies = [
        ("leagues", "0014_plain_words"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Invitation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("role", models.CharField(choices=ROLES, max_length=10, verbose_name="role")),
                ("secret_hash", models.CharField(max_length=64, unique=True)),
                ("expires_at", models.DateTimeField()),
                ("used_at", models.DateTimeField(null=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invitations",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invitations",
                        to="leagues.league",
                    ),
                ),
            ],
            options={
                "ordering": ("expires_at", "pk"),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("role__in", ["organizer", "scorer", "player"])),
                        name="invitation_role_known",
                    )
                ],
            },
        ),
    ]
