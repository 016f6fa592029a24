"""What is carried over is named as on the form of a season."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("leagues", "0017_days_that_share"),
    ]

    operations = [
        migrations.AlterField(
            model_name="season",
            name="carryover",
            field=models.CharField(
                choices=[
                    ("fresh", "fresh start"),
                    ("keep", "keep ratings"),
                    ("soft", "soft reset"),
                ],
                default="fresh",
                editable=False,
                max_length=5,
                verbose_name="carried over",
            ),
        ),
    ]
