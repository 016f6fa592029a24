"""Seasons: the state of each with its seal, and the steps of its life."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from leagues import access
from leagues.access import Action
from leagues.accounts.confirmation import password_form
from leagues.api.bodies import StepBody
from leagues.api.schema import READ_PROBLEMS, WRITE_PROBLEMS
from leagues.api.shapes import DryRunShape, SeasonDetailShape
from leagues.api.views.base import ApiView, choice, read
from leagues.models import Season
from leagues.services.seasons import REQUIRES_PASSWORD, Step, dry_run, take_step


class SeasonDetail(ApiView):
    @extend_schema(operation_id="seasons_get", responses={200: SeasonDetailShape, **READ_PROBLEMS})
    def get(self, request: Request, slug: str, season: str) -> Response:
        """A season: its state, what was carried over into it, and its seal."""
        league = access.league(request, slug, Action.VIEW)
        return Response(_shape(access.season(request, league, season)))


class SeasonSteps(ApiView):
    query = (
        OpenApiParameter(
            "step", str, required=True, enum=list(Step.values), description="The step to preview."
        ),
    )

    @extend_schema(
        operation_id="season_steps_try",
        parameters=list(query),
        responses={200: DryRunShape, **READ_PROBLEMS},
    )
    def get(self, request: Request, slug: str, season: str) -> Response:
        """What a step would do, in sentences, and what prevents it."""
        league = access.league(request, slug, Action.SETTINGS)
        found = access.season(request, league, season)
        step = Step(choice(request, "step", tuple(Step.values)))
        run = dry_run(found, step, timezone.now())
        told = {"step": step.value, "lines": run.lines, "problems": run.problems}
        return Response(DryRunShape(told).data)

    @extend_schema(
        operation_id="season_steps_take",
        request=StepBody,
        responses={200: SeasonDetailShape, **WRITE_PROBLEMS},
    )
    def post(self, request: Request, slug: str, season: str) -> Response:
        """Take a step. Sealing runs in the background; until it is done the season is closing.

        To seal and to reopen, the password must have been given within the last hour.
        """
        league = access.league(request, slug, Action.SETTINGS)
        found = access.season(request, league, season)
        body = read(request, StepBody)
        step = Step(body["step"])
        if not access.is_allowed(access.principal_of(request), step.right, league):
            raise PermissionDenied
        if step in REQUIRES_PASSWORD and password_form(request._request) is not None:
            raise PermissionDenied
        taken = take_step(
            found,
            step,
            actor=access.signed_in(request),
            now=timezone.now(),
            reason=body["reason"],
        )
        return Response(_shape(taken))


def _shape(season: Season) -> dict[str, object]:
    told: dict[str, object] = SeasonDetailShape(season).data
    return told
