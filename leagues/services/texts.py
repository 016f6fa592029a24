"""What people may write in their own words, whatever door it comes through.

Names follow the rules for names of players. Longer texts may have more to say, but nothing that a
reader cannot see, that turns the writing round, or that a database refuses.
"""

from __future__ import annotations

import re
import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from ratings.files.names import NAME_LENGTH, NameProblem, clean_name, normalized

REASON_LENGTH = 200
DETAIL_LENGTH = 200
DESCRIPTION_LENGTH = 4096

_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]{1,8}\U000e007f")
# They shape letters and pictures; a text of nothing else is refused as one that shows nothing.
_JOINERS = frozenset("\u200c\u200d")
_BLANK_LOOKING = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_UNSEEN = frozenset(("Cc", "Cf", "Cs", "Co", "Zl", "Zp"))


def clean_label(text: str, *, most: int = NAME_LENGTH) -> str:
    """The name of a league, season, mode, board or token as it is stored.

    Raises ValidationError for one that nobody could read or tell apart.
    """
    try:
        name = clean_name(text)
    except NameProblem as problem:
        raise ValidationError(problem.reason, code="name") from problem
    return _within(name, most)


def clean_text(text: str, *, most: int, lines: bool = False) -> str:
    """A longer text as it is stored: NFC, trimmed; `lines` lets it have more than one.

    Raises ValidationError for characters that are not seen, and for a text that is too long.
    """
    text = text.replace("\r\n", "\n") if lines else text
    cleaned = normalized("NFC", text.strip(" \n" if lines else " "))
    if cleaned.isascii() and cleaned.isprintable():
        return _within(cleaned, most)
    visible = not cleaned
    for character in _FLAG.sub("\U0001f3f4", cleaned):
        category = unicodedata.category(character)
        if character in _JOINERS or (lines and character in "\n\t"):
            continue
        if category in _UNSEEN or character in _BLANK_LOOKING:
            raise ValidationError(
                _("The text contains an invisible character (%(code)s). Remove it."),
                code="control",
                params={"code": f"U+{ord(character):04X}"},
            )
        visible = visible or category[0] in "LNPS"
    if not visible:
        raise ValidationError(_("Enter some visible text."), code="control")
    return _within(cleaned, most)


def _within(text: str, most: int) -> str:
    if len(text) > most:
        raise ValidationError(
            _("Enter at most %(most)d characters; there are %(count)d."),
            code="max_length",
            params={"most": most, "count": len(text)},
        )
    return text
