"""What a proxy or a watchman asks: is the process alive, and can it work?"""

from __future__ import annotations

from django.db import Error, connection
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from leagues.store.outages import RETRY_SECONDS


@never_cache
@require_safe
def live(request: HttpRequest) -> HttpResponse:
    """Answer, whatever else does not."""
    return HttpResponse("alive\n", content_type="text/plain")


@never_cache
@require_safe
def ready(request: HttpRequest) -> HttpResponse:
    """Answer 200 if the database answers, else 503."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error:
        return HttpResponse(
            "the database is not responding\n",
            status=503,
            content_type="text/plain",
            headers={"Retry-After": str(RETRY_SECONDS)},
        )
    return HttpResponse("ready\n", content_type="text/plain")
