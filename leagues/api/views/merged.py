"""Addresses of players who were merged into others: they lead on, as those of the pages do."""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from leagues import access
from leagues.access import Action
from leagues.api.schema import described
from leagues.api.shapes import Shape

FOUND = 302
"""Not for good: a merge can be undone."""


class MergedPlayerShape(Shape):
    """The player into whom the one at this address was merged."""

    key = serializers.CharField()
    url = serializers.URLField(help_text="The same address for that player; also in Location.")


MERGED = {
    FOUND: described(
        "This player was merged into another one, to whom Location leads.", MergedPlayerShape
    )
}


def lead_on(request: Request, slug: str, key: str, route: str) -> Response:
    """Lead to the same address for the one who is left; 404 where nobody was merged."""
    _former, player = access.merged_player(request, slug, key, Action.VIEW)
    url = reverse(f"api:{route}", args=[slug, player.key], request=request)
    query = request.META.get("QUERY_STRING", "")
    address = f"{url}?{query}" if query else url
    return Response({"key": player.key, "url": address}, FOUND, headers={"Location": address})
