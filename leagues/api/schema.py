"""The API described for programs: OpenAPI 3, made from the views."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.settings import patched_settings
from drf_spectacular.utils import OpenApiResponse, inline_serializer
from rest_framework import serializers

from leagues.api.match_shapes import ConflictShape
from leagues.api.problems import CONTENT_TYPE
from leagues.api.shapes import ProblemShape

DESCRIPTION = (
    "Anyone can read public leagues; other leagues need a league token or a session. To send "
    "results with a token, it needs the scope “results”. Every refusal is a problem object."
)

SETTINGS = {
    "DESCRIPTION": DESCRIPTION,
    "COMPONENT_SPLIT_PATCH": False,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "POSTPROCESSING_HOOKS": ["leagues.api.schema.without_marks"],
}


def described(description: str, shape: type[serializers.Serializer[Any]]) -> Any:
    """An answer as the schema tells it."""
    return OpenApiResponse(shape, description=description)


def refusal(description: str, shape: type[serializers.Serializer[Any]] = ProblemShape) -> Any:
    """A refusal as the schema tells it."""
    return described(description, shape)


PART_OF_NAME = (
    "Letters of the name, accents left out; in a league of more than 10,000 players those with "
    "which one of its first three words or its last begins."
)

READ_PROBLEMS = {
    (400, CONTENT_TYPE): refusal("The address is not valid."),
    (401, CONTENT_TYPE): refusal("The token is not valid."),
    (404, CONTENT_TYPE): refusal("Not found, or not visible to the caller."),
    (429, CONTENT_TYPE): refusal("Too many requests; Retry-After says when to try again."),
}
WRITE_PROBLEMS = {
    **READ_PROBLEMS,
    (400, CONTENT_TYPE): refusal("The body is not valid."),
    (403, CONTENT_TYPE): refusal("The caller may not do this."),
    (409, CONTENT_TYPE): refusal(
        "The season does not accept results, or something has changed since."
    ),
    (413, CONTENT_TYPE): refusal("The body is too large."),
    (415, CONTENT_TYPE): refusal("The body is not JSON in UTF-8."),
    (422, CONTENT_TYPE): refusal("The data in the body is not valid."),
}
UNREADY = {
    (503, CONTENT_TYPE): refusal(
        "The answer is being prepared; Retry-After says when to ask again."
    )
}
CONFLICT = {
    (409, CONTENT_TYPE): refusal(
        "The season does not accept results, or the version is not the stored one.", ConflictShape
    )
}


def page_shape(shape: type[serializers.Serializer[Any]]) -> Any:
    """The shape of a page of a list."""
    return inline_serializer(
        f"{shape.__name__.removesuffix('Shape')}Page",
        {
            "results": shape(many=True),
            "next": serializers.URLField(
                allow_null=True, help_text="Address of the next page; null on the last page."
            ),
        },
    )


class ApiSchema(AutoSchema):
    """The description of a view, its shapes under names for readers."""

    def get_serializer_name(
        self, serializer: serializers.Serializer[Any], direction: Literal["request", "response"]
    ) -> str:
        """The name of a component."""
        name = super().get_serializer_name(serializer, direction)
        return name.removesuffix("Shape")


class TokenScheme(OpenApiAuthenticationExtension):
    """The league token, as the schema tells it."""

    target_class = "leagues.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """The scheme of RFC 6750."""
        return {"type": "http", "scheme": "bearer", "bearerFormat": "rungs_…"}


@lru_cache(maxsize=1)
def api_schema() -> dict[str, Any]:
    """The whole description; it says nothing about any league."""
    with patched_settings(SETTINGS):
        schema: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return schema


def without_marks(result: Any, **_context: Any) -> Any:
    """Leave choices where they are used, without the generator's own marks."""
    if isinstance(result, dict):
        kept = {name: value for name, value in result.items() if name != "x-spec-enum-id"}
        return {name: without_marks(value) for name, value in kept.items()}
    return [without_marks(value) for value in result] if isinstance(result, list) else result
