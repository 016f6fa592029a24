"""Filters of long lists: what is looked for is typed, never chosen from all there is."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from leagues.forms.fields import DayField

if TYPE_CHECKING:
    OfAdmin = admin.ModelAdmin[Any]
else:
    OfAdmin = object


class OfferedLookupsMixin(OfAdmin):
    """Answers only the questions that a list's own filters ask (reliability B-60).

    Django would hand every field of an address to the database, which breaks off at a number that
    no column can hold, or at words for bytes.
    """

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        # PostgreSQL refuses to look for a NUL; typed filters find nothing then, by themselves.
        is_typed = "__" not in lookup
        return lookup in self.offered_lookups() and (is_typed or "\x00" not in value)

    def offered_lookups(self) -> set[str]:
        """The parameters of the filters beside the list."""
        offered = set()
        for found in self.list_filter:
            if isinstance(found, str | tuple):
                field = found if isinstance(found, str) else found[0]
                offered |= {f"{field}__exact", f"{field}__isnull"}
            elif isinstance(found, type) and issubclass(found, admin.SimpleListFilter):
                offered.add(str(found.parameter_name))
        return offered


class TypedFilter(admin.SimpleListFilter):
    """A filter with a field to type into."""

    template = "admin/leagues/typed_filter.html"
    parameter_name: str
    input_type = "text"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("", "")]

    # Its own template reads other values than the links of Django's filters.
    def choices(  # type: ignore[override]
        self, changelist: ChangeList
    ) -> Iterator[dict[str, Any]]:
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
        return queryset.none() if "\x00" in typed else self.narrow(queryset, typed)

    def narrow(self, queryset: QuerySet[Any], typed: str) -> QuerySet[Any]:
        """The rows that were asked for."""
        raise NotImplementedError


def typed(title: Any, parameter: str, condition: Callable[[str], Q]) -> type[TypedFilter]:
    """A filter of what is typed; `condition` turns it into a question to the database."""

    class Typed(TypedFilter):
        parameter_name = parameter

        def narrow(self, queryset: QuerySet[Any], typed: str) -> QuerySet[Any]:
            return queryset.filter(condition(typed))

    Typed.title = title
    return Typed


def days(column: str) -> tuple[type[TypedFilter], type[TypedFilter]]:
    """The two filters of a range of days (UTC) of an instant."""

    class Since(_DayFilter):
        title = _("first day (UTC)")
        parameter_name = "since"

        def narrow(self, queryset: QuerySet[Any], typed: str) -> QuerySet[Any]:
            return queryset.filter(**{f"{column}__gte": self.instant(typed)})

    class Until(_DayFilter):
        title = _("last day (UTC)")
        parameter_name = "until"

        def narrow(self, queryset: QuerySet[Any], typed: str) -> QuerySet[Any]:
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
    """A filter of a column's known words, without asking the table which there are."""

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


def yes_or_no(field: str, title: Any) -> tuple[str, type[admin.BooleanFieldListFilter]]:
    """The filter of a field that says yes or no, under a title of its own."""

    class YesOrNo(admin.BooleanFieldListFilter):
        def __init__(self, *args: Any, **words: Any) -> None:
            super().__init__(*args, **words)
            self.title = title

    return field, YesOrNo


LeagueFilter = typed(_("address of the league"), "in", lambda word: Q(league__slug=word))
