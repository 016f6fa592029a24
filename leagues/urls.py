"""Addresses of the pages; everything of a league is below /l/<address>/."""

from __future__ import annotations

from django.urls import include, path

from leagues.views import (
    boards,
    changes,
    compare,
    corrections,
    dashboard,
    entry,
    game_sessions,
    home,
    imports,
    me,
    night,
    player_adding,
    player_editing,
    player_merging,
    player_starts,
    players,
    results,
    revisions,
    rules,
    seasons,
    simulator,
    statistics,
    systems,
    table_code,
)

app_name = "leagues"

MATCH = "l/<slug:slug>/m/<slug:season>/<int:seq>/"
REVISION = "l/<slug:slug>/r/<slug:season>/<int:number>/"
UPLOAD = "l/<slug:slug>/import/<int:number>/"

urlpatterns = [
    path("", home.home, name="home"),
    path("look/", home.look, name="look"),
    path("l/<slug:slug>/", boards.board, name="board"),
    path("l/<slug:slug>/me/", me.choose_me, name="me"),
    path("l/<slug:slug>/rating-state/", boards.rating_state, name="rating_state"),
    path("l/<slug:slug>/p/<str:key>/", players.player, name="player"),
    path("l/<slug:slug>/p/<str:key>/edit/", player_editing.edit, name="player_edit"),
    path("l/<slug:slug>/p/<str:key>/names/", player_editing.names, name="player_names"),
    path("l/<slug:slug>/p/<str:key>/left/", player_editing.left, name="player_left"),
    path("l/<slug:slug>/p/<str:key>/groups/", player_editing.groups, name="player_groups"),
    path("l/<slug:slug>/p/<str:key>/starts/", player_starts.starts, name="player_starts"),
    path("l/<slug:slug>/p/<str:key>/merge/", player_merging.merge, name="player_merge"),
    path("l/<slug:slug>/players/add/", player_adding.add_player, name="player_add"),
    path("l/<slug:slug>/players/<str:name>", players.players_file, name="players_file"),
    path("l/<slug:slug>/compare/", compare.compare, name="compare"),
    path("l/<slug:slug>/opponents/", compare.opponents, name="opponents"),
    path("l/<slug:slug>/statistics/", statistics.statistics, name="statistics"),
    path("l/<slug:slug>/results/", results.results, name="results"),
    path("l/<slug:slug>/season/", seasons.present_season, name="present_season"),
    path("l/<slug:slug>/seasons/", seasons.seasons, name="seasons"),
    path("l/<slug:slug>/seasons/<slug:season>/", seasons.season, name="season"),
    path("l/<slug:slug>/seasons/<slug:season>/<str:name>", seasons.season_file, name="season_file"),
    path("l/<slug:slug>/enter/", entry.enter, name="enter"),
    path("l/<slug:slug>/enter/code/", table_code.table_code, name="table_code"),
    path("l/<slug:slug>/scan/", table_code.scan, name="scan"),
    path("l/<slug:slug>/night/", night.night, name="night"),
    path(MATCH, results.match, name="match"),
    path(f"{MATCH}session/", game_sessions.game_session, name="game_session"),
    path(f"{MATCH}correct/", corrections.correct, name="correct"),
    path(f"{MATCH}void/", corrections.void, name="void"),
    path(f"{MATCH}restore/", corrections.restore, name="restore"),
    path("l/<slug:slug>/import/", imports.imports, name="import"),
    path(UPLOAD, imports.import_upload, name="import_upload"),
    path(f"{UPLOAD}state/", imports.import_state, name="import_state"),
    path(f"{UPLOAD}bad-rows/", imports.import_bad_rows, name="import_bad_rows"),
    path("l/<slug:slug>/rules/", rules.rules, name="rules"),
    path("l/<slug:slug>/systems/", systems.systems, name="systems"),
    path("l/<slug:slug>/systems/backtest/", systems.backtest, name="backtest"),
    path("l/<slug:slug>/systems/simulator/", simulator.simulator, name="simulator"),
    path("l/<slug:slug>/systems/try/", systems.try_parameters, name="try"),
    path("l/<slug:slug>/systems/trials/<int:number>/", systems.trial, name="trial"),
    path("l/<slug:slug>/changes/", changes.changes, name="changes"),
    path("l/<slug:slug>/revisions/", changes.former_address, name="former_revisions"),
    path("l/<slug:slug>/settings/log/", changes.former_address, name="former_log"),
    path(REVISION, revisions.revision, name="revision"),
    path(f"{REVISION}undo/", revisions.undo, name="undo"),
    path("l/<slug:slug>/dashboard/", dashboard.dashboard, name="dashboard"),
    path("", include("leagues.views.settings.urls")),
]
