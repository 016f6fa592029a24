"""The files that people fill in: each is read as it is, as CSV and as a workbook."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.staticfiles import finders

from leagues.pages.import_templates import FORMATS, TEMPLATES
from ratings.files.columns import recognise
from ratings.files.problems import BadRow
from ratings.files.results import read_players
from tests.leagues.imports.sender import Sender
from tests.ratings.files.reading import SAMPLE, TODAY, opened, read, told

MEANS = {
    "singles": ["Ana Ruiz 1 (3) / Bo Lindqvist 2 (1)", "Cy Diaz 1 (2) / Ana Ruiz 1 (2)"],
    "teams": [
        "Ana Ruiz+Cy Diaz 1 (10) / Bo Lindqvist+Di Ek 2 (7)",
        "Ana Ruiz+Di Ek 2 (8) / Bo Lindqvist+Cy Diaz 1 (10)",
    ],
    "free-for-all": [
        "Ana Ruiz 1 (10) / Bo Lindqvist 2 (8) / Cy Diaz 2 (8)",
        "Bo Lindqvist 1 (12) / Ana Ruiz 2 (9)",
    ],
}


def content(name: str, kind: str) -> bytes:
    path = finders.find(f"templates/{name}.{kind}")
    assert path is not None
    return Path(path).read_bytes()


@pytest.mark.parametrize("kind", FORMATS)
def test_the_template_of_players_is_a_list_of_players(kind: str) -> None:
    table = opened(content("players", kind))
    layout = recognise(table.header, table.sample(SAMPLE))
    assert layout.shape == "players"
    rows = list(read_players(table, layout, zone="UTC", today=TODAY))
    told = [
        (row.person.name, row.person.club, row.person.country, row.person.birth_year)
        for row in rows
        if not isinstance(row, BadRow)
    ]
    assert told == [("Ana Ruiz", "SV Nord", "ESP", 1990), ("Bo Lindqvist", "SV Nord", "SWE", None)]


@pytest.mark.parametrize("name", MEANS)
@pytest.mark.parametrize("kind", FORMATS)
def test_a_template_is_read_without_a_question(name: str, kind: str) -> None:
    good, bad = read(content(name, kind))
    assert ([told(one) for one in good], bad) == (MEANS[name], [])
    assert {str(one.played.date()) for one in good} == {"2026-01-05"}


@pytest.mark.django_db
def test_the_page_of_imports_offers_them(kim: Sender) -> None:
    page = kim.page(kim.home)
    for name in TEMPLATES:
        for kind in FORMATS:
            assert f'href="/static/templates/{name}.{kind}" download="{name}.{kind}"' in page
