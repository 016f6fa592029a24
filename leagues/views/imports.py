"""Importing a results file: take it, show what was understood, write it, tell what it did."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HTMX_STOP_POLLING, reswap, retarget

from leagues import access, wording
from leagues.access import Action
from leagues.domain.civil_days import day_of
from leagues.forms.imports import PASTE_TOO_LARGE, CheckForm, UploadForm, iso_day
from leagues.limits.throttle import Limit
from leagues.models import League, Upload
from leagues.pages.import_check import layout_of
from leagues.pages.import_templates import template_rows
from leagues.pages.imports import Stage, import_page, import_rows, stage_of
from leagues.selectors.spreadsheets import csv_lines
from leagues.selectors.uploads import league_upload, open_seasons
from leagues.services.errors import Refused
from leagues.services.import_reading import ImportOptions
from leagues.services.imports import start_upload, store_upload
from leagues.services.uploads import (
    UPLOAD_BYTES,
    answered_names,
    bad_rows,
    check_upload,
    discard_upload,
    missing_consent,
)
from leagues.views.common import league_context, takes_bodies_of
from leagues.views.limits import Download

ACCEPT = ("GET", "HEAD", "POST")
INVALID, TOO_LARGE, TOO_MANY = 422, 413, 429
UPLOADS = Limit("import", uses=30, seconds=60 * 60)


@takes_bodies_of(UPLOAD_BYTES + settings.BODY_LIMIT)
@csrf_exempt
@require_http_methods(ACCEPT)
def imports(request: HttpRequest, slug: str) -> HttpResponse:
    """List the imports of a league and take a file.

    What is sent is read here, not by the CSRF check, so that too much of it is refused in words.
    """
    league = access.league(request, slug, Action.IMPORT)
    try:
        request.POST  # noqa: B018
    except RequestDataTooBig:
        form = UploadForm(league, open_seasons(league))
        return _list_page(request, league, form, status=TOO_LARGE, refusal=str(PASTE_TOO_LARGE))
    response: HttpResponse = csrf_protect(_imports)(request, league)
    return response


def _imports(request: HttpRequest, league: League) -> HttpResponse:
    seasons = open_seasons(league)
    if request.method != "POST" or not seasons:
        return _list_page(request, league, UploadForm(league, seasons) if seasons else None)
    form = UploadForm(league, seasons, request.POST, request.FILES)
    if not form.is_valid():
        status = TOO_LARGE if form.is_too_large else INVALID
        return _list_page(request, league, form, status=status)
    wait = UPLOADS.use(str(league.pk))
    if wait:
        words = _("Too many files in the last hour. Try again in %(wait)s.")
        refusal = words % {"wait": wording.waiting_time(wait)}
        response = _list_page(request, league, form, status=TOO_MANY, refusal=refusal)
        response.headers["Retry-After"] = str(wait)
        return response
    options = ImportOptions(
        new_mode=form.cleaned_data["new_mode"],
        day=iso_day(form.cleaned_data["day"]),
        is_log=form.cleaned_data["is_log"],
        is_unrated=form.cleaned_data["is_log"] and form.cleaned_data["is_unrated"],
        names={},
    )
    upload = store_upload(
        season=form.chosen_season,
        mode=form.chosen_mode,
        name=form.cleaned_data["name"],
        content=form.cleaned_data["content"],
        options=options,
        author=access.signed_in(request),
    )
    check_upload(upload=upload, options=options)
    return HttpResponseRedirect(_address(league, upload))


@require_http_methods(ACCEPT)
def import_upload(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show how far an upload is; check it again with other meanings, or write it."""
    try:
        return _import_upload(request, slug, number)
    except Upload.DoesNotExist:
        # It was discarded between being found and being held.
        raise Http404 from None


def _import_upload(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    league, upload = _upload(request, slug, number)
    if request.method != "POST":
        return _stage_page(request, league, upload)
    if request.POST.get("do") == "discard":
        return _discard(request, league, upload)
    stored = ImportOptions(**upload.options)
    today = day_of(timezone.now(), league.zone)
    answered = answered_names(upload)
    form = CheckForm(layout_of(upload), request.POST, today=today, answered=answered)
    if not form.is_valid():
        return _stage_page(request, league, upload, form.refusal)
    options = form.options(stored)
    if not form.wants_writing or options.reads_otherwise(stored):
        check_upload(upload=upload, options=options)
        return HttpResponseRedirect(_address(league, upload))
    if missing := missing_consent(upload, options):
        return _stage_page(request, league, upload, missing=missing)
    try:
        start_upload(
            upload=upload,
            options=options,
            author=access.signed_in(request),
            seen_check=form.cleaned_data["check"] or 0,
        )
    except Refused as refused:
        return _stage_page(request, league, upload, str(refused))
    return HttpResponseRedirect(_address(league, upload))


def _discard(request: HttpRequest, league: League, upload: Upload) -> HttpResponse:
    try:
        discard_upload(upload=upload)
    except Refused as refused:
        return _stage_page(request, league, upload, str(refused))
    messages.success(request, _("“%(file)s” was discarded.") % {"file": upload.name})
    return HttpResponseRedirect(reverse("leagues:import", args=[league.slug]))


@require_safe
def import_state(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Answer a page that waits: how far it is, or, once, what comes next in its place."""
    league, upload = _upload(request, slug, number)
    page = import_page(upload=upload)
    if page.stage == request.GET.get("was"):
        return render(request, "leagues/_import_progress.html", {"page": page})
    response = _stage_page(request, league, upload, template="leagues/import_upload.html#stage")
    response.status_code = HTMX_STOP_POLLING
    return reswap(retarget(response, "#main"), "innerHTML")


@require_safe
def import_bad_rows(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Send every bad row of an upload as CSV."""
    _league, upload = _upload(request, slug, number)
    stage, _job = stage_of(upload)
    if stage is not Stage.CHECKED:
        raise Http404
    head = (_("Line"), _("Column"), _("Content"), _("Problem"))
    rows: Iterator[tuple[int | str, ...]] = (
        (row.line, row.column, row.value, row.reason) for row in bad_rows(upload)
    )
    response = Download(csv_lines(head, rows), content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = 'attachment; filename="bad-rows.csv"'
    return response  # type: ignore[return-value]


def _upload(request: HttpRequest, slug: str, number: int) -> tuple[League, Upload]:
    league = access.league(request, slug, Action.IMPORT)
    upload = league_upload(league, number)
    if upload is None:
        raise Http404
    return league, upload


def _address(league: League, upload: Upload) -> str:
    return reverse("leagues:import_upload", args=[league.slug, upload.pk])


def _list_page(
    request: HttpRequest,
    league: League,
    form: UploadForm | None,
    *,
    status: int = 200,
    refusal: str = "",
) -> HttpResponse:
    context: dict[str, Any] = {
        **league_context(request, league, "import"),
        "form": form,
        "refusal": refusal,
        "templates": tuple(template_rows()),
        "imports": import_rows(league=league, now=timezone.now()),
    }
    return render(request, "leagues/import.html", context, status=status)


def _stage_page(
    request: HttpRequest,
    league: League,
    upload: Upload,
    refusal: str = "",
    *,
    missing: Collection[str] = (),
    template: str = "leagues/import_upload.html",
) -> HttpResponse:
    principal = access.principal_of(request)
    context = {
        **league_context(request, league, "import"),
        "page": import_page(upload=upload),
        "refusal": refusal,
        "missing": missing,
        "may_undo": upload.revision is not None
        and access.is_allowed(principal, Action.UNDO, league, revision=upload.revision),
    }
    return render(request, template, context, status=INVALID if refusal or missing else 200)
