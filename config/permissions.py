"""The API's permission where a view forgot to name one: nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.permissions import BasePermission

if TYPE_CHECKING:
    from rest_framework.request import Request

    # Only for types: `rest_framework.views` loads this module while it is being loaded.
    from rest_framework.views import APIView


class Nobody(BasePermission):
    """Refuse everybody."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Answer no."""
        return False
