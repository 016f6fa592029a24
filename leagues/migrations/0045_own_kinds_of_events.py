"""Events of matches can be of a kind of the game's own, such as `own:goal`."""

from django.db import migrations, models

KINDS = (
    *("frag", "team-kill", "suicide", "world-death", "capture"),
    *("damage", "assist", "flag-taken", "flag-returned"),
)


class Migration(migrations.Migration):
    dependencies = [("leagues", "0044_handicaps")]

    operations = [
        migrations.RemoveConstraint(model_name="matchevent", name="event_kind_known"),
        migrations.AlterField(
            model_name="matchevent",
            name="kind",
            field=models.CharField(max_length=32),
        ),
        migrations.AddConstraint(
            model_name="matchevent",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("kind__in", list(KINDS)), ("kind__startswith", "own:"), _connector="OR"
                ),
                name="event_kind_known",
            ),
        ),
    ]
