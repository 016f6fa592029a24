"""The rules of a board, with every version there was."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from leagues import access
from leagues.access import Action
from leagues.api.schema import READ_PROBLEMS
from leagues.api.shapes import RulesShape
from leagues.api.views.base import ApiView
from leagues.services.rules import rules_of
from leagues.store.snapshot import snapshot


class BoardRulesList(ApiView):
    @extend_schema(operation_id="rules_list", responses={200: RulesShape, **READ_PROBLEMS})
    def get(self, request: Request, slug: str, season: str, board: str) -> Response:
        """List the versions of a board's rules: each match is rated by the rules of its time."""
        league = access.league(request, slug, Action.VIEW)
        with snapshot():
            found = access.board(access.season(request, league, season), board)
            versions = rules_of(found)
        told = {
            "board": found.slug,
            "system": found.system,
            "versions": [
                {
                    "number": version.number,
                    "effective_at": version.effective_at,
                    "in_force": not version.is_replaced,
                    "parameters": version.parameters,
                    "reason": version.reason,
                    "created_at": version.created_at,
                }
                for version in versions
            ],
        }
        return Response(RulesShape(told).data)
