"""The QR code at the table, which leads phones to the form of a result."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from leagues import access
from leagues.access import Action
from leagues.addresses import is_local
from leagues.charts import qr_code
from leagues.views.common import league_context, own_port, site_address


@require_safe
def table_code(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the code to print; none where no other device reaches the address."""
    league = access.league(request, slug, Action.ENTER)
    site = site_address(request)
    address = f"{site}{reverse('leagues:scan', args=[league.slug])}"
    context = {
        **league_context(request, league, "enter"),
        "address": address,
        "code": None if is_local(site) else qr_code(address),
        "own_port": own_port(),
    }
    return render(request, "leagues/table_code.html", context)


@require_safe
def scan(request: HttpRequest, slug: str) -> HttpResponse:
    """Lead whoever scans the code to the form, visitors by way of signing in.

    That is the same for every address, so that it tells nobody which leagues there are.
    """
    form = reverse("leagues:enter", args=[slug])
    if not request.user.is_authenticated:
        return HttpResponseRedirect(f"{reverse('accounts:sign-in')}?next={form}")
    return HttpResponseRedirect(form)
