"""Style sheets: pages use what these say, and link those alone whose rules they need."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = ROOT / "templates"
SHEETS = {path.name: path for path in sorted((ROOT / "static/css").glob("*.css"))}
ON_EVERY_PAGE = "rungs.css"
OF_THE_ADMIN = "admin.css"
OF_DJANGO = {"errorlist", "historylink", "inline-group", "viewsitelink"}
"""Classes that Django's own templates of the admin have."""

CLASS = re.compile(r"\.([a-zA-Z][\w-]*)")
PART = re.compile(r'{% (?:include|extends|render_part|render_rows) "([^"#]+)')
LINK = re.compile(r"{% static 'css/([\w.]+)' %}")
WORDS = re.compile(r'class="([^"]*)"')
TAG = re.compile(r"{%.*?%}|{{.*?}}", re.DOTALL)


def rules_of(sheet: str) -> list[tuple[str, str]]:
    """What each rule of a sheet stands in, such as a layer and a width, and its selectors."""
    text = re.sub(r"/\*.*?\*/", "", SHEETS[sheet].read_text(), flags=re.DOTALL)
    around: list[str] = []
    rules = []
    for prelude, brace in re.findall(r"([^{}]*)([{}])", text):
        if brace == "}":
            around.pop()
            continue
        words = " ".join(prelude.rpartition(";")[2].split())
        if not words.startswith("@"):
            rules.append((" ".join(around), words))
        around.append(words)
    return rules


def leading_classes(sheet: str) -> set[str]:
    """The first class of each selector: where it is not on a page, the rule says nothing there."""
    selectors = (one for _around, words in rules_of(sheet) for one in words.split(","))
    return {found[1] for one in selectors if (found := CLASS.search(one))}


@cache
def parts_of(page: str) -> dict[str, str]:
    """The text of each of our templates that a page consists of; some include themselves."""
    parts: dict[str, str] = {}
    waiting = [page]
    while waiting:
        name = waiting.pop()
        path = TEMPLATES / name
        if name not in parts and path.exists():
            parts[name] = path.read_text()
            waiting += PART.findall(parts[name])
    return parts


def classes_of(page: str) -> set[str]:
    texts = (TAG.sub(" ", text) for text in parts_of(page).values())
    return {word for text in texts for words in WORDS.findall(text) for word in words.split()}


def site_pages() -> list[str]:
    names = (str(path.relative_to(TEMPLATES)) for path in TEMPLATES.rglob("*.html"))
    return sorted(name for name in names if name != "base.html" and "base.html" in parts_of(name))


@pytest.mark.parametrize("sheet", SHEETS)
def test_every_class_of_a_sheet_is_used(sheet: str) -> None:
    places = [*TEMPLATES.rglob("*.*"), *ROOT.glob("static/js/*.js"), *ROOT.glob("leagues/**/*.py")]
    words = {word for path in places for word in re.findall(r"[\w-]+", path.read_text())}
    styled = {name for _around, rule in rules_of(sheet) for name in CLASS.findall(rule)}
    assert styled - words - OF_DJANGO == set()


@pytest.mark.parametrize("sheet", SHEETS)
def test_no_rule_of_a_sheet_is_written_in_two_places(sheet: str) -> None:
    assert [rule for rule, count in Counter(rules_of(sheet)).items() if count > 1] == []


@pytest.mark.parametrize("sheet", sorted({*SHEETS} - {ON_EVERY_PAGE, OF_THE_ADMIN}))
def test_pages_link_a_sheet_where_they_use_it_and_nowhere_else(sheet: str) -> None:
    own = leading_classes(sheet) - leading_classes(ON_EVERY_PAGE)
    pages = site_pages()
    users = [name for name in pages if own & classes_of(name)]
    links = [name for name in pages if sheet in LINK.findall("".join(parts_of(name).values()))]
    assert users == links
    assert users
