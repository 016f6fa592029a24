"""Three choices and a help text in plainer words; no column changes."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("leagues", "0013_names_of_the_field")]

    operations = [
        migrations.AlterField(
            model_name="apitoken",
            name="recent_only",
            field=models.BooleanField(
                default=False,
                help_text="For game servers: a stolen key cannot change old results.",
                verbose_name="results of yesterday and today only",
            ),
        ),
        migrations.AlterField(
            model_name="season",
            name="carryover",
            field=models.CharField(
                choices=[
                    ("fresh", "everyone starts again"),
                    ("keep", "ratings are kept as they were"),
                    ("soft", "ratings move towards the mean and become less certain"),
                ],
                default="fresh",
                editable=False,
                max_length=5,
                verbose_name="carried over",
            ),
        ),
        migrations.AlterField(
            model_name="revision",
            name="state",
            field=models.CharField(
                choices=[
                    ("staged", "being prepared"),
                    ("applied", "applied"),
                    ("abandoned", "abandoned"),
                ],
                default="applied",
                max_length=10,
            ),
        ),
    ]
