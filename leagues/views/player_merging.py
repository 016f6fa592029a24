"""Merging a player with another one: choose whom, see what it would do, do it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from leagues import access
from leagues.access import Action
from leagues.forms.fields import focus_first_error
from leagues.forms.merging import MergeForm
from leagues.models import Player, Revision
from leagues.pages.player_merging import (
    limit_sentence,
    meetings_of,
    merge_address,
    merge_notice,
    merge_outcome,
)
from leagues.selectors.merging import others_like, suggestions
from leagues.selectors.names import known_names, players_by_name
from leagues.services.errors import Candidate, Problem, Refused, refuse
from leagues.services.merged_players import meetings, merged_problem
from leagues.services.player_merging import (
    count_to_rename,
    merge_players,
    merge_problems,
    seasons_to_write,
)
from leagues.services.players import players_by_key
from leagues.views.common import league_context, wants_fragment
from leagues.views.limits import ENTRIES, limit_requests
from leagues.views.players import lead_on
from leagues.views.previews import preview_in_seasons, wants_preview

CONFLICTS = frozenset(("merged", "changed"))
"""Refusals that say that somebody else was first."""
MAX_NAME = 128


@dataclass(frozen=True, slots=True)
class Choice:
    """Whom a player is to be merged with: one other player, or why there is none yet."""

    typed: str
    other: Player | None = None
    problem: str = ""
    candidates: tuple[Player | Candidate, ...] = ()
    is_conflict: bool = False
    """Whether somebody else has merged the other player in the meantime."""


@require_http_methods(["GET", "HEAD", "POST"])
@limit_requests(ENTRIES, method="POST")
def merge(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Choose another player, then show what merging the two would do, or do it."""
    try:
        player = access.player(request, slug, key, Action.PLAYERS)
    except Http404:
        return lead_on(request, slug, key, Action.PLAYERS)
    choice = _read_choice(request, player)
    if choice.other is None:
        return _choosing_page(request, player, choice)
    return _merge(request, player, choice.other)


def _read_choice(request: HttpRequest, player: Player) -> Choice:
    """The other player: by the key that a form or a link has, or by a name that was typed."""
    form_key = request.POST.get("other") if request.method == "POST" else request.GET.get("key")
    if form_key:
        return _choice_of_key(player, _plain(form_key))
    typed = _plain(request.GET.get("other", ""))
    return _choice_of_name(player, typed) if typed else Choice("")


def _plain(text: str) -> str:
    return text.replace("\x00", "").strip()[:MAX_NAME]


def _choice_of_key(player: Player, key: str) -> Choice:
    stored = players_by_key(player.league, [key]).get(key)
    if stored is not None and stored.merged_into_id is not None:
        return Choice("", None, merged_problem(stored).message, is_conflict=True)
    return _choice_among(player, key, [stored] if stored and stored.is_listed else [])


def _choice_of_name(player: Player, typed: str) -> Choice:
    meant, shared = players_by_name(player.league, [typed])
    players = shared.get(typed, ()) or tuple(meant.values())
    return _choice_among(player, typed, players) if players else _choice_of_short(player, typed)


def _choice_of_short(player: Player, typed: str) -> Choice:
    """The other player whom a name is short for, as where results are entered."""
    short, like = others_like(player, typed)
    if short is not None:
        return _choice_of_key(player, short.key)
    if like:
        words = _("We don’t know “%(name)s” yet. Who is it?")
        return Choice(typed, None, words % {"name": typed}, like)
    return _choice_among(player, typed, ())


def _choice_among(player: Player, typed: str, players: Sequence[Player]) -> Choice:
    others = tuple(one for one in players if one.pk != player.pk)
    if len(others) == 1:
        others[0].league = player.league
        return Choice(typed, others[0])
    if others:
        return Choice(typed, None, _("Several players have this name. Choose one:"), others)
    if players:
        return Choice(typed, None, _("Choose another player: this is the same one."))
    return Choice(typed, None, _("There is no player “%(name)s” here.") % {"name": typed})


def _choosing_page(request: HttpRequest, player: Player, choice: Choice) -> HttpResponse:
    context = {
        **_context(request, player),
        "choice": choice,
        "candidates": [(one, merge_address(player, one.key)) for one in choice.candidates],
        "suggestions": [(one, merge_address(player, one.key)) for one in suggestions(player)],
        "names": [name for name in known_names(player.league) if name != player.name],
    }
    status = 409 if choice.is_conflict else 422 if choice.problem else 200
    return render(request, "leagues/player_merge_choose.html", context, status=status)


def _merge(request: HttpRequest, player: Player, other: Player) -> HttpResponse:
    counts = count_to_rename(other, player), count_to_rename(player, other)
    context: dict[str, Any] = {"other": other}
    if request.method != "POST":
        form = context["form"] = MergeForm(player, other, counts)
        keep, drop = form.first_choice()
        context["problems"] = _messages(merge_problems(player.league, keep, drop))
        return _merging_page(request, player, context)
    form = context["form"] = MergeForm(player, other, counts, request.POST)
    if not form.is_valid():
        return _merging_page(request, player, context, status=422)
    keep, drop = form.choice()

    def change() -> Revision:
        return merge_players(
            league=player.league,
            keep=keep,
            drop=drop,
            author=access.signed_in(request),
            reason=form.cleaned_data["reason"],
            expected_matches=form.shown_count(drop),
            mistakes=form.ticked(),
        )

    try:
        if wants_preview(request):
            context |= _preview(request, keep, drop, change, form)
            return _merging_page(request, player, context)
        revision = change()
    except Refused as refused:
        context["problems"] = _messages(refused.problems)
        is_conflict = bool(refused.codes & CONFLICTS)
        if is_conflict:
            context["form"] = form.again(counts)
        return _merging_page(request, player, context, status=409 if is_conflict else 422)
    messages.success(request, merge_notice(keep, drop, revision))
    return HttpResponseRedirect(reverse("leagues:player", args=[keep.league.slug, keep.key]))


def _preview(
    request: HttpRequest,
    keep: Player,
    drop: Player,
    change: Callable[[], Revision],
    form: MergeForm,
) -> dict[str, Any]:
    """What a merge would do, in words and on every board; raises Refused where it is refused."""
    seasons, count = seasons_to_write(keep.league, keep, drop), count_to_rename(keep, drop)
    limit, preview = limit_sentence(count), None
    if limit:
        problems = merge_problems(
            keep.league,
            keep,
            drop,
            expected_matches=form.shown_count(drop),
            mistakes=form.ticked(),
        )
        refuse(problems)
    else:
        preview = preview_in_seasons(request, seasons, change, matches=count, is_league_wide=True)
    outcome = merge_outcome(keep, drop, seasons, count, meetings(keep, drop).count())
    return {
        "preview": preview if count else None,
        "outcome": outcome,
        "limit": limit,
        "keep": keep,
        "drop": drop,
    }


def _messages(problems: Collection[Problem]) -> list[str]:
    return [problem.message for problem in problems]


def _context(request: HttpRequest, player: Player) -> dict[str, Any]:
    return {
        **league_context(request, player.league, "board"),
        "player": player,
        "back": reverse("leagues:player", args=[player.league.slug, player.key]),
    }


def _merging_page(
    request: HttpRequest, player: Player, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    form: MergeForm = context["form"]
    focus_first_error(form)
    context["meetings"] = meetings_of(player, context["other"], form.ticked())
    part = "#preview" if wants_fragment(request) else ""
    everything = {**_context(request, player), **context, "again": merge_address(player)}
    return render(request, f"leagues/player_merge.html{part}", everything, status=status)
