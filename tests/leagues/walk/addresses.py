"""The addresses of a league: every route of the URL configuration, filled with what there is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any
from urllib.parse import quote

from django.apps import apps
from django.contrib.contenttypes.models import ContentType
from django.urls import reverse

from leagues.domain.civil_days import day_of
from leagues.forms.season_steps import STEPS
from leagues.models import Board, League
from leagues.services.seasons import Step
from tests.routes import Route, all_routes

MOST_OBJECTS = 6
"""So many objects of a kind, evenly among all of a league, are walked to."""
FRAGMENT = {"HX-Request": "true"}

Words = dict[str, Any]


@dataclass(frozen=True)
class Address:
    """What is asked for: `name` is its route, `query` what stands behind its path."""

    route: Route
    path: str
    headers: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.route.name} {self.path} {' '.join(self.headers)}".strip()


def addresses_of(league: League) -> dict[str, list[Address]]:
    """All addresses to walk, by route: the plain ones first, then those with a query string."""
    asked = _values(league)
    found = {}
    for route in all_routes():
        if "nameless" in route.name:
            # They only lead to one of the others, and cannot be written from their name.
            continue
        paths = [reverse(route.name, kwargs=words) for words in _words_of(route, league)]
        queries = _queries_of(route, asked)
        plain = [Address(route, path) for path in paths]
        asking = [Address(route, f"{path}?{query}") for query in queries for path in paths[:2]]
        parts = [Address(route, address.path, FRAGMENT) for address in (*plain[:1], *asking[:3])]
        found[route.name] = plain + asking + ([] if route.is_api or route.is_admin else parts)
    return found


def _words_of(route: Route, league: League) -> Iterator[Words]:
    """Yield the words of a route's path; a KeyError asks for a line in one of these tables."""
    if route.is_admin:
        yield from _admin_words(route, league)
        return
    slug = {"slug": league.slug} if "slug" in route.words else {}
    own = frozenset(route.words - {"slug"})
    table = NUMBERS[route.name] if own == {"number"} else FILLED[own]
    for words in _some(list(table(league))):
        yield slug | words


