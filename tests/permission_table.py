"""Who may open what: one line for every address of the site (reliability 4.4).

A route that is missing here fails `tests/leagues/test_permissions.py`, and so does a line without
a route. Each line says for each method which rule of the matrix 4.3 holds, what a caller who may
gets, and what is sent. A method without a rule answers 405 to everybody.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

VISIBILITIES = ("public", "unlisted", "private")
VISITORS = ("anonymous", "switched_off")
PEOPLE = (
    *VISITORS,
    "plain",
    "organizer_elsewhere",
    "former_organizer",
    "player",
    "scorer",
    "organizer",
    "site_admin",
)
TOKENS = ("token_read", "token_results", "token_elsewhere", "token_revoked")
PRINCIPALS = (*PEOPLE, *TOKENS)
STRANGERS = (*PEOPLE[:5], "token_elsewhere")

Rule = Callable[[str, str], int | None]
"""Of a principal and a league's visibility: None who may, else the status of the refusal."""


def everybody(principal: str, visibility: str) -> int | None:
    return None


def signed_in(principal: str, visibility: str) -> int | None:
    return 403 if principal in VISITORS else None


def reader(principal: str, visibility: str) -> int | None:
    return 404 if visibility == "private" and principal in STRANGERS else None


def _with_role(*roles: str) -> Rule:
    def rule(principal: str, visibility: str) -> int | None:
        if principal in roles or principal == "site_admin":
            return None
        return reader(principal, visibility) or 403

    return rule


scorer = _with_role("scorer", "organizer", "token_results")
organizer = _with_role("organizer")


@dataclass(frozen=True)
class Line:
    """One address: the words of its path, and for each method its rule and what it answers."""

    words: dict[str, Any]
    get: Rule | None = None
    post: Rule | None = None
    put: Rule | None = None
    patch: Rule | None = None
    found: int = 200
    done: int = 302
    query: str = ""
    data: Any = None
    """What is sent to write; functions get the world of the test and answer the value."""
    is_api: bool = False

    @property
    def methods(self) -> tuple[str, ...]:
        """Return the methods to try."""
        return ("GET", "HEAD", "POST", "PUT", "PATCH") if self.is_api else ("GET", "HEAD", "POST")

    @property
    def principals(self) -> tuple[str, ...]:
        """Return who tries; pages know no tokens."""
        return PRINCIPALS if self.is_api else PEOPLE

    def refusal(self, method: str, principal: str, visibility: str) -> int | None:
        """Return the status of the refusal, None for a caller who may."""
        if self.is_api and principal == "token_revoked":
            return 401
        rule = getattr(self, "get" if method == "HEAD" else method.lower())
        status = rule(principal, visibility) if rule else 405
        return 401 if self.is_api and status == 403 and principal in VISITORS else status

    def answer(self, method: str) -> int:
        """Return the status that a caller gets who may."""
        return self.found if method in ("GET", "HEAD") else self.done


def api(words: dict[str, Any] | None = None, **more: Any) -> Line:
    return Line(words or {}, is_api=True, **more)


def of_league(**words: Any) -> dict[str, Any]:
    return {"slug": lambda world: world.league.slug, **words}


MATCH = of_league(season=lambda world: world.season.slug, seq=1)
VOID_MATCH = MATCH | {"seq": 2}
REVISION = of_league(season=lambda world: world.season.slug, number=1)
SEASON = of_league(season=lambda world: world.season.slug)
UPLOAD = of_league(number=lambda world: world.upload.pk)
SHEET = {
    "mode": lambda world: world.mode.slug,
    "day": lambda world: world.today,
    "text": lambda world: f"{world.players[0].name} > {world.players[1].name}",
}
RESULT = {
    "played_on": lambda world: world.today,
    "kind": "played",
    "one_1": lambda world: world.players[0].name,
    "two_1": lambda world: world.players[1].name,
    "score_one": "2",
    "score_two": "1",
    "outcome": "score",
    "form_id": "00000000-0000-4000-8000-000000000001",
}
SENT_MATCH = {
    "played_on": lambda world: world.today,
    "sides": lambda world: [
        {"rank": rank, "players": [{"key": player.key}]}
        for rank, player in enumerate(world.players, start=1)
    ],
}
COMPARED = {
    "a": lambda world: world.players[0].name,
    "b": lambda world: world.players[1].name,
}
STARTED = {
    "sides": lambda world: [{"players": [{"key": player.key}]} for player in world.players],
}
RULES = {
    "name": "Renamed",
    "slug": lambda world: world.league.slug,
    "time_zone": "UTC",
    "visibility": lambda world: world.league.visibility,
    "walkovers": "unrated",
    "active_days": "60",
    "ranked_after": "3",
}
NEW_LEAGUE = {
    "name": "Another",
    "slug": "another",
    "time_zone": "UTC",
    "visibility": "public",
    "mode": "Singles",
    "played_by": "two_players",
}
NEW_PASSWORD = "another-battery-staple"

