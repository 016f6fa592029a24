"""Long lists in pages: each page continues behind the last row of the one before.

A place in a list is signed together with the list it belongs to, so that nobody can invent one
or take it elsewhere.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Any, TypeVar

from django.core import signing
from django.core.exceptions import ValidationError
from django.db.models import Model, Q, QuerySet
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from leagues.api.problems import Invalid

PAGE_SIZE = 50
MOST_ROWS = 200

PAGING = (
    OpenApiParameter("after", str, description="Where the page starts; taken from `next`."),
    OpenApiParameter("page_size", int, description=f"Rows per page, at most {MOST_ROWS}."),
)

Row = TypeVar("Row", bound=Model)


def page_of(
    request: Request, rows: QuerySet[Row], order: tuple[str, ...]
) -> tuple[list[Row], str | None]:
    """A page of rows and the address of the next one.

    `order` names columns, of the rows or of what they point at, that together are unique and
    never null.
    """
    place = given_place(request, len(order))
    if place is not None:
        rows = rows.filter(_behind(rows.model, order, place))
    size = page_size(request)
    found = list(rows.order_by(*order)[: size + 1])
    if len(found) <= size:
        return found, None
    last = found[size - 1]
    values = [_plain(attrgetter(name.lstrip("-").replace("__", "."))(last)) for name in order]
    return found[:size], next_address(request, values)


def given_place(request: Request, length: int) -> list[Any] | None:
    """The place behind which a page begins, if the caller names one of this list."""
    place = request.query_params.get("after")
    return None if place is None else _opened(request, place, length)


def page_size(request: Request) -> int:
    """How many rows the caller wants."""
    given = request.query_params.get("page_size", str(PAGE_SIZE))
    if not (given.isascii() and given.isdigit() and len(given) < 10 and int(given)):
        raise Invalid("page_size", _("This must be a whole number of at least 1."))
    return min(int(given), MOST_ROWS)


def _behind(model: type[Model], order: tuple[str, ...], values: list[Any]) -> Q:
    """What is true of the rows behind one with these values, in lexical order."""
    behind = Q()
    for name, given in zip(reversed(order), reversed(values), strict=True):
        column = name.lstrip("-")
        try:
            value = _field(model, column).to_python(given)
        except ValidationError as error:
            raise _no_place() from error
        further = Q(**{f"{column}__{'lt' if name.startswith('-') else 'gt'}": value})
        behind = further | (Q(**{column: value}) & behind) if behind else further
    return behind


def _field(model: type[Model], path: str) -> Any:
    """The field at a path such as `player__key`."""
    first, _dots, rest = path.partition("__")
    field: Any = model._meta.get_field(first)
    return _field(field.related_model, rest) if rest else field


def _salt(request: Request) -> str:
    kept = sorted((name, value) for name, value in _parameters(request) if name != "page_size")
    return f"page of {request.path}?{urlencode(kept)}"


def _parameters(request: Request) -> list[tuple[str, str]]:
    given = request.query_params.dict()
    return [(name, str(value)) for name, value in given.items() if name != "after"]


def _opened(request: Request, place: str, length: int) -> list[Any]:
    try:
        values = signing.loads(place, salt=_salt(request))
    except signing.BadSignature as error:
        raise _no_place() from error
    if not isinstance(values, list) or len(values) != length:
        raise _no_place()
    return values


def _no_place() -> Invalid:
    return Invalid("after", _("This cursor is not valid. Start again without it."))


def next_address(request: Request, values: list[Any]) -> str:
    """The address of the page behind a place."""
    place = signing.dumps(values, salt=_salt(request))
    query = urlencode([*_parameters(request), ("after", place)])
    return request.build_absolute_uri(f"{request.path}?{query}")


def _plain(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value
