"""What is played in a league, and the boards of its current season: see, add and remove them."""

from __future__ import annotations

from copy import copy

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from leagues import access, bridge
from leagues.access import Action
from leagues.domain.who_plays import shape_called
from leagues.forms.named_weights import NamedWeightsForm
from leagues.forms.score_rules import ScoreRuleForm, score_rule_values
from leagues.forms.settings import (
    BoardForm,
    ModeForm,
    NewModeForm,
    PlayedByForm,
    StartRulesForm,
    add_errors,
    new_mode_values,
)
from leagues.models import League, Mode
from leagues.pages.boards import board_address
from leagues.pages.settings import board_rows, mode_added_notice, mode_rows, rated_by_lines
from leagues.rulebook.purposes import PURPOSES, purpose_named
from leagues.rulebook.score_rules import KNOWN_GAMES, describe_score_rule, game_named
from leagues.selectors.boards import plays_in_teams
from leagues.services.board_removal import consequences, obstacles, remove_board
from leagues.services.errors import Refused
from leagues.services.leagues import add_board, add_mode, current_season
from leagues.services.modes import (
    change_named_weights,
    change_played_by,
    change_rated_by,
    change_score_rule,
    change_start_rules,
)
from leagues.services.night_sheets import answer_lines
from leagues.views.openings import answer_opening
from leagues.views.settings.pages import INVALID, settings_page


@require_http_methods(["GET", "HEAD", "POST"])
def boards(request: HttpRequest, slug: str) -> HttpResponse:
    """List the boards; with `for` or `system` in the query, offer what one begins with."""
    league = access.league(request, slug, Action.SETTINGS)
    season = current_season(league, timezone.now())
    form = _board_form(request, league)
    if form is not None and form.is_bound and form.is_valid() and season is not None:
        try:
            board = add_board(
                season=season,
                mode=form.cleaned_data["mode"],
                system=form.system,
                name=form.cleaned_data["name"],
                parameters=form.parameters,
                actor=access.signed_in(request),
            )
        except ValidationError as error:
            form.refuse(error)
        else:
            messages.success(request, _("“%(board)s” is being computed.") % {"board": board.name})
            return redirect("leagues:settings_boards", league.slug)
    context = {
        "purposes": PURPOSES,
        "purpose": purpose_named(request.GET.get("for", "")),
        "season": season,
        "boards": board_rows(season) if season else (),
        "plays_in_teams": plays_in_teams(league),
        "systems": bridge.systems(),
        "form": form,
        "system": bridge.system_info(form.system) if form else None,
    }
    invalid = form is not None and form.is_bound
    return settings_page(
        request, league, "settings_boards", context, status=INVALID if invalid else 200
    )


@require_http_methods(["GET", "HEAD", "POST"])
def modes(request: HttpRequest, slug: str) -> HttpResponse:
    """List what is played in the league, each with its own ratings; add something.

    With `for` in the query it is for results of that shape on a night sheet, with `name` for lines
    that name it there, and leads back there.
    """
    league = access.league(request, slug, Action.SETTINGS)
    actor = access.signed_in(request)
    shape = shape_called(request.GET.get("for", ""))
    name = request.GET.get("name", "")
    form = NewModeForm(
        league,
        request.POST if request.method == "POST" else None,
        initial=new_mode_values(league, shape) | ({"name": name} if name else {}),
    )
    if form.is_bound and form.is_valid():
        try:
            mode = add_mode(
                league=league,
                name=form.cleaned_data["name"],
                played_by=form.cleaned_data["played_by"],
                score_rule=form.score_rule,
                actor=actor,
            )
        except ValidationError as error:
            add_errors(form, error)
        else:
            messages.success(request, mode_added_notice(mode, league))
            may_enter = access.is_allowed(access.principal_of(request), Action.ENTER, league)
            if (shape is None and not name) or actor is None or not may_enter:
                return redirect("leagues:settings_boards", league.slug)
            if shape is not None and mode.shape is shape and not name:
                answer_lines(league=league, author=actor, shape=shape, mode=mode)
            return redirect("leagues:night", league.slug)
    return settings_page(
        request,
        league,
        "settings_modes",
        {"form": form, "modes": mode_rows(league)},
        status=INVALID if form.is_bound else 200,
        tab="settings_boards",
    )


