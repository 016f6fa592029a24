"""Every route of the site, as the URL configuration has it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver


@dataclass(frozen=True)
class Route:
    """A name that can be reversed, the words that its path needs, and what answers."""

    name: str
    words: frozenset[str]
    view: Any

    @property
    def is_admin(self) -> bool:
        """Whether the route belongs to the admin of the framework, which guards itself."""
        return self.name.startswith("admin:")

    @property
    def is_api(self) -> bool:
        return self.name.startswith("api:")


def all_routes() -> Iterator[Route]:
    """Yield every route, the admin's among them."""
    yield from _routes(get_resolver().url_patterns, (), frozenset())


def own_routes() -> Iterator[Route]:
    """Yield the routes of this project's own views."""
    return (route for route in all_routes() if not route.is_admin)


def _routes(patterns: list[Any], spaces: tuple[str, ...], words: frozenset[str]) -> Iterator[Route]:
    for entry in patterns:
        inner_words = words | entry.pattern.regex.groupindex.keys()
        if isinstance(entry, URLResolver):
            inner = (*spaces, entry.namespace) if entry.namespace else spaces
            yield from _routes(entry.url_patterns, inner, inner_words)
        elif isinstance(entry, URLPattern):
            name = ":".join((*spaces, entry.name or f"nameless {entry.pattern}"))
            yield Route(name, inner_words, entry.callback)
