"""What organizers change of a player: the name, the year of birth, other names and groups."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from leagues import access
from leagues.access import Action
from leagues.forms.fields import focus_first_error
from leagues.forms.players import GroupsForm, LeavingForm, PlayerForm, SpellingForm
from leagues.models import Player
from leagues.pages.leaving import leaving_of
from leagues.pages.log import UNDOES
from leagues.selectors.player_groups import groups_of, groups_of_league
from leagues.selectors.spellings import other_names
from leagues.services.errors import Refused
from leagues.services.leaving import set_left
from leagues.services.player_editing import edit_player, take_back_name
from leagues.services.player_groups import set_groups
from leagues.services.spellings import add_spelling, remove_spelling, show_spelling
from leagues.views.common import league_context
from leagues.views.players import lead_on

INVALID = 422


@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Let an organizer change a player's name or year of birth; lists the other names."""
    try:
        player = access.player(request, slug, key, Action.PLAYERS)
    except Http404:
        return _lead_on(request, slug, key)
    if request.method != "POST":
        return _page(request, player)
    form = PlayerForm(request.POST)
    if form.is_valid():
        try:
            stored = edit_player(
                player=player, actor=access.signed_in(request), **form.cleaned_data
            )
        except Refused as refused:
            form.add_problems(refused.problems)
        else:
            messages.success(request, _("%(name)s was saved.") % {"name": stored.name})
            return redirect("leagues:player", slug, key)
    focus_first_error(form)
    return _page(request, player, form=form, status=INVALID)


@require_POST
def names(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Add, remove, show or hide another name of a player."""
    try:
        player = access.player(request, slug, key, Action.PLAYERS)
    except Http404:
        return _lead_on(request, slug, key)
    form = SpellingForm(request.POST)
    if form.is_valid():
        try:
            words = _change_names(player, form, request)
        except Refused as refused:
            form.add_error("name", str(refused))
        else:
            messages.success(request, words)
            return HttpResponseRedirect(f"{reverse('leagues:player_edit', args=[slug, key])}#names")
    focus_first_error(form)
    return _page(request, player, names_form=form, status=INVALID)


@require_POST
def groups(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Let an organizer say to which groups a player belongs."""
    player = access.player(request, slug, key, Action.PLAYERS)
    form = GroupsForm(request.POST, stored=groups_of(player))
    if form.is_valid():
        try:
            is_new = set_groups(
                player=player,
                groups=form.groups(),
                was=form.former_groups(),
                actor=access.signed_in(request),
            )
        except Refused as refused:
            form.add_problems(refused.problems, groups_of(player))
        else:
            words = _("The groups of %(name)s are as they were.")
            if is_new and UNDOES in request.POST:
                words = _("The groups of %(name)s were changed back. You can undo this, too.")
            elif is_new:
                words = _("The groups of %(name)s were saved. You can undo this in the changes.")
            messages.success(request, words % {"name": player.name})
            address = reverse("leagues:player_edit", args=[slug, key])
            return HttpResponseRedirect(f"{address}#groups")
    focus_first_error(form)
    return _page(request, player, groups_form=form, status=INVALID)


@require_POST
def left(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Let an organizer say that a player no longer plays here, or does so again."""
    try:
        player = access.player(request, slug, key, Action.PLAYERS)
    except Http404:
        return _lead_on(request, slug, key)
    form = LeavingForm(request.POST)
    if form.is_valid():
        left_at = form.left()
        try:
            set_left(
                player=player,
                left_at=left_at,
                was=form.cleaned_data["was"],
                actor=access.signed_in(request),
            )
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            words = _("%(name)s plays here again. You can undo this in the changes.")
            if left_at is not None:
                words = _("%(name)s no longer plays here. You can undo this in the changes.")
            messages.success(request, words % {"name": player.name})
            return HttpResponseRedirect(f"{reverse('leagues:player_edit', args=[slug, key])}#left")
    player.refresh_from_db(fields=["left_at"])
    return _page(request, player, left_form=form, status=INVALID)


def _lead_on(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Lead from a merged player to the same page of the other one; nothing is changed there."""
    return lead_on(request, slug, key, Action.PLAYERS, to="leagues:player_edit")


def _change_names(player: Player, form: SpellingForm, request: HttpRequest) -> str:
    """Do what the form asks for; returns what was done in words."""
    do, name = form.cleaned_data["do"], form.cleaned_data["name"]
    is_public, actor = form.cleaned_data["is_public"], access.signed_in(request)
    said = {"name": name, "player": player.name}
    if do == SpellingForm.TAKE_BACK:
        was = form.cleaned_data["was"]
        take_back_name(player=player, name=name, was=was, actor=actor)
        return _("%(player)s is called %(name)s again. You can undo this, too.") % said
    if do == SpellingForm.ADD:
        add_spelling(player=player, name=name, is_public=is_public, actor=actor)
        return _("“%(name)s” now means %(player)s.") % said
    if do == SpellingForm.REMOVE:
        remove_spelling(player=player, name=name, actor=actor)
        return _("“%(name)s” no longer means %(player)s. You can undo this in the changes.") % said
    show_spelling(player=player, name=name, is_public=is_public, actor=actor)
    if is_public:
        return _("Everyone can see “%(name)s” now.") % said
    return _("Only those who enter results know “%(name)s” now.") % said


def _page(
    request: HttpRequest,
    player: Player,
    *,
    form: PlayerForm | None = None,
    names_form: SpellingForm | None = None,
    groups_form: GroupsForm | None = None,
    left_form: LeavingForm | None = None,
    status: int = 200,
) -> HttpResponse:
    stored = {"name": player.name, "birth_year": player.birth_year}
    context = {
        **league_context(request, player.league, "board"),
        "player": player,
        "form": form or PlayerForm(initial=stored),
        "names_form": names_form or SpellingForm(),
        "groups_form": groups_form or GroupsForm(stored=groups_of(player)),
        "left_form": left_form,
        "leaving": leaving_of(player, timezone.now()),
        "groups": groups_of_league(player.league),
        "other_names": other_names(player),
        "back": reverse("leagues:player", args=[player.league.slug, player.key]),
    }
    return render(request, "leagues/player_edit.html", context, status=status)