@require_http_methods(["GET", "HEAD", "POST"])
def mode(request: HttpRequest, slug: str, mode: str) -> HttpResponse:
    """Show and change who plays in a mode, its scores and kinds of match, and what counts.

    Each has a form of its own; `game` in the query fills in the scores of a known game.
    """
    league = access.league(request, slug, Action.SETTINGS)
    chosen = access.mode(league, mode)
    is_about_scores = request.method == "POST" and "kind" in request.POST
    is_about_kinds = request.method == "POST" and "name_1" in request.POST
    is_about_players = request.method == "POST" and "played_by" in request.POST
    is_about_starts = request.method == "POST" and "start_hours" in request.POST
    is_about_rating = request.method == "POST" and not (
        is_about_scores or is_about_kinds or is_about_players or is_about_starts
    )
    players = PlayedByForm(
        request.POST if is_about_players else None, initial={"played_by": chosen.played_by}
    )
    form = ModeForm(
        request.POST if is_about_rating else None, initial={"rated_by": chosen.rated_by}
    )
    game = game_named(request.GET.get("game", ""))
    scores = ScoreRuleForm(
        request.POST if is_about_scores else None,
        initial=score_rule_values(game.rule if game else chosen.rule_of_scores),
    )
    kinds = NamedWeightsForm(request.POST if is_about_kinds else None, kinds=chosen.weights)
    starts = StartRulesForm(
        # A form of the model writes what was sent into it, also what it then refuses.
        request.POST if is_about_starts else None,
        instance=copy(chosen),
    )
    sent = next((one for one in (players, scores, kinds, starts, form) if one.is_bound), None)
    if sent is not None and sent.is_valid() and _save_mode(request, chosen, sent):
        messages.success(request, _("Settings saved."))
        return redirect("leagues:settings_modes", league.slug)
    context = {
        "form": form,
        "players": players,
        "scores": scores,
        "kinds": kinds,
        "starts": starts,
        "games": KNOWN_GAMES,
        "game": game,
        "score_rule": describe_score_rule(chosen.rule_of_scores),
        "mode": chosen,
        "lines": rated_by_lines(chosen),
    }
    return settings_page(
        request,
        league,
        "settings_mode",
        context,
        status=INVALID if request.method == "POST" else 200,
        tab="settings_boards",
    )


def _save_mode(
    request: HttpRequest,
    mode: Mode,
    form: ModeForm | PlayedByForm | ScoreRuleForm | NamedWeightsForm | StartRulesForm,
) -> bool:
    """Save what a valid form says of a mode, or show in it why that cannot be."""
    actor = access.signed_in(request)
    try:
        if isinstance(form, ScoreRuleForm):
            change_score_rule(mode=mode, rule=form.rule, actor=actor)
        elif isinstance(form, NamedWeightsForm):
            change_named_weights(mode=mode, weights=form.kinds, actor=actor)
        elif isinstance(form, PlayedByForm):
            change_played_by(mode=mode, actor=actor, **form.cleaned_data)
        elif isinstance(form, StartRulesForm):
            change_start_rules(mode=mode, actor=actor, **form.cleaned_data)
        else:
            change_rated_by(mode=mode, rated_by=form.cleaned_data["rated_by"], actor=actor)
    except ValidationError as error:
        add_errors(form, error)
        return False
    return True


@require_http_methods(["GET", "HEAD", "POST"])
def remove(request: HttpRequest, slug: str, season: str, board: str) -> HttpResponse:
    """Show what removing a board does; take it away."""
    league = access.league(request, slug, Action.SETTINGS)
    chosen = access.board(access.season(request, league, season), board)
    problems = obstacles(chosen)
    if request.method == "POST":
        try:
            remove_board(board=chosen, actor=access.signed_in(request))
        except Refused as refusal:
            problems = list(refusal.problems)
        else:
            messages.success(request, _("“%(board)s” was removed.") % {"board": chosen.name})
            return redirect("leagues:settings_boards", league.slug)
    context = {
        "board": chosen,
        "problems": problems,
        "lines": () if problems else tuple(consequences(chosen)),
    }
    return settings_page(
        request,
        league,
        "settings_board_remove",
        context,
        status=INVALID if request.method == "POST" else 200,
        tab="settings_boards",
    )


@require_http_methods(["GET", "HEAD", "POST"])
def opening(request: HttpRequest, slug: str, season: str, board: str) -> HttpResponse:
    """Show what the players of a board can begin with together; let them, or undo it."""
    league = access.league(request, slug, Action.SETTINGS)
    chosen = access.board(access.season(request, league, season), board)
    page = answer_opening(request, chosen)
    if page.announcement:
        messages.success(request, page.announcement)
        return redirect(board_address(chosen))
    return settings_page(
        request,
        league,
        "settings_board_opening",
        {"board": chosen, "page": page},
        status=page.status,
        tab="settings_boards",
    )


def _board_form(request: HttpRequest, league: League) -> BoardForm | None:
    purpose = purpose_named(request.GET.get("for", ""))
    system = purpose.system if purpose else request.GET.get("system", "")
    if not system and request.method != "POST":
        return None
    if system not in {info.name for info in bridge.systems()}:
        raise Http404
    return BoardForm(
        system,
        league,
        request.POST if request.method == "POST" else None,
        parameters=purpose.parameters if purpose else None,
    )