def _some(everything: Sequence[Words]) -> Iterator[Words]:
    """Yield the first, the last and some between."""
    step = max(1, len(everything) // MOST_OBJECTS)
    return islice(reversed(everything), 0, None, step)


def _of(name: str, *fields: str) -> Callable[[League], Iterator[Words]]:
    """Read words of paths from related objects of a league, oldest first; fields are word=path."""
    pairs = [pair.split("=") for pair in fields]

    def read(league: League) -> Iterator[Words]:
        rows = getattr(league, name).order_by("pk")
        for row in rows.values_list(*(path for _word, path in pairs)):
            yield {word: value for (word, _path), value in zip(pairs, row, strict=True)}

    return read


def _nothing(league: League) -> list[Words]:
    return [{}]


def _with_each(
    read: Callable[[League], Iterator[Words]], word: str, values: Sequence[str]
) -> Callable[[League], Iterator[Words]]:
    return lambda league: ({**words, word: value} for words in read(league) for value in values)


def _nights(league: League) -> list[Words]:
    moments = league.matches.order_by("pk").values_list("season__slug", "played_at")
    return [
        {"season": season, "day": day_of(at, league.zone).isoformat()} for season, at in moments
    ]


FILES = ("results.csv", "results.json", "results.xlsx", "standings.csv", "standings.json")
PLAYERS = ("players.csv", "players.json", "players.xlsx")
_SEASON = _of("seasons", "season=slug")
FILLED: dict[frozenset[str], Callable[[League], Any]] = {
    frozenset(): _nothing,
    frozenset({"season"}): _SEASON,
    frozenset({"key"}): _of("players", "key=key"),
    frozenset({"season", "seq"}): _of("matches", "season=season__slug", "seq=seq"),
    frozenset({"season", "day"}): _nights,
    frozenset({"season", "number"}): _of("revisions", "season=season__slug", "number=number"),
    frozenset({"season", "board"}): _of("boards", "season=season__slug", "board=slug"),
    frozenset({"season", "mode"}): lambda league: [
        {"season": season, "mode": mode}
        for season in league.seasons.values_list("slug", flat=True)
        for mode in league.modes.values_list("slug", flat=True)
    ],
    frozenset({"mode"}): _of("modes", "mode=slug"),
    frozenset({"season", "step"}): _with_each(_SEASON, "step", tuple(STEPS)),
    frozenset({"season", "name"}): _with_each(_SEASON, "name", FILES),
    frozenset({"name"}): lambda league: [{"name": name} for name in PLAYERS],
    frozenset({"user_id"}): _of("memberships", "user_id=user"),
    frozenset({"public_id"}): _of("tokens", "public_id=public_id"),
    frozenset({"rest"}): lambda league: [{"rest": "nothing"}],
    frozenset({"uidb64", "token"}): lambda league: [{"uidb64": "MQ", "token": "abc-def"}],
    frozenset({"secret"}): lambda league: [{"secret": "invented"}],
}
"""What fills a path, by the words it needs beside the league's."""

_UPLOAD = _of("uploads", "number=pk")


def _trials(league: League) -> list[Words]:
    keys = league.trials.exclude(board=None).order_by("pk").values_list("pk", flat=True)
    return [{"number": key} for key in keys]


NUMBERS: dict[str, Callable[[League], Any]] = {
    "leagues:import_upload": _UPLOAD,
    "leagues:import_state": _UPLOAD,
    "leagues:import_bad_rows": _UPLOAD,
    "leagues:settings_invitation_withdraw": _of("invitations", "number=pk"),
    "leagues:trial": _trials,
    "leagues:settings_rules_confirm": _trials,
    "api:trial": _trials,
}


def _admin_words(route: Route, league: League) -> Iterator[Words]:
    if not route.words:
        yield {}
    elif route.words == {"app_label"}:
        yield {"app_label": "leagues"}
    elif "content_type_id" in route.words:
        kind = ContentType.objects.get_for_model(League)
        yield {"content_type_id": kind.pk, "object_id": league.pk}
    else:
        app, model, *_rest = route.name.removeprefix("admin:").split("_")
        rows = apps.get_model(app, model)._default_manager.order_by("-pk")
        for key in rows.values_list("pk", flat=True)[:2]:
            word = "id" if "id" in route.words else "object_id"
            if "name" in route.words:
                yield from ({word: key, "name": step} for step in STEPS)
            else:
                yield {word: key}


def _values(league: League) -> dict[str, list[str]]:
    """What query strings speak of, by the name of their parameters."""
    boards = list(Board.objects.filter(league=league).select_related("season").order_by("pk"))
    newest = league.matches.order_by("-played_at", "-seq").first()
    players = newest.participants.order_by("rank", "side") if newest else ()
    keys = [row.player.key for row in players] or ["ana", "bo"]
    day = (newest.played_at if newest else league.created_at).date().isoformat()
    return {
        "board": [board.slug for board in boards],
        "season": [season.slug for season in league.seasons.all()],
        "mode": [mode.slug for mode in league.modes.all()],
        "look": [f"season={board.season.slug}&board={board.slug}" for board in boards],
        "player": keys[:2],
        "of": keys[-2:],
        "a": keys[:1],
        "b": keys[-1:],
        "on": [day],
        "newest": [str(newest.seq) if newest else "1"],
        "q": ["an", quote("Å+ ' %")],
    }


SIDES = "a={a}&b={b}"
QUERIES: dict[str, tuple[str, ...]] = {
    "leagues:home": ("q={q}", "page=2"),
    "leagues:look": ("to=dark&next=/",),
    "leagues:board": (
        *("{look}", "{look}&on={on}", "on={on}&since=season", "on=1999-01-01", "on=never"),
        *("list=unranked", "list=inactive", "sure=sure", "sure=unsure", "q={q}", "page=2"),
        *("active=30&least=2&most=100", "since=visit", "since=week", "since=month"),
        *("group=club:riverside", "group=age:u12&q={q}"),
    ),
    "leagues:rating_state": ("{look}",),
    "leagues:me": ("q={q}", "player={player}&next=/", "forget=yes", "hide=yes", "hide=no"),
    "leagues:player": (
        *("{look}", "tab=opponents", "tab=history", "kind=rated", "kind=void", "result=drawn"),
        *("{look}&tab=opponents", "result=won&q={q}", "page=2", "range=year"),
    ),
    "leagues:players": ("q={q}", "after={a}", "q={q}&after=nobody"),
    "leagues:player_merge": ("other={player}", "key={player}", "other=nobody", "other={q}"),
    "leagues:compare": (
        *("{look}", "{look}&" + SIDES, SIDES + "&sides=3", "a={a}", "a={a}%2B{b}&b=nobody"),
        *(SIDES + "&c=ana", "a={a}&b={a}"),
    ),
    "leagues:opponents": ("{look}", "{look}&player={player}", "player=nobody"),
    "leagues:statistics": ("{look}",),
    "leagues:results": ("{look}", "q={q}", "after=1", "before={newest}", "season={season}"),
    "leagues:nights": ("{look}", "season={season}&before={on}", "before=never"),
    "leagues:seasons": ("{look}",),
    "leagues:season": ("{look}", "board={board}"),
    "leagues:season_file": ("board={board}",),
    "leagues:night": ("{look}",),
    "leagues:enter": ("{look}", "shape=list", "mode={mode}", "recorded=1", "on={on}&{look}"),
    "leagues:match": ("board={board}", "of={of}", "board={board}&of={of}"),
    "leagues:correct": ("shape=list",),
    "leagues:import_state": ("was=checked", "was=read"),
    "leagues:rules": ("{look}",),
    "leagues:systems": ("{look}", "page=2"),
    "leagues:backtest": ("{look}",),
    "leagues:simulator": ("players=12&rounds=3", "players=12&rounds=3&round=2", "players=x"),
    "leagues:try": ("{look}", "from=1"),
    "leagues:changes": (
        *("kind=match", "kind=entry", "player={player}", "user=organizer", "since={on}"),
        *("before=x", "season={season}", "since={on}&until=1999-01-01"),
    ),
    "leagues:settings_boards": ("system=ladder", "system=elo", "system=none"),
}  # fmt: skip
"""Usual query strings of pages; each name in braces is every one of these values."""

API_VALUES: dict[str, tuple[str, ...]] = {
    "q": ("{q}",),
    "player": ("{player}",),
    "season": ("{season}",),
    "board": ("{board}",),
    "mode": ("{mode}",),
    "on": ("{on}",),
    "list": ("ranked", "unranked", "inactive"),
    "sure": ("any", "sure"),
    "most": ("50.5",),
    "least": ("2",),
    "active": ("30",),
    "since": ("week", "season"),
    "status": ("live", "void"),
    "step": tuple(Step.values),
    "page": ("2",),
    "after": ("x",),
    "events_from": ("0", "1000"),
    "group": ("club:riverside",),
    "page_size": ("1", "200"),
    "a": ("{a}",),
    "b": ("{b}",),
    **dict.fromkeys("cdefgh", ("ana",)),
}
"""Of every parameter that the API knows, values to ask for."""


def _queries_of(route: Route, asked: dict[str, list[str]]) -> list[str]:
    patterns = list(QUERIES.get(route.name, ()))
    if route.is_api:
        declared = getattr(getattr(route.view, "cls", None), "query", ())
        names = [parameter.name for parameter in declared]
        patterns = [f"{name}={value}" for name in names for value in API_VALUES[name]]
        if "a" in names:
            patterns += [SIDES, f"{SIDES}&season={{season}}&board={{board}}"]
    return [query for pattern in patterns for query in _filled(pattern, asked)]


def _filled(pattern: str, asked: dict[str, list[str]]) -> list[str]:
    """Write a pattern with each value of its first name, and the others in their turn."""
    names = [name for name in asked if f"{{{name}}}" in pattern]
    count = max((len(asked[name]) for name in names), default=1)
    if any(not asked[name] for name in names):
        return []
    return [
        pattern.format(**{name: asked[name][turn % len(asked[name])] for name in names})
        for turn in range(count)
    ]