TABLE = {
    # Pages of the site
    "live": Line({}, get=everybody),
    "ready": Line({}, get=everybody),
    "leagues:home": Line({}, get=everybody),
    "leagues:look": Line({}, get=everybody, found=302, query="to=dark&next=/"),
    "leagues:new_league": Line({}, get=signed_in, post=signed_in, data=NEW_LEAGUE),
    # Reading a league
    "leagues:board": Line(of_league(), get=reader),
    "leagues:rating_state": Line(of_league(), get=reader),
    "leagues:me": Line(of_league(), get=reader),
    "leagues:compare": Line(of_league(), get=reader),
    "leagues:opponents": Line(of_league(), get=reader),
    "leagues:statistics": Line(of_league(), get=reader),
    "leagues:results": Line(of_league(), get=reader),
    "leagues:changes": Line(of_league(), get=reader),
    "leagues:former_revisions": Line(of_league(), get=reader, found=302),
    "leagues:former_log": Line(of_league(), get=reader, found=302),
    "leagues:present_season": Line(of_league(), get=reader, found=302),
    "leagues:revision": Line(REVISION, get=reader),
    "leagues:match": Line(MATCH, get=reader),
    # The match of the world has no events: its session leads to its own page.
    "leagues:game_session": Line(MATCH, get=reader, found=302),
    "leagues:nights": Line(of_league(), get=reader),
    "leagues:played_night": Line(SEASON | {"day": lambda world: world.today}, get=reader),
    "leagues:seasons": Line(of_league(), get=reader),
    "leagues:season": Line(SEASON, get=reader),
    "leagues:season_file": Line(SEASON | {"name": "results.csv"}, get=reader),
    "leagues:players": Line(of_league(), get=reader),
    "leagues:players_file": Line(of_league(name="players.csv"), get=reader),
    "leagues:player_add": Line(
        of_league(), get=organizer, post=organizer, data={"name": "Quentin Zabriskie"}
    ),
    "leagues:player": Line(of_league(key=lambda world: world.players[0].key), get=reader),
    "leagues:player_edit": Line(
        of_league(key=lambda world: world.players[0].key),
        get=organizer,
        post=organizer,
        data={"name": lambda world: world.players[0].name, "birth_year": "2012"},
    ),
    "leagues:player_names": Line(
        of_league(key=lambda world: world.players[0].key),
        post=organizer,
        data={"do": "add", "name": "Another name"},
    ),
    "leagues:player_left": Line(
        of_league(key=lambda world: world.players[0].key), post=organizer, data={"do": "now"}
    ),
    "leagues:player_groups": Line(
        of_league(key=lambda world: world.players[0].key),
        post=organizer,
        data={"club": "Riverside"},
    ),
    "leagues:player_starts": Line(
        of_league(key=lambda world: world.players[0].key),
        get=organizer,
        post=organizer,
        data={
            "board": lambda world: str(world.boards[0].pk),
            "rating": "1650",
            "source": "Last year’s list",
        },
    ),
    "leagues:player_merge": Line(
        of_league(key=lambda world: world.players[0].key),
        get=organizer,
        post=organizer,
        data={
            "other": lambda world: world.duplicate.key,
            "keep": lambda world: world.players[0].key,
            "own_results": "2",
            "other_results": "0",
        },
    ),
    "leagues:systems": Line(of_league(), get=reader),
    "leagues:backtest": Line(of_league(), get=reader, post=organizer, found=302, data={}),
    "leagues:simulator": Line(of_league(), get=reader, query="players=20&rounds=2"),
    "leagues:try": Line(
        of_league(), get=organizer, post=organizer, data=lambda world: world.trial_form
    ),
    "leagues:rules": Line(of_league(), get=reader),
    "leagues:trial": Line(of_league(number=lambda world: world.trial.pk), get=reader),
    # Results
    "leagues:table_code": Line(of_league(), get=scorer),
    "leagues:scan": Line(of_league(), get=everybody, found=302),
    "leagues:night": Line(of_league(), get=scorer, post=scorer, done=200, data=SHEET),
    "leagues:enter": Line(of_league(), get=scorer, post=scorer, data=RESULT),
    "leagues:correct": Line(
        MATCH,
        get=organizer,
        post=organizer,
        data=RESULT | {"score_one": "7", "version": "1", "reason": "misread"},
    ),
    "leagues:start": Line(of_league(), post=scorer, data=COMPARED),
    "leagues:release": Line(MATCH, post=scorer, data={"version": "1"}),
    "leagues:void": Line(MATCH, get=organizer, post=organizer, data={"version": "1"}),
    "leagues:restore": Line(VOID_MATCH, get=organizer, post=organizer, data={"version": "2"}),
    "leagues:undo": Line(REVISION, get=reader, post=organizer, found=302, data={}),
    # Files of results
    "leagues:import": Line(
        of_league(),
        get=organizer,
        post=organizer,
        data={"paste": "date,winner,loser\n2026-01-05,Ana,Bo\n", "mode": "", "new_mode": "Doubles"},
    ),
    "leagues:import_upload": Line(UPLOAD, get=organizer, post=organizer, data={"do": "check"}),
    "leagues:import_state": Line(UPLOAD, get=organizer, query="was=checked"),
    "leagues:import_bad_rows": Line(UPLOAD, get=organizer),
    # Settings of a league
    "leagues:settings": Line(of_league(), get=organizer, post=organizer, data=RULES),
    "leagues:settings_boards": Line(
        of_league(),
        get=organizer,
        post=organizer,
        query="system=elo",
        data=lambda world: world.board_form,
    ),
    "leagues:settings_rules": Line(
        of_league(season=lambda world: world.season.slug, board=lambda world: world.boards[0].slug),
        get=organizer,
        post=organizer,
        done=422,
        data=lambda world: world.trial_form,
    ),
    "leagues:settings_modes": Line(
        of_league(),
        get=organizer,
        post=organizer,
        data={"name": "Doubles", "played_by": "two_teams"},
    ),
    "leagues:settings_mode": Line(
        of_league(mode=lambda world: world.mode.slug),
        get=organizer,
        post=organizer,
        data={"rated_by": "events"},
    ),
    "leagues:settings_board_remove": Line(
        of_league(season=lambda world: world.season.slug, board=lambda world: world.boards[0].slug),
        get=organizer,
        post=organizer,
    ),
    "leagues:settings_board_opening": Line(
        of_league(season=lambda world: world.season.slug, board=lambda world: world.boards[0].slug),
        get=organizer,
        post=organizer,
        done=422,
        data={"seed": "7"},
    ),
    "leagues:settings_rules_confirm": Line(
        of_league(number=lambda world: world.trial.pk),
        get=organizer,
        post=organizer,
        done=422,
        data={"reason": ""},
    ),
    "leagues:settings_seasons": Line(
        of_league(), get=organizer, post=organizer, data={"name": "Next"}
    ),
    "leagues:settings_season": Line(SEASON, get=organizer),
    "leagues:settings_season_step": Line(
        SEASON | {"step": "close"}, get=organizer, post=organizer, data={}
    ),
    "leagues:settings_members": Line(
        of_league(), get=organizer, post=organizer, data={"who": "plain", "role": "player"}
    ),
    "leagues:settings_member_remove": Line(
        of_league(user_id=lambda world: world.people["player"].pk),
        get=organizer,
        post=organizer,
        data={},
    ),
    "leagues:settings_invitations": Line(
        of_league(), get=organizer, post=organizer, found=302, done=200, data={"role": "scorer"}
    ),
    "leagues:settings_invitation_withdraw": Line(of_league(number=1), post=organizer, data={}),
    "leagues:league_file": Line(of_league(), get=organizer),
    "leagues:settings_tokens": Line(
        of_league(),
        get=organizer,
        post=organizer,
        done=200,
        data={"name": "Program", "scope": "read"},
    ),
    "leagues:settings_token_revoke": Line(
        of_league(public_id=lambda world: world.token.public_id), post=organizer, data={}
    ),
    "leagues:dashboard": Line(of_league(), get=organizer),
    # Accounts
    "accounts:home": Line({}, get=signed_in),
    "accounts:sign-in": Line(
        {}, get=everybody, post=everybody, data={"username": "plain", "password": "password"}
    ),
    "accounts:sign-out": Line({}, get=everybody, post=everybody, found=302, data={}),
    "accounts:password-change": Line(
        {},
        get=signed_in,
        post=signed_in,
        data={
            "old_password": "password",
            "new_password1": NEW_PASSWORD,
            "new_password2": NEW_PASSWORD,
        },
    ),
    "accounts:reset": Line({}, get=everybody, post=everybody, data={"email": "x@example.org"}),
    "accounts:reset-sent": Line({}, get=everybody),
    "accounts:reset-done": Line({}, get=everybody),
    "accounts:reset-confirm": Line(
        {"uidb64": "MQ", "token": "abc-def"}, get=everybody, post=everybody, done=200, data={}
    ),
    # There are accounts, so this door is shut for everybody.
    "accounts:setup": Line(
        {"secret": "invented"}, get=everybody, post=everybody, found=410, done=410, data={}
    ),
    "accounts:invitation": Line(
        {"secret": "invented"}, get=everybody, post=everybody, found=410, done=410, data={}
    ),
    # API
    "api:schema": api(get=everybody),
    "api:docs": Line({}, get=everybody),
    "api:missing": api(
        {"rest": "nothing"},
        get=everybody,
        post=everybody,
        put=everybody,
        patch=everybody,
        found=404,
        done=404,
    ),
    "api:leagues": api(get=everybody),
    "api:league": api(of_league(), get=reader),
    "api:rating_state": api(of_league(), get=reader),
    "api:league_standings": api(of_league(), get=reader),
    "api:standings": api(
        of_league(season=lambda world: world.season.slug, board=lambda world: world.boards[0].slug),
        get=reader,
    ),
    "api:rules": api(
        of_league(season=lambda world: world.season.slug, board=lambda world: world.boards[0].slug),
        get=reader,
    ),
    "api:players": api(of_league(), get=reader, post=scorer, done=201, data={"name": "Newcomer"}),
    "api:player": api(of_league(key=lambda world: world.players[0].key), get=reader),
    "api:player_history": api(of_league(key=lambda world: world.players[0].key), get=reader),
    "api:systems": api(
        of_league(season=lambda world: world.season.slug, mode=lambda world: world.mode.slug),
        get=reader,
    ),
    "api:backtests": api(
        of_league(season=lambda world: world.season.slug, mode=lambda world: world.mode.slug),
        get=reader,
        post=organizer,
        done=202,
        data={},
    ),
    "api:board_trials": api(
        of_league(season=lambda world: world.season.slug, board=lambda world: world.boards[0].slug),
        post=organizer,
        done=202,
        data={"parameters": {}},
    ),
    "api:trial": api(of_league(number=lambda world: world.trial.pk), get=reader),
    "api:preview": api(of_league(), get=reader, found=400),
    "api:comparison": api(of_league(), get=reader, found=400),
    "api:matches": api(of_league(), get=reader, post=scorer, done=201, data=SENT_MATCH),
    "api:started_matches": api(of_league(), get=reader, post=scorer, done=201, data=STARTED),
    # It is no started match: who may send a result reads that.
    "api:match_result": api(
        MATCH, post=scorer, done=422, data={"sides": [{"rank": 1}, {"rank": 2}]}
    ),
    "api:match_release": api(MATCH, post=scorer, done=422, data={}),
    "api:matches_preview": api(of_league(), post=scorer, done=200, data=SENT_MATCH),
    "api:match": api(
        MATCH,
        get=reader,
        put=organizer,
        patch=organizer,
        done=200,
        data=SENT_MATCH | {"version": 1, "detail": "corrected"},
    ),
    "api:explanation": api(MATCH, get=reader),
    "api:match_void": api(MATCH, post=organizer, done=200, data={}),
    "api:match_restore": api(VOID_MATCH, post=organizer, done=200, data={}),
    "api:match_preview": api(MATCH, post=organizer, done=200, data={"version": 1}),
    "api:match_void_preview": api(MATCH, post=organizer, done=200, data={}),
    "api:match_restore_preview": api(VOID_MATCH, post=organizer, done=200, data={}),
    "api:season": api(SEASON, get=reader),
    "api:season_steps": api(
        SEASON, get=organizer, post=organizer, done=200, data={"step": "close"}
    ),
    "api:revisions": api(of_league(), get=reader),
    "api:revision": api(REVISION, get=reader),
    "api:revision_undo": api(REVISION, post=organizer, done=201, data={}),
    "api:revision_undo_preview": api(REVISION, post=organizer, done=200, data={}),
}
