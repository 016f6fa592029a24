"""Starting ratings that organizers give, with their source."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("leagues", "0032_age_classes"),
    ]

    operations = [
        migrations.AddField(
            model_name="startingstate",
            name="carried_state",
            field=models.BinaryField(
                default=b"",
                help_text="What was carried over, where another rating was given in its place.",
            ),
        ),
        migrations.AddField(
            model_name="startingstate",
            name="deviation",
            field=models.FloatField(help_text="As it was given; null: a newcomer's.", null=True),
        ),
        migrations.AddField(
            model_name="startingstate",
            name="rating",
            field=models.FloatField(help_text="As it was given; null: carried over.", null=True),
        ),
        migrations.AddField(
            model_name="startingstate",
            name="source",
            field=models.CharField(blank=True, max_length=80),
        ),
        migrations.AddConstraint(
            model_name="startingstate",
            constraint=models.CheckConstraint(
                condition=models.Q(("rating__gte", -1000000000.0), ("rating__lte", 1000000000.0)),
                name="starting_state_rating_bounds",
            ),
        ),
        migrations.AddConstraint(
            model_name="startingstate",
            constraint=models.CheckConstraint(
                condition=models.Q(("deviation__gte", 0), ("deviation__lte", 1000000000.0)),
                name="starting_state_deviation_bounds",
            ),
        ),
        migrations.AddConstraint(
            model_name="startingstate",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("rating__isnull", True), ("source", "")),
                    models.Q(("rating__isnull", False), models.Q(("source", ""), _negated=True)),
                    _connector="OR",
                ),
                name="starting_state_has_source",
            ),
        ),
        migrations.AddConstraint(
            model_name="startingstate",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("rating__isnull", False), ("deviation__isnull", True), _connector="OR"
                ),
                name="starting_state_deviation_of_rating",
            ),
        ),
    ]
