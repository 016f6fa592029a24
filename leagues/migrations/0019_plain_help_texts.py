"""The help texts of fields, in the words of the documentation."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("leagues", "0018_carryover_words"),
    ]

    operations = [
        migrations.AlterField(
            model_name="apitoken",
            name="source",
            field=models.CharField(
                help_text="The sender that its results are recorded under; kept when the token is revoked.",
                max_length=64,
            ),
        ),
        migrations.AlterField(
            model_name="auditentry",
            name="digest",
            field=models.CharField(
                blank=True,
                editable=False,
                help_text="SHA-256 of its content and the digest of the entry before it.",
                max_length=64,
            ),
        ),
        migrations.AlterField(
            model_name="board",
            name="board_state",
            field=models.BinaryField(
                default=b"",
                help_text="State that all players share: the order of a ladder, a running mean.",
            ),
        ),
        migrations.AlterField(
            model_name="board",
            name="decayed_until",
            field=models.DateTimeField(
                blank=True, help_text="The time up to which inactivity has been applied.", null=True
            ),
        ),
        migrations.AlterField(
            model_name="board",
            name="rated_rules",
            field=models.JSONField(
                blank=True,
                default=list,
                help_text="The rules of the published generation, oldest first, each with the time it takes effect (null: from the first match) and its parameters.",
            ),
        ),
        migrations.AlterField(
            model_name="board",
            name="rules_since",
            field=models.DateTimeField(
                blank=True,
                help_text="When these parameters take effect; before that, older rules apply.",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="board",
            name="seal",
            field=models.CharField(
                blank=True, help_text="Its digest when the season was sealed.", max_length=64
            ),
        ),
        migrations.AlterField(
            model_name="board",
            name="start_board_state",
            field=models.BinaryField(
                default=b"",
                help_text="The shared state that was carried over from the previous season.",
            ),
        ),
        migrations.AlterField(
            model_name="board",
            name="start_parameters",
            field=models.JSONField(
                blank=True,
                default=dict,
                help_text="The parameters of the board when ratings were carried over into it.",
            ),
        ),
        migrations.AlterField(
            model_name="board",
            name="verified_matches",
            field=models.BigIntegerField(
                blank=True, help_text="How many results the last verification replayed.", null=True
            ),
        ),
        migrations.AlterField(
            model_name="boardday",
            name="changes",
            field=models.BinaryField(
                help_text="The players whose rows differ from the base; empty: none."
            ),
        ),
        migrations.AlterField(
            model_name="boardday",
            name="computed_at",
            field=models.DateTimeField(
                help_text="The computation of the board that this belongs to; null: this one and all that follow.",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="boardday",
            name="played",
            field=models.JSONField(
                help_text="The number of results of each civil day before `at`; null: not counted.",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="league",
            name="differences",
            field=models.BigIntegerField(
                default=0,
                editable=False,
                help_text="How many differences the last verification found in its log and settings.",
            ),
        ),
        migrations.AlterField(
            model_name="match",
            name="content_hash",
            field=models.BinaryField(
                default=b"", help_text="SHA-256 of the content of its current version."
            ),
        ),
        migrations.AlterField(
            model_name="match",
            name="touched_in_revision",
            field=models.BigIntegerField(
                help_text="The number of the season's revision that last changed it.", null=True
            ),
        ),
        migrations.AlterField(
            model_name="matchversion",
            name="content",
            field=models.JSONField(
                help_text="The former content, as `services.drafts.content_of` writes it."
            ),
        ),
        migrations.AlterField(
            model_name="participant",
            name="own_score",
            field=models.IntegerField(help_text="The points of this player alone.", null=True),
        ),
        migrations.AlterField(
            model_name="participant",
            name="playing_share",
            field=models.FloatField(
                default=1.0, help_text="The share of the match that the player played, in (0, 1]."
            ),
        ),
        migrations.AlterField(
            model_name="participant",
            name="score",
            field=models.IntegerField(help_text="The points of the side.", null=True),
        ),
        migrations.AlterField(
            model_name="player",
            name="identity",
            field=models.CharField(
                blank=True,
                editable=False,
                help_text="SHA-256 of the key and the year of birth, which ratings depend on.",
                max_length=64,
            ),
        ),
        migrations.AlterField(
            model_name="player",
            name="revision",
            field=models.ForeignKey(
                help_text="The revision that added the player.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="players",
                to="leagues.revision",
            ),
        ),
        migrations.AlterField(
            model_name="ratingsegment",
            name="expected",
            field=models.BinaryField(
                default=b"",
                help_text="The expected score of the player's side in each match, 0 to 1.",
            ),
        ),
        migrations.AlterField(
            model_name="revisedrating",
            name="match",
            field=models.ForeignKey(
                help_text="The match that was changed or added, if it was only one.",
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="leagues.match",
            ),
        ),
        migrations.AlterField(
            model_name="revision",
            name="author_key",
            field=models.BigIntegerField(
                editable=False,
                help_text="The id of the author's account, kept when the account is deleted.",
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="revision",
            name="digest",
            field=models.CharField(
                blank=True,
                editable=False,
                help_text="SHA-256 of its content and the digest of the revision before it.",
                max_length=64,
            ),
        ),
        migrations.AlterField(
            model_name="season",
            name="differences",
            field=models.BigIntegerField(
                default=0,
                editable=False,
                help_text="How many differences the last verification found in its facts and seal.",
            ),
        ),
        migrations.AlterField(
            model_name="season",
            name="facts_digest",
            field=models.CharField(
                blank=True,
                editable=False,
                help_text="The digest of its newest revision.",
                max_length=64,
            ),
        ),
        migrations.AlterField(
            model_name="upload",
            name="options",
            field=models.JSONField(
                default=dict, help_text="Layout, date order, and what to leave out."
            ),
        ),
        migrations.AlterField(
            model_name="upload",
            name="report",
            field=models.JSONField(help_text="The findings of the check.", null=True),
        ),
    ]
