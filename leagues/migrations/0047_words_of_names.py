"""Names are found by the beginnings of their words, which indexes tell."""

from __future__ import annotations

from django.db import migrations, models

from leagues.store.name_words import FromWord, HasWord, words_of

AT_ONCE = 5_000


def fill_words(apps, schema_editor):
    """Give each player the words of the name."""
    player_model = apps.get_model("leagues", "Player")
    statement = "UPDATE leagues_player SET words = %s WHERE id = %s"
    names = player_model.objects.order_by("pk").values_list("pk", "name")
    last = 0
    while some := list(names.filter(pk__gt=last)[:AT_ONCE]):
        with schema_editor.connection.cursor() as cursor:
            cursor.executemany(statement, [(words_of(name), pk) for pk, name in some])
        last = some[-1][0]


def index_of(word: int, name: str) -> migrations.AddIndex:
    is_there = None if word == 1 else models.Q(HasWord("words", word=word))
    index = models.Index(
        models.F("league"), FromWord("words", word=word), condition=is_there, name=name
    )
    return migrations.AddIndex("player", index)


class Migration(migrations.Migration):
    dependencies = [("leagues", "0046_fewer_indexes")]

    operations = [
        migrations.AddField(
            model_name="player",
            name="words",
            field=models.CharField(
                blank=True,
                default="",
                editable=False,
                help_text="The words of the name in plain letters, by which searches find it.",
                max_length=192,
            ),
        ),
        migrations.RunPython(fill_words, migrations.RunPython.noop),
        index_of(1, "player_by_words"),
        index_of(2, "player_by_second_word"),
        index_of(3, "player_by_third_word"),
        index_of(0, "player_by_last_word"),
    ]
