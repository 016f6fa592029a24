"""Names by the beginnings of their words, each looked up by an index: alike on every database.

`Player.words` has the words of a name in plain letters. For each of the first three words, and for
the last of more, an index has the rest of the name from there. A letter of a script without spaces
is a word of its own.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any, Final

from django.db.models import BooleanField, CharField, Func, Q, Value
from django.db.models.lookups import GreaterThanOrEqual, LessThan

from leagues.store.search import plain_name

MAX_WORDS_LENGTH: Final = 192
WORDS: Final = (1, 2, 3, 0)
"""The words that names are found by; 0 is the last of four and more."""
_BEYOND: Final = "\U0010ffff"
"""It comes behind each letter that a name can have."""
_ALL = "%(expressions)s"
_SEPARATORS = re.compile(r"[^a-z0-9]+")
_LONE_LETTERS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")


def words_of(name: str) -> str:
    """The words of a name in plain letters, with a space between two; of signs alone as it is."""
    plain = plain_name(name)
    if plain.isascii():
        text = _SEPARATORS.sub(" ", plain)
    else:
        apart = _LONE_LETTERS.sub(r" \g<0> ", plain)
        text = "".join(letter if _is_of_word(letter) else " " for letter in apart)
    return (" ".join(text.split()) or plain)[:MAX_WORDS_LENGTH]


def _is_of_word(letter: str) -> bool:
    # Vowels of Indian scripts are marks.
    return letter.isalnum() or unicodedata.category(letter).startswith("M")


def begin_words(query: str, column: str = "words") -> Iterator[Q]:
    """Conditions of the names in which a word begins with these letters, and the next go on so.

    Each is looked up by an index of its own; a name may meet several of them.
    """
    letters = words_of(query)
    for word in WORDS:
        rest = FromWord(column, word=word)
        begins = Q(GreaterThanOrEqual(rest, Value(letters))) & Q(
            LessThan(rest, Value(letters + _BEYOND))
        )
        yield begins if word == 1 else Q(HasWord(column, word=word)) & begins


class FromWord(Func):
    """The rest of a name from a word on, by the order of code points.

    Its SQL has no parameters, with which it would not be the expression of the index.
    """

    output_field = CharField()

    def as_sqlite(self, compiler: Any, connection: Any, **words: Any) -> Any:
        """It compares by code points anyway."""
        template = _rest(_ALL, self.extra["word"], "instr")
        return super().as_sql(compiler, connection, template=template, **words)

    def as_postgresql(self, compiler: Any, connection: Any, **words: Any) -> Any:
        """In the order of a language what begins alike does not stand together."""
        template = f'({_rest(_ALL, self.extra["word"], "strpos")} COLLATE "C")'
        return super().as_sql(compiler, connection, template=template, **words)


class HasWord(Func):
    """Whether a name has such a word that is not one of those before."""

    output_field = BooleanField()

    def as_sqlite(self, compiler: Any, connection: Any, **words: Any) -> Any:
        """Look for the space before it."""
        template = _has(self.extra["word"], "instr")
        return super().as_sql(compiler, connection, template=template, **words)

    def as_postgresql(self, compiler: Any, connection: Any, **words: Any) -> Any:
        """Look for the space before it."""
        template = _has(self.extra["word"], "strpos")
        return super().as_sql(compiler, connection, template=template, **words)


def _has(word: int, position: str) -> str:
    before = _rest(_ALL, word - 1 if word else max(WORDS), position)
    return f"({position}({before}, ' ') > 0)"


def _rest(words: str, word: int, position: str) -> str:
    """The rest of some words from one of them on; where that is missing, from the one before."""
    if word == 1:
        return words
    if word == 0:
        return f"substr({words}, length(rtrim({words}, replace({words}, ' ', ''))) + 1)"
    before = _rest(words, word - 1, position)
    return f"substr({before}, {position}({before}, ' ') + 1)"
