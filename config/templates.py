"""How template files are read: one element a line for people, without that white space in pages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from django.template.loaders import filesystem

if TYPE_CHECKING:
    from django.template.base import Origin

# White space beside these shows nothing: blocks, parts of tables, and what drawings are made of.
BLOCKS = "|".join(
    (
        *("html", "head", "body", "title", "meta", "link", "script", "noscript"),
        *("main", "header", "footer", "nav", "section", "article", "aside"),
        *("div", "p", "h[1-6]", "hr"),
        *("ul", "ol", "li", "dl", "dt", "dd", "details", "summary", "figure", "figcaption"),
        *("table", "caption", "colgroup", "col", "thead", "tbody", "tfoot", "tr", "th", "td"),
        *("form", "fieldset", "legend", "optgroup", "option"),
        *("svg", "defs", "g", "line", "circle", "rect", "path", "polyline", "polygon", "text"),
    )
)
AFTER_BLOCK = re.compile(rf"(</?(?:{BLOCKS})(?:[ \n][^<>]*)?/?>)\n")
BEFORE_BLOCK = re.compile(rf"\n(?=</?(?:{BLOCKS})[ \n/>])")
AFTER_LOAD = re.compile(r"(\{% (?:load|extends) [^%]*%\})\n")


class Loader(filesystem.Loader):
    """Reads a page's template without the indentation and line breaks that would not show.

    A line break beside text or an inline element is what it is in HTML, a space; in what is
    preformatted nothing changes. Templates are read once, so a page costs nothing for it.
    """

    def get_contents(self, origin: Origin) -> str:
        """The template's text as it is compiled."""
        source = super().get_contents(origin)
        if not origin.name.endswith(".html"):
            return source
        parts = []
        while source:
            layout, opening, source = source.partition("<pre>")
            parts.append(without_layout(layout))
            if opening:
                text, closing, source = source.partition("</pre>")
                parts.append(f"{opening}{text}{closing}")
        return "".join(parts)


def without_layout(source: str) -> str:
    """A part of a template without the line breaks that show nothing."""
    lines = (line.strip() for line in source.splitlines())
    text = "\n".join(line for line in lines if line)
    for pattern, rest in ((AFTER_LOAD, r"\1"), (AFTER_BLOCK, r"\1"), (BEFORE_BLOCK, "")):
        text = pattern.sub(rest, text)
    return text.replace("\n", " ")
