"""What can be wrong with a results file, in plain words."""

from __future__ import annotations

from dataclasses import dataclass

SHOWN_LENGTH = 80


def shown(text: str, length: int = SHOWN_LENGTH) -> str:
    """Return text safe to print in a report: one line, nothing invisible, `length` at most."""
    if len(text) <= length and text.isprintable():
        return text
    visible = "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii")
        for char in text[: length + 1]
    )
    return visible if len(visible) <= length else visible[: length - 1] + "…"


@dataclass(frozen=True, slots=True)
class BadRow:
    """One row that cannot be read as a match; `reason` is a sentence.

    Of a winner who is nobody in the row, `choices` are those who may be meant: identity and name.
    `about` has the date and the players of a row with a match, as the file writes them. `code` is
    that of the same problem in a form or a call of the API; what only files have has none.
    """

    line: int
    column: str
    value: str
    reason: str
    choices: tuple[tuple[str, str], ...] = ()
    about: str = ""
    code: str = ""


class FileProblem(Exception):
    """The file as a whole cannot be read; the only exception these modules let out.

    `line` is 0 where the problem has no line.
    """

    def __init__(self, reason: str, *, line: int = 0, column: str = "", value: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line
        self.column = shown(column)
        self.value = shown(value)

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}" if self.line else self.reason


class CellProblem(Exception):
    """One cell is not what its column promises; carries the cell's text and a sentence."""

    def __init__(
        self,
        reason: str,
        value: str = "",
        column: int | None = None,
        choices: tuple[tuple[str, str], ...] = (),
        *,
        code: str = "",
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.code = code
        self.value = value
        self.column = column
        self.choices = choices


class LineProblem(Exception):
    """One line of written results cannot be read; `code` names the kind, `reason` is a sentence."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason
