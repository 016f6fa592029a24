"""Addresses of the API, all below `/api/v1/`; every one ends in a slash."""

from __future__ import annotations

from django.urls import include, path

from leagues.api.views import boards, leagues, matches, players, revisions, schema

app_name = "api"

match = [
    path("", matches.MatchDetail.as_view(), name="match"),
    path("void/", matches.MatchVoid.as_view(), name="match_void"),
    path("restore/", matches.MatchRestore.as_view(), name="match_restore"),
]
league = [
    path("", leagues.LeagueDetail.as_view(), name="league"),
    path("rating-state/", leagues.RatingState.as_view(), name="rating_state"),
    path("players/", players.Players.as_view(), name="players"),
    path("players/<str:key>/", players.PlayerDetail.as_view(), name="player"),
    path(
        "boards/<slug:season>/<slug:board>/standings/",
        boards.Standings.as_view(),
        name="standings",
    ),
    path("matches/", matches.Matches.as_view(), name="matches"),
    path("matches/<slug:season>/<int:seq>/", include(match)),
    path("revisions/", revisions.Revisions.as_view(), name="revisions"),
    path(
        "revisions/<slug:season>/<int:number>/",
        revisions.RevisionDetail.as_view(),
        name="revision",
    ),
    path(
        "revisions/<slug:season>/<int:number>/undo/",
        revisions.RevisionUndo.as_view(),
        name="revision_undo",
    ),
]
urlpatterns = [
    path("schema/", schema.Schema.as_view(), name="schema"),
    path("docs/", schema.reference, name="docs"),
    path("leagues/", leagues.Leagues.as_view(), name="leagues"),
    path("leagues/<slug:slug>/", include(league)),
    path("<path:rest>", schema.Missing.as_view(), name="missing"),
]
