"""Events of matches: damage, assists, and flags taken and returned."""

from django.db import migrations, models

KINDS = (
    ("frag", "frag"),
    ("team-kill", "team kill"),
    ("suicide", "suicide"),
    ("world-death", "death by the world"),
    ("capture", "capture"),
    ("damage", "damage"),
    ("assist", "assist"),
    ("flag-taken", "flag taken"),
    ("flag-returned", "flag returned"),
)


class Migration(migrations.Migration):
    dependencies = [("leagues", "0041_modes_of_lines")]

    operations = [
        migrations.RemoveConstraint(model_name="matchevent", name="event_kind_known"),
        migrations.AlterField(
            model_name="matchevent",
            name="kind",
            field=models.CharField(choices=list(KINDS), max_length=16),
        ),
        migrations.AddConstraint(
            model_name="matchevent",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", [kind for kind, _label in KINDS])),
                name="event_kind_known",
            ),
        ),
    ]
