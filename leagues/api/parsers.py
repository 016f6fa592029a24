"""Reading bodies: JSON as its standard says, of a bounded size, and nothing else.

What the usual parser lets through is refused here: repeated names, NaN, numbers no column holds,
nesting deep enough to exhaust the stack, text that a database cannot store.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from itertools import accumulate
from typing import IO, Any, Final

from django.utils.translation import gettext as _
from rest_framework.exceptions import APIException, ParseError, UnsupportedMediaType
from rest_framework.parsers import BaseParser

BODY_LIMIT = 256 * 1024
DEPTH_LIMIT = 20
DIGITS_LIMIT = 18

_BUT_BRACKETS = re.compile(r'(?:"(?:[^"\\]++|\\.)*+"?|[^"\[\]{}]++)++', re.DOTALL)
"""Strings, and what else is no bracket. A string takes what follows its first quote and gives
nothing back, also where no quote ends it: so the text is walked once, however it was made."""
_DEPTH: Final = {"[": 1, "{": 1, "]": -1, "}": -1}
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class TooLarge(APIException):
    """The body is over the limit."""

    status_code = 413
    default_code = "too_large"


class StrictJSONParser(BaseParser):
    """Parse `application/json` in UTF-8."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """The body as plain data; ParseError says what is wrong with it."""
        given = parser_context["request"].META if parser_context else {}
        _check_encodings(given.get("HTTP_CONTENT_ENCODING", "identity"), media_type or "")
        if int(given.get("CONTENT_LENGTH") or 0) > BODY_LIMIT:
            raise _too_large()
        body = stream.read(BODY_LIMIT + 1)
        if len(body) > BODY_LIMIT:
            raise _too_large()
        return parse_json(body)


def parse_json(body: bytes) -> Any:
    """What strict JSON says."""
    try:
        text = body.decode("utf-8")
        _check_depth(text)
        data = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_float=_float,
            parse_constant=_constant,
        )
        if "\\u" in text:
            # UTF-8 has no halves of characters and JSON no bare NUL, so only escapes bring them.
            _check_texts(data)
        return data
    except ValueError as error:
        # A UnicodeDecodeError would show the bytes.
        said = str(error) if type(error) is not UnicodeDecodeError else _("It is not UTF-8.")
        raise ParseError(_("This is not valid JSON: %(reason)s") % {"reason": said}) from error


def _check_encodings(encoding: str, media_type: str) -> None:
    if encoding != "identity":
        raise UnsupportedMediaType(media_type, _("Send the body uncompressed."))
    for part in media_type.split(";")[1:]:
        name, _equals, value = part.strip().partition("=")
        if name.lower() == "charset" and value.strip('"').lower() != "utf-8":
            raise UnsupportedMediaType(media_type, _("Send JSON in UTF-8."))


def _too_large() -> TooLarge:
    return TooLarge(_("The body must be at most %(most)d bytes long.") % {"most": BODY_LIMIT})


def _check_depth(text: str) -> None:
    depths = accumulate(map(_DEPTH.__getitem__, _BUT_BRACKETS.sub("", text)))
    if max(depths, default=0) > DEPTH_LIMIT:
        raise ValueError(_("It is nested too deeply."))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError(_("An object contains the same name twice."))
    return found


def _check_texts(value: Any) -> None:
    if isinstance(value, str):
        if _UNSTORABLE.search(value):
            raise ValueError(_("A string contains a character that cannot be stored."))
    elif isinstance(value, list):
        for entry in value:
            _check_texts(entry)
    elif isinstance(value, dict):
        for name, entry in value.items():
            _check_texts(name)
            _check_texts(entry)


def _integer(text: str) -> int:
    if len(text.lstrip("-")) > DIGITS_LIMIT:
        raise ValueError(_("A number has too many digits."))
    return int(text)


def _float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(_("A number is too large."))
    return value + 0.0


def _constant(text: str) -> float:
    raise ValueError(_("%(text)s is not a number.") % {"text": text})
