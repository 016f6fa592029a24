"""Addresses of the pages; everything of a league is below /l/<address>/."""

from __future__ import annotations

from django.urls import include, path

from leagues.views import boards, entry, home, imports, players, results, revisions

app_name = "leagues"

MATCH = "l/<slug:slug>/m/<slug:season>/<int:seq>/"
REVISION = "l/<slug:slug>/r/<slug:season>/<int:number>/"
UPLOAD = "l/<slug:slug>/import/<int:number>/"

urlpatterns = [
    path("", home.home, name="home"),
    path("look/", home.look, name="look"),
    path("l/<slug:slug>/", boards.board, name="board"),
    path("l/<slug:slug>/rating-state/", boards.rating_state, name="rating_state"),
    path("l/<slug:slug>/p/<str:key>/", players.player, name="player"),
    path("l/<slug:slug>/results/", results.results, name="results"),
    path("l/<slug:slug>/enter/", entry.enter, name="enter"),
    path(MATCH, results.match, name="match"),
    path(f"{MATCH}correct/", entry.correct, name="correct"),
    path(f"{MATCH}void/", results.void, name="void"),
    path(f"{MATCH}restore/", results.restore, name="restore"),
    path("l/<slug:slug>/import/", imports.imports, name="import"),
    path(UPLOAD, imports.import_upload, name="import_upload"),
    path(f"{UPLOAD}state/", imports.import_state, name="import_state"),
    path(f"{UPLOAD}bad-rows/", imports.import_bad_rows, name="import_bad_rows"),
    path("l/<slug:slug>/revisions/", revisions.revisions, name="revisions"),
    path(REVISION, revisions.revision, name="revision"),
    path(f"{REVISION}undo/", revisions.undo, name="undo"),
    path("", include("leagues.views.settings.urls")),
]
