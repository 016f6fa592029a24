"""Filters of long lists: what is looked for is typed, never chosen from all there is."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from typing import Any

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from leagues.forms.fields import DayField


class TypedFilter(admin.SimpleListFilter):
    """A filter with a field to type into."""

    template = "admin/leagues/typed_filter.html"
    input_type = "text"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("", "")]

    def choices(self, changelist: Any) -> Iterator[dict[str, Any]]:
        params = {
            name: values[-1]
            for name, values in changelist.filter_params.items()
            if name != self.parameter_name and values
        }
        yield {
            "name": self.parameter_name,
            "value": self.value() or "",
            "type": self.input_type,
            "others": [*params.items(), ("q", changelist.query)],
            "without": changelist.get_query_string(remove=[self.parameter_name]),
        }

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        typed = (self.value() or "").strip()
        if not typed:
            return queryset
        # PostgreSQL refuses to look for a NUL instead of not finding it.
        return queryset.none() if "\x00" in typed else self.found(queryset, typed)

    def found(self, queryset: QuerySet[Any], typed: str) -> QuerySet[Any]:
        """Return the rows that were asked for."""
        raise NotImplementedError


def typed(title: Any, parameter: str, condition: Callable[[str], Q]) -> type[TypedFilter]:
    """Return a filter of what is typed; `condition` turns it into a question to the database."""

    class Typed(TypedFilter):
        parameter_name = parameter

        def found(self, queryset: QuerySet[Any], typed: str) -> QuerySet[Any]:
            return queryset.filter(condition(typed))

    Typed.title = title
    return Typed


def days(column: str) -> tuple[type[TypedFilter], type[TypedFilter]]:
    """Return the two filters of a range of days (UTC) of an instant."""

    class Since(_DayFilter):
        title = _("first day (UTC)")
        parameter_name = "since"

        def found(self, queryset: QuerySet[Any], typed: str) -> QuerySet[Any]:
            return queryset.filter(**{f"{column}__gte": self.instant(typed)})

    class Until(_DayFilter):
        title = _("last day (UTC)")
        parameter_name = "until"

        def found(self, queryset: QuerySet[Any], typed: str) -> QuerySet[Any]:
            end = self.instant(typed) + dt.timedelta(days=1)
            return queryset.filter(**{f"{column}__lt": end})

    return Since, Until


class _DayFilter(TypedFilter):
    input_type = "date"

    def instant(self, typed: str) -> dt.datetime:
        try:
            on = DayField().clean(typed)
        except ValidationError as error:
            raise IncorrectLookupParameters(error) from error
        return dt.datetime(on.year, on.month, on.day, tzinfo=dt.UTC)


def chosen(
    title: Any, parameter: str, choices: Callable[[], list[tuple[str, str]]]
) -> type[admin.SimpleListFilter]:
    """Return a filter of a column's known words, without asking the table which there are."""

    class Chosen(admin.SimpleListFilter):
        parameter_name = parameter

        def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
            return choices()

        def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
            known = {word for word, _label in choices()}
            value = self.value()
            return queryset.filter(**{parameter: value}) if value in known else queryset

    Chosen.title = title
    return Chosen


LeagueFilter = typed(_("address of the league"), "in", lambda word: Q(league__slug=word))
