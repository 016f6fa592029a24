"""Addresses of the API, all below `/api/v1/`; every one ends in a slash."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from leagues.api.views import (
    boards,
    change_preview,
    explanations,
    leagues,
    matches,
    players,
    preview,
    revisions,
    rules,
    schema,
    seasons,
    started,
    systems,
)

app_name = "api"

match = [
    path("", matches.MatchDetail.as_view(), name="match"),
    path("explanation/", explanations.MatchExplanation.as_view(), name="explanation"),
    path("void/", matches.MatchVoid.as_view(), name="match_void"),
    path("restore/", matches.MatchRestore.as_view(), name="match_restore"),
    path("preview/", change_preview.CorrectionPreview.as_view(), name="match_preview"),
    path("result/", started.StartedResult.as_view(), name="match_result"),
    path("release/", started.StartedRelease.as_view(), name="match_release"),
    path("void/preview/", change_preview.VoidPreview.as_view(), name="match_void_preview"),
    path("restore/preview/", change_preview.RestorePreview.as_view(), name="match_restore_preview"),
]
league: list[URLPattern | URLResolver] = [
    # Programs send results here, and addresses are tried in this order.
    path("matches/", matches.Matches.as_view(), name="matches"),
    path("matches/started/", started.StartedMatches.as_view(), name="started_matches"),
    path("matches/preview/", change_preview.EntryPreview.as_view(), name="matches_preview"),
    path("matches/<slug:season>/<int:seq>/", include(match)),
    path("", leagues.LeagueDetail.as_view(), name="league"),
    path("rating-state/", leagues.RatingState.as_view(), name="rating_state"),
    path("players/", players.Players.as_view(), name="players"),
    path("players/<str:key>/", players.PlayerDetail.as_view(), name="player"),
    path(
        "players/<str:key>/history/",
        explanations.PlayerHistory.as_view(),
        name="player_history",
    ),
    path("standings/", boards.LeagueStandings.as_view(), name="league_standings"),
    path(
        "boards/<slug:season>/<slug:board>/standings/",
        boards.BoardStandings.as_view(),
        name="standings",
    ),
    path(
        "boards/<slug:season>/<slug:board>/rules/",
        rules.BoardRulesList.as_view(),
        name="rules",
    ),
    path("systems/<slug:season>/<slug:mode>/", systems.Places.as_view(), name="systems"),
    path("backtests/<slug:season>/<slug:mode>/", systems.Backtests.as_view(), name="backtests"),
    path(
        "boards/<slug:season>/<slug:board>/trials/",
        systems.BoardTrials.as_view(),
        name="board_trials",
    ),
    path("trials/<int:number>/", systems.TrialDetail.as_view(), name="trial"),
    path("seasons/<slug:season>/", seasons.SeasonDetail.as_view(), name="season"),
    path("seasons/<slug:season>/steps/", seasons.SeasonSteps.as_view(), name="season_steps"),
    path("preview/", preview.Preview.as_view(), name="preview"),
    path("comparison/", preview.Comparison.as_view(), name="comparison"),
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
    path(
        "revisions/<slug:season>/<int:number>/undo/preview/",
        change_preview.UndoPreview.as_view(),
        name="revision_undo_preview",
    ),
]
urlpatterns = [
    path("leagues/<slug:slug>/", include(league)),
    path("leagues/", leagues.Leagues.as_view(), name="leagues"),
    path("schema/", schema.Schema.as_view(), name="schema"),
    path("docs/", schema.reference, name="docs"),
    path("<path:rest>", schema.Missing.as_view(), name="missing"),
]
