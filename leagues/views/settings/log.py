"""Show who changed what in a league."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from leagues import access
from leagues.access import Action
from leagues.forms.log import FIELDS, LogForm
from leagues.pages.log import log_page
from leagues.selectors.names import known_names
from leagues.store.snapshot import snapshot
from leagues.views.settings.pages import INVALID, settings_page


@require_safe
@snapshot()
def log(request: HttpRequest, slug: str) -> HttpResponse:
    """List the changes of results and of settings, newest first, as the filter says."""
    league = access.league(request, slug, Action.AUDIT)
    form = LogForm(league, request.GET)
    is_valid = form.is_valid()
    page = None
    if is_valid:
        page = log_page(
            league=league,
            filters=form.filters,
            address_words={name: request.GET.get(name, "") for name in (*FIELDS, "before")},
            now=timezone.now(),
            may_undo=access.is_allowed(request.user, Action.UNDO, league),
        )
    context = {
        "form": form,
        "page": page,
        "is_filtered": any(request.GET.get(name) for name in FIELDS),
        "names": known_names(league),
        "members": league.memberships.values_list("user__username", flat=True),
    }
    return settings_page(
        request, league, "settings_log", context, status=200 if is_valid else INVALID
    )
