"""Limits of pages: too much is answered in words, with when to come back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache, wraps
from tempfile import SpooledTemporaryFile
from typing import Any
from wsgiref.util import FileWrapper

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from leagues import wording
from leagues.limits.lines import DOWNLOADS, MEMBERS, VISITORS, Line, Pass
from leagues.limits.throttle import Limit, Share, by_address, use_all
from leagues.store.outages import RETRY_SECONDS
from leagues.views.common import wants_fragment

View = Callable[..., HttpResponseBase]

SEARCHES = Limit("search", uses=300, seconds=60)
SLOW_PAGES = Limit("slow", uses=300, seconds=60)
FILES = Limit("file", uses=30, seconds=60)
ENTRIES = Limit("entry", uses=60, seconds=60)
"""A club night of thirty results passes at once."""
MEMORY_BYTES = 256 * 1024
"""What a file that is about to be sent may take of the memory; the rest is on disk."""


def address_of(request: HttpRequest) -> str:
    """The address that a visitor counts as; proxies are settled by the middleware."""
    return str(request.META.get("REMOTE_ADDR", ""))


def shares_of(request: HttpRequest, limit: Limit) -> tuple[Share, ...]:
    """The shares of whoever is signed in, or else of the address."""
    if request.user.is_authenticated:
        return ((limit, f"user:{request.user.pk}"),)
    return by_address(limit, address_of(request))


def limit_requests(
    limit: Limit, *, parameter: str = "", method: str = ""
) -> Callable[[View], View]:
    """Count a page's requests: all, or those with this parameter or of this method."""

    def decorate(view: View) -> View:
        @wraps(view)
        def counted(request: HttpRequest, *args: object, **words: object) -> HttpResponseBase:
            is_counted = request.GET.get(parameter) if parameter else True
            if is_counted and method in ("", request.method):
                wait = use_all(*shares_of(request, limit))
                if wait:
                    return too_many(request, wait)
            return view(request, *args, **words)

        return counted

    return decorate


def slow(view: View) -> View:
    """Let a page that is slow to compute be computed by few at once."""

    @wraps(view)
    def in_line(request: HttpRequest, *args: object, **words: object) -> HttpResponseBase:
        shares = shares_of(request, SLOW_PAGES)
        wait = use_all(*shares)
        if wait:
            return too_many(request, wait)
        turn = line_of(request).enter(shares[0][1])
        if turn is None:
            return busy(request)
        try:
            return view(request, *args, **words)
        finally:
            turn.end()

    return in_line


def line_of(request: HttpRequest) -> Line:
    """The line in which the visitor has to wait."""
    return MEMBERS if request.user.is_authenticated else VISITORS


class Download(StreamingHttpResponse):
    """A file that is read as a whole before any of it is sent, so that an outage is still a 503.

    Its turn is over when the sending is.
    """

    turn: Pass | None = None

    def __init__(self, pieces: Iterable[str | bytes], **words: Any) -> None:
        file = SpooledTemporaryFile(MEMORY_BYTES)  # noqa: SIM115 - open until it is sent
        try:
            file.writelines(piece.encode() if isinstance(piece, str) else piece for piece in pieces)
            file.seek(0)
        except BaseException:
            file.close()
            raise
        super().__init__(FileWrapper(file, MEMORY_BYTES), **words)

    def close(self) -> None:
        """End the turn, also where the visitor went away."""
        try:
            super().close()
        finally:
            if self.turn is not None:
                self.turn.end()


def download(view: View) -> View:
    """Count files, and send few at once; the view returns a Download."""

    @wraps(view)
    def sent(request: HttpRequest, *args: object, **words: object) -> HttpResponseBase:
        shares = shares_of(request, FILES)
        wait = use_all(*shares)
        if wait:
            return too_many(request, wait)
        turn = DOWNLOADS.enter(shares[0][1])
        if turn is None:
            return busy(request)
        try:
            response = view(request, *args, **words)
        except BaseException:
            turn.end()
            raise
        if isinstance(response, Download):
            response.turn = turn
        else:
            turn.end()
        return response

    return sent


def too_many(request: HttpRequest, seconds: int) -> HttpResponse:
    """Answer 429, in words and in the header."""
    words = _("Try again in %(wait)s. Nothing is lost.") % {"wait": wording.waiting_time(seconds)}
    return _refusal(request, 429, _("Too many requests"), words, seconds)


def busy(request: HttpRequest) -> HttpResponse:
    """Answer 503 to who found a line full; the page comes back by itself."""
    words = _("Many people are asking for this page. It will reload automatically.")
    return _refusal(request, 503, _("One moment"), words, RETRY_SECONDS)


def _refusal(
    request: HttpRequest, status: int, title: str, words: str, seconds: int
) -> HttpResponse:
    """Answer as cheaply as can be: whoever asks too much must not keep the server busy with it."""
    if wants_fragment(request):
        kind, content = "text/plain", f"{title}. {words}"
    else:
        kind, content = "text/html", _page(get_language() or "", status, title, words, seconds)
    response = HttpResponse(content, status=status, content_type=f"{kind}; charset=utf-8")
    response.headers["Retry-After"] = str(seconds)
    response.headers["Cache-Control"] = "no-store"
    # Each refusal would be a line of the log, and a crowd would fill the disk with them.
    response._has_been_logged = True  # type: ignore[attr-defined]
    return response


@lru_cache(maxsize=128)
def _page(language: str, status: int, title: str, words: str, seconds: int) -> str:
    context = {
        "language": language,
        "status": status,
        "title": title,
        "text": words,
        "comes_back": seconds if status == 503 else 0,
    }
    return render_to_string("plain.html", context)
