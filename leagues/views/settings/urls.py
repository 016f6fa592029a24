"""Addresses of the settings pages, within the namespace of `leagues.urls`."""

from __future__ import annotations

from django.urls import path

from leagues.views.settings import boards, league, members, rules, seasons, tokens

urlpatterns = [
    path("new/", league.new_league, name="new_league"),
    path("l/<slug:slug>/settings/", league.league_settings, name="settings"),
    path("l/<slug:slug>/settings/league.zip", league.league_file, name="league_file"),
    path("l/<slug:slug>/settings/boards/", boards.boards, name="settings_boards"),
    path("l/<slug:slug>/settings/modes/", boards.modes, name="settings_modes"),
    path("l/<slug:slug>/settings/modes/<slug:mode>/", boards.mode, name="settings_mode"),
    path(
        "l/<slug:slug>/settings/boards/<slug:season>/<slug:board>/",
        rules.rules,
        name="settings_rules",
    ),
    path(
        "l/<slug:slug>/settings/boards/<slug:season>/<slug:board>/remove/",
        boards.remove,
        name="settings_board_remove",
    ),
    path(
        "l/<slug:slug>/settings/boards/<slug:season>/<slug:board>/start/",
        boards.opening,
        name="settings_board_opening",
    ),
    path(
        "l/<slug:slug>/settings/rules/<int:number>/", rules.confirm, name="settings_rules_confirm"
    ),
    path("l/<slug:slug>/settings/seasons/", seasons.seasons, name="settings_seasons"),
    path("l/<slug:slug>/settings/seasons/<slug:season>/", seasons.steps, name="settings_season"),
    path(
        "l/<slug:slug>/settings/seasons/<slug:season>/<slug:step>/",
        seasons.step,
        name="settings_season_step",
    ),
    path("l/<slug:slug>/settings/members/", members.members, name="settings_members"),
    path(
        "l/<slug:slug>/settings/members/<int:user_id>/remove/",
        members.remove,
        name="settings_member_remove",
    ),
    path(
        "l/<slug:slug>/settings/members/invitations/",
        members.invitations,
        name="settings_invitations",
    ),
    path(
        "l/<slug:slug>/settings/members/invitations/<int:number>/withdraw/",
        members.withdraw,
        name="settings_invitation_withdraw",
    ),
    path("l/<slug:slug>/settings/tokens/", tokens.tokens, name="settings_tokens"),
    path(
        "l/<slug:slug>/settings/tokens/<slug:public_id>/revoke/",
        tokens.revoke,
        name="settings_token_revoke",
    ),
]
