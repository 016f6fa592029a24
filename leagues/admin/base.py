"""What the admin pages have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.contrib.admin.utils import quote, unquote
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from leagues.admin.columns import zone_of
from leagues.admin.filters import OfferedLookupsMixin
from leagues.forms.fields import WordsField
from leagues.models import AuditEntry, League
from leagues.services.texts import REASON_LENGTH
from leagues.wording import count

if TYPE_CHECKING:
    AnyAdmin = admin.ModelAdmin[Any]
    OfAdmin = AnyAdmin
    AnyPaginator = Paginator[Any]
else:
    AnyAdmin, OfAdmin, AnyPaginator = admin.ModelAdmin, object, Paginator

MOST_COUNTED = 10_000


class CappedPaginator(AnyPaginator):
    """Count to ten thousand: counting a million rows would take longer than showing fifty."""

    @cached_property
    def count(self) -> int:
        assert isinstance(self.object_list, QuerySet)  # noqa: S101
        return self.object_list.order_by()[:MOST_COUNTED].count()


class ReadOnlyAdmin(OfferedLookupsMixin, AnyAdmin):
    """A page over a table that may be large: it counts little, and changes nothing."""

    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    paginator = CappedPaginator
    list_per_page = 50
    searched: Any = ""
    """What the search box of the list looks at."""

    # Django reads it at each request; a value of the class would keep one language.
    @property
    def search_help_text(self) -> str:  # type: ignore[override]
        """What is searched, and where lists end."""
        words = _(
            "Times are in the league’s time zone. Lists show at most %(count)s entries; use "
            "the filters to narrow them down."
        ) % {"count": count(MOST_COUNTED)}
        return f"{self.searched} {words}"

    @cached_property
    def has_league(self) -> bool:
        """Whether a row belongs to a league, which lists and pages name first."""
        return any(field.name == "league" for field in self.model._meta.concrete_fields)

    def get_list_display(self, request: HttpRequest) -> tuple[Any, ...]:
        columns = tuple(super().get_list_display(request))
        if not self.has_league:
            return columns
        return ("league", *(column for column in columns if column != "league"))

    def get_list_display_links(self, request: HttpRequest, list_display: Any) -> tuple[Any, ...]:
        first = 1 if self.has_league else 0
        return (list_display[first],)

    def get_list_select_related(self, request: HttpRequest) -> tuple[str, ...]:
        related: Any = self.list_select_related or ()
        return ("league", *related) if self.has_league else tuple(related)

    def render_change_form(
        self,
        request: HttpRequest,
        context: dict[str, Any],
        add: bool = False,
        change: bool = False,
        form_url: str = "",
        obj: Any = None,
    ) -> HttpResponse:
        """Name the league before the row, and tell times as the league's clocks do."""
        if not isinstance(obj, League) and obj is not None and self.has_league and obj.league:
            context["subtitle"] = f"{obj.league} · {getattr(obj, 'name', obj)}"
        response = super().render_change_form(request, context, add, change, form_url, obj)
        if obj is None or not isinstance(response, TemplateResponse):
            return response
        with timezone.override(zone_of(obj)):
            return response.render()

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: Any = None
    ) -> HttpResponse:
        """Lead to the record that services write: Django's own knows only of its forms."""
        row = self.get_object(request, unquote(object_id))
        league = row if isinstance(row, League) else getattr(row, "league", None)
        if not self.has_view_permission(request) or league is None:
            return HttpResponseRedirect(list_of(AuditEntry))
        return HttpResponseRedirect(reverse("leagues:changes", args=[league.slug]))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


def page_of(row: Any) -> str:
    """The admin's page of a row."""
    meta = row._meta
    return reverse(f"admin:{meta.app_label}_{meta.model_name}_change", args=[quote(row.pk)])


def list_of(model: type[Model]) -> str:
    """The admin's list of a table."""
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


@dataclass(frozen=True, slots=True)
class Button:
    """A step that leads to a page of its own."""

    label: str
    url: str
    is_next: bool = False


class StepsMixin(OfAdmin):
    """Pages of single steps below a row's own page, each guarded like the rest of the admin."""

    steps: Sequence[tuple[str, str]] = ()
    """Path below the row's page, and the method that answers it."""

    def get_urls(self) -> list[URLPattern]:
        meta = self.model._meta
        own = [
            path(
                f"<path:object_id>/{address}",
                self.admin_site.admin_view(self._of_row(getattr(self, method))),
                name=f"{meta.app_label}_{meta.model_name}_{method}",
            )
            for address, method in self.steps
        ]
        return own + super().get_urls()

    def _of_row(self, view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        def answer(request: HttpRequest, object_id: str, **words: Any) -> HttpResponse:
            if not self.has_view_permission(request):
                raise PermissionDenied
            row = self.get_object(request, unquote(object_id))
            if row is None:
                raise Http404
            return view(request, row, **words)

        return answer

    def url_of(self, method: str, row: Any, **words: Any) -> str:
        """The address of a step."""
        meta = self.model._meta
        name = f"admin:{meta.app_label}_{meta.model_name}_{method}"
        return reverse(name, kwargs={"object_id": quote(row.pk), **words})

    def confirm(
        self,
        request: HttpRequest,
        row: Any,
        *,
        title: str,
        button: str,
        lines: Sequence[str] = (),
        problems: Sequence[str] = (),
        form: forms.Form | None = None,
        again: forms.Form | None = None,
        preview_button: str = "",
        tables: Sequence[Any] | None = None,
        is_possible: bool = True,
        template: str = "admin/leagues/confirm.html",
        **more: Any,
    ) -> HttpResponse:
        """Show what a step would do, why it cannot be done, and the button that does it."""
        context = {
            **self.admin_site.each_context(request),
            "opts": self.model._meta,
            "original": row,
            "back": list_of(self.model) if row is None else page_of(row),
            "title": title,
            "button": button,
            "lines": lines,
            "problems": problems,
            "form": form,
            "again": again,
            "preview_button": preview_button,
            "tables": tables,
            "is_possible": is_possible,
            **more,
        }
        forms_sent = [sent for sent in (form, again) if sent is not None]
        refused = bool(problems) or any(sent.errors for sent in forms_sent)
        status = 422 if request.method == "POST" and refused else 200
        return TemplateResponse(request, template, context, status=status)


class ReasonForm(forms.Form):
    """Why somebody does something."""

    reason = WordsField(label=_("Reason"), most=REASON_LENGTH)

    def __init__(self, *args: Any, required: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].required = required
        if required:
            self.fields["reason"].help_text = _("This is recorded in the log.")
