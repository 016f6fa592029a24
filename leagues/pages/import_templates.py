"""The files that people fill in and import, in `static/templates/`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.templatetags.static import static
from django.utils.translation import gettext_lazy as _

TEMPLATES: Final = {
    "singles": _("Two players"),
    "teams": _("Doubles and teams"),
    "free-for-all": _("Free-for-all"),
    "players": _("A list of players"),
}
FORMATS: Final = {"csv": "CSV", "xlsx": "Excel"}


@dataclass(frozen=True, slots=True)
class TemplateFile:
    label: str
    file: str
    url: str


@dataclass(frozen=True, slots=True)
class TemplateRow:
    """The files for one kind of match."""

    title: str
    files: tuple[TemplateFile, ...]


def template_rows() -> Iterator[TemplateRow]:
    """The templates, by the kind of match they are for."""
    for name, title in TEMPLATES.items():
        files = (
            TemplateFile(label, f"{name}.{kind}", static(f"templates/{name}.{kind}"))
            for kind, label in FORMATS.items()
        )
        yield TemplateRow(str(title), tuple(files))
