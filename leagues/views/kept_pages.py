"""Pages that visitors see alike: kept by a process until the rows behind them change.

The name of a kept page is its ETag, which is derived from all rows that the page was made of. Who
may see the league is asked before a page is looked for. Nothing is kept of a page that shows
anything of the one who asked: of somebody signed in, who has said who they are, who has chosen a
theme or to hide ratings, who was here before, or who is left a message.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from threading import Lock

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control, patch_vary_headers

from leagues.store.memory import Memory
from leagues.views.common import LOOK_COOKIE
from leagues.views.me import COOKIE as ME_COOKIE
from leagues.views.me import HIDE_COOKIE

MAX_BYTES = 16 * 1024 * 1024
"""Some two thousand pages."""
PERSONAL_COOKIES = frozenset(
    (settings.SESSION_COOKIE_NAME, CookieStorage.cookie_name, ME_COOKIE, HIDE_COOKIE, LOOK_COOKIE)
)
SENT_ALONG = ("Content-Type", "HX-Push-Url")


@dataclass(frozen=True, slots=True)
class KeptPage:
    """An answer's body, compressed, and those of its headers that belong to the body."""

    compressed: bytes
    headers: dict[str, str]


_pages: Memory[KeptPage] = Memory(MAX_BYTES)


_making = tuple(Lock() for _ in range(64))


@contextmanager
def made_once(etag: str) -> Iterator[None]:
    """Let nobody else make this page meanwhile; who waited finds it kept."""
    with _making[hash(etag) % len(_making)] if etag else nullcontext():
        yield


def is_shared(request: HttpRequest) -> bool:
    """Whether the one who asks sees what everybody sees who has no cookies."""
    return PERSONAL_COOKIES.isdisjoint(request.COOKIES)


def kept_page(request: HttpRequest, etag: str) -> HttpResponse | None:
    """The page of that ETag as an answer, if it is kept."""
    page = _pages.get(etag)
    return None if page is None else _answer(request, page, etag)


def keep_page(request: HttpRequest, response: HttpResponse, etag: str) -> HttpResponse:
    """Keep a page that was made for somebody like any other, and return it as it is sent."""
    # Nothing may be kept that has the secret of a form or a cookie in it.
    if request.META.get("CSRF_COOKIE_NEEDS_UPDATE") or response.cookies:
        return response
    headers = {name: response.headers[name] for name in SENT_ALONG if name in response.headers}
    # As it has no secrets, nobody learns any from how well it can be compressed.
    page = KeptPage(gzip.compress(response.content, compresslevel=5, mtime=0), headers)
    _pages.put(etag, page, len(page.compressed))
    return _answer(request, page, etag)


def _answer(request: HttpRequest, page: KeptPage, etag: str) -> HttpResponse:
    accepted = request.headers.get("Accept-Encoding", "").split(",")
    is_compressed = "gzip" in {coding.partition(";")[0].strip() for coding in accepted}
    body = page.compressed if is_compressed else gzip.decompress(page.compressed)
    response = HttpResponse(body, headers=page.headers)
    response.headers["ETag"] = etag
    if is_compressed:
        response.headers["Content-Encoding"] = "gzip"
    patch_vary_headers(response, ("Accept-Encoding",))
    patch_cache_control(response, no_cache=True)
    return response
