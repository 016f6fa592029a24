"""The description of the API, for programs and for people, and what is not in it."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from leagues.api.reference import api_reference
from leagues.api.schema import api_schema
from leagues.api.views.base import ApiView

OPENAPI = "application/vnd.oai.openapi+json"


@extend_schema(exclude=True)
class Schema(ApiView):
    def get(self, request: Request) -> Response:
        """The OpenAPI description."""
        return Response(api_schema(), content_type=OPENAPI)


@require_safe
def reference(request: HttpRequest) -> HttpResponse:
    """Show the description as a page, without any script."""
    base = request.build_absolute_uri(reverse("api:leagues")).removesuffix("leagues/")
    today = timezone.now().date().isoformat()
    context = {"reference": api_reference(), "base": base, "today": today}
    return render(request, "api/reference.html", context)


@extend_schema(exclude=True)
class Missing(ApiView):
    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Answer every method alike: there is nothing here."""
        super().initial(request, *args, **kwargs)
        raise Http404
