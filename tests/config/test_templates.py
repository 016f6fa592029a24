"""Pages are sent without the layout of their templates, and show what they would with it."""

from __future__ import annotations

import pytest
from django.template import Context, Template

from config.templates import without_layout


@pytest.mark.parametrize(
    ("source", "sent"),
    [
        ("<ul>\n  <li>\n    Ana\n  </li>\n</ul>", "<ul><li>Ana</li></ul>"),
        ("<p>\n  <a href='x'>Ana</a>\n  beat Bo\n</p>", "<p><a href='x'>Ana</a> beat Bo</p>"),
        ("<svg\n    class='wide'>\n  <g/>\n</svg>", "<svg class='wide'><g/></svg>"),
        ("{% load i18n %}\nAna", "{% load i18n %}Ana"),
        ("Ana <b>beat</b> Bo", "Ana <b>beat</b> Bo"),
    ],
)
def test_only_line_breaks_that_show_nothing_are_left_out(source, sent):
    assert without_layout(source) == sent


def test_what_is_translated_is_the_same_however_its_lines_are_broken():
    source = (
        "{% load i18n %}\n{% blocktranslate trimmed %}\n  Ana\n  beat Bo\n{% endblocktranslate %}"
    )
    assert Template(without_layout(source)).render(Context()) == "Ana beat Bo"
    assert Template(source).render(Context()).strip() == "Ana beat Bo"
