"""Parts of pages say what their templates say, whatever texts they are given."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from leagues import charts
from leagues.pages.leaderboard_rows import AtStake, BoardRow, Change, Columns
from leagues.pages.ratings import Rating
from leagues.templatetags import parts
from leagues.templatetags.parts import render_part, render_rows

TEMPLATES = Path(__file__).parents[2] / "templates"
NASTY = ("", "0", "Ana", "<b>&\"'</b>", "\ue0000\ue001", "\ue002", "{{ row }}", "%(x)s", "é\u202e")

texts = st.sampled_from(NASTY)
flags = st.booleans()
columns = st.builds(Columns, *[flags] * 7)
rows = st.builds(
    BoardRow,
    rank=texts,
    is_shared=flags,
    name=texts,
    url=texts,
    rating=st.builds(Rating, *[texts] * 4),
    rung=st.none() | st.builds(charts.Rung, *[texts] * 5, flags, flags, flags),
    likely=texts,
    results=texts,
    tally=texts,
    form=st.none() | st.builds(charts.Form, *[texts] * 3),
    last=texts,
    change=st.none() | st.builds(Change, texts, texts, flags, flags, flags),
    stake=st.none() | st.builds(AtStake, *[texts] * 3),
    missing=texts,
    is_me=flags,
)


@given(row=rows, columns=columns, edge=st.sampled_from(["", "above", "below"]))
@pytest.mark.parametrize("name", ["leagues/_board_row.html", "leagues/_unranked_row.html"])
def test_a_part_is_what_its_template_writes_of_the_same_values(name, row, columns, edge):
    values = {"row": row, "columns": columns, "edge": edge}
    assert render_part(name, **values) == render_to_string(name, values)


@given(some=st.lists(rows, max_size=5), columns=columns)
def test_rows_are_their_parts_one_behind_the_other(some, columns):
    name = "leagues/_board_row.html"
    assert render_rows(name, some, columns=columns) == "".join(
        render_part(name, row=row, columns=columns) for row in some
    )


def test_markup_stays_markup_and_texts_do_not_become_any():
    value = {"name": mark_safe("<i>"), "url": "<i>", "forget": "", "is_claimed": True}
    written = render_part("leagues/_me.html", picker=value)
    assert "You are <bdi><i></bdi>" in written
    assert 'href="&lt;i&gt;"' not in written
    written = render_part("leagues/_me.html", picker=value | {"name": "<i>"})
    assert "You are <bdi>&lt;i&gt;</bdi>" in written


def test_a_row_is_no_markup_also_where_the_same_text_was_written_before():
    name, held = "leagues/_unranked_row.html", Columns(*[True] * 7)
    blank = BoardRow(
        *("1", False, "<i>", "/", Rating("1", "2", "3", "4"), None, "1", "2", "3"),
        *(None, "now", None, None, "", False),
    )
    assert "&lt;i&gt;" in render_rows(name, [blank], columns=held)
    assert "<i>" not in render_rows(name, [blank._replace(name=mark_safe("<i>"))], columns=held)
    with pytest.raises(TypeError, match="no markup"):
        render_rows(name, [blank._replace(name=mark_safe("<b>"))], columns=held)


def test_what_is_kept_of_a_part_has_none_of_its_texts():
    parts._part.cache_clear()
    row = BoardRow(
        *("17", False, "Zoe Quux", "/quux", Rating("1", "2", "3", "4"), None, "1", "2", "3"),
        *(None, "now", None, None, "", True),
    )
    held = Columns(*[True] * 7)
    render_part("leagues/_board_row.html", row=row, columns=held)
    taken: list[str] = []
    shape = parts._take_texts({"row": row, "columns": held}, taken)
    part = parts._part("leagues/_board_row.html", "en", shape)
    assert parts._part.cache_info().hits == 1
    assert "Zoe Quux" in taken
    assert "uux" not in f"{part}{shape}"


def test_each_language_has_parts_of_its_own():
    parts._part.cache_clear()
    for language in ("en", "de"):
        with override(language):
            render_part("leagues/_me.html", picker={"name": "Ana"})
    assert parts._part.cache_info().misses == 2


def test_a_number_is_refused_as_templates_would_write_it_in_many_ways():
    with pytest.raises(TypeError, match="no int"):
        render_part("leagues/_me.html", picker={"name": 3})


def test_a_class_of_one_text_is_taken_apart_too():
    @dataclass(frozen=True)
    class Named:
        name: str

    assert "You are <bdi>Ana</bdi>" in render_part("leagues/_me.html", picker=Named("Ana"))


def test_templates_of_parts_neither_filter_nor_compare_texts():
    """A gap has no letters: what is asked of a text would be asked of the gap."""
    names = {
        name
        for path in TEMPLATES.rglob("*.html")
        for name in re.findall(r'(?:render_(?:part|rows) |with key=)"([^"]+)"', path.read_text())
    }
    assert len(names) >= 8
    while (
        more := {
            name
            for each in names
            for name in re.findall(r'include "([^"]+)"', (TEMPLATES / each).read_text())
        }
        - names
    ):
        names |= more
    plain = re.compile(r"(?:not |and |or |[\w.]+ ?)+")
    for name in sorted(names):
        text = (TEMPLATES / name).read_text()
        for shown in re.findall(r"\{\{ (.+?) \}\}", text):
            assert re.fullmatch(r"[\w.]+", shown), f"{name}: {shown}"
        for asked in re.findall(r"\{% (?:el)?if (.+?) %\}", text):
            assert plain.fullmatch(asked), f"{name}: {asked}"
        for tag in re.findall(r"\{% (?:with|include|for|blocktranslate|url) (.+?) %\}", text):
            assert "|" not in tag, f"{name}: {tag}"
